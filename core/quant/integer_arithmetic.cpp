#include "core/quant/integer_arithmetic.h"

#include "core/ir/op_traits.h"
#include "core/quant/bias_grid.h"
#include "core/quant/quantize.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/clamp_max.h>
#include <ATen/ops/clamp_min.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/floor.h>
#include <ATen/ops/round.h>

#include <algorithm>
#include <cmath>

namespace ql {

CodeGrid codeGrid(const QuantPlan &plan, Slot slot)
{
    const TensorQuantConfig &config = *plan.find(slot);
    const std::int64_t zero = plan.zeroPoint(slot)[0];
    return {plan.scale(slot)[0], float(config.quantMin - zero), float(config.quantMax - zero)};
}

bool isByteGrid(const TensorQuantConfig &c)
{
    const bool isByte =
        (c.quantMin >= -128 && c.quantMax <= 127) || (c.quantMin >= 0 && c.quantMax <= 255); // int8, uint8
    return isByte && !c.isFloating() && !c.isPerChannel() && !c.dynamic;
}

/// Rounded as integer kernels do.
static bool isRequantized(const TensorQuantConfig &c)
{
    return isByteGrid(c) && c.rounding == Rounding::HalfEven;
}

std::optional<Slot> roundedAt(const Graph &graph, OpId id, const AppliedConfig &applied)
{
    const Operation &op = graph.operation(id);
    if (!traitsOf(op).hasIntegerForm || op.outputs.size() != 1 || op.outputs[0] == noVar) return std::nullopt;
    if (const TensorQuantConfig *own = applied(outputSlot(id)))
        return isRequantized(*own) ? std::optional(outputSlot(id)) : std::nullopt;
    const auto &uses = graph.variable(op.outputs[0]).uses;
    const auto &outputs = graph.outputs();
    if (uses.size() != 1 || uses[0].index != 0 || uses[0].op == noOp || applied(inputSlot(uses[0].op, 0)) ||
        std::find(outputs.begin(), outputs.end(), op.outputs[0]) != outputs.end())
        return std::nullopt;
    const Operation &next = graph.operation(uses[0].op);
    if (!isLinearActivation(next)) return std::nullopt;
    const TensorQuantConfig *its = applied(outputSlot(next.id));
    return its && isRequantized(*its) ? std::optional(outputSlot(next.id)) : std::nullopt;
}

std::vector<float> targetWeightScale(const Graph &graph, const QuantPlan &plan, OpId id)
{
    const Operation &op = graph.operation(id);
    const Slot input = inputSlot(id, 0), weight = inputSlot(id, 1);
    const std::vector<float> &scale = plan.scale(weight);
    const TensorQuantConfig *config = plan.find(weight), *bias = plan.find(inputSlot(id, 2));
    if (bias && bias->state != QuantState::Off) return scale; // it has codes of its own
    if (!plan.integerOps.contains(id) || !config || !config->isPerChannel() || config->isGrouped() ||
        config->isFloating() || config->dynamic || !op.hasInput(2) || !graph.isParameter(op.inputs[1]) ||
        !graph.isParameter(op.inputs[2]) || plan.scale(input).size() != 1)
        return scale;
    const at::Tensor weights = plan.parameterValue(graph, op.inputs[1]);
    if (scale.empty() || weights.scalar_type() != at::kFloat) return scale;
    return scalesWithRoomForBias(fakeQuant(weights, plan, weight), *config->channelAxis, scale, plan.scale(input)[0],
                                 plan.parameterValue(graph, op.inputs[2]));
}

bool passesGrid(const Graph &graph, const Operation &op, const AppliedConfig &applied, std::size_t output)
{
    const OpTraits &traits = traitsOf(op);
    if (output > 0 && (op.type != "Split" || !op.domain.empty())) return false;
    if (traits.keepsGrid) return true;
    if (op.type != "Pad" || !op.domain.empty()) return false;
    if (op.stringAttribute("mode", "constant") != "constant" || !op.hasInput(2)) return true;
    if (applied(inputSlot(op.id, 2))) return true;
    const at::Tensor value = graph.variable(op.inputs[2]).value;
    return value.defined() && value.numel() == 1 && value.item().toDouble() == 0;
}

std::optional<Slot> gridSource(const Graph &graph, Slot slot, const AppliedConfig &applied)
{
    while (true) {
        if (const TensorQuantConfig *own = applied(slot)) return isByteGrid(*own) ? std::optional(slot) : std::nullopt;
        const VarId id = variableOf(graph, slot);
        if (id == noVar || graph.variable(id).producer == noOp) return std::nullopt;
        const Variable &variable = graph.variable(id);
        const Slot written = outputSlot(variable.producer, std::size_t(variable.producerIndex));
        if (const TensorQuantConfig *its = applied(written))
            return isByteGrid(*its) ? std::optional(written) : std::nullopt;
        const Operation &producer = graph.operation(variable.producer);
        if (!passesGrid(graph, producer, applied, written.index) || !producer.hasInput(0)) return std::nullopt;
        slot = inputSlot(producer.id, 0);
    }
}

bool isScaledAfterwards(const Graph &graph, const QuantPlan &plan, OpId id, const AppliedConfig &applied)
{
    const Operation &op = graph.operation(id);
    const auto isLinear = traitsOf(op).isLinear;
    return isLinear && isLinear(op) && plan.integerOps.contains(id) && !roundedAt(graph, id, applied);
}

bool isNormalizedFromCodes(const Graph &graph, const QuantPlan &plan, OpId id, const AppliedConfig &applied)
{
    const Operation &op = graph.operation(id);
    if (!traitsOf(op).normalizesCodes || op.outputs.size() != 1 || op.intAttribute("stash_type", 1) != 1) return false;
    if (!op.hasInput(0) || !graph.variable(op.inputs[0]).type.shape || op.inputs.size() < 2) return false;
    for (std::size_t i = 1; i < op.inputs.size(); ++i)
        if (op.inputs[i] != noVar && (!graph.isParameter(op.inputs[i]) || applied(inputSlot(id, i)))) return false;
    if (normalizedAxes(op, std::int64_t(graph.variable(op.inputs[0]).type.shape->size())).empty()) return false;
    const auto source = gridSource(graph, inputSlot(id, 0), applied);
    return source && plan.integerOps.contains(source->op);
}

std::vector<std::int64_t> normalizedAxes(const Operation &op, std::int64_t rank)
{
    std::int64_t first = op.type == "InstanceNormalization" ? 2 : op.intAttribute("axis", -1);
    if (first < 0) first += rank;
    std::vector<std::int64_t> axes;
    for (std::int64_t i = std::max<std::int64_t>(first, 0); i < rank; ++i) axes.push_back(i);
    return axes;
}

double epsilonOfCodes(const Operation &op, float scale)
{
    return op.floatAttribute("epsilon", 1e-5f) / (double(scale) * double(scale));
}

at::Tensor weightCodes(const at::Tensor &values, const std::vector<float> &scale, std::int64_t axis)
{
    std::vector<std::int64_t> shape(std::size_t(values.dim()), 1);
    if (scale.size() > 1) {
        if (std::int64_t(scale.size()) != values.size(axis)) return {};
        shape[std::size_t(axis)] = -1;
    }
    at::Tensor step = at::empty({std::int64_t(scale.size())}, values.options());
    std::copy(scale.begin(), scale.end(), step.data_ptr<float>());
    const at::Tensor codes = at::round(values / step.reshape(shape));
    if (codes.numel() == 0 || !(codes.abs().max().item().toDouble() <= 255)) return {};
    return codes.contiguous();
}

double largestSum(const at::Tensor &w, const CodeGrid &x, const std::vector<double> &bias)
{
    const at::Tensor rows = w.reshape({w.size(0), -1}).to(at::kDouble);
    const at::Tensor positive = at::clamp_min(rows, 0).sum(1), negative = at::clamp_max(rows, 0).sum(1).neg();
    const double low = std::max(0.0, -double(x.lowest)), high = std::max(0.0, double(x.highest));
    const at::Tensor up = (positive * high + negative * low).contiguous();
    const at::Tensor down = (positive * low + negative * high).contiguous();
    double largest = 0;
    for (std::int64_t c = 0; c < up.numel(); ++c) {
        const double b = bias.empty() ? 0 : bias[std::size_t(c)];
        largest = std::max(
            {largest, up.data_ptr<double>()[c] + std::max(b, 0.0), down.data_ptr<double>()[c] + std::max(-b, 0.0)});
    }
    return largest;
}

/// The axis of output channels counts those of one group (deconvolution).
static bool isAxisPerGroup(const Operation &op)
{
    const auto &weights = traitsOf(op).weights;
    return weights && weights->isAxisPerGroup;
}

/// The weights that each output channel sums over, as one row per channel.
static at::Tensor rowsOfChannels(const Operation &op, const at::Tensor &weight, std::int64_t axis)
{
    if (isAxisPerGroup(op)) { // [inputs, outputs of a group, kernel]
        const std::int64_t groups = op.intAttribute("group", 1);
        return weight.reshape({groups, weight.size(0) / groups, weight.size(1), -1})
            .permute({0, 2, 1, 3})
            .reshape({groups * weight.size(1), -1});
    }
    return axis == 0 ? weight : weight.transpose(0, axis);
}

/// Codes as one part, or as code = 16 high + low in two; empty if even their sums are too large.
static std::vector<ExactSums::Part> partsOf(const Operation &op, const at::Tensor &codes,
                                            const std::vector<double> &bias, std::int64_t axis, const CodeGrid &input)
{
    const auto part = [&](const at::Tensor &weight, const std::vector<double> &its, double factor) {
        const at::Tensor rows = rowsOfChannels(op, weight, axis);
        const bool fits = largestSum(rows, input, its) <= exactIntegers;
        ExactSums::Part made;
        if (!fits) return made;
        made.weight = factor == 1 ? weight : weight * factor;
        if (its.empty()) return made;
        made.bias = at::empty({std::int64_t(its.size())}, codes.options());
        for (std::size_t c = 0; c < its.size(); ++c) made.bias.data_ptr<float>()[c] = float(its[c] * factor);
        return made;
    };
    ExactSums::Part whole = part(codes, bias, 1);
    if (whole.weight.defined()) return {whole};
    const at::Tensor above = at::floor(codes / 16);
    std::vector<double> high, low;
    for (const double b : bias) {
        high.push_back(std::floor(b / 16));
        low.push_back(b - 16 * high.back());
    }
    ExactSums::Part first = part(codes - above * 16, low, 1), second = part(above, high, 16);
    if (!first.weight.defined() || !second.weight.defined()) return {};
    return {first, second};
}

/// ncnn has kernels for depthwise layers of 3 x 3 with strides 1 or 2, without activation or with Relu, which add the
/// bias in the multiplication (fma). pnnx makes other activations part of the layer.
static bool hasFusedDepthwiseKernel(const Graph &graph, const Operation &op, const at::Tensor &weight)
{
    const auto strides = op.intsAttribute("strides", {1, 1}), dilations = op.intsAttribute("dilations", {1, 1});
    if (weight.dim() != 4 || weight.size(2) != 3 || weight.size(3) != 3 || strides.size() != 2 ||
        dilations.size() != 2 || strides[0] != strides[1] || strides[0] > 2 || dilations[0] != 1 || dilations[1] != 1)
        return false;
    const auto &uses = graph.variable(op.outputs[0]).uses;
    if (uses.size() != 1 || uses[0].op == noOp) return true;
    const std::string &next = graph.operation(uses[0].op).type;
    return next != "LeakyRelu" && next != "Clip" && next != "Sigmoid" && next != "Mish" && next != "HardSwish";
}

std::optional<ExactSums> exactSums(const Graph &graph, const QuantPlan &plan, OpId id, const CodeGrid &input,
                                   const AppliedConfig &applied)
{
    const Operation &op = graph.operation(id);
    const Slot slot = inputSlot(id, 1);
    const bool isInteger = plan.integerOps.contains(id);
    if (!traitsOf(op).hasExactSums || (!isInteger && !TargetKernel::sumsCodes(plan.kernelOf(id).sums)) ||
        op.outputs.size() != 1 || !op.hasInput(1) || !graph.isParameter(op.inputs[1]) ||
        (op.hasInput(2) && !graph.isParameter(op.inputs[2])))
        return std::nullopt;
    const TensorQuantConfig *config = applied(slot);
    if (!config || config->isFloating() || config->isGrouped() || config->dynamic ||
        (isInteger && roundedAt(graph, id, applied)))
        return std::nullopt;
    if (op.intAttribute("transA", 0) != 0 || op.floatAttribute("alpha", 1) != 1 || op.floatAttribute("beta", 1) != 1)
        return std::nullopt;
    const at::Tensor weight = simulatedParameter(graph, plan, slot);
    if (weight.scalar_type() != at::kFloat || weight.numel() == 0 || weight.dim() < 2) return std::nullopt;
    if (!isLayer(op) && weight.dim() != 2) return std::nullopt; // a batch of matrices
    const auto axis = weightChannelAxis(op, 1, weight.dim());
    if (!axis || (config->isPerChannel() && *config->channelAxis != *axis)) return std::nullopt;
    const std::vector<float> scale = targetWeightScale(graph, plan, id);
    const at::Tensor codes = scale.empty() ? at::Tensor() : weightCodes(weight, scale, *axis);
    if (!codes.defined()) return std::nullopt;
    ExactSums sums;
    const bool isPerGroup = scale.size() > 1 && isAxisPerGroup(op);
    for (std::int64_t g = 0; g < (isPerGroup ? op.intAttribute("group", 1) : 1); ++g)
        for (const float each : scale)
            sums.steps.push_back(plan.kernelOf(id).sums == TargetKernel::Sums::Ncnn ? 1 / (1 / input.scale * (1 / each))
                                                                                    : input.scale * each);
    const std::int64_t groups = op.intAttribute("group", 1);
    const TargetKernel::Sums kind = plan.kernelOf(id).sums;
    sums.addsLater =
        TargetKernel::isOfOpenVino(kind) || (kind == TargetKernel::Sums::Ncnn && groups > 1 &&
                                             groups == weight.size(0) && !hasFusedDepthwiseKernel(graph, op, weight));
    std::vector<double> bias;
    if (op.hasInput(2)) {
        const at::Tensor values = simulatedParameter(graph, plan, inputSlot(id, 2)).contiguous();
        if (values.scalar_type() != at::kFloat || values.numel() != outputChannelCount(op, weight.sizes()) ||
            (sums.steps.size() > 1 && std::int64_t(sums.steps.size()) != values.numel()))
            return std::nullopt;
        if (!isInteger) sums.bias = values;
        for (std::int64_t c = 0; isInteger && c < values.numel(); ++c)
            bias.push_back(std::nearbyint(double(values.data_ptr<float>()[c]) /
                                          double(sums.steps[sums.steps.size() > 1 ? std::size_t(c) : 0])));
        if (!std::all_of(bias.begin(), bias.end(), [](double b) { return std::abs(b) <= 2147483647.0; }))
            return std::nullopt;
    }
    sums.parts = partsOf(op, codes, bias, *axis, input);
    if (sums.parts.empty()) return std::nullopt;
    return sums;
}

} // namespace ql
