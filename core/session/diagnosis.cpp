#include "core/session/diagnosis.h"

#include "core/api/remedy_words.h"
#include "core/ir/op_traits.h"
#include "core/pass/equalization.h"
#include "core/pass/layer_weights.h"
#include "core/platform/rule.h"
#include "core/report/report_format.h"
#include "core/session/diagnosis_depthwise.h"
#include "core/session/remedies.h"
#include "core/session/remedy_list.h"
#include "core/session/report.h"

#include <algorithm>
#include <cmath>

namespace ql {

using api::Action;
using api::Problem;

namespace {

Problem problem(api::Severity severity, const std::string &op, const std::string &variable, Text message, Text remedy,
                std::vector<Action> actions = {})
{
    return {severity, op, variable, std::move(message), std::move(remedy), std::move(actions)};
}

Problem withValues(Problem problem, std::vector<double> values, Text meaning)
{
    problem.values = std::move(values);
    problem.valuesMeaning = std::move(meaning);
    return problem;
}

Text percent(double ratio)
{
    return Text::number(100 * ratio, 3);
}

Text decibels(double db)
{
    return Text::number(std::round(10 * db) / 10, 4);
}

/// Largest |value| of each channel, 0 for one that is not finite.
std::vector<double> channelSizes(const api::ChannelRanges &channels)
{
    std::vector<double> sizes;
    for (std::size_t i = 0; i < channels.min.size() && i < channels.max.size(); ++i) {
        const auto &low = channels.min[i], &high = channels.max[i];
        sizes.push_back(low && high ? std::max(std::abs(*low), std::abs(*high)) : 0);
    }
    return sizes;
}

/// The largest channel divided by the median one; nothing for few channels, or if most are zero.
std::optional<double> unevenness(std::vector<double> sizes)
{
    if (sizes.size() < 4) return std::nullopt;
    std::sort(sizes.begin(), sizes.end());
    const double median = sizes[sizes.size() / 2];
    return median > 0 ? std::optional(sizes.back() / median) : std::nullopt;
}

/// The worst of one kind, worst first.
class Ranking
{
public:
    void add(double weight, Problem problem) { m_found.emplace_back(weight, std::move(problem)); }
    bool isEmpty() const { return m_found.empty(); }
    void appendTo(std::vector<Problem> &problems)
    {
        std::stable_sort(m_found.begin(), m_found.end(),
                         [](const auto &a, const auto &b) { return a.first > b.first; });
        for (std::size_t i = 0; i < std::min(m_found.size(), mostOfAKind); ++i)
            problems.push_back(std::move(m_found[i].second));
    }

private:
    std::vector<std::pair<double, Problem>> m_found;
};

/// By how much the quantized model is worse, as a fraction: of 1 for shares such as accuracies, otherwise of the float
/// model's value.
double lostBy(const api::Metric &metric)
{
    const double scale = report::isShare(metric) ? 1 : std::abs(metric.fp32);
    return scale > 0 ? metric.drop() / scale : 0;
}

/// The metric that lost most, if there are labels. isCertain: more than it may lose by chance.
const api::Metric *worstMetric(const std::vector<api::OutputRow> &outputs, bool isCertain)
{
    const api::Metric *worst = nullptr;
    for (const api::OutputRow &row : outputs)
        if (row.metric && (row.metric->drop() > row.metric->uncertainty.value_or(0)) == isCertain &&
            (!worst || lostBy(*row.metric) > lostBy(*worst)))
            worst = &*row.metric;
    return worst;
}

/// The lost accuracy or other metric, if there are labels.
double lostAccuracy(const std::vector<api::OutputRow> &outputs)
{
    const api::Metric *worst = worstMetric(outputs, true);
    return worst ? lostBy(*worst) : 0;
}

/// "Accuracy drops by 11.5 ± 3.2 points"
Text lossText(const api::Metric &metric)
{
    if (!report::isShare(metric))
        return QL_TEXT("The metric %1 changes from %2 to %3")
            .with(metric.name, Text::number(metric.fp32), Text::number(metric.quantized));
    const Text points = metric.uncertainty
                            ? QL_TEXT("%1 ± %2").with(percent(lostBy(metric)), percent(*metric.uncertainty))
                            : percent(lostBy(metric));
    if (metric.name == "top1") return QL_TEXT("Accuracy drops by %1 points").with(points);
    return metric.isLoss ? QL_TEXT("The metric %1 rises by %2 points").with(metric.name, points)
                         : QL_TEXT("The metric %1 drops by %2 points").with(metric.name, points);
}

/// Operations of which something is rounded.
std::size_t quantizedOperations(const std::vector<api::ConfigRow> &configs)
{
    std::set<std::string> operations;
    for (const api::ConfigRow &row : configs)
        if (row.scheme.state != QuantState::Off && row.scheme.state != QuantState::Overlapped)
            operations.insert(row.slot.op);
    return operations.size();
}

/// The output of indices or other integers with the fewest equal elements.
const api::OutputRow *leastEqual(const std::vector<api::OutputRow> &outputs)
{
    const api::OutputRow *least = nullptr;
    for (const api::OutputRow &row : outputs)
        if (row.equalShare && (!least || *row.equalShare < *least->equalShare)) least = &row;
    return least;
}

class Diagnosis
{
public:
    explicit Diagnosis(const Facts &facts)
        : m_facts(facts), m_available(facts.configs, facts.passes, facts.equalizable, facts.hasBiases)
    {
        const auto &outputs = facts.outputs;
        const bool isGood =
            !outputs.empty() && lostAccuracy(outputs) < costlyAccuracy &&
            std::all_of(outputs.begin(), outputs.end(), [](const api::OutputRow &row) {
                return row.equalShare ? 1 - *row.equalShare <= goodDifference : row.noiseRatio.value_or(1) <= goodNoise;
            });
        m_anomalySeverity = isGood ? api::Severity::Info : api::Severity::Warning;
    }

