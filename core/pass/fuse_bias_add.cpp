// Before: Conv -> Add(constant)        After: Conv with a bias
//
// Conv, ConvTranspose and Gemm. The constant must be one number per output channel and must not broadcast the result
// to a larger shape: [C, 1, 1] or [1, C, 1, 1] after a Conv with rank-4 weights (likewise for other ranks), [N] or [1,
// N] after a Gemm. The Add must be the only consumer, and the tensor between them not a graph output. It is added to
// an existing bias (which must be a parameter). Gemm's beta is multiplied into the bias and becomes 1.
#include "core/ir/op_traits.h"
#include "core/pass/format_tools.h"
#include "core/pass/pass.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/add.h>

namespace ql {

namespace {

/// shape is [.., channels, 1 .. 1] where 'trailing' ones follow the channels and at most one dimension of 1 precedes.
bool isPerChannel(at::IntArrayRef shape, std::int64_t channels, std::size_t trailing)
{
    if (shape.size() != trailing + 1 && shape.size() != trailing + 2) return false;
    for (std::size_t i = 0; i < shape.size(); ++i)
        if (shape[i] != (i + trailing + 1 == shape.size() ? channels : 1)) return false;
    return true;
}

bool fuse(Graph &graph, OpId id)
{
    const Operation &op = graph.operation(id);
    if (!isLayer(op)) return false;
    const OpId next = graph.soleConsumer(id);
    if (next == noOp || graph.operation(next).type != "Add" || !graph.operation(next).domain.empty()) return false;
    const VarId constant = constantOperand(graph, graph.operation(next), op.outputs.at(0));
    if (constant == noVar) return false;

    const bool broadcasts = traitsOf(op).weights->biasBroadcasts; // and is multiplied by beta
    const at::Tensor weight = parameterOf(graph, op, 1);
    const at::Tensor added = graph.variable(constant).value;
    const std::int64_t channels = weight.defined() ? outputChannelCount(op, weight.sizes()) : 0;
    if (channels < 1 || added.scalar_type() != weight.scalar_type()) return false;
    if (!isPerChannel(added.sizes(), channels, std::size_t(weight.dim() - 2))) return false;

    at::Tensor bias = added.reshape({channels});
    const double beta = broadcasts ? op.floatAttribute("beta", 1) : 1;
    if (op.hasInput(2)) {
        const at::Tensor present = parameterOf(graph, op, 2);
        if (!present.defined() || present.scalar_type() != bias.scalar_type()) return false;
        // One with several rows is not a bias
        const bool fits = present.numel() == channels &&
                          (present.dim() == 1 || (broadcasts && present.dim() == 2 && present.size(0) == 1));
        if (!fits && !(broadcasts && present.numel() == 1)) return false;
        if (beta != 0) bias = (beta == 1 ? present : present * beta).reshape({-1}) + bias;
        setParameterInput(graph, id, 2, bias, "bias");
        absorbConsumer(graph, id, next);
    } else {
        const bool isOwned = isOwnedByOneSlot(graph, constant);
        absorbConsumer(graph, id, next);
        if (isOwned) { // the constant moves and keeps its name
            graph.setValue(constant, bias);
            graph.setInput(id, 2, constant);
        } else {
            addParameterInput(graph, id, 2, bias, "bias");
        }
    }
    if (broadcasts) graph.edit(id).attributes.erase("beta");
    return true;
}

class FuseBiasAdd final : public Pass
{
public:
    std::string_view id() const override { return "fuse_bias_add"; }
    int run(QuantModel &model, const PassContext &) const override
    {
        int changed = 0;
        for (const OpId id : model.graph.operations())
            while (model.graph.contains(id) && fuse(model.graph, id)) ++changed;
        return changed;
    }
};

const PassRegistrar fuseBiasAddRegistrar{
    {.info = {.id = "fuse_bias_add",
              .title = QL_TEXT("Fuse bias Add"),
              .meaning = QL_TEXT("Before: Conv, ConvTranspose or Gemm, then Add with one "
                                 "constant per channel. After: the operation alone, with "
                                 "that constant in its bias.")},
     .traits = {.kind = PassKind::Format},
     .make = makePassOf<FuseBiasAdd>}};

} // namespace
} // namespace ql
