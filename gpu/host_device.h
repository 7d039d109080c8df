#pragma once

// Functions marked QL_HD run on the CPU and, under nvcc, on the device. QL_INLINE makes the CPU's loop kernels use the
// instruction set of the clone into which they are inlined (see isa_clones.h).
#ifdef __CUDACC__
#define QL_HD __host__ __device__
#else
#define QL_HD
#endif
#define QL_INLINE inline __attribute__((always_inline))
