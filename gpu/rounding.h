#pragma once

#include <cstdint>

namespace ql::gpu {

/// AdaRound's rounding of weights (Nagel et al., "Up or Down? Adaptive Rounding for Post-Training Quantization", 2020,
/// section 3.2): of a trained number v with sigmoid s, h = clamp(1.2 s - 0.1, 0, 1) is the part of a step that is added
/// to the lower neighbour. Arrays of n floats on the host, one entry per weight.
struct SoftRounding
{
    const float *low = nullptr;                        ///< code of the lower neighbour
    const float *lowest = nullptr, *highest = nullptr; ///< of codes
    const float *scale = nullptr;
};

/// y = clamp(low + h, lowest, highest) * scale.
void softRoundCpu(const float *sigmoid, float *y, std::int64_t n, const SoftRounding &p);

/// dv = gradient by v of the sum over dy * y + penalty * (1 - |2 h - 1|^sharpness). sharpness: 2..31.
void softRoundBackwardCpu(const float *sigmoid, const float *dy, float *dv, std::int64_t n, const SoftRounding &p,
                          float penalty, int sharpness);

} // namespace ql::gpu
