#include "core/pass/format_tools.h"

#include "core/ir/op_traits.h"
#include "core/pass/pass.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/sqrt.h>
#include <algorithm>
#include <limits>

namespace ql {

at::Tensor int64List(const std::vector<std::int64_t> &values)
{
    at::Tensor out = at::empty({std::int64_t(values.size())}, at::TensorOptions().dtype(at::kLong));
    std::copy(values.begin(), values.end(), out.data_ptr<std::int64_t>());
    return out;
}

at::Tensor floatList(const std::vector<double> &values)
{
    at::Tensor out = at::empty({std::int64_t(values.size())}, at::TensorOptions().dtype(at::kFloat));
    std::transform(values.begin(), values.end(), out.data_ptr<float>(), [](double v) { return float(v); });
    return out;
}

at::Tensor scalarOf(double value, at::ScalarType type)
{
    return at::full({}, value, at::TensorOptions().dtype(at::kDouble)).to(type);
}

at::Tensor parameterOf(const Graph &graph, const Operation &op, std::size_t index)
{
    return op.hasInput(index) ? graph.variable(op.inputs[index]).value : at::Tensor();
}

void addParameterInput(Graph &graph, OpId op, std::size_t index, at::Tensor value, std::string_view suffix)
{
    const std::string name = graph.freshName(graph.operation(op).name + "_" + std::string(suffix));
    graph.setInput(op, index, graph.addParameter(name, std::move(value)));
}

bool isOwnedByOneSlot(const Graph &graph, VarId parameter)
{
    return graph.variable(parameter).uses.size() == 1 && !graph.isGraphInput(parameter) &&
           !graph.isGraphOutput(parameter);
}

void setParameterInput(Graph &graph, OpId op, std::size_t index, at::Tensor value, std::string_view suffix)
{
    const Operation &target = graph.operation(op);
    const VarId present = target.hasInput(index) ? target.inputs[index] : noVar;
    if (graph.isParameter(present) && isOwnedByOneSlot(graph, present))
        graph.setValue(present, std::move(value));
    else
        addParameterInput(graph, op, index, std::move(value), suffix);
}

bool onlyFirstOutputUsed(const Graph &graph, const Operation &op)
{
    for (std::size_t i = 1; i < op.outputs.size(); ++i) {
        const VarId output = op.outputs[i];
        if (output != noVar && (!graph.variable(output).uses.empty() || graph.isGraphOutput(output))) return false;
    }
    return !op.outputs.empty() && op.outputs[0] != noVar;
}

void dropFurtherOutputs(Graph &graph, OpId op)
{
    for (std::size_t i = 1; i < graph.operation(op).outputs.size(); ++i) {
        const VarId output = graph.operation(op).outputs[i];
        if (output == noVar) continue;
        graph.setOutput(op, i, noVar);
        graph.removeVariable(output);
    }
    graph.edit(op).outputs.resize(1);
}

void absorbConsumer(Graph &graph, OpId op, OpId consumer)
{
    dropFurtherOutputs(graph, consumer);
    const VarId between = graph.operation(op).outputs.at(0);
    const VarId output = graph.operation(consumer).outputs.at(0);
    graph.removeOperation(consumer);
    graph.setOutput(op, 0, output);
    graph.removeVariable(between);
}

VarId addCopy(Graph &graph, const std::string &type, const std::vector<VarId> &inputs, std::string_view suffix)
{
    const std::string base = graph.variable(inputs[0]).name;
    const VarId copy = graph.addVariable(graph.freshName(base + std::string(suffix)), graph.variable(inputs[0]).type);
    Operation node;
    node.name = graph.freshName(base + "_" + type);
    node.type = type;
    node.opset = 13;
    node.inputs = inputs;
    node.outputs = {copy};
    graph.addOperation(std::move(node));
    return copy;
}

VarId addMaxWithLowest(Graph &graph, VarId tensor, VarId &lowest, std::string_view suffix)
{
    if (lowest == noVar)
        lowest = graph.addParameter(graph.freshName("lowest"),
                                    at::full({}, std::numeric_limits<float>::lowest(), at::kFloat));
    return addCopy(graph, "Max", {tensor, lowest}, suffix);
}

VarId constantOperand(const Graph &graph, const Operation &op, VarId variable)
{
    if (op.inputs.size() != 2) return noVar;
    const VarId other = op.inputs[0] == variable ? op.inputs[1] : op.inputs[0];
    return other != variable && graph.isParameter(other) ? other : noVar;
}

namespace {

/// The number of entries that a Slice with constant bounds and step 1 takes from a list of this length; -1 if unknown.
int slicedLength(const Graph &graph, const Operation &op, int length)
{
    const at::Tensor bounds[] = {parameterOf(graph, op, 1), parameterOf(graph, op, 2)};
    const at::Tensor step = parameterOf(graph, op, 4);
    if (op.hasInput(4) && (!step.defined() || step.numel() != 1 || step.item<double>() != 1)) return -1;
    std::int64_t places[2] = {0, 0};
    for (const std::size_t i : {std::size_t(0), std::size_t(1)}) {
        if (!bounds[i].defined() || bounds[i].numel() != 1) return -1;
        places[i] = bounds[i].to(at::kLong).item<std::int64_t>();
        if (places[i] < 0) places[i] += length;
        places[i] = std::clamp<std::int64_t>(places[i], 0, length);
    }
    return int(std::max<std::int64_t>(0, places[1] - places[0]));
}

/// Ranks of variables, and numbers of entries of those that are lists, by id; -1: unknown.
struct Extents
{
    std::vector<int> ranks, lengths;

