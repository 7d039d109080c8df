#pragma once

#include "core/analysis/metric.h"
#include "core/api/params.h"
#include "core/api/recipe.h"
#include "core/base/registry.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ql {

/// What a metric reads.
struct MetricInput
{
    std::filesystem::path labels; ///< empty: none given
    std::filesystem::path data;   ///< of the evaluation data: images whose sizes are needed
    std::string preprocess;       ///< of the evaluation data: labels with places follow it
    nlohmann::json params;        ///< complete
};

/// A metric in the catalogue.
struct MetricEntry
{
    static constexpr const char *kindName = "metric";
    api::CatalogueItem info;
    bool isLoss = false; ///< the smaller the better
    MetricRange range = {0, 1};
    bool needsLabels = true; ///< a file or folder of labels
    /// Reads the labels. @returns what counts, from zero
    std::function<std::function<std::unique_ptr<OutputMetric>()>(const MetricInput &)> open;
    ClassAxis classAxis = {}; ///< as MetricSource::classAxis
};
using MetricRegistrar = Registrar<MetricEntry>;

/// The metric that a recipe asks for, with its labels; nullptr if it names none. base: folder of its relative paths
/// @throws Error (BadConfig, BadData, Io)
std::shared_ptr<const MetricSource> openMetric(const api::Recipe &recipe, const std::filesystem::path &base);

/// All metrics.
std::vector<api::CatalogueItem> metricCatalogue();

/// Of the input with four dimensions, channels first or last.
ImageSize imageSizeOf(const Feed &feed);

/// Whether these are integers, of any type.
bool areIntegers(const at::Tensor &values);

/// ClassAxis of scores [samples, steps, classes].
std::int64_t lastAxisOf(const at::Tensor &output, const ImageSize &input);

/// A file name without its extension: labels belong to samples of the same stem.
std::string stemOf(const std::string &name);

} // namespace ql
