#pragma once

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <optional>
#include <vector>

// Operations along one axis of a dense CPU tensor, contiguous or channels-last: the elements after the axis in memory
// are a row, and rows are moved or added as a whole, on all threads.
namespace ql {

/// at::index_select: the elements at these positions of an axis, in the layout of x. positions: in [0, size of axis).
at::Tensor takeAlong(const at::Tensor &x, std::int64_t axis, const std::vector<std::int64_t> &positions);

/// For each output position i the sum over k of weight[k][i] times x at index[k][i] along an axis, in the layout of x.
/// index: in [0, size of axis). @returns nullopt unless x is a dense float32 tensor on the CPU.
std::optional<at::Tensor> weightedSumAlong(const at::Tensor &x, std::int64_t axis,
                                           const std::vector<std::vector<std::int64_t>> &index,
                                           const std::vector<std::vector<float>> &weight);

} // namespace ql
