#include "views/bridge/run_store.h"

#include "core/api/message.h"
#include "core/api/report.h"
#include "core/base/error.h"
#include "views/bridge/disposal.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QUuid>
#include <algorithm>
#include <functional>
#include <utility>

namespace ql {

using nlohmann::json;

static const char *const format = "quantloupe-run/1";
static const char *const evidenceFormat = "quantloupe-run-problems/1";

static std::string utf8(const QString &text)
{
    return text.toStdString();
}

static json numberOrNull(const std::optional<double> &value)
{
    return value ? json(*value) : json();
}

static json errorsToJson(const QVector<ErrorInfo> &errors)
{
    json rows = json::array();
    for (const ErrorInfo &e : errors)
        rows.push_back({{"op", utf8(e.operation)},
                        {"type", utf8(e.type)},
                        {"variable", utf8(e.variable)},
                        {"noise_ratio", numberOrNull(e.noiseRatio)},
                        {"sqnr_db", numberOrNull(e.sqnrDb)},
                        {"cosine", numberOrNull(e.cosine)},
                        {"mse", numberOrNull(e.mse)},
                        {"max_abs", numberOrNull(e.maxAbs)},
                        {"equal_share", numberOrNull(e.equalShare)},
                        {"samples", e.samples},
                        {"elements", e.elements}});
    return rows;
}

static json configsToJson(const QVector<ConfigInfo> &configs)
{
    json rows = json::array();
    for (const ConfigInfo &c : configs) {
        std::map<std::string, Origin> setBy;
        for (auto it = c.setBy.constBegin(); it != c.setBy.constEnd(); ++it) setBy[utf8(it.key())] = it.value();
        json row = {{"op", utf8(c.operation)},
                    {"variable", utf8(c.variable)},
                    {"role", utf8(c.role)},
                    {"state", utf8(c.state)},
                    {"rounding", utf8(c.rounding)},
                    {"observer", utf8(c.observer)},
                    {"index", c.index},
                    {"bits", c.bits},
                    {"exponent_bits", c.exponentBits},
                    {"quant_min", c.quantMin},
                    {"quant_max", c.quantMax},
                    {"symmetric", c.isSymmetric},
                    {"power_of_two", c.isPowerOfTwo},
                    {"dynamic", c.isDynamic},
                    {"visibility", c.visibility},
                    {"percentile", numberOrNull(c.percentile)},
                    {"percentile_over", c.percentileOver.isEmpty() ? json() : json(utf8(c.percentileOver))},
                    {"min_scale", numberOrNull(c.minScale)},
                    {"histogram_bins", c.histogramBins ? json(*c.histogramBins) : json()},
                    {"isotone_axis", c.isotoneAxis ? json(*c.isotoneAxis) : json()},
                    {"channel_axis", c.channelAxis ? json(*c.channelAxis) : json()},
                    {"scale", std::vector<double>(c.scale.begin(), c.scale.end())},
                    {"zero_point", std::vector<qint64>(c.zeroPoint.begin(), c.zeroPoint.end())},
                    {"origins", api::originsToJson(setBy)}};
        if (!c.rootOperation.isEmpty())
            row["root"] = {{"op", utf8(c.rootOperation)}, {"role", utf8(c.rootRole)}, {"index", c.rootIndex}};
        if (!c.isQuantizable) row["quantizable"] = false;
        if (c.outputChannelAxis) row["output_channel_axis"] = *c.outputChannelAxis;
        rows.push_back(std::move(row));
    }
    return rows;
}

json runToJson(const RunData &run)
{
    json outputs = errorsToJson(run.outputs), passes = json::array();
    if (!outputs.empty() && run.metricQuantized)
        outputs[0]["metric"] = {{"name", utf8(run.metricName)},
                                {"fp32", numberOrNull(run.metricFloat)},
                                {"quantized", numberOrNull(run.metricQuantized)}};
    for (const PassRun &pass : run.passes)
        passes.push_back({{"id", utf8(pass.id)}, {"changed", pass.changed}, {"seconds", pass.seconds}});
    return {{"hash", utf8(run.recipeHash)},
            {"inputs_key", utf8(run.inputsKey)},
            {"recipe", api::toJson(run.recipe)},
            {"configs", configsToJson(run.configs)},
            {"graphwise", errorsToJson(run.graphwise)},
            {"layerwise", errorsToJson(run.layerwise)},
            {"outputs", outputs},
            {"passes", passes},
            {"problems", problemsToJson(run.problems)},
            {"seconds", run.seconds},
            {"peak_mib", run.peakMib}};
}

RunPtr runFromJson(const json &value, bool withConfigs)
{
    auto run = makeShared<RunData>();
    run->recipeHash = textOf(value, "hash");
    run->inputsKey = textOf(value, "inputs_key");
    run->recipe = api::recipeFromJson(api::JsonText::wrap(value.at("recipe")));
    if (withConfigs) addSection(*run, "configs", value.at("configs"));
    run->isTrimmed = !withConfigs;
    for (const char *name : {"graphwise", "layerwise", "outputs", "passes", "problems"})
        addSection(*run, name, value.at(name));
    run->seconds = value.value("seconds", 0.0);
    run->peakMib = value.value("peak_mib", 0.0);
    run->isComplete = true;
    return run;
}

// Files

static bool writeFile(const QString &path, const std::string &bytes)
{
    QSaveFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes.data(), qint64(bytes.size())) == qint64(bytes.size()) &&
           file.commit();
}

