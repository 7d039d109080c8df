#include "views/bridge/run_history.h"

#include "views/bridge/disposal.h"
#include "views/bridge/document.h"
#include "views/bridge/run_store.h"

#include <algorithm>
#include <utility>

namespace ql {

/// In live mode every edit is a run: beyond this number the oldest are deleted, except the baseline and those with a
/// note.
static constexpr int maxRuns = 200;

RunHistory::RunHistory(Document &document) : QObject(&document), m_document(document) {}

QString RunHistory::key() const
{
    return m_document.resultHash() + m_inputsKey;
}

bool RunHistory::isCurrent(const RunData &run) const
{
    // A run in progress has no key before its graph arrives
    return run.recipeHash == m_document.resultHash() &&
           (m_inputsKey.isEmpty() || (run.inputsKey.isEmpty() && !run.isComplete) || run.inputsKey == m_inputsKey);
}

const api::Recipe *RunHistory::measurable() const
{
    if (!m_shown || !m_shown->isComplete) return nullptr;
    if (isCurrent(*m_shown)) return &m_document.recipe();
    for (const RunRecord &record : m_runs)
        if (record.data == m_shown && record.filesVersion == m_filesVersion) return &record.recipe;
    return nullptr;
}

QString RunHistory::shownKey() const
{
    return m_shown && !isCurrent(*m_shown) ? m_shown->key() : key();
}

static QString replacedKey()
{
    return QStringLiteral("of a file that was replaced");
}

void RunHistory::markReplaced()
{
    ++m_filesVersion;
    setInputsKey(replacedKey());
}

bool RunHistory::isReplaced() const
{
    return m_inputsKey == replacedKey();
}

void RunHistory::setInputsKey(const QString &key)
{
    if (m_inputsKey == key) return;
    takeInputsKey(key);
    choose();
}

void RunHistory::takeInputsKey(const QString &key)
{
    const QString hash = m_document.resultHash();
    if (hash == m_inputsOf && !m_inputsKey.isEmpty() && m_inputsKey != key) ++m_filesVersion;
    m_inputsKey = key;
    m_inputsOf = hash;
}

void RunHistory::leave(const QString &hash)
{
    constexpr qsizetype most = 100;
    m_left.removeAll(hash);
    m_left.prepend(hash);
    if (m_left.size() > most) m_left.removeLast();
}

bool RunHistory::isOfThisSession() const
{
    return m_shown && (m_left.contains(m_shown->recipeHash) || m_shown->recipeHash == m_document.resultHash());
}

void RunHistory::clear()
{
    m_left.clear();
    m_inputsKey.clear();
    m_runs.clear();
    m_shown.reset();
    m_previous.reset();
    m_underWay.reset();
    m_baseline = 0;
    m_passHistories.clear();
}

void RunHistory::announce()
{
    Q_EMIT configsChanged();
    Q_EMIT runsChanged();
    Q_EMIT shownChanged();
}

void RunHistory::announceConfigs()
{
    Q_EMIT configsChanged();
}

void RunHistory::begin(const QString &name)
{
    beginOther(m_document.recipe(), name);
    m_isOther = false;
}

void RunHistory::beginOther(const api::Recipe &recipe, const QString &name)
{
    m_underWay = makeShared<RunData>();
    m_underWay->recipeHash = Document::resultHashOf(recipe);
    m_underWay->recipe = recipe;
    m_underWayName = name;
    m_underWayFolder.clear();
    m_isOther = true;
}

/// Whether a run in progress has anything to show.
static bool hasErrors(const RunData &run)
{
    return !run.graphwise.isEmpty() || !run.layerwise.isEmpty() || !run.outputs.isEmpty();
}

void RunHistory::addPart(const std::function<void(RunData &run)> &update, const QString &inputsKey)
{
    if (!m_underWay) return;
    // Shared data must not change
    auto next = makeShared<RunData>(*m_underWay);
    update(*next);
    if (!inputsKey.isEmpty()) next->inputsKey = inputsKey;
    m_underWay = next;
    // Until it has errors, those of the previous run are shown, as stale
    if (!hasErrors(*m_underWay)) return;
    const bool isFirst = !m_shown || m_shown->isComplete;
    display(m_underWay);
    if (isFirst) Q_EMIT configsChanged();
    Q_EMIT shownChanged();
}

/// Whether run measured what other did, or more.
static bool measuredAllOf(const RunData &run, const RunData &other)
{
    return run.graphwise.size() >= other.graphwise.size() && run.layerwise.size() >= other.layerwise.size() &&
           run.outputs.size() >= other.outputs.size();
}

/// The recipe of a run with its paths relative to another folder, so that it finds its files when restored.
static api::Recipe movedRecipe(const api::Recipe &recipe, const QString &from, const QString &to)
{
    return api::movedTo(recipe, from.toStdString(), to.toStdString());
}

RunHistory::Ended RunHistory::finish(const RunData &result)
{
    const auto done = makeShared<RunData>(result);
    const auto begun = std::exchange(m_underWay, nullptr);
    done->recipeHash = begun ? begun->recipeHash : m_document.resultHash();
    if (!m_underWayFolder.isEmpty()) done->recipe = movedRecipe(done->recipe, m_underWayFolder, m_document.folder());
    if (begun && done->configs.isEmpty()) { // sent once
        done->configs = begun->configs;
        done->configsOf = begun->configsOf;
    }
    // It read the files after the inspection
    if (done->recipeHash == m_document.resultHash()) takeInputsKey(done->inputsKey);
    // An identical run gets no second line
    const auto same = std::find_if(m_runs.begin(), m_runs.end(), [&](const RunRecord &run) {
        return !done->inputsKey.isEmpty() && run.data->key() == done->key() && measuredAllOf(*done, *run.data);
    });
    const bool isAgain = same != m_runs.end();
    if (!isAgain) m_runs.append(RunRecord{.number = nextNumber(), .name = m_underWayName});
    RunRecord &record = isAgain ? *same : m_runs.back();
    const Ended ended{record.number, done->seconds, isAgain};
    if (isAgain) // it was measured then, and is only read now
        done->seconds = record.data->seconds;
    else
        record.time = QDateTime::currentDateTime();
    record.data = done;
    record.recipe = begun ? begun->recipe : done->recipe;
    record.filesVersion = m_filesVersion;
    if (const QVector<ProblemInfo> *known = evidenceOf(done)) {
        const QVector<ProblemInfo> evidence = *known;
        record.evidence = evidence;
    }
    if (m_baseline == 0) m_baseline = record.number;
    store(record);
    dropOld();
    const int number = record.number;
    if (std::exchange(m_isOther, false))
        show(number);
    else
        choose(done);
    trim();
    Q_EMIT runsChanged();
    return ended;
}

void RunHistory::abandon()
{
    m_underWay.reset();
    m_isOther = false;
    choose();
}

void RunHistory::choose(const RunPtr &last)
{
    chooseRun(last);
    announceConfigs();
}

void RunHistory::chooseRun(const RunPtr &last)
{
    const auto isKept = [this](const RunPtr &run) {
        return run && std::any_of(m_runs.begin(), m_runs.end(), [&](const RunRecord &r) { return r.data == run; });
    };
    RunPtr chosen;
    // The last one, unless it measured less
    for (const RunRecord &record : std::as_const(m_runs))
        if (isCurrent(*record.data) && (!chosen || chosen->graphwise.isEmpty() || !record.data->graphwise.isEmpty()))
            chosen = record.data;
    if (!chosen && m_underWay && hasErrors(*m_underWay) && isCurrent(*m_underWay)) chosen = m_underWay;
    // None belongs to the current recipe: an edit is compared with the run shown before it, also with one that goes on
    if (!chosen && m_underWay && m_underWay == m_shown) chosen = m_underWay;
    for (const RunPtr &run : {last, m_shown, m_previous})
        if (!chosen && isKept(run)) chosen = run;
    for (const QString &hash : std::as_const(m_left)) // of an earlier session
        for (auto run = m_runs.crbegin(); !chosen && run != m_runs.crend(); ++run)
            if (run->data->recipeHash == hash) chosen = run->data;
    if (!chosen && !m_runs.isEmpty()) chosen = m_runs.back().data;
    display(chosen);
    Q_EMIT shownChanged();
}

void RunHistory::display(const RunPtr &run)
{
    if (run == m_shown) return;
    if (m_shown && m_shown->isComplete) m_previous = m_shown;
    m_shown = run;
    fetchConfigs();
}

void RunHistory::dropOld()
{
    const auto isKept = [this](const RunRecord &run) {
        return !run.note.isEmpty() || run.number == m_baseline || run.data == m_shown;
    };
    for (qsizetype i = 0; m_runs.size() > maxRuns && i + 1 < m_runs.size();) {
        if (isKept(m_runs[i])) {
            ++i;
            continue;
        }
        if (m_store) m_store->remove(storeKey(), m_runs[i].file);
        m_runs.removeAt(i);
    }
}

const QVector<ConfigInfo> &RunHistory::configs() const
{
    if (m_shown && !isStale() && !m_shown->configs.isEmpty()) return m_shown->configs;
    return m_document.inspectedConfigs();
}

QVector<int> RunHistory::configsOf(const QString &operation) const
{
    if (m_shown && !isStale() && !m_shown->configs.isEmpty()) return m_shown->configsOf.value(operation);
    return m_document.inspectedConfigsOf(operation);
}

RunPtr RunHistory::baseline() const
{
    for (const RunRecord &record : m_runs)
        if (record.number == m_baseline) return record.data;
    return {};
}

void RunHistory::setBaseline(int number)
{
    if (m_baseline == number) return;
    m_baseline = number;
    storeBaseline();
    Q_EMIT runsChanged();
    Q_EMIT shownChanged();
}

void RunHistory::show(int number)
{
    for (const RunRecord &record : std::as_const(m_runs))
        if (record.number == number) {
            display(record.data);
            Q_EMIT shownChanged();
            Q_EMIT configsChanged();
        }
}

void RunHistory::remove(int number)
{
    for (qsizetype i = 0; i < m_runs.size(); ++i) {
        if (m_runs[i].number != number) continue;
        if (m_store) m_store->remove(storeKey(), m_runs[i].file);
        m_runs.removeAt(i);
        if (m_baseline == number) m_baseline = m_runs.isEmpty() ? 0 : m_runs.front().number;
        storeBaseline();
        choose();
        Q_EMIT runsChanged();
        return;
    }
}

void RunHistory::setNote(int number, const QString &name, const QString &note)
{
    for (RunRecord &record : m_runs)
        if (record.number == number) {
            record.name = name;
            record.note = note;
            if (m_store) m_store->describe(storeKey(), record);
            Q_EMIT runsChanged();
        }
}

void RunHistory::move(const QString &from, const QString &to)
{
    for (RunRecord &record : m_runs) {
        auto run = makeShared<RunData>(*record.data);
        record.recipe = movedRecipe(record.recipe, from, to);
        if (!run->recipeHash.isEmpty()) run->recipeHash = Document::resultHashOf(record.recipe);
        run->recipe = movedRecipe(run->recipe, from, to);
        if (m_shown == record.data) m_shown = run;
        if (m_previous == record.data) m_previous = run;
        record.data = run;
    }
    // Recipes edited earlier had another folder, and no run matches their hashes any more
    for (const RunPtr &run : {m_shown, m_previous})
        if (run) leave(run->recipeHash);
    if (!m_underWay) return;
    // The engine answers with the paths of the request
    auto run = makeShared<RunData>(*m_underWay);
    run->recipe = movedRecipe(run->recipe, from, to);
    run->recipeHash = Document::resultHashOf(run->recipe);
    if (m_shown == m_underWay) m_shown = run;
    m_underWay = run;
    if (m_underWayFolder.isEmpty()) m_underWayFolder = from;
}

// Follow-up results of a run

const QVector<ProblemInfo> *RunHistory::evidenceOf(const RunPtr &run) const
{
    const QVector<ProblemInfo> *found = nullptr;
    for (const RunRecord &record : m_runs) {
        if (!record.evidence) continue;
        if (record.data == run) return &*record.evidence;
        if (run && record.data->key() == run->key()) found = &*record.evidence;
    }
    return found;
}

void RunHistory::takeEvidence(const QString &key, const QVector<ProblemInfo> &evidence)
{
    for (RunRecord &record : m_runs) {
        if (record.data->key() != key) continue;
        record.evidence = evidence;
        if (m_store) m_store->keepEvidence(storeKey(), record);
    }
    Q_EMIT evidenceChanged();
}

PassHistoryPtr RunHistory::passHistory() const
{
    for (const auto &[key, passes] : m_passHistories)
        if (m_shown && m_shown->key() == key) return passes;
    return {};
}

void RunHistory::takePassHistory(const QString &key, const PassHistoryPtr &passes)
{
    // Undo returns to runs that were viewed; for a large model each takes tens of MiB
    const GraphPtr &graph = m_document.graph();
    const qsizetype kept = graph && graph->operations.size() > 2000 ? 2 : 8;
    m_passHistories.append({key, passes});
    while (m_passHistories.size() > kept) m_passHistories.removeFirst();
    Q_EMIT passHistoryChanged();
}

} // namespace ql
