#pragma once

#include "core/api/fields.h"
#include "core/api/training.h"

namespace ql::api {

template <class Codec>
void fields(Codec &codec, Same<TrainedBlock> auto &block)
{
    codec.member("first", block.first);
    codec.member("last", block.last);
    codec.member("operations", block.operations);
    codec.member("steps", block.steps);
    codec.member("before", block.before);
    codec.member("after", block.after);
    codec.member("kept", block.kept);
}

} // namespace ql::api
