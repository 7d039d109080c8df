#include "views/bridge/run_store.h"

#include "core/api/kept_run.h"
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

static api::KeptRun keptRun(const QString &document, const RunRecord &record)
{
    const RunData &run = *record.data;
    api::KeptRun kept;
    kept.document = document.toStdString();
    kept.recipe = record.recipe;
    kept.complete = run.recipe;
    kept.hash = run.recipeHash.toStdString();
    kept.inputsKey = run.inputsKey.toStdString();
    kept.graphwise = {run.graphwise.begin(), run.graphwise.end()};
    kept.layerwise = {run.layerwise.begin(), run.layerwise.end()};
    kept.outputs = {run.outputs.begin(), run.outputs.end()};
    kept.passes = {run.passes.begin(), run.passes.end()};
    kept.problems = problemRows(run.problems);
    kept.seconds = run.seconds;
    kept.peakRssMib = run.peakMib;
    kept.configs = std::size_t(run.configs.size());
    return kept;
}

/// Trimmed.
static std::shared_ptr<RunData> runFrom(const api::KeptRun &kept)
{
    auto run = makeShared<RunData>();
    run->recipe = kept.complete;
    run->recipeHash = QString::fromStdString(kept.hash);
    run->inputsKey = QString::fromStdString(kept.inputsKey);
    setErrors(*run, {kept.graphwise.begin(), kept.graphwise.end()}, {kept.layerwise.begin(), kept.layerwise.end()},
              {kept.outputs.begin(), kept.outputs.end()});
    run->passes = {kept.passes.begin(), kept.passes.end()};
    run->problems = problemsFrom(kept.problems);
    run->seconds = kept.seconds;
    run->peakMib = kept.peakRssMib;
    run->isComplete = true;
    run->isTrimmed = true;
    return run;
}

// Files

static bool writeFile(const QString &path, const std::string &bytes)
{
    QSaveFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes.data(), qint64(bytes.size())) == qint64(bytes.size()) &&
           file.commit();
}

enum class Coding { Cbor, Text };

/// Nothing for a file that is missing, damaged or of another version.
template <class Kept>
static std::optional<Kept> readKept(const QString &path, Coding coding)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return std::nullopt;
    const QByteArray bytes = file.readAll();
    const json value = coding == Coding::Cbor ? api::decodeCbor({bytes.constData(), std::size_t(bytes.size())})
                                              : json::parse(bytes.begin(), bytes.end(), nullptr, false);
    try {
        return value.get<Kept>();
    } catch (const Error &) {
        return std::nullopt;
    }
}

template <class Kept>
static bool writeKept(const QString &path, const Kept &kept, Coding coding)
{
    const json value = kept;
    std::string bytes;
    if (coding == Coding::Cbor)
        json::to_cbor(value, nlohmann::detail::output_adapter<char>(bytes));
    else
        bytes = value.dump();
    return writeFile(path, bytes);
}

static QString runFile(const QString &folder, const QString &name)
{
    return QStringLiteral("%1/%2.run").arg(folder, name);
}

static QString configsFileIn(const QString &folder, const QString &name)
{
    return QStringLiteral("%1/%2.configs").arg(folder, name);
}

static QString noteFile(const QString &folder, const QString &name)
{
    return QStringLiteral("%1/%2.json").arg(folder, name);
}

static QString metaFile(const QString &folder)
{
    return folder + QStringLiteral("/meta.json");
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
    writeKept(
        noteFile(folder, run.file),
        api::KeptNote{run.name.toStdString(), run.note.toStdString(), run.time.toString(Qt::ISODate).toStdString()},
        Coding::Text);
}

