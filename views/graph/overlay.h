#pragma once

#include "views/models/operation_rows.h"
#include "views/style/theme.h"

#include <QColor>
#include <QPair>
#include <QString>
#include <QVector>
#include <optional>

namespace ql {

/// What the colours of the graph mean.
enum class OverlayKind { Platform, Precision, Graphwise, Layerwise, Difference, ScaleGroup };

QString overlayName(OverlayKind kind);

/// Colour and short text of an operation under an overlay: never the colour alone.
struct OverlayValue
{
    QColor color; ///< invalid: nothing to show
    QString text; ///< "10.6 dB", "INT8"; empty: none
};

OverlayValue overlayValue(OverlayKind kind, const OperationRow &row, const Theme &theme);
/// Entries of the legend; for errors the ramp with its ends.
QVector<QPair<QColor, QString>> overlayLegend(OverlayKind kind, const QVector<OperationRow> &rows, const Theme &theme);
bool isRamp(OverlayKind kind);

} // namespace ql
