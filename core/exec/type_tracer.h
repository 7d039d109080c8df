#pragma once

#include "core/exec/kernel.h"

#include <map>
#include <optional>
#include <vector>

namespace ql {

/// Collects the types of all tensors while a program runs once, and spares it the values that no shape depends on: a
/// Conv in front of layers gives zeros of the right shape that take no memory. What a shape may come from (the input of
/// NonZero, of If, of Reshape's shape) is computed from the data, as is every result of an operator that has no rule
/// here.
class TypeTracer
{
public:
    explicit TypeTracer(const Graph &graph);

    void record(VarId id, const at::Tensor &value) { types.try_emplace(id, typeOf(value)); }
    static TensorType typeOf(const at::Tensor &value);

    /// Zeros in place of the results of op; nullopt where its kernel has to run, on dense() inputs.
    /// @throws Error (Kernel, OutOfMemory), std::exception as the kernel would for these shapes
    std::optional<std::vector<at::Tensor>> zerosFor(const Operation &op, Inputs inputs) const;
    /// tensor itself, or with memory of its own where it is one that zerosFor() gave.
    static at::Tensor dense(const at::Tensor &tensor);

    std::map<VarId, TensorType> types;

private:
    std::vector<bool> m_matters; ///< by variable: a shape may depend on its values
};

} // namespace ql
