// caffe:DetectionOutput: box offsets and class scores to a list of objects. Source: Liu et al., SSD: Single Shot
// MultiBox Detector (2016), sections 2.2 and 3; the parameters of Caffe's layer of that name.
#include "core/exec/kernel.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace ql {

namespace {

struct Corners
{
    float x0, y0, x1, y1;
};

float area(const Corners &b)
{
    return b.x1 < b.x0 || b.y1 < b.y0 ? 0 : (b.x1 - b.x0) * (b.y1 - b.y0);
}

float jaccardOverlap(const Corners &a, const Corners &b)
{
    if (b.x0 > a.x1 || b.x1 < a.x0 || b.y0 > a.y1 || b.y1 < a.y0) return 0;
    const Corners both{std::max(a.x0, b.x0), std::max(a.y0, b.y0), std::min(a.x1, b.x1), std::min(a.y1, b.y1)};
    const float shared = area(both), either = area(a) + area(b) - shared;
    return either > 0 ? shared / either : 0;
}

struct Options
{
    std::int64_t classes, background, topK, keepTopK;
    bool isShared, hasVarianceInTarget;
    std::string code;
    float nmsThreshold, eta, scoreThreshold;
};

Options optionsOf(const Operation &op)
{
    return {op.intAttribute("num_classes", 0),
            op.intAttribute("background_label_id", 0),
            op.intAttribute("top_k", -1),
            op.intAttribute("keep_top_k", -1),
            op.intAttribute("share_location", 1) != 0,
            op.intAttribute("variance_encoded_in_target", 0) != 0,
            op.stringAttribute("code_type", "CORNER"),
            float(op.floatAttribute("nms_threshold", 0.3)),
            float(op.floatAttribute("eta", 1)),
            float(op.floatAttribute("confidence_threshold", -std::numeric_limits<double>::infinity()))};
}

/// p: corners of the prior box, v: variances, t: output of the network.
Corners decode(const Options &o, const float *p, const float *v, const float *t)
{
    const float one[4] = {1, 1, 1, 1};
    if (o.hasVarianceInTarget) v = one;
    const float width = p[2] - p[0], height = p[3] - p[1];
    if (o.code == "CENTER_SIZE") {
        const float x = v[0] * t[0] * width + (p[0] + p[2]) / 2, y = v[1] * t[1] * height + (p[1] + p[3]) / 2;
        const float w = std::exp(v[2] * t[2]) * width, h = std::exp(v[3] * t[3]) * height;
        return {x - w / 2, y - h / 2, x + w / 2, y + h / 2};
    }
    const float sx = o.code == "CORNER_SIZE" ? width : 1, sy = o.code == "CORNER_SIZE" ? height : 1;
    return {p[0] + v[0] * t[0] * sx, p[1] + v[1] * t[1] * sy, p[2] + v[2] * t[2] * sx, p[3] + v[3] * t[3] * sy};
}

struct Found
{
    float score;
    std::int64_t label, box;
};

/// Boxes of one class by descending score, without those that overlap a better one. eta below 1 lowers the threshold
/// after each kept box while it is above one half.
std::vector<Found> suppress(const Options &o, const std::vector<Corners> &boxes, const float *scores,
                            std::int64_t stride, std::int64_t label)
{
    std::vector<std::int64_t> order;
    for (std::int64_t i = 0; i < std::int64_t(boxes.size()); ++i)
        if (scores[i * stride] > o.scoreThreshold) order.push_back(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int64_t a, std::int64_t b) { return scores[a * stride] > scores[b * stride]; });
    if (o.topK > -1 && std::int64_t(order.size()) > o.topK) order.resize(std::size_t(o.topK));
    std::vector<Found> kept;
    float threshold = o.nmsThreshold;
    for (const std::int64_t i : order) {
        const bool isHidden = std::any_of(kept.begin(), kept.end(), [&](const Found &better) {
            return jaccardOverlap(boxes[std::size_t(i)], boxes[std::size_t(better.box)]) > threshold;
        });
        if (isHidden) continue;
        kept.push_back({scores[i * stride], label, i});
        if (o.eta < 1 && threshold > 0.5f) threshold *= o.eta;
    }
    return kept;
}

