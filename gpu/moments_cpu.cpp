#include "gpu/reduce.h"

#include "gpu/isa_clones.h"
#include "gpu/parallel.h"
#include "gpu/reduce_order.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ql::gpu {

namespace {

/// One chunk, in the order of reduce_order.h. Values that are not finite count as a difference of 0.
struct MomentsChunk
{
    static QL_INLINE Moments run(const float *x, std::int64_t n)
    {
        constexpr float most = std::numeric_limits<float>::max();
        Moments moments;
        alignas(64) double lanes[kLanes] = {};
        std::int32_t finite = 0;
        for (std::int64_t i = 0; i < n; ++i) finite += std::fabs(x[i]) <= most;
        moments.count = finite;
        moments.skipped = n - finite;
        std::int64_t i = 0;
        for (; i + kLanes <= n; i += kLanes)
            for (int l = 0; l < kLanes; ++l) lanes[l] += std::fabs(x[i + l]) <= most ? double(x[i + l]) : 0.0;
        for (int l = 0; i < n; ++i, ++l) lanes[l] += std::fabs(x[i]) <= most ? double(x[i]) : 0.0;
        if (finite == 0) return moments;
        const double mean = foldLanes(lanes) / double(finite);
        alignas(64) double m2[kLanes] = {}, m3[kLanes] = {}, m4[kLanes] = {};
        for (i = 0; i + kLanes <= n; i += kLanes) {
            for (int l = 0; l < kLanes; ++l) {
                const double d = std::fabs(x[i + l]) <= most ? double(x[i + l]) - mean : 0.0;
                const double square = d * d;
                m2[l] += square;
                m3[l] += square * d;
                m4[l] += square * square;
            }
        }
        for (int l = 0; i < n; ++i, ++l) {
            const double d = std::fabs(x[i]) <= most ? double(x[i]) - mean : 0.0;
            const double square = d * d;
            m2[l] += square;
            m3[l] += square * d;
            m4[l] += square * square;
        }
        moments.mean = mean;
        moments.m2 = foldLanes(m2);
        moments.m3 = foldLanes(m3);
        moments.m4 = foldLanes(m4);
        return moments;
    }
};

} // namespace

Moments momentsCpu(const float *x, std::int64_t n)
{
    std::vector<Moments> parts(std::size_t(chunkCount(n)));
    forBlocks(n, kChunk, [&](std::int64_t begin, std::int64_t end) {
        parts[std::size_t(begin / kChunk)] = dispatch<MomentsChunk>(x + begin, end - begin);
    });
    Moments all;
    for (const Moments &part : parts) all.merge(part);
    return all;
}

} // namespace ql::gpu
