#pragma once

#include "core/exec/kernel.h"
#include "core/quant/integer_arithmetic.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

// Kernels that differ from exact sums of products (TargetKernel).
namespace ql {

/// The effect of adding pairs of products in 16 bits, with saturation. vpmaddubsw multiplies unsigned codes of the
/// input (signed ones are shifted by 128) by signed codes of the weight, and adds the products of two neighbouring
/// input channels: two times 255 * 127 does not fit.
struct PairSaturation
{
    /// The weights of two neighbouring input channels whose products can saturate; 0 for a channel that does not exist.
    struct Pair
    {
        std::int64_t channel = 0, row = 0, column = 0; ///< channel: of the input
        std::int32_t first = 0, second = 0;            ///< weight codes
    };
    std::vector<std::vector<Pair>> pairs; ///< by output channel
    std::vector<float> steps;             ///< value of a sum of 1, by output channel
    float inputScale = 1;
    std::int32_t shift = 0; ///< unsigned code = centred code + shift; also that of padding
    bool isMatrix = false;  ///< MatMul, Gemm: channels are the last axis
    std::array<std::int64_t, 2> strides{1, 1}, dilations{1, 1};
    std::array<std::int64_t, 4> pads{};

    /// What saturation adds to the values of the result. x: [N, C, H, W], or [..., K]; like: the result
    at::Tensor lost(const at::Tensor &x, const at::Tensor &like) const;
};
/// Of a Conv with two spatial axes, or a Gemm or MatMul with a constant matrix, 8-bit weights and an input on an 8-bit
/// grid. applied: as in a program of plan
std::optional<PairSaturation> pairSaturation(const Graph &graph, const QuantPlan &plan, OpId op,
                                             const AppliedConfig &applied);

/// The kernel of an operation for TargetKernel::sums.
struct KernelOfSums
{
    std::shared_ptr<PreparedKernel> kernel; ///< nullptr: the usual one
    std::optional<CodeGrid> codes;          ///< if input 0 has to be codes: their grid
};
/// applied: as in a program of plan
KernelOfSums kernelOfSums(const Graph &graph, const QuantPlan &plan, const Operation &op, const KernelEntry &entry,
                          const AppliedConfig &applied);

/// Whether the target computes op, an activation in float32, with a formula of its own; it must not become part of
/// another kernel then. plan: may be null
bool isTargetActivation(const QuantPlan *plan, const Operation &op);

} // namespace ql
