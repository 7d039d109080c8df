#pragma once

#include "views/bridge/snapshot.h"

#include <QDateTime>
#include <QObject>
#include <QStringList>
#include <optional>

namespace ql {

class Document;
class RunStore;

/// A run that is kept: what was run and what came out.
struct RunRecord
{
    int number = 0;
    QString name, note;
    QDateTime time;
    RunPtr data;
    api::Recipe recipe = {}; ///< as the user had it; data->recipe has every default spelled out
    bool isStored = false;   ///< of an earlier session
    QString file = {};       ///< name in the RunStore, without ending
    /// What the analysis "ranges" found; it comes some time after the run.
    std::optional<QVector<ProblemInfo>> evidence = {};
};

/// The runs of a document: those that are kept, here and on disk, the one under way, the one that is shown, and the
/// baseline. Results belong to the hash of the recipe that they were made with, so that undo finds the old ones again.
class RunHistory : public QObject
{
    Q_OBJECT

public:
    explicit RunHistory(Document &document);

    const QVector<RunRecord> &runs() const { return m_runs; }
    /// That of the recipe as it is, else the last one (isStale()). May be null.
    const RunPtr &shown() const { return m_shown; }
    /// What was shown before the shown run, which need not be the one before it; null when nothing was.
    const RunPtr &previous() const { return m_previous; }
    /// Of a recipe that the document had in this session: what an edit is compared with. Otherwise it is of another
    /// time, and only the last one that there is.
    bool isOfThisSession() const;
    bool isStale() const { return m_shown && !isCurrent(*m_shown); }
    /// Of the recipe as it is, and of what the engine last found in model, data and platforms.
    bool isCurrent(const RunData &run) const;
    /// Of the recipe as it is, and of what is in the files and platforms that it names.
    QString key() const;
    void show(int number);
    void remove(int number);
    void setNote(int number, const QString &name, const QString &note);
    void setBaseline(int number); ///< of a run, 0 for none
    int baselineNumber() const { return m_baseline; }
    RunPtr baseline() const;

    /// Of the shown run when it is current, else of the inspection.
    const QVector<ConfigInfo> &configs() const;
    /// Positions in configs() of an operation's slots.
    QVector<int> configsOf(const QString &operation) const;

    /// Runs are kept in folder from now on, and those of the document are read from there. mostConfigs: rows of configs
    /// that stay in memory; a run with more is read again when it is shown. A row takes about 500 bytes.
    void keepIn(const QString &folder, qsizetype mostConfigs = 100000);
    RunStore *store() const { return m_store; }
    /// Those of the document that was opened.
    void load();

    // The run under way
    void begin(const QString &name); ///< name: the edit that led to it
    /// section: of the report; inputsKey: where it came with it, else empty.
    void addPart(const QString &section, const RunPtr &part, const QString &inputsKey);
    struct Ended
    {
        int number = 0;
        double seconds = 0;
        bool isAgain = false; ///< the same was measured before
    };
    /// It is kept, unless it measured what a kept one did.
    Ended finish(const RunData &result);
    void abandon(); ///< it failed or was stopped

    // What results are of
    const QString &inputsKey() const { return m_inputsKey; }
    void setInputsKey(const QString &key);
    void forgetInputs() { m_inputsKey.clear(); } ///< the next inspection or run finds out
    /// A file on the disk is another one now: results are of the old one, whatever the recipe says, until an
    /// inspection or a run finds out.
    void markReplaced();
    bool isReplaced() const;
    /// The recipe of that hash is edited.
    void leave(const QString &hash);
    void clear();
    /// Paths of recipes begin at folder to now, not at from.
    void move(const QString &from, const QString &to);
    /// Chooses the shown run anew. last: shown when no run is of the recipe as it is; else what was shown before.
    void choose(const RunPtr &last = {});
    void announce();        ///< tells of everything that it holds
    void announceConfigs(); ///< those of the inspection are others

    // What comes after a run
    /// Of the run, or of another one of the same recipe; null while it is not known.
    const QVector<ProblemInfo> *evidenceOf(const RunPtr &run) const;
    /// key: as key() when it was asked for
    void takeEvidence(const QString &key, const QVector<ProblemInfo> &evidence);
    /// What each pass did in the shown run, and the output error after it (api::method::passes); null while it is not
    /// known.
    JsonPtr passHistory() const;
    void takePassHistory(const QString &key, const JsonPtr &passes);

Q_SIGNALS:
    void shownChanged(); ///< another run, another part of it, or staleness
    void runsChanged();
    void configsChanged();
    void evidenceChanged();
    void passHistoryChanged();

private:
    void display(const RunPtr &run);
    void dropOld();
    int nextNumber() const;
    QString storeKey() const;
    void store(RunRecord &run, const QString &configsFile = {});
    void storeAgain();   ///< under the name that the document has now
    void trim();         ///< forgets the configs of runs of long ago
    void fetchConfigs(); ///< of the shown run, when they are forgotten
    void onConfigsRead(const QString &document, const QString &file, const RunPtr &whole);
    void storeBaseline();
    void onLoaded(const QString &document, const QVector<RunRecord> &runs, int baseline);

    const Document &m_document;
    QVector<RunRecord> m_runs;
    RunPtr m_shown, m_previous;
    std::shared_ptr<RunData> m_underWay;
    QString m_underWayName;
    QString m_underWayFolder; ///< that its paths begin at, where the recipe was saved elsewhere since; else empty
    int m_baseline = 0;
    QString m_inputsKey; ///< RunData::inputsKey of what is on the disk now; empty: not known
    QVector<QPair<QString, JsonPtr>> m_passHistories; ///< the last ones, by key()
    QStringList m_left;                               ///< hashes of the recipes before edits, the last one first
    RunStore *m_store = nullptr;
    QString m_storeKey;
    qsizetype m_mostConfigs = 0; ///< see keepIn()
};

} // namespace ql

Q_DECLARE_METATYPE(ql::RunRecord)
