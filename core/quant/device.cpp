#include "core/quant/device.h"

#include "core/base/error.h"
#include "core/base/memory.h"

#include <charconv>

namespace ql {

static const DeviceRegistrar cpuRegistrar{"cpu",
                                          {c10::kCPU, &gpu::cpuKernels(), [] { return 1; }, [](c10::Device) {},
                                           [](const at::Tensor &tensor, c10::Device) { return tensor; },
                                           [](c10::Device) -> gpu::Stream { return nullptr; },
                                           [](c10::Device) { return availableMemory(); }}};

c10::Device parseDevice(const std::string &text)
{
    const std::size_t colon = text.find(':');
    const DeviceBackend *backend = Registry<DeviceBackend>::instance().find(text.substr(0, colon));
    int number = 0;
    bool isNumber = true;
    if (colon != std::string::npos) {
        const char *begin = text.data() + colon + 1, *end = text.data() + text.size();
        const auto [stop, rc] = std::from_chars(begin, end, number);
        isNumber = rc == std::errc() && stop == end && number >= 0 && number < 100 && end - begin < 3;
    }
    if (!backend || !isNumber || (backend->type == c10::kCPU && colon != std::string::npos))
        throw Error(ErrorKind::BadConfig, QL_TEXT("device: expected cpu, cuda or cuda:N, got '%1'").with(text))
            .withRemedy(QL_TEXT("Allowed: cpu; cuda, the first GPU; cuda:1, the second one."));
    if (backend->type == c10::kCPU) return c10::Device(c10::kCPU);
    return c10::Device(backend->type, c10::DeviceIndex(number));
}

c10::Device requireDevice(const std::string &text)
{
    const c10::Device device = parseDevice(text);
    backendOf(device).check(device);
    return device;
}

std::vector<std::string> availableDevices()
{
    std::vector<std::string> devices{"cpu"};
    const auto &registry = Registry<DeviceBackend>::instance();
    for (const std::string &id : registry.ids())
        if (const DeviceBackend *backend = registry.find(id); backend->type != c10::kCPU)
            for (int i = 0; i < backend->count(); ++i) devices.push_back(id + ":" + std::to_string(i));
    return devices;
}

const DeviceBackend &backendOf(c10::Device device)
{
    const auto &registry = Registry<DeviceBackend>::instance();
    static const DeviceBackend &cpu = registry.at("cpu", "device");
    if (device.type() == c10::kCPU) return cpu;
    for (const std::string &id : registry.ids())
        if (const DeviceBackend *backend = registry.find(id); backend->type == device.type()) return *backend;
    throw Error(ErrorKind::Internal, QL_TEXT("no kernels for device %1").with(device.str()));
}

DeviceKernels kernelsFor(const at::Tensor &tensor)
{
    const c10::Device device = tensor.device();
    const DeviceBackend &backend = backendOf(device);
    if (!backend.kernels) throw Error(ErrorKind::Internal, QL_TEXT("no kernels for device %1").with(device.str()));
    return {backend.kernels, backend.stream(device)};
}

void checkKernel(int rc, const char *what)
{
    constexpr int outOfMemory = 2; // cudaErrorMemoryAllocation
    if (rc == 0) return;
    if (rc == outOfMemory)
        throw Error(ErrorKind::OutOfMemory, QL_TEXT("%1: not enough memory on the device").with(std::string(what)))
            .withRemedy(QL_TEXT("Use a smaller batch or input size."));
    throw Error(ErrorKind::Kernel, std::string(what) + ": " + gpu::errorText(rc))
        .withRemedy(QL_TEXT("Run again with %1; if that works, report this.").with(Text::option("--device cpu")));
}

at::Tensor toHost(const at::Tensor &tensor)
{
    // A sequence or a string has no storage; it is on the host with all its items.
    if (!tensor.defined() || tensor.device().is_cpu()) return tensor;
    return tensor.to(c10::kCPU);
}

at::Tensor toDevice(const at::Tensor &tensor, c10::Device device)
{
    if (!tensor.defined() || tensor.device() == device || tensor.scalar_type() == at::ScalarType::Undefined)
        return tensor;
    return tensor.device().is_cpu() ? backendOf(device).upload(tensor, device) : tensor.to(device);
}

} // namespace ql
