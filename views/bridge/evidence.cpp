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

QVector<ProblemInfo> evidenceOf(const RunData &run, const json &parameters)
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
    if (!parameters.is_array()) return problems;
    QVector<QPair<double, ProblemInfo>> uneven;
    for (const json &row : parameters) {
        std::vector<double> ranges = channelRanges(row);
        if (ranges.size() < 4) continue;
        const QString op = textOf(row, "op"), variable = textOf(row, "variable");
        const bool perTensor = [&] {
            for (const int i : run.configsOf.value(op))
                if (run.configs[i].variable == variable)
                    return !run.configs[i].channelAxis && !run.configs[i].isFloat() && run.configs[i].bits <= 8;
            return false;
        }();
        if (!perTensor) continue;
        std::sort(ranges.begin(), ranges.end());
        const double median = ranges[ranges.size() / 2], most = ranges.back();
        if (median <= 0 || most / median < unevenChannels) continue;
        uneven.append({most / median,
                       {QStringLiteral("warning"),
                        op,
                        variable,
                        tr("The largest channel of its weight is %1 times the median one, but all %2 share one scale.")
                            .arg(QLocale().toString(most / median, 'g', 3))
                            .arg(ranges.size()),
                        tr("Quantize the weight per channel, or turn on layerwise equalization."),
                        {QStringLiteral("per_channel"), QStringLiteral("equalize"), QStringLiteral("fp32")}}});
    }
    std::stable_sort(uneven.begin(), uneven.end(), [](const auto &a, const auto &b) { return a.first > b.first; });
    for (const auto &[ratio, problem] : uneven) problems.append(problem);
    return problems;
}

} // namespace ql
