#pragma once

#include "core/observer/observer.h"
#include "core/pass/pass.h"

#include <ATen/core/Tensor.h>
#include <memory>
#include <optional>

namespace ql {

/// tensor as observers see it, its channels along axis. tensor must be float32. The answer points into tensor, or into
/// *copy when tensor is not dense, or not on the CPU and onDevice is false.
TensorView viewOf(const at::Tensor &tensor, std::optional<int> axis, at::Tensor *copy, bool onDevice = false);

/// An observer of one tensor, with what a report wants to know about it: it watches the range besides.
class Observation
{
public:
    /// batches: how many each phase will show. @throws Error (BadConfig) as makeObserver.
    Observation(const TensorQuantConfig &config, std::size_t batches);

    int phases() const { return m_observer->phases(); }
    /// Shows one batch; tensors of another type than float32 are remembered as unusable. Never throws an Error: what
    /// goes wrong is told by finish().
    void look(const at::Tensor &tensor);
    void nextPhase();

    /// Writes scale, zero point and state Active to slot; Off when there is no usable result. Reports what deserves
    /// attention: no result and why, NaN, a constant tensor, values far outside the range.
    /// @returns whether slot is Active now.
    bool finish(QuantModel &model, Slot slot, std::string_view origin, const PassContext &context) const;

private:
    TensorQuantConfig m_config;
    std::unique_ptr<Observer> m_observer;
    bool m_seen = false;
    Text m_failure, m_remedy; ///< the first reason why there is no result
};

} // namespace ql