/// location [N, P * S * 4], confidence [N, P * classes], prior [1, 2, P * 4] -> [1, 1, found, 7], rows of image, class,
/// score, x0, y0, x1, y1. S is 1 when the classes share their boxes. When nothing is found: N rows of image and -1.
std::vector<at::Tensor> detectionOutput(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const Options o = optionsOf(op);
    const at::Tensor location = requiredInput(context, inputs, 0).to(at::kCPU, at::kFloat).contiguous();
    const at::Tensor confidence = requiredInput(context, inputs, 1).to(at::kCPU, at::kFloat).contiguous();
    const at::Tensor prior = requiredInput(context, inputs, 2).to(at::kCPU, at::kFloat).contiguous();
    const std::int64_t priors = prior.numel() / 8, sets = o.isShared ? 1 : o.classes;
    const std::int64_t images = location.dim() > 0 ? location.size(0) : 0;
    if (o.classes < 1 || prior.numel() % 8 != 0 || location.numel() != images * priors * sets * 4 ||
        confidence.numel() != images * priors * o.classes)
        throw Error(
            ErrorKind::Kernel,
            QL_TEXT("DetectionOutput: expected location [N, P * %1], confidence [N, P * %2], prior [1, 2, P * 4]")
                .with(sets * 4, o.classes),
            op.name);
    const float *const p = prior.data_ptr<float>();
    struct Row
    {
        std::int64_t image;
        Found found;
        Corners box;
    };
    std::vector<Row> rows;
    for (std::int64_t n = 0; n < images; ++n) {
        const auto count = std::size_t(priors);
        std::vector<std::vector<Corners>> boxes(static_cast<std::size_t>(sets), std::vector<Corners>(count));
        const float *const l = location.data_ptr<float>() + n * priors * sets * 4;
        for (std::int64_t i = 0; i < priors; ++i)
            for (std::int64_t s = 0; s < sets; ++s)
                boxes[std::size_t(s)][std::size_t(i)] =
                    decode(o, p + i * 4, p + (priors + i) * 4, l + (i * sets + s) * 4);
        std::vector<Found> found;
        for (std::int64_t c = 0; c < o.classes; ++c) {
            if (c == o.background) continue;
            if (context.job) context.job->checkpoint();
            const std::vector<Found> some =
                suppress(o, boxes[std::size_t(o.isShared ? 0 : c)],
                         confidence.data_ptr<float>() + n * priors * o.classes + c, o.classes, c);
            found.insert(found.end(), some.begin(), some.end());
        }
        if (o.keepTopK > -1 && std::int64_t(found.size()) > o.keepTopK) {
            std::stable_sort(found.begin(), found.end(),
                             [](const Found &a, const Found &b) { return a.score > b.score; });
            found.resize(std::size_t(o.keepTopK));
            std::stable_sort(found.begin(), found.end(),
                             [](const Found &a, const Found &b) { return a.label < b.label; });
        }
        for (const Found &f : found)
            rows.push_back({n, f, boxes[std::size_t(o.isShared ? 0 : f.label)][std::size_t(f.box)]});
    }
    if (rows.empty()) {
        at::Tensor none = at::full({1, 1, std::max<std::int64_t>(images, 1), 7}, -1, at::TensorOptions(at::kFloat));
        for (std::int64_t n = 0; n < images; ++n) none.data_ptr<float>()[n * 7] = float(n);
        return {none};
    }
    at::Tensor out = at::empty({1, 1, std::int64_t(rows.size()), 7}, at::TensorOptions(at::kFloat));
    float *at = out.data_ptr<float>();
    for (const Row &row : rows)
        for (const float value : {float(row.image), float(row.found.label), row.found.score, row.box.x0, row.box.y0,
                                  row.box.x1, row.box.y1})
            *at++ = value;
    return {out};
}

const KernelRegistrar detection{{"caffe:DetectionOutput"}, {.run = detectionOutput, .maxOpset = 1, .family = "vision"}};

} // namespace
} // namespace ql
