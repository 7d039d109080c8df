#include "views/panels/export_dialog.h"

#include "views/bridge/engine_requests.h"
#include "views/bridge/engine_text.h"
#include "views/bridge/platform_item.h"
#include "views/panels/param_editor.h"
#include "views/style/file_writer.h"
#include "views/style/note_area.h"
#include "views/style/plain_table.h"
#include "views/style/theme.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontDatabase>
#include <QFormLayout>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTableWidget>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <optional>

namespace ql {

using nlohmann::json;

/// Options are changed one after the other: a preview waits for this pause.
static constexpr int exportPreviewDelayMs = 300;
/// Higher notes are scrolled.
static constexpr int maxNoteHeight = 160;

static QStringList notesOf(const std::vector<Text> &notes, const std::vector<api::Problem> &problems)
{
    QStringList lines;
    for (const Text &note : notes) lines.append(severityMark(true) + engineText(note).toHtmlEscaped());
    for (const api::Problem &problem : problems)
        lines.append(severityMark(false) + engineText(problem.message).toHtmlEscaped());
    return lines;
}

/// The types of tensors, and their names as a tool tip.
static QTableWidgetItem *tensorItem(const std::vector<api::WrittenTensor> &tensors)
{
    QStringList types, names;
    for (const api::WrittenTensor &tensor : tensors) {
        const QString type = QString::fromStdString(tensor.type);
        types.append(tensor.scales > 1 ? ExportDialog::tr("%1 per channel").arg(type) : type);
        names.append(QStringLiteral("%1: %2").arg(QString::fromStdString(tensor.name), types.back()));
    }
    auto *item = new QTableWidgetItem(types.join(QStringLiteral(", ")));
    item->setToolTip(names.join(QLatin1Char('\n')));
    return item;
}

ExportDialog::ExportDialog(Document &document, QWidget *parent)
    : QDialog(parent), m_document(document), m_format(new QComboBox), m_path(new QLineEdit), m_meaning(new QLabel),
      m_previewText(new QLabel), m_result(new QLabel), m_beginning(new QPlainTextEdit),
      m_operations(
          plainTable({tr("Operation"), tr("Type"), tr("Inputs"), tr("Outputs")}, tr("Operations in the file"))),
      m_params(new ParamEditor), m_progress(new QProgressBar), m_write(new QPushButton(tr("Write"))),
      m_report(new QPushButton(tr("HTML report…"))), m_stop(new QPushButton(tr("Stop")))
{
    setWindowTitle(tr("Export"));
    setMinimumWidth(720); // most meanings of options need no second line
    m_params->setHasHints(true);
    addFormats();
    makeTexts();
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    QSizePolicy asShown = m_progress->sizePolicy(); // the dialog keeps its height when a job starts
    asShown.setRetainSizeWhenHidden(true);
    m_progress->setSizePolicy(asShown);
    m_progress->hide();
    auto *form = new QFormLayout;
    form->setLabelAlignment(Qt::AlignLeft);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("Format"), m_format);
    form->addRow(QString(), m_meaningArea);
    form->addRow(tr("File"), makePathRow());
    form->addRow(tr("Options"), m_params);
    form->addRow(tr("Files to write"), m_previewArea);
    auto *box = new QVBoxLayout(this);
    box->addLayout(form);
    box->addWidget(m_beginning);
    box->addWidget(m_operations, 1);
    box->addWidget(m_progress);
    box->addWidget(m_resultArea);
    box->addStretch();
    box->addWidget(makeButtons());
    m_delay.setSingleShot(true);
    m_delay.setInterval(exportPreviewDelayMs);
    connect(&m_delay, &QTimer::timeout, this, &ExportDialog::requestPreview);
    connect(m_format, &QComboBox::currentIndexChanged, this, &ExportDialog::showFormat);
    const auto onEdit = [this] {
        if (!m_document.requests().job().isRunning) m_resultArea->setText({}); // of the previous export
        m_delay.start();
    };
    connect(m_path, &QLineEdit::textChanged, this, onEdit);
    connect(m_params, &ParamEditor::edited, this, onEdit);
    followEngine();
    showFormat();
}

