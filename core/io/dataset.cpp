#include "core/io/dataset.h"

#include "core/api/data_words.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/fingerprint.h"
#include "core/base/sha256.h"
#include "core/base/strings.h"
#include "core/exec/threads.h"
#include "core/io/image.h"
#include "core/io/sample_picture.h"
#include "core/io/sample_source.h"
#include "gpu/reduce.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/stack.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <future>
#include <map>
#include <mutex>
#include <random>
#include <thread>
#include <unordered_map>

namespace ql {

struct Dataset::Impl
{
    std::vector<DataInput> inputs;
    std::unique_ptr<SampleSource> source;
    std::unique_ptr<SampleSource> unprocessed; ///< the same files without preprocessing, once a picture was requested
    std::vector<std::size_t> chosen;           ///< indices of the used samples in the source
    std::vector<bool> whole;                   ///< per input: a sample has the full rank and is not batched
    bool allFullRank = true; ///< samples came in the full rank of their inputs, possibly with a batch axis of 1
    std::size_t batchSize = 1;
    std::vector<std::int64_t> labels;
    std::string path;

    std::mutex loading; ///< of a source that loads one sample at a time
    mutable std::mutex mutex;
    std::vector<api::Problem> problems; ///< from opening it
    std::vector<bool> examined;         ///< per batch: its problems were reported
    struct NonFinite
    {
        std::ptrdiff_t values = 0;
        std::size_t first = 0; ///< of its samples, in the order of the source
    };
    std::map<std::string, NonFinite> nonFinite; ///< by input
    /// The first batches, as many as fit. Passes read all batches in order, again and again: evicting the oldest would
    /// leave none that is requested again.
    std::unordered_map<std::size_t, Feed> kept;
    std::int64_t keptSize = 0, keptLimit = 0;
    std::atomic_bool isClosing = false;
    std::vector<std::string> sampleKeys; ///< once there is a hash
    // Last: their threads use the members above
    std::map<std::size_t, std::future<Feed>> ahead; ///< batches that are being read
    std::shared_future<std::string> hash;

    at::Tensor fitted(at::Tensor value, std::size_t sample, std::size_t input) const;
    ~Impl() { isClosing = true; }

