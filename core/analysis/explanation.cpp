// Where the noise of each operation comes from. Both networks run once per batch; then each operation alone: with float
// inputs and its own rounding (what it adds), and in float with one of its inputs from the quantized network (what
// comes in through it). Also the noise of each sample, and intervals of the outputs' numbers by bootstrap over the
// samples.
#include "core/analysis/analyser.h"
#include "core/analysis/error_measure.h"
#include "core/ir/subgraphs.h"
#include "core/quant/device.h"

#include <ATen/ops/argmax.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <set>

namespace ql {

namespace {

using Values = std::map<VarId, at::Tensor>;

/// An operation with the programs that run it alone.
struct Explained
{
    OpId op = noOp;
    VarId output = noVar;
    std::vector<VarId> inputs; ///< without parameters, each once
    std::optional<Program> floating, rounding;
    ErrorMeasure all, added;
    std::vector<ErrorMeasure> through; ///< by input
    std::vector<std::optional<double>> samples;
};

/// Low and high end of the 95 % interval of a statistic, drawn with replacement from count entries.
std::pair<double, double> bootstrap(std::size_t count,
                                    const std::function<double(const std::vector<std::size_t> &)> &of)
{
    constexpr std::size_t draws = 1000;
    constexpr double tail = 0.025;
    std::mt19937_64 random(1);
    std::vector<double> values;
    std::vector<std::size_t> chosen(count);
    for (std::size_t d = 0; d < draws; ++d) {
        for (std::size_t &entry : chosen) entry = std::size_t(random() % count);
        values.push_back(of(chosen));
    }
    std::sort(values.begin(), values.end());
    return {values[std::size_t(tail * draws)], values[std::size_t((1 - tail) * draws) - 1]};
}

double meanOf(const std::vector<double> &values, const std::vector<std::size_t> &chosen)
{
    double sum = 0;
    for (const std::size_t entry : chosen) sum += values[entry];
    return sum / double(chosen.size());
}

class Explainer
{
public:
    explicit Explainer(const AnalysisContext &context)
        : m_context(context), m_graph(context.model.graph), m_executor(m_graph, hostOptions(context))
    {
        for (const OpId id : m_graph.topological())
            if (context.model.isQuantized(id)) addOperation(id);
        m_noise.resize(m_graph.outputs().size());
    }

    api::Explanation run()
    {
        ProgramSpec floating, quantized;
        quantized.plan = &m_context.model.plan;
        Values original, rounded;
        probe(floating, original);
        probe(quantized, rounded);
        const Program floatProgram = m_executor.compile(floating), quantProgram = m_executor.compile(quantized);
        const std::size_t batches = std::min(m_context.batches, m_context.data->size());
        for (std::size_t i = 0; i < batches; ++i) {
            m_context.job.checkpoint(double(i) / double(batches), QL_TEXT("where the noise comes from"));
            const Feed feed = m_context.data->batch(i);
            original.clear();
            rounded.clear();
            for (const VarId input : m_graph.inputs())
                if (const auto given = feed.find(m_graph.variable(input).name); given != feed.end())
                    original[input] = rounded[input] = given->second;
            const std::int64_t samples = samplesPerBatch(feed);
            const std::vector<at::Tensor> fp = floatProgram.run(feed, m_context.job, m_context.data->name(i), i);
            const std::vector<at::Tensor> q = quantProgram.run(feed, m_context.job, m_context.data->name(i), i);
            addOutputs(fp, q, samples, i);
            for (Explained &explained : m_operations) explain(explained, original, rounded, samples);
        }
        return result();
    }

private:
    static ExecOptions hostOptions(const AnalysisContext &context)
    {
        ExecOptions options = context.exec;
        options.device = "cpu";
        return options;
    }

    void addOperation(OpId id)
    {
        const Operation &op = m_graph.operation(id);
        Explained explained;
        explained.op = id;
        for (const VarId output : op.outputs)
            if (output != noVar && explained.output == noVar) explained.output = output;
        if (explained.output == noVar || !bodies(op).empty()) return;
        for (const VarId input : op.inputs)
            if (input != noVar && !m_graph.isParameter(input) &&
                std::find(explained.inputs.begin(), explained.inputs.end(), input) == explained.inputs.end())
                explained.inputs.push_back(input);
        if (explained.inputs.empty()) return;
        explained.through.resize(explained.inputs.size());
        m_operations.push_back(std::move(explained));
    }

