#include "core/quant/bias_grid.h"

#include <ATen/ops/abs.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/empty_like.h>
#include <cmath>

namespace ql {

at::Tensor biasOnInt32Grid(const at::Tensor &bias, float inputScale, const std::vector<float> &weightScale)
{
    const at::Tensor before = bias.contiguous();
    const std::int64_t count = before.numel();
    if (weightScale.size() != 1 && std::int64_t(weightScale.size()) != count) return {};
    at::Tensor after = at::empty_like(before);
    const float *from = before.data_ptr<float>();
    float *to = after.data_ptr<float>();
    for (std::int64_t c = 0; c < count; ++c) {
        const float step = inputScale * weightScale[weightScale.size() > 1 ? std::size_t(c) : 0];
        const double code = std::nearbyint(double(from[c]) / double(step));
        if (!(std::abs(code) <= 2147483647.0)) return {};
        to[c] = float(code * double(step));
    }
    return after;
}

std::vector<float> scalesWithRoomForBias(const at::Tensor &weight, std::int64_t channelAxis,
                                         const std::vector<float> &weightScale, float inputScale,
                                         const at::Tensor &bias)
{
    std::vector<float> scales = weightScale;
    const std::int64_t channels = std::int64_t(scales.size());
    if (channels < 2 || !bias.defined() || bias.scalar_type() != at::kFloat || bias.numel() != channels ||
        weight.dim() <= channelAxis || weight.size(channelAxis) != channels || weight.numel() == 0)
        return scales;
    const at::Tensor values = bias.contiguous();
    const at::Tensor largest = weight.transpose(0, channelAxis).reshape({channels, -1}).abs().amax(1).contiguous();
    for (std::int64_t c = 0; c < channels; ++c) {
        const double most = largest.data_ptr<float>()[c] == 0 ? 1 << 23 : 1 << 30; // codes of the bias
        const double size = std::abs(double(values.data_ptr<float>()[c]));
        float &scale = scales[std::size_t(c)];
        while (size > double(inputScale * scale) * most && std::isfinite(scale)) scale *= 2;
    }
    return scales;
}

} // namespace ql