    /// Reads all files with samples.
    std::string computeHash(const DatasetOptions &options);
    Feed load(std::size_t index);
    void readAhead(std::size_t first, std::size_t batchBytes);
    void examine(const Feed &feed, std::size_t index);
    void keep(std::size_t index, const Feed &feed);
};

bool isArrayFile(const std::filesystem::path &path)
{
    const std::string ending = lower(path.extension().string());
    return ending == ".npz" || ending == ".npy";
}

bool isSampleFile(const std::filesystem::path &path)
{
    return isArrayFile(path) || isImageName(path.filename().string()) || lower(path.extension().string()) == ".bin";
}

/// The declared shape without its first axis, as text.
static std::string entryText(const TensorType &type)
{
    TensorType entry = type;
    if (entry.shape && !entry.shape->empty()) entry.shape->erase(entry.shape->begin());
    return toString(entry);
}

static bool fits(at::IntArrayRef sizes, const std::vector<Dim> &declared, std::size_t skip)
{
    if (sizes.size() + skip != declared.size()) return false;
    for (std::size_t i = 0; i < sizes.size(); ++i)
        if (declared[i + skip].size >= 0 && declared[i + skip].size != sizes[i]) return false;
    return true;
}

/// value in the type of the input. @throws Error (BadData) if that would lose values
static at::Tensor converted(const at::Tensor &value, at::ScalarType type, const std::string &sample,
                            const std::string &input)
{
    if (type == at::ScalarType::Undefined || value.scalar_type() == type) return value.contiguous();
    if (c10::isFloatingType(type)) return value.to(type).contiguous();
    // Integers and bool: the values must not change.
    const at::Tensor out = value.to(type).contiguous();
    const at::Tensor source = value.to(at::kDouble).contiguous(), back = out.to(at::kDouble);
    const double *want = source.data_ptr<double>(), *got = back.data_ptr<double>();
    for (std::int64_t i = 0; i < source.numel(); ++i)
        if (!(want[i] == got[i]))
            throw Error(ErrorKind::BadData,
                        QL_TEXT("sample %1: the input is of type %2, but the data is %3 and contains the value %4")
                            .with(sample, dtypeName(type), dtypeName(value.scalar_type()), Text::number(want[i])),
                        {}, input)
                .withRemedy(QL_TEXT("Save the array as %1.").with(dtypeName(type)));
    return out;
}

/// Whether an image fits the declared input once width and height are swapped.
static bool isTurned(at::IntArrayRef sizes, const std::vector<Dim> &declared)
{
    constexpr std::int64_t mostColours = 4;
    std::vector<std::int64_t> sample(sizes.begin(), sizes.end());
    if (sample.size() == declared.size() && !sample.empty()) sample.erase(sample.begin());
    if (sample.size() != 3) return false;
    if (sample[2] <= mostColours)
        std::swap(sample[0], sample[1]);
    else
        std::swap(sample[1], sample[2]);
    return fits(sample, declared, 1);
}

/// "channels last (NHWC)" if a sample has the axes of the declared input in that order; otherwise empty.
static Text otherLayout(at::IntArrayRef sizes, const std::vector<Dim> &declared)
{
    std::vector<std::int64_t> sample(sizes.begin(), sizes.end());
    if (sample.size() == declared.size() && sample.size() == 4) sample.erase(sample.begin());
    if (sample.size() != 3 || declared.size() != 4) return {};
    const auto isIn = [&](std::array<std::size_t, 3> order) {
        bool isKnown = false;
        for (std::size_t i = 0; i < 3; ++i) {
            const std::int64_t want = declared[i + 1].size;
            if (want >= 0 && want != sample[order[i]]) return false;
            isKnown = isKnown || want >= 0;
        }
        return isKnown;
    };
    if (isIn({2, 0, 1})) return QL_TEXT("channels last (NHWC)");
    return isIn({1, 2, 0}) ? QL_TEXT("channels first (NCHW)") : Text();
}

/// isStack: several samples in one file of a folder.
static Error wrongShape(const DataInput &input, const std::string &sample, at::IntArrayRef sizes, bool isStack)
{
    const auto &declared = *input.type.shape;
    const Text wanted = QL_TEXT("the input expects samples of %1 (its shape is %2), but sample %3 is %4")
                            .with(entryText(input.type), toString(input.type), sample, sizesText(sizes));
    const auto error = [&](const Text &message, const Text &remedy) {
        return Error(ErrorKind::BadData, message, {}, input.name).withRemedy(remedy);
    };
    if (const Text layout = otherLayout(sizes, declared); !layout.isEmpty())
        return error(
            QL_TEXT("%1: perhaps %2").with(wanted, layout),
            QL_TEXT("Transpose the samples to the layout of the input; for images, use the step 'layout' of %1.")
                .with(Text::option("--preprocess")));
    if (isTurned(sizes, declared))
        return error(
            QL_TEXT("%1: width and height are swapped").with(wanted),
            QL_TEXT("Swap the sizes in %1: its steps take width x height.").with(Text::option("--preprocess")));
    if (isStack)
        return error(
            wanted, QL_TEXT("It holds %1 samples: give this file instead of its folder, where each file is one sample.")
                        .with(sizes[0]));
    return error(wanted, QL_TEXT("Give samples in the shape of the input, stacked along the leading axis; prepare "
                                 "images with %1 (resize, stretch, crop, layout); or fix unknown dimensions with %2.")
                             .with(Text::option("--preprocess"), Text::option("--input-shape")));
}

at::Tensor Dataset::Impl::fitted(at::Tensor value, std::size_t sample, std::size_t input) const
{
    const DataInput &target = inputs[input];
    const std::string name = "'" + source->name(sample, input) + "'";
    if (target.type.shape) {
        const auto &declared = *target.type.shape;
        const auto rank = std::int64_t(declared.size());
        const bool isStack = value.dim() == rank && rank > 0 && fits(value.sizes().slice(1), declared, 1);
        if (isStack && value.size(0) == 1) value = value.squeeze(0); // files with a single sample often keep the axis
        const bool full = fits(value.sizes(), declared, 0), entry = rank > 0 && fits(value.sizes(), declared, 1);
        if (!full && !entry) throw wrongShape(target, name, value.sizes(), isStack).inFile(path);
    }
    return converted(value, target.type.dtype, name, target.name);
}

Feed Dataset::Impl::load(std::size_t index)
{
    std::unique_lock lock(loading, std::defer_lock);
    if (!source->loadsConcurrently()) lock.lock();
    Feed feed;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        std::vector<at::Tensor> parts;
        for (std::size_t k = 0; k < batchSize; ++k) {
            const std::size_t sample = chosen[index * batchSize + k];
            parts.push_back(fitted(source->load(sample, i), sample, i));
            // If samples are whole batches of any size, 1 is one of the sizes
            if (whole[i] && parts.back().dim() + 1 == std::int64_t(inputs[i].type.shape->size()))
                parts.back() = parts.back().unsqueeze(0);
            const at::Tensor &first = parts.front(), &last = parts.back();
            const bool full = inputs[i].type.shape && last.dim() == std::int64_t(inputs[i].type.shape->size());
            if (full && !whole[i])
                throw Error(ErrorKind::BadData,
                            QL_TEXT("sample '%1' is a complete batch (%2), but the first sample is a single entry")
                                .with(source->name(sample, i), sizesText(last.sizes())),
                            {}, inputs[i].name)
                    .inFile(path)
                    .withRemedy(QL_TEXT("Save all samples in the same form: each as one entry of the batch."));
            if (last.dim() == 0 && full && !at::equal(last, first))
                throw Error(
                    ErrorKind::BadData,
                    QL_TEXT("the input takes one number per batch, but samples '%1' and '%2' of the same batch have "
                            "different numbers")
                        .with(source->name(chosen[index * batchSize], i), source->name(sample, i)),
                    {}, inputs[i].name)
                    .inFile(path)
                    .withRemedy(QL_TEXT("Use the same number for all samples of a batch."));
            if (full != whole[i] || last.sizes() != first.sizes())
                throw Error(ErrorKind::BadData,
                            QL_TEXT("samples of one batch must have the same shape; '%1' is %2, others are %3")
                                .with(source->name(sample, i), sizesText(last.sizes()), sizesText(first.sizes())),
                            {}, inputs[i].name)
                    .inFile(path);
        }
        feed[inputs[i].name] = whole[i] ? parts.front() : parts.size() == 1 ? parts[0].unsqueeze(0) : at::stack(parts);
    }
    return feed;
}

