#include "core/metric/detection.h"

#include "core/base/error.h"
#include "core/metric/metric.h"

#include <ATen/ops/cat.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

namespace ql {

double overlapOf(const Box &a, const Box &b)
{
    const double width = std::min(a[2], b[2]) - std::max(a[0], b[0]);
    const double height = std::min(a[3], b[3]) - std::max(a[1], b[1]);
    if (!(width > 0 && height > 0)) return 0;
    const double both = width * height;
    const auto area = [](const Box &box) { return (box[2] - box[0]) * (box[3] - box[1]); };
    return both / std::max(area(a) + area(b) - both, 1e-9);
}

namespace {

/// Boxes of a sample with their scores by class, before suppression.
struct Candidates
{
    std::vector<Box> boxes;
    std::vector<std::vector<float>> scores;
};

/// isNamed: by the parameter head.
Error unknownHead(const std::vector<at::Tensor> &outputs, bool isNamed = false)
{
    std::vector<Text> shapes;
    for (const at::Tensor &output : outputs) {
        std::vector<std::string> sizes;
        for (const std::int64_t size : output.sizes()) sizes.push_back(std::to_string(size));
        shapes.push_back(Text(QL_TEXT("[%1]").with(Text::list(sizes))));
    }
    if (isNamed)
        return Error(ErrorKind::BadData,
                     QL_TEXT("the outputs %1 are not those of the detector that the parameter head of the metric names")
                         .with(Text::list(shapes)))
            .withRemedy(QL_TEXT("Without it, known detectors are recognized by the shapes of their outputs."));
    return Error(ErrorKind::BadData,
                 QL_TEXT("the outputs %1 do not look like those of a known detector").with(Text::list(shapes)))
        .withRemedy(QL_TEXT("Name it with the parameter head: yolox, yolo, yolov8, ssd or nms."));
}

const float *dataOf(const at::Tensor &tensor)
{
    return tensor.data_ptr<float>();
}

DetectionHead headOf(const std::vector<at::Tensor> &outputs, std::int64_t cells)
{
    const at::Tensor &first = outputs.front();
    for (const at::Tensor &output : outputs)
        if (outputs.size() >= 2 && output.dim() == 3 && output.size(2) == 4) return DetectionHead::Ssd;
    const std::int64_t last = first.size(first.dim() - 1);
    // A detector of one class, or two, has as many columns as objects after suppression, but a row for each cell, or
    // each anchor of it
    constexpr std::int64_t anchors = 3;
    const bool hasCells = first.dim() == 3 && last > 5 && (first.size(1) == cells || first.size(1) == anchors * cells);
    if (!hasCells) {
        if (last == 7 || last == 6) return DetectionHead::Nms;
        if (first.dim() == 3 && first.size(1) < first.size(2) && first.size(1) > 4) return DetectionHead::Yolov8;
        if (first.dim() != 3 || last <= 5) throw unknownHead(outputs);
    }
    // Offsets within cells are small; sizes in pixels are not
    double sum = 0;
    const std::int64_t rows = first.size(0) * first.size(1);
    for (std::int64_t row = 0; row < rows; ++row) sum += std::abs(double(dataOf(first)[row * last + 2]));
    return first.size(1) == cells && sum / double(std::max<std::int64_t>(1, rows)) < 8 ? DetectionHead::Yolox
                                                                                       : DetectionHead::Yolo;
}

Box aroundCentre(double x, double y, double width, double height)
{
    return {x - width / 2, y - height / 2, x + width / 2, y + height / 2};
}

Candidates yoloRows(const float *rows, std::int64_t count, std::int64_t size, int width, int height,
                    const HeadOptions &options, bool isRaw)
{
    Candidates found;
    std::vector<std::array<double, 3>> cells; // x, y, stride
    if (isRaw)
        for (const int stride : options.strides)
            for (int y = 0; y < height / stride; ++y)
                for (int x = 0; x < width / stride; ++x) cells.push_back({double(x), double(y), double(stride)});
    if (isRaw && std::int64_t(cells.size()) != count)
        throw Error(ErrorKind::BadData,
                    QL_TEXT("the output has %1 boxes, the strides give %2 cells").with(count, cells.size()))
            .withRemedy(QL_TEXT("Set the parameter strides of the metric."));
    for (std::int64_t i = 0; i < count; ++i) {
        const float *const row = rows + i * size;
        Box box;
        if (isRaw) {
            const auto &[x, y, stride] = cells[std::size_t(i)];
            box = aroundCentre((row[0] + x) * stride, (row[1] + y) * stride, std::exp(double(row[2])) * stride,
                               std::exp(double(row[3])) * stride);
        } else {
            box = aroundCentre(row[0], row[1], row[2], row[3]);
        }
        found.boxes.push_back(box);
        std::vector<float> &scores = found.scores.emplace_back();
        for (std::int64_t c = 5; c < size; ++c) scores.push_back(row[4] * row[c]);
    }
    return found;
}

Candidates yolov8Columns(const float *data, std::int64_t size, std::int64_t count)
{
    Candidates found;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto at = [&](std::int64_t row) { return data[row * count + i]; };
        found.boxes.push_back(aroundCentre(at(0), at(1), at(2), at(3)));
        std::vector<float> &scores = found.scores.emplace_back();
        for (std::int64_t c = 4; c < size; ++c) scores.push_back(at(c));
    }
    return found;
}

Candidates ssdRows(const std::vector<at::Tensor> &outputs, std::int64_t sample, int width, int height)
{
    const auto isBoxes = [](const at::Tensor &t) { return t.dim() == 3 && t.size(2) == 4; };
    const auto boxes = std::find_if(outputs.begin(), outputs.end(), isBoxes);
    const auto scores = std::find_if(outputs.begin(), outputs.end(), [&](const at::Tensor &t) {
        return t.dim() == 3 && !isBoxes(t) && boxes != outputs.end() && t.size(1) == boxes->size(1);
    });
    if (boxes == outputs.end() || scores == outputs.end()) throw unknownHead(outputs);
    Candidates found;
    const std::int64_t count = boxes->size(1), classes = scores->size(2);
    for (std::int64_t i = 0; i < count; ++i) {
        const float *const box = dataOf(*boxes) + (sample * count + i) * 4;
        found.boxes.push_back({box[0] * width, box[1] * height, box[2] * width, box[3] * height});
        const float *const row = dataOf(*scores) + (sample * count + i) * classes;
        found.scores.emplace_back(row + 1, row + classes); // without the background
    }
    return found;
}

/// Per class, the best ones first, without those that overlap a better one.
std::vector<Detection> suppressed(const Candidates &candidates, const HeadOptions &options)
{
    std::vector<Detection> found;
    const std::size_t classes = candidates.scores.empty() ? 0 : candidates.scores.front().size();
    for (std::size_t c = 0; c < classes; ++c) {
        std::vector<std::size_t> rows;
        for (std::size_t i = 0; i < candidates.boxes.size(); ++i)
            if (candidates.scores[i][c] > options.least) rows.push_back(i);
        std::stable_sort(rows.begin(), rows.end(),
                         [&](auto a, auto b) { return candidates.scores[a][c] > candidates.scores[b][c]; });
        std::vector<std::size_t> kept;
        for (const std::size_t row : rows) {
            const bool isSame = std::any_of(kept.begin(), kept.end(), [&](std::size_t other) {
                return overlapOf(candidates.boxes[row], candidates.boxes[other]) >= options.same;
            });
            if (isSame) continue;
            kept.push_back(row);
            found.push_back({std::int64_t(c), candidates.scores[row][c], candidates.boxes[row]});
        }
    }
    return found;
}

/// Rows after suppression inside the network: image, class, score, corners; or corners, score, class. Corners up to 2
/// are parts of the input.
std::vector<std::vector<Detection>> finishedRows(const at::Tensor &output, int width, int height, std::size_t samples)
{
    const std::int64_t size = output.size(output.dim() - 1), rows = output.numel() / size;
    std::vector<std::vector<Detection>> found(samples);
    float largest = 0;
    const std::int64_t first = size == 7 ? 3 : 0;
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t c = 0; c < 4; ++c) largest = std::max(largest, dataOf(output)[i * size + first + c]);
    const bool isRelative = largest <= 2;
    const std::int64_t perSample = std::max<std::int64_t>(1, rows / std::int64_t(samples));
    for (std::int64_t i = 0; i < rows; ++i) {
        const float *const row = dataOf(output) + i * size;
        const std::int64_t image = size == 7 ? std::int64_t(row[0]) : i / perSample;
        if (image < 0 || image >= std::int64_t(samples)) continue; // padding
        Detection one;
        one.score = size == 7 ? row[2] : row[4];
        one.label = std::int64_t(size == 7 ? row[1] - 1 : row[5]); // class 0 is the background
        for (std::size_t c = 0; c < 4; ++c)
            one.box[c] = double(row[std::size_t(first) + c]) * (!isRelative ? 1 : c % 2 == 0 ? width : height);
        if (one.score > 0 && one.label >= 0) found[std::size_t(image)].push_back(one);
    }
    return found;
}

