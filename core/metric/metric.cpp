#include "core/metric/metric.h"

#include "core/api/data_words.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/sha256.h"

#include <ATen/ops/equal.h>
#include <algorithm>
#include <vector>

namespace ql {

namespace fs = std::filesystem;

std::string stemOf(const std::string &name)
{
    return fs::path(name).stem().string();
}

ImageSize imageSizeOf(const Feed &feed)
{
    constexpr std::int64_t channels = 4; // at most
    ImageSize size;
    for (const auto &[name, tensor] : feed) {
        if (tensor.dim() != 4) continue;
        const bool isLast = tensor.size(3) <= channels && tensor.size(1) > channels;
        size = {tensor.size(isLast ? 2 : 3), tensor.size(isLast ? 1 : 2)};
    }
    return size;
}

bool areIntegers(const at::Tensor &values)
{
    return !at::isFloatingType(values.scalar_type()) || at::equal(values, values.round());
}

std::int64_t lastAxisOf(const at::Tensor &output, const ImageSize &)
{
    return output.dim() - 1;
}

std::vector<api::CatalogueItem> metricCatalogue()
{
    std::vector<api::CatalogueItem> items;
    for (const std::string &id : Registry<MetricEntry>::instance().ids())
        items.push_back(Registry<MetricEntry>::instance().at(id, QL_TEXT("metric")).info);
    return items;
}

/// Of a file, or of the files in a folder with their names.
static std::string contentOf(const fs::path &labels)
{
    if (!fs::is_directory(labels)) return sha256OfFile(labels);
    std::vector<fs::path> files;
    for (const fs::directory_entry &entry : fs::directory_iterator(labels))
        if (entry.is_regular_file()) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::string all;
    for (const fs::path &file : files) all += file.filename().string() + " " + sha256OfFile(file) + "\n";
    return sha256(all);
}

static std::vector<std::string> metricsWithLabels()
{
    const auto &registry = Registry<MetricEntry>::instance();
    std::vector<std::string> ids = registry.ids();
    std::erase_if(ids, [&](const std::string &id) { return !registry.find(id)->needsLabels; });
    return ids;
}

std::shared_ptr<const MetricSource> openMetric(const api::Recipe &recipe, const fs::path &base)
{
    const api::MetricRequest &request = recipe.metric;
    if (request.id.empty()) {
        if (!request.labels.empty())
            throw Error(ErrorKind::BadConfig, QL_TEXT("labels are given, but no metric uses them"))
                .withRemedy(QL_TEXT("Choose one with %1: %2.")
                                .with(Text::option("--metric ID"), Text::list(metricsWithLabels())));
        return nullptr;
    }
    const MetricEntry &entry = Registry<MetricEntry>::instance().at(request.id, QL_TEXT("metric"));
    const api::DataRequest data = api::evaluationData(recipe);
    MetricInput input;
    input.params = api::completeParams(entry.info.params, request.params, QL_TEXT("metric '%1'").with(request.id));
    input.preprocess = data.preprocess;
    if (!data.path.empty()) input.data = api::dataPath(data.path, base);
    if (!request.labels.empty()) input.labels = api::dataPath(request.labels, base);
    if (entry.needsLabels && input.labels.empty())
        throw Error(ErrorKind::BadConfig, QL_TEXT("the metric %1 needs labels").with(request.id))
            .withRemedy(QL_TEXT("Give a file or folder with %1.").with(Text::option("--labels PATH")));
    if (!input.labels.empty() && !fs::exists(input.labels))
        throw Error(ErrorKind::Io, QL_TEXT("no such file or folder")).inFile(input.labels.string());
    auto source = std::make_shared<MetricSource>();
    source->name = request.id;
    source->labels = input.labels.string();
    source->isLoss = entry.isLoss;
    source->range = entry.range;
    source->key = request.id + input.params.dump() + input.preprocess +
                  (input.labels.empty() ? std::string() : contentOf(input.labels));
    source->make = entry.open(input);
    source->classAxis = entry.classAxis;
    return source;
}

} // namespace ql
