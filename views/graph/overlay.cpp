#include "views/graph/overlay.h"

#include "views/models/operation_model.h"

#include <QCoreApplication>
#include <QLocale>
#include <QMap>
#include <cmath>

namespace ql {

static QString tr(const char *text)
{
    return QCoreApplication::translate("ql", text);
}

QString overlayName(OverlayKind kind)
{
    switch (kind) {
    case OverlayKind::Platform: return QCoreApplication::translate("Overlay", "platform");
    case OverlayKind::Precision: return QCoreApplication::translate("Overlay", "precision");
    case OverlayKind::Graphwise: return QCoreApplication::translate("Overlay", "graphwise error");
    case OverlayKind::Layerwise: return QCoreApplication::translate("Overlay", "layerwise error");
    case OverlayKind::Difference: return QCoreApplication::translate("Overlay", "change to baseline");
    case OverlayKind::ScaleGroup: return QCoreApplication::translate("Overlay", "scale group");
    }
    return {};
}

bool isRamp(OverlayKind kind)
{
    return kind == OverlayKind::Graphwise || kind == OverlayKind::Layerwise;
}

static std::size_t categoryOf(const OperationRow &row)
{
    if (row.platform == QLatin1String("SOI")) return 2;
    return row.isQuantized ? 0 : 1;
}

static std::size_t precisionOf(const OperationRow &row)
{
    if (row.bits == 0) return row.platform == QLatin1String("SOI") ? 2 : 1;
    return row.bits == 8 ? 0 : row.bits < 8 ? 3 : 4;
}

static QString decibels(double noise)
{
    return QCoreApplication::translate("ql", "%1 dB").arg(QLocale().toString(-10 * std::log10(noise), 'f', 1));
}

OverlayValue overlayValue(OverlayKind kind, const OperationRow &row, const Theme &theme)
{
    const auto error = [&](std::optional<double> noise) -> OverlayValue {
        if (!noise) return {};
        return {theme.errorColor(*noise), *noise > 0 ? decibels(*noise) : QStringLiteral("∞ dB")};
    };
    switch (kind) {
    case OverlayKind::Platform: return {theme.category[categoryOf(row)], QString()};
    case OverlayKind::Precision: return {theme.category[precisionOf(row)], QString()};
    case OverlayKind::Graphwise: return error(row.graphwise);
    case OverlayKind::Layerwise: return error(row.layerwise);
    case OverlayKind::Difference: {
        if (!row.graphwise || !row.baseline || *row.graphwise <= 0 || *row.baseline <= 0) return {};
        const double change = -10 * std::log10(*row.graphwise / *row.baseline);
        const QString text =
            QCoreApplication::translate("ql", "%1 dB")
                .arg((change > 0 ? QStringLiteral("+") : QString()) + QLocale().toString(change, 'f', 1));
        if (std::abs(change) < 0.1) return {theme.line, text};
        // Better is blue, worse is orange: told apart by everybody, and by the sign
        QColor color = change > 0 ? theme.category[0] : theme.ramp[4];
        if (std::abs(change) < 3) color = change > 0 ? theme.category[5] : theme.ramp[2];
        return {color, text};
    }
    case OverlayKind::ScaleGroup:
        if (row.scaleGroup.isEmpty()) return {};
        return {theme.category[qHash(row.scaleGroup) % 8], QString()};
    }
    return {};
}

QVector<QPair<QColor, QString>> overlayLegend(OverlayKind kind, const QVector<OperationRow> &rows, const Theme &theme)
{
    QVector<QPair<QColor, QString>> legend;
    if (isRamp(kind)) {
        for (const QColor &color : theme.ramp) legend.append({color, QString()});
        legend.front().second = QStringLiteral("10⁻⁵");
        legend.back().second = QStringLiteral("1");
        return legend;
    }
    if (kind == OverlayKind::Difference)
        return {{theme.category[0], tr("better")}, {theme.line, tr("equal")}, {theme.ramp[4], tr("worse")}};
    if (kind == OverlayKind::ScaleGroup) return {};
    QMap<QString, QColor> found;
    for (const OperationRow &row : rows)
        found.insert(kind == OverlayKind::Platform ? row.platform : row.precision,
                     overlayValue(kind, row, theme).color);
    for (auto it = found.constBegin(); it != found.constEnd(); ++it)
        if (!it.key().isEmpty()) legend.append({it.value(), it.key()});
    return legend;
}

} // namespace ql
