// Layers of single-shot detectors. Source: Liu et al., SSD: Single Shot MultiBox Detector (2016), section 2.2.
#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/io/caffe/layer.h"
#include "core/io/caffe/limits.h"

#include <ATen/ops/empty.h>
#include <algorithm>
#include <cmath>

namespace ql::caffe_io {

namespace {

struct BoxSize
{
    float width, height; ///< in pixels of the image
};

/// The boxes of one cell: for each min_size its square, the square of the geometric mean with its max_size, and one box
/// for each aspect ratio except 1.
std::vector<BoxSize> boxesOf(const Layer &layer, const format::PriorBoxParameter &p)
{
    std::vector<float> ratios{1};
    for (const float ratio : p.aspect_ratio()) {
        if (!(ratio > 0)) layer.fail(QL_TEXT("aspect ratios must be positive"));
        const auto near = [&](float other) { return std::fabs(ratio - other) < 1e-6f; };
        if (std::any_of(ratios.begin(), ratios.end(), near)) continue;
        ratios.push_back(ratio);
        if (p.flip()) ratios.push_back(1 / ratio);
    }
    if (p.min_size().empty()) layer.fail(QL_TEXT("min_size is missing"));
    if (p.max_size_size() > 0 && p.max_size_size() != p.min_size_size())
        layer.fail(
            QL_TEXT("it has %1 values of max_size for %2 of min_size").with(p.max_size_size(), p.min_size_size()));
    std::vector<BoxSize> boxes;
    for (int i = 0; i < p.min_size_size(); ++i) {
        const float smallest = p.min_size(i);
        if (!(smallest > 0) || (p.max_size_size() > 0 && !(p.max_size(i) > smallest)))
            layer.fail(QL_TEXT("sizes must be positive, and each max_size larger than its min_size"));
        boxes.push_back({smallest, smallest});
        if (p.max_size_size() > 0) {
            const float mean = std::sqrt(smallest * p.max_size(i));
            boxes.push_back({mean, mean});
        }
        for (const float ratio : ratios)
            if (std::fabs(ratio - 1) >= 1e-6f)
                boxes.push_back({smallest * std::sqrt(ratio), smallest / std::sqrt(ratio)});
    }
    return boxes;
}

/// [1, 2, H * W * boxes * 4]: corners as fractions of the image, and their variances. They depend only on sizes, so
/// they are computed here.
void priorBox(Layer &layer)
{
    const auto &p = layer.proto.prior_box_param();
    const Value &map = layer.bottom(0);
    if (map.rank() != 4) layer.fail(QL_TEXT("its bottom is %1, it needs [N, C, H, W]").with(sizesText(map.shape)));
    const std::vector<BoxSize> boxes = boxesOf(layer, p);
    const bool hasSize = p.img_size() > 0 || (p.img_h() > 0 && p.img_w() > 0);
    if (!hasSize && layer.bottom(1).rank() != 4)
        layer.fail(QL_TEXT("its second bottom is %1, it needs [N, C, H, W]").with(sizesText(layer.bottom(1).shape)));
    const std::int64_t imageHeight = p.img_size() > 0 ? p.img_size() : hasSize ? p.img_h() : layer.bottom(1).size(2);
    const std::int64_t imageWidth = p.img_size() > 0 ? p.img_size() : hasSize ? p.img_w() : layer.bottom(1).size(3);
    const std::int64_t rows = map.size(2), columns = map.size(3);
    float stepHeight = p.has_step_h() ? p.step_h() : p.step(), stepWidth = p.has_step_w() ? p.step_w() : p.step();
    if (stepHeight <= 0 || stepWidth <= 0) {
        stepHeight = float(imageHeight) / float(rows);
        stepWidth = float(imageWidth) / float(columns);
    }
    std::vector<float> variance(p.variance().begin(), p.variance().end());
    if (variance.empty()) variance = {0.1f};
    if (variance.size() == 1) variance.assign(4, variance[0]);
    if (variance.size() != 4) layer.fail(QL_TEXT("it has %1 variances, expected 1 or 4").with(variance.size()));
    const auto perCell = std::int64_t(boxes.size()) * 4;
    if (rows > maxMadeElements / perCell / 2 / columns)
        layer.fail(QL_TEXT("it would create %1 boxes for each cell of %2").with(boxes.size(), sizesText(map.shape)),
                   QL_TEXT("Reduce the network's input size."));
    const std::int64_t count = rows * columns * perCell;
    at::Tensor out = at::empty({1, 2, count}, at::TensorOptions(at::kFloat));
    float *at = out.data_ptr<float>();
    for (std::int64_t y = 0; y < rows; ++y)
        for (std::int64_t x = 0; x < columns; ++x) {
            const float centreX = (float(x) + p.offset()) * stepWidth, centreY = (float(y) + p.offset()) * stepHeight;
            for (const BoxSize &box : boxes) {
                const float width = float(imageWidth), height = float(imageHeight);
                for (const float value : {(centreX - box.width / 2) / width, (centreY - box.height / 2) / height,
                                          (centreX + box.width / 2) / width, (centreY + box.height / 2) / height})
                    *at++ = p.clip() ? std::clamp(value, 0.f, 1.f) : value;
            }
        }
    for (std::int64_t i = 0; i < count; ++i) *at++ = variance[std::size_t(i % 4)];
    layer.top(0, layer.constant("boxes", out));
}

void detectionOutput(Layer &layer)
{
    const auto &p = layer.proto.detection_output_param();
    const Value &location = layer.bottom(0), &confidence = layer.bottom(1), &prior = layer.bottom(2);
    const std::int64_t classes = p.num_classes();
    const std::int64_t priors = prior.count() / 8, sets = p.share_location() ? 1 : classes;
    if (classes < 1 || prior.rank() < 2 || prior.count() % 8 != 0 || location.rank() < 1 ||
        location.count() != location.size(0) * priors * sets * 4 || confidence.rank() < 1 ||
        confidence.count() != location.size(0) * priors * classes)
        layer.fail(
            QL_TEXT("its bottoms %1, %2 and %3 do not match %4 classes and %5 boxes")
                .with(sizesText(location.shape), sizesText(confidence.shape), sizesText(prior.shape), classes, priors));
    if (p.nms_param().nms_threshold() < 0 || !(p.nms_param().eta() > 0) || p.nms_param().eta() > 1)
        layer.fail(QL_TEXT("nms_threshold must not be negative, eta must be in (0, 1]"));
    Attributes attributes{{"num_classes", classes},
                          {"share_location", std::int64_t(p.share_location())},
                          {"background_label_id", std::int64_t(p.background_label_id())},
                          {"nms_threshold", p.nms_param().nms_threshold()},
                          {"top_k", std::int64_t(p.nms_param().top_k())},
                          {"eta", p.nms_param().eta()},
                          {"code_type", format::BoxCode_Name(p.code_type())},
                          {"variance_encoded_in_target", std::int64_t(p.variance_encoded_in_target())},
                          {"keep_top_k", std::int64_t(p.keep_top_k())}};
    if (p.has_confidence_threshold()) attributes["confidence_threshold"] = p.confidence_threshold();
    const std::vector<Value> out = layer.emitMany("DetectionOutput", {location, confidence, prior},
                                                  std::move(attributes), {{1, 1, 1, 7}}, "caffe");
    layer.setSize(out[0], 2, -1); // one row per detection
    layer.top(0, out[0]);
}

const LayerRegistrar priorBoxes{{"PriorBox"},
                                {"a constant",
                                 "min_size, max_size, aspect_ratio, flip, clip, variance, img_size, step, offset; "
                                 "computed while importing",
                                 priorBox}};
const LayerRegistrar detectionOutputs{
    {"DetectionOutput"},
    {"caffe:DetectionOutput",
     "all parameters but save_output_param; one row [image, class, score, box] for each object", detectionOutput}};

} // namespace
} // namespace ql::caffe_io
