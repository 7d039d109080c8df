// Error of every quantized operation's output with the whole model quantized: accumulated from the inputs. Also the
// error of the graph outputs, and the accuracy if the data has labels. With the cache of the last analysis, nothing
// upstream of the first operation that is now quantized differently is measured again.
#include "core/analysis/accuracy.h"
#include "core/analysis/analyser.h"
#include "core/analysis/graphwise_cache.h"
#include "core/analysis/metric.h"
#include "core/analysis/undefined.h"
#include "core/base/error.h"
#include "core/exec/lanes.h"
#include "core/quant/device.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace ql {

namespace {

api::ErrorRow errorRow(const Graph &graph, Slot output, const ErrorMeasure &measure)
{
    const Operation &op = graph.operation(output.op);
    api::ErrorRow row;
    row.op = op.name;
    row.type = op.type;
    row.variable = graph.variable(variableOf(op, output)).name;
    measure.fill(row);
    return row;
}

/// Whether the float outputs of all batches may be kept in memory, by their types.
bool areOutputsSmall(const Graph &graph, std::size_t batches)
{
    std::size_t bytes = 0;
    for (const VarId id : graph.outputs()) {
        const std::size_t output = graph.variable(id).type.bytes();
        if (output == 0) return false; // unknown
        bytes += output;
    }
    return bytes * batches <= keptActivations / 2;
}

/// Results of the last analysis to reuse, as the start of the next cache. Without cuts if nothing can be reused:
/// integer arithmetic passes codes from layer to layer, which are not cached. perOperation: as for Comparison.
GraphwiseCache resumed(const AnalysisContext &context, std::size_t batches, bool perOperation)
{
    GraphwiseCache cache;
    const Graph &graph = context.model.graph;
    const std::map<OpId, std::size_t> placeOf = placesOf(graph);
    const auto producer = [&](VarId output) { return placeOf.find(graph.variable(output).producer); };
    const bool hasProducers = std::all_of(graph.outputs().begin(), graph.outputs().end(),
                                          [&](VarId id) { return producer(id) != placeOf.end(); });
    if (!context.graphwise || !hasProducers || !context.model.plan.integerOps.empty()) return cache;
    cache.key = context.cacheKey + (perOperation ? "" : " outputs");
    cache.plan = context.model.plan;
    cache.quantized = KeptCuts(graph, batches, keptActivations / 2);
    const bool keepsOutputs = !perOperation && areOutputsSmall(graph, batches);
    if (keepsOutputs)
        cache.floatOutputs.resize(batches);
    else
        cache.floating = cache.quantized;
    GraphwiseCache &last = *context.graphwise;
    if (last.key != cache.key) {
        last = {}; // it will not be requested again
        return cache;
    }
    std::size_t same = commonPrefix(graph, last.plan, cache.plan);
    for (const VarId output : graph.outputs()) same = std::min(same, producer(output)->second);
    if (keepsOutputs) cache.floatOutputs = last.floatOutputs;
    cache.floating.resume(last.floating, same);
    cache.quantized.resume(last.quantized, same);
    if (cache.quantized.start == 0) return cache;
    cache.samples = last.samples;
    for (const auto &[slot, measure] : last.measures)
        if (placeOf.at(slot.op) < cache.quantized.start) cache.measures[slot] = measure;
    for (const auto &[place, measure] : last.bodies)
        if (placeOf.at(place.path.front().first) < cache.quantized.start) cache.bodies[place] = measure;
    return cache;
}

/// Runs the float program and the quantized one, and measures the difference of their tensors.
class Comparison
{
public:
    /// perOperation: also the outputs of quantized operations
    Comparison(const AnalysisContext &context, bool perOperation)
        : m_context(context), m_graph(context.model.graph), m_perOperation(perOperation),
          m_executor(m_graph, context.exec), m_batches(std::min(context.batches, context.data->size())),
          m_cache(resumed(context, m_batches, perOperation)), m_lanes(m_executor, m_batches), m_original(m_batches),
          m_undefinedBatch(m_batches), m_outputMeasures(m_graph.outputs().size()),
          m_isClassifier(!context.labels.empty() && !context.metric)
    {
        if (context.metric) {
            m_floatMetric = context.metric->make();
            m_quantMetric = context.metric->make();
        }
        m_cache.samples.resize(m_batches, 1);
        for (std::size_t o = 0; o < m_graph.outputs().size(); ++o)
            if (holdsIndices(m_graph, m_graph.outputs()[o])) m_indexMeasures[o];
    }

