// NVIDIA graphics cards: LibTorch's CUDA for the operators, gpu/ for quantization and statistics.
#include "core/base/error.h"
#include "core/quant/device.h"

#include <ATen/Context.h>
#include <torch/version.h>

#ifdef QL_WITH_CUDA
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <cuda_runtime_api.h>
#endif

namespace ql {

namespace {

Error absent(const std::string &message)
{
    return Error(ErrorKind::BadConfig, message);
}

constexpr const char *otherBuild = "Use --device cpu; or build for CUDA: scripts/get-libtorch FOLDER, then "
                                   "cmake --preset gpu -DCMAKE_PREFIX_PATH=FOLDER/torch.";

#ifdef QL_WITH_CUDA

void check(c10::Device device)
{
    const int count = gpu::deviceCount();
    if (count == 0)
        throw absent("device '" + device.str() + "': no CUDA device is found on this machine")
            .withRemedy("Use --device cpu; or look whether nvidia-smi lists a device and its driver is new enough "
                        "for CUDA " +
                        std::to_string(CUDART_VERSION / 1000) + ", and CUDA_VISIBLE_DEVICES does not hide it.");
    if (device.index() >= count)
        throw absent("device '" + device.str() + "': this machine has " + std::to_string(count) + " CUDA device(s)")
            .withRemedy("Use --device cpu, or cuda:0 to cuda:" + std::to_string(count - 1) + ".");
    if (const int rc = gpu::deviceStatus(device.index()); rc != 0)
        throw absent("device '" + device.str() + "' cannot run this program's kernels: " + gpu::errorText(rc))
            .withRemedy("Use --device cpu; or build with -DTORCH_CUDA_ARCH_LIST=X.Y, the card's compute capability.");
    if (!at::hasCUDA())
        throw absent("device '" + device.str() + "': LibTorch " + TORCH_VERSION + " has no CUDA")
            .withRemedy(otherBuild);
    at::globalContext().lazyInitDevice(c10::kCUDA); // freeMemory() asks an allocator that starts with the first tensor
}

/// Through page-locked memory, so that the copy runs while the host goes on. LibTorch keeps that memory until the copy
/// is done, and reuses it.
at::Tensor upload(const at::Tensor &tensor, c10::Device device)
{
    return tensor.pin_memory().to(device, tensor.scalar_type(), true);
}

gpu::Stream stream(c10::Device device)
{
    return c10::cuda::getCurrentCUDAStream(device.index()).stream();
}

std::int64_t freeMemory(c10::Device device)
{
    const c10::cuda::CUDAGuard guard(device);
    std::size_t free = 0, total = 0;
    if (cudaMemGetInfo(&free, &total) != cudaSuccess) return 0;
    const auto stats = c10::cuda::CUDACachingAllocator::getDeviceStats(device.index());
    constexpr std::size_t all = 0; // of the statistics by size of block
    // What LibTorch holds back for later is free for it, too.
    return std::int64_t(free) + stats.reserved_bytes[all].current - stats.allocated_bytes[all].current;
}

const DeviceRegistrar deviceCudaRegistrar{
    "cuda", {c10::kCUDA, gpu::cudaKernels(), gpu::deviceCount, check, upload, stream, freeMemory}};

#else

void check(c10::Device device)
{
    throw absent("device '" + device.str() + "' is not available: this program is built with LibTorch " +
                 TORCH_VERSION + " for the CPU")
        .withRemedy(otherBuild);
}

const DeviceRegistrar deviceCudaRegistrar{
    "cuda",
    {c10::kCUDA, nullptr, [] { return 0; }, check, [](const at::Tensor &t, c10::Device) { return t; },
     [](c10::Device) -> gpu::Stream { return nullptr; }, [](c10::Device) { return std::int64_t(0); }}};

#endif

} // namespace

} // namespace ql
