#pragma once

#include "core/api/recipe.h"
#include "views/bridge/engine_client.h"

#include <QDateTime>
#include <QStringList>
#include <QTimer>
#include <QUndoStack>
#include <optional>

namespace ql {

/// A run that is kept: what was run and what came out.
struct RunRecord
{
    int number = 0;
    QString name, note;
    QDateTime time;
    RunPtr data;
    nlohmann::json recipe = nullptr; ///< as the user had it; data->recipe has every default spelled out
    bool isStored = false;           ///< of an earlier session
    QString file = {};               ///< name in the RunStore, without ending
    /// What the analysis "ranges" says; it comes some time after the run.
    std::optional<QVector<ProblemInfo>> evidence = {};
};

/// What the engine is doing for the document.
struct JobState
{
    bool isRunning = false;
    QString title; ///< "Run", "Export" ...
    EngineProgress progress;
    qint64 elapsedMs = 0;
};

class RunStore;

/// Recipe, undo stack, results and the one current operation: what every view of a window follows. Recipes are changed
/// by commands on the undo stack only (views/commands); results belong to the hash of the recipe that they were made
/// with, so that undo finds the old ones again.
class Document : public QObject
{
    Q_OBJECT

public:
    explicit Document(EngineClient &engine, QObject *parent = nullptr);

    // The recipe
    bool isEmpty() const { return m_recipe.model.empty(); }
    const api::Recipe &recipe() const { return m_recipe; }
    /// With the platform's dispatcher, passes and every default spelled out, as the engine last told.
    const api::Recipe &completeRecipe() const { return m_complete; }
    /// Of what the recipe says that results depend on.
    QString resultHash() const { return m_hash; }
    /// Also of what is in the files and platforms that it names.
    QString resultKey() const { return m_hash + m_inputsKey; }
    static QString resultHashOf(const api::Recipe &recipe);
    /// A recipe whose relative paths start from folder, with those of the document's.
    /// @throws Error (BadConfig) when json is no recipe.
    api::Recipe recipeFrom(const nlohmann::json &recipe, const QString &folder) const;
    void setRecipe(const api::Recipe &recipe); ///< for commands
    nlohmann::json recipeJson() const { return api::toJson(m_recipe); }
    QUndoStack &undoStack() { return m_undo; }

    // Files
    /// A recipe, or a model for which a new recipe is begun. @throws Error
    void open(const QString &path);
    /// @throws Error (Io)
    void save(const QString &path);
    /// Nothing is open any more; nothing is asked.
    void close();
    QString filePath() const { return m_file; }
    QString folder() const { return m_base; } ///< that relative paths of the recipe start from
    /// Where new files are proposed: folder(), or the home folder where that is read-only or the sample's.
    QString outputFolder() const;
    /// The files that the document is made of: recipe, model, weights; absolute.
    QStringList files() const;
    /// Data of calibration and evaluation; absolute.
    QStringList data() const;
    /// Of the platform, where it is the user's own; absolute, else empty.
    QString platformFile() const;
    /// The engine has other platforms now.
    void reloadCatalogue() { m_catalogueId = m_engine.request(QStringLiteral("catalogue"), nlohmann::json::object()); }
    /// A file or folder is read-only when nobody may write it, whoever asks; those of the sample always are.
    static bool isReadOnly(const QString &path);
    /// The model on the disk is another one now: results are of the old one, whatever the recipe says, until
    /// reloadModel() or a run finds out.
    void markReplaced();
    void reloadModel() { inspectSoon(); }
    /// The last run of the recipe as it is was not finished.
    bool hasFailed() const { return m_hasFailed; }
    QString title() const;
    QString absolutePath(const std::string &path) const;
    /// A chosen file as the recipe names it: from folder() on what is below it, so that both can move together.
    QString recipePath(const QString &path) const;
    bool isModel(const QString &path) const
    {
        return !path.isEmpty() && absolutePath(path.toStdString()) == absolutePath(m_recipe.model);
    }

