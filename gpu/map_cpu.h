#pragma once

#include "gpu/fake_quant_scalar.h"
#include "gpu/isa_clones.h"
#include "gpu/parallel.h"

#include <algorithm>
#include <cstdint>
#include <vector>

// Loops y[i] = op(x[i], scale, zero point) over floats, for one scale and for one scale per channel.
namespace ql::gpu {

/// Below this channelStride a run of one channel is too short for a separate loop: the scales are laid out per element
/// in a table instead, unless that table would be longer than kLongestTable.
constexpr std::int64_t kShortRun = 16;
constexpr std::int64_t kLongestTable = 1 << 16;
constexpr std::int64_t kShortestTable = 1 << 10;

/// The channels of an array; zeroPoint null: all 0.
struct Channels
{
    const float *scale;
    const std::int32_t *zeroPoint;
    std::int64_t count, stride;
};

/// @returns true if per-element tables are better than a separate loop for each run of a channel.
inline bool wantsTable(std::int64_t channels, std::int64_t stride)
{
    return stride < kShortRun && channels * stride <= kLongestTable;
}

/// @returns the length of that table: a multiple of channels * stride.
inline std::int64_t tablePeriod(std::int64_t channels, std::int64_t stride)
{
    const std::int64_t period = channels * stride;
    return period * std::max<std::int64_t>(1, (kShortestTable + period - 1) / period);
}

template <class Op>
struct MapTensor
{
    static QL_INLINE void run(const float *x, float *y, std::int64_t n, Op op, float s, float z)
    {
        QL_IVDEP
        for (std::int64_t i = 0; i < n; ++i) y[i] = op(x[i], s, z);
    }
};

template <class Op>
struct MapRows
{
    static QL_INLINE void run(const float *x, float *y, std::int64_t begin, std::int64_t end, Op op, Channels channels)
    {
        std::int64_t row = begin / channels.stride;
        std::int64_t c = row % channels.count;
        for (std::int64_t i = begin; i < end; ++row) {
            const std::int64_t stop = std::min(end, (row + 1) * channels.stride);
            const float s = channels.scale[c];
            const float z = channels.zeroPoint ? float(channels.zeroPoint[c]) : 0.f;
            MapTensor<Op>::run(x + (i - begin), y + (i - begin), stop - i, op, s, z);
            i = stop;
            c = c + 1 == channels.count ? 0 : c + 1;
        }
    }
};

template <class Op>
struct MapTable
{
    static QL_INLINE void run(const float *x, float *y, std::int64_t begin, std::int64_t end, Op op, const float *scale,
                              const float *zero, std::int64_t period)
    {
        std::int64_t at = begin % period;
        for (std::int64_t i = begin; i < end;) {
            const std::int64_t length = std::min(end - i, period - at);
            const float *px = x + (i - begin), *ps = scale + at, *pz = zero + at;
            float *py = y + (i - begin);
            QL_IVDEP
            for (std::int64_t j = 0; j < length; ++j) py[j] = op(px[j], ps[j], pz[j]);
            i += length;
            at = 0;
        }
    }
};

/// Scale and zero point of every element of one period.
struct ChannelTable
{
    std::vector<float> scale, zero;
    std::int64_t period;

    explicit ChannelTable(const Channels &channels) : period(tablePeriod(channels.count, channels.stride))
    {
        scale.resize(std::size_t(period));
        zero.resize(std::size_t(period));
        std::int64_t at = 0;
        while (at < period) {
            for (std::int64_t c = 0; c < channels.count; ++c) {
                const float z = channels.zeroPoint ? float(channels.zeroPoint[c]) : 0.f;
                for (std::int64_t k = 0; k < channels.stride; ++k, ++at) {
                    scale[std::size_t(at)] = channels.scale[c];
                    zero[std::size_t(at)] = z;
                }
            }
        }
    }
};

/// Calls body(map) with map(x, y, begin, end), which fills y for the elements [begin, end) of the whole array; x and y
/// point at element `begin`.
template <class Op, class Body>
void withTensorMap(Op op, float scale, float zero, const Body &body)
{
    body([=](const float *x, float *y, std::int64_t begin, std::int64_t end) {
        dispatch<MapTensor<Op>>(x, y, end - begin, op, scale, zero);
    });
}

template <class Op, class Body>
void withChannelMap(Op op, const Channels &channels, const Body &body)
{
    if (channels.count < 1 || channels.stride < 1) return; // an empty array has no channels
    if (channels.count == 1) {
        withTensorMap(op, channels.scale[0], channels.zeroPoint ? float(channels.zeroPoint[0]) : 0.f, body);
    } else if (wantsTable(channels.count, channels.stride)) {
        const ChannelTable table(channels);
        body([&](const float *x, float *y, std::int64_t begin, std::int64_t end) {
            dispatch<MapTable<Op>>(x, y, begin, end, op, table.scale.data(), table.zero.data(), table.period);
        });
    } else {
        body([&](const float *x, float *y, std::int64_t begin, std::int64_t end) {
            dispatch<MapRows<Op>>(x, y, begin, end, op, channels);
        });
    }
}

} // namespace ql::gpu
