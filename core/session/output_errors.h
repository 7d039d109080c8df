#pragma once

#include "core/session/prepare.h"

#include <string>
#include <vector>

namespace ql {

/// Computes or recalls the errors of the outputs of a model on the run's evaluation data. key: of everything the model
/// depends on
std::vector<api::OutputRow> outputErrors(const RunState &state, const QuantModel &model, const std::string &key,
                                         const JobContext &job);

} // namespace ql
