// Mean intersection over union of a segmentation. Labels: a folder of masks, grey images of class numbers with the
// names of the samples.
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strings.h"
#include "core/io/image.h"
#include "core/io/placement.h"
#include "core/metric/metric.h"

#include <ATen/ops/argmax.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace ql {

namespace {

namespace fs = std::filesystem;

constexpr std::uint8_t ignored = 255;

struct MaskLabels
{
    std::map<std::string, fs::path> files; ///< by stem
    std::string preprocess;
    std::array<std::uint8_t, 256> classOf{}; ///< by value of the mask
    double threshold = 0.5;                  ///< of an output with one channel
};

/// The class of each pixel of an input of width x height; outside the image: ignored.
std::vector<std::uint8_t> placedMask(const MaskLabels &labels, const fs::path &file, int width, int height)
{
    const Image mask = decodeNumbers(readFile(file), file.string());
    const Placement place = placementOf(labels.preprocess, mask.width, mask.height);
    const int left = int(place.left), top = int(place.top);
    std::vector<std::uint8_t> classes(std::size_t(width) * std::size_t(height), ignored);
    const double stepX = double(place.width) / width, stepY = double(place.height) / height; // of a smaller output
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const double inX = (x + 0.5) * stepX - left, inY = (y + 0.5) * stepY - top;
            if (inX < 0 || inY < 0 || inX >= place.shownWidth || inY >= place.shownHeight) continue;
            const int fromX = std::min(mask.width - 1, int(inX * mask.width / place.shownWidth));
            const int fromY = std::min(mask.height - 1, int(inY * mask.height / place.shownHeight));
            const std::uint8_t value = mask.bytes[std::size_t(fromY) * std::size_t(mask.width) + std::size_t(fromX)];
            classes[std::size_t(y) * std::size_t(width) + std::size_t(x)] = labels.classOf[value];
        }
    return classes;
}

/// Of scores [N, classes, H, W] or [N, H, W, classes]: the other two axes have the proportions of the input. There may
/// be more classes than pixels in a row.
std::int64_t axisOfMaskScores(const at::Tensor &output, const ImageSize &input)
{
    if (output.dim() != 4) return -1;
    const double wanted = input.width > 0 ? double(input.height) / double(input.width) : 1;
    /// How many times as high or wide an image of these axes is.
    const auto error = [&](std::int64_t rows, std::int64_t columns) {
        return std::abs(std::log(double(output.size(rows)) / double(output.size(columns)) / wanted));
    };
    const double first = error(2, 3), last = error(1, 2);
    const bool isFirst = first == 0, isLast = last == 0;
    if (input.width > 0 ? first != last : isFirst != isLast) return first < last ? 1 : 3;
    return output.size(1) <= output.size(3) ? 1 : 3;
}

class MaskMetric final : public OutputMetric
{
public:
    explicit MaskMetric(std::shared_ptr<const MaskLabels> labels) : m_labels(std::move(labels)) {}

