// Fake quantization under LibTorch's autograd.
#include "core/exec/trainable.h"

#include "core/base/error.h"
#include "core/quant/quantize.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/from_blob.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>

namespace ql {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

std::vector<float> toFloats(const at::Tensor &scale)
{
    const at::Tensor flat = scale.detach().contiguous();
    const float *data = flat.data_ptr<float>();
    return {data, data + flat.numel()};
}

struct FakeQuantFunction : torch::autograd::Function<FakeQuantFunction>
{
    static at::Tensor forward(AutogradContext *ctx, const at::Tensor &x, const at::Tensor &scale,
                              const TensorQuantConfig &config, const std::vector<std::int32_t> &zeroPoint)
    {
        ctx->save_for_backward({x, scale});
        const std::vector<std::int64_t> zeros(zeroPoint.begin(), zeroPoint.end());
        ctx->saved_data["grid"] = std::vector<std::int64_t>{config.bits,
                                                            config.exponentBits,
                                                            config.quantMin,
                                                            config.quantMax,
                                                            int(config.rounding),
                                                            config.channelAxis.value_or(-1),
                                                            std::int64_t(config.dynamic),
                                                            config.groupSize,
                                                            int(config.codebook)};
        ctx->saved_data["zeros"] = zeros;
        return fakeQuant(x, config, toFloats(scale), zeroPoint);
    }

    static variable_list backward(AutogradContext *ctx, const variable_list &gradients)
    {
        const variable_list saved = ctx->get_saved_variables();
        const std::vector<std::int64_t> grid = ctx->saved_data["grid"].toIntVector();
        const std::vector<std::int64_t> zeros = ctx->saved_data["zeros"].toIntVector();
        TensorQuantConfig config;
        config.bits = int(grid[0]);
        config.exponentBits = int(grid[1]);
        config.quantMin = grid[2];
        config.quantMax = grid[3];
        config.rounding = Rounding(int(grid[4]));
        if (grid[5] >= 0) config.channelAxis = int(grid[5]);
        config.dynamic = grid[6] != 0;
        config.groupSize = int(grid[7]);
        config.codebook = Codebook(int(grid[8]));
        const std::vector<std::int32_t> zeroPoint(zeros.begin(), zeros.end());
        const FakeQuantGradient gradient =
            fakeQuantGradient(saved[0], gradients[0], config, toFloats(saved[1]), zeroPoint);
        at::Tensor ofScale = at::empty_like(saved[1], at::MemoryFormat::Contiguous);
        std::copy(gradient.scale.begin(), gradient.scale.end(), ofScale.data_ptr<float>());
        return {gradient.input, ofScale, {}, {}};
    }
};

} // namespace

at::Tensor scaleTensor(const std::vector<float> &scale)
{
    return at::from_blob(const_cast<float *>(scale.data()), {std::int64_t(scale.size())}).clone();
}

at::Tensor fakeQuantForTraining(const at::Tensor &x, const at::Tensor &scale, const TensorQuantConfig &config,
                                const std::vector<std::int32_t> &zeroPoint)
{
    return FakeQuantFunction::apply(x, scale, config, zeroPoint);
}

at::Tensor quantizeForTraining(const Trainable &trainable, const Step &step, const at::Tensor &x)
{
    if (const auto own = trainable.quantizers.find(step.slot); own != trainable.quantizers.end()) return own->second(x);
    const auto scale = trainable.scales.find(step.root);
    return fakeQuantForTraining(x, scale == trainable.scales.end() ? scaleTensor(step.scale) : scale->second,
                                step.config, step.zeroPoint);
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
    throw Error(ErrorKind::UnsupportedOp, QL_TEXT("%1 has no gradient: nothing before it can be trained").with(op.type),
                op.name);
}

} // namespace ql
