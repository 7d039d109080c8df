// Before: MatMul -> Add(constant)        After: BiasedMatMul
//
// BiasedMatMul is our own operator (domain quantloupe): MatMul with a third input, one number per column, that is
// added. Quantized as one operation; exporters write it as the original two. The MatMul's second operand must be a
// parameter [.., K, N], the constant [N] (leading ones are allowed if they do not raise the rank of the result), the
// Add the only consumer, the tensor between them not a graph output. Not part of the default formatting.
#include "core/pass/format_tools.h"
#include "core/pass/pass.h"

#include <ATen/core/Tensor.h>

namespace ql {

namespace {

bool fuse(Graph &graph, OpId id, const std::vector<int> &ranks)
{
    const Operation &op = graph.operation(id);
    if (op.type != "MatMul" || !op.domain.empty()) return false;
    const OpId next = graph.soleConsumer(id);
    if (next == noOp || graph.operation(next).type != "Add" || !graph.operation(next).domain.empty()) return false;
    const VarId constant = constantOperand(graph, graph.operation(next), op.outputs.at(0));
    const at::Tensor weight = parameterOf(graph, op, 1);
    if (constant == noVar || !weight.defined() || weight.dim() < 2) return false;

    const at::Tensor added = graph.variable(constant).value;
    const std::int64_t columns = weight.size(-1);
    if (added.dim() < 1 || added.numel() != columns || added.size(-1) != columns) return false;
    if (added.scalar_type() != weight.scalar_type()) return false;
    // rank of the product: that of the larger operand, a vector on the left loses its dimension
    const int left = ranks[std::size_t(index(op.inputs.at(0)))];
    const std::int64_t product = left == 1 ? weight.dim() - 1 : std::max<std::int64_t>(left, weight.dim());
    if (added.dim() > 1 && (left < 1 || added.dim() > product)) return false;

    const bool isOwned = isOwnedByOneSlot(graph, constant);
    absorbConsumer(graph, id, next);
    if (isOwned) {
        graph.setValue(constant, added.reshape({columns}));
        graph.setInput(id, 2, constant);
    } else {
        addParameterInput(graph, id, 2, added.reshape({columns}), "bias");
    }
    Operation &fused = graph.edit(id);
    fused.type = "BiasedMatMul";
    fused.domain = "quantloupe";
    fused.opset = 1;
    graph.opsets["quantloupe"] = 1;
    return true;
}

class FuseMatmulAdd final : public Pass
{
public:
    std::string_view id() const override { return "fuse_matmul_add"; }
    int run(QuantModel &model, const PassContext &) const override
    {
        const std::vector<int> ranks = inferRanks(model.graph);
        int changed = 0;
        for (const OpId id : model.graph.operations())
            if (model.graph.contains(id) && fuse(model.graph, id, ranks)) ++changed;
        return changed;
    }
};

const PassRegistrar fuseMatmulAddRegistrar{
    {.info = {.id = "fuse_matmul_add",
              .title = QL_TEXT("Fuse MatMul and Add"),
              .meaning = QL_TEXT("Before: MatMul, then Add with one constant per column. After: one BiasedMatMul.")},
     .traits = {.kind = PassKind::Format},
     .make = makePassOf<FuseMatmulAdd>}};

} // namespace
} // namespace ql
