#include "core/exec/kernel.h"

#include <ATen/ops/clamp.h>
#include <ATen/ops/clamp_min.h>
#include <ATen/ops/hardswish.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/tanh.h>

#include <limits>

namespace ql {

const KernelEntry *findKernel(const Operation &op)
{
    const std::string key = op.domain.empty() ? op.type : op.domain + ":" + op.type;
    return Registry<KernelEntry>::instance().find(key);
}

std::vector<std::int64_t> toInts(const at::Tensor &tensor)
{
    if (!tensor.defined()) return {};
    const at::Tensor wide = tensor.to(at::kLong).contiguous();
    const std::int64_t *data = wide.data_ptr<std::int64_t>();
    return {data, data + wide.numel()};
}

std::int64_t normalizeAxis(std::int64_t axis, std::int64_t rank, const Operation &op)
{
    const std::int64_t bound = std::max<std::int64_t>(rank, 1);
    if (axis < -bound || axis >= bound)
        throw Error(ErrorKind::Kernel,
                    op.type + ": axis " + std::to_string(axis) + " is outside a tensor of rank " + std::to_string(rank),
                    op.name);
    return axis < 0 ? axis + bound : axis;
}

const at::Tensor &requiredInput(const KernelContext &context, Inputs inputs, std::size_t i)
{
    if (i < inputs.size() && inputs[i].defined()) return inputs[i];
    throw Error(ErrorKind::Kernel, context.op.type + ": input " + std::to_string(i) + " is missing", context.op.name);
}

std::optional<Epilogue> epilogueOf(const Operation &op, Inputs constants)
{
    using Kind = Epilogue::Kind;
    if (!op.domain.empty()) return std::nullopt;
    if (op.type == "Relu") return Epilogue{Kind::Relu};
    if (op.type == "Sigmoid") return Epilogue{Kind::Sigmoid};
    if (op.type == "Tanh") return Epilogue{Kind::Tanh};
    if (op.type == "HardSwish") return Epilogue{Kind::HardSwish};
    if (op.type == "LeakyRelu") return Epilogue{Kind::LeakyRelu, float(op.floatAttribute("alpha", 0.01))};
    if (op.type != "Clip") return std::nullopt;
    Epilogue clip{Kind::Clip, float(op.floatAttribute("min", std::numeric_limits<float>::lowest())),
                  float(op.floatAttribute("max", std::numeric_limits<float>::max()))};
    for (std::size_t i = 1; i < op.inputs.size() && i < 3; ++i) {
        if (!op.hasInput(i)) continue;
        const at::Tensor bound = inputOr(constants, i);
        if (!bound.defined() || bound.numel() != 1) return std::nullopt;
        (i == 1 ? clip.alpha : clip.beta) = bound.item().toFloat();
    }
    // ONNX: min > max gives max everywhere, as min(max(x, min), max) does
    return clip;
}

at::Tensor applyEpilogue(const at::Tensor &x, const Epilogue &e)
{
    switch (e.kind) {
    case Epilogue::Kind::None: return x;
    case Epilogue::Kind::Relu: return at::relu(x);
    case Epilogue::Kind::Clip: return at::clamp(x, e.alpha, e.beta);
    case Epilogue::Kind::LeakyRelu: return at::leaky_relu(x, e.alpha);
    case Epilogue::Kind::Sigmoid: return at::sigmoid(x);
    case Epilogue::Kind::Tanh: return at::tanh(x);
    case Epilogue::Kind::HardSwish: return at::hardswish(x);
    case Epilogue::Kind::Silu: return at::silu(x);
    }
    return x;
}

} // namespace ql
