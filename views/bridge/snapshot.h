#pragma once

#include "core/api/catalogue.h"
#include "core/api/requests.h"
#include "core/base/origin.h"
#include "core/base/text.h"

#include <QHash>
#include <QMetaType>
#include <QString>
#include <QStringList>
#include <QVector>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

namespace ql {

/// A tensor of the graph. shape is text ("1x64x56x56", "Nx3x?x?", "scalar").
struct TensorInfo
{
    QString name, type, shape;
    bool isParameter = false;
    QVector<double> values; ///< of a small parameter
    int producer = -1;      ///< operation, -1: graph input or parameter
};

/// One operation, as dispatched. inputs and outputs are tensors, -1 for an omitted one.
struct OperationInfo
{
    QString name, type, domain, platform, reason;
    QString reasonKind;        ///< the same for reasons that differ only in what they name
    bool isByOverride = false; ///< a dispatch override of the recipe has chosen the platform
    bool isQuantized = false;
    bool isActivation = false;
    QVector<int> inputs, outputs;
    int weight = -1, bias = -1;                  ///< their inputs; -1: it has none
    int inputChannels = 0, outputChannels = 0;   ///< of a layer whose weight has a known shape
    QVector<QPair<QString, QString>> attributes; ///< name and value as text, in name order
    int body = -1;                               ///< that contains it, -1: the model's own graph
    QVector<int> bodies;                         ///< of If, Loop, Scan
    QString shape, essentials;                   ///< as returned by GraphSnapshot::outputShape() and essentials()

    bool isShapeWork() const { return platform == QLatin1String("SOI"); }
    QString attribute(const QString &key) const;
};

/// A graph inside an operation: a branch of If, the body of Loop or Scan. Captured outer tensors have no producer.
struct BodyInfo
{
    int owner = -1;
    QString attribute; ///< "then_branch", "body"
    QVector<int> inputs = {}, outputs = {}, operations = {};
};

/// The graph of an inspection: immutable, shared by every view.
struct GraphSnapshot
{
    QString modelPath, format, producer, sha256;
    QStringList otherFiles;            ///< side files of the model, by their path from its folder: weights, for example
    QString inputsKey;                 ///< as RunData::inputsKey
    QStringList inputs, outputs;       ///< names of the graph's own
    QVector<OperationInfo> operations; ///< in execution order; those of bodies follow after topLevel
    QVector<BodyInfo> bodies;
    int topLevel = 0; ///< number of operations of the model's own graph
    QVector<TensorInfo> tensors;
    QHash<QString, int> operationByName, tensorByName;
    QHash<QString, QString> unsupported;    ///< operation to reason
    QHash<QString, QStringList> inputNames; ///< type to the operator's input names
    qint64 weights = 0;

    int find(const QString &operation) const { return operationByName.value(operation, -1); }
    /// Shape of the first output; empty if unknown.
    QString outputShape(const OperationInfo &operation) const;
    /// The operations that contain it, outermost first: empty in the model's own graph.
    QVector<int> ownersOf(int operation) const;
    /// A layer whose weight has the sizes of a window.
    bool isConvolution(const OperationInfo &operation) const;
    /// "3x3 dw s2", "16 to 32 ...": distinguishes operations of one type. Empty if there is nothing to show.
    QString essentials(const OperationInfo &operation) const;
};

/// The quantization of one input, parameter or output of an operation: an api::ConfigRow for views. Of 50,000
/// operations there are 150,000, whose texts are shown, sorted and searched while the window follows the mouse: they
/// are shared QStrings, so that a row takes 500 bytes and no view converts texts.
struct ConfigInfo
{
    QString operation, variable, observer;
    api::SlotRole role = api::SlotRole::Input; ///< or Parameter, Output
    api::QuantState state = api::QuantState::Initial;
    api::Rounding rounding = api::Rounding::HalfEven;
    api::ScaleFormat scaleFormat = api::ScaleFormat::Float32;
    api::Codebook codebook = api::Codebook::None;
    api::Visibility visibility = api::Visibility::WhenActive;
    int index = 0, bits = 0, exponentBits = 0;
    qint64 quantMin = 0, quantMax = 0;
    bool isSymmetric = false, isPowerOfTwo = false, isDynamic = false;
    bool isQuantizable = true;                  ///< false: a size, an axis, an index, or not float32
    std::optional<int> channelAxis;             ///< one scale per entry, or per group of entries
    int groupSize = 0;                          ///< above 0: of each group
    std::optional<int> outputChannelAxis;       ///< possible channel axis; unset: the slot has no output channels
    std::optional<double> percentile, minScale; ///< options of the observer; unset: its own
    std::optional<api::PercentileOver> percentileOver;
    std::optional<int> histogramBins, isotoneAxis;
    QVector<double> scale;
    QVector<qint64> zeroPoint;
    QString rootOperation; ///< the slot whose scale it shares; empty if it has its own
    api::SlotRole rootRole = api::SlotRole::Input;
    int rootIndex = 0;
    QHash<QString, Origin> setBy; ///< by field
    bool isOverridden = false;    ///< the user has set some field
    QString group, precisionText; ///< as returned by scaleGroup() and precision(); shared between many

