#pragma once

#include "core/exec/executor.h"
#include "core/quant/quant_plan.h"
#include "core/train/adam.h"

#include <ATen/core/Tensor.h>
#include <memory>

namespace ql {

/// One thing that training changes: a parameter, the scale of a slot, the rounding of a weight.
class Trained
{
public:
    virtual ~Trained() = default;
    /// The tensor that the optimizer changes.
    const at::Tensor &leaf() const { return m_leaf; }
    virtual void addTo(Adam *optimizer) const;
    /// Puts what the program is to compute with into *to. isFinal: as write() will leave it, not as it is trained.
    virtual void show(Trainable *to, bool isFinal) const = 0;
    /// Writes the result into the plan. origin: who sets it.
    virtual void write(QuantModel *model, const Origin &origin) const = 0;
    /// Before each run of a step, when the part `progress` (0..1) of the steps is done. share: of this run in the step.
    virtual void advance(double progress, double share);

protected:
    Trained(at::Tensor start, double rate);

    at::Tensor m_leaf;
    const double m_rate;
};

/// A weight or bias. The learning rate is absolute.
std::unique_ptr<Trained> trainedParameter(const QuantModel &model, VarId parameter, double rate);
/// The scale of a slot that owns one; rate: relative to the scale.
std::unique_ptr<Trained> trainedScale(const QuantModel &model, Slot slot, double rate);

/// How the rounding of a weight is learned.
/// Soft: between the two neighbours on the grid, by a rectified sigmoid that a penalty drives to 0 or 1 (AdaRound,
/// Nagel et al. 2020). Step: up where a trained number is above a half, with a straight-through gradient.
enum class RoundingRule { Soft, Step };
/// The rounding of the weight in a slot with a linear config. The grid stays; the value becomes one of the two nearest
/// grid points. penalty: weight of the term of Soft in the loss.
std::unique_ptr<Trained> trainedRounding(const QuantModel &model, Slot weight, RoundingRule rule, double rate,
                                         double penalty);

} // namespace ql
