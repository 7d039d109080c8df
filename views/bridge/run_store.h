#pragma once

#include "views/bridge/run_history.h"

#include <QThreadPool>

namespace ql {

/// Runs on disk, so that they are there again when the program starts the next time: a folder for each model or recipe
/// file, a file for each run with what it measured, one with how everything was quantized, a small one with the name
/// and note that the user gave it, and one with the problems that were found after it. Files are read and written on a
/// thread of their own, in order. Names of files are unique, so several windows may keep runs of one document, and a
/// run takes a number that no other one has.
class RunStore : public QObject
{
    Q_OBJECT

public:
    explicit RunStore(QString folder, QObject *parent = nullptr);
    ~RunStore() override; ///< waits for pending writes

    /// Reads the runs of a document; answered by loaded(). The most recent ones come with their configs, as long as
    /// they have at most mostRows together: those of every run of a large model are gigabytes.
    void load(const QString &document, qsizetype mostRows);
    /// configsFile: as configsFileOf(), where the configs of a run that is trimmed are.
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
