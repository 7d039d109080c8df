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

template <class Codec>
void fields(Codec &codec, Same<TrainingEvent> auto &event)
{
    codec.member("pass", event.pass);
    codec.member("first", event.first);
    codec.member("last", event.last);
    codec.member("block", event.block);
    codec.member("blocks", event.blocks);
    codec.member("step", event.step);
    codec.member("steps", event.steps);
    codec.part("loss", event.loss);
    codec.part("held_out", event.heldOut);
    codec.part("done", event.done);
}

} // namespace ql::api