static json readJson(const QString &path, bool isCbor)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return nullptr;
    const QByteArray bytes = file.readAll();
    json value = isCbor ? api::decodeCbor({bytes.constData(), std::size_t(bytes.size())})
                        : json::parse(bytes.begin(), bytes.end(), nullptr, false);
    if (value.is_discarded()) value = nullptr;
    return value;
}

static QString runFile(const QString &folder, const QString &name)
{
    return QStringLiteral("%1/%2.run").arg(folder, name);
}

static QString noteFile(const QString &folder, const QString &name)
{
    return QStringLiteral("%1/%2.json").arg(folder, name);
}

static QString evidenceFile(const QString &folder, const QString &name)
{
    return QStringLiteral("%1/%2.problems").arg(folder, name);
}

static QString numberFile(const QString &folder, int number)
{
    return QStringLiteral("%1/%2.number").arg(folder).arg(number);
}

int RunStore::takeNumber(const QString &document, int first) const
{
    const QString folder = folderOf(document);
    if (!QDir().mkpath(folder)) return first;
    // Of runs stored before numbers were reserved
    for (const QString &name : QDir(folder).entryList({QStringLiteral("*.run")}, QDir::Files))
        first = std::max(first, name.section(QLatin1Char('-'), 0, 0).toInt() + 1);
    for (int number = first;; ++number) {
        QFile file(numberFile(folder, number));
        if (file.open(QIODevice::WriteOnly | QIODevice::NewOnly)) return number; // created by the one who reserves it
        if (!file.exists()) return number;                                       // nothing can be written there
    }
}

QString RunStore::newFile(int number)
{
    return QStringLiteral("%1-%2").arg(number).arg(QUuid::createUuid().toString(QUuid::Id128).left(12));
}

static void writeNote(const QString &folder, const RunRecord &run)
{
    writeFile(noteFile(folder, run.file),
              json{{"name", utf8(run.name)}, {"note", utf8(run.note)}, {"time", utf8(run.time.toString(Qt::ISODate))}}
                  .dump());
}

static void writeEvidence(const QString &folder, const RunRecord &run)
{
    if (run.evidence)
        writeFile(evidenceFile(folder, run.file),
                  json{{"format", evidenceFormat}, {"problems", problemsToJson(*run.evidence)}}.dump());
}

RunStore::RunStore(QString folder, QObject *parent) : QObject(parent), m_folder(std::move(folder))
{
    qRegisterMetaType<QVector<ql::RunRecord>>("QVector<ql::RunRecord>");
    qRegisterMetaType<ql::RunPtr>("ql::RunPtr");
    m_pool.setMaxThreadCount(1); // in order
}

RunStore::~RunStore()
{
    m_pool.waitForDone();
}

QString RunStore::folderOf(const QString &document) const
{
    const QByteArray key = QCryptographicHash::hash(document.toUtf8(), QCryptographicHash::Sha1).toHex();
    return m_folder + QLatin1Char('/') + QString::fromLatin1(key);
}

QString RunStore::fileOf(const QString &document, const RunRecord &run) const
{
    return runFile(folderOf(document), run.file);
}

