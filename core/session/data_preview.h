#pragma once

#include "core/api/requests.h"
#include "core/io/dataset.h"
#include "core/session/run.h"

namespace ql {

/// One sample after each step of its preprocessing. The first stage is the sample as it was read, without any step.
/// @throws Error if the data cannot be opened at all, Cancelled
api::Preview previewData(const api::PreviewRequest &request, const RunOptions &options, const JobContext &job);

/// As api::NoisySample::image.
std::string imageOfSample(const Dataset &data, std::size_t sample);

} // namespace ql
