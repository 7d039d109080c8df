#include "core/session/data_preview.h"

#include "core/api/text_json.h"
#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/exec/threads.h"
#include "core/io/dataset.h"
#include "core/io/sample_source.h"
#include "core/session/data_checks.h"
#include "core/session/prepare.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

namespace ql {

using nlohmann::json;

namespace {

constexpr std::size_t shownNames = 200;
/// Maximum number of samples, and time, for warnings about values.
constexpr std::size_t mostExamined = 256;
constexpr std::chrono::milliseconds examinedTime(700);

/// The sample as 8-bit colours, reduced by nearest pixels. Values from 0 to 255 or to 1 keep their brightness; others
/// are stretched between minimum and maximum.
json imageOf(const at::Tensor &sample, std::int64_t axis, int longerSide, const Range &range)
{
    const at::Tensor x = axis == 0 ? sample : sample.permute({2, 0, 1}).contiguous();
    const std::int64_t channels = x.size(0), height = x.size(1), width = x.size(2);
    const double shrink = std::max(1.0, double(std::max(height, width)) / double(longerSide));
    const auto w = std::max<std::int64_t>(1, std::int64_t(double(width) / shrink));
    const auto h = std::max<std::int64_t>(1, std::int64_t(double(height) / shrink));
    double low = 0, high = 255;
    if (range.min < -1e-3 || range.max > 255.5) {
        low = range.min;
        high = range.max;
    } else if (range.max <= 1.0001) {
        high = 1;
    }
    if (!(low < high)) high = low + 1;
    std::vector<std::uint8_t> rgb(std::size_t(w * h * 3));
    const float *data = x.data_ptr<float>();
    for (std::int64_t row = 0; row < h; ++row)
        for (std::int64_t column = 0; column < w; ++column)
            for (std::int64_t c = 0; c < 3; ++c) {
                const std::int64_t y = std::min(height - 1, std::int64_t((double(row) + 0.5) * shrink));
                const std::int64_t z = std::min(width - 1, std::int64_t((double(column) + 0.5) * shrink));
                const double value = data[((channels == 3 ? c : 0) * height + y) * width + z];
                const double level = std::isfinite(value) ? (value - low) / (high - low) : 0;
                rgb[std::size_t((row * w + column) * 3 + c)] =
                    std::uint8_t(std::lround(std::clamp(level, 0.0, 1.0) * 255));
            }
    return {{"width", w}, {"height", h}, {"rgb", json::binary(std::move(rgb))}};
}

json channelOf(const at::Tensor &x, const Range &range, int bins)
{
    const float *data = x.data_ptr<float>();
    double sum = 0, squares = 0;
    std::int64_t count = 0;
    Range own;
    std::vector<std::int64_t> counts(std::size_t(bins), 0);
    const double width = range.max > range.min ? (range.max - range.min) / bins : 1;
    for (std::int64_t i = 0; i < x.numel(); ++i) {
        const double value = data[i];
        if (!std::isfinite(value)) continue;
        ++count;
        sum += value;
        squares += value * value;
        own.min = std::min(own.min, value);
        own.max = std::max(own.max, value);
        ++counts[std::size_t(std::clamp(int((value - range.min) / width), 0, bins - 1))];
    }
    if (count == 0)
        return {{"mean", nullptr}, {"std", nullptr}, {"min", nullptr}, {"max", nullptr}, {"counts", counts}};
    const double mean = sum / double(count);
    return {{"mean", mean},
            {"std", std::sqrt(std::max(0.0, squares / double(count) - mean * mean))},
            {"min", own.min},
            {"max", own.max},
            {"counts", counts}};
}

json stageOf(const std::string &step, const at::Tensor &sample, const PreviewRequest &request)
{
    at::Tensor x = sample.to(at::kFloat).contiguous();
    if (x.dim() == 4 && x.size(0) == 1) x = x[0]; // an image with a batch axis
    const Range range = rangeOf(x);
    json shape = json::array();
    for (const std::int64_t size : sample.sizes()) shape.push_back(size);
    json stage = {{"step", step}, {"shape", shape}, {"type", dtypeName(sample.scalar_type())}};
    std::int64_t bad = 0;
    for (std::int64_t i = 0; i < x.numel(); ++i) bad += std::isfinite(x.data_ptr<float>()[i]) ? 0 : 1;
    stage["not_finite"] = bad;
    stage["channels"] = json::array();
    if (!(range.min <= range.max)) return stage;
    stage["min"] = range.min;
    stage["max"] = range.max;
    const std::int64_t axis = imageAxis(x);
    if (axis < 0) {
        stage["channels"].push_back(channelOf(x, range, request.bins));
        return stage;
    }
    for (std::int64_t c = 0; c < x.size(axis); ++c)
        stage["channels"].push_back(channelOf(x.select(axis, c).contiguous(), range, request.bins));
    stage["picture"] = imageOf(x, axis, request.pictureSize, range);
    return stage;
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
void suspectOrder(const SampleSource &source, json &problems)
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
        problems.push_back(api::toJson(api::Problem{
            .severity = "info",
            .message = QL_TEXT("samples are read in byte order of their names: '%1' follows '%2'").with(now, before),
            .remedy = QL_TEXT(
                "Another tool may read other samples first; names with leading zeros sort the same everywhere.")}));
        return;
    }
}

} // namespace