/// The formats recommended for the platform first, in its order.
void ExportDialog::addFormats()
{
    m_format->setObjectName(QStringLiteral("exportFormat"));
    const QString platformId = QString::fromStdString(m_document.recipe().platform);
    const api::Catalogue &known = m_document.requests().known();
    const std::optional<api::PlatformItem> platform = platformItem(m_document);
    const std::vector<std::string> suited = platform ? platform->definition.exporters : std::vector<std::string>();
    for (const std::string &id : suited)
        if (const api::ExporterItem *item = api::findItem(known.exporters, id))
            m_format->addItem(tr("%1  (recommended for %2)").arg(engineText(item->title), platformId),
                              QString::fromStdString(id));
    if (m_format->count() > 0) m_format->insertSeparator(m_format->count());
    for (const api::ExporterItem &item : known.exporters)
        if (std::find(suited.begin(), suited.end(), item.id) == suited.end())
            m_format->addItem(engineText(item.title), QString::fromStdString(item.id));
}

/// The notes of the format, the preview and the result, and the beginning of the file.
void ExportDialog::makeTexts()
{
    m_previewText->setObjectName(QStringLiteral("exportPreview"));
    m_meaning->setProperty("dim", true);
    for (QLabel *text : {m_previewText, m_result}) text->setTextFormat(Qt::RichText);
    m_meaningArea = new NoteArea(m_meaning, maxNoteHeight);
    m_previewArea = new NoteArea(m_previewText, maxNoteHeight);
    m_resultArea = new NoteArea(m_result, maxNoteHeight);
    m_result->setOpenExternalLinks(true);
    m_result->setAccessibleName(tr("Written files"));
    m_result->setTextInteractionFlags(Qt::TextBrowserInteraction);
    m_beginning->setReadOnly(true);
    m_beginning->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_beginning->setMaximumHeight(150);
    m_beginning->setAccessibleName(tr("Start of the file"));
    m_beginning->hide();
    m_operations->setObjectName(QStringLiteral("exportOperations"));
    m_operations->setMinimumHeight(150);
    m_operations->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    for (const auto &[column, width] : {std::pair(1, 110), std::pair(3, 90)}) { // the types of all inputs need the rest
        m_operations->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Fixed);
        m_operations->horizontalHeader()->resizeSection(column, width);
    }
    m_operations->hide();
}

QLayout *ExportDialog::makePathRow()
{
    m_path->setObjectName(QStringLiteral("exportPath"));
    m_path->setAccessibleName(tr("File"));
    auto *browse = new QPushButton(tr("Browse…"));
    browse->setAutoDefault(false);
    auto *row = new QHBoxLayout;
    row->addWidget(m_path, 1);
    row->addWidget(browse);
    if (m_document.requests().engine().isRemote()) browse->hide(); // the file is written elsewhere
    connect(browse, &QPushButton::clicked, this, [this] {
        const QString path = QFileDialog::getSaveFileName(this, tr("Export to"), m_path->text());
        if (!path.isEmpty()) m_path->setText(path);
    });
    return row;
}

QWidget *ExportDialog::makeButtons()
{
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    for (QPushButton *button : {m_report, m_stop, m_write}) buttons->addButton(button, QDialogButtonBox::ActionRole);
    for (QPushButton *button : {buttons->button(QDialogButtonBox::Close), m_report, m_stop})
        button->setAutoDefault(false);
    m_report->setObjectName(QStringLiteral("exportReport"));
    m_report->setToolTip(tr("Everything the last run measured, in a single HTML file."));
    m_stop->setObjectName(QStringLiteral("exportStop"));
    m_stop->setShortcut(QKeySequence(QStringLiteral("Shift+F5")));
    m_stop->setToolTip(tr("Stop (Shift+F5)"));
    m_stop->setEnabled(false);
    m_write->setObjectName(QStringLiteral("exportWrite"));
    m_write->setDefault(true);
    m_write->setProperty("primary", true);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_write, &QPushButton::clicked, this, &ExportDialog::start);
    connect(m_report, &QPushButton::clicked, this, &ExportDialog::startReport);
    connect(m_stop, &QPushButton::clicked, this, &ExportDialog::stop);
    return buttons;
}

