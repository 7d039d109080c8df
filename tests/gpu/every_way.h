#pragma once

#include "gpu/isa.h"

#include <omp.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace ql::gpu {

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// The sum in the order that gpu/reduce_order.h describes, in its own words: chunks of 4096, 32 lanes in each, folded
/// in halves, and the chunks summed the same way.
inline double orderedSum(const std::vector<double> &terms)
{
    const auto chunkSum = [](const double *values, std::size_t count) {
        std::vector<double> lanes(32, 0.0);
        for (std::size_t i = 0; i < count; ++i) lanes[i % 32] += values[i];
        while (lanes.size() > 1) {
            const std::size_t half = lanes.size() / 2;
            for (std::size_t l = 0; l < half; ++l) lanes[l] += lanes[l + half];
            lanes.resize(half);
        }
        return lanes[0];
    };
    std::vector<double> chunks;
    for (std::size_t begin = 0; begin < terms.size(); begin += 4096)
        chunks.push_back(chunkSum(terms.data() + begin, std::min<std::size_t>(4096, terms.size() - begin)));
    return chunkSum(chunks.data(), chunks.size());
}

/// Runs f for every clone, then for two and five threads.
template <class F>
void everyWay(const F &f)
{
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    for (const Isa isa : {Isa::Baseline, Isa::Avx2, Isa::Avx512}) {
        if (isa > bestIsa()) continue;
        useIsa(isa);
        f();
    }
    for (const int count : {2, 5}) {
        omp_set_num_threads(count);
        f();
    }
    omp_set_num_threads(threads);
}

} // namespace ql::gpu
