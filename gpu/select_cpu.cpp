#include "gpu/select.h"

#include "gpu/isa_clones.h"
#include "gpu/parallel.h"
#include "gpu/select_order.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

namespace ql::gpu {

namespace {

constexpr std::int64_t kRadixBuffer = 2048;

/// Counters per bin, side by side: an increment must wait for the previous one of the same address.
constexpr int kCounters = 4;

struct OrderKeys
{
    static QL_INLINE void run(const float *x, std::uint32_t *keys, std::int64_t n, std::uint32_t flip)
    {
        for (std::int64_t i = 0; i < n; ++i) keys[i] = orderKey(x[i], flip);
    }
};

/// Bin of each element in the first radix pass; NaN has a separate bin.
struct FirstIndex
{
    static QL_INLINE void run(const float *x, std::int32_t *index, std::int64_t n, std::uint32_t flip, int shift)
    {
        for (std::int64_t i = 0; i < n; ++i)
            index[i] = x[i] == x[i] ? std::int32_t(orderKey(x[i], flip) >> shift) : kRadixBins;
    }
};

/// Counts the upper 11 bits of all keys.
void countFirst(const float *x, std::int64_t n, std::uint32_t flip, int shift, std::int64_t *counts)
{
    const std::int64_t blocks = (n + kBlock - 1) / kBlock;
#pragma omp parallel if (n >= kParallelElements)
    {
        std::vector<std::int64_t> counters(kCounters * (kRadixBins + 1), 0);
#pragma omp for schedule(static)
        for (std::int64_t b = 0; b < blocks; ++b) {
            std::int32_t index[kRadixBuffer];
            const std::int64_t last = std::min(n, (b + 1) * kBlock);
            for (std::int64_t begin = b * kBlock; begin < last; begin += kRadixBuffer) {
                const std::int64_t length = std::min(kRadixBuffer, last - begin);
                dispatch<FirstIndex>(x + begin, static_cast<std::int32_t *>(index), length, flip, shift);
                for (std::int64_t i = 0; i < length; ++i)
                    ++counters[std::size_t(kCounters * index[i] + (i % kCounters))];
            }
        }
#pragma omp critical(ql_gpu_select)
        for (std::size_t i = 0; i < kCounters * std::size_t(kRadixBins); ++i) counts[i / kCounters] += counters[i];
    }
}

/// @returns the keys that agree with `pass` so far, in an order that depends on the number of threads; no NaN.
std::vector<std::uint32_t> keysOf(const float *x, std::int64_t n, std::uint32_t flip, const RadixPass &pass,
                                  std::int64_t count)
{
    std::vector<std::uint32_t> all;
    all.reserve(std::size_t(count));
    const std::int64_t blocks = (n + kBlock - 1) / kBlock;
#pragma omp parallel for schedule(static) if (n >= kParallelElements)
    for (std::int64_t b = 0; b < blocks; ++b) {
        std::uint32_t keys[kRadixBuffer], found[kRadixBuffer + 1];
        const std::int64_t last = std::min(n, (b + 1) * kBlock);
        for (std::int64_t begin = b * kBlock; begin < last; begin += kRadixBuffer) {
            const std::int64_t length = std::min(kRadixBuffer, last - begin);
            dispatch<OrderKeys>(x + begin, static_cast<std::uint32_t *>(keys), length, flip);
            std::int64_t at = 0;
            for (std::int64_t i = 0; i < length; ++i) {
                const float v = x[begin + i];
                found[at] = keys[i];
                at += ((keys[i] & pass.known) == pass.prefix) & (v == v);
            }
#pragma omp critical(ql_gpu_select)
            all.insert(all.end(), found, found + at); // within what was reserved
        }
    }
    return all;
}

} // namespace

float selectCpu(const float *x, std::int64_t n, std::int64_t rank, bool largest)
{
    const float none = std::numeric_limits<float>::quiet_NaN();
    if (rank < 0 || rank >= n) return none;
    const std::uint32_t flip = largest ? 0u : 0xffffffffu;
    RadixPass pass;
    pass.rank = rank;
    std::vector<std::int64_t> counts(kRadixBins, 0);
    countFirst(x, n, flip, pass.shift, counts.data());
    if (!pass.next(counts.data())) return none;
    std::vector<std::uint32_t> keys = keysOf(x, n, flip, pass, counts[pass.prefix >> 21]);
    const auto at = keys.begin() + pass.rank;
    std::nth_element(keys.begin(), at, keys.end(), std::greater<std::uint32_t>());
    return fromOrderKey(*at, flip) + 0.f;
}

} // namespace ql::gpu
