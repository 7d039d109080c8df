#include "core/analysis/channel_ranges.h"

#include <ATen/ops/amax.h>
#include <ATen/ops/amin.h>

namespace ql {

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
    return model.graph.operation(slot.op).type == "ConvTranspose" ? 1 : 0;
}

nlohmann::json sharedScaleWeights(const QuantModel &model)
{
    const Graph &graph = model.graph;
    nlohmann::json rows = nlohmann::json::array();
    for (const auto &[slot, config] : model.plan.configs()) {
        if (slot.output || config.channelAxis || config.isFloating()) continue;
        const bool isRounded = config.isApplied() || config.state == QuantState::Baked;
        const Operation &op = graph.operation(slot.op);
        const VarId variable = op.inputs[std::size_t(slot.index)];
        if (!isRounded || variable == noVar || !graph.isParameter(variable)) continue;
        const at::Tensor &value = graph.variable(variable).value;
        const std::int64_t axis = channelAxis(model, slot);
        if (value.scalar_type() != at::kFloat || value.dim() < 2 || axis >= value.dim() || value.numel() == 0) continue;
        rows.push_back(
            {{"op", op.name}, {"variable", graph.variable(variable).name}, {"channels", channelRanges(value, axis)}});
    }
    return rows;
}

} // namespace ql