    int rank(const Operation &op, std::size_t i) const
    {
        return op.hasInput(i) ? ranks[std::size_t(index(op.inputs[i]))] : -1;
    }
    int length(const Operation &op, std::size_t i) const
    {
        return op.hasInput(i) ? lengths[std::size_t(index(op.inputs[i]))] : -1;
    }
};

/// The number of entries of output 0 if it is a list that is computed from shapes.
int lengthAfter(const Graph &graph, const Operation &op, const Extents &extents)
{
    if (!op.domain.empty() || op.inputs.empty()) return -1;
    if (op.type == "Cast") return extents.length(op, 0);
    if (op.type == "Shape") return op.hasAttribute("start") || op.hasAttribute("end") ? -1 : extents.rank(op, 0);
    if (op.type == "Unsqueeze") return 1; // of a scalar, because the result is a list
    if (op.type == "Slice") return extents.length(op, 0) < 0 ? -1 : slicedLength(graph, op, extents.length(op, 0));
    if (op.type != "Concat") return -1;
    int sum = 0;
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
        if (extents.length(op, i) < 0) return -1;
        sum += extents.length(op, i);
    }
    return sum;
}

int rankAfter(const Operation &op, const Extents &extents)
{
    const auto rank = [&](std::size_t i) { return extents.rank(op, i); };
    switch (traitsOf(op).shapes.rank) {
    case RankRule::Unknown: return -1;
    case RankRule::OfInput0: return rank(0);
    case RankRule::LargerOfTwo: return std::max(rank(0), rank(1));
    case RankRule::Two: return 2;
    case RankRule::FirstKnown:
        for (std::size_t i = 0; i < op.inputs.size(); ++i)
            if (rank(i) >= 0) return rank(i);
        return -1;
    case RankRule::LengthOfInput1: return extents.length(op, 1);
    case RankRule::ExpandedToInput1:
        return rank(0) < 0 || extents.length(op, 1) < 0 ? -1 : std::max(rank(0), extents.length(op, 1));
    case RankRule::Broadcast: {
        int out = -1; // one operand of unknown rank hides the rank of the result
        for (std::size_t i = 0; i < op.inputs.size(); ++i) {
            if (rank(i) < 0) return -1;
            out = std::max(out, rank(i));
        }
        return out;
    }
    }
    return -1;
}

} // namespace

at::ScalarType inferElementType(const Graph &graph, VarId variable)
{
    while (variable != noVar) { // ends: the graph has no cycle
        const Variable &tensor = graph.variable(variable);
        if (tensor.type.dtype != at::ScalarType::Undefined || tensor.producer == noOp) return tensor.type.dtype;
        const Operation &op = graph.operation(tensor.producer);
        const ShapeTraits &shapes = traitsOf(op).shapes;
        if (op.inputs.empty() || (tensor.producerIndex > 0 && !shapes.outputsAreAlike)) break;
        if (shapes.elementType == ElementTypeRule::NamedByTo) return dtypeOfOnnx(op.intAttribute("to", 0));
        if (shapes.elementType != ElementTypeRule::OfInput0) break;
        variable = op.inputs[0];
    }
    return at::ScalarType::Undefined;
}

