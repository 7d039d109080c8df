#pragma once

#include "core/api/catalogue.h"
#include "core/api/encodings_requests.h"
#include "core/api/methods.h"
#include "core/api/recipe.h"
#include "core/api/requests.h"
#include "core/api/tune_requests.h"
#include "core/api/verify_requests.h"
#include "views/bridge/document.h"
#include "views/bridge/engine_client.h"

#include <QStringList>
#include <QTimer>
#include <array>
#include <optional>

namespace ql {

using CataloguePtr = std::shared_ptr<const api::Catalogue>;
using VerifyReportPtr = std::shared_ptr<const api::VerifyReport>;
using TuneStepPtr = std::shared_ptr<const api::TuneStep>;
using TuneReportPtr = std::shared_ptr<const api::TuneReport>;
using ExplanationPtr = std::shared_ptr<const api::Explanation>;
using EncodingsPtr = std::shared_ptr<const api::EncodingsImported>;
using RuntimeListPtr = std::shared_ptr<const api::RuntimeList>;

/// The current work of the engine for the document.
struct JobState
{
    bool isRunning = false;
    QString title; ///< "Run", "Export" ...
    EngineProgress progress = {};
    QString step = {}; ///< of progress, in the language of the window
    qint64 elapsedMs = 0;
};

/// The kind of work that has failed.
enum class FailureOf { Run, Verification, Search, Other };

/// The requests of a document to the engine, and the handling of the answers: the inspection of every edit, runs,
/// follow-up requests (evidence for problems, the error after each pass), exports, distributions, and the catalogue.
class EngineRequests : public QObject
{
    Q_OBJECT

public:
    EngineRequests(Document &document, EngineClient &engine);

    EngineClient &engine() const { return m_engine; }
    /// A request about the document as it is.
    template <class Request>
    Request about() const
    {
        Request request;
        request.recipe = m_document.recipe();
        request.base = m_document.folder().toStdString();
        return request;
    }

    // The engine's catalogue
    const CataloguePtr &catalogue() const { return m_catalogue; } ///< null until received
    const api::Catalogue &known() const;                          ///< empty until received
    void takeCatalogue(const CataloguePtr &catalogue); ///< a new one from the engine, after a platform was added
    void reloadCatalogue();                            ///< its platforms have changed

    // The current recipe
    void inspectSoon();
    void inspectNow(); ///< same as inspectSoon(), without the delay
    /// The graph is requested, or will be soon.
    bool isInspecting() const { return id(Kind::Inspect) != 0 || m_inspectTimer.isActive(); }
    /// The recipe was edited. inputs: including parts that affect an inspection.
    void takeEdit(bool inputs);
    /// The inspection of the current recipe, if it was received before: undo and redo show it before the next one
    /// confirms it.
    void showKnown();
    bool hasOtherKnown() const; ///< showKnown() changes the document's inspection
    /// Whether a model can be opened: canOpen() or failed() follows, and the document is unchanged.
    void probe(const QString &path);
    void close(); ///< the document has been replaced: all its requests are dropped

    // Runs
    void run(api::Goal goal = api::Goal::All);
    /// A run of another recipe, whose results are shown although the document keeps its own.
    void runOther(const api::Recipe &recipe, const QString &name);
    void stop();
    bool isRunning() const { return id(Kind::Run) != 0; }
    const JobState &job() const { return m_job; }
    /// The last run of the current recipe was not finished.
    bool hasFailed() const { return m_hasFailed; }
    /// Live: every edit is run, and bars show the values of the previous run as ghosts.
    void setLive(bool on);
    bool isLive() const { return m_isLive; }
    void runLive(); ///< after an edit

    // Follow-up requests of a run
    /// It is in progress.
    bool isGathering() const { return id(Kind::Ranges) || id(Kind::Passes); }
    /// Evidence for problems is being measured, or a run that brings some.
    bool awaitsEvidence() const { return id(Kind::Run) || id(Kind::Ranges) || m_isLive; }
    void requestPassHistory();

