#include "views/bridge/snapshot.h"

#include "core/api/report.h"
#include "core/api/text_json.h"
#include "views/bridge/disposal.h"
#include "views/bridge/engine_text.h"

#include <QObject>
#include <QSet>
#include <algorithm>
#include <unordered_map>

namespace ql {

using nlohmann::json;

static QString fromUtf8(const std::string &text)
{
    return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

QString textOf(const json &value, const char *key)
{
    if (!value.is_object()) return {};
    const auto it = value.find(key);
    return it != value.end() && it->is_string() ? fromUtf8(it->get_ref<const std::string &>()) : QString();
}

const json &memberOf(const json &value, const char *key)
{
    static const json none;
    if (!value.is_object()) return none;
    const auto it = value.find(key);
    return it == value.end() ? none : *it;
}

static std::optional<double> numberOf(const json &value, const char *key)
{
    const json &number = memberOf(value, key);
    return number.is_number() ? std::optional(number.get<double>()) : std::nullopt;
}

static qint64 integerOf(const json &value, const char *key)
{
    const json &number = memberOf(value, key);
    return number.is_number() ? number.get<qint64>() : 0;
}

static bool boolOf(const json &value, const char *key)
{
    const json &flag = memberOf(value, key);
    return flag.is_boolean() && flag.get<bool>();
}

static QString valueText(const json &value)
{
    if (value.is_string()) return fromUtf8(value.get<std::string>());
    if (value.is_number_float()) return QString::number(value.get<double>(), 'g', 7);
    if (value.is_object()) return engineText(api::textFromJson(value)); // of a tensor or a subgraph, what it is
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

QString GraphSnapshot::essentials(const OperationInfo &operation) const
{
    QStringList parts;
    if (const QString kernel = operation.attribute(QStringLiteral("kernel_shape")); !kernel.isEmpty())
        parts.append(timesOf(kernel));
    const int weight = operation.inputs.value(operation.weight, -1);
    const QStringList sizes = weight < 0 ? QStringList() : tensors[weight].shape.split(QLatin1Char('x'));
    const bool isConvolution = sizes.size() > 2 && operation.outputChannels > 0;
    if (isConvolution) {
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
    if (weight >= 0 && !isConvolution && tensors[weight].isParameter) parts.append(sizes.join(QChar(0x00d7)));
    for (const char *key : {"axis", "perm", "mode"})
        if (const QString value = operation.attribute(QLatin1String(key)); !value.isEmpty())
            parts.append(QStringLiteral("%1 %2").arg(QLatin1String(key), value));
    return parts.join(QStringLiteral(" · "));
}

QString ConfigInfo::scaleGroup() const
{
    if (!group.isEmpty()) return group;
    const QString &op = rootOperation.isEmpty() ? operation : rootOperation;
    const QString &slot = rootOperation.isEmpty() ? role : rootRole;
    return op + QLatin1Char('\n') + slot + QLatin1Char('\n') +
           QString::number(rootOperation.isEmpty() ? index : rootIndex);
}

QString ConfigInfo::precision() const
{
    if (!precisionText.isEmpty()) return precisionText;
    if (isFloat()) return QStringLiteral("FP32");
    if (exponentBits > 0) return QStringLiteral("FP%1 E%2M%3").arg(bits).arg(exponentBits).arg(bits - exponentBits - 1);
    return QStringLiteral("%1%2").arg(quantMin >= 0 ? QStringLiteral("UINT") : QStringLiteral("INT")).arg(bits);
}

std::optional<double> RunData::outputSqnr() const
{
    std::optional<double> worst;
    for (const ErrorInfo &row : outputs)
        if (row.sqnrDb && (!worst || *row.sqnrDb < *worst)) worst = row.sqnrDb;
    return worst;
}

std::optional<double> RunData::outputEqualShare() const
{
    std::optional<double> least;
    for (const ErrorInfo &row : outputs)
        if (row.equalShare && (!least || *row.equalShare < *least)) least = row.equalShare;
    return least;
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

static void readOperatorFacts(OperationInfo &op, const json &row)
{
    op.isActivation = boolOf(row, "activation");
    const json &weights = memberOf(row, "weights");
    if (!weights.is_object()) return;
    op.weight = weights.value("input", -1);
    op.bias = weights.value("bias", -1);
    const json &channels = memberOf(weights, "channels");
    if (!channels.is_array() || channels.size() != 2) return;
    op.inputChannels = channels[0].get<int>();
    op.outputChannels = channels[1].get<int>();
}

namespace {

/// Repeated texts are stored once: thousands of operations, tensors and configs of a large model share them, and every
/// run has a graph.
class Texts
{
public:
    QString operator()(const json &value, const char *key) { return kept(textOf(value, key)); }
    QString kept(const QString &text)
    {
        if (text.isEmpty()) return {};
        return *m_texts.insert(text);
    }
    /// The origins of a config's fields.
    QHash<QString, Origin> origins(const json &list)
    {
        const std::string key = list.dump();
        const auto it = m_origins.find(key);
        if (it != m_origins.end()) return it->second;
        QHash<QString, Origin> origins;
        for (const auto &[field, origin] : api::originsFromJson(list)) origins.insert(kept(fromUtf8(field)), origin);
        m_origins.emplace(key, origins);
        return origins;
    }

private:
    QSet<QString> m_texts;
    std::unordered_map<std::string, QHash<QString, Origin>> m_origins;
};

} // namespace

static QVector<QPair<QString, QString>> attributesOf(const json &row, Texts &text)
{
    QVector<QPair<QString, QString>> attributes;
    if (const json &values = memberOf(row, "attributes"); values.is_object())
        for (const auto &[name, value] : values.items())
            attributes.append({text.kept(fromUtf8(name)), text.kept(valueText(value))});
    return attributes;
}

static void readOperations(GraphSnapshot &graph, const json &rows, Texts &text)
{
    for (const json &row : rows) {
        OperationInfo op;
        op.name = textOf(row, "name");
        op.type = text(row, "type");
        op.domain = text(row, "domain");
        op.platform = text(row, "platform");
        op.reason = text.kept(engineText(row, "reason"));
        op.reasonKind = text.kept(QString::fromStdString(engineTextOf(row, "reason").source()));
        op.isByOverride = memberOf(row, "set_by").is_object();
        op.isQuantized = boolOf(row, "quantized");
        const int index = int(graph.operations.size());
        for (const json &name : memberOf(row, "inputs"))
            op.inputs.append(internTensor(graph, fromUtf8(name.get<std::string>())));
        for (const json &name : memberOf(row, "outputs")) {
            op.outputs.append(internTensor(graph, fromUtf8(name.get<std::string>())));
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
static void readBodies(GraphSnapshot &graph, int owner, const json &rows, Texts &text, int depth = 0)
{
    if (!rows.is_array() || depth > deepestBody) return;
    for (const json &row : rows) {
        const int index = int(graph.bodies.size());
        graph.bodies.append({owner, textOf(row, "attribute"), {}, {}, {}});
        graph.operations[owner].bodies.append(index);
        QHash<QString, int> scope;
        const auto tensor = [&](const json &name) {
            const QString known = fromUtf8(name.get<std::string>());
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
        for (const json &entry : memberOf(row, "tensors")) {
            TensorInfo &info = graph.tensors[tensor(memberOf(entry, "name"))];
            info.type = textOf(entry, "type");
            info.shape = textOf(entry, "shape");
            info.isParameter = boolOf(entry, "parameter");
        }
        for (const json &name : memberOf(row, "inputs")) graph.bodies[index].inputs.append(tensor(name));
        for (const json &name : memberOf(row, "outputs")) graph.bodies[index].outputs.append(tensor(name));
        QVector<QPair<int, const json *>> deeper;
        for (const json &entry : memberOf(row, "operations")) {
            OperationInfo op;
            op.name = textOf(entry, "name");
            if (op.name.isEmpty() || graph.operationByName.contains(op.name))
                op.name = graph.operations[owner].name + QLatin1Char('/') + graph.bodies[index].attribute +
                          QLatin1Char('/') + op.name;
            while (graph.operationByName.contains(op.name)) op.name += QLatin1Char('\'');
            op.type = textOf(entry, "type");
            op.domain = textOf(entry, "domain");
            op.platform = QStringLiteral("FP32");
            op.reason = QObject::tr("inside %1 '%2', whose bodies run in float32")
                            .arg(graph.operations[owner].type, graph.operations[owner].name);
            op.body = index;
            const int number = int(graph.operations.size());
            for (const json &name : memberOf(entry, "inputs")) op.inputs.append(tensor(name));
            for (const json &name : memberOf(entry, "outputs")) {
                op.outputs.append(tensor(name));
                if (op.outputs.back() >= 0) graph.tensors[op.outputs.back()].producer = number;
            }
            op.attributes = attributesOf(entry, text);
            readOperatorFacts(op, entry);
            graph.bodies[index].operations.append(number);
            graph.operationByName.insert(op.name, number);
            graph.operations.append(std::move(op));
            if (entry.contains("bodies")) deeper.append({number, &entry.at("bodies")});
        }
        for (const auto &[number, inner] : deeper) readBodies(graph, number, *inner, text, depth + 1);
    }
}

api::ObserverDemand observerDemand(const ConfigInfo &config)
{
    return {config.exponentBits > 0, config.isSymmetric, config.channelAxis.has_value()};
}

GraphPtr graphFromInspection(const json &inspection)
{
    auto graph = makeShared<GraphSnapshot>();
    const json &model = memberOf(inspection, "model");
    graph->modelPath = textOf(model, "path");
    graph->format = textOf(model, "format");
    graph->producer = textOf(model, "producer");
    graph->sha256 = textOf(model, "sha256");
    for (const json &name : memberOf(model, "files"))
        if (name.is_string()) graph->otherFiles.append(fromUtf8(name.get<std::string>()));
    graph->inputsKey = textOf(inspection, "inputs_key");
    graph->weights = integerOf(memberOf(model, "counts"), "weights");
    for (const json &row : memberOf(model, "inputs")) graph->inputs.append(textOf(row, "name"));
    for (const json &row : memberOf(model, "outputs")) graph->outputs.append(textOf(row, "name"));
    Texts text;
    for (const json &row : memberOf(inspection, "tensors")) {
        TensorInfo tensor;
        tensor.name = textOf(row, "name");
        tensor.type = text(row, "type");
        tensor.shape = text(row, "shape");
        tensor.isParameter = boolOf(row, "parameter");
        for (const json &value : memberOf(row, "values"))
            tensor.values.append(value.is_number() ? value.get<double>() : std::nan(""));
        graph->tensorByName.insert(tensor.name, int(graph->tensors.size()));
        graph->tensors.append(std::move(tensor));
    }
    const json &operations = memberOf(inspection, "operations");
    readOperations(*graph, operations, text);
    int number = 0;
    for (const json &row : operations) readBodies(*graph, number++, memberOf(row, "bodies"), text);
    for (OperationInfo &op : graph->operations) {
        op.shape = text.kept(graph->outputShape(op));
        op.essentials = text.kept(graph->essentials(op));
    }
    for (const auto &[type, names] : memberOf(inspection, "input_names").items()) {
        QStringList &known = graph->inputNames[fromUtf8(type)];
        for (const json &name : names) known.append(fromUtf8(name.get<std::string>()));
    }
    for (const json &row : memberOf(inspection, "unsupported"))
        graph->unsupported.insert(textOf(row, "op"), engineText(row, "why"));
    return graph;
}

/// All fields of a row except its slot and the owner of its scale.
static ConfigInfo schemeOf(const json &row, Texts &text)
{
    ConfigInfo config;
    config.state = text(row, "state");
    config.rounding = text(row, "rounding");
    config.observer = text(row, "observer");
    config.bits = int(integerOf(row, "bits"));
    config.exponentBits = int(integerOf(row, "exponent_bits"));
    config.quantMin = integerOf(row, "quant_min");
    config.quantMax = integerOf(row, "quant_max");
    config.isSymmetric = boolOf(row, "symmetric");
    config.isPowerOfTwo = boolOf(row, "power_of_two");
    config.isDynamic = boolOf(row, "dynamic");
    config.visibility = int(integerOf(row, "visibility"));
    const auto integerIfSet = [&row](const char *key) {
        return memberOf(row, key).is_number() ? std::optional<int>(int(integerOf(row, key))) : std::nullopt;
    };
    config.channelAxis = integerIfSet("channel_axis");
    config.histogramBins = integerIfSet("histogram_bins");
    config.isotoneAxis = integerIfSet("isotone_axis");
    config.percentile = numberOf(row, "percentile");
    config.percentileOver = text(row, "percentile_over");
    config.minScale = numberOf(row, "min_scale");
    for (const json &value : memberOf(row, "scale")) config.scale.append(value.is_number() ? value.get<double>() : 0.0);
    for (const json &value : memberOf(row, "zero_point"))
        config.zeroPoint.append(value.is_number() ? value.get<qint64>() : 0);
    config.setBy = text.origins(memberOf(row, "origins"));
    config.isOverridden = std::any_of(config.setBy.cbegin(), config.setBy.cend(), // begin() would detach shared data
                                      [](const Origin &origin) { return origin.isOverride(); });
    config.precisionText = text.kept(config.precision());
    return config;
}

QVector<ConfigInfo> configsFromJson(const json &rows, const json &schemes)
{
    Texts text;
    QVector<ConfigInfo> known;
    if (schemes.is_array())
        for (const json &row : schemes) known.append(schemeOf(row, text));
    QVector<ConfigInfo> configs;
    configs.reserve(qsizetype(rows.size()));
    for (const json &row : rows) {
        const json &scheme = memberOf(row, "scheme");
        ConfigInfo config =
            scheme.is_number_unsigned()
                ? known.value(qsizetype(std::min<quint64>(scheme.get<quint64>(), quint64(known.size()))))
                : schemeOf(row, text);
        config.operation = text(row, "op");
        config.variable = text(row, "variable");
        config.role = text(row, "role");
        config.index = int(integerOf(row, "index"));
        config.isQuantizable = memberOf(row, "quantizable") != json(false);
        if (memberOf(row, "output_channel_axis").is_number())
            config.outputChannelAxis = int(integerOf(row, "output_channel_axis"));
        if (const json &root = memberOf(row, "root"); root.is_object()) {
            config.rootOperation = text(root, "op");
            config.rootRole = text(root, "role");
            config.rootIndex = int(integerOf(root, "index"));
        }
        config.group = text.kept(config.scaleGroup());
        configs.append(std::move(config));
    }
    return configs;
}

QVector<ErrorInfo> errorsFromJson(const json &rows)
{
    Texts text;
    QVector<ErrorInfo> errors;
    for (const json &row : rows) {
        ErrorInfo error;
        error.operation = text(row, "op");
        error.type = text(row, "type");
        error.variable = text(row, "variable");
        error.noiseRatio = numberOf(row, "noise_ratio");
        error.sqnrDb = numberOf(row, "sqnr_db");
        error.cosine = numberOf(row, "cosine");
        error.mse = numberOf(row, "mse");
        error.maxAbs = numberOf(row, "max_abs");
        error.equalShare = numberOf(row, "equal_share");
        error.samples = integerOf(row, "samples");
        error.elements = integerOf(row, "elements");
        errors.append(std::move(error));
    }
    return errors;
}

QVector<ProblemInfo> problemsFromJson(const json &rows)
{
    QVector<ProblemInfo> problems;
    for (const json &row : rows) {
        ProblemInfo problem{textOf(row, "severity"), textOf(row, "op"), textOf(row, "variable"),
                            engineTextOf(row, "message"), engineTextOf(row, "remedy")};
        for (const json &entry : memberOf(row, "actions"))
            if (api::Action action = api::actionFromJson(entry); action.changesRecipe())
                problem.actions.append(std::move(action)); // stored by an earlier version: only its name
        for (const json &value : memberOf(row, "values"))
            problem.plot.append(value.is_number() ? value.get<double>() : 0);
        problem.plotMeaning = textOf(row, "values_meaning");
        problems.append(std::move(problem));
    }
    return problems;
}

json problemsToJson(const QVector<ProblemInfo> &problems)
{
    json rows = json::array();
    for (const ProblemInfo &problem : problems) {
        json row = {{"severity", problem.severity.toStdString()},
                    {"op", problem.operation.toStdString()},
                    {"variable", problem.variable.toStdString()}};
        api::putText(row, "message", problem.message);
        api::putText(row, "remedy", problem.remedy);
        for (const api::Action &action : problem.actions) row["actions"].push_back(api::toJson(action));
        if (!problem.plot.isEmpty()) {
            row["values"] = std::vector<double>(problem.plot.begin(), problem.plot.end());
            row["values_meaning"] = problem.plotMeaning.toStdString();
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

static QHash<QString, int> worstRows(const QVector<ErrorInfo> &rows)
{
    QHash<QString, int> worst;
    for (int i = 0; i < rows.size(); ++i) {
        const auto it = worst.constFind(rows[i].operation);
        if (it == worst.constEnd() || rows[i].noiseRatio.value_or(0) > rows[*it].noiseRatio.value_or(0))
            worst.insert(rows[i].operation, i);
    }
    return worst;
}

void addSection(RunData &run, const std::string &name, const json &data)
{
    if (name == "configs") {
        const bool isShort = data.is_object(); // of a run in progress
        run.configs =
            isShort ? configsFromJson(memberOf(data, "rows"), memberOf(data, "schemes")) : configsFromJson(data);
        run.configsOf.clear();
        for (int i = 0; i < run.configs.size(); ++i) run.configsOf[run.configs[i].operation].append(i);
    } else if (name == "graphwise") {
        run.graphwise = errorsFromJson(data);
        run.graphwiseOf = worstRows(run.graphwise);
    } else if (name == "layerwise") {
        run.layerwise = errorsFromJson(data);
        run.layerwiseOf = worstRows(run.layerwise);
    } else if (name == "outputs") {
        run.outputs = errorsFromJson(data);
        for (const json &row : data)
            if (const json &metric = memberOf(row, "metric"); metric.is_object()) {
                run.metricName = textOf(metric, "name");
                run.metricFloat = numberOf(metric, "fp32");
                run.metricQuantized = numberOf(metric, "quantized");
                break;
            }
    } else if (name == "passes") {
        run.passes.clear();
        for (const json &row : data)
            run.passes.append(
                {textOf(row, "id"), int(integerOf(row, "changed")), numberOf(row, "seconds").value_or(0)});
    } else if (name == "problems") {
        run.problems = problemsFromJson(data);
    }
}

void takeSection(RunData &run, const QString &name, const RunData &part)
{
    if (name == QLatin1String("configs")) {
        run.configs = part.configs;
        run.configsOf = part.configsOf;
    } else if (name == QLatin1String("graphwise")) {
        run.graphwise = part.graphwise;
        run.graphwiseOf = part.graphwiseOf;
    } else if (name == QLatin1String("layerwise")) {
        run.layerwise = part.layerwise;
        run.layerwiseOf = part.layerwiseOf;
    } else if (name == QLatin1String("outputs")) {
        run.outputs = part.outputs;
        run.metricName = part.metricName;
        run.metricFloat = part.metricFloat;
        run.metricQuantized = part.metricQuantized;
    } else if (name == QLatin1String("passes")) {
        run.passes = part.passes;
    } else if (name == QLatin1String("problems")) {
        run.problems = part.problems;
    }
}

RunPtr runFromReport(const json &report)
{
    auto run = makeShared<RunData>();
    run->inputsKey = textOf(report, "inputs_key");
    run->recipe = api::recipeFromJson(api::JsonText::wrap(memberOf(report, "recipe")));
    for (const char *name : {"configs", "graphwise", "layerwise", "outputs", "passes", "problems"})
        addSection(*run, name, memberOf(report, name));
    run->seconds = numberOf(report, "seconds").value_or(0);
    run->peakMib = numberOf(report, "peak_rss_mib").value_or(0);
    run->isComplete = true;
    return run;
}

} // namespace ql
