#include "core/api/training.h"

#include "core/api/fields.h"

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

QL_JSON_PAIR(TrainedBlock, "trained block")

} // namespace ql::api