json previewData(const api::Recipe &recipe, const PreviewRequest &request, const RunOptions &options,
                 const JobContext &job)
{
    const ThreadScope threads(threadsFor(recipe.threads));
    RunState state = startRun(recipe, options, false);
    importStages(state, job, false);
    const Graph &graph = state.model.graph;
    std::vector<DataInput> inputs;
    for (const VarId id : graph.inputs()) inputs.push_back({graph.variable(id).name, graph.variable(id).type});
    const std::filesystem::path path = state.resolve(request.data.path);
    const std::vector<std::string> steps = preprocessSteps(request.data.preprocess);
    json problems = json::array(), stages = json::array(), names = json::array();
    const auto source = openSamples(path, inputs, "");
    const std::size_t count = source->count();
    if (count == 0) throw Error(ErrorKind::BadData, QL_TEXT("there are no samples")).inFile(path.string());
    const std::size_t sample = std::min(request.sample, count - 1), input = std::min(request.input, inputs.size() - 1);
    for (std::size_t i = 0; i < std::min(count, shownNames); ++i) names.push_back(source->name(i, 0));
    bool isWhole = true;
    for (std::size_t k = 0; k <= steps.size() && isWhole; ++k) {
        job.checkpoint(double(k) / double(steps.size() + 1), QL_TEXT("preview"));
        const std::string step = k == 0 ? "" : steps[k - 1];
        const std::vector<std::string> first(steps.begin(), steps.begin() + std::ptrdiff_t(k));
        try {
            stages.push_back(stageOf(step, openSamples(path, inputs, join(first, "; "))->load(sample, input), request));
        } catch (const Error &error) {
            json stage = {{"step", step}};
            api::putText(stage, "error",
                         error.file.empty() ? error.message : QL_TEXT("%1: %2").with(error.file, error.message));
            api::putText(stage, "remedy", error.remedy);
            stages.push_back(std::move(stage));
            isWhole = false;
        }
    }
    json out = {{"samples", count},
                {"sample", sample},
                {"name", source->name(sample, input)},
                {"names", names},
                {"stages", std::move(stages)}};
    out["input"] = {{"name", inputs[input].name},
                    {"type", dtypeName(inputs[input].type.dtype)},
                    {"shape", toString(inputs[input].type)}};
    if (isWhole) {
        // Exactly what a run would read
        try {
            const auto data = Dataset::open(path, graph, datasetOptions(request.data));
            out["hash"] = data->contentHash();
            RangeCheck range;
            const auto end = std::chrono::steady_clock::now() + examinedTime;
            for (const std::size_t i : examinedSamples(data->size())) {
                job.checkpoint();
                const Feed feed = data->batch(i);
                if (const auto it = feed.find(inputs[input].name); it != feed.end())
                    range.add(it->second.to(at::kFloat).contiguous());
                if (i > 0 && std::chrono::steady_clock::now() > end) break;
            }
            if (inputs[input].type.dtype == at::kFloat)
                for (const api::Problem &problem : range.problems()) problems.push_back(api::toJson(problem));
            for (const api::Problem &problem : data->problems()) problems.push_back(api::toJson(problem));
        } catch (const Error &error) {
            const Text message = error.file.empty() ? error.message : QL_TEXT("%1: %2").with(error.file, error.message);
            problems.push_back(api::toJson(api::Problem{
                .severity = "error", .variable = error.variable, .message = message, .remedy = error.remedy}));
        }
    }
    for (const api::Problem &problem : suspectChannelOrder(steps)) problems.push_back(api::toJson(problem));
    if (std::filesystem::is_directory(path)) suspectOrder(*source, problems); // a manifest defines the order
    out["problems"] = std::move(problems);
    return out;
}

} // namespace ql