/// Starts to read the batches from first on: where a pass takes a millisecond per batch, reading takes longer. With two
/// processors one batch, as more would only delay the kernels.
void Dataset::Impl::readAhead(std::size_t first, std::size_t batchBytes)
{
    constexpr std::size_t mostBytes = std::size_t(256) << 20, mostThreads = 8;
    const std::size_t threads = std::clamp<std::size_t>(std::thread::hardware_concurrency() / 2, 1, mostThreads);
    const std::size_t count = std::clamp<std::size_t>(mostBytes / std::max<std::size_t>(batchBytes, 1), 1, threads);
    const std::size_t last = std::min(first + count, chosen.size() / batchSize);
    // Of a pass that ended early; lanes ask for batches nearly in order
    std::erase_if(ahead, [&](const auto &entry) { return entry.first + mostThreads < first || entry.first > last; });
    for (std::size_t index = first; index < last && ahead.size() < threads; ++index) {
        if (kept.contains(index) || ahead.contains(index)) continue;
        ahead[index] = std::async(std::launch::async, [this, index] {
            useThreads(1); // in parallel with the kernels
            return load(index);
        });
    }
}

void Dataset::Impl::examine(const Feed &feed, std::size_t index)
{
    if (examined[index]) return;
    examined[index] = true;
    for (const auto &[input, tensor] : feed) {
        if (tensor.scalar_type() != at::kFloat) continue;
        const float *data = tensor.data_ptr<float>();
        const std::int64_t size = tensor.numel();
        gpu::MinMax range;
        gpu::minMaxCpu(data, size, &range); // many times as fast as testing each value
        if (size == 0 || (range.nanCount == 0 && std::isfinite(range.min) && std::isfinite(range.max))) continue;
        const auto bad = std::count_if(data, data + size, [](float x) { return !std::isfinite(x); });
        const std::size_t at =
            std::size_t(std::find_if(data, data + size, [](float x) { return !std::isfinite(x); }) - data);
        const std::size_t sample = chosen[index * batchSize + at / std::size_t(size / std::int64_t(batchSize))];
        NonFinite &found = nonFinite[input];
        found.first = found.values == 0 ? sample : std::min(found.first, sample);
        found.values += bad;
    }
}

void Dataset::Impl::keep(std::size_t index, const Feed &feed)
{
    std::int64_t bytes = 0;
    for (const auto &[name, tensor] : feed) bytes += tensor.numel() * std::int64_t(tensor.element_size());
    if (keptSize + bytes > keptLimit) return;
    kept.emplace(index, feed);
    keptSize += bytes;
}

