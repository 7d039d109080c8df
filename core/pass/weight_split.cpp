// Before: conv (weight W)        After: conv (W - S) and conv_split (S), added
//
// The weights of a layer that are larger than value_threshold are distributed over two layers with the same input, so
// that each of them needs a smaller scale. S contains half of each such weight ("balance"), or a random part of it
// ("random"); the first layer keeps the rest, its name and its bias. (PPQ 0.6.6, HorizontalLayerSplitPass, "weight
// split" in its settings.) Conditions: Conv, ConvTranspose, Gemm or MatMul that interested_layers names, with float32
// weights as a parameter and, in a Gemm, no transposed input; others that are named stay, with a problem.
//
// Measured on PPL_DSP_INT8 with 8 samples, all layers, threshold 0.5, SQNR of the output: mobilenetv2_backbone 5.49 dB
// to 7.83 dB (32 layers), squeezenet1.1 28.86 dB to 28.99 dB (18 layers).
#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/ir/op_traits.h"
#include "core/pass/block_params.h"
#include "core/pass/format_tools.h"
#include "core/pass/pass.h"

#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace ql {

class WeightSplit final : public Pass
{
public:
    explicit WeightSplit(const nlohmann::json &params)
        : m_interested(params["interested_layers"].get<std::vector<std::string>>()),
          m_threshold(params["value_threshold"]), m_isRandom(params["method"] == "random"), m_seed(params["seed"])
    {}

    std::string_view id() const override { return "weight_split"; }

    int run(QuantModel &model, const PassContext &context) const override
    {
        if (m_interested.empty())
            throw Error(ErrorKind::BadConfig, QL_TEXT("interested_layers is empty: no layer to split"))
                .withRemedy(QL_TEXT("Name layers in interested_layers (* and ? allowed)."));
        requireLayers(model.graph, m_interested, isComputing);
        int changed = 0;
        std::mt19937 random{std::uint32_t(m_seed)};
        for (const OpId id : model.graph.operations()) {
            const Operation &op = model.graph.operation(id);
            const auto names = [&](const std::string &pattern) { return globMatch(pattern, op.name); };
            if (!isComputing(op) || std::none_of(m_interested.begin(), m_interested.end(), names)) continue;
            const at::Tensor weight = parameterOf(model.graph, op, 1);
            const bool isLinear = isLayer(op) || op.type == "MatMul";
            if (!isLinear || !op.domain.empty() || !weight.defined() || weight.scalar_type() != at::kFloat) {
                context.report({.severity = api::Severity::Warning,
                                .op = op.name,
                                .message = QL_TEXT("%1 was not split: its weights are not a float32 parameter of a "
                                                   "Conv, ConvTranspose, Gemm or MatMul")
                                               .with(op.type),
                                .remedy = QL_TEXT("Remove it from interested_layers.")});
                continue;
            }
            const at::Tensor part = partOf(weight, random);
            if (!part.defined()) continue;
            split(model, id, weight, part);
            ++changed;
        }
        return changed;
    }

private:
    /// S, undefined if it is 0.
    at::Tensor partOf(const at::Tensor &weight, std::mt19937 &random) const
    {
        const at::Tensor from = weight.contiguous(), part = at::zeros_like(from);
        const float *w = from.data_ptr<float>();
        float *s = part.data_ptr<float>();
        bool any = false;
        for (std::int64_t i = 0; i < from.numel(); ++i) {
            if (!(std::abs(w[i]) > m_threshold)) continue;
            s[i] = w[i] * (m_isRandom ? float(random() >> 8) / float(1 << 24) : 0.5f);
            any = any || s[i] != 0;
        }
        return any ? part : at::Tensor();
    }

    static void split(QuantModel &model, OpId id, const at::Tensor &weight, const at::Tensor &part)
    {
        Graph &graph = model.graph;
        const Operation op = graph.operation(id);
        const VarId result = op.outputs[0];
        const TensorType type = graph.variable(result).type;
        const auto place = model.dispatch.find(id);
        const auto add = [&](Operation operation, const char *suffix) {
            operation.name = graph.freshName(op.name + suffix);
            const OpId added = graph.addOperation(std::move(operation));
            if (place != model.dispatch.end())
                model.dispatch[added] = {place->second.platform, QL_TEXT("split from '%1'").with(op.name)};
        };
        const auto tensor = [&](const char *suffix) {
            return graph.addVariable(graph.freshName(op.name + suffix), type);
        };
        setParameterInput(graph, id, 1, weight.contiguous().sub(part), "rest");
        const VarId first = tensor("_rest_output"), second = tensor("_split_output");
        graph.setOutput(id, 0, first);
        Operation clone = op;
        clone.inputs = {op.inputs[0], graph.addParameter(graph.freshName(op.name + "_split_weight"), part)};
        clone.outputs = {second};
        add(std::move(clone), "_split");
        Operation sum;
        sum.type = "Add";
        sum.opset = op.opset;
        sum.inputs = {first, second};
        sum.outputs = {result};
        add(std::move(sum), "_sum");
    }

    std::vector<std::string> m_interested;
    float m_threshold;
    bool m_isRandom;
    std::int64_t m_seed;
};

static const PassRegistrar weightSplitRegistrar{
    {.info = {.id = "weight_split",
              .title = QL_TEXT("Weight split"),
              .meaning = QL_TEXT("Before: a layer with a few large weights. After: two layers that share them and are "
                                 "added; the float result is the same, and the layer costs twice as much."),
              .params = {{.name = "interested_layers",
                          .type = "strings",
                          .fallback = nlohmann::json::array(),
                          .meaning = QL_TEXT("The layers to split (names, * and ? allowed); required.")},
                         {.name = "value_threshold",
                          .type = "float",
                          .fallback = 2.0,
                          .meaning = QL_TEXT("Weights larger than this are distributed over both layers."),
                          .min = 0},
                         {.name = "method",
                          .type = "enum",
                          .fallback = "balance",
                          .meaning =
                              QL_TEXT("balance: half of each weight in each layer. random: a random part of it."),
                          .choices = {"balance", "random"}},
                         {.name = "seed",
                          .type = "int",
                          .fallback = 0,
                          .meaning = QL_TEXT("Seed of the random parts. The same seed gives the same result."),
                          .min = 0,
                          .max = 2147483647}}},
     .traits = {.kind = PassKind::Float},
     .make = makePassOf<WeightSplit>}};

} // namespace ql
