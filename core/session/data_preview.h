#pragma once

#include "core/session/run.h"

#include <nlohmann/json.hpp>

namespace ql {

/// One sample of the recipe's data after each step of its preprocessing.
struct PreviewRequest
{
    api::DataRequest data;  ///< path, samples, preprocessing: may differ from the recipe's own
    std::size_t sample = 0; ///< index of the sample, limited to the last one
    std::size_t input = 0;  ///< of the graph's inputs, limited to the last one
    int pictureSize = 160;  ///< longer side of the images, pixels
    int bins = 64;          ///< of the histograms
};

/// @returns {"samples": number of samples, "name", "names": the first 200, "hash": of bytes, preprocessing and order,
/// "input": {"name", "type", "shape"}, "stages": [{"step", "shape", "type", "min", "max", "not_finite", "channels":
/// [{"mean", "std", "min", "max", "counts"}], "picture": {"width", "height", "rgb": bytes}, "error"}], "problems":
/// [...]}. The first stage is the sample as read, without any step. A stage that fails has an error and is the last
/// one; "picture" exists if the sample looks like an image (1 or 3 channels).
/// @throws Error if the data cannot be opened at all, Cancelled
nlohmann::json previewData(const api::Recipe &recipe, const PreviewRequest &request, const RunOptions &options,
                           const JobContext &job);

} // namespace ql