void ExportDialog::followEngine()
{
    const EngineRequests &requests = m_document.requests();
    const EngineClient &engine = m_document.requests().engine();
    connect(&requests, &EngineRequests::exported, this,
            [this](const std::shared_ptr<const api::Exported> &answer) { showWritten(*answer); });
    connect(&requests, &EngineRequests::failed, this, [this](const EngineError &error) {
        m_resultArea->setText(engineSentences(error.message, error.remedy).toHtmlEscaped());
    });
    connect(&requests, &EngineRequests::jobChanged, this, &ExportDialog::showJob);
    // The preview is a request of the dialog's own
    connect(&engine, &EngineClient::finished, this, [this](RequestId id, const EngineAnswer &answer) {
        if (id != m_previewId || id == 0) return;
        m_previewId = 0;
        showPreview(*answer.as(api::method::exportPreview));
        showJob();
    });
    connect(&engine, &EngineClient::failed, this, [this](RequestId id, const EngineError &error) {
        if (id != m_previewId || id == 0) return;
        m_previewId = 0;
        endPreview({severityMark(false) + engineSentences(error.message, error.remedy).toHtmlEscaped()}, {});
        showJob();
    });
    connect(&engine, &EngineClient::cancelled, this, [this](RequestId id) {
        if (id == m_previewId && id != 0) {
            m_previewId = 0;
            endPreview({tr("Stopped.")}, {});
            showJob();
        }
        if (id == m_writeId) m_resultArea->setText(tr("Stopped."));
    });
}

void ExportDialog::showWritten(const api::Exported &answer)
{
    QStringList lines;
    for (const api::Exported::File &file : answer.files) {
        const QString path = QString::fromStdString(file.path);
        const QString size = QLocale().formattedDataSize(qint64(file.bytes));
        if (m_document.requests().engine().isRemote())
            lines.append(tr("Wrote %1, %2, on the engine's machine.").arg(path.toHtmlEscaped(), size));
        else
            lines.append(tr("Wrote <a href=\"%1\">%2</a>, %3. <a href=\"%4\">Open the folder</a>")
                             .arg(QUrl::fromLocalFile(path).toString(), QFileInfo(path).fileName().toHtmlEscaped(),
                                  size, QUrl::fromLocalFile(QFileInfo(path).absolutePath()).toString()));
    }
    for (const QString &note : notesOf(answer.notes, answer.problems)) // the preview has most of them
        if (!preview().contains(note)) lines.append(note);
    m_resultArea->setText(lines.join(QStringLiteral("<br>")));
}

QString ExportDialog::preview() const
{
    return m_previewText->text();
}

QString ExportDialog::result() const
{
    return m_result->text();
}

void ExportDialog::showFormat()
{
    const std::string format = m_format->currentData().toString().toStdString();
    if (const api::ExporterItem *item = api::findItem(m_document.requests().known().exporters, format)) {
        m_meaningArea->setText(engineText(item->meaning));
        m_params->setParams(item->params, api::defaultParams(item->params));
        const QString ending = item->extensions.empty() ? QString() : QString::fromStdString(item->extensions.front());
        const QString stem = QFileInfo(QString::fromStdString(m_document.recipe().model)).completeBaseName();
        const QFileInfo typed(m_path->text().trimmed()); // stays, with the extension of the format
        m_path->setText(m_path->text().trimmed().isEmpty()
                            ? QDir(m_document.outputFolder()).filePath(stem + QStringLiteral("_int8") + ending)
                            : QDir(typed.path()).filePath(typed.completeBaseName() + ending));
    }
    m_write->setEnabled(m_format->count() > 0);
    m_delay.start();
}

void ExportDialog::requestPreview()
{
    if (m_format->count() == 0 || m_document.requests().job().isRunning) return;
    if (m_previewId) m_document.requests().engine().drop(m_previewId);
    auto wanted = m_document.requests().about<api::ExportPreviewRequest>();
    wanted.format = m_format->currentData().toString().toStdString();
    wanted.path = m_path->text().trimmed().toStdString();
    wanted.params = m_params->values();
    if (m_previewText->text().isEmpty()) m_previewArea->setText(tr("Reading…"));
    m_previewArea->setEnabled(false); // the preview of other options stays, dimmed: the dialog keeps its height
    m_previewId = m_document.requests().engine().request(api::method::exportPreview, wanted);
    showJob();
}

