#pragma once

#include "core/exec/executor.h"

#include <ATen/core/Tensor.h>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ql {

/// Judges the outputs of a network by labels, batch by batch.
class OutputMetric
{
public:
    virtual ~OutputMetric() = default;
    /// outputs: of the graph, on the CPU; feed: what it was given; names: of the samples of the batch, in order.
    /// @throws Error (BadData) for outputs that the metric cannot read
    virtual void add(const std::vector<at::Tensor> &outputs, const Feed &feed,
                     const std::vector<std::string> &names) = 0;
    /// Unset without a labelled sample.
    virtual std::optional<double> value() const = 0;
    virtual std::int64_t samples() const = 0; ///< with labels, so far
};

/// Of the images that a network is given; 0: it is given none.
struct ImageSize
{
    std::int64_t width = 0, height = 0;
};
/// The axis of the classes in the scores of the first output; -1: these are not scores.
using ClassAxis = std::function<std::int64_t(const at::Tensor &output, const ImageSize &input)>;

/// The values that a metric can have.
struct MetricRange
{
    double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
};

/// A metric with its labels: counts from zero for each network. A program of the user (core/metric/command.h)
/// is not a MetricSource: it reads the outputs of all samples at once.
struct MetricSource
{
    std::string name;
    std::string key;    ///< differs for other labels or parameters
    std::string labels; ///< file or folder; empty: it needs none
    bool isLoss = false;
    MetricRange range;
    std::function<std::unique_ptr<OutputMetric>()> make;
    ClassAxis classAxis; ///< empty: its outputs are not classified
};

} // namespace ql
