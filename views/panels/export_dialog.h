#pragma once

#include "views/bridge/document.h"
#include "views/bridge/engine_client.h"

#include <QDialog>
#include <QTimer>

class QComboBox;
class QLabel;
class QLayout;
class QLineEdit;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QTableWidget;

namespace ql {

class NoteArea;
class ParamEditor;

/// Formats recommended for the platform first, with their options and a preview: files, sizes, notes, the beginning of
/// text files, the operations of the model in the file with the types of their tensors. Writes through the engine, with
/// progress and a link to the folder; also the HTML report.
class ExportDialog : public QDialog
{
    Q_OBJECT

public:
    explicit ExportDialog(Document &document, QWidget *parent = nullptr);
    QComboBox *format() const { return m_format; }
    /// The preview in words; empty until the engine has answered.
    QString preview() const;
    QString result() const;
    void done(int result) override;

private:
    void addFormats();
    void makeTexts();
    QLayout *makePathRow();
    QWidget *makeButtons();
    void followEngine();
    void showWritten(const api::Exported &answer);
    void showFormat();
    void start();
    void stop();
    void startReport();
    bool isRecipeFile(const QString &path);
    void requestPreview();
    void showPreview(const api::ExportPreview &answer);
    void endPreview(const QStringList &lines, const QString &beginning);
    void showOperations(const std::vector<api::WrittenOperation> &operations);
    void showJob();

    Document &m_document;
    QComboBox *m_format;
    QLineEdit *m_path;
    QLabel *m_meaning, *m_previewText, *m_result;
    QPlainTextEdit *m_beginning;
    QTableWidget *m_operations;
    ParamEditor *m_params;
    QProgressBar *m_progress;
    QPushButton *m_write, *m_report, *m_stop;
    QTimer m_delay;
    RequestId m_previewId = 0, m_writeId = 0;
    NoteArea *m_meaningArea, *m_previewArea, *m_resultArea;
};

} // namespace ql
