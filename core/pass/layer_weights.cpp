#include "core/pass/layer_weights.h"

namespace ql {

bool isLayer(std::string_view type)
{
    return type == "Conv" || type == "ConvTranspose" || type == "Gemm";
}

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
    if (!isLayer(op.type) || !op.hasInput(0) || !op.hasInput(1) || !isOwnFloat(graph, op.inputs[1]))
        return std::nullopt;
    LayerWeights layer;
    layer.weight = op.inputs[1];
    const auto sizes = graph.variable(layer.weight).value.sizes();
    const std::int64_t elements = graph.variable(layer.weight).value.numel();
    if (sizes.size() < 2 || elements == 0) return std::nullopt;
    layer.rows = sizes[0];
    layer.columns = sizes[1];
    layer.run = elements / (layer.rows * layer.columns);
    if (op.type == "Gemm") {
        if (sizes.size() != 2 || op.intAttribute("transA", 0) != 0) return std::nullopt;
        layer.rowsAreOutputs = op.intAttribute("transB", 0) != 0;
    } else {
        // Conv [O, I / groups, ...], ConvTranspose [I, O / groups, ...]
        layer.groups = op.intAttribute("group", 1);
        layer.rowsAreOutputs = op.type == "Conv";
        if (layer.groups < 1 || layer.rows % layer.groups != 0) return std::nullopt;
    }
    layer.outputChannels = layer.rowsAreOutputs ? layer.rows : layer.columns * layer.groups;
    layer.inputChannels = layer.rowsAreOutputs ? layer.columns * layer.groups : layer.rows;
    if (op.hasInput(2)) {
        layer.bias = op.inputs[2];
        if (!isOwnFloat(graph, layer.bias) || graph.variable(layer.bias).value.numel() != layer.outputChannels)
            return std::nullopt;
    }
    return layer;
}

} // namespace ql