    /// Every tensor that an operation reads or writes, as its readers get it.
    void probe(ProgramSpec &spec, Values &values) const
    {
        std::set<VarId> wanted;
        for (const Explained &explained : m_operations) {
            wanted.insert(explained.output);
            wanted.insert(explained.inputs.begin(), explained.inputs.end());
        }
        for (const VarId id : wanted) {
            const OpId producer = m_graph.variable(id).producer;
            if (producer == noOp) continue;
            const std::vector<VarId> &outputs = m_graph.operation(producer).outputs;
            const auto place = std::size_t(std::find(outputs.begin(), outputs.end(), id) - outputs.begin());
            spec.probes.push_back({outputSlot(producer, place), ProbePoint::Quantized,
                                   [&values, id](const at::Tensor &t, std::size_t) { values[id] = t.clone(); }});
        }
    }

    /// Nothing if a value that the program reads is not there.
    std::optional<at::Tensor> alone(const Program &program, const std::function<const Values &(VarId)> &from) const
    {
        std::vector<at::Tensor> feeds;
        for (const VarId feed : program.feeds()) {
            const Values &values = from(feed);
            const auto value = values.find(feed);
            if (value == values.end()) return std::nullopt;
            feeds.push_back(value->second);
        }
        return program.run(feeds, m_context.job).at(0);
    }

    void compile(Explained &explained)
    {
        ProgramSpec spec;
        spec.feeds = explained.inputs;
        spec.outputs = {explained.output};
        explained.floating.emplace(m_executor.compile(spec));
        const std::set<OpId> only{explained.op};
        spec.plan = &m_context.model.plan;
        spec.onlyQuantized = &only;
        explained.rounding.emplace(m_executor.compile(spec));
    }

    void explain(Explained &explained, const Values &original, const Values &rounded, std::int64_t samples)
    {
        const auto fp = original.find(explained.output), q = rounded.find(explained.output);
        if (fp == original.end() || q == rounded.end() || !at::isFloatingType(fp->second.scalar_type())) return;
        if (!explained.floating) compile(explained);
        const std::int64_t rows = rowsOf(fp->second, samples);
        explained.all.add(fp->second, q->second, rows);
        for (std::int64_t s = 0; s < samples; ++s) { // of a tensor without samples: the same for each
            ErrorMeasure one;
            if (rows == samples)
                one.add(fp->second.narrow(0, s, 1), q->second.narrow(0, s, 1), 1);
            else
                one.add(fp->second, q->second, 1);
            explained.samples.push_back(ifFinite(one.noiseRatio()));
        }
        if (const auto own = alone(*explained.rounding, [&](VarId) -> const Values & { return original; }))
            explained.added.add(fp->second, *own, rows);
        for (std::size_t i = 0; i < explained.inputs.size(); ++i) {
            const auto through = alone(*explained.floating, [&](VarId id) -> const Values & {
                return id == explained.inputs[i] ? rounded : original;
            });
            if (through) explained.through[i].add(fp->second, *through, rows);
        }
    }

    void addOutputs(const std::vector<at::Tensor> &fp, const std::vector<at::Tensor> &q, std::int64_t samples,
                    std::size_t batch)
    {
        const std::vector<std::string> names = sampleNames(*m_context.data, batch);
        for (std::int64_t s = 0; s < samples; ++s)
            m_names.push_back(std::size_t(s) < names.size() ? names[std::size_t(s)] : std::to_string(m_names.size()));
        for (std::size_t o = 0; o < fp.size(); ++o) {
            const at::Tensor f = numbersOf(fp[o]), n = numbersOf(q[o]);
            if (!f.defined() || !n.defined() || rowsOf(f, samples) != samples) continue;
            for (std::int64_t s = 0; s < samples; ++s) {
                ErrorMeasure one;
                one.add(f.narrow(0, s, 1), n.narrow(0, s, 1), 1);
                m_noise[o].push_back(one.noiseRatio());
            }
        }
        addHits(fp, q, samples);
    }

