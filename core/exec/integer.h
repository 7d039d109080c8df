#pragma once

#include "core/exec/kernel.h"
#include "core/quant/integer_arithmetic.h"

#include <optional>
#include <vector>

namespace ql {

/// A layer in integer arithmetic (core/quant/integer_arithmetic.h).
struct IntegerLayer
{
    CodeGrid input, output;         ///< output: limits of the codes after clamp and activation
    float outputZero = 128;         ///< AveragePool: zero point of the output if its lowest code is 0
    int outputCodes = 256;          ///< AveragePool: number of output codes
    at::Tensor weight;              ///< float32 values on their grid; undefined: a pool, or
    std::optional<CodeGrid> second; ///< the grid of input 1, computed at run time
    std::vector<float> weightScale; ///< 1 entry, or one per output channel
    at::Tensor bias;                ///< float32 values, or undefined
    bool wantsSums = false;         ///< a second output for probes: sum * input scale * weight scale
};

/// A kernel from centred codes to centred codes, held as float32. float32 represents integers up to 2^24, and sums
/// below that are exact in any order: the kernel uses oneDNN's float primitives if that bound holds for every channel
/// (sum of |w| times the largest |x|); otherwise it splits the weights into parts of fewer bits, whose sums are
/// combined in float64.
/// @returns nullptr if the layer has no such form (other attributes, a bias beyond int32, codes of more than 8 bits)
std::unique_ptr<PreparedKernel> integerConvolution(const KernelContext &context, const IntegerLayer &layer);
/// Likewise for Gemm without transA, alpha and beta, and MatMul, also of two computed tensors, or with a constant that
/// is a vector or a batch of matrices and has one scale.
std::unique_ptr<PreparedKernel> integerProduct(const KernelContext &context, const IntegerLayer &layer);
std::unique_ptr<PreparedKernel> integerGlobalAverage(const KernelContext &context, const IntegerLayer &layer);
/// Likewise for AveragePool of two spatial axes without dilations, ceil_mode and auto_pad SAME.
std::unique_ptr<PreparedKernel> integerAverage(const KernelContext &context, const IntegerLayer &layer);

/// From centred codes to values that are not rounded (ExactSums).
std::unique_ptr<PreparedKernel> sumsOfConvolution(const KernelContext &context, const ExactSums &sums);
std::unique_ptr<PreparedKernel> sumsOfProducts(const KernelContext &context, const ExactSums &sums);

/// Values on a grid to centred codes and back; any dense layout, which is kept.
at::Tensor centredCodes(const at::Tensor &values, const CodeGrid &grid);
at::Tensor valuesOfCodes(const at::Tensor &codes, const CodeGrid &grid);

} // namespace ql