std::vector<int> inferRanks(const Graph &graph)
{
    const std::vector<int> unknown(std::size_t(graph.variableIdBound()), -1);
    Extents extents{unknown, unknown};
    for (const VarId id : graph.variables()) {
        const Variable &variable = graph.variable(id);
        if (const auto &shape = variable.type.shape) extents.ranks[std::size_t(index(id))] = int(shape->size());
        if (variable.isParameter()) extents.lengths[std::size_t(index(id))] = int(variable.value.numel());
    }
    for (const OpId id : graph.topological()) {
        const Operation &op = graph.operation(id);
        int rank = -2;
        for (std::size_t i = 0; i < op.outputs.size(); ++i) {
            if (op.outputs[i] == noVar) continue;
            int &known = extents.ranks[std::size_t(index(op.outputs[i]))];
            if (i == 0) extents.lengths[std::size_t(index(op.outputs[i]))] = lengthAfter(graph, op, extents);
            if (known >= 0 || (i > 0 && !traitsOf(op).shapes.outputsAreAlike)) continue; // masks, indices, statistics
            if (rank == -2) rank = rankAfter(op, extents);
            known = rank;
        }
    }
    return extents.ranks;
}

at::Tensor BatchNormTerms::scale() const
{
    return gamma / deviation;
}

at::Tensor BatchNormTerms::shift() const
{
    return beta - gamma * mean / deviation;
}

std::optional<BatchNormTerms> batchNormTerms(const Graph &graph, const Operation &op)
{
    if (op.type != "BatchNormalization" || !op.domain.empty() || op.inputCount() != 5) return std::nullopt;
    if (op.intAttribute("training_mode", 0) != 0 || op.intAttribute("spatial", 1) != 1) return std::nullopt;
    if (!onlyFirstOutputUsed(graph, op)) return std::nullopt;
    at::Tensor terms[4]; // gamma, beta, mean, variance
    for (std::size_t i = 0; i < 4; ++i) {
        terms[i] = parameterOf(graph, op, i + 1);
        if (!terms[i].defined() || terms[i].dim() != 1 || !terms[i].is_floating_point()) return std::nullopt;
        if (terms[i].numel() != terms[0].numel()) return std::nullopt;
        if (terms[i].scalar_type() != at::kDouble) terms[i] = terms[i].to(at::kFloat);
    }
    const BatchNormTerms out{terms[0], terms[1], terms[2], at::sqrt(terms[3] + op.floatAttribute("epsilon", 1e-5))};
    // A negative or zero variance: the operator gives NaN, and folding would make the weights NaN.
    if (!at::isfinite(out.scale()).all().item().toBool()) return std::nullopt;
    return out;
}

int replaceBatchNorms(Graph &graph, const PassContext &context, std::string_view pass,
                      const std::function<void(OpId, const BatchNormTerms &, int)> &replace)
{
    const std::vector<int> ranks = inferRanks(graph);
    int changed = 0;
    for (const OpId id : graph.operations()) {
        const Operation &op = graph.operation(id);
        const auto terms = batchNormTerms(graph, op);
        if (!terms) continue;
        const int rank = ranks[std::size_t(index(op.inputs[0]))];
        if (rank < 2) {
            context.report(
                {.severity = api::Severity::Info,
                 .op = op.name,
                 .message = QL_TEXT("%1: the rank of its data is unknown, so it is unchanged").with(std::string(pass)),
                 .remedy = QL_TEXT("Fix the input shape of the model.")});
            continue;
        }
        replace(id, *terms, rank);
        ++changed;
    }
    return changed;
}

void replaceByMulAdd(Graph &graph, OpId op, const BatchNormTerms &terms, const std::vector<std::int64_t> &shape)
{
    dropFurtherOutputs(graph, op);
    const at::ScalarType type = parameterOf(graph, graph.operation(op), 1).scalar_type();
    const VarId output = graph.operation(op).outputs[0];
    const VarId between =
        graph.addVariable(graph.freshName(graph.operation(op).name + "_scaled"), graph.variable(output).type);
    graph.resizeInputs(op, 1);
    addParameterInput(graph, op, 1, terms.scale().to(type).reshape(shape), "weight");
    Operation &mul = graph.edit(op);
    mul.type = "Mul";
    mul.attributes.clear();
    Operation add;
    add.name = graph.freshName(mul.name + "_shift");
    add.type = "Add";
    add.opset = mul.opset;
    const std::string bias = graph.freshName(mul.name + "_bias");
    graph.setOutput(op, 0, between);
    add.inputs = {between, graph.addParameter(bias, terms.shift().to(type).reshape(shape))};
    add.outputs = {output};
    graph.addOperation(std::move(add));
}

} // namespace ql
