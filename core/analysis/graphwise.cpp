// Error of every quantized operation's output in the fully quantized model: accumulated from the inputs to there.
// Also the error of the graph outputs, and the accuracy where the data has labels. With a memory of the last analysis,
// what lies before the first operation that is quantized differently now is not measured again.
#include "core/analysis/accuracy.h"
#include "core/analysis/analyser.h"
#include "core/analysis/graphwise_memory.h"
#include "core/analysis/undefined.h"
#include "core/exec/lanes.h"
#include "core/quant/device.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <utility>

namespace ql {

namespace {

nlohmann::json rowHead(const Graph &graph, const Operation &op, std::size_t output)
{
    return {{"op", op.name}, {"type", op.type}, {"variable", graph.variable(op.outputs[output]).name}};
}

/// What this analysis may take over from the last one, as start of what the next one may take over. Without cuts where
/// nothing can be: integer arithmetic goes over from layer to layer in codes, which are not kept.
GraphwiseMemory resumed(const AnalysisContext &context, std::size_t batches)
{
    GraphwiseMemory memory;
    const Graph &graph = context.model.graph;
    const std::map<OpId, std::size_t> placeOf = placesOf(graph);
    const auto producer = [&](VarId output) { return placeOf.find(graph.variable(output).producer); };
    const bool hasProducers = std::all_of(graph.outputs().begin(), graph.outputs().end(),
                                          [&](VarId id) { return producer(id) != placeOf.end(); });
    if (!context.graphwise || !hasProducers || !context.model.plan.integerOps.empty()) return memory;
    memory.key = context.memoryKey;
    memory.plan = context.model.plan;
    memory.floating = memory.quantized = KeptCuts(graph, batches, keptActivations / 2);
    GraphwiseMemory &last = *context.graphwise;
    if (last.key != memory.key) {
        last = {}; // it will not be asked for again
        return memory;
    }
    std::size_t same = commonPrefix(graph, last.plan, memory.plan);
    for (const VarId output : graph.outputs()) same = std::min(same, producer(output)->second);
    memory.floating.resume(last.floating, same);
    memory.quantized.resume(last.quantized, same);
    if (memory.quantized.start == 0) return memory;
    memory.samples = last.samples;
    for (const auto &[slot, measure] : last.measures)
        if (placeOf.at(slot.op) < memory.quantized.start) memory.measures[slot] = measure;
    return memory;
}

nlohmann::json compare(const AnalysisContext &context, bool perOperation)
{
    const Graph &graph = context.model.graph;
    const Executor executor(graph, context.exec);
    const std::size_t batches = std::min(context.batches, context.data->size());
    GraphwiseMemory memory = perOperation ? resumed(context, batches) : GraphwiseMemory{};
    const bool isResumed = memory.quantized.start > 0, keeps = !memory.key.empty();
    Lanes lanes(executor, batches);
    std::vector<std::map<Slot, at::Tensor>> original(batches);
    std::map<Slot, ErrorMeasure> &measures = memory.measures;
    memory.samples.resize(batches, 1);
    std::mutex mutex;
    std::size_t undefinedBatch = batches; // the first one
    const auto add = [&](ErrorMeasure &measure, const at::Tensor &floating, const at::Tensor &quantized,
                         std::size_t batch) {
        measure.add(floating, quantized, rowsOf(quantized, memory.samples[batch]));
        if (std::isfinite(measure.noiseRatio())) return;
        const std::lock_guard lock(mutex);
        undefinedBatch = std::min(undefinedBatch, batch);
    };
    ProgramSpec floating, quantized;
    quantized.plan = &context.model.plan;
    floating.onDevice = quantized.onDevice = true;
    std::vector<Slot> slots;
    if (perOperation) {
        for (const OpId id : graph.topological()) {
            if (!context.model.isQuantized(id)) continue;
            for (std::size_t o = 0; o < graph.operation(id).outputs.size(); ++o)
                if (graph.operation(id).outputs[o] != noVar) slots.push_back(outputSlot(id, o));
        }
        const std::map<OpId, std::size_t> placeOf = placesOf(graph);
        for (const Slot slot : slots) {
            if (placeOf.at(slot.op) < memory.quantized.start) continue;
            floating.probes.push_back(
                {slot, ProbePoint::Quantized,
                 [&original, slot](const at::Tensor &t, std::size_t batch) { original[batch][slot] = t; }});
            quantized.probes.push_back({slot, ProbePoint::Quantized,
                                        [&, slot, &measure = measures[slot],
                                         place = quantized.probes.size()](const at::Tensor &t, std::size_t batch) {
                                            const auto it = original[batch].find(slot);
                                            if (it == original[batch].end() || !at::isFloatingType(t.scalar_type()))
                                                return;
                                            lanes.inOrder(place, batch, [&] { add(measure, it->second, t, batch); });
                                            original[batch].erase(it);
                                        }});
        }
    }
    ResumedProgram floatProgram(executor, std::move(floating), memory.floating, keeps);
    ResumedProgram quantProgram(executor, std::move(quantized), memory.quantized, keeps);
    std::vector<ErrorMeasure> outputMeasures(graph.outputs().size());
    Accuracy floatAccuracy, quantAccuracy;
    bool classifier = !context.labels.empty();
    std::size_t firstSample = 0;
    const std::size_t outputsPlace = slots.size();
    lanes.prepare(floatProgram.program());
    lanes.prepare(quantProgram.program());
    lanes.run(0, batches, [&](std::size_t i) {
        context.job.checkpoint(double(i) / double(batches), perOperation ? "graphwise error" : "output error");
        const Feed feed = isResumed ? Feed{} : context.data->batch(i);
        if (!isResumed) {
            memory.samples[i] = samplesPerBatch(feed);
            lanes.admit(i, 2 * lanes.share(feed)); // float and quantized
        }
        const auto given = [&] { return feed; };
        const std::vector<at::Tensor> fp = floatProgram.run(i, given, context.job, context.data->name(i));
        const std::vector<at::Tensor> q = quantProgram.run(i, given, context.job, context.data->name(i));
        lanes.inOrder(outputsPlace, i, [&] {
            const std::int64_t samples = memory.samples[i];
            for (std::size_t o = 0; o < fp.size(); ++o)
                if (const at::Tensor f = numbersOf(fp[o]), n = numbersOf(q[o]); f.defined() && n.defined())
                    add(outputMeasures[o], f, n, i);
            classifier = classifier && !fp.empty() && fp[0].dim() >= 2 && fp[0].size(0) == samples &&
                         fp[0].numel() == fp[0].size(0) * fp[0].size(1);
            if (classifier) {
                floatAccuracy.add(toHost(fp[0]), context.labels, firstSample);
                quantAccuracy.add(toHost(q[0]), context.labels, firstSample);
            }
            firstSample += std::size_t(samples);
        });
    });

    if (keeps) {
        memory.floating.finish();
        memory.quantized.finish();
        // Both start at the same cut, also where one of them could keep fewer
        memory.floating.known = memory.quantized.known = std::min(memory.floating.known, memory.quantized.known);
        if (undefinedBatch < batches) memory.key.clear(); // which one it was is told by computing all of them
    }
    nlohmann::json result;
    if (perOperation) {
        nlohmann::json rows = nlohmann::json::array();
        for (const Slot slot : slots) {
            const auto measure = measures.find(slot);
            if (measure == measures.end() || measure->second.empty()) continue;
            nlohmann::json row = rowHead(graph, graph.operation(slot.op), std::size_t(slot.index));
            row.update(measure->second.toJson());
            rows.push_back(std::move(row));
        }
        reportNulls(context, rows, "graphwise");
        result["graphwise"] = std::move(rows);
    }
    nlohmann::json outputs = nlohmann::json::array();
    for (std::size_t o = 0; o < outputMeasures.size(); ++o) {
        const Variable &variable = graph.variable(graph.outputs()[o]);
        if (outputMeasures[o].empty()) continue;
        nlohmann::json row = {{"variable", variable.name}};
        if (variable.producer != noOp) {
            row["op"] = graph.operation(variable.producer).name;
            row["type"] = graph.operation(variable.producer).type;
        }
        row.update(outputMeasures[o].toJson());
        if (o == 0 && classifier && floatAccuracy.total() > 0) {
            const std::string why = floatAccuracy.whyNoScores();
            if (why.empty())
                row["metric"] = {{"name", "top1"},
                                 {"fp32", floatAccuracy.value()},
                                 {"quantized", quantAccuracy.value()},
                                 {"samples", floatAccuracy.total()}};
            else
                context.report(
                    {"info", row.value("op", ""), variable.name,
                     "no accuracy is told, the labels do not fit the float32 output: " + why,
                     "Where the output holds class scores, check preprocessing and the order of the labels."});
        }
        outputs.push_back(std::move(row));
    }
    reportNulls(context, outputs, "outputs");
    if (undefinedBatch < batches) reportOrigin(context, undefinedBatch);
    if (keeps) *context.graphwise = std::move(memory);
    result["outputs"] = std::move(outputs);
    return result;
}

const AnalyserRegistrar graphwise{
    "graphwise",
    {{"graphwise",
      "Graphwise error",
      "Error of every quantized operation's output with the whole model quantized: what has accumulated up to there.",
      {}},
     true,
     [](const AnalysisContext &context, const nlohmann::json &) { return compare(context, true); }}};

const AnalyserRegistrar outputs{
    "outputs",
    {{"outputs",
      "Output error",
      "Error of the graph outputs with the whole model quantized, and accuracy where the data has labels.",
      {}},
     true,
     [](const AnalysisContext &context, const nlohmann::json &) { return compare(context, false); }}};

} // namespace

} // namespace ql
