#pragma once

#include <QString>
#include <QWidget>

class QCheckBox;
class QLineEdit;

namespace ql {

class Document;

/// line with a button that browses for a file. filter: as in QFileDialog; empty: any file. Owned by the caller.
QWidget *browseRow(Document &document, QLineEdit &line, const QString &title, const QString &filter = {});

/// Unchecks consent as soon as the document is in another folder: the same command starts another program there.
void forgetInOtherFolders(Document &document, QCheckBox &consent);

/// A JSON file that names a program of the user, and the consent to start it, which is for this file only.
class ProgramField : public QWidget
{
    Q_OBJECT

public:
    /// name: part of the names of its widgets. title: of the file
    ProgramField(Document &document, const QString &name, const QString &title, QWidget *parent = nullptr);
    QString path() const;
    /// Whether the user agrees to start it. Unchecks: the engine remembers it until the file or its script changes.
    bool takeConsent();

Q_SIGNALS:
    void edited();

private:
    QLineEdit *m_path;
    QCheckBox *m_allow;
};

} // namespace ql
