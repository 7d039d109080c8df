#pragma once

#include <algorithm>
#include <cstdint>

namespace ql::gpu {

/// Fewer elements than this are processed by the calling thread: waking a team costs about as much as 64k elements.
constexpr std::int64_t kParallelElements = 1 << 16;

/// Elements of one piece of work: input and output together stay in a core's second-level cache.
constexpr std::int64_t kBlock = 1 << 14;

/// Calls f(begin, end) for pieces of at most `block` of [0, n), on all threads if `n` elements are worth it. f must
/// not throw. @param block pieces are [0, block), [block, 2 block), ... for any number of threads.
template <class F>
void forBlocks(std::int64_t n, std::int64_t block, const F &f)
{
    const std::int64_t blocks = (n + block - 1) / block;
#pragma omp parallel for schedule(static) if (n >= kParallelElements && blocks > 1)
    for (std::int64_t b = 0; b < blocks; ++b) f(b * block, std::min(n, (b + 1) * block));
}

} // namespace ql::gpu