    bool isFloat() const { return state == api::QuantState::Off; }
    /// Rounded with the scale of another slot: its own settings have no effect.
    bool isOverlapped() const { return state == api::QuantState::Overlapped; }
    /// Overlapped, or a parameter such as the minimum of a Clip that is stored on the scale of a tensor.
    bool hasNoOwnLimits() const
    {
        return isOverlapped() || (state == api::QuantState::Baked && !rootOperation.isEmpty());
    }
    /// Slots with the same key have one scale.
    QString scaleGroup() const;
    /// "INT8", "UINT8", "FP8 E4M3", "NF4", "FP32".
    QString precision() const;
};

/// The word of files and reports, in shared memory.
const QString &wordOf(api::QuantState state);

/// Requirements of a slot on its observer.
api::ObserverDemand observerDemand(const ConfigInfo &config);

using ErrorRows = QVector<api::OutputRow>;

/// A problem as it is listed.
struct ProblemInfo : api::Problem
{
    bool isPrevious = false; ///< from a run of an earlier recipe
    bool isGain = false;     ///< the effect of a remedy, which the user is waiting for

    friend bool operator==(const ProblemInfo &, const ProblemInfo &) = default;
};

/// Results of a run so far; immutable, replaced when a new part arrives.
struct RunData
{
    QString recipeHash;
    QString inputsKey;  ///< of the content of model, data and platforms, as reported by the engine; empty: unknown
    api::Recipe recipe; ///< with every default spelled out
    QVector<ConfigInfo> configs;
    QHash<QString, QVector<int>> configsOf; ///< operation to positions in configs
    ErrorRows graphwise, layerwise, outputs;
    QHash<QString, int> graphwiseOf, layerwiseOf; ///< operation to its worst row
    QVector<api::PassRow> passes;
    QVector<ProblemInfo> problems;
    double seconds = 0, peakMib = 0;
    bool isComplete = false;
    bool isTrimmed = false; ///< configs are only on disk, see RunStore

    /// Of everything it depends on, as RunHistory::key().
    QString key() const { return recipeHash + inputsKey; }
    /// The lowest SQNR of the graph outputs, dB.
    std::optional<double> outputSqnr() const;
    /// Of the first graph output that has one; null: none.
    const api::Metric *metric() const;
    /// The lowest fraction of equal elements of integer graph outputs.
    std::optional<double> outputEqualShare() const;
};

using GraphPtr = std::shared_ptr<const GraphSnapshot>;
using RunPtr = std::shared_ptr<const RunData>;
using DistributionsPtr = std::shared_ptr<const api::Distributions>;
using PassHistoryPtr = std::shared_ptr<const api::PassHistory>;

GraphPtr graphFromInspection(const api::Inspection &inspection);
QVector<ConfigInfo> configsFrom(const api::ShortConfigs &configs);
QVector<ConfigInfo> configsFrom(const std::vector<api::ConfigRow> &rows);
std::vector<api::ConfigRow> configRows(const QVector<ConfigInfo> &configs);
QVector<ProblemInfo> problemsFrom(const std::vector<api::Problem> &problems);
std::vector<api::Problem> problemRows(const QVector<ProblemInfo> &problems);
void setConfigs(RunData &run, QVector<ConfigInfo> configs);
void setErrors(RunData &run, const ErrorRows &graphwise, const ErrorRows &layerwise, const ErrorRows &outputs);
/// Copies graphwise, layerwise and outputs, each if it is set.
void setMeasures(RunData &run, const api::Measures &measures);
/// The update of a run's data by a part of the run; everything slow has been done already.
std::function<void(RunData &run)> updateFrom(const api::RunPart &part);
/// Without configs, which are sent as a part.
RunPtr runFromReport(const api::ReportSummary &report);

/// A shape of the engine for users: "1×3×224×224".
QString shapeText(const QString &shape);

} // namespace ql

Q_DECLARE_METATYPE(ql::GraphPtr)
Q_DECLARE_METATYPE(ql::RunPtr)
