#include "views/graph/overlay.h"

#include "views/bridge/translate.h"
#include "views/models/operation_model.h"

#include <QCoreApplication>
#include <QHash>
#include <QLocale>
#include <QMap>
#include <algorithm>
#include <cmath>

namespace ql {

QString overlayName(OverlayKind kind)
{
    switch (kind) {
    case OverlayKind::Platform: return QCoreApplication::translate("Overlay", "platform");
    case OverlayKind::Precision: return QCoreApplication::translate("Overlay", "precision");
    case OverlayKind::Graphwise: return QCoreApplication::translate("Overlay", "graphwise error");
    case OverlayKind::Layerwise: return QCoreApplication::translate("Overlay", "layerwise error");
    case OverlayKind::Difference: return QCoreApplication::translate("Overlay", "Δ baseline");
    case OverlayKind::ScaleGroup: return QCoreApplication::translate("Overlay", "scale group");
    }
    return {};
}

bool isRamp(OverlayKind kind)
{
    return kind == OverlayKind::Graphwise || kind == OverlayKind::Layerwise;
}

static const QString &kindOf(OverlayKind kind, const OperationRow &row)
{
    return kind == OverlayKind::Platform ? row.platform : row.precision;
}

/// A theme category for each platform or precision: float and shape computation have their own, the most frequent of
/// the others the first one.
static QHash<QString, std::size_t> categoriesOf(OverlayKind kind, const QVector<OperationRow> &rows)
{
    QHash<QString, std::size_t> categories{{QStringLiteral("FP32"), 1}, {QStringLiteral("SOI"), 2}};
    QMap<QString, int> counts;
    for (const OperationRow &row : rows)
        if (const QString &name = kindOf(kind, row); !categories.contains(name)) ++counts[name];
    QVector<QPair<int, QString>> order;
    for (auto it = counts.constBegin(); it != counts.constEnd(); ++it) order.append({-it.value(), it.key()});
    std::sort(order.begin(), order.end());
    static constexpr std::size_t free[] = {0, 3, 4, 5, 6, 7};
    for (qsizetype i = 0; i < order.size(); ++i)
        categories.insert(order[i].second, free[std::size_t(i) % std::size(free)]);
    return categories;
}

/// 0 at a noise ratio of 1e-5 and less, 1 at 1: the log scale of the ramp.
static double errorLevel(double noise)
{
    return noise <= 0 ? 0 : std::clamp(1 + std::log10(noise) / 5, 0.0, 1.0);
}

static OverlayValue errorValue(std::optional<double> noise, const Theme &theme)
{
    if (!noise) return {};
    return {theme.errorColor(*noise), decibelText(decibels(noise)), errorLevel(*noise)};
}

static OverlayValue differenceValue(const OperationRow &row, const Theme &theme)
{
    if (!row.graphwise || !row.baseline || *row.graphwise <= 0 || *row.baseline <= 0) return {};
    const double change = -10 * std::log10(*row.graphwise / *row.baseline);
    const QString text = changeText(change);
    if (std::abs(change) < 0.1) return {theme.line, text, 0};
    // Better is blue, worse is orange: distinguishable with any colour vision, and by the sign
    QColor color = change > 0 ? theme.category[0] : theme.ramp[4];
    if (std::abs(change) < 3) color = change > 0 ? theme.category[5] : theme.ramp[2];
    return {color, text, std::clamp(std::abs(change) / 20, 0.05, 1.0)};
}

/// Quantized boxes are drawn in full length, float ones and shape computation shorter.
static double categoryLevel(std::size_t category)
{
    return category == 1 ? 0.6 : category == 2 ? 0.3 : 1;
}

/// Scale groups with at least two operations, the first operation first: number and colour.
static Overlay scaleGroups(const QVector<OperationRow> &rows, const Theme &theme)
{
    QHash<QString, int> sizes;
    for (const OperationRow &row : rows)
        if (!row.scaleGroup.isEmpty()) ++sizes[row.scaleGroup];
    QHash<QString, int> numbers;
    QVector<QPair<int, int>> largest; // minus size, number
    Overlay overlay;
    for (const OperationRow &row : rows) {
        const int size = row.scaleGroup.isEmpty() ? 0 : sizes.value(row.scaleGroup);
        if (size < 2) {
            overlay.values.append(OverlayValue{});
            continue;
        }
        auto it = numbers.constFind(row.scaleGroup);
        if (it == numbers.constEnd()) {
            it = numbers.insert(row.scaleGroup, int(numbers.size()) + 1);
            largest.append({-size, *it});
        }
        overlay.values.append({theme.category[std::size_t(*it - 1) % 8], QStringLiteral("S%1").arg(*it), 1});
    }
    std::sort(largest.begin(), largest.end());
    constexpr qsizetype shown = 4;
    for (const auto &[size, number] : largest.mid(0, shown))
        overlay.legend.append(
            {theme.category[std::size_t(number - 1) % 8], QStringLiteral("S%1 ×%2").arg(number).arg(-size)});
    if (largest.size() > shown) overlay.legend.append({QColor(), tr("%n more", nullptr, int(largest.size() - shown))});
    if (sizes.isEmpty())
        overlay.legend.append({QColor(), tr("known after a run")});
    else if (largest.isEmpty())
        overlay.legend.append({QColor(), tr("no operations share a scale")});
    return overlay;
}

QVector<QPair<QColor, QString>> errorLegend(const Theme &theme)
{
    QVector<QPair<QColor, QString>> legend;
    for (const QColor &color : theme.ramp) legend.append({color, QString()});
    legend.front().second = QStringLiteral("10⁻⁵ · ") + decibelText(50);
    legend.back().second = QStringLiteral("1 · ") + decibelText(0);
    return legend;
}

Overlay makeOverlay(OverlayKind kind, const QVector<OperationRow> &rows, const Theme &theme)
{
    if (kind == OverlayKind::ScaleGroup) return scaleGroups(rows, theme);
    Overlay overlay;
    overlay.values.reserve(rows.size());
    QMap<QString, QColor> found;
    const bool isCategory = kind == OverlayKind::Platform || kind == OverlayKind::Precision;
    const auto categories = isCategory ? categoriesOf(kind, rows) : QHash<QString, std::size_t>();
    for (const OperationRow &row : rows) {
        switch (kind) {
        case OverlayKind::Platform:
        case OverlayKind::Precision: {
            const QString &name = kindOf(kind, row);
            const std::size_t category = categories.value(name);
            overlay.values.append({theme.category[category], name, categoryLevel(category)});
            found.insert(name, theme.category[category]);
            break;
        }
        case OverlayKind::Graphwise: overlay.values.append(errorValue(row.graphwise, theme)); break;
        case OverlayKind::Layerwise: overlay.values.append(errorValue(row.layerwise, theme)); break;
        case OverlayKind::Difference: overlay.values.append(differenceValue(row, theme)); break;
        case OverlayKind::ScaleGroup: break;
        }
    }
    if (isRamp(kind)) {
        overlay.legend = errorLegend(theme);
    } else if (kind == OverlayKind::Difference) {
        overlay.legend = {
            {theme.category[0], tr("+ better")}, {theme.line, tr("equal")}, {theme.ramp[4], tr("- worse")}};
    }
    for (auto it = found.constBegin(); it != found.constEnd(); ++it)
        if (it.key() == QLatin1String("SOI"))
            overlay.legend.append({it.value(), tr("SOI: computes shapes")});
        else if (!it.key().isEmpty())
            overlay.legend.append({it.value(), it.key()});
    return overlay;
}

} // namespace ql
