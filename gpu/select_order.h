#pragma once

#include "gpu/fake_quant_scalar.h"
#include "gpu/host_device.h"

#include <cstdint>

// Radix selection, shared by the CPU and CUDA: three counting passes over the bits of a key.
namespace ql::gpu {

/// @returns an unsigned number that grows with x if `flip` is 0 and falls with it if flip is 0xffffffff.
QL_HD QL_INLINE std::uint32_t orderKey(float x, std::uint32_t flip)
{
    const std::uint32_t bits = bitsOf(x);
    return (bits ^ ((bits >> 31) * 0x7fffffffu | 0x80000000u)) ^ flip;
}

QL_HD QL_INLINE float fromOrderKey(std::uint32_t key, std::uint32_t flip)
{
    const std::uint32_t ordered = key ^ flip;
    return floatOf(ordered ^ ((ordered >> 31) ? 0x80000000u : 0xffffffffu));
}

constexpr int kRadixPasses = 3;
constexpr int kRadixBins = 2048;

/// One pass: keys whose bits under `known` are those of `prefix` are counted by bin (key >> shift) & mask.
struct RadixPass
{
    std::uint32_t known = 0, prefix = 0;
    int shift = 21;
    std::uint32_t mask = kRadixBins - 1;
    std::int64_t rank = 0; ///< from the largest key, among those counted

    /// Narrows the keys to the bin that contains the rank. counts[bins]: this pass's result, bins as mask + 1.
    /// @returns false if there are not that many keys.
    bool next(const std::int64_t *counts)
    {
        std::int64_t bin = mask;
        while (bin >= 0 && rank >= counts[bin]) rank -= counts[bin--];
        if (bin < 0) return false;
        known |= mask << shift;
        prefix |= std::uint32_t(bin) << shift;
        const int lower = shift == 21 ? 10 : 0;
        mask = shift == 21 ? kRadixBins - 1 : 1023u;
        shift = lower;
        return true;
    }
};

} // namespace ql::gpu
