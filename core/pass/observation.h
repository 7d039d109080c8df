#pragma once

#include "core/observer/observer.h"
#include "core/pass/pass.h"

#include <ATen/core/Tensor.h>
#include <memory>
#include <optional>

namespace ql {

/// tensor as seen by observers, with its channels along axis. tensor must be float32. The result refers to tensor, or
/// to *copy if tensor is not dense, or not on the CPU and onDevice is false.
TensorView viewOf(const at::Tensor &tensor, std::optional<int> axis, at::Tensor *copy, bool onDevice = false);

/// An observer of one tensor that also tracks the range, for reports.
class Observation
{
public:
    /// batches: number of batches per phase. @throws Error (BadConfig) as makeObserver.
    Observation(const TensorQuantConfig &config, std::size_t batches);

    int phases() const { return m_observer->phases(); }
    /// Observes one batch; a tensor that is not float32 is recorded as unusable. Never throws an Error: finish()
    /// reports problems.
    void observe(const at::Tensor &tensor);
    void nextPhase();

    /// Writes scale, zero point and state Active to slot; Off if there is no usable result. Reports problems: no
    /// result and why, NaN, a constant tensor, values far outside the range.
    /// @returns whether slot is Active now.
    bool finish(QuantModel &model, Slot slot, const Origin &origin, const PassContext &context) const;

private:
    TensorQuantConfig m_config;
    std::unique_ptr<Observer> m_observer;
    at::Tensor m_rows; ///< what the observer saw last, if its config is grouped
    bool m_seen = false;
    Text m_failure, m_remedy; ///< the first reason why there is no result
};

} // namespace ql