void ExportDialog::showPreview(const api::ExportPreview &answer)
{
    QStringList lines;
    QString text;
    for (const api::ExportPreview::File &file : answer.files) {
        lines.append(QStringLiteral("<b>%1</b>, %2%3")
                         .arg(QString::fromStdString(file.name).toHtmlEscaped(),
                              QLocale().formattedDataSize(qint64(file.bytes)),
                              file.exists ? tr(" (replaces the existing file)") : QString()));
        if (text.isEmpty()) text = QString::fromStdString(file.text);
    }
    endPreview(lines + notesOf(answer.notes, answer.problems), text);
    showOperations(answer.operations);
}

void ExportDialog::showOperations(const std::vector<api::WrittenOperation> &operations)
{
    m_operations->setRowCount(int(operations.size()));
    for (int row = 0; row < int(operations.size()); ++row) {
        const api::WrittenOperation &operation = operations[std::size_t(row)];
        m_operations->setItem(row, 0, new QTableWidgetItem(QString::fromStdString(operation.name)));
        m_operations->setItem(row, 1, new QTableWidgetItem(QString::fromStdString(operation.type)));
        m_operations->setItem(row, 2, tensorItem(operation.inputs));
        m_operations->setItem(row, 3, tensorItem(operation.outputs));
    }
    m_operations->setVisible(!operations.empty());
}

void ExportDialog::endPreview(const QStringList &lines, const QString &beginning)
{
    m_previewArea->setEnabled(true);
    m_previewArea->setText(lines.join(QStringLiteral("<br>")));
    m_beginning->setPlainText(beginning);
    m_beginning->setVisible(!beginning.isEmpty());
    m_operations->hide();
}

void ExportDialog::done(int result)
{
    if (m_previewId) m_document.requests().engine().drop(m_previewId); // a run would wait for it
    m_previewId = 0;
    QDialog::done(result);
}

void ExportDialog::stop()
{
    if (m_previewId) m_document.requests().engine().cancel(m_previewId);
    m_document.requests().stop();
}

void ExportDialog::showJob()
{
    const JobState &job = m_document.requests().job();
    if (!job.isRunning && m_previewText->text().isEmpty() && !m_previewId) m_delay.start(); // it waited for the job
    m_write->setEnabled(!job.isRunning && m_format->count() > 0);
    m_report->setEnabled(!job.isRunning);
    m_stop->setEnabled(job.isRunning || m_previewId);
    m_progress->setVisible(job.isRunning);
    m_progress->setValue(int(job.progress.fraction * 1000));
    m_progress->setAccessibleName(job.step);
}

/// The engine refuses to overwrite its inputs, but does not know the file of the recipe.
bool ExportDialog::isRecipeFile(const QString &path)
{
    if (m_document.filePath().isEmpty() || m_document.requests().engine().isRemote() ||
        QFileInfo(path) != QFileInfo(m_document.filePath()))
        return false;
    m_resultArea->setText(tr("This is the recipe's own file. Choose another path."));
    return true;
}

void ExportDialog::start()
{
    if (isRecipeFile(m_path->text().trimmed())) return;
    m_resultArea->setText(tr("Writing…"));
    m_writeId = m_document.requests().exportTo(m_format->currentData().toString(), m_path->text().trimmed(),
                                               m_params->values());
}

void ExportDialog::startReport()
{
    const QString stem = QFileInfo(QString::fromStdString(m_document.recipe().model)).completeBaseName();
    const QString proposal = QDir(m_document.outputFolder()).filePath(stem + QStringLiteral("_report.html"));
    const QString path =
        m_document.requests().engine().isRemote()
            ? QInputDialog::getText(this, tr("HTML report"), tr("Path on the engine's machine, which writes the file"),
                                    QLineEdit::Normal, proposal)
            : chooseFile(this, tr("HTML report"), proposal, {QStringLiteral("HTML (*.html)")});
    if (path.isEmpty() || isRecipeFile(path)) return;
    m_resultArea->setText(tr("Writing…"));
    m_writeId = m_document.requests().reportTo(withEnding(path, QStringLiteral("html")));
}

} // namespace ql
