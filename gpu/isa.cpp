#include "gpu/isa.h"

#include <algorithm>
#include <atomic>

namespace ql::gpu {

namespace {

Isa detect()
{
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw"))
        return Isa::Avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return Isa::Avx2;
#endif
    return Isa::Baseline;
}

std::atomic<Isa> &current()
{
    static std::atomic<Isa> value{bestIsa()};
    return value;
}

} // namespace

Isa bestIsa()
{
    static const Isa best = detect();
    return best;
}

Isa currentIsa()
{
    return current().load(std::memory_order_relaxed);
}

void useIsa(Isa isa)
{
    current().store(std::min(isa, bestIsa()), std::memory_order_relaxed);
}

const char *toString(Isa isa)
{
    switch (isa) {
    case Isa::Baseline: return "baseline";
    case Isa::Avx2: return "avx2";
    case Isa::Avx512: return "avx512";
    }
    return "unknown";
}

} // namespace ql::gpu
