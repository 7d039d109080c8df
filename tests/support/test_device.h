#pragma once

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/quant/device.h"

#include <ATen/EmptyTensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/unfold_native.h>
#include <ATen/ops/view_native.h>
#include <c10/core/Allocator.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <torch/library.h>
#include <torch/version.h>

#include <cerrno>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <sys/mman.h>
#include <vector>

// A device for tests of device execution on machines without one: "test" in ExecOptions and recipes. Host code cannot
// access its memory: a kernel that reads a tensor there through data_ptr crashes, as it would on a GPU. LibTorch's
// functions and our kernels unlock it while they run; they compute on the CPU. As on a GPU, tensors of the device and
// of the host do not mix, except single numbers.
//
// Include it in one source of a program.
namespace ql::test {

#if TORCH_VERSION_MAJOR >= 2
template <class T>
using MaybeOf = std::optional<T>;
#define QL_ALLOCATE_CONST
#else
template <class T>
using MaybeOf = c10::optional<T>;
#define QL_ALLOCATE_CONST const
#endif

/// The memory of the device, locked but for those who open it.
class DeviceMemory
{
public:
    static DeviceMemory &instance()
    {
        static auto *memory = new DeviceMemory; // tensors may be freed at exit
        return *memory;
    }
    void *take(std::size_t bytes)
    {
        const std::size_t size = (std::max<std::size_t>(bytes, 1) + page - 1) / page * page;
        void *block = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        TORCH_CHECK(block != MAP_FAILED, "test device: out of memory");
        const std::lock_guard lock(m_mutex);
        m_blocks[reinterpret_cast<std::uintptr_t>(block)] = {size, 0};
        return block;
    }
    void give(void *block)
    {
        const std::lock_guard lock(m_mutex);
        const auto it = m_blocks.find(reinterpret_cast<std::uintptr_t>(block));
        munmap(block, it->second.size);
        m_blocks.erase(it);
    }
    void open(const void *address, int by)
    {
        const auto at = reinterpret_cast<std::uintptr_t>(address);
        const std::lock_guard lock(m_mutex);
        auto it = m_blocks.upper_bound(at);
        if (it == m_blocks.begin()) return;
        --it;
        if (at >= it->first + it->second.size) return; // of the host
        const int before = it->second.users;
        it->second.users += by;
        if ((before > 0) == (it->second.users > 0)) return;
        mprotect(reinterpret_cast<void *>(it->first), it->second.size,
                 it->second.users > 0 ? PROT_READ | PROT_WRITE : PROT_NONE);
    }

private:
    struct Block
    {
        std::size_t size = 0;
        int users = 0;
    };
    static constexpr std::size_t page = 4096;
    std::mutex m_mutex;
    std::map<std::uintptr_t, Block> m_blocks;
};

/// Opens the memory that the addresses lie in, while it lives.
class Opened
{
public:
    explicit Opened(std::vector<const void *> addresses) : m_addresses(std::move(addresses))
    {
        for (const void *address : m_addresses) DeviceMemory::instance().open(address, 1);
    }
    ~Opened()
    {
        for (const void *address : m_addresses) DeviceMemory::instance().open(address, -1);
    }
    Opened(const Opened &) = delete;
    Opened &operator=(const Opened &) = delete;

private:
    std::vector<const void *> m_addresses;
};

struct DeviceAllocator final : c10::Allocator
{
    c10::DataPtr allocate(std::size_t bytes) QL_ALLOCATE_CONST override
    {
        void *block = DeviceMemory::instance().take(bytes);
        return {block, block, &release, c10::Device(c10::DeviceType::PrivateUse1, 0)};
    }
    c10::DeleterFnPtr raw_deleter() const override { return &release; }
#if TORCH_VERSION_MAJOR >= 2
    void copy_data(void *to, const void *from, std::size_t bytes) const override
    {
        const Opened opened({to, from});
        std::memcpy(to, from, bytes);
    }
#endif
    static void release(void *block)
    {
        DeviceMemory::instance().give(block);
    }
    static DeviceAllocator &instance()
    {
        static DeviceAllocator allocator;
        return allocator;
    }
};

inline bool isThere(const at::Tensor &tensor)
{
    return tensor.defined() && tensor.device().type() == c10::DeviceType::PrivateUse1;
}

/// The same memory as a tensor of the CPU; only to be used while it is open.
inline at::Tensor aliasOf(const at::Tensor &tensor)
{
    return at::from_blob(tensor.data_ptr(), tensor.sizes(), tensor.strides(), at::TensorOptions(tensor.scalar_type()));
}

inline at::Tensor emptyThere(at::IntArrayRef sizes, at::ScalarType type)
{
    return at::detail::empty_generic(sizes, &DeviceAllocator::instance(),
                                     c10::DispatchKeySet(c10::DispatchKey::PrivateUse1), type, {});
}

inline at::Tensor emptyStridedThere(at::IntArrayRef sizes, at::IntArrayRef strides, at::ScalarType type)
{
    return at::detail::empty_strided_generic(sizes, strides, &DeviceAllocator::instance(),
                                             c10::DispatchKeySet(c10::DispatchKey::PrivateUse1), type);
}

/// A new tensor there with the values and the layout of a tensor of the CPU.
inline at::Tensor sent(const at::Tensor &tensor)
{
    at::Tensor there = emptyStridedThere(tensor.sizes(), tensor.strides(), tensor.scalar_type());
    const Opened opened({there.data_ptr()});
    aliasOf(there).copy_(tensor);
    return there;
}

/// Any function of LibTorch: called with tensors of the CPU that share the memory of those on the device.
inline void callOnHost(const c10::OperatorHandle &op, torch::jit::Stack *stack)
{
    const auto &schema = op.schema();
    const std::size_t count = schema.arguments().size();
    const std::size_t first = stack->size() - count;
    std::vector<at::Tensor> originals, aliases;
    std::vector<const void *> addresses;
    bool fromHost = false;
    const auto replaced = [&](const at::Tensor &tensor, bool isWritten) {
        if (!tensor.defined()) return tensor;
        if (!isThere(tensor)) {
            fromHost = fromHost || tensor.dim() > 0;
            return tensor;
        }
        // An output may have to grow
        const bool isOpenEnded = isWritten && tensor.numel() == 0;
        addresses.push_back(tensor.data_ptr());
        originals.push_back(tensor);
        aliases.push_back(isOpenEnded ? at::detail::empty_cpu(tensor.sizes(), tensor.scalar_type()) : aliasOf(tensor));
        return aliases.back();
    };
    for (std::size_t i = 0; i < count; ++i) {
        c10::IValue &value = (*stack)[first + i];
        const auto *alias = schema.arguments()[i].alias_info();
        const bool isWritten = alias && alias->isWrite();
        if (value.isTensor()) {
            value = replaced(value.toTensor(), isWritten);
        } else if (value.isTensorList()) {
            c10::List<at::Tensor> list;
            for (const at::Tensor &item : value.toTensorVector()) list.push_back(replaced(item, isWritten));
            value = list;
        } else if (value.isOptionalTensorList()) {
            c10::List<MaybeOf<at::Tensor>> list;
            for (const auto &item : value.toOptionalTensorVector())
                list.push_back(item ? MaybeOf<at::Tensor>(replaced(*item, false)) : MaybeOf<at::Tensor>());
            value = list;
        } else if (value.isDevice()) {
            value = c10::Device(c10::kCPU);
        }
    }
    TORCH_CHECK(!fromHost || originals.empty(), "Expected all tensors to be on the same device: ", schema.name());
    {
        const Opened opened(addresses);
        op.callBoxed(stack);
    }
    const auto returned = [&](const at::Tensor &tensor) -> at::Tensor {
        if (!tensor.defined()) return tensor;
        for (std::size_t i = 0; i < aliases.size(); ++i) {
            if (!tensor.is_same(aliases[i])) continue;
            if (originals[i].sizes() != tensor.sizes()) {
                const at::Tensor grown = sent(tensor);
                auto *impl = originals[i].unsafeGetTensorImpl();
                impl->set_storage_keep_dtype(grown.storage());
                impl->set_sizes_and_strides(grown.sizes(), grown.strides());
            }
            return originals[i];
        }
        // A copy would not see writes to the view. Such functions need a separate line below.
        for (const at::Tensor &alias : aliases)
            TORCH_CHECK(tensor.numel() == 0 || !tensor.is_alias_of(alias), "test device: a view by ", schema.name());
        return sent(tensor);
    };
    const std::size_t results = schema.returns().size();
    for (std::size_t i = stack->size() - results; i < stack->size(); ++i) {
        c10::IValue &value = (*stack)[i];
        if (value.isTensor()) {
            value = returned(value.toTensor());
        } else if (value.isTensorList()) {
            c10::List<at::Tensor> list;
            for (const at::Tensor &item : value.toTensorVector()) list.push_back(returned(item));
            value = list;
        }
    }
}

inline at::Tensor emptyFunction(at::IntArrayRef sizes, MaybeOf<at::ScalarType> type, MaybeOf<at::Layout>,
                                MaybeOf<at::Device>, MaybeOf<bool>, MaybeOf<at::MemoryFormat> format)
{
    return at::detail::empty_generic(sizes, &DeviceAllocator::instance(),
                                     c10::DispatchKeySet(c10::DispatchKey::PrivateUse1), type.value_or(at::kFloat),
                                     format);
}

inline at::Tensor emptyStridedFunction(at::IntArrayRef sizes, at::IntArrayRef strides, MaybeOf<at::ScalarType> type,
                                       MaybeOf<at::Layout>, MaybeOf<at::Device>, MaybeOf<bool>)
{
    return emptyStridedThere(sizes, strides, type.value_or(at::kFloat));
}

inline at::Tensor copyFunction(const at::Tensor &from, const at::Tensor &to, bool)
{
    const Opened opened({from.data_ptr(), to.data_ptr()});
    (isThere(to) ? aliasOf(to) : to).copy_(isThere(from) ? aliasOf(from) : from);
    return to;
}

inline const at::Tensor &resizeFunction(const at::Tensor &self, at::IntArrayRef sizes, MaybeOf<at::MemoryFormat>)
{
    const at::Tensor grown = emptyThere(sizes, self.scalar_type());
    self.unsafeGetTensorImpl()->set_storage_keep_dtype(grown.storage());
    self.unsafeGetTensorImpl()->set_sizes_and_strides(grown.sizes(), grown.strides());
    return self;
}

inline at::Tensor asStridedFunction(const at::Tensor &self, at::IntArrayRef sizes, at::IntArrayRef strides,
                                    MaybeOf<std::int64_t> offset)
{
    return at::native::as_strided_tensorimpl(self, sizes, strides, offset);
}

TORCH_LIBRARY_IMPL(_, PrivateUse1, m)
{
    m.fallback(torch::CppFunction::makeFromBoxedFunction<&callOnHost>());
}

TORCH_LIBRARY_IMPL(aten, PrivateUse1, m)
{
    m.impl("empty.memory_format", &emptyFunction);
    m.impl("empty_strided", &emptyStridedFunction);
    m.impl("_copy_from", &copyFunction);
    m.impl("resize_", &resizeFunction);
    m.impl("as_strided", &asStridedFunction);
    m.impl("unfold", &at::native::unfold);
    m.impl("view", &at::native::view);
    m.impl("_reshape_alias", [](const at::Tensor &self, at::IntArrayRef sizes, at::IntArrayRef strides) {
        return at::native::_reshape_alias(self, sizes, strides);
    });
    // Has a kernel for all devices that then looks for a backend.
    m.impl("convolution", torch::CppFunction::makeFromBoxedFunction<&callOnHost>());
}

struct DeviceGuard final : c10::impl::DeviceGuardImplInterface
{
    static constexpr c10::DeviceType there = c10::DeviceType::PrivateUse1;
    c10::DeviceType type() const override { return there; }
    c10::Device exchangeDevice(c10::Device) const override { return c10::Device(there, 0); }
    c10::Device getDevice() const override { return c10::Device(there, 0); }
    void setDevice(c10::Device) const override {}
    void uncheckedSetDevice(c10::Device) const noexcept override {}
    c10::Stream getStream(c10::Device device) const noexcept override
    {
        return c10::Stream(c10::Stream::DEFAULT, device);
    }
    c10::Stream exchangeStream(c10::Stream stream) const noexcept override { return stream; }
    c10::DeviceIndex deviceCount() const noexcept override { return 1; }
};
inline const c10::impl::DeviceGuardImplRegistrar guardRegistrar{c10::DeviceType::PrivateUse1, new DeviceGuard};

/// Our kernels with the device's memory open.
inline const gpu::Kernels &openingKernels()
{
    using gpu::cpuKernels, gpu::Stream;
    static constexpr gpu::Kernels table{
        [](const float *x, float *y, std::int64_t n, const gpu::LinearParams &p, Stream s) {
            const Opened opened({x, y});
            return cpuKernels().fakeQuant(x, y, n, p, s);
        },
        [](const float *x, float *y, std::int64_t n, const gpu::LinearChannelParams &p, Stream s) {
            const Opened opened({x, y});
            return cpuKernels().fakeQuantChannel(x, y, n, p, s);
        },
        [](const float *x, float *y, std::int64_t n, const gpu::FloatParams &p, Stream s) {
            const Opened opened({x, y});
            return cpuKernels().fakeQuantFloat(x, y, n, p, s);
        },
        [](const float *x, float *y, std::int64_t n, const gpu::FloatChannelParams &p, Stream s) {
            const Opened opened({x, y});
            return cpuKernels().fakeQuantFloatChannel(x, y, n, p, s);
        },
        [](const float *x, const float *dy, float *dx, double *ds, std::int64_t n, const gpu::LinearParams &p,
           Stream s) {
            const Opened opened({x, dy, dx});
            return cpuKernels().fakeQuantBackward(x, dy, dx, ds, n, p, s);
        },
        [](const float *x, const float *dy, float *dx, double *ds, std::int64_t n, const gpu::LinearChannelParams &p,
           Stream s) {
            const Opened opened({x, dy, dx});
            return cpuKernels().fakeQuantBackwardChannel(x, dy, dx, ds, n, p, s);
        },
        [](const float *x, std::int64_t n, gpu::MinMax *range, Stream s) {
            const Opened opened({x});
            return cpuKernels().minMax(x, n, range, s);
        },
        [](const float *x, std::int64_t n, std::int64_t channels, std::int64_t stride, float *mins, float *maxs,
           std::int64_t *nanCount, Stream s) {
            const Opened opened({x});
            return cpuKernels().minMaxChannel(x, n, channels, stride, mins, maxs, nanCount, s);
        },
        [](const float *x, std::int64_t n, float lo, float hi, int bins, std::int64_t *counts, Stream s) {
            const Opened opened({x});
            return cpuKernels().histogram(x, n, lo, hi, bins, counts, s);
        },
        [](const float *x, std::int64_t n, float hi, int bins, std::int64_t *counts, Stream s) {
            const Opened opened({x});
            return cpuKernels().histogramAbs(x, n, hi, bins, counts, s);
        },
        [](const float *x, std::int64_t n, double p, gpu::Tails *tails, Stream s) {
            const Opened opened({x});
            return cpuKernels().tails(x, n, p, tails, s);
        },
        [](const float *x, std::int64_t n, gpu::TailStore *store, Stream s) {
            const Opened opened({x});
            return cpuKernels().addTails(x, n, store, s);
        },
        [](const float *a, const float *b, std::int64_t rows, std::int64_t columns, gpu::ErrorSums *sums, Stream s) {
            const Opened opened({a, b});
            return cpuKernels().errorSumsRows(a, b, rows, columns, sums, s);
        },
        [](const float *x, std::int64_t n, gpu::Moments *moments, Stream s) {
            const Opened opened({x});
            return cpuKernels().moments(x, n, moments, s);
        },
        [](const float *x, const std::int64_t *positions, std::int64_t count, float *values, Stream s) {
            const Opened opened({x});
            return cpuKernels().pick(x, positions, count, values, s);
        },
    };
    return table;
}

inline const DeviceRegistrar deviceRegistrar{
    "test",
    {c10::DeviceType::PrivateUse1, &openingKernels(), [] { return 0; }, [](c10::Device) {},
     [](const at::Tensor &tensor, c10::Device device) { return tensor.to(device, tensor.scalar_type(), true); },
     [](c10::Device) -> gpu::Stream { return nullptr; }, [](c10::Device) { return availableMemory(); }}};

/// "" if this machine has the device, otherwise the reason.
inline std::string missing(const std::string &device)
{
    try {
        requireDevice(device);
        return {};
    } catch (const Error &error) {
        return error.what();
    }
}

/// Takes the column "device" as there; skips the row where this machine has none.
#define QL_DEVICE()                                                                                                    \
    QFETCH(QString, device);                                                                                           \
    const std::string there = device.toStdString();                                                                    \
    if (const std::string why = missing(there); !why.empty()) QSKIP(why.c_str())

} // namespace ql::test
