#pragma once

#include "gpu/host_device.h"
#include "gpu/isa.h"

// A kernel is a struct with one static QL_INLINE function run(). dispatch<Kernel>(args...) calls it compiled for the
// instruction set in use. Written out rather than with target_clones, because ifunc resolvers run before a sanitizer is
// ready, and because tests must be able to run every clone on one machine.
#if defined(__x86_64__) && defined(__GNUC__)
#define QL_CLONES 1
#define QL_TARGET_AVX2 __attribute__((target("avx2,fma")))
#ifdef __clang__
#define QL_TARGET_AVX512 __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw")))
#else
#define QL_TARGET_AVX512 __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,prefer-vector-width=512")))
#endif
#endif

// States that iterations are independent although input and output may be the same array.
#if defined(__clang__)
#define QL_IVDEP _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define QL_IVDEP _Pragma("GCC ivdep")
#else
#define QL_IVDEP
#endif

namespace ql::gpu {

#ifdef QL_CLONES
template <class Kernel, class... Args>
QL_TARGET_AVX512 auto cloneAvx512(Args... args)
{
    return Kernel::run(args...);
}

template <class Kernel, class... Args>
QL_TARGET_AVX2 auto cloneAvx2(Args... args)
{
    return Kernel::run(args...);
}
#endif

/// Arguments are copied into the clone: pass pointers and small structs.
template <class Kernel, class... Args>
auto dispatch(Args... args)
{
#ifdef QL_CLONES
    switch (currentIsa()) {
    case Isa::Avx512: return cloneAvx512<Kernel>(args...);
    case Isa::Avx2: return cloneAvx2<Kernel>(args...);
    case Isa::Baseline: break;
    }
#endif
    return Kernel::run(args...);
}

} // namespace ql::gpu
