#pragma once

#include "views/bridge/document.h"

#include <QString>
#include <QVector>
#include <cmath>
#include <memory>
#include <optional>

namespace ql {

/// One operation for tables, search and overlays. Errors are noise ratios.
struct OperationRow
{
    QString name, type, shape, platform, reason, precision, essentials, scaleGroup;
    std::optional<api::QuantState> state; ///< of the first output
    int channels = 0;                     ///< of the output of a convolution, which essentials name
    int bits = 0;                         ///< the lowest of any tensor, 0: all are float
    bool isQuantized = false, isPerChannel = false, isOverridden = false, isUnsupported = false;
    bool isStale = false; ///< the errors are from an earlier recipe
    std::optional<double> graphwise, layerwise, sqnrDb, cosine;
    bool isLayerwiseEstimated = false;
    std::optional<double> baseline; ///< graphwise of the baseline run
    std::optional<double> baselineLayerwise;
    /// The run that bars are compared with: the baseline, or in live mode the previous run.
    std::optional<double> ghost, ghostLayerwise;

    /// Improvement of the graphwise error over the baseline's, in decibels.
    std::optional<double> changeDb() const
    {
        if (!graphwise || !baseline || *baseline <= 0 || *graphwise <= 0) return std::nullopt;
        return -10 * std::log10(*graphwise / *baseline);
    }
};

using OperationRows = std::shared_ptr<const QVector<OperationRow>>;

/// A row for each operation of the document's graph, in execution order. Never null.
OperationRows operationRows(const Document &document);

/// Noise / signal of an operation among the errors of a run, whose indices are in of; nothing if it was not measured.
std::optional<double> noiseOf(const ErrorRows &rows, const QHash<QString, int> &of, const QString &op);

/// The role of a tensor: "Output", "Weight", "Bias", otherwise the operator's own name ("min", "scales"), otherwise
/// "Input 2"; with a number if there are several outputs.
/// @param role as in ConfigInfo
QString slotTitle(const GraphSnapshot &graph, const OperationInfo &op, api::SlotRole role, int index);

/// "0, 6", "0.1, 0.2, 0.3 … (32 values)": of a parameter with few values.
QString valuesText(const QVector<double> &values);

} // namespace ql
