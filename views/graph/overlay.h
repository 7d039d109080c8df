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

/// Colour, short text and level of an operation under an overlay: never the colour alone.
struct OverlayValue
{
    QColor color;     ///< invalid: nothing to show
    QString text;     ///< "10.6 dB", "TRT_INT8", "S3"; empty: none
    double level = 1; ///< 0 to 1, drawn as length if there is no room for the text
};

/// An overlay of all operations of a graph.
struct Overlay
{
    QVector<OverlayValue> values; ///< one for each row
    /// For errors the ramp with texts at its ends; for scale groups the largest ones.
    QVector<QPair<QColor, QString>> legend;
};

/// The colours of errors, with texts at the ends.
QVector<QPair<QColor, QString>> errorLegend(const Theme &theme);
Overlay makeOverlay(OverlayKind kind, const QVector<OperationRow> &rows, const Theme &theme);
bool isRamp(OverlayKind kind);

} // namespace ql
