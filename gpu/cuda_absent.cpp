#include "gpu/error.h"
#include "gpu/fake_quant.h"
#include "gpu/kernels.h"
#include "gpu/reduce.h"
#include "gpu/select.h"

// Replaces the .cu files in a build without nvcc, so that callers need no preprocessor.
namespace ql::gpu {

std::string errorText(int rc)
{
    switch (rc) {
    case Ok: return "no error";
    case NotBuilt: return "this program was built without CUDA";
    case InvalidArgument: return "a size, a range or a pointer that no kernel can work with";
    default: return "CUDA error " + std::to_string(rc);
    }
}

int deviceCount()
{
    return 0;
}

bool builtWithCuda()
{
    return false;
}

const Kernels *cudaKernels()
{
    return nullptr;
}

int deviceStatus(int)
{
    return NotBuilt;
}

int fakeQuantCuda(const float *, float *, std::int64_t, const LinearParams &, Stream)
{
    return NotBuilt;
}

int fakeQuantChannelCuda(const float *, float *, std::int64_t, const LinearChannelParams &, Stream)
{
    return NotBuilt;
}

int fakeQuantFloatCuda(const float *, float *, std::int64_t, const FloatParams &, Stream)
{
    return NotBuilt;
}

int fakeQuantFloatChannelCuda(const float *, float *, std::int64_t, const FloatChannelParams &, Stream)
{
    return NotBuilt;
}

int requantizeCuda(const float *, float *, std::int64_t, const RequantizeParams &, Stream)
{
    return NotBuilt;
}

template <class Int>
int quantizeCuda(const float *, Int *, std::int64_t, const LinearParams &, Stream)
{
    return NotBuilt;
}

template <class Int>
int quantizeChannelCuda(const float *, Int *, std::int64_t, const LinearChannelParams &, Stream)
{
    return NotBuilt;
}

template <class Int>
int dequantizeCuda(const Int *, float *, std::int64_t, const LinearParams &, Stream)
{
    return NotBuilt;
}

template <class Int>
int dequantizeChannelCuda(const Int *, float *, std::int64_t, const LinearChannelParams &, Stream)
{
    return NotBuilt;
}

#define QL_INSTANTIATE(Int)                                                                                            \
    template int quantizeCuda<Int>(const float *, Int *, std::int64_t, const LinearParams &, Stream);                  \
    template int quantizeChannelCuda<Int>(const float *, Int *, std::int64_t, const LinearChannelParams &, Stream);    \
    template int dequantizeCuda<Int>(const Int *, float *, std::int64_t, const LinearParams &, Stream);                \
    template int dequantizeChannelCuda<Int>(const Int *, float *, std::int64_t, const LinearChannelParams &, Stream)

QL_INSTANTIATE(std::int8_t);
QL_INSTANTIATE(std::uint8_t);
QL_INSTANTIATE(std::int16_t);
QL_INSTANTIATE(std::uint16_t);
QL_INSTANTIATE(std::int32_t);

int minMaxCuda(const float *, std::int64_t, MinMax *, Stream)
{
    return NotBuilt;
}

int minMaxChannelCuda(const float *, std::int64_t, std::int64_t, std::int64_t, float *, float *, std::int64_t *, Stream)
{
    return NotBuilt;
}

int histogramCuda(const float *, std::int64_t, float, float, int, std::int64_t *, Stream)
{
    return NotBuilt;
}

int histogramAbsCuda(const float *, std::int64_t, float, int, std::int64_t *, Stream)
{
    return NotBuilt;
}

int errorSumsCuda(const float *, const float *, std::int64_t, ErrorSums *, Stream)
{
    return NotBuilt;
}

int errorSumsRowsCuda(const float *, const float *, std::int64_t, std::int64_t, ErrorSums *, Stream)
{
    return NotBuilt;
}

int momentsCuda(const float *, std::int64_t, Moments *, Stream)
{
    return NotBuilt;
}

int selectCuda(const float *, std::int64_t, std::int64_t, bool, float *, Stream)
{
    return NotBuilt;
}

int fakeQuantBackwardCuda(const float *, const float *, float *, double *, std::int64_t, const LinearParams &, Stream)
{
    return NotBuilt;
}

int fakeQuantBackwardChannelCuda(const float *, const float *, float *, double *, std::int64_t,
                                 const LinearChannelParams &, Stream)
{
    return NotBuilt;
}

} // namespace ql::gpu
