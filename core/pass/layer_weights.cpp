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
    if (op.type == "Gemm") {
        if (sizes.size() != 2 || op.intAttribute("transA", 0) != 0) return std::nullopt;
        const bool outputFirst = op.intAttribute("transB", 0) != 0;
        layer.outputChannels = sizes[outputFirst ? 0 : 1];
        layer.inputChannels = sizes[outputFirst ? 1 : 0];
        for (std::int64_t i = 0; i < elements; ++i) {
            const auto row = std::int32_t(i / sizes[1]), column = std::int32_t(i % sizes[1]);
            layer.outputOf.push_back(outputFirst ? row : column);
            layer.inputOf.push_back(outputFirst ? column : row);
        }
    } else {
        // Conv [O, I / groups, ...], ConvTranspose [I, O / groups, ...]; the first axis runs over all groups.
        const std::int64_t groups = op.intAttribute("group", 1);
        if (groups < 1 || sizes[0] % groups != 0) return std::nullopt;
        layer.run = elements / (sizes[0] * sizes[1]);
        std::vector<std::int32_t> whole, within;
        for (std::int64_t first = 0; first < sizes[0]; ++first)
            for (std::int64_t second = 0; second < sizes[1]; ++second) {
                whole.push_back(std::int32_t(first));
                within.push_back(std::int32_t(first / (sizes[0] / groups) * sizes[1] + second));
            }
        const bool transposed = op.type == "ConvTranspose";
        layer.outputChannels = transposed ? sizes[1] * groups : sizes[0];
        layer.inputChannels = transposed ? sizes[0] : sizes[1] * groups;
        layer.outputOf = std::move(whole);
        layer.inputOf = std::move(within);
        if (transposed) std::swap(layer.outputOf, layer.inputOf);
    }
    if (op.hasInput(2)) {
        layer.bias = op.inputs[2];
        if (!isOwnFloat(graph, layer.bias) || graph.variable(layer.bias).value.numel() != layer.outputChannels)
            return std::nullopt;
    }
    return layer;
}

} // namespace ql
