#include "core/verify/aligned_tensor.h"

#include "core/exec/target_fusion.h"
#include "core/exec/target_rounding.h"
#include "core/ir/op_traits.h"

#include <algorithm>

namespace ql {

std::optional<Slot> roundingReader(const QuantModel &model, VarId id)
{
    const QuantPlan &plan = model.plan;
    std::optional<Slot> first;
    for (const Use &use : model.graph.variable(id).uses) {
        if (use.op != noOp && traitsOf(model.graph.operation(use.op)).source == ValueSource::Shape) continue;
        const Slot slot = inputSlot(use.op, std::size_t(use.index));
        const TensorQuantConfig *config = use.op == noOp ? nullptr : plan.simulated(slot);
        if (!config) return {};
        if (!first) first = slot;
        if (!isSameGrid(model.graph, plan, *first, slot)) return {};
    }
    return first;
}

std::optional<Slot> roundingSlot(const QuantModel &model, VarId id)
{
    const Graph &graph = model.graph;
    if (graph.variable(id).producer == noOp) return roundingReader(model, id);
    while (graph.variable(id).producer != noOp) {
        const Variable &variable = graph.variable(id);
        const Slot slot = outputSlot(variable.producer, std::size_t(variable.producerIndex));
        if (model.plan.simulated(slot)) return slot;
        const Operation &op = graph.operation(variable.producer);
        if (!isPassive(op) || !op.hasInput(0) || graph.isParameter(op.inputs[0]) || slot.index != 0) return {};
        if (const auto read = inputSlot(op.id, 0); model.plan.simulated(read)) return read;
        id = op.inputs[0];
    }
    return {};
}

Steps stepsOf(const QuantModel &model, std::optional<Slot> slot)
{
    if (!slot) return {};
    const TensorQuantConfig *config = model.plan.simulated(*slot);
    if (!config || config->isFloating() || config->isGrouped() || config->dynamic) return {};
    const std::vector<float> scale = targetScale(model.graph, model.plan, *slot);
    return {scale, scale.size() > 1 && config->channelAxis ? *config->channelAxis : -1};
}

/// How many operations round the tensor where they read it, with a scale of their own.
static std::size_t roundingReaders(const QuantModel &model, VarId id)
{
    const auto &uses = model.graph.variable(id).uses;
    return std::size_t(std::count_if(uses.begin(), uses.end(), [&](const Use &use) {
        return use.op != noOp && model.plan.simulated(inputSlot(use.op, std::size_t(use.index)));
    }));
}

/// Whether a runtime computes the float tensor otherwise if the model is cut at it: RKNN's toolkit, if what reads it
/// rounds it.
static bool dependsOnReaders(const QuantModel &model, const Variable &variable)
{
    const Slot slot = outputSlot(variable.producer, std::size_t(variable.producerIndex));
    return roundingByReaders(model.graph, model.plan, slot, [&](Slot s) { return model.plan.simulated(s); })
        .has_value();
}

/// Variables that depend on a graph input: a runtime computes the others once, or its converter does.
static std::set<VarId> computedFromInputs(const Graph &graph)
{
    std::set<VarId> known(graph.inputs().begin(), graph.inputs().end());
    for (const OpId id : graph.topological()) {
        const Operation &op = graph.operation(id);
        if (std::any_of(op.inputs.begin(), op.inputs.end(), [&](VarId input) { return known.contains(input); }))
            known.insert(op.outputs.begin(), op.outputs.end());
    }
    return known;
}

std::vector<AlignedTensor> alignedTensors(const QuantModel &model, const std::map<std::string, FileTensor> &file)
{
    const Graph &graph = model.graph;
    std::vector<AlignedTensor> out;
    const auto add = [&](VarId id) {
        const auto found = file.find(graph.variable(id).name);
        if (found == file.end()) return;
        std::optional<Slot> slot = roundingSlot(model, id);
        const FileTensor *tensor = &found->second;
        const auto rounded = file.find(tensor->rounded);
        if (!slot && rounded != file.end() && tensor->codes.empty() && !graph.isGraphOutput(id)) {
            slot = roundingReader(model, id);
            if (slot) tensor = &rounded->second;
        }
        out.push_back({id, slot, stepsOf(model, slot), *tensor});
    };
    const std::set<VarId> computed = computedFromInputs(graph);
    for (const VarId id : graph.inputs())
        if (roundingSlot(model, id)) add(id);
    for (const OpId id : graph.topological()) {
        const Operation &op = graph.operation(id);
        for (std::size_t o = 0; o < op.outputs.size(); ++o) {
            const VarId variable = op.outputs[o];
            if (variable == noVar || !computed.contains(variable)) continue;
            if (graph.variable(variable).type.dtype != at::kFloat) continue;
            if (model.plan.kernelOf(id).result != TargetKernel::Result::Rounded) continue; // seen by no one
            const bool isFloat = !isPassive(op) && (!model.isQuantized(id) || roundingReaders(model, variable) > 0) &&
                                 !dependsOnReaders(model, graph.variable(variable));
            if (model.plan.simulated(outputSlot(id, o)) || isFloat) add(variable);
        }
    }
    return out;
}

Segment segmentOf(const Graph &graph, VarId tensor, const std::set<VarId> &compared)
{
    Segment segment;
    std::set<OpId> seen;
    std::set<VarId> feeds;
    std::vector<VarId> open{tensor};
    while (!open.empty()) {
        const VarId id = open.back();
        open.pop_back();
        const OpId producer = graph.variable(id).producer;
        if (producer == noOp || (id != tensor && compared.contains(id))) {
            if (!graph.isParameter(id)) feeds.insert(id);
            continue;
        }
        if (!seen.insert(producer).second) continue;
        for (const VarId input : graph.operation(producer).inputs)
            if (input != noVar) open.push_back(input);
    }
    for (const OpId id : graph.topological())
        if (seen.contains(id)) segment.operations.push_back(id);
    segment.feeds.assign(feeds.begin(), feeds.end());
    return segment;
}

} // namespace ql
