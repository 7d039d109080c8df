#include "views/models/operation_rows.h"

#include "views/bridge/disposal.h"

namespace ql {

static void addConfigs(OperationRow &row, const Document &document)
{
    const QVector<ConfigInfo> &configs = document.configs();
    bool hasOutput = false;
    for (const int i : document.configsOf(row.name)) {
        const ConfigInfo &config = configs[i];
        if (config.role == QLatin1String("parameter") && config.channelAxis && !config.isFloat())
            row.isPerChannel = true;
        row.isOverridden = row.isOverridden || config.isOverridden;
        if (config.role != QLatin1String("output") || hasOutput) continue;
        hasOutput = true;
        row.precision = config.precision();
        row.bits = config.isFloat() ? 0 : config.bits;
        row.state = config.state;
        row.scaleGroup = config.isFloat() ? QString() : config.scaleGroup();
    }
}

static std::optional<double> noiseOf(const QVector<ErrorInfo> &rows, const QHash<QString, int> &of, const QString &op)
{
    const auto it = of.constFind(op);
    return it == of.constEnd() ? std::nullopt : rows[*it].noiseRatio;
}

OperationRows operationRows(const Document &document)
{
    auto rows = makeShared<QVector<OperationRow>>();
    const GraphPtr &graph = document.graph();
    if (!graph) return rows;
    const RunPtr &run = document.result();
    const RunPtr baseline = document.baseline();
    const RunPtr ghost = document.isLive() ? document.previousRun() : baseline;
    const QString fp32 = QStringLiteral("FP32"), soi = QStringLiteral("SOI");
    const bool isStale = document.isStale();
    const bool hasUnsupported = !graph->unsupported.isEmpty();
    rows->reserve(graph->operations.size());
    for (const OperationInfo &op : graph->operations) {
        OperationRow row;
        row.name = op.name;
        row.type = op.type;
        row.shape = op.shape;
        row.platform = op.platform;
        row.reason = op.reason;
        row.isQuantized = op.isQuantized;
        row.isUnsupported = hasUnsupported && graph->unsupported.contains(op.name);
        row.essentials = op.essentials;
        row.precision = op.isShapeWork() ? soi : fp32;
        if (op.isQuantized) addConfigs(row, document);
        row.isStale = isStale;
        if (run) {
            row.graphwise = noiseOf(run->graphwise, run->graphwiseOf, op.name);
            row.layerwise = noiseOf(run->layerwise, run->layerwiseOf, op.name);
            if (const auto it = run->graphwiseOf.constFind(op.name); it != run->graphwiseOf.constEnd()) {
                row.sqnrDb = run->graphwise[*it].sqnrDb;
                row.cosine = run->graphwise[*it].cosine;
            }
        }
        if (baseline && baseline != run) {
            row.baseline = noiseOf(baseline->graphwise, baseline->graphwiseOf, op.name);
            row.baselineLayerwise = noiseOf(baseline->layerwise, baseline->layerwiseOf, op.name);
        }
        if (ghost && ghost != run) row.ghost = noiseOf(ghost->graphwise, ghost->graphwiseOf, op.name);
        rows->append(std::move(row));
    }
    return rows;
}

} // namespace ql
