// Before: [Add bias ->] Add(x, skip) -> LayerNormalization        After: com.microsoft SkipLayerNormalization
//
// The same for the normalization by the root mean square: SimplifiedLayerNormalization or RMSNormalization becomes
// SkipSimplifiedLayerNormalization. ONNX Runtime computes these as one kernel, in which the sum keeps its precision; a
// sum that others read becomes its fourth output. Conditions: x and skip are activations of rank 3 and the same sizes
// where these are known, normalized along the last axis, with vectors as weight and bias. Run fuse_layernorm first if
// the model has the single operations of a normalization. Only ONNX Runtime knows these operators. Not part of the
// default formatting.
#include "core/pass/format_tools.h"
#include "core/pass/pass.h"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <optional>

namespace ql {

namespace {

struct FoundSkip
{
    VarId data = noVar, skip = noVar, bias = noVar;
    OpId sum = noOp, biasSum = noOp;
};

class SkipSearch
{
public:
    SkipSearch(const Graph &graph, const std::vector<int> &ranks) : m_graph(graph), m_ranks(ranks) {}

    std::optional<FoundSkip> at(const Operation &norm) const
    {
        const std::int64_t axis = norm.intAttribute("axis", -1);
        const OpId producer = m_graph.variable(norm.inputs[0]).producer;
        if ((axis != -1 && axis != 2) || producer == noOp || !onlyFirstOutputUsed(m_graph, norm)) return std::nullopt;
        for (std::size_t i = 1; i < norm.inputs.size(); ++i)
            if (norm.hasInput(i) && !isVector(norm, i)) return std::nullopt;
        const Operation &sum = m_graph.operation(producer);
        if (!norm.hasInput(1) || !isActivationSum(sum)) return std::nullopt;
        FoundSkip found{.data = sum.inputs[0], .skip = sum.inputs[1], .sum = producer};
        for (const std::size_t side : {std::size_t(0), std::size_t(1)})
            if (findBias(sum.inputs[side], sum.inputs[1 - side], found)) break;
        return found;
    }

private:
    bool isVector(const Operation &op, std::size_t input) const
    {
        const at::Tensor value = parameterOf(m_graph, op, input);
        return value.defined() && value.dim() == 1 && value.scalar_type() == at::kFloat;
    }

    bool isActivationSum(const Operation &op) const
    {
        if (op.type != "Add" || !op.domain.empty() || op.inputs.size() != 2) return false;
        for (const VarId id : op.inputs)
            if (m_graph.isParameter(id) || m_ranks[std::size_t(index(id))] != 3) return false;
        const auto &a = m_graph.variable(op.inputs[0]).type.shape, &b = m_graph.variable(op.inputs[1]).type.shape;
        if (!a || !b) return true;
        return std::equal(a->begin(), a->end(), b->begin(), b->end(), [](const Dim &left, const Dim &right) {
            return left.size <= 0 || right.size <= 0 || left.size == right.size;
        });
    }

    /// One side of the sum is itself the sum of an activation and a vector, and nothing else reads it.
    bool findBias(VarId side, VarId other, FoundSkip &found) const
    {
        const Variable &variable = m_graph.variable(side);
        if (variable.producer == noOp || variable.uses.size() != 1 || m_graph.isGraphOutput(side)) return false;
        const Operation &add = m_graph.operation(variable.producer);
        if (add.type != "Add" || !add.domain.empty() || add.inputs.size() != 2) return false;
        const std::size_t constant = m_graph.isParameter(add.inputs[0]) ? 0 : 1;
        const VarId data = add.inputs[1 - constant];
        if (!isVector(add, constant) || m_graph.isParameter(data) || m_ranks[std::size_t(index(data))] != 3)
            return false;
        found = {data, other, add.inputs[constant], found.sum, add.id};
        return true;
    }

    const Graph &m_graph;
    const std::vector<int> &m_ranks;
};

bool isRootMeanSquare(const Operation &op)
{
    return (op.type == "RMSNormalization" && op.domain.empty()) || op.type == "SimplifiedLayerNormalization";
}

void replaceBySkip(Graph &graph, OpId norm, const FoundSkip &found)
{
    const bool isSimplified = isRootMeanSquare(graph.operation(norm));
    const VarId sum = graph.operation(norm).inputs[0], weight = graph.operation(norm).inputs[1];
    const VarId shift = graph.operation(norm).hasInput(2) ? graph.operation(norm).inputs[2] : noVar;
    const double epsilon = graph.operation(norm).floatAttribute("epsilon", 1e-5);
    for (std::size_t i = graph.operation(norm).inputs.size(); i-- > 0;) graph.setInput(norm, i, noVar);
    graph.resizeInputs(norm, 0);
    dropFurtherOutputs(graph, norm);
    graph.removeOperation(found.sum);
    if (found.biasSum != noOp) {
        const VarId between = graph.operation(found.biasSum).outputs[0];
        graph.removeOperation(found.biasSum);
        graph.removeVariable(between);
    }
    std::vector<VarId> inputs = {found.data, found.skip, weight};
    if (!isSimplified) inputs.push_back(shift);
    inputs.push_back(found.bias);
    while (inputs.back() == noVar) inputs.pop_back();
    for (std::size_t i = 0; i < inputs.size(); ++i) graph.setInput(norm, i, inputs[i]);
    if (graph.variable(sum).uses.empty() && !graph.isGraphOutput(sum)) {
        graph.removeVariable(sum);
    } else {
        graph.edit(norm).outputs.resize(4, noVar);
        graph.setOutput(norm, 3, sum);
    }
    Operation &fused = graph.edit(norm);
    fused.type = isSimplified ? "SkipSimplifiedLayerNormalization" : "SkipLayerNormalization";
    fused.domain = "com.microsoft";
    fused.opset = 1;
    fused.attributes = {{"epsilon", float(epsilon)}};
    graph.opsets.emplace("com.microsoft", 1);
}

class FuseSkipLayernorm final : public Pass
{
public:
    std::string_view id() const override { return "fuse_skip_layernorm"; }
    int run(QuantModel &model, const PassContext &) const override
    {
        const std::vector<int> ranks = inferRanks(model.graph);
        int changed = 0;
        for (const OpId id : model.graph.operations()) {
            if (!model.graph.contains(id)) continue;
            const Operation &op = model.graph.operation(id);
            const bool isNorm = op.type == "LayerNormalization" && op.domain.empty();
            if ((!isNorm && !isRootMeanSquare(op)) || !op.hasInput(0)) continue;
            const auto found = SkipSearch(model.graph, ranks).at(op);
            if (!found) continue;
            replaceBySkip(model.graph, id, *found);
            ++changed;
        }
        return changed;
    }
};

const PassRegistrar fuseSkipLayernormRegistrar{
    {.info = {.id = "fuse_skip_layernorm",
              .title = QL_TEXT("Fuse Add and layer normalization"),
              .meaning = QL_TEXT("Before: Add of two activations, then LayerNormalization. After: one "
                                 "SkipLayerNormalization, an operator of ONNX Runtime.")},
     .traits = {.kind = PassKind::Format},
     .make = makePassOf<FuseSkipLayernorm>}};

} // namespace
} // namespace ql
