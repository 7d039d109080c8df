// Before: Conv -> BatchNormalization        After: Conv
//
// With s = sqrt(var + epsilon) and a = gamma / s, per output channel:
//     W' = a * W,  b' = gamma * (b - mean) / s + beta        (b = 0 if there is none)
// Conv scales axis 0 of its weight, ConvTranspose [Cin, Cout / group, ..] the output channels within each group, Gemm
// its rows with transB, otherwise its columns; Gemm's alpha stays, its beta is multiplied into the bias and becomes 1.
// Any rank. Conditions: weight, bias and the four tensors of the BatchNormalization are parameters; the
// BatchNormalization is the only consumer of the operation, whose output is not a graph output.
#include "core/ir/op_traits.h"
#include "core/pass/format_tools.h"
#include "core/pass/pass.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/zeros_like.h>

namespace ql {

namespace {

/// W' for the factor a [C]; undefined if the shapes do not match.
at::Tensor scaledWeight(const Operation &op, const at::Tensor &weight, const at::Tensor &factor)
{
    const std::int64_t channels = factor.numel();
    const auto axis = weightChannelAxis(op, 1, weight.dim());
    if (!axis) return {};
    std::vector<std::int64_t> shape(std::size_t(weight.dim()), 1);
    if (!traitsOf(op).weights->isAxisPerGroup) {
        if (weight.size(*axis) != channels) return {};
        shape[std::size_t(*axis)] = channels;
        return weight * factor.reshape(shape);
    }
    const std::int64_t group = op.intAttribute("group", 1);
    if (group < 1 || weight.size(0) % group != 0 || weight.size(1) * group != channels) return {};
    std::vector<std::int64_t> split = weight.sizes().vec(); // [group, Cin / group, Cout / group, ..]
    split[0] /= group;
    split.insert(split.begin(), group);
    shape[1] = weight.size(1);
    shape.insert(shape.begin(), group);
    return (weight.reshape(split) * factor.reshape(shape)).reshape(weight.sizes());
}

/// The bias of op as [C] in the type of like, zeros if it has none; undefined if it is not constant per channel.
at::Tensor biasOf(const Graph &graph, const Operation &op, const at::Tensor &like)
{
    const bool broadcasts = traitsOf(op).weights->biasBroadcasts; // and is multiplied by beta
    const double beta = broadcasts ? op.floatAttribute("beta", 1) : 1;
    if (!op.hasInput(2) || beta == 0) return at::zeros_like(like);
    const at::Tensor bias = parameterOf(graph, op, 2);
    if (!bias.defined() || !bias.is_floating_point()) return {};
    const bool isRow = bias.dim() == 1 || (broadcasts && bias.dim() == 2 && bias.size(0) == 1);
    if (!(bias.numel() == like.numel() && isRow) && !(broadcasts && bias.numel() == 1)) return {};
    const at::Tensor wide = bias.to(like.scalar_type()).reshape({-1});
    return (beta == 1 ? wide : wide * beta) + at::zeros_like(like);
}

/// Empty if op and norm became one operation, otherwise the reason why not.
Text fuse(Graph &graph, OpId id, OpId normId)
{
    const Operation &op = graph.operation(id);
    const Operation &norm = graph.operation(normId);
    if (norm.inputs.at(0) != op.outputs.at(0)) return QL_TEXT("its data input is another tensor");
    const auto terms = batchNormTerms(graph, norm);
    if (!terms) return QL_TEXT("the BatchNormalization is not constant per channel");
    const at::Tensor weight = parameterOf(graph, op, 1);
    if (!weight.defined() || !weight.is_floating_point()) return QL_TEXT("its weight is not a parameter");
    const at::Tensor bias = biasOf(graph, op, terms->gamma);
    if (!bias.defined()) return QL_TEXT("its bias is not one constant per channel");
    const at::Tensor newWeight = scaledWeight(op, weight.to(terms->gamma.scalar_type()), terms->scale());
    if (!newWeight.defined()) return QL_TEXT("the numbers of channels differ");
    const at::Tensor newBias = terms->gamma * (bias - terms->mean) / terms->deviation + terms->beta;

    setParameterInput(graph, id, 1, newWeight.to(weight.scalar_type()), "weight");
    setParameterInput(graph, id, 2, newBias.to(weight.scalar_type()), "bias");
    graph.edit(id).attributes.erase("beta");
    absorbConsumer(graph, id, normId);
    return {};
}

class FuseBatchnorm final : public Pass
{
public:
    std::string_view id() const override { return "fuse_batchnorm"; }
    int run(QuantModel &model, const PassContext &context) const override
    {
        Graph &graph = model.graph;
        int changed = 0;
        for (const OpId id : graph.operations()) {
            if (!graph.contains(id)) continue;
            if (!isLayer(graph.operation(id))) continue;
            for (;;) { // a BatchNormalization may follow another one
                const OpId next = graph.soleConsumer(id);
                if (next == noOp || graph.operation(next).type != "BatchNormalization") break;
                const Text why = fuse(graph, id, next);
                if (!why.isEmpty()) {
                    context.report({.severity = api::Severity::Info,
                                    .op = graph.operation(id).name,
                                    .message = QL_TEXT("fuse_batchnorm: '%1' remains a separate operation: %2")
                                                   .with(graph.operation(next).name, why)});
                    break;
                }
                ++changed;
            }
        }
        return changed;
    }
};

const PassRegistrar fuseBatchnormRegistrar{
    {.info = {.id = "fuse_batchnorm",
              .title = QL_TEXT("Fuse BatchNormalization"),
              .meaning =
                  QL_TEXT("Before: Conv, ConvTranspose or Gemm, then BatchNormalization. After: the operation alone; "
                          "its weight and bias "
                          "do the normalisation.")},
     .traits = {.kind = PassKind::Format},
     .make = makePassOf<FuseBatchnorm>}};

} // namespace
} // namespace ql
