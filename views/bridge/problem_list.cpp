#include "views/bridge/problem_list.h"

#include "core/api/remedy_words.h"
#include "core/base/strings.h"
#include "views/bridge/document.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/engine_text.h"
#include "views/bridge/run_history.h"

#include <QLocale>
#include <algorithm>
#include <cmath>
#include <utility>

namespace ql {

ProblemList::ProblemList(Document &document) : QObject(&document), m_document(document)
{
    connect(&document, &Document::inspectionProblemsChanged, this, &ProblemList::update);
    connect(&document.history(), &RunHistory::shownChanged, this, &ProblemList::update);
    connect(&document.history(), &RunHistory::evidenceChanged, this, &ProblemList::update);
    connect(&document.history(), &RunHistory::runsChanged, this, [this] {
        measureGains();
        update();
    });
}

void ProblemList::clear()
{
    m_gains.clear();
    m_lastEvidence.clear();
}

void ProblemList::update()
{
    const QVector<ProblemInfo> before = std::exchange(m_rows, {});
    addOfInspection();
    addOfRuns();
    // Problems of the whole model, above all of the data, cause many others
    std::stable_partition(m_rows.begin(), m_rows.end(), [](const ProblemInfo &problem) {
        return problem.op.empty() && problem.severity != api::Severity::Info;
    });
    addGains();
    if (m_rows != before) Q_EMIT changed();
}

void ProblemList::addOfInspection()
{
    m_rows = m_document.inspection().problems;
    const GraphPtr &graph = m_document.graph();
    if (!graph) return;
    for (auto it = graph->unsupported.constBegin(); it != graph->unsupported.constEnd(); ++it)
        m_rows.append(ProblemInfo{{api::Severity::Error, it.key().toStdString(), "",
                                   tr("Not supported: %1").arg(it.value()).toStdString(),
                                   tr("Export the model with other operators, or cut this part off.").toStdString()}});
}

void ProblemList::add(const QVector<ProblemInfo> &found, bool isPrevious)
{
    const auto known = m_rows.size();
    for (ProblemInfo problem : found) {
        problem.isPrevious = isPrevious;
        const bool isKnown = std::any_of(m_rows.begin(), m_rows.begin() + known, [&](const ProblemInfo &p) {
            return p.message == problem.message && p.op == problem.op;
        });
        if (!isKnown) m_rows.append(std::move(problem));
    }
}

void ProblemList::addOfRuns()
{
    const RunHistory &history = m_document.history();
    // During a run, the findings of the previous one stay
    RunPtr run = history.shown();
    if (run && !run->isComplete) run = history.previous();
    if (run) add(run->problems, !history.isCurrent(*run));
    // In float, an operation has no problem of its own: the remedy that always exists
    const GraphPtr &graph = m_document.graph();
    for (ProblemInfo &problem : m_rows) {
        const int at = graph && !problem.op.empty() ? graph->find(QString::fromStdString(problem.op)) : -1;
        if (at < 0 || !graph->operations[at].isQuantized || !problem.actions.empty() ||
            problem.severity != api::Severity::Warning)
            continue;
        const api::Rule rule{.match = {.op = globEscaped(problem.op)}, .set = {.platform = "FP32"}};
        problem.actions.push_back({.id = api::remedy::toFloat, .dispatch = {rule}});
    }
    if (!run) return;
    if (const QVector<ProblemInfo> *evidence = history.evidenceOf(run)) {
        m_lastEvidence = *evidence;
        add(*evidence, !history.isCurrent(*run));
    } else if (m_document.requests().awaitsEvidence()) { // it arrives some time after the run
        add(m_lastEvidence, true);
    }
}

void ProblemList::addGains()
{
    for (const Gain &gain : std::as_const(m_gains)) {
        if (!gain.after || gain.hash != m_document.resultHash()) continue;
        const auto text = [](double v) { return QLocale().toString(std::round(v * 10) / 10 + 0.0, 'f', 1); };
        ProblemInfo problem{
            {api::Severity::Info,
             gain.operation.toStdString(),
             "",
             tr("“%1” changed the output SQNR by %2 dB: from %3 to %4 dB.")
                 .arg(gain.remedy, text(*gain.after - gain.before), text(gain.before), text(*gain.after))
                 .toStdString(),
             {}}};
        problem.isGain = true;
        m_rows.prepend(problem);
    }
}

void ProblemList::expectGain(const QString &operation, const QString &remedy, double sqnr)
{
    const QString hash = m_document.resultHash();
    // Already expected with an earlier one, or tried again: reported once
    if (std::any_of(m_gains.cbegin(), m_gains.cend(), [&](const Gain &gain) { return gain.hash == hash; })) return;
    m_gains.append({operation, remedy, hash, sqnr, {}});
    measureGains();
}

void ProblemList::carryGain(const QString &before, const QString &edit)
{
    const auto earlier = std::find_if(m_gains.cbegin(), m_gains.cend(),
                                      [&](const Gain &gain) { return !gain.after && gain.hash == before; });
    const QVector<RunRecord> &runs = m_document.history().runs();
    const bool isKnown = std::any_of(runs.cbegin(), runs.cend(), [&](const RunRecord &run) {
        return run.data->recipeHash == m_document.resultHash();
    });
    if (earlier == m_gains.cend() || isKnown) return; // known: the edit restored an earlier recipe
    const QString more = QStringLiteral(" + ") + edit;
    const QString remedy =
        earlier->remedy.endsWith(more) ? earlier->remedy : earlier->remedy + more; // a drag is in progress
    expectGain(earlier->operation, remedy, earlier->before);
}

void ProblemList::measureGains()
{
    for (Gain &gain : m_gains)
        for (const RunRecord &run : m_document.history().runs())
            if (gain.hash == run.data->recipeHash && run.data->outputSqnr()) gain.after = run.data->outputSqnr();
}

} // namespace ql