    /// Of top-1, if the data has classes: 1 right, 0 wrong.
    void addHits(const std::vector<at::Tensor> &fp, const std::vector<at::Tensor> &q, std::int64_t samples)
    {
        const std::size_t first = m_names.size() - std::size_t(samples);
        if (m_context.metric || fp.empty() || fp[0].dim() < 2 || fp[0].size(0) != samples ||
            !at::isFloatingType(fp[0].scalar_type()) || fp[0].numel() != samples * fp[0].size(1))
            return;
        const auto best = [&](const at::Tensor &scores) {
            return at::argmax(scores.reshape({samples, -1}), 1).contiguous();
        };
        const at::Tensor a = best(fp[0]), b = best(q[0]);
        for (std::int64_t s = 0; s < samples; ++s) {
            if (first + std::size_t(s) >= m_context.labels.size()) return;
            const std::int64_t label = m_context.labels[first + std::size_t(s)];
            if (label < 0) continue;
            m_change.push_back(double(b.data_ptr<std::int64_t>()[s] == label) -
                               double(a.data_ptr<std::int64_t>()[s] == label));
        }
    }

    api::Explanation result() const
    {
        api::Explanation explanation;
        explanation.samples = m_names;
        for (const Explained &explained : m_operations) {
            if (explained.all.empty()) continue;
            const Operation &op = m_graph.operation(explained.op);
            api::NoiseOrigin &row = explanation.operations.emplace_back();
            row.op = op.name;
            row.type = op.type;
            row.variable = m_graph.variable(explained.output).name;
            row.noiseRatio = ifFinite(explained.all.noiseRatio());
            if (!explained.added.empty()) row.added = ifFinite(explained.added.noiseRatio());
            for (std::size_t i = 0; i < explained.inputs.size(); ++i) {
                const Variable &input = m_graph.variable(explained.inputs[i]);
                api::NoiseEdge &edge = row.inputs.emplace_back();
                edge.variable = input.name;
                if (input.producer != noOp) edge.from = m_graph.operation(input.producer).name;
                if (!explained.through[i].empty()) edge.noiseRatio = ifFinite(explained.through[i].noiseRatio());
            }
            row.samples = explained.samples;
        }
        for (std::size_t o = 0; o < m_noise.size(); ++o)
            if (!m_noise[o].empty()) explanation.outputs.push_back(confidence(o));
        return explanation;
    }

    api::Confidence confidence(std::size_t output) const
    {
        const std::vector<double> &noise = m_noise[output];
        const auto decibels = [](double ratio) { return -10 * std::log10(ratio); };
        api::Confidence row;
        row.variable = m_graph.variable(m_graph.outputs()[output]).name;
        const auto [low, high] =
            bootstrap(noise.size(), [&](const std::vector<std::size_t> &chosen) { return meanOf(noise, chosen); });
        row.sqnrLow = ifFinite(decibels(high));
        row.sqnrHigh = ifFinite(decibels(low));
        const auto worst = std::max_element(noise.begin(), noise.end());
        row.worstDb = ifFinite(decibels(*worst));
        row.worstSample = m_names[std::size_t(worst - noise.begin())];
        if (output == 0 && !m_change.empty()) {
            const auto [least, most] = bootstrap(
                m_change.size(), [&](const std::vector<std::size_t> &chosen) { return meanOf(m_change, chosen); });
            row.metricLow = least;
            row.metricHigh = most;
        }
        return row;
    }

    const AnalysisContext &m_context;
    const Graph &m_graph;
    const Executor m_executor;
    std::vector<Explained> m_operations;
    std::vector<std::string> m_names;         ///< of the samples
    std::vector<std::vector<double>> m_noise; ///< by output and sample
    std::vector<double> m_change; ///< of each labelled sample: right in the quantized network minus in float
};

api::Measures explanation(const AnalysisContext &given, const nlohmann::json &params)
{
    AnalysisContext context(given);
    context.batches = batchesOf(given, params);
    api::Measures result;
    result.explanation = Explainer(context).run();
    return result;
}

const AnalyserRegistrar explanationRegistrar{
    "explanation",
    {.info = {.id = "explanation",
              .title = QL_TEXT("Origin of the noise"),
              .meaning = QL_TEXT("For each operation: the noise that came in through each input, and the noise that it "
                                 "added; the noise of each sample; and how certain the numbers of the outputs are."),
              .params = {{.name = "samples",
                          .type = "int",
                          .fallback = 16,
                          .meaning = QL_TEXT("Number of evaluation samples to use."),
                          .min = 1}}},
     .run = explanation,
     .passes = [](const QuantModel &, const nlohmann::json &) { return 5.0; }}};

} // namespace

} // namespace ql