/// Objects after suppression in several outputs.
struct FinishedOutputs
{
    at::Tensor boxes, scores, classes;
    at::Tensor counts; ///< of the rows that are used, by sample; undefined: all
};

/// Boxes [samples, rows, 4] with scores and classes [samples, rows], of a single sample also without the first axis.
std::optional<FinishedOutputs> finishedOutputs(const std::vector<at::Tensor> &outputs, std::int64_t samples)
{
    FinishedOutputs found;
    for (const at::Tensor &output : outputs)
        if (output.defined() && (output.dim() == 3 || output.dim() == 2) && output.size(output.dim() - 1) == 4 &&
            at::isFloatingType(output.scalar_type()) && output.numel() % (4 * samples) == 0)
            found.boxes = output;
    if (!found.boxes.defined()) return std::nullopt;
    std::vector<at::Tensor> columns;
    for (const at::Tensor &output : outputs) {
        if (!output.defined()) continue;
        if (output.dim() == found.boxes.dim() - 1 && output.numel() * 4 == found.boxes.numel())
            columns.push_back(output);
        else if (output.numel() == samples && areIntegers(output))
            found.counts = output.to(at::kLong).contiguous();
    }
    if (columns.size() != 2) return std::nullopt;
    const bool isFirst = areIntegers(columns[0]) && !areIntegers(columns[1]); // classes may be floats, too
    found.classes = columns[isFirst ? 0 : 1].to(at::kFloat).contiguous();
    found.scores = columns[isFirst ? 1 : 0].to(at::kFloat).contiguous();
    found.boxes = found.boxes.to(at::kFloat).contiguous();
    return found;
}