    // What the engine answered
    EngineClient &engine() { return m_engine; }
    const GraphPtr &graph() const { return m_graph; }
    const JsonPtr &catalogue() const { return m_catalogue; }
    void takeCatalogue(const JsonPtr &catalogue); ///< a new one of the engine: a platform was added
    const QVector<ConfigInfo> &configs() const;
    /// As the rules, dispatch and overrides of the recipe set them, before any pass.
    const QVector<ConfigInfo> &inspectedConfigs() const;
    /// Positions in configs() of an operation's slots.
    QVector<int> configsOf(const QString &operation) const;
    /// Of the recipe as it is, and what runs have found: the shown run, or while that goes on the last one. What was
    /// found with an earlier recipe is marked isPrevious.
    const QVector<ProblemInfo> &problems() const { return m_problems; }
    const QVector<RunRecord> &runs() const { return m_runs; }
    /// The shown run: that of the recipe as it is, else the last one (isStale()). May be null.
    const RunPtr &result() const { return m_result; }
    /// The graph is asked for, or will be in a moment.
    bool isInspecting() const { return m_inspectId != 0 || m_inspectTimer.isActive(); }
    /// What follows a run without being asked for is under way: evidence for problems, the error after each pass.
    bool isGathering() const { return m_rangesId || m_historyId; }
    /// Anything that stop() ends, also what no job tells.
    bool isBusy() const { return !jobs().isEmpty(); }
    /// What the engine does beside the job, in words; empty: nothing.
    QString backgroundWork() const;
    bool isStale() const { return m_result && !isCurrent(*m_result); }
    /// Of the recipe as it is, and of what the engine last found in model, data and platforms.
    bool isCurrent(const RunData &run) const;
    void setBaseline(int number); ///< of a run, 0 for none
    int baselineNumber() const { return m_baseline; }
    RunPtr baseline() const;
    void showRun(int number);
    void removeRun(int number);
    /// Runs are kept in folder from now on, and those of the document are read from there. mostConfigs: rows of configs
    /// that stay in memory; a run with more is read again when it is shown. A row takes about 500 bytes.
    void keepRuns(const QString &folder, qsizetype mostConfigs = 100000);
    RunStore *runStore() const { return m_store; }
    void setRunNote(int number, const QString &name, const QString &note);
    const JobState &job() const { return m_job; }

    // The current operation
    const QString &current() const { return m_current; }
    const QStringList &selection() const { return m_selection; } ///< holds current()
    /// One tensor of an operation: what shows tensors shows this one.
    void chooseSlot(const QString &operation, const QString &role, int index)
    {
        Q_EMIT slotChosen(operation, role, index);
    }
    void setCurrent(const QString &operation)
    {
        setSelection(operation.isEmpty() ? QStringList() : QStringList{operation}, operation);
    }
    void setSelection(const QStringList &operations, const QString &current);

    // Work
    void run(const QString &goal = QStringLiteral("all"));
    void stop();
    /// Live: every edit is run at once, and bars show the values of the run before as ghosts.
    void setLive(bool on);
    bool isLive() const { return m_isLive; }
    /// What was shown before the shown run, which need not be the one before it; null when nothing was.
    const RunPtr &previousRun() const { return m_previous; }
    /// What each pass did in the shown run, and the output error after it ("passes" of core/serve/server.h); null while
    /// it is not known.
    JsonPtr passHistory() const;
    void requestPassHistory();
    /// The recipe as it is now came from a remedy: the next run of it tells what that gained. sqnr: of the output
    /// before, dB.
    void expectGain(const QString &operation, const QString &remedy, double sqnr);
    /// The recipe as it is now came from this edit of one with the hash before: a gain that was expected of that one
    /// and not measured yet is expected of both together.
    void carryGain(const QString &before, const QString &edit);
    RequestId requestDistribution(const QString &operation);
    RequestId exportTo(const QString &format, const QString &path, const nlohmann::json &params);
    /// The HTML report of the recipe as it is; ends with exported() like an export.
    RequestId reportTo(const QString &path);
    nlohmann::json requestParams() const;

Q_SIGNALS:
    void recipeChanged();
    void fileChanged();
    void graphChanged();
    void catalogueChanged();
    void configsChanged();
    void resultChanged(); ///< another run, another part of it, or staleness
    void runsChanged();
    void problemsChanged();
    void jobChanged();
    void gatheringChanged();
    void currentChanged(const QString &operation);
    void selectionChanged(const QStringList &operations);
    void slotChosen(const QString &operation, const QString &role, int index);
    /// ofRun: else of an inspection, an export or a distribution
    void failed(const ql::EngineError &error, bool ofRun);
    void distributionStopped(const QString &operation);
    void distributionReady(const QString &operation, const ql::JsonPtr &data);
    void exported(const ql::JsonPtr &data);
    void note(const QString &text); ///< for the log
    void liveChanged(bool on);
    void passHistoryChanged();

private:
    QString stepText(const QString &what) const;
    void inspectSoon();
    void inspect();
    void onFinished(RequestId id, const EngineAnswer &answer);
    void onSection(RequestId id, const EngineAnswer &answer);
    void onFailed(RequestId id, const EngineError &error);
    void onCancelled(RequestId id);
    void endJob();
    /// last: shown when no run is of the recipe as it is; else what was shown before.
    void chooseResult(const RunPtr &last = {});
    void show(const RunPtr &run);
    void measureGain();
    void dropOldRuns();
    void updateProblems();
    void gather(RequestId &request, RequestId id); ///< request: a member, set to id (0: none); told as gatheringChanged
    RequestId startExport(const QString &method, const QString &what, const QString &path, nlohmann::json request);
    void removeUnfinishedExport(qint64 pid);
    void dropBackground();    ///< what nobody waits for any more: no word of it
    void requestBackground(); ///< what a run does not tell: ranges, and the error after each pass
    void gatherBackground();  ///< at once
    void resetResults();
    void takeInputsKey(const QString &key);
    // views/bridge/run_store.cpp
    QString runKey() const;
    void loadRuns();
    void storeRun(RunRecord &run, const QString &configsFile = {});
    void trimRuns();     ///< forgets the configs of runs of long ago
    void fetchConfigs(); ///< of the shown run, when they are forgotten
    void onConfigsRead(const QString &document, const QString &file, const RunPtr &whole);
    void storeBaseline();
    void onRunsLoaded(const QString &document, const QVector<RunRecord> &runs, int baseline);

