// What a diagnosis knows about model and recipe besides the measurements.
#include "core/session/diagnosis.h"

#include "core/ir/op_traits.h"
#include "core/pass/equalization.h"
#include "core/pass/layer_weights.h"
#include "core/platform/rule.h"
#include "core/session/report.h"

namespace ql {

/// The tensors that depthwise convolutions read.
static std::map<std::string, DepthwiseReaders> depthwiseReaders(const QuantModel &model)
{
    const api::RuleMatch isDepthwise{.roles = {api::SlotRole::Input}, .attributes = {{"group", {.value = "channels"}}}};
    const Graph &graph = model.graph;
    std::map<std::string, DepthwiseReaders> found;
    for (const auto &[slot, config] : model.plan.configs()) {
        const Operation &op = graph.operation(slot.op);
        if (slot != inputSlot(slot.op, 0) || !matches(isDepthwise, graph, op, slot, config)) continue;
        DepthwiseReaders &readers = found[graph.variable(op.inputs[0]).name];
        readers.operations.insert(op.name);
        readers.areAll =
            !graph.isGraphOutput(op.inputs[0]) && graph.variable(op.inputs[0]).uses.size() == readers.operations.size();
    }
    return found;
}

/// The tensors whose scale is too coarse for the Softmax that reads them.
static CoarseScores coarseScoresOf(const QuantModel &model)
{
    static const std::set<std::string> masks{"Add", "Sub", "Where"};
    const Graph &graph = model.graph;
    CoarseScores found;
    const auto stepOf = [&](Slot slot) -> double {
        const TensorQuantConfig *config = model.plan.find(slot);
        if (!config || config->isFloating() || config->state == QuantState::Off) return 0;
        const std::vector<float> &scale = model.plan.scale(slot);
        return scale.size() == 1 ? scale[0] : 0;
    };
    for (const OpId id : graph.topological()) {
        const Operation &op = graph.operation(id);
        if (op.type != "Softmax") continue;
        const double step = stepOf(inputSlot(id, 0));
        if (step < coarseScores) continue;
        found.steps.emplace(graph.variable(op.inputs[0]).name, step);
        found.operations.insert(op.name);
        const OpId producer = graph.variable(op.inputs[0]).producer;
        if (producer == noOp || !masks.contains(graph.operation(producer).type)) continue;
        const Operation &mask = graph.operation(producer);
        found.operations.insert(mask.name);
        for (std::size_t i = 0; i < mask.inputs.size(); ++i)
            if (const double shared = stepOf(inputSlot(producer, i)); shared >= coarseScores)
                found.steps.emplace(graph.variable(mask.inputs[i]).name, shared);
    }
    return found;
}

Facts factsOf(const QuantModel &model, const api::Recipe &recipe)
{
    Facts facts;
    facts.configs = configRows(model);
    // Slopes, tables and other constants are no weights, for which there are remedies
    std::set<api::SlotName> constants;
    for (const auto &[slot, config] : model.plan.configs()) {
        const Operation &op = model.graph.operation(slot.op);
        if (!slot.output && !isWeight(op, slot)) constants.insert({op.name, api::SlotRole::Parameter, slot.index});
    }
    std::erase_if(facts.configs, [&](const api::ConfigRow &row) { return constants.contains(row.slot); });
    if (recipe.passes) facts.passes = *recipe.passes;
    facts.dispatch = recipe.dispatch;
    facts.overrides = recipe.overrides;
    const Graph &graph = model.graph;
    for (const OpId op : equalizableOperations(graph)) facts.equalizable.insert(graph.operation(op).name);
    const std::vector<OpId> operations = graph.topological();
    for (const OpId op : operations)
        if (isComputing(graph.operation(op))) facts.computing.insert(graph.operation(op).name);
    facts.depthwise = depthwiseReaders(model);
    facts.scores = coarseScoresOf(model);
    const auto scaled = recipe.platformParams.find("depthwise_per_channel");
    facts.canScaleInputs = scaled != recipe.platformParams.end() && *scaled == false;
    facts.hasBiases = std::any_of(operations.begin(), operations.end(), [&](OpId op) {
        if (!model.isQuantized(op) || !isLayer(graph.operation(op))) return false;
        const auto layer = layerWeights(graph, op);
        return layer && layer->bias != noVar;
    });
    return facts;
}

} // namespace ql
