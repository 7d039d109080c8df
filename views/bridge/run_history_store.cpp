// Runs of a document on disk: stored, read, trimmed, and moved when the recipe is saved under another name.
#include "views/bridge/disposal.h"
#include "views/bridge/document.h"
#include "views/bridge/run_history.h"
#include "views/bridge/run_store.h"

#include <algorithm>
#include <utility>

namespace ql {

void RunHistory::keepIn(const QString &folder, qsizetype maxConfigs)
{
    m_maxConfigs = maxConfigs;
    m_store = new RunStore(folder, this);
    connect(m_store, &RunStore::loaded, this, &RunHistory::onLoaded);
    connect(m_store, &RunStore::configsRead, this, &RunHistory::onConfigsRead);
    // A recipe that is saved under another name keeps its runs
    connect(&m_document, &Document::fileChanged, this, &RunHistory::storeAgain);
    m_storeKey = m_document.isEmpty() ? QString() : storeKey();
    load();
}

void RunHistory::storeAgain()
{
    if (!m_storeKey.isEmpty() && m_storeKey != storeKey())
        for (RunRecord &run : m_runs) store(run, m_store->configsFileOf(m_storeKey, run));
    m_storeKey = storeKey();
}

QString RunHistory::storeKey() const
{
    return m_document.filePath().isEmpty() ? m_document.absolutePath(m_document.recipe().model) : m_document.filePath();
}

int RunHistory::nextNumber() const
{
    const int next = m_runs.isEmpty() ? 1 : m_runs.back().number + 1;
    return m_store ? m_store->takeNumber(storeKey(), next) : next;
}

void RunHistory::load()
{
    if (m_store && !m_document.isEmpty()) m_store->load(storeKey(), m_maxConfigs);
}

void RunHistory::store(RunRecord &run, const QString &configsFile)
{
    if (!m_store) return;
    if (run.file.isEmpty()) run.file = RunStore::newFile(run.number);
    m_store->save(storeKey(), run, configsFile);
    storeBaseline();
}

void RunHistory::trim()
{
    if (!m_store) return;
    qsizetype rows = 0;
    for (auto record = m_runs.rbegin(); record != m_runs.rend(); ++record) {
        rows += record->data->configs.size();
        if (rows <= m_maxConfigs || record->data->isTrimmed || record->file.isEmpty() || record->data == m_shown)
            continue;
        auto trimmed = makeShared<RunData>(*record->data);
        trimmed->configs.clear();
        trimmed->configsOf.clear();
        trimmed->isTrimmed = true;
        record->data = trimmed;
    }
}

void RunHistory::fetchConfigs()
{
    if (!m_store || !m_shown || !m_shown->isTrimmed) return;
    for (const RunRecord &record : std::as_const(m_runs))
        if (record.data == m_shown) m_store->readConfigs(storeKey(), record);
}

void RunHistory::onConfigsRead(const QString &document, const QString &file, const RunPtr &whole)
{
    if (document != storeKey()) return;
    for (RunRecord &record : m_runs) {
        if (record.file != file || !record.data->isTrimmed) continue;
        auto run = makeShared<RunData>(*record.data); // its other content may have changed since it was written
        run->configs = whole->configs;
        run->configsOf = whole->configsOf;
        run->isTrimmed = false;
        const bool isShown = m_shown == record.data;
        record.data = run;
        if (!isShown) return;
        m_shown = run; // the same run: no earlier one takes precedence
        trim();
        Q_EMIT configsChanged();
        Q_EMIT shownChanged();
    }
}

void RunHistory::storeBaseline()
{
    if (!m_store) return;
    QString file;
    for (const RunRecord &run : std::as_const(m_runs))
        if (run.number == m_baseline) file = run.file;
    m_store->setBaseline(storeKey(), file);
}

void RunHistory::onLoaded(const QString &document, const QVector<RunRecord> &runs, int baseline)
{
    if (document != storeKey() || runs.isEmpty()) return;
    // Including those that ended before the old ones were read
    QVector<RunRecord> all = runs;
    for (const RunRecord &run : std::as_const(m_runs)) {
        if (run.isStored) continue;
        const auto same =
            std::find_if(all.begin(), all.end(), [&](const RunRecord &read) { return read.file == run.file; });
        if (same == all.end())
            all.append(run);
        else
            *same = run;
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const RunRecord &a, const RunRecord &b) { return a.number < b.number; });
    if (m_runs.isEmpty()) m_baseline = baseline;
    m_runs = all;
    choose();
    Q_EMIT runsChanged();
}

} // namespace ql
