#pragma once

#include "core/exec/kernel.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ql {

// Functions as ONNX Runtime's CPU kernels compute them in float32, bit for bit on machines with fused multiply-add.
// Source: its MLAS kernels Logistic, Tanh (rational approximations), Erf, HardSigmoid, and the function body of
// HardSwish. Softmax and LogSoftmax along an axis: exponentials of the differences to the maximum, which MLAS adds in
// an order that depends on the vectors of the processor, times the reciprocal of their sum.
at::Tensor runtimeSigmoid(const at::Tensor &x);
at::Tensor runtimeTanh(const at::Tensor &x);
at::Tensor runtimeHardSigmoid(const at::Tensor &x, float alpha, float beta);
at::Tensor runtimeHardSwish(const at::Tensor &x);
at::Tensor runtimeErf(const at::Tensor &x);
at::Tensor runtimeSoftmax(const at::Tensor &x, std::int64_t axis);
at::Tensor runtimeLogSoftmax(const at::Tensor &x, std::int64_t axis);

/// a [samples, rows, terms] by b [samples, terms, columns]: MLAS adds the products of an element one after the other,
/// in blocks of terms. Nothing for vectors and processors for which it has other kernels.
std::optional<at::Tensor> runtimeMatMul(const at::Tensor &a, const at::Tensor &b);

/// A Conv with two spatial axes: with its order of additions on the CPU as long as it is known, otherwise the general
/// kernel. nullptr for other operations.
std::shared_ptr<PreparedKernel> runtimeConvolution(const Operation &op);

/// The sums of x, which is not empty, over axes; keep: these stay, with one element. The order depends on which axes
/// they are: Eigen adds the numbers of a row, MLAS multiplies middle axes by ones, and others are added one after the
/// other. As with at most two threads: with more, ONNX Runtime takes the last way also for 2 and more samples.
at::Tensor runtimeSum(const at::Tensor &x, const std::vector<std::int64_t> &axes, bool keep);

/// The sum of the numbers of a row as Eigen adds them: SSE2 vectors from the first aligned one, every other one into a
/// sum of its own; then the numbers before and after them. start: the place of x in a buffer that is aligned.
float runtimeRowSum(const float *x, std::int64_t length, std::int64_t start);

/// The means of the rows of x [N, C, ...], which is not empty, along its spatial axes, as GlobalAveragePool gives them:
/// MLAS adds vectors of four to one sum, the numbers of this, and then what is left of the row.
at::Tensor runtimeGlobalMean(const at::Tensor &x);

struct RowsToNormalize
{
    at::Tensor x, scale, bias; ///< bias: undefined for none
    std::int64_t axis = 0;     ///< the first one of a row
    double epsilon = 0;
    bool isCentred = true; ///< less their mean; otherwise only divided by the root of their mean square
    bool isSum = false;    ///< x is the sum of SkipLayerNormalization, whose kernel has no vectors
};
struct RuntimeNormalized
{
    at::Tensor y, mean, inverse;
};
/// LayerNormalization and its kind. Nothing for types and sizes for which ONNX Runtime has other kernels.
std::optional<RuntimeNormalized> runtimeNormalization(const RowsToNormalize &rows);

/// InstanceNormalization of x [N, C, ...], which is not empty: scale and shift per channel.
at::Tensor runtimeInstanceNormalization(const at::Tensor &x, const at::Tensor &scale, const at::Tensor &shift,
                                        double epsilon);

/// The root of the sum of squares of x, which is not empty, over axes, added one after the other (ReduceL2).
at::Tensor runtimeNorm(const at::Tensor &x, const std::vector<std::int64_t> &axes, bool keep);

/// A step that calls function, on the CPU.
std::shared_ptr<PreparedKernel> runtimeKernel(const KernelFunction &function);

} // namespace ql