/// As rows of corners, score and class.
at::Tensor rowsOf(const FinishedOutputs &outputs, std::int64_t samples)
{
    const at::Tensor boxes = outputs.boxes.reshape({samples, -1, 4});
    at::Tensor scores = outputs.scores.reshape({samples, -1, 1}).clone();
    if (outputs.counts.defined())
        for (std::int64_t i = 0; i < samples; ++i) {
            const std::int64_t used =
                std::clamp<std::int64_t>(outputs.counts.data_ptr<std::int64_t>()[i], 0, boxes.size(1));
            scores[i].slice(0, used).zero_();
        }
    return at::cat({boxes, scores, outputs.classes.reshape({samples, -1, 1})}, 2).contiguous();
}

} // namespace

std::vector<std::vector<Detection>> detectionsIn(const std::vector<at::Tensor> &given, int width, int height,
                                                 std::size_t samples, const HeadOptions &options)
{
    std::vector<at::Tensor> outputs;
    for (const at::Tensor &output : given)
        if (output.defined() && output.dim() > 0 && at::isFloatingType(output.scalar_type()))
            outputs.push_back(output.to(at::kFloat).contiguous());
    const bool isNamed = options.head != DetectionHead::Auto;
    if (outputs.empty()) throw unknownHead(given, isNamed);
    if (options.head == DetectionHead::Auto || options.head == DetectionHead::Nms)
        if (const auto finished = finishedOutputs(given, std::int64_t(samples)))
            return finishedRows(rowsOf(*finished, std::int64_t(samples)), width, height, samples);
    std::int64_t cells = 0;
    for (const int stride : options.strides) cells += std::int64_t(width / stride) * (height / stride);
    const DetectionHead head = options.head == DetectionHead::Auto ? headOf(outputs, cells) : options.head;
    const at::Tensor &first = outputs.front();
    if (head == DetectionHead::Nms) {
        if (first.size(first.dim() - 1) < 6) throw unknownHead(outputs, isNamed);
        return finishedRows(first, width, height, samples);
    }
    if (first.dim() != 3 || first.size(0) != std::int64_t(samples)) throw unknownHead(outputs, isNamed);
    std::vector<std::vector<Detection>> found;
    for (std::size_t i = 0; i < samples; ++i) {
        const float *const data = dataOf(first) + std::int64_t(i) * first.size(1) * first.size(2);
        Candidates candidates;
        if (head == DetectionHead::Ssd)
            candidates = ssdRows(outputs, std::int64_t(i), width, height);
        else if (head == DetectionHead::Yolov8)
            candidates = yolov8Columns(data, first.size(1), first.size(2));
        else
            candidates =
                yoloRows(data, first.size(1), first.size(2), width, height, options, head == DetectionHead::Yolox);
        found.push_back(suppressed(candidates, options));
    }
    return found;
}

