#pragma once

#include "core/api/fields.h"
#include "core/api/written_operation.h"

namespace ql::api {

template <class Codec>
void fields(Codec &codec, Same<WrittenTensor> auto &tensor)
{
    codec.member("name", tensor.name);
    codec.member("type", tensor.type);
    codec.member("scales", tensor.scales);
}

template <class Codec>
void fields(Codec &codec, Same<WrittenOperation> auto &operation)
{
    codec.member("name", operation.name);
    codec.member("type", operation.type);
    codec.member("inputs", operation.inputs);
    codec.member("outputs", operation.outputs);
}

} // namespace ql::api
