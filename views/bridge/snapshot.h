#pragma once

#include "core/api/catalogue.h"
#include "core/api/recipe.h"
#include "core/base/origin.h"
#include "core/base/text.h"

#include <QHash>
#include <QMetaType>
#include <QString>
#include <QStringList>
#include <QVector>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

namespace ql {

/// A tensor of the graph. shape is text ("1x64x56x56", "Nx3x?x?", "scalar").
struct TensorInfo
{
    QString name, type, shape;
    bool isParameter = false;
    QVector<double> values; ///< of a parameter with few of them
    int producer = -1;      ///< operation, -1: graph input or parameter
};

/// One operation, as the dispatcher sees it. inputs and outputs are tensors, -1 for one that is left out.
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
    int body = -1;                               ///< that it is part of, -1: the model's own graph
    QVector<int> bodies;                         ///< of If, Loop, Scan
    QString shape, essentials;                   ///< as GraphSnapshot::outputShape() and essentials() tell

    bool isShapeWork() const { return platform == QLatin1String("SOI"); }
    QString attribute(const QString &key) const;
};

/// A graph inside an operation: a branch of If, the body of Loop or Scan. What it reads from around it are tensors
/// without a producer.
struct BodyInfo
{
    int owner = -1;
    QString attribute; ///< "then_branch", "body"
    QVector<int> inputs, outputs, operations;
};

/// The graph of an inspection: immutable, shared by every view.
struct GraphSnapshot
{
    QString modelPath, format, producer, sha256;
    QStringList otherFiles;            ///< of the model, by their place from its folder: weights, say
    QString inputsKey;                 ///< as RunData::inputsKey
    QStringList inputs, outputs;       ///< names of the graph's own
    QVector<OperationInfo> operations; ///< in execution order; those of bodies follow behind topLevel
    QVector<BodyInfo> bodies;
    int topLevel = 0; ///< number of operations of the model's own graph
    QVector<TensorInfo> tensors;
    QHash<QString, int> operationByName, tensorByName;
    QHash<QString, QString> unsupported;    ///< operation to why
    QHash<QString, QStringList> inputNames; ///< type to what the operator calls its inputs
    qint64 weights = 0;

    int find(const QString &operation) const { return operationByName.value(operation, -1); }
    /// Shape of the first output; empty when unknown.
    QString outputShape(const OperationInfo &operation) const;
    /// The operations that it lies in, outermost first: empty in the model's own graph.
    QVector<int> ownersOf(int operation) const;
    /// "3x3 dw s2", "16 to 32 ...": what tells one operation of a type from another. Empty when there is nothing.
    QString essentials(const OperationInfo &operation) const;
};

/// The quantization of one input, parameter or output of an operation.
struct ConfigInfo
{
    QString operation, variable, role, state, rounding, observer;
    int index = 0, bits = 0, exponentBits = 0;
    qint64 quantMin = 0, quantMax = 0;
    bool isSymmetric = false, isPowerOfTwo = false, isDynamic = false;
    int visibility = 0;                            ///< to exporters: 0 when active, 1 always, 2 never
    bool isQuantizable = true;                     ///< false: a size, an axis, an index, or not float32
    std::optional<int> channelAxis;                ///< each of its entries has a scale
    std::optional<int> outputChannelAxis;          ///< that it could be; unset: the slot has no output channels
    std::optional<double> percentile, minScale;    ///< options of the observer; unset: its own
    QString percentileOver;                        ///< samples or batches; empty: the observer's own
    std::optional<int> histogramBins, isotoneAxis; ///< the same
    QVector<double> scale;
    QVector<qint64> zeroPoint;
    QString rootOperation, rootRole; ///< whose scale this one shares; empty when it has its own
    int rootIndex = 0;
    QHash<QString, Origin> setBy; ///< by field
    bool isOverridden = false;    ///< the user has set some field
    QString group, precisionText; ///< as scaleGroup() and precision() tell; made once where there are many