    // Requests other than runs
    RequestId requestDistribution(const QString &operation); ///< of the shown run, otherwise of the current recipe
    RequestId exportTo(const QString &format, const QString &path, const nlohmann::json &params);
    /// The HTML report of the current recipe; ends with exported() like an export.
    RequestId reportTo(const QString &path);
    /// Where the noise of the current recipe comes from; explained() or failed() follows.
    void explain();
    bool isExplaining() const { return id(Kind::Explain) != 0; }
    /// Reads the scales of another tool for the document's model; encodingsRead() or failed() follows.
    void importEncodings(const QString &file);
    /// Runs an exported file in a runtime; verified() or verifyStopped() follows. wanted: about the document
    void verify(const api::VerifyRequest &wanted);
    bool isVerifying() const { return id(Kind::Verify) != 0; }
    /// runtimesFound() follows, or nothing.
    void findRuntimes(const QString &python);
    /// Into the user's cache folder; runtimesFound() or verifyStopped() follows.
    void installRuntime(const QString &runtime);
    bool isInstalling() const { return id(Kind::Install) != 0; }
    /// Searches for a better recipe, besides all other work: tried() for each trial, then tuned() or tuneStopped().
    void tune(const api::TuneRequest &wanted);
    bool isTuning() const { return id(Kind::Tune) != 0; }
    void stopTuning();
    /// Anything that stop() ends, including work without a job.
    bool isBusy() const;
    /// The engine's work besides the job, in words; empty: none.
    QString backgroundWork() const;

Q_SIGNALS:
    void catalogueChanged();
    void jobChanged();
    void gatheringChanged();
    void canOpen(const QString &path);
    void failed(const ql::EngineError &error, ql::FailureOf of);
    void distributionReady(const QString &operation, const ql::DistributionsPtr &data);
    /// why: a sentence; empty if the user has stopped it.
    void distributionStopped(const QString &operation, const QString &why);
    void exported(const std::shared_ptr<const ql::api::Exported> &data);
    void explained(const ql::ExplanationPtr &data);
    void encodingsRead(const ql::EncodingsPtr &data);
    void runtimesFound(const ql::RuntimeListPtr &data);
    void verified(const ql::VerifyReportPtr &report);
    /// A verification or an installation. why: sentences; empty if the user has stopped it.
    void verifyStopped(const QString &why);
    void trained(const ql::api::TrainingEvent &event); ///< a pass of the run in progress
    void tuneProgress(const ql::EngineProgress &progress, const QString &step);
    /// A trial with the id of an earlier one replaces it and those that followed: another engine has started again.
    void tried(const ql::TuneStepPtr &step);
    void tuned(const ql::TuneReportPtr &report);
    /// why: sentences; empty if the user has stopped it.
    void tuneStopped(const QString &why);

private:
    /// One pending request of each kind.
    enum class Kind {
        Catalogue,
        Inspect,
        Probe,
        Distribution,
        Export,
        Run,
        Ranges,
        Passes,
        Report,
        Verify,
        Install,
        Runtimes,
        Tune,
        Encodings,
        Explain
    };
    static constexpr std::size_t kindCount = 15;
    /// Shown as jobs, the first one first.
    static constexpr std::array jobs{Kind::Run, Kind::Verify, Kind::Install, Kind::Export, Kind::Report, Kind::Explain};
    /// What the user may stop.
    static constexpr std::array stoppable{Kind::Run,       Kind::Verify,       Kind::Install, Kind::Export,
                                          Kind::Report,    Kind::Distribution, Kind::Passes,  Kind::Ranges,
                                          Kind::Encodings, Kind::Explain};
    struct Handler;
    static const Handler &handlerOf(Kind kind);
    RequestId id(Kind kind) const { return m_ids[std::size_t(kind)]; }
    std::optional<Kind> kindOf(RequestId id) const;
    bool isPending(std::initializer_list<Kind> kinds) const;
    void setId(Kind kind, RequestId id);
    template <class Request, class Answer>
    RequestId send(Kind kind, const api::MethodOf<Request, Answer> &method,
                   const std::type_identity_t<Request> &request)
    {
        const RequestId id = m_engine.request(method, request);
        setId(kind, id);
        return id;
    }
    /// It is no longer needed: its answer is ignored.
    void drop(Kind kind);

    void onFinished(RequestId id, const EngineAnswer &answer);
    void onFailed(RequestId id, const EngineError &error);
    void onCancelled(RequestId id);
    void onProgress(RequestId id, const EngineProgress &progress);
    void onEngineState(EngineClient::State state);
    void onCatalogue(const EngineAnswer &answer);
    void onInspected(const EngineAnswer &answer);
    void onProbed(const EngineAnswer &answer);
    void onDistribution(const EngineAnswer &answer);
    void onExported(const EngineAnswer &answer);
    void onRun(const EngineAnswer &answer);
    void onRanges(const EngineAnswer &answer);
    void onPasses(const EngineAnswer &answer);
    void onVerified(const EngineAnswer &answer);
    void onInstalled(const EngineAnswer &answer);
    void onRuntimes(const EngineAnswer &answer);
    void onTuned(const EngineAnswer &answer);
    void onEncodings(const EngineAnswer &answer);
    void onExplained(const EngineAnswer &answer);
    void catalogueFailed(const EngineError &error);
    void inspectFailed(const EngineError &error);
    void runFailed(const EngineError &error);
    void distributionFailed(const EngineError &error);
    void verifyFailed(const EngineError &error);
    void tuneFailed(const EngineError &error);

    static QString titleOf(Kind kind); ///< of its job
    void startRun(const api::RunRequest &wanted);
    RequestId startExport(Kind kind, const QString &path, RequestId id);
    void removeUnfinishedExport(qint64 pid);
    void startJob(Kind kind);
    void endJob(Kind ended); ///< or continues with a pending one
    void gatherSoon();
    void gather();

    /// An inspection as received, for when its recipe is restored while the model cannot be read any more.
    struct Known
    {
        QString hash;
        Inspection inspection;
        api::Recipe complete;
    };
    void keepInspection(const Known &known);
    const Known *findKnown() const; ///< of the current recipe; null: none

    Document &m_document;
    EngineClient &m_engine;
    QVector<Known> m_known; ///< the most recent ones, the latest first
    QString m_shownHash;    ///< of the recipe that the document's inspection is of
    CataloguePtr m_catalogue;
    std::vector<std::string> m_plugins; ///< of the recipe that was inspected last: they extend the catalogue
    std::array<RequestId, kindCount> m_ids{};
    QString m_inspectedHash; ///< of the recipe of the pending Kind::Inspect
    QString m_probed;        ///< path of the model
    QString m_distributionOf;
    QString m_evidenceWanted, m_passesWanted; ///< RunHistory::key() at the time of the request
    QString m_exportPath;
    qint64 m_exportPid = 0; ///< process that writes it, 0 when it is written
    JobState m_job;
    QElapsedTimer m_jobTime, m_sinceEdit;
    QTimer m_inspectTimer, m_liveTimer, m_calmTimer;
    bool m_isLive = false, m_hasFailed = false;
    bool m_hasBeenReady = false; ///< an engine, possibly followed by another one
};

} // namespace ql
