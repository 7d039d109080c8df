#include "gpu/fake_quant.h"

#include "gpu/fake_quant_scalar.h"
#include "gpu/map_cpu.h"

#include <algorithm>

// Codes are computed as floats into a buffer that stays in the first-level cache and converted from there: one set of
// float loops serves all integer types.
namespace ql::gpu {

namespace {

constexpr std::int64_t kBuffer = 2048;

Channels channelsOf(const LinearChannelParams &p)
{
    return {p.scale, p.zeroPoint, p.channels, p.channelStride};
}

template <class Int>
struct ToInt
{
    static QL_INLINE void run(const float *q, Int *y, std::int64_t n)
    {
        for (std::int64_t i = 0; i < n; ++i) y[i] = codeToInt<Int>(q[i]);
    }
};

template <class Int>
struct FromInt
{
    static QL_INLINE void run(const Int *q, float *y, std::int64_t n)
    {
        for (std::int64_t i = 0; i < n; ++i) y[i] = float(q[i]);
    }
};

template <class Int>
auto toInts(const float *x, Int *y, std::int64_t n)
{
    return [=](const auto &map) {
        forBlocks(n, kBlock, [&](std::int64_t first, std::int64_t last) {
            alignas(64) float codes[kBuffer];
            for (std::int64_t begin = first; begin < last; begin += kBuffer) {
                const std::int64_t end = std::min(last, begin + kBuffer);
                map(x + begin, codes, begin, end);
                dispatch<ToInt<Int>>(codes, y + begin, end - begin);
            }
        });
    };
}

template <class Int>
auto fromInts(const Int *x, float *y, std::int64_t n)
{
    return [=](const auto &map) {
        forBlocks(n, kBlock, [&](std::int64_t first, std::int64_t last) {
            alignas(64) float codes[kBuffer];
            for (std::int64_t begin = first; begin < last; begin += kBuffer) {
                const std::int64_t end = std::min(last, begin + kBuffer);
                dispatch<FromInt<Int>>(x + begin, codes, end - begin);
                map(codes, y + begin, begin, end);
            }
        });
    };
}

} // namespace

template <class Int>
void quantizeCpu(const float *x, Int *y, std::int64_t n, const LinearParams &p)
{
    withRounding(p.rounding, [&](auto tag) {
        const LinearCode<decltype(tag)::value> op{lowestCode<Int>(p.quantMin), highestCode<Int>(p.quantMax)};
        withTensorMap(op, p.scale, float(p.zeroPoint), toInts(x, y, n));
    });
}

template <class Int>
void quantizeChannelCpu(const float *x, Int *y, std::int64_t n, const LinearChannelParams &p)
{
    withRounding(p.rounding, [&](auto tag) {
        const LinearCode<decltype(tag)::value> op{lowestCode<Int>(p.quantMin), highestCode<Int>(p.quantMax)};
        withChannelMap(op, channelsOf(p), toInts(x, y, n));
    });
}

template <class Int>
void dequantizeCpu(const Int *x, float *y, std::int64_t n, const LinearParams &p)
{
    withTensorMap(LinearDequant{}, p.scale, float(p.zeroPoint), fromInts(x, y, n));
}

template <class Int>
void dequantizeChannelCpu(const Int *x, float *y, std::int64_t n, const LinearChannelParams &p)
{
    withChannelMap(LinearDequant{}, channelsOf(p), fromInts(x, y, n));
}

#define QL_INSTANTIATE(Int)                                                                                            \
    template void quantizeCpu<Int>(const float *, Int *, std::int64_t, const LinearParams &);                          \
    template void quantizeChannelCpu<Int>(const float *, Int *, std::int64_t, const LinearChannelParams &);            \
    template void dequantizeCpu<Int>(const Int *, float *, std::int64_t, const LinearParams &);                        \
    template void dequantizeChannelCpu<Int>(const Int *, float *, std::int64_t, const LinearChannelParams &)

QL_INSTANTIATE(std::int8_t);
QL_INSTANTIATE(std::uint8_t);
QL_INSTANTIATE(std::int16_t);
QL_INSTANTIATE(std::uint16_t);
QL_INSTANTIATE(std::int32_t);

} // namespace ql::gpu
