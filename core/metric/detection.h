#pragma once

#include "core/exec/executor.h"

#include <ATen/core/Tensor.h>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ql {

/// x0, y0, x1, y1 in pixels of the input.
using Box = std::array<double, 4>;
struct Detection
{
    std::int64_t label = 0;
    double score = 0;
    Box box{};
};

/// How the outputs of a detector hold boxes.
enum class DetectionHead {
    Auto,
    Yolox,  ///< [N, cells, 5 + classes]: offsets in each cell, logarithms of sizes, objectness, class scores
    Yolo,   ///< the same with x, y, width, height in pixels
    Yolov8, ///< [N, 4 + classes, cells], in pixels, without objectness
    Ssd,    ///< [N, boxes, 4] corners from 0 to 1, and [N, boxes, classes], class 0 the background
    /// After suppression: rows image, class, score, corners; or corners, score, class; or outputs of boxes, scores
    /// and classes, and the number of them.
    Nms
};
struct HeadOptions
{
    DetectionHead head = DetectionHead::Auto;
    double least = 0.01, same = 0.65; ///< scores below are left out; boxes that overlap more are one object
    std::vector<int> strides{8, 16, 32};
};

double overlapOf(const Box &a, const Box &b);
/// The objects in each sample of a batch of inputs of width x height. @throws Error (BadData)
std::vector<std::vector<Detection>> detectionsIn(const std::vector<at::Tensor> &outputs, int width, int height,
                                                 std::size_t samples, const HeadOptions &options);

/// An object of the labels.
struct LabelledObject
{
    std::int64_t label = 0;
    Box box{};
    bool isCrowd = false; ///< a group of objects: need not be found, and any number of boxes in it counts as none
};

/// Average precision, mean over the classes of the labels and over thresholds of overlap; precision at 101 levels of
/// recall. (Lin et al., "Microsoft COCO", section 5.1, and the reference implementation.)
class AveragePrecision
{
public:
    explicit AveragePrecision(std::vector<double> thresholds);
    void add(std::vector<Detection> found, const std::vector<LabelledObject> &wanted);
    double value() const;

private:
    enum class Match { None, Object, Crowd };
    struct Hit
    {
        std::int64_t label = 0;
        double score = 0;
        std::vector<Match> matches; ///< by threshold
    };
    static Match matchOf(const Detection &detection, const std::vector<LabelledObject> &wanted, double threshold,
                         std::vector<bool> &isTaken);
    double precisionOf(std::int64_t label, std::size_t threshold, double wanted) const;

    std::vector<double> m_thresholds;
    std::vector<Hit> m_hits;
    std::vector<std::int64_t> m_wanted; ///< labels of all objects, without crowds
};

} // namespace ql