    api::Measures run()
    {
        const bool keeps = !m_cache.key.empty();
        measure(keeps);
        if (keeps) {
            m_cache.floating.finish();
            m_cache.quantized.finish();
            // Both start at the same cut, even if one of them could start later
            if (m_cache.floatOutputs.empty())
                m_cache.floating.known = m_cache.quantized.known =
                    std::min(m_cache.floating.known, m_cache.quantized.known);
            if (isUndefined()) m_cache.key.clear(); // to find out which one it was, all are computed
        }
        m_hasOrigin = isUndefined() && reportOrigin(m_context, m_undefinedBatch);
        api::Measures result;
        if (m_perOperation) result.graphwise = operationRows();
        result.outputs = outputRows();
        if (keeps) *m_context.graphwise = std::move(m_cache);
        return result;
    }

private:
    bool isUndefined() const { return m_undefinedBatch < m_batches; }

    void add(ErrorMeasure &measure, const at::Tensor &floating, const at::Tensor &quantized, std::size_t batch)
    {
        const std::int64_t samples = m_cache.samples[batch];
        measure.add(floating, quantized, rowsOf(quantized, samples), samples);
        if (std::isfinite(measure.noiseRatio())) return;
        const std::lock_guard lock(m_mutex);
        m_undefinedBatch = std::min(m_undefinedBatch, batch);
    }

    /// Probes the outputs of quantized operations downstream of those that the last analysis measured.
    void probeOperations(ProgramSpec &floating, ProgramSpec &quantized)
    {
        for (const OpId id : m_graph.topological()) {
            if (!m_context.model.isQuantized(id)) continue;
            for (std::size_t o = 0; o < m_graph.operation(id).outputs.size(); ++o)
                if (m_graph.operation(id).outputs[o] != noVar) m_slots.push_back(outputSlot(id, o));
        }
        const std::map<OpId, std::size_t> placeOf = placesOf(m_graph);
        for (const Slot slot : m_slots) {
            if (placeOf.at(slot.op) < m_cache.quantized.start) continue;
            floating.probes.push_back(
                {slot, ProbePoint::Quantized,
                 [this, slot](const at::Tensor &t, std::size_t batch) { m_original[batch][slot] = t; }});
            quantized.probes.push_back({slot, ProbePoint::Quantized,
                                        [this, slot, &measure = m_cache.measures[slot],
                                         place = quantized.probes.size()](const at::Tensor &t, std::size_t batch) {
                                            auto &original = m_original[batch];
                                            const auto it = original.find(slot);
                                            if (it == original.end() || !at::isFloatingType(t.scalar_type())) return;
                                            m_lanes.inOrder(place, batch, [&] { add(measure, it->second, t, batch); });
                                            original.erase(it);
                                        }});
        }
        m_bodies.emplace(
            outputsInBodies(m_context.model, [&](OpId id) { return placeOf.at(id) >= m_cache.quantized.start; }),
            m_batches);
        m_bodies->probe(floating, quantized);
    }

    void measure(bool keeps)
    {
        ProgramSpec floating, quantized;
        quantized.plan = &m_context.model.plan;
        floating.onDevice = quantized.onDevice = true;
        const bool isResumed = m_cache.quantized.start > 0;
        if (m_perOperation) probeOperations(floating, quantized);
        std::vector<std::vector<at::Tensor>> &outputs = m_cache.floatOutputs;
        const bool hasOutputs = !outputs.empty() && !outputs[0].empty();
        std::optional<ResumedProgram> floatProgram;
        if (!hasOutputs) {
            floatProgram.emplace(m_executor, std::move(floating), m_cache.floating, keeps);
            m_lanes.prepare(floatProgram->program());
        }
        ResumedProgram quantProgram(m_executor, std::move(quantized), m_cache.quantized, keeps);
        m_lanes.prepare(quantProgram.program());
        const JobContext &job = m_context.job;
        m_lanes.run(0, m_batches, [&](std::size_t i) {
            job.checkpoint(double(i) / double(m_batches),
                           m_perOperation ? QL_TEXT("graphwise error") : QL_TEXT("output error"));
            const Feed feed = isResumed ? Feed{} : m_context.data->batch(i);
            if (!isResumed) {
                m_cache.samples[i] = samplesPerBatch(feed);
                m_lanes.admit(i, 2 * m_lanes.share(feed)); // float and quantized
            }
            const auto given = [&] { return feed; };
            const std::vector<at::Tensor> fp =
                hasOutputs ? outputs[i] : floatProgram->run(i, given, job, m_context.data->name(i));
            if (!hasOutputs && !outputs.empty()) outputs[i] = fp;
            const std::vector<at::Tensor> q = quantProgram.run(i, given, job, m_context.data->name(i));
            m_lanes.inOrder(m_slots.size(), i, [&] {
                if (m_bodies) addBodies(i);
                addOutputs(fp, q, i);
                if (m_floatMetric) addMetric(fp, q, isResumed ? m_context.data->batch(i) : feed, i);
            });
        });
    }

