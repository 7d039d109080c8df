#pragma once

#include "core/api/fields.h"
#include "core/api/recipe.h"

namespace ql::api {

template <class Codec>
void fields(Codec &codec, Same<DataRequest> auto &data)
{
    codec.member("path", data.path);
    codec.member("samples", data.samples);
    codec.member("preprocess", data.preprocess);
    codec.member("sampling", data.sampling);
    codec.member("seed", data.seed);
}

} // namespace ql::api
