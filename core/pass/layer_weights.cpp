#include "core/pass/layer_weights.h"

#include "core/ir/op_traits.h"

namespace ql {

static bool isOwnFloat(const Graph &graph, VarId id)
{
    const Variable &variable = graph.variable(id);
    return variable.isParameter() && variable.value.scalar_type() == at::kFloat && variable.uses.size() == 1 &&
           !graph.isGraphOutput(id);
}

std::vector<std::int32_t> LayerWeights::channelOfRuns(bool ofRows) const
{
    std::vector<std::int32_t> channels;
    channels.reserve(std::size_t(rows * columns));
    for (std::int64_t row = 0; row < rows; ++row) {
        const std::int64_t firstOfGroup = row / (rows / groups) * columns;
        for (std::int64_t column = 0; column < columns; ++column)
            channels.push_back(std::int32_t(ofRows ? row : firstOfGroup + column));
    }
    return channels;
}

std::optional<LayerWeights> layerWeights(const Graph &graph, OpId id)
{
    const Operation &op = graph.operation(id);
    if (!isLayer(op) || !op.hasInput(0) || !op.hasInput(1) || !isOwnFloat(graph, op.inputs[1])) return std::nullopt;
    LayerWeights layer;
    layer.weight = op.inputs[1];
    const auto sizes = graph.variable(layer.weight).value.sizes();
    const std::int64_t elements = graph.variable(layer.weight).value.numel();
    if (sizes.size() < 2 || elements == 0) return std::nullopt;
    layer.rows = sizes[0];
    layer.columns = sizes[1];
    layer.run = elements / (layer.rows * layer.columns);
    // Conv [O, I / groups, ...], ConvTranspose [I, O / groups, ...], Gemm [I, O] or [O, I]
    const auto axis = weightChannelAxis(op, 1, std::int64_t(sizes.size()));
    layer.groups = op.intAttribute("group", 1);
    layer.rowsAreOutputs = axis == 0;
    if (!axis || layer.groups < 1 || layer.rows % layer.groups != 0 || op.intAttribute("transA", 0) != 0)
        return std::nullopt;
    layer.outputChannels = outputChannelCount(op, sizes);
    layer.inputChannels = inputChannelCount(op, sizes);
    if (op.hasInput(2)) {
        layer.bias = op.inputs[2];
        if (!isOwnFloat(graph, layer.bias) || graph.variable(layer.bias).value.numel() != layer.outputChannels)
            return std::nullopt;
    }
    return layer;
}

} // namespace ql
