// Fake quantization under LibTorch's autograd.
#include "core/exec/trainable.h"

#include "core/base/error.h"
#include "core/exec/gradient_node.h"
#include "core/quant/quantize.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <algorithm>
#include <memory>

namespace ql {

namespace {

using torch::autograd::variable_list;

std::vector<float> toFloats(const at::Tensor &scale)
{
    const at::Tensor flat = scale.detach().contiguous();
    const float *data = flat.data_ptr<float>();
    return {data, data + flat.numel()};
}

struct FakeQuantGradientNode final : torch::autograd::Node
{
    at::Tensor x;
    TensorQuantConfig grid; ///< the fields that the gradient depends on
    std::vector<float> scale;
    std::vector<std::int32_t> zeroPoint;
    std::vector<std::int64_t> scaleSizes;

    /// @returns the gradients by x and by the scale
    variable_list apply(variable_list &&gradients) override
    {
        if (!gradients[0].defined()) return variable_list(2);
        const FakeQuantGradient gradient = fakeQuantGradient(x, gradients[0], grid, scale, zeroPoint);
        variable_list result{gradient.input, at::Tensor()};
        if (!task_should_compute_output(1)) return result;
        result[1] = at::empty(scaleSizes, at::TensorOptions(at::kFloat));
        std::copy(gradient.scale.begin(), gradient.scale.end(), result[1].data_ptr<float>());
        return result;
    }
    void release_variables() override { x.reset(); }
};

/// values: of scale, which is undefined if it is not trained.
at::Tensor quantizeWithGradient(const at::Tensor &x, const at::Tensor &scale, std::vector<float> values,
                                const TensorQuantConfig &config, const std::vector<std::int32_t> &zeroPoint)
{
    const auto node = gradientNode<FakeQuantGradientNode>(x, scale);
    at::Tensor y;
    {
        const at::NoGradGuard noGradients;
        y = fakeQuant(x, config, values, zeroPoint);
        if (!node) return y;
        node->x = x.detach();
    }
    TensorQuantConfig &grid = node->grid;
    grid.bits = config.bits;
    grid.exponentBits = config.exponentBits;
    grid.quantMin = config.quantMin;
    grid.quantMax = config.quantMax;
    grid.rounding = config.rounding;
    grid.channelAxis = config.channelAxis;
    grid.dynamic = config.dynamic;
    grid.groupSize = config.groupSize;
    grid.codebook = config.codebook;
    node->scale = std::move(values);
    node->zeroPoint = zeroPoint;
    if (scale.defined()) node->scaleSizes = scale.sizes().vec();
    torch::autograd::set_history(y, node);
    return y;
}

} // namespace

at::Tensor scaleTensor(const std::vector<float> &scale)
{
    return at::from_blob(const_cast<float *>(scale.data()), {std::int64_t(scale.size())}).clone();
}

at::Tensor fakeQuantForTraining(const at::Tensor &x, const at::Tensor &scale, const TensorQuantConfig &config,
                                const std::vector<std::int32_t> &zeroPoint)
{
    return quantizeWithGradient(x, scale, toFloats(scale), config, zeroPoint);
}

at::Tensor quantizeForTraining(const Trainable &trainable, const Step &step, const at::Tensor &x)
{
    if (const auto own = trainable.quantizers.find(step.slot); own != trainable.quantizers.end()) return own->second(x);
    const auto scale = trainable.scales.find(step.root);
    if (scale == trainable.scales.end()) return quantizeWithGradient(x, {}, step.scale, step.config, step.zeroPoint);
    return fakeQuantForTraining(x, scale->second, step.config, step.zeroPoint);
}

void requireGradient(const Operation &op, std::span<const at::Tensor> inputs, std::span<const at::Tensor> outputs)
{
    if (!at::GradMode::is_enabled()) return;
    const auto hasGradient = [](const at::Tensor &t) { return t.defined() && t.requires_grad(); };
    const auto isFloat = [](const at::Tensor &t) {
        return t.defined() && t.scalar_type() != at::ScalarType::Undefined && at::isFloatingType(t.scalar_type());
    };
    if (std::none_of(inputs.begin(), inputs.end(), hasGradient)) return;
    if (std::none_of(outputs.begin(), outputs.end(), isFloat)) return;
    if (std::any_of(outputs.begin(), outputs.end(), hasGradient)) return;
    throwWithoutGradient(op);
}

void throwWithoutGradient(const Operation &op)
{
    throw Error(ErrorKind::UnsupportedOp, QL_TEXT("%1 has no gradient: nothing before it can be trained").with(op.type),
                op.name);
}

} // namespace ql
