#pragma once

#include "core/analysis/error_measure.h"
#include "core/exec/executor.h"

#include <ATen/core/Tensor.h>
#include <functional>
#include <map>
#include <vector>

namespace ql {

/// Errors of operations in quantized bodies of If, Loop and Scan (QuantPlan::bodies), by output.
using BodyMeasures = std::map<BodySlot, ErrorMeasure>;

/// Measures the outputs of quantized operations in bodies while the float and the quantized network run. Run number k
/// of a body in one network is compared with number k in the other; what only one of them runs is left out.
class BodyComparison
{
public:
    /// isMeasured: of the operations of the model's own graph with bodies. measures: to add to; outlive this.
    BodyComparison(const QuantModel &model, std::size_t batches, const std::function<bool(OpId)> &isMeasured,
                   BodyMeasures &measures);
    void probe(ProgramSpec &floating, ProgramSpec &quantized);
    /// After both networks have computed the batch; batches in order.
    void add(std::size_t batch, std::int64_t samples);

private:
    using Tensors = std::map<BodySlot, std::vector<at::Tensor>>; ///< of each run of the body
    BodyMeasures &m_measures;
    std::vector<BodySlot> m_slots;
    std::vector<Tensors> m_floating, m_quantized; ///< by batch
};

/// In the order of the bodies' operations, with names that are unique in the model.
std::vector<api::ErrorRow> bodyErrorRows(const QuantModel &model, const BodyMeasures &measures);

} // namespace ql
