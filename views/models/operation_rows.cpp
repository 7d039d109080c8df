#include "views/models/operation_rows.h"

#include "views/bridge/disposal.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/run_history.h"
#include "views/bridge/translate.h"

#include <QLocale>
#include <algorithm>

namespace ql {

/// "INT8" if weights and activations have the same bits, "W4A8" if not, "W4" if only the weight is quantized; "FP8 E4M3
/// / INT8" if one of them is a float.
static QString precisionOf(const ConfigInfo *weight, const ConfigInfo *activation, const QString &none)
{
    if (!weight && !activation) return none;
    const bool hasBoth = weight && activation;
    if (hasBoth && (weight->exponentBits > 0 || activation->exponentBits > 0) &&
        weight->precision() != activation->precision())
        return QStringLiteral("%1 / %2").arg(weight->precision(), activation->precision());
    if (activation && (!weight || weight->bits == activation->bits)) return activation->precision();
    QString text = QStringLiteral("W%1").arg(weight->bits);
    if (activation) text += QStringLiteral("A%1").arg(activation->bits);
    return text;
}

/// The config that rounds the tensor of this one.
static const ConfigInfo &rounding(const ConfigInfo &config, const Document &document)
{
    if (config.rootOperation.isEmpty() || !config.isOverlapped()) return config;
    const QVector<ConfigInfo> &configs = document.history().configs();
    for (const int i : document.history().configsOf(config.rootOperation))
        if (configs[i].index == config.rootIndex && configs[i].role == config.rootRole) return configs[i];
    return config;
}

static void addConfigs(OperationRow &row, const Document &document)
{
    const QVector<ConfigInfo> &configs = document.history().configs();
    const ConfigInfo *weight = nullptr, *output = nullptr, *input = nullptr;
    for (const int i : document.history().configsOf(row.name)) {
        const ConfigInfo &config = configs[i];
        const bool isParameter = config.role == api::SlotRole::Parameter,
                   isOutput = config.role == api::SlotRole::Output;
        row.isOverridden = row.isOverridden || config.isOverridden;
        if (isOutput && !row.state) row.state = config.state;
        if (config.isFloat()) continue;
        if (isParameter && config.channelAxis) row.isPerChannel = true;
        const ConfigInfo &used = rounding(config, document);
        if (row.bits == 0 || used.bits < row.bits) row.bits = used.bits;
        // A bias has more bits than the weight
        const ConfigInfo *&place = isParameter ? weight : isOutput ? output : input;
        if (!place || (isParameter && used.bits < place->bits)) place = &used;
    }
    row.precision = precisionOf(weight, output ? output : input, row.precision);
}

/// Scale groups are known from a run, even of an earlier recipe.
static void addScaleGroup(OperationRow &row, const RunData &run)
{
    for (const int i : run.configsOf.value(row.name))
        if (const ConfigInfo &config = run.configs[i]; config.role == api::SlotRole::Output && !config.isFloat())
            row.scaleGroup = config.scaleGroup();
}

/// Whether the run rounds a tensor of an operation in a body, which only runs know.
static bool isRounded(const RunData &run, const QString &operation)
{
    const QVector<int> configs = run.configsOf.value(operation);
    return std::any_of(configs.begin(), configs.end(), [&](int i) { return !run.configs[i].isFloat(); });
}

std::optional<double> noiseOf(const ErrorRows &rows, const QHash<QString, int> &of, const QString &op)
{
    const auto it = of.constFind(op);
    return it == of.constEnd() ? std::nullopt : rows[*it].noiseRatio;
}

OperationRows operationRows(const Document &document)
{
    auto rows = makeShared<QVector<OperationRow>>();
    const GraphPtr &graph = document.graph();
    if (!graph) return rows;
    const RunPtr &run = document.history().shown();
    const RunPtr baseline = document.history().baseline();
    const RunPtr ghost = document.requests().isLive() ? document.history().previous() : baseline;
    const QString fp32 = QStringLiteral("FP32"), soi = QStringLiteral("SOI");
    const bool isStale = document.history().isStale();
    const bool hasUnsupported = !graph->unsupported.isEmpty();
    rows->reserve(graph->operations.size());
    for (const OperationInfo &op : graph->operations) {
        OperationRow row;
        row.name = op.name;
        row.type = op.type;
        row.shape = op.shape;
        row.platform = op.platform;
        row.reason = op.reason;
        row.isQuantized = op.isQuantized || (op.body >= 0 && run && isRounded(*run, op.name));
        if (op.body >= 0 && run && !row.isQuantized) row.platform = fp32;
        row.isUnsupported = hasUnsupported && graph->unsupported.contains(op.name);
        row.essentials = op.essentials;
        row.channels = graph->isConvolution(op) ? op.outputChannels : 0;
        row.precision = op.isShapeWork() ? soi : fp32;
        if (row.isQuantized) addConfigs(row, document);
        row.isStale = isStale;
        // Looked up once each: names of ten thousand operations are part of the window's pauses
        if (run) {
            if (row.isQuantized) addScaleGroup(row, *run);
            if (const auto it = run->graphwiseOf.constFind(op.name); it != run->graphwiseOf.constEnd()) {
                const api::OutputRow &error = run->graphwise[*it];
                row.graphwise = error.noiseRatio;
                row.sqnrDb = error.sqnrDb;
                row.cosine = error.cosine;
            }
            if (const auto it = run->layerwiseOf.constFind(op.name); it != run->layerwiseOf.constEnd()) {
                row.layerwise = run->layerwise[*it].noiseRatio;
                row.isLayerwiseEstimated = run->layerwise[*it].isEstimated;
            }
        }
        if (baseline && baseline != run) {
            row.baseline = noiseOf(baseline->graphwise, baseline->graphwiseOf, op.name);
            row.baselineLayerwise = noiseOf(baseline->layerwise, baseline->layerwiseOf, op.name);
        }
        if (ghost == baseline) {
            row.ghost = row.baseline;
            row.ghostLayerwise = row.baselineLayerwise;
        } else if (ghost && ghost != run) {
            row.ghost = noiseOf(ghost->graphwise, ghost->graphwiseOf, op.name);
            row.ghostLayerwise = noiseOf(ghost->layerwise, ghost->layerwiseOf, op.name);
        }
        rows->append(std::move(row));
    }
    return rows;
}

QString slotTitle(const GraphSnapshot &graph, const OperationInfo &op, api::SlotRole role, int index)
{
    if (role == api::SlotRole::Output) return op.outputs.size() > 1 ? tr("Output %1").arg(index + 1) : tr("Output");
    const bool isParameter = role == api::SlotRole::Parameter;
    if (index == op.weight && isParameter) return tr("Weight");
    if (index == op.bias) return tr("Bias");
    const QString name = graph.inputNames.value(op.type).value(index);
    const bool isSingle = std::count_if(op.inputs.begin(), op.inputs.end(), [&](int input) {
                              return input >= 0 && !graph.tensors[input].isParameter;
                          }) == 1;
    if (!isParameter && isSingle) return tr("Input");
    if (!name.isEmpty()) return name;
    return isParameter ? tr("Parameter %1").arg(index + 1) : tr("Input %1").arg(index + 1);
}

QString valuesText(const QVector<double> &values)
{
    constexpr qsizetype most = 8;
    QStringList texts;
    for (const double value : values.mid(0, most)) texts.append(QLocale().toString(value, 'g', 6));
    const QString shown = texts.join(QStringLiteral(", "));
    return values.size() <= most ? shown : tr("%1 … (%n value(s))", nullptr, int(values.size())).arg(shown);
}

} // namespace ql
