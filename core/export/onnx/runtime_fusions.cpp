#include "core/export/onnx/runtime_fusions.h"

#include "core/exec/kernel.h"
#include "core/ir/op_traits.h"
#include "core/pass/fold_constants.h"
#include "core/pass/format_tools.h"
#include "core/pass/stored_codes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ql {

namespace {

bool isNormalization(const Operation &op)
{
    return op.type == "LayerNormalization" || op.type == "SimplifiedLayerNormalization" ||
           op.type == "RMSNormalization";
}

/// Whether the sum of op is normalized, or is the variance and epsilon of a normalization in single operations.
bool isOfNormalization(const Graph &graph, const Operation &op)
{
    const auto readBy = [&](auto matches) {
        const auto &uses = graph.variable(op.outputs[0]).uses;
        return std::any_of(uses.begin(), uses.end(), [&](const Use &use) {
            return use.op != noOp && use.index == 0 && matches(graph.operation(use.op));
        });
    };
    const auto isMean = [&](VarId id) {
        const OpId producer = id == noVar ? noOp : graph.variable(id).producer;
        return producer != noOp && graph.operation(producer).type == "ReduceMean";
    };
    return readBy(isNormalization) || (std::any_of(op.inputs.begin(), op.inputs.end(), isMean) &&
                                       readBy([](const Operation &reader) { return reader.type == "Sqrt"; }));
}

/// Whether the AveragePool counts padding: its own, or that of a Pad before it.
bool countsPadding(const Graph &graph, const Operation &op)
{
    const OpId producer = graph.variable(op.inputs[0]).producer;
    if (producer != noOp && graph.operation(producer).type == "Pad") return true;
    const auto pads = op.intsAttribute("pads");
    return op.intAttribute("count_include_pad", 0) != 0 &&
           (std::any_of(pads.begin(), pads.end(), [](std::int64_t pad) { return pad != 0; }) ||
            op.stringAttribute("auto_pad", "NOTSET").starts_with("SAME"));
}

/// Whether the Pad, of opset 11 or later, adds channels or samples, or may do so.
bool padsChannels(const Graph &graph, const Operation &op)
{
    if (!op.hasInput(1) || !graph.isParameter(op.inputs[1]) || op.hasInput(3)) return true;
    const at::Tensor pads = graph.variable(op.inputs[1]).value.flatten();
    const std::int64_t rank = pads.numel() / 2, outer = std::min<std::int64_t>(rank, 2);
    return pads.slice(0, 0, outer).ne(0).any().item().toBool() ||
           pads.slice(0, rank, rank + outer).ne(0).any().item().toBool();
}

/// Whether the axis is another one than the last.
bool joinsEntries(const Graph &graph, const Operation &concat)
{
    const std::int64_t axis = concat.intAttribute("axis", 0);
    const auto &shape = graph.variable(concat.outputs[0]).type.shape;
    return axis != -1 && (!shape || axis != std::int64_t(shape->size()) - 1);
}

/// The place of the tensor of a Concat that a layer with weights reads, if only these are between the two: pairs, a
/// Transpose, a Relu or Clip.
std::optional<Slot> readOfConcat(const Graph &graph, Slot place)
{
    for (bool isRounded = false;;) {
        const OpId producer = graph.variable(variableOf(graph, place)).producer;
        if (producer == noOp) return std::nullopt;
        const Operation &op = graph.operation(producer);
        if (op.type == "Concat") return isRounded && joinsEntries(graph, op) ? std::optional(place) : std::nullopt;
        isRounded = isRounded || isDequantizeLinear(op);
        if (!isQuantizeLinear(op) && !isDequantizeLinear(op) && op.type != "Transpose" && !isLinearActivation(op))
            return std::nullopt;
        place = inputSlot(producer, 0);
    }
}

} // namespace

VarId sumOf(Graph &graph, VarId read, const char *suffix)
{
    return addCopy(graph, "Sum", {read}, suffix);
}

void preventFusions(Graph &graph)
{
    for (const OpId id : graph.operations()) {
        const Operation &op = graph.operation(id);
        if (!op.domain.empty()) continue;
        if (op.type == "MaxPool") {
            const OpId pad = graph.variable(op.inputs[0]).producer;
            if (pad != noOp && graph.operation(pad).type == "Pad")
                graph.setInput(id, 0, sumOf(graph, op.inputs[0], "_separate"));
        } else if (op.type == "Add" && isOfNormalization(graph, op)) {
            graph.edit(id).type = "Sum";
        }
    }
}

