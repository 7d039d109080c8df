#include "views/bridge/evidence.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>

namespace ql {

using nlohmann::json;

static QString tr(const char *text)
{
    return QCoreApplication::translate("ql", text);
}

static QString percent(double ratio)
{
    return QLocale().toString(100 * ratio, 'g', 3);
}

/// Largest |value| of each channel; empty when the row has no channels.
static std::vector<double> channelRanges(const json &row)
{
    std::vector<double> ranges;
    const json channels = row.value("channels", json::object());
    const json low = channels.value("min", json::array()), high = channels.value("max", json::array());
    for (std::size_t i = 0; i < low.size() && i < high.size(); ++i)
        if (low[i].is_number() && high[i].is_number())
            ranges.push_back(std::max(std::abs(low[i].get<double>()), std::abs(high[i].get<double>())));
    return ranges;
}

static QString shortNumber(double value)
{
    return QLocale().toString(value, 'g', 3);
}

static double numberAt(const json &object, const char *key)
{
    const auto it = object.find(key);
    return it != object.end() && it->is_number() ? it->get<double>() : 0;
}

/// The worst of one kind, worst first.
class Ranking
{
public:
    void add(double weight, ProblemInfo problem) { m_found.append({weight, std::move(problem)}); }
    void appendTo(QVector<ProblemInfo> &problems)
    {
        std::stable_sort(m_found.begin(), m_found.end(),
                         [](const auto &a, const auto &b) { return a.first > b.first; });
        for (int i = 0; i < std::min(int(m_found.size()), mostOfAKind); ++i) problems.append(m_found[i].second);
    }

private:
    QVector<QPair<double, ProblemInfo>> m_found;
};

static bool isPerTensor(const RunData &run, const QString &op, const QString &variable)
{
    for (const int i : run.configsOf.value(op))
        if (run.configs[i].variable == variable)
            return !run.configs[i].channelAxis && !run.configs[i].isFloat() && run.configs[i].bits <= 8;
    return false;
}

/// What the ranges of activations tell.
static void addRanges(const RunData &run, const json &ranges, QVector<ProblemInfo> &problems)
{
    const QString warning = QStringLiteral("warning"), fp32 = QStringLiteral("fp32"),
                  observer = QStringLiteral("observer"), equalize = QStringLiteral("equalize");
    Ranking broken, clipped, uneven, dead, joins;
    for (const json &row : ranges.value("tensors", json::array())) {
        const QString op = textOf(row, "op"), variable = textOf(row, "variable");
        const double elements = std::max(1.0, numberAt(row, "elements")), low = numberAt(row, "min"),
                     high = numberAt(row, "max");
        if (const double bad = numberAt(row, "not_finite"); bad > 0)
            broken.add(bad, {QStringLiteral("error"),
                             op,
                             variable,
                             tr("%1 of its %2 float values are NaN or infinite.").arg(bad).arg(elements),
                             tr("Look at the data and at what computes it; nothing behind it can be right."),
                             {fp32}});
        const double outside = numberAt(row, "clipped") / elements;
        if (outside > muchClipped && row.contains("clip")) {
            const double from = row["clip"][0].get<double>(), to = row["clip"][1].get<double>();
            clipped.add(
                outside,
                {warning,
                 op,
                 variable,
                 tr("%1 % of its values are clipped: they reach from %2 to %3, its scale from %4 to %5.")
                     .arg(percent(outside), shortNumber(low), shortNumber(high), shortNumber(from), shortNumber(to)),
                 tr("Try another observer, or drag the limits in the distribution."),
                 {observer, fp32},
                 {high - low, to - from},
                 tr("range of the values, range of the scale")});
        }
        const std::vector<double> sizes = channelRanges(row);
        if (sizes.size() < 2) continue;
        const json channels = row.value("channels", json::object());
        const QVector<double> bars(sizes.begin(), sizes.end());
        int still = 0;
        for (std::size_t c = 0; c < sizes.size(); ++c) still += channels["min"][c] == channels["max"][c] ? 1 : 0;
        if (still > 0)
            dead.add(double(still) / double(sizes.size()),
                     {QStringLiteral("info"),
                      op,
                      variable,
                      tr("%1 of its %2 channels never change on these samples.").arg(still).arg(sizes.size()),
                      tr("They carry nothing and could be pruned; more samples would tell whether they ever do."),
                      {},
                      bars,
                      tr("largest |value| of each channel")});
        std::vector<double> sorted = sizes;
        std::sort(sorted.begin(), sorted.end());
        const double median = sorted[sorted.size() / 2], most = sorted.back();
        if (sizes.size() >= 4 && median > 0 && most / median >= unevenChannels && isPerTensor(run, op, variable))
            uneven.add(most / median,
                       {warning,
                        op,
                        variable,
                        tr("The largest channel of its output is %1 times the median one, but all %2 share one scale.")
                            .arg(shortNumber(most / median))
                            .arg(sizes.size()),
                        tr("Equalize it with its neighbours, try another observer, or send it to FP32."),
                        {equalize, observer, fp32},
                        bars,
                        tr("largest |value| of each channel")});
    }
    for (const json &row : ranges.value("joins", json::array())) {
        QVector<double> sizes;
        for (const json &input : row.value("inputs", json::array()))
            sizes.append(std::max(std::abs(numberAt(input, "min")), std::abs(numberAt(input, "max"))));
        if (sizes.size() < 2) continue;
        const double least = *std::min_element(sizes.begin(), sizes.end()),
                     most = *std::max_element(sizes.begin(), sizes.end());
        if (least <= 0 || most / least < unevenOperands || !row.value("one_scale", false)) continue;
        joins.add(most / least,
                  {warning,
                   textOf(row, "op"),
                   {},
                   tr("Its operands share one scale but reach %1 and %2: the smaller one has about %3 of 256 codes.")
                       .arg(shortNumber(most), shortNumber(least))
                       .arg(std::max(1, int(256 * least / most))),
                   tr("Equalize the layers in front, let it keep scales of its own, or send it to FP32."),
                   {fp32, equalize},
                   sizes,
                   tr("largest |value| of each operand")});
    }
    for (Ranking *kind : {&broken, &clipped, &uneven, &joins, &dead}) kind->appendTo(problems);
}

QVector<ProblemInfo> evidenceOf(const RunData &run, const json &parameters, const json &ranges)
{
    QVector<ProblemInfo> problems;
    QVector<ErrorInfo> costly;
    for (const ErrorInfo &row : run.layerwise)
        if (row.noiseRatio.value_or(0) > costlyNoise) costly.append(row);
    std::stable_sort(costly.begin(), costly.end(),
                     [](const auto &a, const auto &b) { return *a.noiseRatio > *b.noiseRatio; });
    for (const ErrorInfo &row : costly)
        problems.append(
            {QStringLiteral("warning"),
             row.operation,
             row.variable,
             tr("Quantized alone, it makes %1 % noise at the output (%2 dB).")
                 .arg(percent(*row.noiseRatio), QLocale().toString(-10 * std::log10(*row.noiseRatio), 'f', 1)),
             tr("Send it to FP32, use per-channel weights, equalize it with its neighbour, or try another "
                "observer."),
             {QStringLiteral("fp32"), QStringLiteral("per_channel"), QStringLiteral("equalize"),
              QStringLiteral("observer")}});
    if (const auto sqnr = run.outputSqnr(); costly.isEmpty() && sqnr && *sqnr < poorSqnrDb && !run.layerwise.isEmpty())
        problems.append({QStringLiteral("warning"),
                         {},
                         {},
                         tr("The output has %1 dB only, though no operation costs much by itself: the errors add up.")
                             .arg(QLocale().toString(*sqnr, 'f', 1)),
                         tr("Try another observer, layerwise equalization, bias correction, or a platform with more "
                            "bits.")});
    if (ranges.is_object()) addRanges(run, ranges, problems);
    if (!parameters.is_array()) return problems;
    QVector<QPair<double, ProblemInfo>> uneven;
    for (const json &row : parameters) {
        std::vector<double> sizes = channelRanges(row);
        if (sizes.size() < 4) continue;
        const QString op = textOf(row, "op"), variable = textOf(row, "variable");
        if (!isPerTensor(run, op, variable)) continue;
        const QVector<double> bars(sizes.begin(), sizes.end());
        std::sort(sizes.begin(), sizes.end());
        const double median = sizes[sizes.size() / 2], most = sizes.back();
        if (median <= 0 || most / median < unevenChannels) continue;
        uneven.append({most / median,
                       {QStringLiteral("warning"),
                        op,
                        variable,
                        tr("The largest channel of its weight is %1 times the median one, but all %2 share one scale.")
                            .arg(QLocale().toString(most / median, 'g', 3))
                            .arg(sizes.size()),
                        tr("Quantize the weight per channel, or turn on layerwise equalization."),
                        {QStringLiteral("per_channel"), QStringLiteral("equalize"), QStringLiteral("fp32")},
                        bars,
                        tr("largest |value| of each channel")}});
    }
    std::stable_sort(uneven.begin(), uneven.end(), [](const auto &a, const auto &b) { return a.first > b.first; });
    for (const auto &[ratio, problem] : uneven) problems.append(problem);
    return problems;
}

} // namespace ql