    void add(const std::vector<at::Tensor> &outputs, const Feed &feed, const std::vector<std::string> &names) override
    {
        const at::Tensor said = classesOf(outputs.at(0), imageSizeOf(feed));
        if (said.size(0) != std::int64_t(names.size()))
            throw Error(ErrorKind::BadData,
                        QL_TEXT("the first output has %1 images for %2 samples").with(said.size(0), names.size()));
        for (std::size_t i = 0; i < names.size(); ++i) {
            const auto file = m_labels->files.find(stemOf(names[i]));
            if (file == m_labels->files.end()) continue;
            const int height = int(said.size(1)), width = int(said.size(2));
            const std::vector<std::uint8_t> want = placedMask(*m_labels, file->second, width, height);
            const std::int64_t *const got = said.data_ptr<std::int64_t>() + std::int64_t(i) * height * width;
            for (std::size_t p = 0; p < want.size(); ++p) {
                if (want[p] == ignored) continue;
                const std::int64_t found = std::clamp<std::int64_t>(got[p], 0, 254);
                ++m_either[want[p]];
                if (found == want[p])
                    ++m_both[want[p]];
                else
                    ++m_either[std::size_t(found)];
            }
            ++m_samples;
        }
    }
    std::optional<double> value() const override
    {
        double sum = 0, present = 0;
        for (std::size_t c = 0; c < m_either.size(); ++c) {
            if (m_either[c] == 0) continue;
            sum += double(m_both[c]) / double(m_either[c]);
            ++present;
        }
        return m_samples > 0 && present > 0 ? std::optional(sum / present) : std::nullopt;
    }
    std::int64_t samples() const override { return m_samples; }

private:
    /// [N, H, W]: of scores the class with the largest one; of one channel the class numbers, or 1 where its values are
    /// larger than the threshold.
    at::Tensor classesOf(const at::Tensor &output, const ImageSize &input) const
    {
        if (output.dim() != 3 && output.dim() != 4)
            throw Error(ErrorKind::BadData, QL_TEXT("the first output must be an image of class scores or classes"));
        const std::int64_t axis = output.dim() == 4 ? axisOfMaskScores(output, input) : -1;
        if (axis > 0 && output.size(axis) > 1) return at::argmax(output, axis).contiguous();
        const at::Tensor only = axis > 0 ? output.squeeze(axis) : output;
        return (areIntegers(only) ? only : only.gt(m_labels->threshold)).to(at::kLong).contiguous();
    }

    std::shared_ptr<const MaskLabels> m_labels;
    std::array<std::int64_t, 256> m_both{}, m_either{};
    std::int64_t m_samples = 0;
};

std::function<std::unique_ptr<OutputMetric>()> openMasks(const MetricInput &input)
{
    auto labels = std::make_shared<MaskLabels>();
    if (!fs::is_directory(input.labels))
        throw Error(ErrorKind::BadData, QL_TEXT("expected a folder of masks")).inFile(input.labels.string());
    for (const fs::directory_entry &entry : fs::directory_iterator(input.labels))
        labels->files.emplace(entry.path().stem().string(), entry.path());
    labels->preprocess = input.preprocess;
    labels->threshold = input.params.at("threshold");
    const auto classes = input.params.at("classes").get<std::string>();
    const std::uint8_t other = input.params.at("other") == "ignored" ? ignored : std::uint8_t(0);
    for (std::size_t value = 0; value < labels->classOf.size(); ++value)
        labels->classOf[value] = classes.empty() ? std::uint8_t(value) : other;
    labels->classOf[ignored] = ignored;
    std::uint8_t number = 0;
    if (!classes.empty())
        for (const std::string &value : split(classes, ',')) {
            const int known = std::atoi(value.c_str());
            if (known >= 0 && known < ignored) labels->classOf[std::size_t(known)] = number;
            ++number;
        }
    return [labels] { return std::make_unique<MaskMetric>(labels); };
}

const MetricRegistrar miouRegistrar{
    "miou",
    {.info = {.id = "miou",
              .title = QL_TEXT("Mean IoU"),
              .meaning = QL_TEXT("Intersection over union of a segmentation, mean over the classes that occur. Labels: "
                                 "a folder of masks, grey images of class numbers; 255 is ignored."),
              .params = {{.name = "classes",
                          .type = "string",
                          .fallback = "",
                          .meaning = QL_TEXT("The value in masks of each class of the model, in their order: 0,5,2. "
                                             "Empty: the same numbers.")},
                         {.name = "other",
                          .type = "enum",
                          .fallback = "background",
                          .meaning = QL_TEXT("What other values mean: the first class, or pixels that are ignored."),
                          .choices = {"background", "ignored"}},
                         {.name = "threshold",
                          .type = "float",
                          .fallback = 0.5,
                          .meaning = QL_TEXT("Of an output with one channel that has no class numbers: larger values "
                                             "are class 1. For scores before a Sigmoid it is 0.")}}},
     .open = openMasks,
     .classAxis = axisOfMaskScores}};

} // namespace

} // namespace ql
