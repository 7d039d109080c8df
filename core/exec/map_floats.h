#pragma once

#include "gpu/isa_clones.h"

#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty_like.h>
#include <cstdint>

namespace ql {

template <class Function>
struct MappedFloats
{
    static QL_INLINE void run(Function function, const float *x, float *y, std::int64_t count)
    {
        QL_IVDEP
        for (std::int64_t i = 0; i < count; ++i) y[i] = function(x[i]);
    }
};

/// function(value) of each element of x, float32, with the vectors of the processor and in parallel. function has a
/// QL_INLINE operator()(float).
template <class Function>
at::Tensor mapFloats(const at::Tensor &x, Function function)
{
    constexpr std::int64_t grain = 4096;
    const at::Tensor from = x.is_non_overlapping_and_dense() ? x : x.contiguous();
    at::Tensor y = at::empty_like(from);
    const float *in = from.data_ptr<float>();
    float *out = y.data_ptr<float>();
    at::parallel_for(0, from.numel(), grain, [&](std::int64_t begin, std::int64_t end) {
        gpu::dispatch<MappedFloats<Function>>(function, in + begin, out + begin, end - begin);
    });
    return y;
}

} // namespace ql
