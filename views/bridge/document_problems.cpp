// What deserves attention in a document: told by the inspection and by runs, evidence that follows them, and what
// remedies gained.
#include "core/base/strings.h"
#include "views/bridge/document.h"
#include "views/bridge/engine_text.h"
#include "views/bridge/run_store.h"

#include <QLocale>
#include <algorithm>
#include <cmath>
#include <utility>

namespace ql {

void Document::updateProblems()
{
    const QVector<ProblemInfo> before = std::exchange(m_problems, m_inspectionProblems);
    if (m_graph)
        for (auto it = m_graph->unsupported.constBegin(); it != m_graph->unsupported.constEnd(); ++it)
            m_problems.append({QStringLiteral("error"),
                               it.key(),
                               {},
                               tr("Not supported: %1").arg(engineText(it.value())),
                               tr("Export the model with other operators, or cut this part off.")});
    // While a run goes on, what the one before has found stays
    RunPtr run = m_result;
    if (run && !run->isComplete) run = m_previous;
    const auto take = [this](const QVector<ProblemInfo> &found, bool isPrevious) {
        const auto known = m_problems.size();
        for (ProblemInfo problem : found) {
            problem.isPrevious = isPrevious;
            const bool isKnown = std::any_of(m_problems.begin(), m_problems.begin() + known, [&](const ProblemInfo &p) {
                return p.message == problem.message && p.operation == problem.operation;
            });
            if (!isKnown) m_problems.append(std::move(problem));
        }
    };
    if (run) take(run->problems, !isCurrent(*run));
    // In float, an operation has no problem of its own: the remedy that always is there
    for (ProblemInfo &problem : m_problems) {
        const int at = m_graph && !problem.operation.isEmpty() ? m_graph->find(problem.operation) : -1;
        if (at < 0 || !m_graph->operations[at].isQuantized || !problem.actions.isEmpty() ||
            problem.severity != QLatin1String("warning"))
            continue;
        const nlohmann::json rule = {{"op", globEscaped(problem.operation.toStdString())}, {"platform", "FP32"}};
        problem.actions.append({QStringLiteral("fp32"), {{"dispatch", nlohmann::json::array({rule})}}});
    }
    if (run) {
        if (const QVector<ProblemInfo> *evidence = evidenceOf(run)) {
            m_lastEvidence = *evidence;
            take(*evidence, !isCurrent(*run));
        } else if (m_runId || m_rangesId || m_isLive) { // it comes some time after the run
            take(m_lastEvidence, true);
        }
    }
    // What is wrong with the whole, the data above all, is the cause of much below
    std::stable_partition(m_problems.begin(), m_problems.end(), [](const ProblemInfo &problem) {
        return problem.operation.isEmpty() && problem.severity != QLatin1String("info");
    });
    for (const Gain &gain : m_gains) {
        if (!gain.after || gain.hash != m_hash) continue;
        const auto text = [](double v) { return QLocale().toString(std::round(v * 10) / 10 + 0.0, 'f', 1); };
        ProblemInfo told{QStringLiteral("info"),
                         gain.operation,
                         {},
                         tr("“%1” changed the output by %2 dB: from %3 to %4 dB.")
                             .arg(gain.remedy, text(*gain.after - gain.before), text(gain.before), text(*gain.after)),
                         {}};
        told.isGain = true;
        m_problems.prepend(told);
    }
    if (m_problems != before) Q_EMIT problemsChanged();
}

const QVector<ProblemInfo> *Document::evidenceOf(const RunPtr &run) const
{
    const QVector<ProblemInfo> *found = nullptr;
    for (const RunRecord &record : m_runs) {
        if (!record.evidence) continue;
        if (record.data == run) return &*record.evidence;
        if (run && record.data->key() == run->key()) found = &*record.evidence;
    }
    return found;
}

void Document::takeEvidence(const QVector<ProblemInfo> &evidence)
{
    for (RunRecord &record : m_runs) {
        if (record.data->key() != m_evidenceWanted) continue;
        record.evidence = evidence;
        if (m_store) m_store->keepEvidence(runKey(), record);
    }
}

void Document::expectGain(const QString &operation, const QString &remedy, double sqnr)
{
    // Expected with an earlier one already, or tried once more: it is told once
    if (std::any_of(m_gains.cbegin(), m_gains.cend(), [&](const Gain &gain) { return gain.hash == m_hash; })) return;
    m_gains.append({operation, remedy, m_hash, sqnr, {}});
    measureGain();
}

void Document::carryGain(const QString &before, const QString &edit)
{
    const auto earlier = std::find_if(m_gains.cbegin(), m_gains.cend(),
                                      [&](const Gain &gain) { return !gain.after && gain.hash == before; });
    const bool isKnown = std::any_of(m_runs.cbegin(), m_runs.cend(),
                                     [&](const RunRecord &run) { return run.data->recipeHash == m_hash; });
    if (earlier == m_gains.cend() || isKnown) return; // known: the edit went back to where it came from
    const QString more = QStringLiteral(" + ") + edit;
    const QString remedy = earlier->remedy.endsWith(more) ? earlier->remedy : earlier->remedy + more; // a drag goes on
    expectGain(earlier->operation, remedy, earlier->before);
}

void Document::measureGain()
{
    for (Gain &gain : m_gains)
        for (const RunRecord &run : std::as_const(m_runs))
            if (gain.hash == run.data->recipeHash && run.data->outputSqnr()) gain.after = run.data->outputSqnr();
}

} // namespace ql