    bool isFloat() const { return state == QLatin1String("fp32"); }
    /// Rounded by the scale of another slot: what is set here has no effect.
    bool isOverlapped() const { return state == QLatin1String("overlapped"); }
    /// Slots with the same key have one scale.
    QString scaleGroup() const;
    /// "INT8", "UINT8", "FP8 E4M3", "FP32".
    QString precision() const;
};

/// What a slot asks of its observer.
api::ObserverDemand observerDemand(const ConfigInfo &config);

/// One row of graphwise, layerwise or outputs. Values that are infinite or undefined are unset.
struct ErrorInfo
{
    QString operation, type, variable;
    std::optional<double> noiseRatio, sqnrDb, cosine, mse, maxAbs;
    std::optional<double> equalShare; ///< of an output of class indices or other integers, instead of the measures
    qint64 samples = 0, elements = 0;
};

struct ProblemInfo
{
    QString severity, operation, variable;
    Text message, remedy;
    QVector<api::Action> actions = {}; ///< remedies that the window can carry out, best first
    QVector<double> plot = {};         ///< the evidence as bars: ranges of channels or of operands
    QString plotMeaning = {};
    bool isPrevious = false; ///< told of a run of an earlier recipe
    bool isGain = false;     ///< what a remedy changed: what the user has just waited for

    bool operator==(const ProblemInfo &) const = default;
};

struct PassRun
{
    QString id;
    int changed = 0;
    double seconds = 0;
};

/// What a run has found so far; immutable, a new one is made for each part that comes.
struct RunData
{
    QString recipeHash;
    QString inputsKey;  ///< of the content of model, data and platforms, as the engine tells; empty: not known
    api::Recipe recipe; ///< with every default spelled out
    QVector<ConfigInfo> configs;
    QHash<QString, QVector<int>> configsOf; ///< operation to positions in configs
    QVector<ErrorInfo> graphwise, layerwise, outputs;
    QHash<QString, int> graphwiseOf, layerwiseOf; ///< operation to its worst row
    QVector<PassRun> passes;
    QVector<ProblemInfo> problems;
    QString metricName;
    std::optional<double> metricFloat, metricQuantized;
    double seconds = 0, peakMib = 0;
    bool isComplete = false;
    bool isTrimmed = false; ///< configs are on disk only, see RunStore

    /// Of everything that it depends on, as RunHistory::key().
    QString key() const { return recipeHash + inputsKey; }
    /// The smallest signal to noise ratio of the graph outputs, dB.
    std::optional<double> outputSqnr() const;
    /// The smallest part of equal elements of the graph outputs that hold integers.
    std::optional<double> outputEqualShare() const;
};

using GraphPtr = std::shared_ptr<const GraphSnapshot>;
using RunPtr = std::shared_ptr<const RunData>;
using JsonPtr = std::shared_ptr<const nlohmann::json>;

QString textOf(const nlohmann::json &value, const char *key);
/// A member of an object, not a copy of it as json::value() would make; null when there is none.
const nlohmann::json &memberOf(const nlohmann::json &value, const char *key);
/// From "quantloupe-inspection/1". Members that are missing count as empty.
GraphPtr graphFromInspection(const nlohmann::json &inspection);
/// Rows of a report, or short ones, whose "scheme" is the place of what they do not say in schemes.
QVector<ConfigInfo> configsFromJson(const nlohmann::json &rows, const nlohmann::json &schemes = {});
QVector<ErrorInfo> errorsFromJson(const nlohmann::json &rows);
QVector<ProblemInfo> problemsFromJson(const nlohmann::json &rows);
nlohmann::json problemsToJson(const QVector<ProblemInfo> &problems);
/// Puts one member of a report ("graphwise", "configs", "passes", ...) into run; others are left out.
void addSection(RunData &run, const std::string &name, const nlohmann::json &data);
/// Takes a member that addSection() has put into part.
void takeSection(RunData &run, const QString &name, const RunData &part);
/// From "quantloupe-report/1".
RunPtr runFromReport(const nlohmann::json &report);

} // namespace ql

Q_DECLARE_METATYPE(ql::GraphPtr)
Q_DECLARE_METATYPE(ql::RunPtr)
Q_DECLARE_METATYPE(ql::JsonPtr)