Dataset::Dataset(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
Dataset::~Dataset() = default;

/// wanted of count samples, in order. Evenly: one from each of as many parts of equal length.
static std::vector<std::size_t> choose(std::size_t count, std::size_t wanted, const DatasetOptions &options)
{
    std::vector<std::size_t> chosen;
    std::mt19937_64 random(options.seed); // the same numbers on every machine, unlike the library's distributions
    for (std::size_t i = 0; i < wanted; ++i) {
        const std::size_t begin = i * count / wanted, end = (i + 1) * count / wanted;
        chosen.push_back(options.sampling == api::Sampling::Even && wanted < count ? begin + random() % (end - begin)
                                                                                   : i);
    }
    return chosen;
}

DatasetOptions datasetOptions(const api::DataRequest &request)
{
    DatasetOptions options;
    options.preprocess = request.preprocess;
    options.samples = std::size_t(request.samples);
    const api::Recipe usual;
    options.isDefaultCount = !request.isExplicit && (request.samples == usual.calibration.samples ||
                                                     request.samples == usual.evaluation.samples);
    options.sampling = request.sampling;
    options.seed = std::uint64_t(request.seed);
    return options;
}

/// Determines from the first sample how samples become batches. @returns the batch size
static std::size_t fixBatch(Dataset::Impl &impl)
{
    std::optional<std::size_t> size;
    std::string sizeFrom, wholeName;
    for (std::size_t i = 0; i < impl.inputs.size(); ++i) {
        const DataInput &input = impl.inputs[i];
        const at::Tensor given = impl.source->load(0, i);
        const at::Tensor first = impl.fitted(given, 0, i);
        const std::int64_t rank = input.type.shape ? std::int64_t(input.type.shape->size()) : -1;
        const bool full = first.dim() == rank;
        impl.allFullRank = impl.allFullRank && (rank == 0 || given.dim() == rank);
        impl.whole.push_back(full);
        if (full) {
            if (rank > 0) wholeName = input.name; // a scalar applies to any number of samples
            continue;
        }
        const std::int64_t declared = input.type.shape ? input.type.shape->front().size : -1;
        const auto batch = std::size_t(declared < 0 ? 1 : declared);
        if (size && *size != batch)
            throw Error(ErrorKind::BadData,
                        QL_TEXT("the inputs '%1' and '%2' have different batch sizes: %3 and %4")
                            .with(sizeFrom, input.name, *size, batch),
                        {}, input.name)
                .withRemedy(QL_TEXT("Supply the unbatched input in its full shape for each sample."));
        size = batch;
        sizeFrom = input.name;
    }
    if (size && *size == 0) throw Error(ErrorKind::BadData, QL_TEXT("the model's batch size is 0"), {}, sizeFrom);
    if (size.value_or(1) > 1 && !wholeName.empty())
        throw Error(
            ErrorKind::BadData,
            QL_TEXT("input '%1' takes batches of %2 samples, but input '%3' is given in its full shape for each sample")
                .with(sizeFrom, *size, wholeName),
            {}, wholeName);
    return size.value_or(1);
}

/// The number of samples to use: a multiple of the batch size.
static std::size_t wantedSamples(Dataset::Impl &impl, const DatasetOptions &options)
{
    const std::size_t count = impl.source->count(), batch = impl.batchSize;
    if (count < batch)
        throw Error(ErrorKind::BadData,
                    QL_TEXT("the model takes batches of %1 samples, the data has only %2").with(batch, count))
            .withRemedy(QL_TEXT("Give at least one complete batch, or change the model's batch size."));
    if (options.samples == 0 || options.samples >= count) return count;
    const std::size_t whole = (options.samples + batch - 1) / batch * batch;
    if (whole == options.samples || whole > count) return options.samples;
    impl.problems.push_back({.severity = api::Severity::Info,
                             .message = QL_TEXT("the model takes batches of %1 samples: %2 are used instead of %3")
                                            .with(batch, whole, options.samples)});
    return whole;
}

std::string Dataset::Impl::computeHash(const DatasetOptions &options)
{
    const auto fingerprints = options.fingerprints ? options.fingerprints : std::make_shared<Fingerprints>();
    Sha256 digest;
    for (const std::filesystem::path &file : source->filesOf(chosen)) {
        if (isClosing) return {};
        digest.add(fingerprints->of(file));
    }
    for (const std::size_t sample : chosen) {
        if (isClosing) return {};
        std::string key = source->isOneFile() ? "[" + std::to_string(sample) + "]" : std::string();
        key += source->content();
        for (const std::filesystem::path &file : source->filesOf({sample})) key += fingerprints->of(file);
        sampleKeys.push_back(std::move(key));
    }
    digest.add(source->content() + options.preprocess + "\n");
    for (const std::size_t sample : chosen) digest.add(std::to_string(sample) + " ");
    for (const std::int64_t label : labels) digest.add(std::to_string(label) + ",");
    return digest.hex();
}

std::shared_ptr<Dataset> Dataset::open(const std::filesystem::path &path, const Graph &graph,
                                       const DatasetOptions &options)
{
    auto impl = std::make_unique<Impl>();
    impl->path = path.string();
    impl->keptLimit = options.keptBytes;
    impl->inputs = dataInputsOf(graph);
    std::size_t wanted = 0;
    try {
        impl->source =
            openSamples(path, impl->inputs,
                        {options.preprocess, options.samples, options.sampling == api::Sampling::First, options.job});
        impl->batchSize = fixBatch(*impl);
        wanted = wantedSamples(*impl, options);
        impl->chosen = choose(impl->source->count(), wanted - wanted % impl->batchSize, options);
    } catch (const std::filesystem::filesystem_error &error) {
        throw Error(ErrorKind::Io, QL_TEXT("cannot read the data: %1").with(error.code().message()))
            .inFile(path.string());
    } catch (Error &error) {
        if (error.file.empty()) error.file = path.string();
        throw;
    }
    impl->problems.insert(impl->problems.begin(), impl->source->problems.begin(), impl->source->problems.end());
    if (options.samples > impl->source->count() && !api::isGenerated(impl->path))
        impl->problems.push_back(
            options.isDefaultCount
                ? api::Problem{.severity = api::Severity::Info,
                               .message = QL_TEXT("the data has few samples (%1); up to %2 would be used")
                                              .with(impl->source->count(), options.samples)}
                : api::Problem{.severity = api::Severity::Warning,
                               .message = QL_TEXT("%1 samples were requested, but the data has only %2")
                                              .with(options.samples, impl->source->count()),
                               .remedy = QL_TEXT("Give more data, or request fewer samples.")});
    const std::size_t rest = wanted - impl->chosen.size();
    if (rest > 0)
        impl->problems.push_back(
            {.severity = api::Severity::Warning,
             .message = QL_TEXT("the last %1 of %2 samples do not fill a batch of %3 and are not used")
                            .with(rest, wanted, impl->batchSize),
             .remedy = QL_TEXT("Use a multiple of the model's batch size.")});
    impl->examined.resize(impl->chosen.size() / impl->batchSize);
    if (!impl->source->labels.empty()) {
        std::size_t missing = 0;
        std::string firstMissing;
        for (const std::size_t sample : impl->chosen) {
            const auto label = impl->source->labels[sample];
            impl->labels.push_back(label.value_or(-1));
            if (!label && missing++ == 0) firstMissing = impl->source->name(sample, 0);
        }
        if (missing > 0) {
            impl->labels.clear();
            impl->problems.push_back(
                {.severity = api::Severity::Warning,
                 .message = QL_TEXT("%1 of %2 samples have no label, so accuracy is not computed")
                                .with(missing, impl->chosen.size()),
                 .remedy = QL_TEXT("Label every sample that is used: with a line such as \"%1 3\" in labels.txt, or "
                                   "'label' in a manifest.")
                               .with(firstMissing)});
        }
        // File names often start with the class
        const auto isFirst = [&](const auto &label) { return label == impl->labels.front(); };
        const auto &all = impl->source->labels;
        if (impl->labels.size() > 1 && std::all_of(impl->labels.begin(), impl->labels.end(), isFirst) &&
            !std::all_of(all.begin(), all.end(), isFirst))
            impl->problems.push_back({.severity = api::Severity::Warning,
                                      .message = QL_TEXT("all %1 samples that are used are of class %2")
                                                     .with(impl->labels.size(), impl->labels.front()),
                                      .remedy = QL_TEXT("Use more samples, draw them evenly (%1), or list the ones to "
                                                        "use in a manifest (docs/recipe.md).")
                                                    .with(Text::option("--sampling even"))});
    }
    impl->hash = std::async(std::launch::async, [&impl = *impl, options] { return impl.computeHash(options); }).share();
    return std::make_shared<Dataset>(std::move(impl));
}

std::size_t Dataset::size() const
{
    return m_impl->chosen.size() / m_impl->batchSize;
}
std::optional<Image> Dataset::picture(std::size_t sample, int side) const
{
    Impl &impl = *m_impl;
    if (sample >= impl.chosen.size()) return std::nullopt;
    const std::lock_guard lock(impl.loading);
    try {
        const bool areFiles = impl.source->content().empty();
        if (areFiles && !impl.unprocessed) impl.unprocessed = openSamples(impl.path, impl.inputs, {});
        SampleSource &source = areFiles ? *impl.unprocessed : *impl.source;
        for (std::size_t input = 0; input < impl.inputs.size(); ++input)
            if (auto picture = pictureOf(source.load(impl.chosen[sample], input), side)) return picture;
    } catch (const Error &) { // removed since
    }
    return std::nullopt;
}

bool Dataset::samplesHaveFullRank() const
{
    return m_impl->allFullRank;
}

bool Dataset::isOneFeed() const
{
    return m_impl->source->isOneFeed();
}

std::size_t Dataset::batchSize() const
{
    return m_impl->batchSize;
}
std::size_t Dataset::sampleCount() const
{
    return m_impl->chosen.size();
}
const std::vector<std::int64_t> &Dataset::labels() const
{
    return m_impl->labels;
}
const std::string &Dataset::contentHash() const
{
    return m_impl->hash.get();
}
std::vector<std::string> Dataset::sampleKeys() const
{
    m_impl->hash.wait();
    return m_impl->sampleKeys;
}

std::vector<std::string> Dataset::valueKeys() const
{
    std::vector<std::string> keys;
    const auto count = std::int64_t(batchSize());
    for (std::size_t i = 0; i < size(); ++i) {
        std::vector<at::Tensor> inputs;
        for (const auto &[name, tensor] : batch(i)) inputs.push_back(tensor.contiguous());
        for (std::int64_t sample = 0; sample < count; ++sample) {
            std::vector<std::string_view> bytes;
            for (const at::Tensor &input : inputs) {
                const bool isBatched = count > 1 && input.dim() > 0 && input.size(0) == count;
                const std::size_t size = isBatched ? input.nbytes() / std::size_t(count) : input.nbytes();
                const auto *begin = static_cast<const char *>(input.data_ptr());
                bytes.emplace_back(begin + (isBatched ? std::size_t(sample) * size : 0), size);
            }
            keys.push_back(fingerprintOf(bytes));
        }
    }
    return keys;
}

std::vector<api::Problem> Dataset::problems() const
{
    std::vector<api::Problem> problems = openingProblems();
    const std::vector<api::Problem> values = valueProblems();
    problems.insert(problems.end(), values.begin(), values.end());
    return problems;
}

const std::vector<api::Problem> &Dataset::openingProblems() const
{
    return m_impl->problems;
}

std::vector<api::Problem> Dataset::valueProblems() const
{
    const std::lock_guard lock(m_impl->mutex);
    std::vector<api::Problem> problems;
    for (const auto &[input, found] : m_impl->nonFinite)
        problems.push_back({.severity = api::Severity::Warning,
                            .variable = input,
                            .message = QL_TEXT("NaN or infinite values in the data: %1, first in sample '%2'")
                                           .with(found.values, m_impl->source->name(found.first, 0)),
                            .remedy = QL_TEXT("Remove such samples: results that depend on them are undefined.")});
    return problems;
}

std::size_t Dataset::examinedBatches() const
{
    const std::lock_guard lock(m_impl->mutex);
    return std::size_t(std::count(m_impl->examined.begin(), m_impl->examined.end(), true));
}

std::string Dataset::name(std::size_t index) const
{
    constexpr std::size_t most = 8;
    std::vector<std::string> names;
    for (std::size_t k = 0; k < std::min(most, m_impl->batchSize); ++k)
        names.push_back(m_impl->source->name(m_impl->chosen[index * m_impl->batchSize + k], 0));
    return join(names, ", ") + (m_impl->batchSize > most ? " ..." : "");
}

Feed Dataset::batch(std::size_t index) const
{
    Impl &impl = *m_impl;
    const std::lock_guard lock(impl.mutex);
    Feed feed;
    if (const auto at = impl.kept.find(index); at != impl.kept.end()) {
        feed = at->second;
    } else {
        const auto started = impl.ahead.find(index);
        feed = started == impl.ahead.end() ? impl.load(index) : impl.ahead.extract(started).mapped().get();
        impl.examine(feed, index);
        impl.keep(index, feed);
    }
    if (impl.source->loadsConcurrently()) impl.readAhead(index + 1, bytesOf(feed));
    return feed;
}

} // namespace ql