    std::vector<Problem> run()
    {
        addErrors();
        addWeights();
        if (m_facts.ranges)
            addRanges(*m_facts.ranges);
        else
            addDepthwiseInputs();
        return std::move(m_problems);
    }

    std::set<std::string> missingRanges() const
    {
        std::set<std::string> names;
        if (m_facts.ranges || m_anomalySeverity == api::Severity::Info) return names;
        for (const auto &[variable, readers] : m_facts.depthwise)
            if (m_available.isSharedActivation(*readers.operations.begin(), variable)) names.insert(variable);
        return names;
    }

private:
    RemedyList remediesOfCostly(const std::string &op) const;
    void remediesOfModel(const std::set<std::string> &worst, RemedyList &remedies) const;
    std::optional<double> noiseOfOutput(const std::string &name) const;
    void addErrors();
    double addNoise(const std::set<std::string> &costly);
    std::optional<double> clippedShare(const std::string &op, const std::string &variable) const;
    void addUncertain();
    void addAccumulated(double lost, std::optional<double> worstDb, double named);
    void addUneven(Ranking &uneven, const std::string &op, const std::string &variable, const Text &message,
                   double ratio, const std::vector<double> &sizes, const RemedyList &remedies) const;
    void addWeights();
    void addRanges(const api::Ranges &ranges);
    Problem notFinite(const api::RangeRow &row) const;
    Problem clipped(const api::RangeRow &row, double share) const;
    void addChannels(const api::RangeRow &row, Ranking &dead, Ranking &uneven);
    void addDepthwise();
    void addDepthwiseInputs();
    void addJoins(const std::vector<api::JoinRow> &rows);

