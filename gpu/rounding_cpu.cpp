#include "gpu/rounding.h"

#include "gpu/isa_clones.h"
#include "gpu/parallel.h"

#include <cmath>

namespace ql::gpu {

namespace {

constexpr float kStretch = 1.2f, kShift = -0.1f;

struct SoftForward
{
    static QL_INLINE void run(const float *sigmoid, float *y, std::int64_t n, SoftRounding p)
    {
        QL_IVDEP
        for (std::int64_t i = 0; i < n; ++i) {
            const float stretched = sigmoid[i] * kStretch + kShift;
            const float h = stretched < 0.f ? 0.f : stretched > 1.f ? 1.f : stretched;
            const float code = p.low[i] + h;
            const float inside = code < p.lowest[i] ? p.lowest[i] : code > p.highest[i] ? p.highest[i] : code;
            y[i] = inside * p.scale[i];
        }
    }
};

struct SoftBackward
{
    static QL_INLINE void run(const float *sigmoid, const float *dy, float *dv, std::int64_t n, SoftRounding p,
                              float penalty, int exponent)
    {
        QL_IVDEP
        for (std::int64_t i = 0; i < n; ++i) {
            const float h = sigmoid[i] * kStretch + kShift;
            const float code = p.low[i] + h;
            const bool moves = h > 0.f && h < 1.f; // otherwise v has no influence
            const float byCode = code >= p.lowest[i] && code <= p.highest[i] ? dy[i] * p.scale[i] : 0.f;
            const float side = 2.f * h - 1.f;
            float base = std::fabs(side), power = 1.f;
            base = base < 0.02f ? 0.02f : base; // no powers of subnormal size
            for (int bit = 0; bit < 5; ++bit) {
                power *= (exponent >> bit & 1) != 0 ? base : 1.f;
                base *= base;
            }
            const float byPenalty = -2.f * penalty * float(exponent + 1) * (side < 0.f ? -power : power);
            const float slope = kStretch * sigmoid[i] * (1.f - sigmoid[i]);
            dv[i] = moves ? (byCode + byPenalty) * slope : 0.f;
        }
    }
};

SoftRounding from(const SoftRounding &p, std::int64_t begin)
{
    return {p.low + begin, p.lowest + begin, p.highest + begin, p.scale + begin};
}

} // namespace

void softRoundCpu(const float *sigmoid, float *y, std::int64_t n, const SoftRounding &p)
{
    forBlocks(n, kBlock, [&](std::int64_t begin, std::int64_t end) {
        dispatch<SoftForward>(sigmoid + begin, y + begin, end - begin, from(p, begin));
    });
}

void softRoundBackwardCpu(const float *sigmoid, const float *dy, float *dv, std::int64_t n, const SoftRounding &p,
                          float penalty, int sharpness)
{
    forBlocks(n, kBlock, [&](std::int64_t begin, std::int64_t end) {
        dispatch<SoftBackward>(sigmoid + begin, dy + begin, dv + begin, end - begin, from(p, begin), penalty,
                               sharpness - 1);
    });
}

} // namespace ql::gpu
