#pragma once

#include "core/session/prepare.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ql {

/// The key of the quantized model: of the last stage that is not an analysis.
std::string planKey(const RunState &state);

/// Computes or recalls the errors of the outputs of a model on the run's evaluation data. key: of everything the model
/// depends on. most: if the data has more batches, as many of them, spread evenly, without the metric.
std::vector<api::OutputRow> outputErrors(const RunState &state, const QuantModel &model, const std::string &key,
                                         const JobContext &job, std::size_t most = SIZE_MAX);

} // namespace ql
