#pragma once

#include "core/session/prepare.h"

namespace ql {

/// Fills in the types of computed tensors by executing the float graph once: on the first batch of the data, or on
/// zeros if there is no data and all shapes, or all except the batch, are known. Declared types of inputs and outputs
/// are unchanged; RunState::outputTypes gets those that hold for every run. A model with operations that cannot be
/// executed is unchanged.
void traceTypes(RunState &state, const JobContext &job);
/// Whether every computed tensor has a type: passes only remove tensors that a trace saw.
bool typesAreKnown(const Graph &graph);

} // namespace ql
