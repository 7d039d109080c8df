#include "core/quant/bias_grid.h"

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

} // namespace ql