static void writeEvidence(const QString &folder, const RunRecord &run)
{
    if (run.evidence)
        writeKept(evidenceFile(folder, run.file), api::KeptEvidence{problemRows(*run.evidence)}, Coding::Text);
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

QString RunStore::configsFileOf(const QString &document, const RunRecord &run) const
{
    return configsFileIn(folderOf(document), run.file);
}

void RunStore::load(const QString &document, qsizetype maxRows)
{
    m_pool.start([this, document, maxRows, folder = folderOf(document)] {
        QVector<QPair<int, QString>> names; // number and name; in early versions the name is the number
        for (const QFileInfo &info : QDir(folder).entryInfoList({QStringLiteral("*.run")}, QDir::Files))
            names.append({info.completeBaseName().section(QLatin1Char('-'), 0, 0).toInt(), info.completeBaseName()});
        std::sort(names.begin(), names.end(), std::greater<>()); // the most recent first
        QVector<RunRecord> runs;
        qsizetype rows = 0;
        for (const auto &[number, name] : names) {
            const auto kept = readKept<api::KeptRun>(runFile(folder, name), Coding::Cbor);
            if (number <= 0 || !kept) continue;
            RunRecord run;
            run.number = number;
            const std::shared_ptr<RunData> data = runFrom(*kept);
            rows += qsizetype(kept->configs);
            if (runs.isEmpty() || rows <= maxRows)
                if (const auto configs = readKept<api::KeptConfigs>(configsFileIn(folder, name), Coding::Cbor)) {
                    setConfigs(*data, configsFrom(configs->rows));
                    data->isTrimmed = false;
                }
            run.data = data;
            run.recipe = kept->recipe;
            const auto note = readKept<api::KeptNote>(noteFile(folder, name), Coding::Text).value_or(api::KeptNote());
            run.name = QString::fromStdString(note.name);
            run.note = QString::fromStdString(note.note);
            run.time = QDateTime::fromString(QString::fromStdString(note.time), Qt::ISODate);
            if (const auto found = readKept<api::KeptEvidence>(evidenceFile(folder, name), Coding::Text))
                run.evidence = problemsFrom(found->problems);
            run.isStored = true;
            run.file = name;
            runs.append(std::move(run));
        }
        std::reverse(runs.begin(), runs.end());
        // Two windows may have used the same number: renumber in order of time
        std::stable_sort(runs.begin(), runs.end(), [](const RunRecord &a, const RunRecord &b) {
            return std::pair(a.number, a.time) < std::pair(b.number, b.time);
        });
        const auto meta = readKept<api::KeptRuns>(metaFile(folder), Coding::Text).value_or(api::KeptRuns());
        const QString baselineFile = QString::fromStdString(meta.baseline);
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
    m_pool.start([this, document, file = run.file, path = configsFileOf(document, run)] {
        const auto kept = readKept<api::KeptConfigs>(path, Coding::Cbor);
        if (!kept) return; // damaged since: the run is shown without them
        const auto configs = makeShared<RunData>();
        setConfigs(*configs, configsFrom(kept->rows));
        Q_EMIT configsRead(document, file, configs);
    });
}

void RunStore::save(const QString &document, const RunRecord &run, const QString &configsFile)
{
    m_pool.start([document, run, configsFile, folder = folderOf(document)] {
        QDir().mkpath(folder);
        api::KeptRun kept = keptRun(document, run);
        const QString configs = configsFileIn(folder, run.file);
        if (run.data->isTrimmed) {
            const auto before = readKept<api::KeptConfigs>(configsFile, Coding::Cbor);
            kept.configs = before ? before->rows.size() : 0;
            QFile::copy(configsFile, configs);
        } else {
            writeKept(configs, api::KeptConfigs{configRows(run.data->configs)}, Coding::Cbor);
        }
        writeNote(folder, run);
        writeEvidence(folder, run);
        writeKept(runFile(folder, run.file), kept, Coding::Cbor);
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
        QFile::remove(configsFileIn(folder, file));
        QFile::remove(noteFile(folder, file));
        QFile::remove(evidenceFile(folder, file));
    });
}

void RunStore::setBaseline(const QString &document, const QString &file)
{
    m_pool.start([file, folder = folderOf(document)] {
        QDir().mkpath(folder);
        writeKept(metaFile(folder), api::KeptRuns{file.toStdString()}, Coding::Text);
    });
}

} // namespace ql
