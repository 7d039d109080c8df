#include "core/analysis/channel_ranges.h"

#include "core/ir/op_traits.h"

#include <ATen/ops/amax.h>
#include <ATen/ops/amin.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

namespace ql {

namespace {

using Types = std::set<std::string, std::less<>>;

bool isNormalization(const Operation &op)
{
    return op.type == "BatchNormalization" || op.type == "InstanceNormalization";
}

/// The axis of the channels that op makes with constant weights.
std::optional<std::int64_t> weightedAxis(const Graph &graph, const Operation &op)
{
    if (!op.hasInput(1) || !graph.isParameter(op.inputs[1])) return std::nullopt;
    if (op.type == "Conv" || op.type == "ConvTranspose" || op.type == "Gemm" || isNormalization(op)) return 1;
    const bool isProduct = op.type == "MatMul" || op.type == "BiasedMatMul";
    if (isProduct && graph.variable(op.inputs[1]).value.dim() > 1) return -1;
    return std::nullopt;
}

bool isActivation(const Operation &op)
{
    static const Types types = {"Relu",    "Clip",        "LeakyRelu", "PRelu", "Elu",       "Selu", "Celu",    "Gelu",
                                "Sigmoid", "HardSigmoid", "Swish",     "Mish",  "HardSwish", "Tanh", "Softplus"};
    return types.contains(op.type);
}

/// What leaves channels where they are, though not those of one operation.
bool carriesChannels(const Operation &op)
{
    static const Types types = {"Add",           "Sub",     "Mul",         "Concat",
                                "GlobalMaxPool", "MaxPool", "AveragePool", "GlobalAveragePool"};
    return types.contains(op.type);
}

} // namespace

nlohmann::json channelRanges(const at::Tensor &value, std::int64_t axis)
{
    const at::Tensor rows = value.transpose(0, axis).reshape({value.size(axis), -1});
    nlohmann::json min = nlohmann::json::array(), max = nlohmann::json::array();
    const at::Tensor low = rows.amin({1}).contiguous(), high = rows.amax({1}).contiguous();
    for (std::int64_t c = 0; c < low.numel(); ++c) {
        min.push_back(low.data_ptr<float>()[c]);
        max.push_back(high.data_ptr<float>()[c]);
    }
    return {{"axis", axis}, {"min", min}, {"max", max}};
}

std::int64_t channelAxis(const QuantModel &model, Slot slot)
{
    const TensorQuantConfig *config = model.plan.find(slot);
    if (config && config->channelAxis) return *config->channelAxis;
    const Operation &op = model.graph.operation(slot.op);
    const at::Tensor &value = model.graph.variable(variableOf(op, slot)).value;
    if (!value.defined()) return 1;
    return weightChannelAxis(op, slot.index, value.dim()).value_or(0);
}

std::map<VarId, FeatureChannels> featureChannels(const Graph &graph)
{
    std::map<VarId, FeatureChannels> found;
    for (const OpId id : graph.topological()) {
        const Operation &op = graph.operation(id);
        if (op.outputs.empty() || op.outputs[0] == noVar) continue;
        const auto from = std::find_if(op.inputs.begin(), op.inputs.end(), [&](VarId v) { return found.contains(v); });
        if (const auto axis = weightedAxis(graph, op))
            found[op.outputs[0]] = {*axis, true};
        else if (from != op.inputs.end() && (isActivation(op) || carriesChannels(op)))
            found[op.outputs[0]] = {found[*from].axis, isActivation(op) && found[*from].isLearned};
        // A channel that never changes does so behind it, too, and is told of once
        if (from != op.inputs.end() && (isActivation(op) || isNormalization(op)) && !graph.isGraphOutput(*from) &&
            graph.variable(*from).uses.size() == 1)
            found[*from].isLearned = false;
    }
    return found;
}

nlohmann::json sharedScaleWeights(const QuantModel &model)
{
    const Graph &graph = model.graph;
    nlohmann::json rows = nlohmann::json::array();
    for (const auto &[slot, config] : model.plan.configs()) {
        if (slot.output || config.channelAxis || config.isFloating()) continue;
        const Operation &op = graph.operation(slot.op);
        const VarId variable = op.inputs[std::size_t(slot.index)];
        if (!model.plan.simulated(slot) || variable == noVar || !graph.isParameter(variable)) continue;
        const at::Tensor &value = graph.variable(variable).value;
        const std::int64_t axis = channelAxis(model, slot);
        if (value.scalar_type() != at::kFloat || value.dim() < 2 || axis >= value.dim() || value.numel() == 0) continue;
        rows.push_back(
            {{"op", op.name}, {"variable", graph.variable(variable).name}, {"channels", channelRanges(value, axis)}});
    }
    return rows;
}

} // namespace ql