static void padInFloat(Graph &graph, bool hasOpenShapes, VarId &lowest)
{
    for (const OpId id : graph.operations()) {
        const Operation &op = graph.operation(id);
        if (!op.domain.empty()) continue;
        const bool isWrong = op.type == "AveragePool" ? countsPadding(graph, op)
                                                      : op.type == "Pad" && hasOpenShapes && padsChannels(graph, op);
        if (isWrong) graph.setInput(id, 0, addMaxWithLowest(graph, op.inputs[0], lowest, "_separate"));
    }
}

static void separateConcats(Graph &graph, VarId &lowest)
{
    std::set<Slot> separated;
    for (const OpId id : graph.operations()) {
        const Operation &op = graph.operation(id);
        if ((op.type != "MatMul" && op.type != "Gemm") || !op.domain.empty()) continue;
        const auto place = readOfConcat(graph, inputSlot(id, 0));
        if (place && separated.insert(*place).second)
            graph.setInput(place->op, std::size_t(place->index),
                           addMaxWithLowest(graph, variableOf(graph, *place), lowest, "_separate"));
    }
}

void separateForOpenVino(Graph &graph, bool hasOpenShapes)
{
    VarId lowest = noVar;
    padInFloat(graph, hasOpenShapes, lowest);
    separateConcats(graph, lowest);
}

void storeRoundedConstants(Graph &graph, bool asCodes)
{
    constexpr std::int64_t mostElements = std::int64_t{1} << 26;
    const std::set<VarId> foldable = foldableTensors(graph);
    const auto isRead = [&](const Operation &op) {
        return op.type == "QuantizeLinear" && op.domain.empty() && foldable.contains(op.inputs[0]);
    };
    const std::vector<OpId> order = graph.topological();
    std::set<VarId> needed;
    for (auto id = order.rbegin(); id != order.rend(); ++id) {
        const Operation &op = graph.operation(*id);
        if (isRead(op)) needed.insert(op.inputs[0]);
        if (std::any_of(op.outputs.begin(), op.outputs.end(), [&](VarId each) { return needed.contains(each); }))
            needed.insert(op.inputs.begin(), op.inputs.end());
    }
    std::map<VarId, at::Tensor> values{{noVar, {}}};
    std::map<VarId, VarId> stored;
    const auto addStored = [&](VarId of, const at::Tensor &value) {
        const auto [known, isNew] = stored.emplace(of, noVar);
        if (isNew) known->second = graph.addParameter(graph.freshName(graph.variable(of).name + "_value"), value);
        return known->second;
    };
    const auto resultsOf = [&](const Operation &op) {
        std::vector<at::Tensor> inputs;
        for (const VarId input : op.inputs) {
            const auto known = values.find(input);
            if (input != noVar && graph.isParameter(input))
                inputs.push_back(graph.variable(input).value);
            else
                inputs.push_back(known == values.end() ? at::Tensor() : known->second);
        }
        return constantOutputs({op, graph}, inputs, mostElements);
    };
    for (const OpId id : order) {
        const Operation op = graph.operation(id);
        if (isRead(op) && values.contains(op.inputs[0])) {
            const bool wantsCodes = asCodes && graph.variable(op.outputs[0]).fileType == 0;
            if (const auto codes = wantsCodes ? resultsOf(op) : std::nullopt) {
                for (const Use &use : std::vector(graph.variable(op.outputs[0]).uses))
                    graph.setInput(use.op, std::size_t(use.index), addStored(op.outputs[0], codes->front()));
            } else {
                graph.setInput(id, 0, addStored(op.inputs[0], values.at(op.inputs[0])));
            }
        }
        if (std::none_of(op.outputs.begin(), op.outputs.end(), [&](VarId each) { return needed.contains(each); }))
            continue;
        const auto results = resultsOf(op);
        if (!results) continue;
        for (std::size_t i = 0; i < op.outputs.size(); ++i)
            if (op.outputs[i] != noVar) values[op.outputs[i]] = results->at(i);
    }
}

} // namespace ql
