#pragma once

#include "core/exec/kernel.h"

#include <map>
#include <optional>
#include <vector>

namespace ql {

/// Collects the types of all tensors while a program runs once, and skips values that no shape depends on: a Conv
/// gives zeros of the right shape that take no memory. Values that a shape may depend on (inputs of NonZero, of If, of
/// Reshape's shape) are computed from the data, and so is every result of an operator without a rule here.
class TypeTracer
{
public:
    explicit TypeTracer(const Graph &graph);

    void record(VarId id, const at::Tensor &value) { types.try_emplace(id, typeOf(value)); }
    static TensorType typeOf(const at::Tensor &value);

    /// Zeros instead of the results of op; nullopt if its kernel has to run, on dense() inputs.
    /// @throws Error (Kernel, OutOfMemory), std::exception as the kernel would for these shapes
    std::optional<std::vector<at::Tensor>> zerosFor(const Operation &op, Inputs inputs) const;
    /// tensor itself, or a copy with separate memory if zerosFor() created it.
    static at::Tensor dense(const at::Tensor &tensor);

    std::map<VarId, TensorType> types;

private:
    std::vector<bool> m_matters; ///< by variable: a shape may depend on its values
};

} // namespace ql
