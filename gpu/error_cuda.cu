#include "gpu/error.h"

#include "gpu/cuda_common.cuh"

namespace ql::gpu {

std::string errorText(int rc)
{
    switch (rc) {
    case Ok: return "no error";
    case NotBuilt: return "this program was built without CUDA";
    case InvalidArgument: return "a size, a range or a pointer that no kernel can work with";
    default: return cudaGetErrorString(static_cast<cudaError_t>(rc));
    }
}

int deviceCount()
{
    int count = 0;
    if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
    cudaGetLastError(); // the next call that checks for its own error must not find "no device"
    return 0;
}

bool builtWithCuda()
{
    return true;
}

} // namespace ql::gpu