void RunStore::load(const QString &document, qsizetype mostRows)
{
    m_pool.start([this, document, mostRows, folder = folderOf(document)] {
        QVector<QPair<int, QString>> names; // number and name; in early versions the name is the number
        for (const QFileInfo &info : QDir(folder).entryInfoList({QStringLiteral("*.run")}, QDir::Files))
            names.append({info.completeBaseName().section(QLatin1Char('-'), 0, 0).toInt(), info.completeBaseName()});
        std::sort(names.begin(), names.end(), std::greater<>()); // the most recent first
        QVector<RunRecord> runs;
        qsizetype rows = 0;
        for (const auto &[number, name] : names) {
            const json value = readJson(runFile(folder, name), true), note = readJson(noteFile(folder, name), false);
            if (number <= 0 || textOf(value, "format") != QLatin1String(format))
                continue; // damaged, or of a later version
            try {
                RunRecord run;
                run.number = number;
                rows += qsizetype(value.at("run").at("configs").size());
                run.data = runFromJson(value.at("run"), runs.isEmpty() || rows <= mostRows);
                run.recipe = api::recipeFromJson(api::JsonText::wrap(value.at("recipe")));
                run.name = textOf(note, "name");
                run.note = textOf(note, "note");
                run.time = QDateTime::fromString(textOf(note, "time"), Qt::ISODate);
                if (const json found = readJson(evidenceFile(folder, name), false);
                    textOf(found, "format") == QLatin1String(evidenceFormat))
                    run.evidence = problemsFromJson(memberOf(found, "problems"));
                run.isStored = true;
                run.file = name;
                runs.append(std::move(run));
            } catch (const json::exception &) {
                continue;
            } catch (const Error &) { // a recipe of another version
                continue;
            }
        }
        std::reverse(runs.begin(), runs.end());
        // Two windows may have used the same number: renumber in order of time
        std::stable_sort(runs.begin(), runs.end(), [](const RunRecord &a, const RunRecord &b) {
            return std::pair(a.number, a.time) < std::pair(b.number, b.time);
        });
        const QString baselineFile = textOf(readJson(folder + QStringLiteral("/meta.json"), false), "baseline_run");
        int last = 0, baseline = 0;
        for (RunRecord &run : runs) {
            run.number = last = std::max(run.number, last + 1);
            if (run.file == baselineFile) baseline = run.number;
        }
        Q_EMIT loaded(document, runs, baseline);
    });
}

void RunStore::readConfigs(const QString &document, const RunRecord &run)
{
    m_pool.start([this, document, file = run.file, path = fileOf(document, run)] {
        const json value = readJson(path, true);
        try {
            if (value.is_object()) Q_EMIT configsRead(document, file, runFromJson(value.at("run")));
        } catch (const json::exception &) {
            return; // damaged since: the run is shown without them
        } catch (const Error &) {
            return;
        }
    });
}

void RunStore::save(const QString &document, const RunRecord &run, const QString &configsFile)
{
    m_pool.start([document, run, configsFile, folder = folderOf(document)] {
        QDir().mkpath(folder);
        json data = runToJson(*run.data);
        if (run.data->isTrimmed) {
            const json before = readJson(configsFile, true);
            if (const json &configs = memberOf(memberOf(before, "run"), "configs"); configs.is_array())
                data["configs"] = configs;
        }
        std::string bytes;
        json::to_cbor({{"format", format},
                       {"document", utf8(document)},
                       {"recipe", api::toJson(run.recipe)},
                       {"run", std::move(data)}},
                      nlohmann::detail::output_adapter<char>(bytes));
        writeNote(folder, run);
        writeEvidence(folder, run);
        writeFile(runFile(folder, run.file), bytes);
    });
}

void RunStore::describe(const QString &document, const RunRecord &run)
{
    m_pool.start([run, folder = folderOf(document)] { writeNote(folder, run); });
}

void RunStore::keepEvidence(const QString &document, const RunRecord &run)
{
    m_pool.start([run, folder = folderOf(document)] { writeEvidence(folder, run); });
}

void RunStore::remove(const QString &document, const QString &file)
{
    m_pool.start([file, folder = folderOf(document)] {
        QFile::remove(runFile(folder, file));
        QFile::remove(noteFile(folder, file));
        QFile::remove(evidenceFile(folder, file));
    });
}

void RunStore::setBaseline(const QString &document, const QString &file)
{
    m_pool.start([file, folder = folderOf(document)] {
        QDir().mkpath(folder);
        writeFile(folder + QStringLiteral("/meta.json"), json{{"baseline_run", utf8(file)}}.dump());
    });
}

} // namespace ql
