#include "core/exec/runtime.h"

#include <ATen/Context.h>
#include <malloc.h>

namespace ql {

/// Blocks allocated outside of programs (weights, samples), and those too large for their arenas, are megabytes in
/// size. With glibc's defaults each is mapped and unmapped, and the page faults cost as much as the arithmetic: keep
/// them in the heap instead.
static void keepLargeBlocks()
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 29);
    mallopt(M_TOP_PAD, 64 << 20);
    mallopt(M_ARENA_MAX, 1); // a heap per thread would keep such blocks for each
#endif
}

/// Float32 as on the CPU, and the same bits in each run: TensorFloat-32 has 10 bits of mantissa, and selecting
/// algorithms by timing may select another one next time.
static void computeFloat32OnGpus()
{
    at::Context &context = at::globalContext();
    context.setAllowTF32CuDNN(false);
    context.setAllowTF32CuBLAS(false);
    context.setBenchmarkCuDNN(false);
    context.setDeterministicCuDNN(true);
}

Runtime::Runtime()
{
    keepLargeBlocks();
    computeFloat32OnGpus();
}

} // namespace ql
