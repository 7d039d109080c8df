#include "core/session/data_preview.h"

#include "core/base/base64.h"
#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/exec/threads.h"
#include "core/io/dataset.h"
#include "core/io/png.h"
#include "core/io/sample_picture.h"
#include "core/io/sample_source.h"
#include "core/session/data_checks.h"
#include "core/session/prepare.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

namespace ql {

namespace {

constexpr std::size_t shownNames = 200;
constexpr int pictureSize = 160;  ///< longer side of the images, pixels
constexpr int histogramBins = 64; ///< of the values of a channel
/// Maximum number of samples, and time, for warnings about values.
constexpr std::size_t mostExamined = 256;
constexpr std::chrono::milliseconds examinedTime(700);

api::ChannelValues channelOf(const at::Tensor &x, const Range &range)
{
    const float *data = x.data_ptr<float>();
    double sum = 0, squares = 0;
    std::int64_t count = 0;
    Range own;
    api::ChannelValues values;
    values.counts.resize(histogramBins);
    const double width = range.max > range.min ? (range.max - range.min) / histogramBins : 1;
    for (std::int64_t i = 0; i < x.numel(); ++i) {
        const double value = data[i];
        if (!std::isfinite(value)) continue;
        ++count;
        sum += value;
        squares += value * value;
        own.min = std::min(own.min, value);
        own.max = std::max(own.max, value);
        ++values.counts[std::size_t(std::clamp(int((value - range.min) / width), 0, histogramBins - 1))];
    }
    if (count == 0) return values;
    const double mean = sum / double(count);
    values.mean = mean;
    values.std = std::sqrt(std::max(0.0, squares / double(count) - mean * mean));
    values.min = own.min;
    values.max = own.max;
    return values;
}

api::SampleValues valuesOf(const at::Tensor &sample)
{
    at::Tensor x = sample.to(at::kFloat).contiguous();
    if (x.dim() == 4 && x.size(0) == 1) x = x[0]; // an image with a batch axis
    const Range range = rangeOf(x);
    api::SampleValues values;
    values.shape = sample.sizes().vec();
    values.type = dtypeName(sample.scalar_type());
    for (std::int64_t i = 0; i < x.numel(); ++i) values.notFinite += std::isfinite(x.data_ptr<float>()[i]) ? 0 : 1;
    if (!(range.min <= range.max)) return values;
    values.min = range.min;
    values.max = range.max;
    const std::int64_t axis = imageAxis(x);
    if (axis < 0) {
        values.channels.push_back(channelOf(x, range));
        return values;
    }
    for (std::int64_t c = 0; c < x.size(axis); ++c)
        values.channels.push_back(channelOf(x.select(axis, c).contiguous(), range));
    if (std::optional<Image> picture = pictureOf(x, pictureSize))
        values.picture = {picture->width, picture->height, std::move(picture->bytes)};
    return values;
}

/// The first and the last sample, then others in between, ever closer together.
std::vector<std::size_t> examinedSamples(std::size_t count)
{
    std::vector<std::size_t> order;
    std::set<std::size_t> seen;
    const auto add = [&](std::size_t i) {
        if (seen.insert(i).second) order.push_back(i);
    };
    add(0);
    add(count - 1);
    for (std::size_t parts = 2; parts / 2 < count && order.size() < mostExamined; parts *= 2)
        for (std::size_t i = 1; i < parts && order.size() < mostExamined; i += 2) add(i * (count - 1) / parts);
    for (std::size_t i = 0; i < count && order.size() < mostExamined; ++i) add(i); // left over by rounding
    return order;
}

/// "9.png" after "10.png": right for the engine, surprising when comparing with another tool.
void suspectOrder(const SampleSource &source, std::vector<api::Problem> &problems)
{
    const auto number = [](const std::string &name) -> long {
        const std::size_t at = name.find_first_of("0123456789");
        if (at == std::string::npos) return -1;
        return std::strtol(name.c_str() + at, nullptr, 10);
    };
    for (std::size_t i = 1; i < std::min(source.count(), shownNames); ++i) {
        const std::string before = source.name(i - 1, 0), now = source.name(i, 0);
        if (now.find('[') != std::string::npos) return; // entries of an array
        if (number(before) < 0 || number(now) < 0 || number(now) >= number(before)) continue;
        problems.push_back(
            {.severity = api::Severity::Info,
             .message = QL_TEXT("samples are read in byte order of their names: '%1' follows '%2'").with(now, before),
             .remedy = QL_TEXT(
                 "Another tool may read other samples first; names with leading zeros sort the same everywhere.")});
        return;
    }
}

} // namespace

/// An error as one sentence, with its file.
static Text sentenceOf(const Error &error)
{
    return error.file.empty() ? error.message : QL_TEXT("%1: %2").with(error.file, error.message);
}

api::Preview previewData(const api::PreviewRequest &request, const RunOptions &options, const JobContext &job)
{
    const ThreadScope threads(threadsFor(request.recipe.threads));
    RunState state = startRun(request.recipe, options, false);
    importStages(state, job, false);
    const Graph &graph = state.model.graph;
    const std::vector<DataInput> inputs = dataInputsOf(graph);
    const std::filesystem::path path = state.resolve(request.data.path);
    const std::vector<std::string> steps = preprocessSteps(request.data.preprocess);
    SourceOptions reading{"", std::size_t(request.data.samples), request.data.sampling == api::Sampling::First, job};
    const auto source = openSamples(path, inputs, reading);
    const std::size_t count = source->count();
    if (count == 0) throw Error(ErrorKind::BadData, QL_TEXT("there are no samples")).inFile(path.string());
    api::Preview out;
    const std::size_t sample = std::min(request.sample, count - 1), input = std::min(request.input, inputs.size() - 1);
    out.samples = count;
    out.sample = sample;
    out.name = source->name(sample, input);
    out.input = {inputs[input].name, dtypeName(inputs[input].type.dtype), toString(inputs[input].type)};
    for (std::size_t i = 0; i < std::min(count, shownNames); ++i) out.names.push_back(source->name(i, 0));
    bool isWhole = true;
    for (std::size_t k = 0; k <= steps.size() && isWhole; ++k) {
        job.checkpoint(double(k) / double(steps.size() + 1), QL_TEXT("preview"));
        const std::vector<std::string> first(steps.begin(), steps.begin() + std::ptrdiff_t(k));
        api::PreviewStage &stage = out.stages.emplace_back();
        if (k > 0) stage.step = steps[k - 1];
        try {
            reading.preprocess = join(first, "; ");
            stage.values = valuesOf(openSamples(path, inputs, reading)->load(sample, input));
        } catch (const Error &error) {
            stage.error = sentenceOf(error);
            stage.remedy = error.remedy;
            isWhole = false;
        }
    }
    if (isWhole) {
        // Exactly what a run would read
        try {
            DatasetOptions dataOptions = datasetOptions(request.data);
            dataOptions.job = job;
            const auto data = Dataset::open(path, graph, dataOptions);
            out.hash = data->contentHash();
            RangeCheck range;
            const auto end = std::chrono::steady_clock::now() + examinedTime;
            for (const std::size_t i : examinedSamples(data->size())) {
                job.checkpoint();
                const Feed feed = data->batch(i);
                if (const auto it = feed.find(inputs[input].name); it != feed.end())
                    range.add(it->second.to(at::kFloat).contiguous());
                if (i > 0 && std::chrono::steady_clock::now() > end) break;
            }
            if (inputs[input].type.dtype == at::kFloat) out.problems = range.problems();
            for (const api::Problem &problem : data->problems()) out.problems.push_back(problem);
        } catch (const Error &error) {
            out.problems.push_back({.severity = api::Severity::Error,
                                    .variable = error.variable,
                                    .message = sentenceOf(error),
                                    .remedy = error.remedy});
        }
    }
    for (const api::Problem &problem : suspectChannelOrder(steps)) out.problems.push_back(problem);
    if (std::filesystem::is_directory(path)) suspectOrder(*source, out.problems); // a manifest defines the order
    return out;
}

std::string imageOfSample(const Dataset &data, std::size_t sample)
{
    constexpr int side = 96;
    const std::optional<Image> image = data.picture(sample, side);
    return image ? base64(encodePng(*image)) : std::string();
}

} // namespace ql
