#include "views/bridge/engine_requests.h"

#include "core/base/error.h"
#include "views/bridge/document.h"
#include "views/bridge/engine_text.h"
#include "views/bridge/problem_list.h"
#include "views/bridge/run_history.h"

#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <algorithm>
#include <utility>

namespace ql {

using nlohmann::json;

/// Edits in quicker succession are inspected together.
static constexpr int inspectDelayMs = 120;
/// A dragged limit or a spin box makes many edits: after the first one a live run waits for this pause.
static constexpr int liveDelayMs = 150;
/// In live mode, longer measurements start after this pause in editing.
static constexpr int gatherDelayMs = 1500;

/// The handling of a request's answer.
struct EngineRequests::Handler
{
    void (EngineRequests::*finished)(const EngineAnswer &answer);
    /// Null: only the error is reported.
    void (EngineRequests::*failed)(const EngineError &error) = nullptr;
};

const EngineRequests::Handler &EngineRequests::handlerOf(Kind kind)
{
    static const std::array<Handler, kindCount> table{{
        {&EngineRequests::onCatalogue, &EngineRequests::catalogueFailed},
        {&EngineRequests::onInspected, &EngineRequests::inspectFailed},
        {&EngineRequests::onProbed},
        {&EngineRequests::onDistribution, &EngineRequests::distributionFailed},
        {&EngineRequests::onExported},
        {&EngineRequests::onRun, &EngineRequests::runFailed},
        {&EngineRequests::onRanges},
        {&EngineRequests::onPasses},
        {&EngineRequests::onExported},
        {&EngineRequests::onVerified, &EngineRequests::verifyFailed},
        {&EngineRequests::onInstalled, &EngineRequests::verifyFailed},
        {&EngineRequests::onRuntimes},
        {&EngineRequests::onTuned, &EngineRequests::tuneFailed},
        {&EngineRequests::onEncodings},
        {&EngineRequests::onExplained},
    }};
    return table[std::size_t(kind)];
}

EngineRequests::EngineRequests(Document &document, EngineClient &engine)
    : QObject(&document), m_document(document), m_engine(engine)
{
    const auto start = [this](QTimer &timer, int interval, void (EngineRequests::*act)()) {
        timer.setSingleShot(true);
        timer.setInterval(interval);
        connect(&timer, &QTimer::timeout, this, act);
    };
    start(m_inspectTimer, inspectDelayMs, &EngineRequests::inspectNow);
    start(m_calmTimer, gatherDelayMs, &EngineRequests::gather);
    m_liveTimer.setSingleShot(true);
    connect(&m_liveTimer, &QTimer::timeout, this, [this] {
        if (m_isLive && m_document.history().isStale()) run();
    });
    connect(&m_engine, &EngineClient::finished, this, &EngineRequests::onFinished);
    connect(&m_engine, &EngineClient::failed, this, &EngineRequests::onFailed);
    connect(&m_engine, &EngineClient::cancelled, this, &EngineRequests::onCancelled);
    connect(&m_engine, &EngineClient::progress, this, &EngineRequests::onProgress);
    connect(&m_engine, &EngineClient::ended, this, &EngineRequests::removeUnfinishedExport);
    connect(&m_engine, &EngineClient::section, this, [this](RequestId section, const EngineAnswer &answer) {
        if (const auto event = answer.held<api::TrainingEvent>(); event && section == id(Kind::Run))
            Q_EMIT trained(*event);
        else if (section == id(Kind::Run))
            m_document.history().addPart(answer.update, answer.graph ? answer.graph->inputsKey : QString());
        if (section == id(Kind::Tune)) Q_EMIT tried(answer.held<api::TuneStep>());
    });
    reloadCatalogue();
    connect(&m_engine, &EngineClient::stateChanged, this, &EngineRequests::onEngineState);
}

void EngineRequests::onEngineState(EngineClient::State state)
{
    if (state != EngineClient::State::Ready) return;
    // Another engine may be on another machine, with other files and platforms; and one that could not be started at
    // first has answered nothing
    const bool isAnother = std::exchange(m_hasBeenReady, true);
    if (!m_engine.isPending(id(Kind::Catalogue))) reloadCatalogue();
    if (isAnother || !isInspecting()) inspectSoon();
}

std::optional<EngineRequests::Kind> EngineRequests::kindOf(RequestId id) const
{
    const auto at = std::find(m_ids.begin(), m_ids.end(), id);
    return at == m_ids.end() ? std::nullopt : std::optional(Kind(at - m_ids.begin()));
}

bool EngineRequests::isPending(std::initializer_list<Kind> kinds) const
{
    return std::any_of(kinds.begin(), kinds.end(), [this](Kind kind) { return id(kind) != 0; });
}

void EngineRequests::setId(Kind kind, RequestId id)
{
    const bool isBackground = kind == Kind::Probe || kind == Kind::Distribution || kind == Kind::Ranges ||
                              kind == Kind::Passes || kind == Kind::Tune || kind == Kind::Encodings;
    if (std::exchange(m_ids[std::size_t(kind)], id) != id && isBackground) Q_EMIT gatheringChanged();
}

void EngineRequests::drop(Kind kind)
{
    if (const RequestId dropped = id(kind)) {
        setId(kind, 0);
        m_engine.drop(dropped);
    }
}

// The current recipe

void EngineRequests::reloadCatalogue()
{
    send(Kind::Catalogue, api::method::catalogue, {});
}

const api::Catalogue &EngineRequests::known() const
{
    static const api::Catalogue nothing;
    return m_catalogue ? *m_catalogue : nothing;
}

void EngineRequests::takeCatalogue(const CataloguePtr &catalogue)
{
    m_catalogue = catalogue;
    Q_EMIT catalogueChanged();
    inspectSoon(); // with the platform's current dispatcher
}

void EngineRequests::inspectSoon()
{
    if (!m_document.isEmpty()) m_inspectTimer.start();
}

void EngineRequests::inspectNow()
{
    m_inspectTimer.stop();
    drop(Kind::Inspect);
    m_inspectedHash = m_document.resultHash();
    send(Kind::Inspect, api::method::inspect, about<api::RecipeRequest>());
}

const EngineRequests::Known *EngineRequests::findKnown() const
{
    const QString hash = m_document.resultHash();
    const auto known =
        std::find_if(m_known.cbegin(), m_known.cend(), [&](const Known &other) { return other.hash == hash; });
    return known == m_known.cend() ? nullptr : &*known;
}

bool EngineRequests::hasOtherKnown() const
{
    return m_document.resultHash() != m_shownHash && findKnown();
}

void EngineRequests::showKnown()
{
    if (!hasOtherKnown()) return;
    const Known *known = findKnown();
    m_shownHash = known->hash;
    m_document.setInspection(known->inspection, known->complete);
}

void EngineRequests::probe(const QString &path)
{
    drop(Kind::Probe);
    m_probed = path;
    send(Kind::Probe, api::method::inspect,
         {Document::recipeOfFile(path), QFileInfo(path).absolutePath().toStdString()});
}

void EngineRequests::onProbed(const EngineAnswer &)
{
    setId(Kind::Probe, 0);
    Q_EMIT canOpen(m_probed);
}

void EngineRequests::takeEdit(bool inputs)
{
    m_hasFailed = false;
    if (inputs) inspectSoon();
}

void EngineRequests::close()
{
    stop();
    for (const Kind kind : {Kind::Tune, Kind::Encodings, Kind::Explain}) drop(kind);
    m_inspectTimer.stop();
    drop(Kind::Inspect);
    m_known.clear();
}

// Runs

void EngineRequests::run(api::Goal goal)
{
    if (m_document.isEmpty()) return;
    RunHistory &history = m_document.history();
    if (history.isReplaced()) inspectSoon(); // whether or not the run succeeds
    auto wanted = about<api::RunRequest>();
    wanted.goal = goal;
    const QUndoStack &undo = m_document.undoStack();
    history.begin(undo.index() > 0 ? undo.undoText() : QString::fromStdString(m_document.recipe().platform));
    startRun(wanted);
}

void EngineRequests::runOther(const api::Recipe &recipe, const QString &name)
{
    if (m_document.isEmpty()) return;
    auto wanted = about<api::RunRequest>();
    wanted.recipe = recipe;
    wanted.goal = api::Goal::Analyse;
    m_document.history().beginOther(recipe, name);
    startRun(wanted);
}

void EngineRequests::startRun(const api::RunRequest &wanted)
{
    // It would wait for long work that nobody needs: an earlier run, and its follow-up requests
    for (const Kind kind : {Kind::Run, Kind::Ranges, Kind::Passes}) drop(kind);
    m_calmTimer.stop();
    m_hasFailed = false;
    send(Kind::Run, api::method::run, wanted);
    startJob(Kind::Run);
}

void EngineRequests::stop()
{
    bool isOther = false; // than a search, which goes on if only a run is to be stopped
    for (const Kind kind : stoppable)
        if (const RequestId pending = id(kind)) {
            m_engine.cancel(pending);
            isOther = true;
        }
    if (!isOther) stopTuning();
}

bool EngineRequests::isBusy() const
{
    return isTuning() || std::any_of(stoppable.begin(), stoppable.end(), [this](Kind kind) { return id(kind) != 0; });
}

void EngineRequests::setLive(bool on)
{
    if (m_isLive == on) return;
    m_isLive = on;
    RunHistory &history = m_document.history();
    history.choose(); // previous results become ghosts, or are hidden
    if (on && !m_document.isEmpty() && (history.isStale() || !history.shown()) && !m_job.isRunning) run();
    if (!on) gatherSoon();
}

void EngineRequests::runLive()
{
    const bool isCalm = !m_sinceEdit.isValid() || m_sinceEdit.elapsed() >= liveDelayMs;
    m_sinceEdit.start();
    if (m_isLive && m_document.history().isStale()) m_liveTimer.start(isCalm ? 0 : liveDelayMs);
}

QString EngineRequests::titleOf(Kind kind)
{
    switch (kind) {
    case Kind::Run: return tr("Run");
    case Kind::Export: return tr("Export");
    case Kind::Report: return tr("Report");
    case Kind::Verify: return tr("Verify");
    case Kind::Install: return tr("Install");
    case Kind::Explain: return tr("Origin of the noise");
    default: return {};
    }
}

void EngineRequests::startJob(Kind kind)
{
    m_job = JobState{.isRunning = true, .title = titleOf(kind)};
    m_jobTime.start();
    Q_EMIT jobChanged();
}

void EngineRequests::endJob(Kind ended)
{
    for (const Kind kind : jobs)
        if (kind != ended && id(kind)) {
            if (m_job.title != titleOf(kind)) startJob(kind); // another one hid it
            return;
        }
    if (!m_job.isRunning) return;
    m_job = {};
    Q_EMIT jobChanged();
}

/// The engine's current step, in the language of the window; a pass by its title.
// Follow-up requests of a run

void EngineRequests::gatherSoon()
{
    if (m_isLive)
        m_calmTimer.start(); // every edit would request it: wait until there are no more
    else
        gather();
}

void EngineRequests::gather()
{
    const RunHistory &history = m_document.history();
    const RunPtr &run = history.shown();
    if (!run || !run->isComplete || history.isStale() || m_job.isRunning || id(Kind::Distribution)) return;
    const api::Recipe &recipe = m_document.recipe();
    const bool hasData = !recipe.calibration.path.empty() || !recipe.evaluation.path.empty();
    if (hasData && !id(Kind::Ranges) && !history.evidenceOf(run)) {
        auto wanted = about<api::AnalysisRequest>();
        wanted.id = "ranges";
        m_evidenceWanted = history.key();
        send(Kind::Ranges, api::method::analysis, wanted);
    }
    if (!history.passHistory()) requestPassHistory();
}

void EngineRequests::requestPassHistory()
{
    if (m_document.isEmpty() || id(Kind::Passes) || m_job.isRunning) return;
    m_passesWanted = m_document.history().key();
    send(Kind::Passes, api::method::passes, about<api::PassesRequest>());
}

QString EngineRequests::backgroundWork() const
{
    if (id(Kind::Probe)) return tr("Reading %1").arg(m_probed);
    if (id(Kind::Encodings)) return tr("Importing encodings");
    if (id(Kind::Distribution)) return tr("Distribution of %1").arg(m_distributionOf);
    return id(Kind::Ranges)   ? tr("Activation ranges, for Problems")
           : id(Kind::Passes) ? tr("Output after each pass")
           : isTuning()       ? tr("Search for a better recipe")
                              : QString();
}

// Requests other than runs

RequestId EngineRequests::requestDistribution(const QString &operation)
{
    drop(Kind::Distribution);
    auto wanted = about<api::DistributionRequest>();
    if (const api::Recipe *shown = m_document.history().measurable()) wanted.recipe = *shown;
    wanted.op = operation.toStdString();
    m_distributionOf = operation;
    return send(Kind::Distribution, api::method::distribution, wanted);
}

RequestId EngineRequests::exportTo(const QString &format, const QString &path, const json &params)
{
    auto request = about<api::ExportRequest>();
    request.format = format.toStdString();
    request.path = path.toStdString();
    request.params = params;
    return startExport(Kind::Export, path, send(Kind::Export, api::method::exportFile, request));
}

RequestId EngineRequests::reportTo(const QString &path)
{
    auto request = about<api::ReportRequest>();
    request.path = path.toStdString();
    request.language = QLocale().name().toStdString();
    return startExport(Kind::Report, path, send(Kind::Report, api::method::report, request));
}

RequestId EngineRequests::startExport(Kind kind, const QString &path, RequestId id)
{
    m_exportPath = path;
    m_exportPid = m_engine.pid();
    if (!this->id(Kind::Run)) startJob(kind); // otherwise the run is shown
    return id;
}

/// An engine that is killed while it writes cannot remove its unfinished file.
void EngineRequests::removeUnfinishedExport(qint64 pid)
{
    if (pid == 0 || pid != m_exportPid || m_engine.isRemote()) return;
    QDir folder = QFileInfo(m_exportPath).dir();
    for (const QString &name : folder.entryList({QStringLiteral("*.%1-*.part").arg(pid)}, QDir::Files))
        folder.remove(name);
}

static bool isGone(const EngineError &error)
{
    return error.kind == engineDied;
}

// Answers

void EngineRequests::onFinished(RequestId id, const EngineAnswer &answer)
{
    if (const auto kind = kindOf(id)) (this->*handlerOf(*kind).finished)(answer);
}

void EngineRequests::onProgress(RequestId id, const EngineProgress &progress)
{
    const auto kind = kindOf(id);
    if (!kind) return;
    if (*kind == Kind::Tune) Q_EMIT tuneProgress(progress, engineText(progress.what));
    const bool isBeside = *kind == Kind::Export || *kind == Kind::Report || *kind == Kind::Distribution;
    const bool isShown = *kind == Kind::Run || *kind == Kind::Verify || *kind == Kind::Install ||
                         *kind == Kind::Explain || (isBeside && !this->id(Kind::Run));
    if (!isShown) return;
    // Those of one lane wait for each other
    if (const QString title = titleOf(*kind); !title.isEmpty() && title != m_job.title) startJob(*kind);
    m_job.progress = progress;
    m_job.step = engineText(progress.what);
    m_job.elapsedMs = m_jobTime.elapsed();
    Q_EMIT jobChanged();
}

void EngineRequests::onCatalogue(const EngineAnswer &answer)
{
    setId(Kind::Catalogue, 0);
    m_catalogue = answer.as(api::method::catalogue);
    Q_EMIT catalogueChanged();
}

void EngineRequests::keepInspection(const Known &known)
{
    m_shownHash = known.hash;
    constexpr qsizetype maxConfigs = 40000; // some 20 MiB, and a graph per inspection
    m_known.removeIf([&](const Known &other) { return other.hash == known.hash; });
    m_known.prepend(known);
    qsizetype configs = 0, kept = 0;
    while (kept < m_known.size() && (kept == 0 || configs <= maxConfigs)) {
        const auto &rows = m_known[kept++].inspection.configs;
        configs += rows ? rows->size() : 0;
    }
    m_known.resize(kept);
}

void EngineRequests::onInspected(const EngineAnswer &answer)
{
    setId(Kind::Inspect, 0);
    const auto rest = answer.as(api::method::inspect);
    keepInspection({m_inspectedHash,
                    {answer.graph, answer.configs, problemsFrom(rest->problems)},
                    rest->recipe.value_or(m_document.recipe())});
    m_document.setInspection(m_known.front().inspection, m_known.front().complete);
    // When graph and configs are consistent: receivers read both
    if (answer.graph && m_inspectedHash == m_document.resultHash() && !answer.graph->inputsKey.isEmpty())
        m_document.history().setInputsKey(answer.graph->inputsKey);
    if (std::exchange(m_plugins, m_document.recipe().plugins) != m_document.recipe().plugins) reloadCatalogue();
    // A live run, a restored one, or one whose follow-up requests had not finished when its window was closed
    gatherSoon();
}

void EngineRequests::onRun(const EngineAnswer &answer)
{
    endJob(Kind::Run);
    RunHistory &history = m_document.history();
    const RunHistory::Ended ended = history.finish(*answer.run);
    const GraphPtr &graph = m_document.graph();
    if (graph && graph->inputsKey != history.inputsKey() && !history.isReplaced() && !isInspecting()) inspectSoon();
    setId(Kind::Run, 0);
    gatherSoon();
    Q_EMIT jobChanged(); // nothing is busy any more, which endJob() could not report yet
    m_document.problems().update();
    Q_EMIT m_document.note(
        (ended.isAgain ? tr("Nothing changed: run %1 again, in %2 s.") : tr("Run %1 finished in %2 s."))
            .arg(ended.number)
            .arg(QString::number(ended.seconds, 'f', 2)));
}

void EngineRequests::onExported(const EngineAnswer &answer)
{
    const Kind kind = answer.id == id(Kind::Export) ? Kind::Export : Kind::Report;
    setId(kind, 0);
    m_exportPid = 0;
    endJob(kind);
    Q_EMIT exported(answer.as(api::method::exportFile)); // a report answers with the same
}

void EngineRequests::onRanges(const EngineAnswer &answer)
{
    setId(Kind::Ranges, 0);
    m_document.history().takeEvidence(m_evidenceWanted, problemsFrom(answer.as(api::method::analysis)->problems));
}

void EngineRequests::onPasses(const EngineAnswer &answer)
{
    setId(Kind::Passes, 0);
    m_document.history().takePassHistory(m_passesWanted, answer.as(api::method::passes));
}

void EngineRequests::onDistribution(const EngineAnswer &answer)
{
    setId(Kind::Distribution, 0);
    Q_EMIT distributionReady(m_distributionOf, answer.as(api::method::distribution));
    gatherSoon();
}

// Failures

void EngineRequests::onFailed(RequestId id, const EngineError &error)
{
    const auto known = kindOf(id);
    if (!known) return;
    const Kind kind = *known;
    setId(kind, 0);
    if (kind == Kind::Ranges || kind == Kind::Passes || kind == Kind::Runtimes) return; // not requested by the user
    if (const auto act = handlerOf(kind).failed) (this->*act)(error);
    endJob(kind);
    if (kind == Kind::Run)
        m_document.history().abandon();
    else
        m_document.history().choose(); // the display depends on pending requests
    Q_EMIT failed(error, kind == Kind::Run      ? FailureOf::Run
                         : kind == Kind::Verify ? FailureOf::Verification
                         : kind == Kind::Tune   ? FailureOf::Search
                                                : FailureOf::Other);
}

void EngineRequests::catalogueFailed(const EngineError &error)
{
    if (isGone(error) && m_engine.state() != EngineClient::State::Failed) reloadCatalogue();
}

void EngineRequests::inspectFailed(const EngineError &error)
{
    const QVector<ProblemInfo> problems{
        {{api::Severity::Error, error.op, error.variable,
          error.file.empty() ? error.message : Text::ofTemplate("%1: %2").with(error.file, error.message),
          error.remedy}}};
    const QString hash = m_document.resultHash();
    const Known *known = findKnown();
    if (hash == m_shownHash || isGone(error)) {
        m_document.setInspectionProblems(problems);
    } else {
        // Results of another recipe are never shown as if they belonged to this one
        m_shownHash = hash;
        m_document.setInspection({m_document.graph(), known ? known->inspection.configs : nullptr, problems},
                                 known ? known->complete : m_document.completeRecipe());
    }
    if (isGone(error) && m_engine.state() != EngineClient::State::Failed) inspectSoon();
}

void EngineRequests::runFailed(const EngineError &)
{
    m_hasFailed = true;
}

void EngineRequests::distributionFailed(const EngineError &error)
{
    const QString where = error.file.empty() ? QString() : QString::fromStdString(error.file + ": ");
    Q_EMIT distributionStopped(m_distributionOf, where + engineText(error.message));
}

void EngineRequests::onCancelled(RequestId id)
{
    const auto known = kindOf(id);
    if (!known) return;
    const Kind kind = *known;
    setId(kind, 0);
    if (kind == Kind::Inspect || kind == Kind::Probe || kind == Kind::Runtimes) return;
    if (kind == Kind::Catalogue) return reloadCatalogue();
    if (kind == Kind::Distribution) Q_EMIT distributionStopped(m_distributionOf, {});
    if (kind == Kind::Run) m_document.history().abandon();
    if (std::find(jobs.begin(), jobs.end(), kind) != jobs.end()) endJob(kind);
    if (kind == Kind::Verify || kind == Kind::Install) Q_EMIT verifyStopped({});
    if (kind == Kind::Tune) Q_EMIT tuneStopped({});
    Q_EMIT m_document.note(tr("Stopped."));
}

} // namespace ql
