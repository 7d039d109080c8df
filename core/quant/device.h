#pragma once

#include "core/base/registry.h"
#include "gpu/kernels.h"

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ql {

/// A kind of device for tensors and computation: "cpu", "cuda". Plug-ins and tests may register others.
struct DeviceBackend
{
    static constexpr const char *kindName = "device";
    c10::DeviceType type = c10::kCPU;
    /// Our own kernels for its tensors; nullptr in a build without them, for which check() throws.
    const gpu::Kernels *kernels = nullptr;
    /// Number of such devices on this machine.
    std::function<int()> count;
    /// @throws Error (BadConfig) with a remedy if this program or this machine has no such device.
    std::function<void(c10::Device)> check;
    /// A copy of a CPU tensor on the device; may still be in progress on the current stream on return.
    std::function<at::Tensor(const at::Tensor &, c10::Device)> upload;
    /// The stream of our kernels: LibTorch's current stream.
    std::function<gpu::Stream(c10::Device)> stream;
    /// Bytes that can be allocated there now.
    std::function<std::int64_t(c10::Device)> freeMemory;
};
using DeviceRegistrar = Registrar<DeviceBackend>;

/// "cpu", "cuda" (the first one) or "cuda:N". @throws Error (BadConfig) for anything else.
c10::Device parseDevice(const std::string &text);
/// parseDevice for a device that this program can use now. @throws Error (BadConfig) saying what is missing.
c10::Device requireDevice(const std::string &text);

/// The devices on this machine, as accepted by parseDevice: "cpu", "cuda:0", "cuda:1".
std::vector<std::string> availableDevices();

const DeviceBackend &backendOf(c10::Device device);

/// The kernels for tensors of one device, with their stream. That device must be the current one when they are called
/// (c10::DeviceGuard; programs set it for their probes).
struct DeviceKernels
{
    const gpu::Kernels *kernels = nullptr;
    gpu::Stream stream = nullptr;
};
DeviceKernels kernelsFor(const at::Tensor &tensor);
/// @throws Error (Kernel, OutOfMemory) if rc, the return value of one of our kernels, is not 0.
void checkKernel(int rc, const char *what);

/// tensor on the CPU (itself if it is already there); sequences with their items.
at::Tensor toHost(const at::Tensor &tensor);
/// tensor on device; non-numeric values stay where they are.
at::Tensor toDevice(const at::Tensor &tensor, c10::Device device);

} // namespace ql
