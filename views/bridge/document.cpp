#include "views/bridge/document.h"

#include "core/base/error.h"
#include "views/bridge/disposal.h"
#include "views/bridge/engine_text.h"
#include "views/bridge/run_store.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <utility>

namespace ql {

using nlohmann::json;

/// Edits that follow each other faster than this are inspected together.
static constexpr int inspectDelayMs = 120;
/// A dragged limit or a spin box makes many edits: behind the first one a live run waits for this much calm.
static constexpr int liveDelayMs = 150;
/// Live, what takes longer than the errors is measured when nothing was edited for so long.
static constexpr int backgroundDelayMs = 1500;

/// Live, every edit is a run: the oldest go when there are more, but not the baseline and those with a note.
static constexpr int mostRuns = 200;

Document::Document(EngineClient &engine, QObject *parent) : QObject(parent), m_engine(engine)
{
    m_hash = resultHashOf(m_recipe);
    m_inspectTimer.setSingleShot(true);
    m_inspectTimer.setInterval(inspectDelayMs);
    connect(&m_inspectTimer, &QTimer::timeout, this, &Document::inspect);
    m_liveTimer.setSingleShot(true);
    m_calmTimer.setSingleShot(true);
    m_calmTimer.setInterval(backgroundDelayMs);
    connect(&m_calmTimer, &QTimer::timeout, this, &Document::gatherBackground);
    connect(&m_liveTimer, &QTimer::timeout, this, [this] {
        if (m_isLive && isStale()) run();
    });
    connect(&m_engine, &EngineClient::finished, this, &Document::onFinished);
    connect(&m_engine, &EngineClient::section, this, &Document::onSection);
    connect(&m_engine, &EngineClient::failed, this, &Document::onFailed);
    connect(&m_engine, &EngineClient::cancelled, this, &Document::onCancelled);
    connect(&m_engine, &EngineClient::ended, this, &Document::removeUnfinishedExport);
    connect(&m_engine, &EngineClient::progress, this, [this](RequestId id, const EngineProgress &progress) {
        if (id != m_runId && id != m_exportId && id != m_distributionId) return;
        if (id != m_runId && m_runId) return;
        m_job.progress = progress;
        m_job.progress.what = stepText(progress.what);
        m_job.elapsedMs = m_jobTime.elapsed();
        Q_EMIT jobChanged();
    });
    m_catalogueId = m_engine.request(QStringLiteral("catalogue"), json::object());
    connect(&m_engine, &EngineClient::stateChanged, this, [this, known = false](EngineClient::State state) mutable {
        if (state != EngineClient::State::Ready) return;
        // Another engine may be on another machine, with other files and platforms; and one that could not be started
        // at first has answered nothing
        const bool isAnother = std::exchange(known, true);
        if (!m_engine.isPending(m_catalogueId))
            m_catalogueId = m_engine.request(QStringLiteral("catalogue"), json::object());
        if (isAnother || (!m_inspectId && !m_inspectTimer.isActive())) inspectSoon();
    });
}

/// What the engine is at, in the language of the window; a pass by its title.
QString Document::stepText(const QString &what) const
{
    if (m_catalogue)
        for (const json &pass : memberOf(*m_catalogue, "passes"))
            if (textOf(pass, "id") == what) return engineText(textOf(pass, "title"));
    return engineText(what);
}

QString Document::resultHashOf(const api::Recipe &recipe)
{
    api::Recipe plain = recipe;
    plain.exports.clear();
    plain.sha256.clear();
    // Parameters of what is off change nothing
    if (plain.passes) std::erase_if(*plain.passes, [](const api::StepRequest &pass) { return !pass.enabled; });
    return QString::fromStdString(api::recipeHash(plain));
}

api::Recipe Document::recipeFrom(const json &recipe, const QString &folder) const
{
    const api::Recipe given = api::recipeFromJson(api::JsonText::wrap(recipe, "recipe"));
    return QDir(folder) == QDir(m_base) ? given : api::movedTo(given, folder.toStdString(), m_base.toStdString());
}

void Document::setRecipe(const api::Recipe &recipe)
{
    const bool sameGraph = recipe.model == m_recipe.model && recipe.weights == m_recipe.weights &&
                           recipe.sha256 == m_recipe.sha256 && recipe.inputShapes == m_recipe.inputShapes &&
                           recipe.platform == m_recipe.platform && recipe.dispatcher == m_recipe.dispatcher &&
                           recipe.dispatch == m_recipe.dispatch && recipe.passes == m_recipe.passes &&
                           recipe.overrides == m_recipe.overrides;
    // Whether the data fits is found by the inspection, too
    const bool sameData = recipe.calibration == m_recipe.calibration && recipe.evaluation == m_recipe.evaluation;
    m_recipe = recipe;
    m_hash = resultHashOf(recipe);
    m_hasFailed = false;
    if (!sameGraph || !sameData) {
        m_inputsKey.clear(); // of the recipe before
        inspectSoon();
    }
    if (sameGraph) {
        const auto passes = m_complete.passes;
        const std::string dispatcher = m_complete.dispatcher;
        m_complete = recipe;
        if (!m_complete.passes) m_complete.passes = passes;
        if (m_complete.dispatcher.empty()) m_complete.dispatcher = dispatcher;
    }
    chooseResult();
    const bool isCalm = !m_sinceEdit.isValid() || m_sinceEdit.elapsed() >= liveDelayMs;
    m_sinceEdit.start();
    if (m_isLive && isStale()) m_liveTimer.start(isCalm ? 0 : liveDelayMs);
    Q_EMIT recipeChanged();
}

void Document::close()
{
    stop();
    m_inspectTimer.stop();
    if (const RequestId id = std::exchange(m_inspectId, 0)) m_engine.drop(id);
    m_file.clear();
    m_base.clear();
    m_undo.clear();
    m_undo.setClean();
    resetResults();
    m_complete = {};
    setRecipe({});
    Q_EMIT fileChanged();
}

void Document::resetResults()
{
    m_inputsKey.clear();
    m_graph.reset();
    m_configs.reset();
    m_configsOf.clear();
    m_runs.clear();
    m_result.reset();
    m_previous.reset();
    m_live.reset();
    m_baseline = 0;
    m_gains.clear();
    m_lastEvidence.clear();
    m_passHistories.clear();
    m_inspectionProblems.clear();
    setSelection({}, {});
    Q_EMIT graphChanged();
    Q_EMIT configsChanged();
    Q_EMIT runsChanged();
    Q_EMIT resultChanged();
    updateProblems();
}

bool Document::isCurrent(const RunData &run) const
{
    // What is under way has no key before its graph has come
    return run.recipeHash == m_hash &&
           (m_inputsKey.isEmpty() || (run.inputsKey.isEmpty() && !run.isComplete) || run.inputsKey == m_inputsKey);
}

static QString replacedKey()
{
    return QStringLiteral("of a file that was replaced");
}

void Document::markReplaced()
{
    stop();
    takeInputsKey(replacedKey());
}

void Document::takeInputsKey(const QString &key)
{
    if (m_inputsKey == key) return;
    m_inputsKey = key;
    chooseResult();
}

json Document::requestParams() const
{
    return {{"recipe", recipeJson()}, {"base", m_base.toStdString()}};
}

void Document::inspectSoon()
{
    if (!isEmpty()) m_inspectTimer.start();
}

void Document::inspect()
{
    if (m_inspectId) m_engine.drop(m_inspectId);
    m_inspectedHash = m_hash;
    m_inspectId = m_engine.request(QStringLiteral("inspect"), requestParams());
}

void Document::run(const QString &goal)
{
    if (isEmpty()) return;
    // An export is written to its end, and then it is run
    if (m_runId) m_engine.drop(m_runId);
    dropBackground();
    if (m_inputsKey == replacedKey()) inspectSoon(); // whether or not the run gets through
    m_hasFailed = false;
    json params = requestParams();
    params["goal"] = goal.toStdString();
    m_live = makeShared<RunData>();
    m_live->recipeHash = m_hash;
    m_live->recipe = recipeJson();
    m_runId = m_engine.request(QStringLiteral("run"), std::move(params));
    m_runName = m_undo.index() > 0 ? m_undo.undoText() : QString::fromStdString(m_recipe.platform);
    m_job = {true, tr("Run"), {}, 0};
    m_jobTime.start();
    Q_EMIT jobChanged();
}

void Document::stop()
{
    for (const RequestId id : jobs()) m_engine.cancel(id);
}

QVector<RequestId> Document::jobs() const
{
    QVector<RequestId> ids = {m_runId, m_exportId, m_distributionId, m_historyId, m_rangesId};
    ids.removeAll(0);
    return ids;
}

/// Whether there is something to show of a run that is under way.
static bool hasErrors(const RunData &run)
{
    return !run.graphwise.isEmpty() || !run.layerwise.isEmpty() || !run.outputs.isEmpty();
}

void Document::onSection(RequestId id, const EngineAnswer &answer)
{
    if (id != m_runId || !m_live) return;
    // What has been handed out stays as it is
    auto next = makeShared<RunData>(*m_live);
    if (answer.run) takeSection(*next, answer.section, *answer.run);
    if (answer.graph) next->inputsKey = answer.graph->inputsKey;
    m_live = next;
    // Until it has errors, those of the run before are shown, as stale
    if (!hasErrors(*m_live)) return;
    const bool isFirst = !m_result || m_result->isComplete;
    show(m_live);
    if (isFirst) Q_EMIT configsChanged();
    Q_EMIT resultChanged();
}

/// A member of an answer, without a copy of it; null when there is none.
static JsonPtr sharedMember(const JsonPtr &answer, const char *name)
{
    const auto it = answer->find(name);
    return it == answer->end() ? JsonPtr() : JsonPtr(answer, &*it);
}

/// Whether run measured what other did, or more.
static bool tellsAllOf(const RunData &run, const RunData &other)
{
    return run.graphwise.size() >= other.graphwise.size() && run.layerwise.size() >= other.layerwise.size() &&
           run.outputs.size() >= other.outputs.size();
}

void Document::onFinished(RequestId id, const EngineAnswer &answer)
{
    if (id == m_catalogueId) {
        m_catalogue = answer.data;
        Q_EMIT catalogueChanged();
    } else if (id == m_inspectId) {
        m_inspectId = 0;
        m_graph = answer.graph;
        m_configs = answer.configs;
        m_configsOf.clear();
        if (m_configs)
            for (int i = 0; i < m_configs->size(); ++i) m_configsOf[(*m_configs)[i].operation].append(i);
        m_inspectionProblems = problemsFromJson(answer.data->value("problems", json::array()));
        try {
            m_complete = api::recipeFromJson(api::JsonText::wrap(answer.data->value("recipe", json::object())));
        } catch (const Error &) {
            m_complete = m_recipe;
        }
        QStringList kept;
        for (const QString &op : m_selection)
            if (m_graph && m_graph->find(op) >= 0) kept.append(op);
        setSelection(kept, kept.contains(m_current) ? m_current : kept.value(0));
        Q_EMIT graphChanged();
        Q_EMIT configsChanged();
        updateProblems();
        // When graph and configs belong together: who hears of it reads both
        if (m_graph && m_inspectedHash == m_hash && !m_graph->inputsKey.isEmpty()) takeInputsKey(m_graph->inputsKey);
        // A run that was made live, was gone back to, or not looked at to the end before its window was closed
        requestBackground();
    } else if (id == m_runId) {
        if (!answer.run)
            return onFailed(id, {QStringLiteral("Internal"), tr("The answer has no report."), {}, {}, {}, {}});
        const auto done = makeShared<RunData>(*answer.run);
        done->recipeHash = m_live ? m_live->recipeHash : m_hash;
        if (m_live && done->configs.isEmpty()) takeSection(*done, QStringLiteral("configs"), *m_live); // sent once
        // It has read the files later than the inspection
        if (done->recipeHash == m_hash && done->inputsKey != m_inputsKey) {
            m_inputsKey = done->inputsKey;
            if (m_graph && m_graph->inputsKey != m_inputsKey && !m_inspectId && !m_inspectTimer.isActive())
                inspectSoon();
        }
        // The same again is no second line that says the same
        const auto same = std::find_if(m_runs.begin(), m_runs.end(), [&](const RunRecord &run) {
            return !done->inputsKey.isEmpty() && run.data->key() == done->key() && tellsAllOf(*done, *run.data);
        });
        const bool isAgain = same != m_runs.end();
        if (!isAgain) m_runs.append({m_runs.isEmpty() ? 1 : m_runs.back().number + 1, m_runName, {}, {}, {}});
        RunRecord &record = isAgain ? *same : m_runs.back();
        const double took = done->seconds;
        if (isAgain) // it was measured then, and only read now
            done->seconds = record.data->seconds;
        else
            record.time = QDateTime::currentDateTime();
        record.data = done;
        record.recipe = m_live ? m_live->recipe : done->recipe;
        if (const QVector<ProblemInfo> *known = evidenceOf(done)) {
            const QVector<ProblemInfo> evidence = *known;
            record.evidence = evidence;
        }
        if (m_baseline == 0) m_baseline = record.number;
        const int number = record.number;
        storeRun(record);
        dropOldRuns();
        m_live.reset();
        endJob();
        chooseResult(done);
        trimRuns();
        measureGain();
        m_runId = 0;
        requestBackground();
        Q_EMIT jobChanged(); // nothing is busy any more, which endJob() could not tell yet
        Q_EMIT runsChanged();
        updateProblems();
        Q_EMIT note((isAgain ? tr("Nothing had changed: run %1 again, in %2 s.") : tr("Run %1 finished in %2 s."))
                        .arg(number)
                        .arg(QString::number(took, 'f', 2)));
    } else if (id == m_exportId) {
        m_exportId = 0;
        m_exportPid = 0;
        if (!m_runId) endJob();
        Q_EMIT exported(answer.data);
    } else if (id == m_rangesId) {
        gather(m_rangesId, 0);
        takeEvidence(problemsFromJson(answer.data->value("problems", json::array())));
        updateProblems();
    } else if (id == m_historyId) {
        gather(m_historyId, 0);
        // Undo goes back to runs that were looked at
        constexpr qsizetype kept = 8;
        m_passHistories.append({m_passHistoryWanted, sharedMember(answer.data, "passes")});
        if (m_passHistories.size() > kept) m_passHistories.removeFirst();
        Q_EMIT passHistoryChanged();
    } else if (id == m_distributionId) {
        gather(m_distributionId, 0);
        Q_EMIT distributionReady(m_distributionOf, answer.data);
        requestBackground();
    }
}

void Document::onFailed(RequestId id, const EngineError &error)
{
    for (RequestId *silent : {&m_historyId, &m_rangesId})
        if (id == *silent) gather(*silent, 0);
    const bool isMine =
        id == m_catalogueId || id == m_inspectId || id == m_runId || id == m_exportId || id == m_distributionId;
    if (!isMine) return;
    const bool engineDied = error.kind == QLatin1String("EngineDied");
    if (id == m_catalogueId && engineDied && m_engine.state() != EngineClient::State::Failed)
        m_catalogueId = m_engine.request(QStringLiteral("catalogue"), json::object());
    if (id == m_distributionId) gather(m_distributionId, 0);
    if (id == m_exportId) m_exportId = 0;
    const bool ofRun = id == m_runId;
    if (ofRun) {
        m_runId = 0;
        m_hasFailed = true;
    }
    if (id == m_inspectId) {
        m_inspectId = 0;
        m_inspectionProblems = {
            {QStringLiteral("error"), error.operation, error.variable,
             error.file.isEmpty() ? error.message : error.file + QStringLiteral(": ") + error.message, error.remedy}};
        updateProblems();
        if (engineDied && m_engine.state() != EngineClient::State::Failed) inspectSoon();
    }
    if (!m_runId && !m_exportId) {
        m_live.reset();
        endJob();
        chooseResult();
    }
    Q_EMIT failed(error, ofRun);
}

void Document::onCancelled(RequestId id)
{
    if (id == m_inspectId) m_inspectId = 0;
    if (id == m_catalogueId) m_catalogueId = m_engine.request(QStringLiteral("catalogue"), json::object());
    if (id == m_distributionId) Q_EMIT distributionStopped(m_distributionOf);
    for (RequestId *silent : {&m_distributionId, &m_historyId, &m_rangesId})
        if (id == *silent) {
            gather(*silent, 0);
            Q_EMIT note(tr("Stopped."));
        }
    if (id != m_runId && id != m_exportId) return;
    (id == m_runId ? m_runId : m_exportId) = 0;
    if (!m_runId) {
        m_live.reset();
        endJob();
        chooseResult();
    }
    Q_EMIT note(tr("Stopped."));
}

void Document::endJob()
{
    if (!m_job.isRunning) return;
    m_job = {};
    Q_EMIT jobChanged();
}

void Document::chooseResult(const RunPtr &last)
{
    const auto isKept = [this](const RunPtr &run) {
        return run && std::any_of(m_runs.begin(), m_runs.end(), [&](const RunRecord &r) { return r.data == run; });
    };
    RunPtr chosen;
    // The last one, but not one that measured less
    for (const RunRecord &record : m_runs)
        if (isCurrent(*record.data) && (!chosen || chosen->graphwise.isEmpty() || !record.data->graphwise.isEmpty()))
            chosen = record.data;
    if (!chosen && m_live && hasErrors(*m_live) && isCurrent(*m_live)) chosen = m_live;
    // None is of the recipe as it is: what an edit is compared with is what was shown before it
    for (const RunPtr &run : {last, m_result, m_previous})
        if (!chosen && isKept(run)) chosen = run;
    if (!chosen && !m_runs.isEmpty()) chosen = m_runs.back().data;
    show(chosen);
    updateProblems();
    Q_EMIT resultChanged();
    Q_EMIT configsChanged();
}

void Document::dropOldRuns()
{
    const auto isKept = [this](const RunRecord &run) {
        return !run.note.isEmpty() || run.number == m_baseline || run.data == m_result;
    };
    for (qsizetype i = 0; m_runs.size() > mostRuns && i + 1 < m_runs.size();) {
        if (isKept(m_runs[i])) {
            ++i;
            continue;
        }
        if (m_store) m_store->remove(runKey(), m_runs[i].file);
        m_runs.removeAt(i);
    }
}

void Document::setLive(bool on)
{
    if (m_isLive == on) return;
    m_isLive = on;
    Q_EMIT liveChanged(on);
    Q_EMIT resultChanged();
    if (on && !isEmpty() && (isStale() || !m_result) && !m_job.isRunning) run();
    if (!on) requestBackground();
}

void Document::show(const RunPtr &run)
{
    if (run == m_result) return;
    if (m_result && m_result->isComplete) m_previous = m_result;
    m_result = run;
    fetchConfigs();
}

const QVector<ConfigInfo> &Document::configs() const
{
    if (m_result && !isStale() && !m_result->configs.isEmpty()) return m_result->configs;
    return inspectedConfigs();
}

const QVector<ConfigInfo> &Document::inspectedConfigs() const
{
    static const QVector<ConfigInfo> none;
    return m_configs ? *m_configs : none;
}

QVector<int> Document::configsOf(const QString &operation) const
{
    if (m_result && !isStale() && !m_result->configs.isEmpty()) return m_result->configsOf.value(operation);
    return m_configsOf.value(operation);
}

RunPtr Document::baseline() const
{
    for (const RunRecord &record : m_runs)
        if (record.number == m_baseline) return record.data;
    return {};
}

void Document::setBaseline(int number)
{
    if (m_baseline == number) return;
    m_baseline = number;
    storeBaseline();
    Q_EMIT runsChanged();
    Q_EMIT resultChanged();
}

void Document::showRun(int number)
{
    for (const RunRecord &record : m_runs)
        if (record.number == number) {
            show(record.data);
            Q_EMIT resultChanged();
            Q_EMIT configsChanged();
            updateProblems();
        }
}

void Document::setRunNote(int number, const QString &name, const QString &note)
{
    for (RunRecord &record : m_runs)
        if (record.number == number) {
            record.name = name;
            record.note = note;
            if (m_store) m_store->describe(runKey(), record);
            Q_EMIT runsChanged();
        }
}

void Document::setSelection(const QStringList &operations, const QString &current)
{
    const bool moved = current != m_current, changed = operations != m_selection;
    m_current = current;
    m_selection = operations;
    if (changed) Q_EMIT selectionChanged(m_selection);
    if (moved) Q_EMIT currentChanged(m_current);
}

} // namespace ql