    void addBodies(std::size_t batch)
    {
        const std::int64_t samples = m_cache.samples[batch];
        m_bodies->take(batch, [&](const BodySlot &place, const at::Tensor &fp, const at::Tensor &q) {
            m_cache.bodies[place].add(fp, q, rowsOf(q, samples), samples);
        });
    }

    void addOutputs(const std::vector<at::Tensor> &fp, const std::vector<at::Tensor> &q, std::size_t batch)
    {
        const std::int64_t samples = m_cache.samples[batch];
        for (std::size_t o = 0; o < fp.size(); ++o)
            if (const auto indices = m_indexMeasures.find(o); indices != m_indexMeasures.end())
                indices->second.add(fp[o], q[o], samples);
            else if (const at::Tensor f = numbersOf(fp[o]), n = numbersOf(q[o]); f.defined() && n.defined())
                add(m_outputMeasures[o], f, n, batch);
        addAccuracy(fp, q, samples);
        if (m_context.compared) m_context.compared(fp, q, samples);
        m_firstSample += std::size_t(samples);
    }

    void addMetric(const std::vector<at::Tensor> &fp, const std::vector<at::Tensor> &q, const Feed &feed,
                   std::size_t batch)
    {
        const std::vector<std::string> names = sampleNames(*m_context.data, batch);
        if (std::int64_t(names.size()) != m_cache.samples[batch])
            throw Error(ErrorKind::BadConfig, QL_TEXT("a metric needs the name of each sample: batches of at most 8, "
                                                      "and names without commas"));
        const auto onHost = [](std::vector<at::Tensor> outputs) {
            for (at::Tensor &output : outputs)
                if (numbersOf(output).defined()) output = toHost(output);
            return outputs;
        };
        m_floatMetric->add(onHost(fp), feed, names);
        m_quantMetric->add(onHost(q), feed, names);
    }

    /// Output 0 against the labels: scores [N, classes], or class indices [N].
    void addAccuracy(const std::vector<at::Tensor> &fp, const std::vector<at::Tensor> &q, std::int64_t samples)
    {
        const bool isIndex = m_indexMeasures.contains(0);
        m_isClassifier = m_isClassifier && !fp.empty() && fp[0].dim() >= (isIndex ? 1 : 2) &&
                         fp[0].size(0) == samples && fp[0].numel() == (isIndex ? samples : samples * fp[0].size(1));
        if (!m_isClassifier && m_notScores.isEmpty() && !fp.empty() && !m_context.labels.empty() && !m_context.metric)
            m_notScores = QL_TEXT("%1 for a batch of %2").with(sizesText(fp[0].sizes()), samples);
        if (!m_isClassifier) return;
        const auto add = isIndex ? &Accuracy::addIndices : &Accuracy::add;
        (m_floatAccuracy.*add)(toHost(fp[0]), m_context.labels, m_firstSample);
        (m_quantAccuracy.*add)(toHost(q[0]), m_context.labels, m_firstSample);
    }

    std::vector<api::ErrorRow> operationRows() const
    {
        std::vector<api::ErrorRow> rows;
        for (const Slot slot : m_slots) {
            const auto measure = m_cache.measures.find(slot);
            if (measure != m_cache.measures.end() && !measure->second.empty())
                rows.push_back(errorRow(m_graph, slot, measure->second));
        }
        for (api::ErrorRow &row : bodyErrorRows(m_context.model, m_cache.bodies)) rows.push_back(std::move(row));
        reportUnset(m_context, rows, "graphwise", m_hasOrigin);
        return rows;
    }

    std::vector<api::OutputRow> outputRows() const
    {
        std::vector<api::OutputRow> outputs;
        for (std::size_t o = 0; o < m_outputMeasures.size(); ++o) {
            const Variable &variable = m_graph.variable(m_graph.outputs()[o]);
            const auto indices = m_indexMeasures.find(o);
            const bool holdsIndices = indices != m_indexMeasures.end();
            if (holdsIndices ? indices->second.isEmpty() : m_outputMeasures[o].empty()) continue;
            api::OutputRow &row = outputs.emplace_back();
            row.variable = variable.name;
            if (variable.producer != noOp) {
                row.op = m_graph.operation(variable.producer).name;
                row.type = m_graph.operation(variable.producer).type;
            }
            if (holdsIndices)
                indices->second.fill(row);
            else
                m_outputMeasures[o].fill(row);
            if (o == 0 && m_isClassifier && m_floatAccuracy.total() > 0) fillAccuracy(row);
            if (o == 0 && m_floatMetric) fillMetric(row);
            if (o == 0 && !m_notScores.isEmpty())
                m_context.report(
                    {api::Severity::Info, row.op, row.variable,
                     QL_TEXT("accuracy not reported: the output is %1, not a row of class scores for each sample")
                         .with(m_notScores),
                     QL_TEXT(
                         "Class scores need the batch as their first axis; for other outputs, choose a metric (%1).")
                         .with(Text::option("--metric"))});
        }
        std::vector<api::ErrorRow> measured;
        std::copy_if(outputs.begin(), outputs.end(), std::back_inserter(measured),
                     [](const api::OutputRow &row) { return !row.equalShare; });
        reportUnset(m_context, measured, "outputs", m_hasOrigin);
        return outputs;
    }