    const Facts &m_facts;
    const AvailableRemedies m_available;
    api::Severity m_anomalySeverity; ///< no warning about the inside of a model whose result is good
    std::vector<UnevenInput> m_depthwise;
    std::vector<Problem> m_problems;
};

/// What helps an operation whose own error is large. FP32 gains most at the worst operation of resnet20 and minifasnet
/// (3.3 to 4.4 dB on TRT_INT8 and RKNN_INT8); per-channel weights and another observer gain as much or nothing,
/// equalization loses 2.6 dB in minifasnet.
RemedyList Diagnosis::remediesOfCostly(const std::string &op) const
{
    RemedyList remedies(m_facts.tried, m_facts.listsAlternatives);
    remedies.add(QL_TEXT("FP32 for this operation"), toFloat(api::remedy::toFloat, {op}));
    if (m_available.hasSharedWeight(op)) remedies.add(QL_TEXT("per-channel weights"), perChannel(op));
    remedies.addBest(QL_TEXT("another observer"), m_available.observersOfOperation(op));
    if (m_available.isEqualizable(op))
        remedies.add(QL_TEXT("equalizing it with its neighbour"), m_available.equalization());
    return remedies;
}

/// Remedies for all operations together, or for those that add most of the noise.
void Diagnosis::remediesOfModel(const std::set<std::string> &worst, RemedyList &remedies) const
{
    // Gains in dB in this order, percentiles over samples: mobilenetv2 on TRT_INT8 2.7, -0.3, 1.5, -0.3; a classifier
    // of text lines on RKNN_INT8 -1.0, 5.1, 1.6, -0.8
    remedies.add(QL_TEXT("bias correction"), m_available.biasCorrection());
    remedies.addBest(QL_TEXT("another observer"), m_available.observersOfAll());
    if (!worst.empty()) remedies.add(QL_TEXT("FP32 for these operations"), toFloat(api::remedy::worstToFloat, worst));
    remedies.add(QL_TEXT("layerwise equalization"), m_available.equalization());
    remedies.addAdvice(QL_TEXT("a platform with more bits"));
}

/// The noise / signal of an output, by default of the worst; nothing if it was not measured.
std::optional<double> Diagnosis::noiseOfOutput(const std::string &name) const
{
    std::optional<double> worst;
    for (const api::OutputRow &row : m_facts.outputs) {
        if (!name.empty() && row.variable == name) return row.noiseRatio;
        if (row.noiseRatio) worst = std::max(worst.value_or(0), *row.noiseRatio);
    }
    return worst;
}

void Diagnosis::addErrors()
{
    std::optional<double> worst;
    for (const api::OutputRow &row : m_facts.outputs)
        if (row.sqnrDb && (!worst || *row.sqnrDb < *worst)) worst = row.sqnrDb;
    const double lost = lostAccuracy(m_facts.outputs);
    const api::OutputRow *indices = leastEqual(m_facts.outputs);
    const bool isPoor = lost >= costlyAccuracy || (worst && *worst < poorSqnrDb) ||
                        (indices && 1 - *indices->equalShare >= costlyDifference);
    Ranking costly;
    std::set<std::string> costlyOperations;
    for (const api::ErrorRow &row : m_facts.layerwise) {
        const double noise = row.noiseRatio.value_or(0);
        const std::optional<double> total = noiseOfOutput(row.output);
        const bool isDominant = total && *total > goodNoise && noise > dominantShare * *total;
        if (noise <= costlyNoise && !isDominant) continue;
        const RemedyList remedies = remediesOfCostly(row.op);
        costlyOperations.insert(row.op);
        // If its results stay in float, the error comes from inputs and weights: that tensor is not the cause
        const Text cost = QL_TEXT("Quantizing only this operation adds %1 % noise to the output (%2 dB).")
                              .with(percent(noise), decibels(-10 * std::log10(noise)));
        costly.add(noise, problem(api::Severity::Warning, row.op,
                                  m_available.roundsResults(row.op) ? row.variable : std::string(),
                                  noise > costlyNoise
                                      ? cost
                                      : QL_TEXT("%1 All operations together add %2 %.").with(cost, percent(*total)),
                                  remedies.sentence(), remedies.actions()));
    }
    const bool isExplained = !costly.isEmpty();
    costly.appendTo(m_problems);
    const double named = isPoor && noiseOfOutput({}).value_or(1) > goodNoise ? addNoise(costlyOperations) : 0;
    addUncertain();
    if (!isExplained && isPoor && (indices || !m_facts.layerwise.empty())) addAccumulated(lost, worst, named);
}

/// A drop that so few samples do not prove.
void Diagnosis::addUncertain()
{
    const api::Metric *metric = worstMetric(m_facts.outputs, false);
    if (!metric || lostBy(*metric) < costlyAccuracy) return;
    m_problems.push_back(
        {.severity = api::Severity::Info,
         .message = QL_TEXT("%1 (95 % interval): %2 samples are too few to confirm it.")
                        .with(lossText(*metric), metric->samples),
         .remedy = QL_TEXT("Evaluate more labelled samples (%1).").with(Text::option("--eval-samples"))});
}

/// Of the values of a tensor; nothing if its range was not measured.
std::optional<double> Diagnosis::clippedShare(const std::string &op, const std::string &variable) const
{
    if (!m_facts.ranges) return std::nullopt;
    for (const api::RangeRow &row : m_facts.ranges->tensors)
        if (row.op == op && row.variable == variable && row.elements > 0)
            return double(row.clipped) / double(row.elements);
    return std::nullopt;
}

/// The output is poor: the tensors that cost most, unless their operation has a problem that says the same.
/// @returns the share of all noise that they add
double Diagnosis::addNoise(const std::set<std::string> &costly)
{
    constexpr std::size_t most = 3;
    double all = 0, named = 0;
    for (const api::NoiseRow &row : m_facts.noise) all += row.noiseRatio.value_or(0);
    for (std::size_t i = 0; i < std::min(most, m_facts.noise.size()); ++i) {
        const api::NoiseRow &row = m_facts.noise[i];
        const double noise = row.noiseRatio.value_or(0);
        if (!(noise > costlyTensor * all)) break;
        const std::string &op = row.slot.op;
        if (costly.contains(op)) continue;
        named += noise / all;
        const auto scores = m_facts.scores.steps.find(row.variable);
        RemedyList remedies(m_facts.tried, m_facts.listsAlternatives);
        if (row.slot.role == api::SlotRole::Parameter) {
            if (m_available.isSharedWeight(op, row.variable))
                remedies.add(QL_TEXT("per-channel weights"), perChannel(op));
            remedies.add(QL_TEXT("FP32 for this operation"), toFloat(api::remedy::toFloat, {op}));
        } else {
            if (scores != m_facts.scores.steps.end())
                remedies.add(QL_TEXT("FP32 for every Softmax with a mask and for the mask's Add"),
                             toFloat(api::remedy::worstToFloat, m_facts.scores.operations));
            remedies.addBest(QL_TEXT("another observer"), m_available.observersOfTensor(op, row.variable));
            remedies.addBest(QL_TEXT("another observer for all activations"), m_available.observersOfAll());
            remedies.addAdvice(QL_TEXT("your own limits for its range"));
            remedies.offer(m_available.toFloatOf(op, row.variable));
        }
        Text cost = QL_TEXT("Rounding '%1' alone adds %2 % noise to the outputs, %3 % of what all tensors add.")
                        .with(row.variable, percent(noise), percent(noise / all));
        if (scores != m_facts.scores.steps.end())
            cost = Text::sentences(
                {cost, QL_TEXT("Its step is %1, too coarse for Softmax: the values of a mask stretch its range.")
                           .with(Text::number(scores->second, 3))});
        const auto share = clippedShare(op, row.variable);
        m_problems.push_back(problem(
            api::Severity::Warning, op, row.variable,
            share && *share > 0 ? QL_TEXT("%1 %2 % of its values are clipped.").with(cost, percent(*share)) : cost,
            remedies.sentence(), remedies.actions()));
    }
    return named;
}

/// The output is poor, and no single operation is costly. ofTensors: the share of all noise that addNoise() explains.
void Diagnosis::addAccumulated(double lost, std::optional<double> worstDb, double ofTensors)
{
    constexpr std::size_t named = 3;
    double explained = 0;
    for (const api::ErrorRow &row : m_facts.layerwise) explained += row.noiseRatio.value_or(0);
    // Index outputs have no SQNR: their noise is estimated as the sum of the layerwise errors
    const double noise = worstDb ? std::pow(10, -*worstDb / 10) : explained;
    const std::size_t quantized = quantizedOperations(m_facts.configs);
    const bool areLimited = std::all_of(m_facts.layerwise.begin(), m_facts.layerwise.end(),
                                        [&](const api::ErrorRow &row) { return m_facts.computing.contains(row.op); });
    const bool isIncomplete = areLimited && m_facts.layerwise.size() < quantized && explained < explainedShare * noise;
    std::vector<const api::ErrorRow *> contributors;
    for (const api::ErrorRow &row : m_facts.layerwise)
        if (noise > 0 && row.noiseRatio.value_or(0) >= negligibleShare * noise) contributors.push_back(&row);
    std::stable_sort(contributors.begin(), contributors.end(),
                     [](const auto *a, const auto *b) { return *a->noiseRatio > *b->noiseRatio; });
    if (contributors.size() > named) contributors.resize(named);
    std::vector<Text> names;
    std::set<std::string> operations;
    for (const api::ErrorRow *row : contributors) {
        names.push_back(QL_TEXT("'%1' (%2 %)").with(row->op, percent(*row->noiseRatio)));
        operations.insert(row->op);
    }
    const api::OutputRow *indices = leastEqual(m_facts.outputs);
    const Text what = lost >= costlyAccuracy ? lossText(*worstMetric(m_facts.outputs, true))
                      : worstDb && *worstDb < poorSqnrDb
                          ? QL_TEXT("Output SQNR is only %1 dB").with(decibels(*worstDb))
                          : QL_TEXT("Only %1 % of the integers in output '%2' match the float result")
                                .with(percent(*indices->equalShare), indices->variable);
    const Text message =
        m_facts.layerwise.empty() ? QL_TEXT("%1.").with(what) // no output has a measurable layerwise error
        : names.empty() && ofTensors > explainedShare
            ? QL_TEXT("%1; %2 % of the noise comes from the tensors that are reported separately.")
                  .with(what, percent(ofTensors))
        : names.empty() && isIncomplete
            ? QL_TEXT("%1, but no single operation with weights explains it (%2 of %3 quantized operations measured).")
                  .with(what, m_facts.layerwise.size(), quantized)
        : names.empty() ? QL_TEXT("%1, but no single operation explains it (%2 measured): small errors accumulate.")
                              .with(what, m_facts.layerwise.size())
                        : QL_TEXT("%1: errors of several operations accumulate (%2 measured), the largest of them %3.")
                              .with(what, m_facts.layerwise.size(), Text::list(names));
    RemedyList remedies(m_facts.tried, m_facts.listsAlternatives);
    if (isIncomplete && !m_facts.layerwise.empty())
        remedies.add(QL_TEXT("measuring operations without weights as well"), measureAllOperations());
    remediesOfModel(operations, remedies);
    m_problems.push_back({.severity = api::Severity::Warning,
                          .message = message,
                          .remedy = remedies.sentence(),
                          .actions = remedies.actions()});
}

/// Channels whose sizes differ too much for their common scale.
void Diagnosis::addUneven(Ranking &uneven, const std::string &op, const std::string &variable, const Text &message,
                          double ratio, const std::vector<double> &sizes, const RemedyList &remedies) const
{
    uneven.add(ratio,
               withValues(problem(m_anomalySeverity, op, variable, message, remedies.sentence(), remedies.actions()),
                          sizes, QL_TEXT("largest |value| of each channel")));
}

void Diagnosis::addWeights()
{
    Ranking uneven;
    for (const api::WeightRow &row : m_facts.weights) {
        if (!m_available.isSharedWeight(row.op, row.variable)) continue;
        const std::vector<double> sizes = channelSizes(row.channels);
        const auto ratio = unevenness(sizes);
        if (!ratio || *ratio < unevenChannels) continue;
        RemedyList remedies(m_facts.tried, m_facts.listsAlternatives);
        remedies.add(QL_TEXT("per-channel weights"), perChannel(row.op));
        if (m_available.isEqualizable(row.op))
            remedies.add(QL_TEXT("layerwise equalization"), m_available.equalization());
        remedies.add(QL_TEXT("FP32 for this operation"), toFloat(api::remedy::toFloat, {row.op}));
        addUneven(uneven, row.op, row.variable,
                  QL_TEXT("The largest channel of its weight is %1 times the median, but all %2 channels share one "
                          "scale.")
                      .with(Text::number(*ratio, 3), sizes.size()),
                  *ratio, sizes, remedies);
    }
    uneven.appendTo(m_problems);
}

Problem Diagnosis::notFinite(const api::RangeRow &row) const
{
    const Text bad = Text::number(double(row.notFinite), 6), all = Text::number(double(row.elements), 6);
    return problem(
        api::Severity::Error, row.op, row.variable,
        row.role == api::SlotRole::Input
            ? QL_TEXT("%1 of the %2 float values of its input '%3' are NaN or infinite.").with(bad, all, row.variable)
            : QL_TEXT("%1 of its %2 float values are NaN or infinite.").with(bad, all),
        QL_TEXT("Check the data and the operation that computes it; every result after it is invalid."));
}

Problem Diagnosis::clipped(const api::RangeRow &row, double share) const
{
    const double low = row.min.value_or(0), high = row.max.value_or(0), from = row.clip[0], to = row.clip[1];
    RemedyList remedies(m_facts.tried, m_facts.listsAlternatives);
    remedies.addBest(QL_TEXT("another observer"), m_available.observersOfTensor(row.op, row.variable));
    remedies.addBest(QL_TEXT("another observer for all activations"), m_available.observersOfAll());
    remedies.addAdvice(QL_TEXT("your own limits for its range"));
    remedies.offer(m_available.toFloatOf(row.op, row.variable));
    // Another analysis may use more or fewer samples, with another fraction
    const Text where =
        QL_TEXT("(samples: %1): they range from %2 to %3, its scale covers %4 to %5")
            .with(row.samples, Text::number(low, 3), Text::number(high, 3), Text::number(from, 3), Text::number(to, 3));
    return withValues(problem(m_anomalySeverity, row.op, row.variable,
                              row.role == api::SlotRole::Input
                                  ? QL_TEXT("%1 % of the values of its input '%2' are clipped %3.")
                                        .with(percent(share), row.variable, where)
                                  : QL_TEXT("%1 % of its values are clipped %2.").with(percent(share), where),
                              remedies.sentence(), remedies.actions()),
                      {high - low, to - from}, QL_TEXT("value range, scale range"));
}

void Diagnosis::addChannels(const api::RangeRow &row, Ranking &dead, Ranking &uneven)
{
    const api::FeatureRanges &channels = *row.channels;
    const std::vector<double> sizes = channelSizes(channels);
    if (sizes.size() < 2) return;
    std::size_t still = 0;
    for (std::size_t c = 0; c < sizes.size(); ++c) // unset if not all values are finite: these do change
        still += channels.min[c] && channels.min[c] == channels.max[c] ? 1 : 0;
    if (still > 0 && channels.learned)
        dead.add(double(still) / double(sizes.size()),
                 withValues(
                     problem(api::Severity::Info, row.op, row.variable,
                             QL_TEXT("%1 of its %2 channels never change on these samples.").with(still, sizes.size()),
                             QL_TEXT("They carry no information and could be pruned; run more samples to see "
                                     "whether they ever change.")),
                     sizes, QL_TEXT("largest |value| of each channel")));
    const auto ratio = unevenness(sizes);
    if (!ratio || *ratio < unevenChannels || !m_available.isSharedActivation(row.op, row.variable)) return;
    const auto depthwise = m_facts.depthwise.find(row.variable);
    if (depthwise != m_facts.depthwise.end()) {
        m_depthwise.push_back({row.op, row.variable, depthwise->second, *ratio, sizes});
        return;
    }
    RemedyList remedies(m_facts.tried, m_facts.listsAlternatives);
    if (m_available.isEqualizable(row.op))
        remedies.add(QL_TEXT("equalizing it with its neighbours"), m_available.equalization());
    remedies.addBest(QL_TEXT("another observer"), m_available.observersOfTensor(row.op, row.variable));
    Action toFloat = m_available.toFloatOf(row.op, row.variable);
    const bool isItself = toFloat.id == api::remedy::toFloat;
    remedies.add(isItself ? QL_TEXT("FP32 for this operation") : QL_TEXT("FP32 for its consumers"), std::move(toFloat));
    addUneven(uneven, row.op, row.variable,
              QL_TEXT("The largest channel of its output is %1 times the median, but all %2 channels share one scale.")
                  .with(Text::number(*ratio, 3), sizes.size()),
              *ratio, sizes, remedies);
}

void Diagnosis::addRanges(const api::Ranges &ranges)
{
    Ranking broken, outside, uneven, dead;
    double place = 0; // values that are not finite spread: the first ones in execution order are nearest to the cause
    for (const api::RangeRow &row : ranges.tensors) {
        if (row.notFinite > 0) broken.add(place--, notFinite(row));
        const double share = double(row.clipped) / double(std::max<std::int64_t>(1, row.elements));
        if (share > muchClipped && row.clip.size() == 2) outside.add(share, clipped(row, share));
        if (row.channels) addChannels(row, dead, uneven);
    }
    broken.appendTo(m_problems);
    outside.appendTo(m_problems);
    addDepthwise();
    uneven.appendTo(m_problems);
    addJoins(ranges.joins);
    dead.appendTo(m_problems);
}

void Diagnosis::addDepthwise()
{
    if (m_depthwise.empty()) return;
    m_problems.push_back(problemOfDepthwise(std::move(m_depthwise), m_facts, m_available, m_anomalySeverity));
}

void Diagnosis::addDepthwiseInputs()
{
    Ranking dead, uneven; // other tensors were not measured
    for (const api::RangeRow &row : m_facts.depthwiseInputs)
        if (row.channels) addChannels(row, dead, uneven);
    addDepthwise();
}

void Diagnosis::addJoins(const std::vector<api::JoinRow> &rows)
{
    Ranking joins;
    for (const api::JoinRow &row : rows) {
        std::vector<double> sizes;
        for (const api::OperandRow &input : row.inputs)
            sizes.push_back(std::max(std::abs(input.min.value_or(0)), std::abs(input.max.value_or(0))));
        if (sizes.size() < 2) continue;
        const auto smallest = std::min_element(sizes.begin(), sizes.end());
        const double least = *smallest, most = *std::max_element(sizes.begin(), sizes.end());
        if (least <= 0 || most / least < unevenOperands || !row.oneScale) continue;
        joins.add(
            most / least,
            withValues(
                problem(m_anomalySeverity, row.op, row.inputs[std::size_t(smallest - sizes.begin())].variable,
                        QL_TEXT("Its operands share one scale but reach %1 and %2: the smaller one uses "
                                "about %3 of 256 codes.")
                            .with(Text::number(most, 3), Text::number(least, 3), std::max(1, int(256 * least / most))),
                        QL_TEXT("Give each operand its own scale (a parameter of the pass Alignment), or "
                                "run this operation in FP32."),
                        {toFloat(api::remedy::toFloat, {row.op})}),
                sizes, QL_TEXT("largest |value| of each operand")));
    }
    joins.appendTo(m_problems);
}

} // namespace

std::vector<Problem> diagnose(const Facts &facts)
{
    std::vector<Problem> problems = Diagnosis(facts).run();
    for (Problem &problem : problems)
        for (Action &action : problem.actions) keepRules(action, facts.dispatch, facts.overrides);
    return problems;
}

std::set<std::string> missingRanges(const Facts &facts)
{
    return Diagnosis(facts).missingRanges();
}

} // namespace ql
