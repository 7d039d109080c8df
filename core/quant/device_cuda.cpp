// NVIDIA GPUs: LibTorch's CUDA for the operators, gpu/ for quantization and statistics.
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

Error absent(const Text &message)
{
    return Error(ErrorKind::BadConfig, message);
}

const Text otherBuild = QL_TEXT("Use %1; or build for CUDA: scripts/get-libtorch FOLDER, then cmake --preset gpu "
                                "-DCMAKE_PREFIX_PATH=FOLDER/torch.")
                            .with(Text::option("--device cpu"));

#ifdef QL_WITH_CUDA

void check(c10::Device device)
{
    const int count = gpu::deviceCount();
    if (count == 0)
        throw absent(QL_TEXT("device '%1': no CUDA device is found on this machine").with(device.str()))
            .withRemedy(QL_TEXT("Use %2; or check that nvidia-smi lists a device, that its driver is new enough for "
                                "CUDA %1, and that CUDA_VISIBLE_DEVICES does not hide it.")
                            .with(CUDART_VERSION / 1000, Text::option("--device cpu")));
    if (device.index() >= count)
        throw absent(QL_TEXT("device '%1' does not exist; number of CUDA devices: %2").with(device.str(), count))
            .withRemedy(QL_TEXT("Use %2, or cuda:0 to cuda:%1.").with(count - 1, Text::option("--device cpu")));
    if (const int rc = gpu::deviceStatus(device.index()); rc != 0)
        throw absent(
            QL_TEXT("device '%1' cannot run this program's kernels: %2").with(device.str(), gpu::errorText(rc)))
            .withRemedy(QL_TEXT("Use %1; or build with -DTORCH_CUDA_ARCH_LIST=X.Y, the GPU's compute capability.")
                            .with(Text::option("--device cpu")));
    if (!at::hasCUDA())
        throw absent(QL_TEXT("device '%1': LibTorch %2 has no CUDA").with(device.str(), TORCH_VERSION))
            .withRemedy(otherBuild);
    at::globalContext().lazyInitDevice(c10::kCUDA); // freeMemory() uses an allocator that starts with the first tensor
}

/// Through page-locked memory, so that the copy runs asynchronously. LibTorch keeps that memory until the copy is
/// done, and reuses it.
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
    // Memory cached by LibTorch is free for it, too.
    return std::int64_t(free) + stats.reserved_bytes[all].current - stats.allocated_bytes[all].current;
}

const DeviceRegistrar deviceCudaRegistrar{
    "cuda", {c10::kCUDA, gpu::cudaKernels(), gpu::deviceCount, check, upload, stream, freeMemory}};

#else

void check(c10::Device device)
{
    throw absent(QL_TEXT("device '%1' is not available: this program is built with LibTorch %2 for the CPU")
                     .with(device.str(), TORCH_VERSION))
        .withRemedy(otherBuild);
}

const DeviceRegistrar deviceCudaRegistrar{
    "cuda",
    {c10::kCUDA, nullptr, [] { return 0; }, check, [](const at::Tensor &t, c10::Device) { return t; },
     [](c10::Device) -> gpu::Stream { return nullptr; }, [](c10::Device) { return std::int64_t(0); }}};

#endif

} // namespace

} // namespace ql
