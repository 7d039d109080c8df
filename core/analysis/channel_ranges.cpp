#include "core/analysis/channel_ranges.h"

#include "core/ir/op_traits.h"

#include <ATen/ops/amax.h>
#include <ATen/ops/amin.h>

#include <algorithm>
#include <optional>

namespace ql {

namespace {

/// The axis of the channels that op produces with constant weights.
std::optional<std::int64_t> weightedAxis(const Graph &graph, const Operation &op)
{
    const OpTraits &traits = traitsOf(op);
    if (traits.channels == ChannelUse::Normalizes)
        return op.hasInput(1) && graph.isParameter(op.inputs[1]) ? std::optional<std::int64_t>(1) : std::nullopt;
    if (!traits.weights || !traits.weights->outputAxis) return std::nullopt;
    const auto input = std::size_t(traits.weights->weight);
    if (!op.hasInput(input) || !graph.isParameter(op.inputs[input])) return std::nullopt;
    const std::int64_t axis = *traits.weights->outputAxis;
    return axis >= 0 || graph.variable(op.inputs[input]).value.dim() > 1 ? std::optional(axis) : std::nullopt;
}

bool isActivation(const Operation &op)
{
    return traitsOf(op).activation != Activation::None;
}

} // namespace

api::ChannelRanges channelRanges(const at::Tensor &value, std::int64_t axis)
{
    const at::Tensor rows = value.transpose(0, axis).reshape({value.size(axis), -1});
    const at::Tensor low = rows.amin({1}).contiguous(), high = rows.amax({1}).contiguous();
    // NaN need no care here: weights with NaN are refused
    const auto ends = [](const at::Tensor &x) {
        return std::vector<std::optional<double>>(x.data_ptr<float>(), x.data_ptr<float>() + x.numel());
    };
    return {axis, ends(low), ends(high)};
}

std::int64_t channelAxis(const QuantModel &model, Slot slot)
{
    const TensorQuantConfig *config = model.plan.find(slot);
    if (config && config->channelAxis && !config->isGrouped()) return *config->channelAxis;
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
        else if (from != op.inputs.end() && (isActivation(op) || traitsOf(op).channels == ChannelUse::Carries))
            found[op.outputs[0]] = {found[*from].axis, isActivation(op) && found[*from].isLearned};
        // A channel that never changes is also constant downstream, and is reported once
        if (from != op.inputs.end() && (isActivation(op) || traitsOf(op).channels == ChannelUse::Normalizes) &&
            !graph.isGraphOutput(*from) && graph.variable(*from).uses.size() == 1)
            found[*from].isLearned = false;
    }
    return found;
}

std::vector<api::WeightRow> sharedScaleWeights(const QuantModel &model)
{
    const Graph &graph = model.graph;
    std::vector<api::WeightRow> rows;
    for (const auto &[slot, config] : model.plan.configs()) {
        const Operation &op = graph.operation(slot.op);
        if (!isWeight(op, slot) || config.channelAxis || config.isFloating()) continue;
        const VarId variable = op.inputs[std::size_t(slot.index)];
        if (!model.plan.simulated(slot) || variable == noVar || !graph.isParameter(variable)) continue;
        const at::Tensor &value = graph.variable(variable).value;
        const std::int64_t axis = channelAxis(model, slot);
        if (value.scalar_type() != at::kFloat || value.dim() < 2 || axis >= value.dim() || value.numel() == 0) continue;
        rows.push_back({op.name, graph.variable(variable).name, channelRanges(value, axis)});
    }
    return rows;
}

} // namespace ql