AveragePrecision::AveragePrecision(std::vector<double> thresholds) : m_thresholds(std::move(thresholds)) {}

/// The part of box that is in crowd.
static double shareIn(const Box &crowd, const Box &box)
{
    const double width = std::min(crowd[2], box[2]) - std::max(crowd[0], box[0]);
    const double height = std::min(crowd[3], box[3]) - std::max(crowd[1], box[1]);
    if (!(width > 0 && height > 0)) return 0;
    return width * height / std::max((box[2] - box[0]) * (box[3] - box[1]), 1e-9);
}

AveragePrecision::Match AveragePrecision::matchOf(const Detection &detection, const std::vector<LabelledObject> &wanted,
                                                  double threshold, std::vector<bool> &isTaken)
{
    double best = 0;
    std::size_t match = wanted.size();
    bool isInCrowd = false;
    for (std::size_t w = 0; w < wanted.size(); ++w) {
        if (wanted[w].label != detection.label || isTaken[w]) continue;
        if (wanted[w].isCrowd) {
            isInCrowd = isInCrowd || shareIn(wanted[w].box, detection.box) >= threshold;
            continue;
        }
        const double overlap = overlapOf(detection.box, wanted[w].box);
        if (overlap > best) {
            best = overlap;
            match = w;
        }
    }
    if (match == wanted.size() || best < threshold) return isInCrowd ? Match::Crowd : Match::None;
    isTaken[match] = true;
    return Match::Object;
}

void AveragePrecision::add(std::vector<Detection> found, const std::vector<LabelledObject> &wanted)
{
    for (const LabelledObject &object : wanted)
        if (!object.isCrowd) m_wanted.push_back(object.label);
    std::stable_sort(found.begin(), found.end(),
                     [](const Detection &a, const Detection &b) { return a.score > b.score; });
    std::vector<std::vector<bool>> isTaken(m_thresholds.size(), std::vector<bool>(wanted.size(), false));
    for (const Detection &detection : found) {
        Hit hit{detection.label, detection.score, {}};
        for (std::size_t t = 0; t < m_thresholds.size(); ++t)
            hit.matches.push_back(matchOf(detection, wanted, m_thresholds[t], isTaken[t]));
        m_hits.push_back(std::move(hit));
    }
}

double AveragePrecision::precisionOf(std::int64_t label, std::size_t threshold, double wanted) const
{
    constexpr int levels = 101;
    constexpr double step = 0.01; // a product, as in the reference implementation: 35 steps are more than 0.35
    std::vector<const Hit *> hits;
    for (const Hit &hit : m_hits)
        if (hit.label == label && hit.matches[threshold] != Match::Crowd) hits.push_back(&hit);
    std::stable_sort(hits.begin(), hits.end(), [](const Hit *a, const Hit *b) { return a->score > b->score; });
    std::vector<double> recall, precision;
    double right = 0;
    for (std::size_t i = 0; i < hits.size(); ++i) {
        right += hits[i]->matches[threshold] == Match::Object;
        recall.push_back(right / wanted);
        precision.push_back(right / double(i + 1));
    }
    for (std::size_t i = precision.size(); i > 1; --i) precision[i - 2] = std::max(precision[i - 2], precision[i - 1]);
    double sum = 0;
    for (int level = 0; level < levels; ++level) {
        const auto at = std::lower_bound(recall.begin(), recall.end(), level * step);
        if (at != recall.end()) sum += precision[std::size_t(at - recall.begin())];
    }
    return sum / levels;
}

double AveragePrecision::value() const
{
    std::map<std::int64_t, double> wanted;
    for (const std::int64_t label : m_wanted) wanted[label] += 1;
    double sum = 0;
    for (const auto &[label, count] : wanted)
        for (std::size_t t = 0; t < m_thresholds.size(); ++t) sum += precisionOf(label, t, count);
    return wanted.empty() ? 0 : sum / double(wanted.size() * m_thresholds.size());
}

} // namespace ql
