#pragma once

#include "core/session/prepare.h"

namespace ql {

/// Fills in the types of computed tensors by executing the float graph once: on the first batch of the data, or on
/// zeros where no data are given and all shapes, or all but the batch, are known. What the model declares of its inputs
/// and outputs stays as it is; RunState::outputTypes gets what every run of it has. A model with operations that cannot
/// be executed stays as it is.
void traceTypes(RunState &state, const JobContext &job);
/// Whether every computed tensor has a type: of those that a trace saw, passes only take some away.
bool typesAreKnown(const Graph &graph);

} // namespace ql
