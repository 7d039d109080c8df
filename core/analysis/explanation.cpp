// Where the noise of each operation comes from (core/analysis/noise_origin.h), the noise of each sample, and intervals
// of the outputs' numbers by bootstrap over the samples.
#include "core/analysis/analyser.h"
#include "core/analysis/error_measure.h"
#include "core/analysis/noise_origin.h"
#include "core/analysis/only_operation.h"
#include "core/ir/op_traits.h"

#include <ATen/ops/argmax.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <random>

namespace ql {

namespace {

enum RoundedKind { OnlyActivations, OnlyWeights, OnlyBiases, roundedKinds }; // biases: all other parameters

RoundedKind roundedKindOf(const Graph &graph, Slot slot)
{
    if (roleOf(graph, slot) != api::SlotRole::Parameter) return OnlyActivations;
    return isWeight(graph.operation(slot.op), slot) ? OnlyWeights : OnlyBiases;
}

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
        : m_context(context), m_graph(context.model.graph), m_names(namesInBodies(m_graph)),
          m_origins(context, context.model, {}, m_names)
    {
        m_noise.resize(m_graph.outputs().size());
        for (int kind = 0; kind < roundedKinds; ++kind) {
            bool isAny = false;
            const QuantPlan plan = withOnlySlots(context.model, [&](const Graph &graph, Slot slot) {
                const bool isKept = roundedKindOf(graph, slot) == kind;
                isAny = isAny || isKept;
                return isKept;
            });
            if (!isAny) continue;
            ProgramSpec spec;
            spec.plan = &plan;
            m_alone[kind].emplace(Executor(m_graph, context.exec).compile(spec));
            m_byKind[kind].resize(m_noise.size());
        }
    }

    api::Explanation run()
    {
        const std::size_t batches = std::min(m_context.batches, m_context.data->size());
        for (std::size_t i = 0; i < batches; ++i) {
            m_context.job.checkpoint(double(i) / double(batches), QL_TEXT("where the noise comes from"));
            const Feed feed = m_context.data->batch(i);
            const auto [floating, rounded] = m_origins.addBatch(feed, i);
            addOutputs(floating, rounded, samplesPerBatch(feed), i);
            for (int kind = 0; kind < roundedKinds; ++kind)
                if (m_alone[kind])
                    addKind(kind, floating, m_alone[kind]->run(feed, m_context.job, m_context.data->name(i), i),
                            samplesPerBatch(feed));
        }
        return result();
    }

private:
    void addOutputs(const std::vector<at::Tensor> &fp, const std::vector<at::Tensor> &q, std::int64_t samples,
                    std::size_t batch)
    {
        const std::vector<std::string> names = sampleNames(*m_context.data, batch);
        for (std::int64_t s = 0; s < samples; ++s) {
            const bool isNamed = std::size_t(s) < names.size();
            m_positions.push_back(batch * names.size() + (isNamed ? std::size_t(s) : 0));
            m_samples.push_back(isNamed ? names[std::size_t(s)] : std::to_string(m_samples.size()));
        }
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

    void addKind(int kind, const std::vector<at::Tensor> &fp, const std::vector<at::Tensor> &q, std::int64_t samples)
    {
        for (std::size_t o = 0; o < fp.size(); ++o)
            if (const at::Tensor f = numbersOf(fp[o]), n = numbersOf(q[o]); f.defined() && n.defined())
                m_byKind[kind][o].add(f, n, rowsOf(f, samples));
    }

    /// Of top-1, if the data has classes: 1 right, 0 wrong.
    void addHits(const std::vector<at::Tensor> &fp, const std::vector<at::Tensor> &q, std::int64_t samples)
    {
        const std::size_t first = m_samples.size() - std::size_t(samples);
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
        explanation.samples = m_samples;
        m_origins.addRows(explanation.operations);
        for (std::size_t o = 0; o < m_noise.size(); ++o)
            if (!m_noise[o].empty()) explanation.outputs.push_back(confidence(o));
        explanation.worst = worstSamples();
        return explanation;
    }

    std::vector<api::NoisySample> worstSamples() const
    {
        constexpr std::size_t shown = 8;
        std::vector<api::NoisySample> worst(m_samples.size());
        for (std::size_t s = 0; s < worst.size(); ++s) {
            double noise = 0;
            for (const std::vector<double> &ofOutput : m_noise)
                if (s < ofOutput.size())
                    noise = std::max(noise, std::isfinite(ofOutput[s]) ? ofOutput[s] : double(INFINITY));
            worst[s] = {m_samples[s], s, ifFinite(noise), {}};
        }
        std::stable_sort(worst.begin(), worst.end(), [](const auto &a, const auto &b) {
            return a.noiseRatio.value_or(INFINITY) > b.noiseRatio.value_or(INFINITY);
        });
        worst.resize(std::min(worst.size(), shown));
        for (api::NoisySample &sample : worst) sample.image = m_context.picture(m_positions[sample.index]);
        return worst;
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
        row.worstSample = m_samples[std::size_t(worst - noise.begin())];
        const auto alone = [&](RoundedKind kind) -> std::optional<double> {
            if (!m_alone[kind] || m_byKind[kind][output].empty()) return std::nullopt;
            return ifFinite(decibels(m_byKind[kind][output].noiseRatio()));
        };
        row.activationsDb = alone(OnlyActivations);
        row.weightsDb = alone(OnlyWeights);
        row.biasesDb = alone(OnlyBiases);
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
    const std::map<std::pair<BodyPath, OpId>, std::string> m_names;
    NoiseOrigins m_origins;
    std::array<std::optional<Program>, roundedKinds> m_alone; ///< with only slots of one kind rounded, if there are any
    std::array<std::vector<ErrorMeasure>, roundedKinds> m_byKind; ///< by output
    std::vector<std::string> m_samples;                           ///< their names
    std::vector<std::size_t> m_positions;                         ///< of the same samples in the data
    std::vector<std::vector<double>> m_noise;                     ///< by output and sample
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
     .passes = [](const QuantModel &, const nlohmann::json &) { return 8.0; }}};

} // namespace

} // namespace ql
