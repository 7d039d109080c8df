#pragma once

#include "core/analysis/error_measure.h"
#include "core/exec/executor.h"

#include <ATen/core/Tensor.h>
#include <cstddef>
#include <functional>
#include <map>
#include <vector>

namespace ql {

/// Errors of operations in quantized bodies of If, Loop and Scan (QuantPlan::bodies), by output.
using BodyMeasures = std::map<BodySlot, ErrorMeasure>;

/// The tensors of slots in quantized bodies while the float and the quantized network run. Run number k of a body in
/// one network is compared with number k in the other; what only one of them runs is left out.
class BodyPairs
{
public:
    BodyPairs(std::vector<BodySlot> slots, std::size_t batches);
    /// Adds what records the tensors; this outlives the programs.
    void probe(ProgramSpec &floating, ProgramSpec &quantized);
    /// After both networks have computed the batch, whose tensors are not kept: all pairs of the same shape.
    void take(std::size_t batch,
              const std::function<void(const BodySlot &place, const at::Tensor &floating, const at::Tensor &quantized)>
                  &visit);

private:
    using Tensors = std::map<BodySlot, std::vector<at::Tensor>>; ///< of each run of the body
    std::vector<BodySlot> m_slots;
    std::vector<Tensors> m_floating, m_quantized; ///< by batch
};

/// Of the quantized operations in bodies. isMeasured: of the operations of the model's own graph with bodies.
std::vector<BodySlot> outputsInBodies(const QuantModel &model, const std::function<bool(OpId)> &isMeasured);
/// In the order of the bodies' operations, with names that are unique in the model.
std::vector<api::ErrorRow> bodyErrorRows(const QuantModel &model, const BodyMeasures &measures);

} // namespace ql
