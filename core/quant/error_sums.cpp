#include "core/quant/error_sums.h"

#include "core/quant/device.h"

#include <c10/core/DeviceGuard.h>
#include <limits>

namespace ql {

std::vector<gpu::ErrorSums> errorSums(const at::Tensor &reference, const at::Tensor &approximation, std::int64_t rows)
{
    at::Tensor a = reference.scalar_type() == at::kFloat ? reference : reference.to(at::kFloat);
    at::Tensor b = approximation.scalar_type() == at::kFloat ? approximation : approximation.to(at::kFloat);
    if (b.device() != a.device()) b = toDevice(b, a.device());
    // Sums do not depend on the order of elements as long as both tensors have the same one, and each row is one block.
    const bool sameLayout = a.strides() == b.strides() && a.is_non_overlapping_and_dense() &&
                            (rows == 1 || a.is_contiguous() || a.is_contiguous(at::MemoryFormat::ChannelsLast));
    if (!sameLayout) {
        a = a.contiguous();
        b = b.contiguous();
    }
    std::vector<gpu::ErrorSums> sums(static_cast<std::size_t>(rows));
    const c10::DeviceGuard guard(a.device());
    const auto [kernels, stream] = kernelsFor(a);
    checkKernel(
        kernels->errorSumsRows(a.data_ptr<float>(), b.data_ptr<float>(), rows, a.numel() / rows, sums.data(), stream),
        "error sums");
    return sums;
}

double noiseRatio(const gpu::ErrorSums &sums)
{
    if (sums.squaredA > 0) return sums.squaredDiff / sums.squaredA;
    return sums.squaredDiff == 0 ? 0 : std::numeric_limits<double>::infinity();
}

} // namespace ql
