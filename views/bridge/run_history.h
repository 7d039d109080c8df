#pragma once

#include "views/bridge/snapshot.h"

#include <QDateTime>
#include <QObject>
#include <QStringList>
#include <optional>

namespace ql {

class Document;
class RunStore;

/// A stored run: its recipe and results.
struct RunRecord
{
    int number = 0;
    QString name = {}, note = {};
    QDateTime time = {};
    RunPtr data = {};
    api::Recipe recipe = {}; ///< as the user had it; data->recipe has all defaults
    bool isStored = false;   ///< of an earlier session
    QString file = {};       ///< name in the RunStore, without extension
    /// Results of the analysis "ranges"; they arrive some time after the run.
    std::optional<QVector<ProblemInfo>> evidence = {};
    int filesVersion = -1; ///< RunHistory's when it was measured; -1: in an earlier session
};

/// The runs of a document: those stored in memory and on disk, the one in progress, the one shown, and the baseline.
/// Results are identified by the hash of their recipe, so undo finds the old ones again.
class RunHistory : public QObject
{
    Q_OBJECT

public:
    explicit RunHistory(Document &document);

    const QVector<RunRecord> &runs() const { return m_runs; }
    /// That of the current recipe, otherwise the last one (isStale()). May be null.
    const RunPtr &shown() const { return m_shown; }
    /// The run shown before the current one, not necessarily the previous run; null if there was none.
    const RunPtr &previous() const { return m_previous; }
    /// Of a recipe that the document had in this session: edits are compared with it. Otherwise it is from an earlier
    /// session, and just the last one available.
    bool isOfThisSession() const;
    bool isStale() const { return m_shown && !isCurrent(*m_shown); }
    /// Of the current recipe, and of the engine's last report about model, data and platforms.
    bool isCurrent(const RunData &run) const;
    /// Of the current recipe, and of the content of its files and platforms.
    QString key() const;
    /// The recipe of the shown run, if the engine can measure more of it: model and data are as they were, as far as
    /// this session knows. Otherwise null.
    const api::Recipe *measurable() const;
    QString shownKey() const; ///< of the shown run, otherwise key()
    void show(int number);
    void remove(int number);
    void setNote(int number, const QString &name, const QString &note);
    void setBaseline(int number); ///< of a run, 0 for none
    int baselineNumber() const { return m_baseline; }
    RunPtr baseline() const;

    /// Of the shown run if it is current, otherwise of the inspection.
    const QVector<ConfigInfo> &configs() const;
    /// Positions in configs() of an operation's slots.
    QVector<int> configsOf(const QString &operation) const;

    /// From now on runs are stored in folder, and those of the document are read from it. maxConfigs: rows of configs
    /// kept in memory; a run with more is read again when it is shown. A row takes about 500 bytes.
    void keepIn(const QString &folder, qsizetype maxConfigs = 100000);
    RunStore *store() const { return m_store; }
    /// Those of the opened document.
    void load();

    // The run in progress
    void begin(const QString &name); ///< name: the edit before it
    /// A run of another recipe than the document's: shown when it has finished.
    void beginOther(const api::Recipe &recipe, const QString &name);
    /// update: applied to its data; inputsKey: empty if it was not sent with the part.
    void addPart(const std::function<void(RunData &run)> &update, const QString &inputsKey);
    struct Ended
    {
        int number = 0;
        double seconds = 0;
        bool isAgain = false; ///< the same was measured before
    };
    /// It is stored, unless it equals a stored one.
    Ended finish(const RunData &result);
    void abandon(); ///< it failed or was stopped

    // The inputs of results
    const QString &inputsKey() const { return m_inputsKey; }
    void setInputsKey(const QString &key);
    void forgetInputs() { m_inputsKey.clear(); } ///< the next inspection or run determines it
    /// A file on disk has been replaced: results belong to the old one, regardless of the recipe, until an inspection
    /// or a run checks it.
    void markReplaced();
    bool isReplaced() const;
    /// The recipe of that hash is edited.
    void leave(const QString &hash);
    void clear();
    /// Paths of recipes now start at folder to, not at from.
    void move(const QString &from, const QString &to);
    /// Selects the shown run again. last: shown if no run belongs to the current recipe; otherwise the one shown
    /// before.
    void choose(const RunPtr &last = {});
    void chooseRun(const RunPtr &last = {}); ///< without announceConfigs(), which the caller does
    void announce();                         ///< emits signals for everything it contains
    void announceConfigs();                  ///< the inspection's have changed

    // Follow-up results of a run
    /// Of the run, or of another one of the same recipe; null while unknown.
    const QVector<ProblemInfo> *evidenceOf(const RunPtr &run) const;
    /// key: key() at the time of the request
    void takeEvidence(const QString &key, const QVector<ProblemInfo> &evidence);
    /// The effect of each pass in the shown run, and the output error after it; null while unknown.
    PassHistoryPtr passHistory() const;
    void takePassHistory(const QString &key, const PassHistoryPtr &passes);

Q_SIGNALS:
    void shownChanged(); ///< another run, another part of it, or staleness
    void runsChanged();
    void configsChanged();
    void evidenceChanged();
    void passHistoryChanged();

private:
    void takeInputsKey(const QString &key);
    void display(const RunPtr &run);
    void dropOld();
    int nextNumber() const;
    QString storeKey() const;
    void store(RunRecord &run, const QString &configsFile = {});
    void storeAgain();   ///< under the document's current name
    void trim();         ///< drops the configs of old runs
    void fetchConfigs(); ///< of the shown run, if they were dropped
    void onConfigsRead(const QString &document, const QString &file, const RunPtr &whole);
    void storeBaseline();
    void onLoaded(const QString &document, const QVector<RunRecord> &runs, int baseline);

    const Document &m_document;
    QVector<RunRecord> m_runs;
    RunPtr m_shown, m_previous;
    std::shared_ptr<RunData> m_underWay;
    QString m_underWayName;
    bool m_isOther = false;   ///< it is of another recipe
    QString m_underWayFolder; ///< start of its paths, if the recipe was saved elsewhere since; otherwise empty
    int m_baseline = 0;
    QString m_inputsKey;    ///< RunData::inputsKey of the current files; empty: unknown
    QString m_inputsOf;     ///< hash of the recipe that it belongs to
    int m_filesVersion = 0; ///< higher after each change of the files
    QVector<QPair<QString, PassHistoryPtr>> m_passHistories; ///< the most recent ones, by key()
    QStringList m_left; ///< hashes of the recipes before edits, the most recent first
    RunStore *m_store = nullptr;
    QString m_storeKey;
    qsizetype m_maxConfigs = 0; ///< see keepIn()
};

} // namespace ql

Q_DECLARE_METATYPE(ql::RunRecord)
