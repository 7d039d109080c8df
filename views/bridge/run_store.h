#pragma once

#include "views/bridge/run_history.h"

#include <QThreadPool>

namespace ql {

/// Runs on disk, so that they survive a restart: a folder per model or recipe file, a file per run with its
/// measurements, one with its configs, a small one with the user's name and note, and one with the problems found after
/// it. Files are read and written on another thread, in order. Names of files are unique, so several windows may store
/// runs of one document, and every run gets a unique number.
class RunStore : public QObject
{
    Q_OBJECT

public:
    explicit RunStore(QString folder, QObject *parent = nullptr);
    ~RunStore() override; ///< waits for pending writes

    /// Reads the runs of a document; answered by loaded(). The most recent ones come with their configs, as long as
    /// they have at most maxRows together: those of every run of a large model are gigabytes.
    void load(const QString &document, qsizetype maxRows);
    /// configsFile: as configsFileOf(), the file with the configs of a trimmed run.
    void save(const QString &document, const RunRecord &run, const QString &configsFile = {});
    QString configsFileOf(const QString &document, const RunRecord &run) const;
    /// Reads the configs of a run; answered by configsRead() unless they were deleted.
    void readConfigs(const QString &document, const RunRecord &run);
    /// Name and note only.
    void describe(const QString &document, const RunRecord &run);
    /// Only its evidence; a run without evidence has no such file.
    void keepEvidence(const QString &document, const RunRecord &run);
    void remove(const QString &document, const QString &file);
    /// file: of the run; empty for none
    void setBaseline(const QString &document, const QString &file);
    /// A number from first on that no run of the document has, in this or another window; reserved by this call.
    int takeNumber(const QString &document, int first) const;
    /// A name that no other window uses.
    static QString newFile(int number);
    /// Blocks until everything is on disk.
    void finish() { m_pool.waitForDone(); }
    QString folderOf(const QString &document) const;

Q_SIGNALS:
    void loaded(const QString &document, const QVector<ql::RunRecord> &runs, int baseline);
    /// configs: of the run of that file; the run has nothing else
    void configsRead(const QString &document, const QString &file, const ql::RunPtr &configs);

private:
    QString m_folder;
    QThreadPool m_pool;
};

} // namespace ql
