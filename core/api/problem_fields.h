#pragma once

#include "core/api/fields.h"
#include "core/api/problem.h"

namespace ql::api {

template <class Codec>
void fields(Codec &codec, Same<Problem> auto &problem)
{
    codec.member("severity", problem.severity);
    codec.member("op", problem.op);
    codec.member("variable", problem.variable);
    codec.text("message", problem.message);
    codec.text("remedy", problem.remedy);
    codec.list("actions", problem.actions);
    codec.list("values", problem.values);
    codec.optionalText("values_meaning", problem.valuesMeaning);
}

} // namespace ql::api