    EngineClient &m_engine;
    QUndoStack m_undo;
    api::Recipe m_recipe, m_complete;
    QString m_hash, m_file, m_base;
    QString m_inputsKey; ///< RunData::inputsKey of what is on the disk now; empty: not known
    GraphPtr m_graph;
    JsonPtr m_catalogue;
    std::shared_ptr<const QVector<ConfigInfo>> m_configs; ///< of the inspection
    QHash<QString, QVector<int>> m_configsOf;
    QVector<ProblemInfo> m_problems, m_inspectionProblems;
    QVector<RunRecord> m_runs;
    RunPtr m_result, m_previous;
    std::shared_ptr<RunData> m_live; ///< the run that goes on
    int m_baseline = 0;
    qsizetype m_mostConfigs = 0; ///< see keepRuns()
    JobState m_job;
    QElapsedTimer m_jobTime;
    QString m_current;
    QStringList m_selection;
    QTimer m_inspectTimer, m_liveTimer, m_calmTimer;
    QString m_inspectedHash; ///< of the recipe that m_inspectId is about
    QElapsedTimer m_sinceEdit;
    bool m_isLive = false, m_hasFailed = false;
    QString m_runName; ///< of the run under way: the edit that led to it
    struct Gain
    {
        QString operation, remedy, hash;
        double before = 0; ///< output SQNR, dB
        std::optional<double> after;
    };
    QVector<Gain> m_gains;
    /// Of the run, or of another one of the same recipe; null while it is not known.
    const QVector<ProblemInfo> *evidenceOf(const RunPtr &run) const;
    void takeEvidence(const QVector<ProblemInfo> &evidence);
    QVector<ProblemInfo> m_lastEvidence; ///< that was shown
    QString m_evidenceWanted;            ///< resultKey() that it was asked for
    QVector<RequestId> jobs() const;     ///< under way, beside inspection
    RequestId m_rangesId = 0, m_historyId = 0;
    RunStore *m_store = nullptr;
    QString m_storeKey;
    QVector<QPair<QString, JsonPtr>> m_passHistories; ///< the last ones, by resultKey()
    QString m_passHistoryWanted;                      ///< resultKey() that it was asked for
    QString m_exportPath;
    qint64 m_exportPid = 0; ///< process that writes it, 0 when it is written
    RequestId m_inspectId = 0, m_runId = 0, m_catalogueId = 0, m_exportId = 0, m_distributionId = 0;
    QString m_distributionOf;
};

} // namespace ql

Q_DECLARE_METATYPE(ql::RunRecord)
