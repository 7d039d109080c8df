#include "views/bridge/snapshot.h"

#include "views/bridge/disposal.h"
#include "views/bridge/engine_text.h"

#include <QObject>
#include <QSet>
#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace ql {

using nlohmann::json;

static QString fromUtf8(const std::string &text)
{
    return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

static QString valueText(const json &value)
{
    if (value.is_string()) return fromUtf8(value.get<std::string>());
    if (value.is_number_float()) return QString::number(value.get<double>(), 'g', 7);
    if (value.is_object()) return engineText(api::textFromJson(value)); // the description of a tensor or a subgraph
    if (!value.is_array()) return fromUtf8(value.dump());
    QStringList parts;
    for (const json &entry : value) parts.append(valueText(entry));
    return parts.join(QStringLiteral(", "));
}

QString OperationInfo::attribute(const QString &key) const
{
    for (const auto &[name_, value] : attributes)
        if (name_ == key) return value;
    return {};
}

QVector<int> GraphSnapshot::ownersOf(int operation) const
{
    QVector<int> owners;
    for (int body = operations[operation].body; body >= 0; body = operations[bodies[body].owner].body)
        owners.prepend(bodies[body].owner);
    return owners;
}

QString GraphSnapshot::outputShape(const OperationInfo &operation) const
{
    for (const int output : operation.outputs)
        if (output >= 0) return tensors[output].shape == QLatin1String("unknown") ? QString() : tensors[output].shape;
    return {};
}

QString shapeText(const QString &shape)
{
    return QString(shape).replace(QLatin1Char('x'), QChar(0x00d7));
}

static QString timesOf(const QString &list)
{
    // "3, 3" and "1, 1" as "3x3" and "1x1"
    return list.split(QStringLiteral(", ")).join(QChar(0x00d7));
}

static QString oneIfEqual(const QString &list)
{
    const QStringList parts = list.split(QStringLiteral(", "));
    return std::all_of(parts.begin(), parts.end(), [&](const QString &p) { return p == parts.front(); })
               ? parts.front()
               : parts.join(QChar(0x00d7));
}

bool GraphSnapshot::isConvolution(const OperationInfo &operation) const
{
    const int weight = operation.inputs.value(operation.weight, -1);
    return weight >= 0 && operation.outputChannels > 0 && tensors[weight].shape.count(QLatin1Char('x')) > 1;
}

QString GraphSnapshot::essentials(const OperationInfo &operation) const
{
    QStringList parts;
    if (const QString kernel = operation.attribute(QStringLiteral("kernel_shape")); !kernel.isEmpty())
        parts.append(timesOf(kernel));
    const int weight = operation.inputs.value(operation.weight, -1);
    const QStringList sizes = weight < 0 ? QStringList() : tensors[weight].shape.split(QLatin1Char('x'));
    const bool hasWindow = isConvolution(operation);
    if (hasWindow) {
        const int group = operation.attribute(QStringLiteral("group")).toInt();
        const int in = operation.inputChannels, out = operation.outputChannels;
        if (group > 1 && group == in)
            parts.append(QStringLiteral("dw %1").arg(out));
        else
            parts.append(QStringLiteral("%1→%2").arg(in).arg(out));
        if (parts.size() == 1) // kernel_shape is optional
            parts.prepend(sizes.mid(2).join(QChar(0x00d7)));
    }
    if (const QString strides = operation.attribute(QStringLiteral("strides")); !strides.isEmpty())
        if (const QString one = oneIfEqual(strides); one != QLatin1String("1"))
            parts.append(QStringLiteral("/%1").arg(one));
    if (weight >= 0 && !hasWindow && tensors[weight].isParameter) parts.append(sizes.join(QChar(0x00d7)));
    for (const char *key : {"axis", "perm", "mode"})
        if (const QString value = operation.attribute(QLatin1String(key)); !value.isEmpty())
            parts.append(QStringLiteral("%1 %2").arg(QLatin1String(key), value));
    return parts.join(QStringLiteral(" · "));
}

QString ConfigInfo::scaleGroup() const
{
    if (!group.isEmpty()) return group;
    const QString &op = rootOperation.isEmpty() ? operation : rootOperation;
    const api::SlotRole slot = rootOperation.isEmpty() ? role : rootRole;
    return op + QLatin1Char('\n') + QLatin1String(toString(slot)) + QLatin1Char('\n') +
           QString::number(rootOperation.isEmpty() ? index : rootIndex);
}

QString ConfigInfo::precision() const
{
    if (!precisionText.isEmpty()) return precisionText;
    if (isFloat()) return QStringLiteral("FP32");
    if (codebook != api::Codebook::None) return QString::fromLatin1(toString(codebook)).toUpper();
    if (exponentBits > 0) return QStringLiteral("FP%1 E%2M%3").arg(bits).arg(exponentBits).arg(bits - exponentBits - 1);
    return QStringLiteral("%1%2").arg(quantMin >= 0 ? QStringLiteral("UINT") : QStringLiteral("INT")).arg(bits);
}

std::optional<double> RunData::outputSqnr() const
{
    std::optional<double> worst;
    for (const api::OutputRow &row : outputs)
        if (row.sqnrDb && (!worst || *row.sqnrDb < *worst)) worst = row.sqnrDb;
    return worst;
}

std::optional<double> RunData::outputEqualShare() const
{
    std::optional<double> least;
    for (const api::OutputRow &row : outputs)
        if (row.equalShare && (!least || *row.equalShare < *least)) least = row.equalShare;
    return least;
}

const api::Metric *RunData::metric() const
{
    for (const api::OutputRow &row : outputs)
        if (row.metric) return &*row.metric;
    return nullptr;
}

static int internTensor(GraphSnapshot &graph, const QString &name)
{
    if (name.isEmpty()) return -1;
    const auto it = graph.tensorByName.constFind(name);
    if (it != graph.tensorByName.constEnd()) return *it;
    TensorInfo tensor;
    tensor.name = name;
    const int index = int(graph.tensors.size());
    graph.tensorByName.insert(name, index);
    graph.tensors.append(tensor);
    return index;
}

static void readOperatorFacts(OperationInfo &op, const api::OperatorFacts &facts)
{
    op.isActivation = facts.activation;
    if (!facts.weights) return;
    op.weight = facts.weights->input;
    op.bias = facts.weights->bias;
    if (const auto &channels = facts.weights->channels) {
        op.inputChannels = int((*channels)[0]);
        op.outputChannels = int((*channels)[1]);
    }
}

namespace {

/// Repeated texts are stored once: thousands of operations, tensors and configs of a large model share them, and every
/// run has a graph.
class Texts
{
public:
    QString operator()(const std::string &text) { return kept(fromUtf8(text)); }
    QString kept(const QString &text)
    {
        if (text.isEmpty()) return {};
        return *m_texts.insert(text);
    }
    /// The origins of a config's fields.
    QHash<QString, Origin> origins(const std::map<std::string, Origin> &setBy)
    {
        std::string key = api::originsToJson(setBy).dump();
        const auto it = m_origins.find(key);
        if (it != m_origins.end()) return it->second;
        QHash<QString, Origin> origins;
        for (const auto &[field, origin] : setBy) origins.insert(kept(fromUtf8(field)), origin);
        m_origins.emplace(std::move(key), origins);
        return origins;
    }

private:
    QSet<QString> m_texts;
    std::unordered_map<std::string, QHash<QString, Origin>> m_origins;
};

} // namespace

static QVector<QPair<QString, QString>> attributesOf(const api::OperatorFacts &facts, Texts &text)
{
    QVector<QPair<QString, QString>> attributes;
    if (facts.attributes.is_object())
        for (const auto &[name, value] : facts.attributes.items())
            attributes.append({text(name), text.kept(valueText(value))});
    return attributes;
}

static void readOperations(GraphSnapshot &graph, const std::vector<api::InspectedOperation> &rows, Texts &text)
{
    for (const api::InspectedOperation &row : rows) {
        OperationInfo op;
        op.name = fromUtf8(row.name);
        op.type = text(row.type);
        op.domain = text(row.domain);
        op.platform = text(row.platform);
        op.reason = text.kept(engineText(row.reason));
        op.reasonKind = text(row.reason.source());
        op.isByOverride = row.setBy.has_value();
        op.isQuantized = row.quantized;
        const int index = int(graph.operations.size());
        for (const std::string &name : row.inputs) op.inputs.append(internTensor(graph, fromUtf8(name)));
        for (const std::string &name : row.outputs) {
            op.outputs.append(internTensor(graph, fromUtf8(name)));
            if (op.outputs.back() >= 0) graph.tensors[op.outputs.back()].producer = index;
        }
        op.attributes = attributesOf(row, text);
        readOperatorFacts(op, row);
        graph.operationByName.insert(op.name, index);
        graph.operations.append(std::move(op));
    }
    graph.topLevel = int(graph.operations.size());
}

/// Deeper than any exporter nests; deeper files are not followed.
static constexpr int deepestBody = 16;

/// Appends the bodies of operation owner. Their tensors have a separate scope: names of bodies may repeat.
static void readBodies(GraphSnapshot &graph, int owner, const std::vector<api::BodyRow> &rows, Texts &text,
                       int depth = 0)
{
    if (depth > deepestBody) return;
    int outermost = owner;
    while (graph.operations[outermost].body >= 0) outermost = graph.bodies[graph.operations[outermost].body].owner;
    const bool isInQuantized = graph.operations[outermost].isQuantized;
    for (const api::BodyRow &row : rows) {
        const int index = int(graph.bodies.size());
        graph.bodies.append(BodyInfo{.owner = owner, .attribute = fromUtf8(row.attribute)});
        graph.operations[owner].bodies.append(index);
        QHash<QString, int> scope;
        const auto tensor = [&](const std::string &name) {
            const QString known = fromUtf8(name);
            if (known.isEmpty()) return -1;
            auto it = scope.constFind(known);
            if (it == scope.constEnd()) {
                it = scope.insert(known, int(graph.tensors.size()));
                TensorInfo info;
                info.name = known;
                graph.tensors.append(info);
            }
            return *it;
        };
        for (const api::TensorRow &entry : row.tensors) {
            if (entry.name.empty()) continue;
            TensorInfo &info = graph.tensors[tensor(entry.name)];
            info.type = fromUtf8(entry.type);
            info.shape = fromUtf8(entry.shape);
            info.isParameter = entry.parameter;
        }
        for (const std::string &name : row.inputs) graph.bodies[index].inputs.append(tensor(name));
        for (const std::string &name : row.outputs) graph.bodies[index].outputs.append(tensor(name));
        QVector<QPair<int, const std::vector<api::BodyRow> *>> deeper;
        for (const api::BodyOperation &entry : row.operations) {
            OperationInfo op;
            op.name = fromUtf8(entry.name);
            if (op.name.isEmpty() || graph.operationByName.contains(op.name))
                op.name = graph.operations[owner].name + QLatin1Char('/') + graph.bodies[index].attribute +
                          QLatin1Char('/') + op.name;
            while (graph.operationByName.contains(op.name)) op.name += QLatin1Char('\'');
            op.type = fromUtf8(entry.type);
            op.domain = fromUtf8(entry.domain);
            op.platform = isInQuantized ? graph.operations[outermost].platform : QStringLiteral("FP32");
            op.reason = (isInQuantized ? QObject::tr("inside %1 '%2', whose bodies a run quantizes separately")
                                       : QObject::tr("inside %1 '%2', whose bodies run in float32"))
                            .arg(graph.operations[owner].type, graph.operations[owner].name);
            op.body = index;
            const int number = int(graph.operations.size());
            for (const std::string &name : entry.inputs) op.inputs.append(tensor(name));
            for (const std::string &name : entry.outputs) {
                op.outputs.append(tensor(name));
                if (op.outputs.back() >= 0) graph.tensors[op.outputs.back()].producer = number;
            }
            op.attributes = attributesOf(entry, text);
            readOperatorFacts(op, entry);
            graph.bodies[index].operations.append(number);
            graph.operationByName.insert(op.name, number);
            graph.operations.append(std::move(op));
            if (!entry.bodies.empty()) deeper.append({number, &entry.bodies});
        }
        for (const auto &[number, inner] : deeper) readBodies(graph, number, *inner, text, depth + 1);
    }
}

const QString &wordOf(api::QuantState state)
{
    using State = api::QuantState;
    static const QHash<int, QString> words = [] {
        QHash<int, QString> all;
        for (const State each :
             {State::Initial, State::Active, State::Passive, State::Overlapped, State::Baked, State::Off})
            all.insert(int(each), QString::fromLatin1(toString(each)));
        return all;
    }();
    return *words.constFind(int(state));
}

api::ObserverDemand observerDemand(const ConfigInfo &config)
{
    return {config.exponentBits > 0 || config.codebook != api::Codebook::None, config.isSymmetric,
            config.channelAxis.has_value()};
}

GraphPtr graphFromInspection(const api::Inspection &inspection)
{
    auto graph = makeShared<GraphSnapshot>();
    const api::ModelFacts &model = inspection.model;
    graph->modelPath = fromUtf8(model.path);
    graph->format = fromUtf8(model.format);
    graph->producer = fromUtf8(model.producer);
    graph->sha256 = fromUtf8(model.sha256);
    for (const std::string &name : model.files) graph->otherFiles.append(fromUtf8(name));
    graph->inputsKey = fromUtf8(inspection.inputsKey);
    graph->weights = model.counts.weights;
    for (const api::PortRow &row : model.inputs) graph->inputs.append(fromUtf8(row.name));
    for (const api::PortRow &row : model.outputs) graph->outputs.append(fromUtf8(row.name));
    Texts text;
    for (const api::TensorRow &row : inspection.tensors) {
        TensorInfo tensor;
        tensor.name = fromUtf8(row.name);
        tensor.type = text(row.type);
        tensor.shape = text(row.shape);
        tensor.isParameter = row.parameter;
        for (const std::optional<double> &value : row.values) tensor.values.append(value.value_or(std::nan("")));
        graph->tensorByName.insert(tensor.name, int(graph->tensors.size()));
        graph->tensors.append(std::move(tensor));
    }
    readOperations(*graph, inspection.operations, text);
    int number = 0;
    for (const api::InspectedOperation &row : inspection.operations) readBodies(*graph, number++, row.bodies, text);
    for (OperationInfo &op : graph->operations) {
        op.shape = text.kept(graph->outputShape(op));
        op.essentials = text.kept(graph->essentials(op));
    }
    for (const auto &[type, names] : inspection.inputNames) {
        QStringList &known = graph->inputNames[fromUtf8(type)];
        for (const std::string &name : names) known.append(fromUtf8(name));
    }
    for (const api::UnsupportedRow &row : inspection.unsupported)
        graph->unsupported.insert(fromUtf8(row.op), engineText(row.why));
    return graph;
}

/// All fields of a row except its slot and the owner of its scale.
static ConfigInfo configOf(const api::QuantScheme &scheme, Texts &text)
{
    ConfigInfo config;
    config.state = scheme.state;
    config.rounding = scheme.rounding;
    config.observer = text(scheme.observer);
    config.bits = scheme.bits;
    config.exponentBits = scheme.exponentBits;
    config.quantMin = scheme.quantMin;
    config.quantMax = scheme.quantMax;
    config.isSymmetric = scheme.symmetric;
    config.isPowerOfTwo = scheme.powerOfTwo;
    config.isDynamic = scheme.dynamic;
    config.visibility = scheme.visibility;
    config.channelAxis = scheme.channelAxis;
    config.groupSize = scheme.groupSize;
    config.scaleFormat = scheme.scaleFormat;
    config.codebook = scheme.codebook;
    config.histogramBins = scheme.histogramBins;
    config.isotoneAxis = scheme.isotoneAxis;
    config.percentile = scheme.percentile;
    config.percentileOver = scheme.percentileOver;
    config.minScale = scheme.minScale;
    config.scale = QVector<double>(scheme.scale.begin(), scheme.scale.end());
    config.zeroPoint = QVector<qint64>(scheme.zeroPoint.begin(), scheme.zeroPoint.end());
    config.setBy = text.origins(scheme.setBy);
    config.isOverridden = std::any_of(config.setBy.cbegin(), config.setBy.cend(), // begin() would detach shared data
                                      [](const Origin &origin) { return origin.isOverride(); });
    config.precisionText = text.kept(config.precision());
    return config;
}

static void setSlot(ConfigInfo &config, const api::SlotRow &row, Texts &text)
{
    config.operation = text(row.slot.op);
    config.variable = text(row.variable);
    config.role = row.slot.role;
    config.index = row.slot.index;
    config.isQuantizable = row.quantizable;
    config.outputChannelAxis = row.outputChannelAxis;
    if (row.root) {
        config.rootOperation = text(row.root->op);
        config.rootRole = row.root->role;
        config.rootIndex = row.root->index;
    }
    config.group = text.kept(config.scaleGroup());
}

QVector<ConfigInfo> configsFrom(const api::ShortConfigs &configs)
{
    Texts text;
    QVector<ConfigInfo> known, out;
    for (const api::QuantScheme &scheme : configs.schemes) known.append(configOf(scheme, text));
    out.reserve(qsizetype(configs.rows.size()));
    for (const api::ShortConfigRow &row : configs.rows) {
        out.append(known.value(qsizetype(std::min<std::size_t>(row.scheme, std::size_t(known.size())))));
        setSlot(out.back(), row, text);
    }
    return out;
}

QVector<ConfigInfo> configsFrom(const std::vector<api::ConfigRow> &rows)
{
    Texts text;
    QVector<ConfigInfo> out;
    out.reserve(qsizetype(rows.size()));
    for (const api::ConfigRow &row : rows) {
        out.append(configOf(row.scheme, text));
        setSlot(out.back(), row, text);
    }
    return out;
}

std::vector<api::ConfigRow> configRows(const QVector<ConfigInfo> &configs)
{
    std::vector<api::ConfigRow> rows;
    rows.reserve(std::size_t(configs.size()));
    for (const ConfigInfo &config : configs) {
        api::ConfigRow &row = rows.emplace_back();
        row.slot = {config.operation.toStdString(), config.role, config.index};
        row.variable = config.variable.toStdString();
        row.quantizable = config.isQuantizable;
        row.outputChannelAxis = config.outputChannelAxis;
        if (!config.rootOperation.isEmpty())
            row.root = {config.rootOperation.toStdString(), config.rootRole, config.rootIndex};
        api::QuantScheme &scheme = row.scheme;
        scheme.state = config.state;
        scheme.bits = config.bits;
        scheme.exponentBits = config.exponentBits;
        scheme.quantMin = config.quantMin;
        scheme.quantMax = config.quantMax;
        scheme.symmetric = config.isSymmetric;
        scheme.powerOfTwo = config.isPowerOfTwo;
        scheme.dynamic = config.isDynamic;
        scheme.channelAxis = config.channelAxis;
        scheme.groupSize = config.groupSize;
        scheme.scaleFormat = config.scaleFormat;
        scheme.codebook = config.codebook;
        scheme.rounding = config.rounding;
        scheme.observer = config.observer.toStdString();
        scheme.percentile = config.percentile;
        scheme.percentileOver = config.percentileOver;
        scheme.minScale = config.minScale;
        scheme.histogramBins = config.histogramBins;
        scheme.isotoneAxis = config.isotoneAxis;
        scheme.visibility = config.visibility;
        for (const double value : config.scale) scheme.scale.push_back(float(value));
        for (const qint64 value : config.zeroPoint) scheme.zeroPoint.push_back(std::int32_t(value));
        for (auto it = config.setBy.cbegin(); it != config.setBy.cend(); ++it)
            scheme.setBy[it.key().toStdString()] = it.value();
    }
    return rows;
}

QVector<ProblemInfo> problemsFrom(const std::vector<api::Problem> &problems)
{
    QVector<ProblemInfo> out;
    for (const api::Problem &problem : problems) out.append(ProblemInfo{problem});
    return out;
}

std::vector<api::Problem> problemRows(const QVector<ProblemInfo> &problems)
{
    return {problems.begin(), problems.end()};
}

static QHash<QString, int> worstRows(const ErrorRows &rows)
{
    QHash<QString, int> worst;
    for (int i = 0; i < rows.size(); ++i) {
        const QString op = fromUtf8(rows[i].op);
        const auto it = worst.constFind(op);
        if (it == worst.constEnd() || rows[i].noiseRatio.value_or(0) > rows[*it].noiseRatio.value_or(0))
            worst.insert(op, i);
    }
    return worst;
}

static ErrorRows rowsFrom(const std::vector<api::ErrorRow> &rows)
{
    ErrorRows out;
    out.reserve(qsizetype(rows.size()));
    for (const api::ErrorRow &row : rows) static_cast<api::ErrorRow &>(out.emplace_back()) = row;
    return out;
}

void setConfigs(RunData &run, QVector<ConfigInfo> configs)
{
    run.configs = std::move(configs);
    run.configsOf.clear();
    for (int i = 0; i < run.configs.size(); ++i) run.configsOf[run.configs[i].operation].append(i);
}

void setErrors(RunData &run, const ErrorRows &graphwise, const ErrorRows &layerwise, const ErrorRows &outputs)
{
    run.graphwise = graphwise;
    run.graphwiseOf = worstRows(graphwise);
    run.layerwise = layerwise;
    run.layerwiseOf = worstRows(layerwise);
    run.outputs = outputs;
}

void setMeasures(RunData &run, const api::Measures &measures)
{
    if (measures.graphwise) {
        run.graphwise = rowsFrom(*measures.graphwise);
        run.graphwiseOf = worstRows(run.graphwise);
    }
    if (measures.layerwise) {
        run.layerwise = rowsFrom(*measures.layerwise);
        run.layerwiseOf = worstRows(run.layerwise);
    }
    if (measures.outputs) run.outputs = ErrorRows(measures.outputs->begin(), measures.outputs->end());
}

std::function<void(RunData &run)> updateFrom(const api::RunPart &part)
{
    RunData made;
    if (part.configs) setConfigs(made, configsFrom(*part.configs));
    if (part.passes) made.passes = QVector<api::PassRow>(part.passes->begin(), part.passes->end());
    if (part.measures) setMeasures(made, *part.measures);
    const api::Measures none, &measured = part.measures ? *part.measures : none;
    return [made = std::move(made), configs = part.configs.has_value(), passes = part.passes.has_value(),
            graphwise = measured.graphwise.has_value(), layerwise = measured.layerwise.has_value(),
            outputs = measured.outputs.has_value()](RunData &run) {
        if (configs) {
            run.configs = made.configs;
            run.configsOf = made.configsOf;
        }
        if (passes) run.passes = made.passes;
        if (graphwise) {
            run.graphwise = made.graphwise;
            run.graphwiseOf = made.graphwiseOf;
        }
        if (layerwise) {
            run.layerwise = made.layerwise;
            run.layerwiseOf = made.layerwiseOf;
        }
        if (outputs) run.outputs = made.outputs;
    };
}

RunPtr runFromReport(const api::ReportSummary &report)
{
    auto run = makeShared<RunData>();
    run->inputsKey = fromUtf8(report.inputsKey);
    run->recipe = report.recipe;
    setMeasures(*run, report.measures);
    run->passes = QVector<api::PassRow>(report.passes.begin(), report.passes.end());
    run->problems = problemsFrom(report.problems);
    run->seconds = report.seconds;
    run->peakMib = report.peakRssMib;
    run->isComplete = true;
    return run;
}

} // namespace ql