    void fillMetric(api::OutputRow &row) const
    {
        const std::optional<double> fp = m_floatMetric->value(), q = m_quantMetric->value();
        const std::int64_t samples = m_floatMetric->samples();
        if (fp && q) row.metric = {m_context.metric->name, *fp, *q, samples, m_context.metric->isLoss};
        if (fp && q && samples < row.samples)
            m_context.report({api::Severity::Info, row.op, row.variable,
                              QL_TEXT("the metric %1 counts %2 of %3 samples: the others have no label")
                                  .with(m_context.metric->name, samples, row.samples),
                              QL_TEXT("Labels are matched to samples by name: choose labels for this data.")});
        if (!fp || !q)
            m_context.report(
                {api::Severity::Warning, row.op, row.variable,
                 QL_TEXT("the metric %1 was not computed: no sample has a label").with(m_context.metric->name),
                 QL_TEXT("Labels are matched to samples by name: choose labels for this data.")});
    }

    void fillAccuracy(api::OutputRow &row) const
    {
        const Text why = m_floatAccuracy.noScoresReason();
        if (why.isEmpty())
            row.metric = {"top1",
                          m_floatAccuracy.value(),
                          m_quantAccuracy.value(),
                          m_floatAccuracy.total(),
                          false,
                          uncertaintyOfDrop(m_floatAccuracy, m_quantAccuracy)};
        else
            m_context.report(
                {api::Severity::Info, row.op, row.variable,
                 QL_TEXT("accuracy not reported: labels do not match the float32 output (%1)").with(why),
                 QL_TEXT("If the output holds class scores, check preprocessing and the order of the labels.")});
    }

    const AnalysisContext &m_context;
    const Graph &m_graph;
    const bool m_perOperation;
    const Executor m_executor;
    const std::size_t m_batches;
    GraphwiseCache m_cache;
    Lanes m_lanes;
    std::vector<Slot> m_slots;                           ///< outputs of quantized operations
    std::vector<std::map<Slot, at::Tensor>> m_original;  ///< their float tensors, by batch
    std::optional<BodyPairs> m_bodies;                   ///< of quantized operations in bodies
    std::mutex m_mutex;                                  ///< of m_undefinedBatch
    bool m_hasOrigin = false;                            ///< of undefined values
    std::size_t m_undefinedBatch;                        ///< the first one without a finite error
    std::vector<ErrorMeasure> m_outputMeasures;          ///< by graph output
    std::map<std::size_t, EqualMeasure> m_indexMeasures; ///< of the graph outputs that contain indices
    Accuracy m_floatAccuracy, m_quantAccuracy;
    std::unique_ptr<OutputMetric> m_floatMetric, m_quantMetric; ///< if the recipe has one
    bool m_isClassifier;
    Text m_notScores; ///< the sizes of the first output if labels are given, but it does not hold class scores
    std::size_t m_firstSample = 0; ///< of the next batch
};

api::Measures compare(const AnalysisContext &context, bool perOperation)
{
    return Comparison(context, perOperation).run();
}

const AnalyserRegistrar graphwise{
    "graphwise",
    {.info =
         {.id = "graphwise",
          .title = QL_TEXT("Graphwise error"),
          .meaning = QL_TEXT(
              "Error of every quantized operation's output with the whole model quantized: the error accumulated up to "
              "this operation.")},
     .run = [](const AnalysisContext &context, const nlohmann::json &) { return compare(context, true); }}};

const AnalyserRegistrar outputs{
    "outputs",
    {.info = {.id = "outputs",
              .title = QL_TEXT("Output error"),
              .meaning = QL_TEXT(
                  "Error of the graph outputs with the whole model quantized, and accuracy if the data has labels.")},
     .run = [](const AnalysisContext &context, const nlohmann::json &) { return compare(context, false); }}};

} // namespace

} // namespace ql
