#pragma once

#include "views/bridge/document.h"

#include <QDateTime>
#include <QLockFile>
#include <QString>
#include <QVector>
#include <memory>

namespace ql {

/// The last state of an edited, unsaved recipe, stored while the program runs: after a crash the edits are offered
/// again. One file per document, replaced completely at every edit, and a lock file that shows whether the program
/// still runs.
class Journal : public QObject
{
    Q_OBJECT

public:
    struct Entry
    {
        QString journalFile, file, folder;
        api::JsonText written; ///< the recipe, which another version of the program may have written
        QDateTime time;
        std::shared_ptr<QLockFile> lock; ///< no other window offers it while this is held

        /// @throws Error for a recipe that this version cannot read
        api::Recipe recipe() const { return api::recipeFromJson(written); }
    };

    explicit Journal(Document &document, QObject *parent = nullptr);
    /// Removes the file: the document was closed properly.
    ~Journal() override;

    /// Of windows whose process has ended, latest first.
    static QVector<Entry> lost();
    static void discard(const Entry &entry);
    static QString folder();
    QString fileName() const { return m_fileName; }

private:
    void write();

    Document &m_document;
    QString m_fileName;
    QLockFile m_lock;
};

} // namespace ql
