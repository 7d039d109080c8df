#include "views/panels/verify_panel.h"

#include "views/bridge/command_text.h"
#include "views/bridge/engine_text.h"
#include "views/commands/recipe_command.h"
#include "views/models/operation_model.h"
#include "views/panels/param_editor.h"
#include "views/panels/program_field.h"
#include "views/panels/side_panels.h"
#include "views/panels/table_export.h"
#include "views/style/buttons.h"
#include "views/style/labels.h"
#include "views/style/note_area.h"
#include "views/style/plain_table.h"
#include "views/style/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSet>
#include <QStyledItemDelegate>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace ql {

namespace {

constexpr int formWidth = 250, roomyWidth = 1000, maxSummaryHeight = 84;
constexpr int amberAlpha = 70; ///< of the row colour, 0 to 255, so that the text stays readable

enum Column { Tensor, Operation, Equal, Within, Worst, RuntimeSimulator, RuntimeFloat, SimulatorFloat, Local, Count };

QString shareText(double share)
{
    return QStringLiteral("%1 %").arg(QLocale().toString(100 * share, 'f', share == 1 ? 0 : 3));
}

/// isEqual: of the runtime and the simulator; without a number, the runtime's values are not finite if they differ
QString sqnrText(const std::optional<double> &db, bool isEqual = true)
{
    return db ? decibelText(db) : isEqual ? VerifyPanel::tr("equal") : VerifyPanel::tr("undefined");
}

/// Rows of one line. The style sheet paints no colours of single rows, so these are painted here.
class VerifyRowDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        if (const QVariant color = index.data(Qt::BackgroundRole); color.isValid())
            painter->fillRect(option.rect, color.value<QBrush>());
        QStyledItemDelegate::paint(painter, option, index);
    }
};

bool isCommand(const QString &runtime)
{
    return runtime == QLatin1String("command");
}

} // namespace

VerifyPanel::VerifyPanel(Document &document, QWidget *parent)
    : QWidget(parent), m_document(document), m_runtime(new QComboBox), m_file(new QLineEdit),
      m_recipesCommand(new QWidget), m_words(new QLineEdit), m_allowWords(new QCheckBox(tr("Start this program"))),
      m_command(new ProgramField(document, QStringLiteral("verify"), tr("JSON file of the command"))),
      m_python(new QLineEdit), m_state(dimLabel()), m_result(new QLabel), m_install(new QPushButton(tr("Install"))),
      m_verify(new QPushButton(tr("Verify"))), m_stop(new QPushButton(tr("Stop"))),
      m_mark(new QPushButton(tr("Mark in graph"))), m_inner(new QCheckBox(tr("Inner tensors"))),
      m_settings(toggleButton(tr("Settings"), tr("Shows file, runtime and options."), true)), m_params(new ParamEditor),
      m_bar(new QProgressBar), m_step(dimLabel()),
      m_table(lineTable({tr("Tensor"), tr("Operation"), tr("Equal"), tr("Within one step"), tr("Worst steps"),
                         tr("Runtime / simulator"), tr("Runtime / float"), tr("Simulator / float"),
                         tr("From equal inputs")},
                        tr("Compared tensors")))
{
    makeTools();
    auto *box = new QHBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    box->addWidget(makeForm());
    box->addWidget(makeResult(), 1);
    followEngine();
    connect(m_runtime, &QComboBox::currentIndexChanged, this, &VerifyPanel::showRuntime);
    connect(m_file, &QLineEdit::textChanged, this, &VerifyPanel::showJob);
    connect(m_python, &QLineEdit::editingFinished, this, &VerifyPanel::search);
    connect(m_table, &QTableWidget::itemSelectionChanged, this, [this] {
        const QString operation = operationAt(m_table->currentRow());
        if (m_document.graph() && m_document.graph()->find(operation) >= 0) m_document.setCurrent(operation);
    });
    connect(&document, &Document::recipeChanged, this, &VerifyPanel::showSummary);
    connect(&document, &Document::recipeChanged, this, &VerifyPanel::showWords);
    showRuntime();
    showWords();
    showSummary();
}

void VerifyPanel::makeTools()
{
    m_tools = new QWidget;
    auto *row = new QHBoxLayout(m_tools);
    row->setContentsMargins(12, 2, 12, 2);
    m_bar->setRange(0, 1000);
    m_bar->setTextVisible(false);
    m_bar->setMaximumWidth(160);
    m_step->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_verify->setObjectName(QStringLiteral("verifyStart"));
    m_verify->setToolTip(tr("Runs the file in the runtime on the evaluation data."));
    m_stop->setObjectName(QStringLiteral("verifyStop"));
    m_stop->setToolTip(tr("Stop (Shift+F5)"));
    m_mark->setObjectName(QStringLiteral("verifyMark"));
    m_mark->setToolTip(tr("Marks the operations whose tensors differ from the simulation."));
    row->addWidget(m_verify);
    row->addWidget(m_stop);
    row->addWidget(m_bar);
    row->addWidget(m_step, 1);
    connect(m_verify, &QPushButton::clicked, this, &VerifyPanel::start);
    connect(m_stop, &QPushButton::clicked, &m_document.requests(), &EngineRequests::stop);
    connect(m_mark, &QPushButton::clicked, this, [this] {
        QStringList operations;
        if (m_report)
            for (const api::TensorAgreement &tensor : m_report->tensors)
                if (tensor.withinOneStep < m_report->within) operations.append(QString::fromStdString(tensor.op));
        Q_EMIT markRequested(operations);
    });
}

QWidget *VerifyPanel::makeForm()
{
    m_file->setObjectName(QStringLiteral("verifyFile"));
    m_runtime->setObjectName(QStringLiteral("verifyRuntime"));
    m_runtime->setAccessibleName(tr("Runtime"));
    m_install->setObjectName(QStringLiteral("verifyInstall"));
    m_state->setObjectName(QStringLiteral("verifyState"));
    m_state->setWordWrap(true);
    m_state->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_inner->setChecked(true);
    m_inner->setObjectName(QStringLiteral("verifyInner"));
    m_inner->setToolTip(tr("Also compares the tensors between the operations, and finds the first that diverges."));
    m_python->setObjectName(QStringLiteral("verifyPython"));
    m_python->setPlaceholderText(tr("installed, or python3"));
    m_python->setToolTip(tr("Interpreter that has the runtime."));
    auto *state = new QWidget;
    auto *stateRow = new QHBoxLayout(state);
    stateRow->setContentsMargins(0, 0, 0, 0);
    stateRow->addWidget(m_state, 1);
    stateRow->addWidget(m_install, 0, Qt::AlignTop);
    auto *fields = new QWidget;
    m_form = new QFormLayout(fields);
    m_form->setContentsMargins(12, 6, 12, 6);
    m_form->setLabelAlignment(Qt::AlignLeft);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_form->addRow(tr("File"), browseRow(m_document, *m_file, tr("Exported file")));
    m_form->addRow(tr("Runtime"), m_runtime);
    m_form->addRow(QString(), state);
    makeRecipesCommand();
    m_form->addRow(tr("Command"), m_recipesCommand);
    m_form->addRow(tr("Or its file"), m_command);
    m_form->addRow(tr("Options"), m_params);
    m_form->addRow(tr("Python"), m_python);
    m_form->addRow(QString(), m_inner);
    auto *scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidgetResizable(true);
    scroll->setWidget(fields);
    scroll->setFixedWidth(formWidth);
    connect(m_settings, &QToolButton::toggled, scroll, &QWidget::setVisible);
    connect(m_install, &QPushButton::clicked, this, [this] { m_document.requests().installRuntime(runtime()); });
    return scroll;
}

void VerifyPanel::makeRecipesCommand()
{
    m_words->setObjectName(QStringLiteral("verifyWords"));
    m_words->setAccessibleName(tr("Command"));
    m_words->setPlaceholderText(QStringLiteral("./run-on-board {model} {in} {out}"));
    m_words->setToolTip(tr("A program that runs the file; the recipe keeps it. {model}: the file; {in}: inputs, .npz; "
                           "{out}: the outputs that it writes, .npz. Words with spaces are put in double quotes."));
    m_allowWords->setEnabled(false);
    m_allowWords->setObjectName(QStringLiteral("verifyAllowWords"));
    forgetInOtherFolders(m_document, *m_allowWords);
    m_allowWords->setToolTip(tr("The program is started on the engine's machine. Allow it if you trust the recipe. "
                                "It is remembered until the recipe's file or a script that it names changes."));
    auto *box = new QVBoxLayout(m_recipesCommand);
    box->setContentsMargins(0, 0, 0, 0);
    box->addWidget(m_words);
    box->addWidget(m_allowWords);
    // The file takes precedence
    connect(m_command, &ProgramField::edited, this,
            [this] { m_recipesCommand->setEnabled(m_command->path().isEmpty()); });
    connect(m_words, &QLineEdit::editingFinished, this, &VerifyPanel::editWords);
    connect(m_words, &QLineEdit::textChanged, this, [this] {
        m_allowWords->setChecked(false);
        m_allowWords->setEnabled(!m_words->text().trimmed().isEmpty());
    });
}

void VerifyPanel::editWords()
{
    std::vector<std::string> words;
    for (const QString &word : splitCommand(m_words->text())) words.push_back(word.toStdString());
    if (words == m_document.recipe().runtimeCommand) return;
    editRecipe(m_document, tr("Command of the runtime"), [&](api::Recipe &recipe) { recipe.runtimeCommand = words; });
}

void VerifyPanel::showWords()
{
    const std::vector<std::string> &words = m_document.recipe().runtimeCommand;
    m_words->setEnabled(!m_document.isEmpty());
    if (m_shownWords == words) return;
    m_shownWords = words;
    QStringList typed;
    for (const std::string &word : words) typed.append(QString::fromStdString(word));
    m_words->setText(commandText(typed));
    m_words->setCursorPosition(0);
    if (m_runtimes && !words.empty()) chooseRuntime(QStringLiteral("command"));
}

QWidget *VerifyPanel::makeResult()
{
    m_result->setTextFormat(Qt::RichText);
    m_result->setObjectName(QStringLiteral("verifyResult"));
    m_result->setContentsMargins(12, 6, 12, 6);
    m_result->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_resultArea = new NoteArea(m_result, maxSummaryHeight);
    m_table->setObjectName(QStringLiteral("verifyTable"));
    m_table->setItemDelegate(new VerifyRowDelegate(m_table));
    attachTableMenu(*m_table, QStringLiteral("verify"));
    m_settings->setObjectName(QStringLiteral("verifySettings"));
    m_compared = new QWidget;
    auto *buttons = new QHBoxLayout;
    buttons->setContentsMargins(8, 2, 8, 2);
    buttons->addWidget(m_mark);
    buttons->addStretch();
    buttons->addWidget(m_settings);
    auto *list = new QVBoxLayout(m_compared);
    list->setContentsMargins(0, 0, 0, 0);
    list->setSpacing(0);
    list->addLayout(buttons);
    list->addWidget(m_table, 1);
    auto *whole = new QWidget;
    auto *box = new QVBoxLayout(whole);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    box->addWidget(m_resultArea);
    box->addWidget(m_compared, 1);
    box->addStretch();
    return whole;
}

void VerifyPanel::followEngine()
{
    const EngineRequests &requests = m_document.requests();
    connect(&requests, &EngineRequests::runtimesFound, this, &VerifyPanel::showRuntimes);
    connect(&requests, &EngineRequests::verified, this, [this](const VerifyReportPtr &report) {
        m_verifiedHash = m_hash;
        showReport(report);
    });
    connect(&requests, &EngineRequests::verifyStopped, this, [this](const QString &why) {
        m_why = why.isEmpty() ? tr("Stopped.") : why;
        showSummary();
        showJob();
    });
    connect(&requests, &EngineRequests::jobChanged, this, &VerifyPanel::showJob);
    connect(&requests, &EngineRequests::exported, this, [this](const std::shared_ptr<const api::Exported> &answer) {
        if (!answer->files.empty() && answer->format != "html") setFile(QString::fromStdString(answer->files[0].path));
    });
    // Another engine may be on another machine, with other runtimes
    connect(&requests.engine(), &EngineClient::stateChanged, this, [this](EngineClient::State state) {
        if (state != EngineClient::State::Ready) m_runtimes = nullptr;
        if (state == EngineClient::State::Ready && isVisible()) search();
    });
}

void VerifyPanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (!m_runtimes) search();
}

void VerifyPanel::search()
{
    m_document.requests().findRuntimes(m_python->text().trimmed());
    if (!m_runtimes) m_state->setText(tr("Searching for runtimes…"));
}

void VerifyPanel::showRuntimes(const RuntimeListPtr &list)
{
    m_runtimes = list;
    const QString before = runtime();
    m_runtime->clear(); // showRuntime() follows
    for (const api::RuntimeItem &item : list->runtimes) {
        const QString title = engineText(item.title), id = QString::fromStdString(item.id);
        m_runtime->addItem(item.found
                               ? QStringLiteral("%1 %2").arg(title, QString::fromStdString(item.version)).trimmed()
                           : isCommand(id) ? title
                                           : tr("%1 (not found)").arg(title),
                           id);
    }
    const char *usual = m_document.recipe().runtimeCommand.empty() ? "onnxruntime" : "command";
    chooseRuntime(before.isEmpty() ? QLatin1String(usual) : before);
}

QString VerifyPanel::runtime() const
{
    return m_runtime->currentData().toString();
}

void VerifyPanel::chooseRuntime(const QString &id)
{
    m_runtime->setCurrentIndex(std::max(0, m_runtime->findData(id)));
}

void VerifyPanel::setFile(const QString &path)
{
    m_file->setText(path);
}

const api::RuntimeItem *VerifyPanel::chosen() const
{
    return m_runtimes ? api::findItem(m_runtimes->runtimes, runtime().toStdString()) : nullptr;
}

void VerifyPanel::showRuntime()
{
    const api::RuntimeItem *item = chosen();
    const bool command = isCommand(runtime());
    for (QWidget *row : {m_recipesCommand, static_cast<QWidget *>(m_command)}) m_form->setRowVisible(row, command);
    m_form->setRowVisible(m_python, !command);
    m_form->setRowVisible(m_params, item && !item->params.empty());
    m_install->setVisible(item && !item->found && !item->packages.empty());
    if (!item) return showJob();
    m_params->setParams(item->params, api::defaultParams(item->params));
    QStringList packages;
    for (const std::string &package : item->packages) packages.append(QString::fromStdString(package));
    m_install->setToolTip(tr("Installs %1 with pip into a separate folder in the user's cache folder.")
                              .arg(packages.join(QStringLiteral(", "))));
    m_state->setText(item->found ? QString::fromStdString(item->place)
                     : command   ? engineText(item->meaning)
                                 : tr("Not found. Install it, or name an interpreter that has it."));
    m_state->setToolTip(item->found ? engineText(item->meaning) : engineText(item->missing));
    showJob();
}

void VerifyPanel::start()
{
    editWords(); // typed, and not left yet
    auto wanted = m_document.requests().about<api::VerifyRequest>();
    wanted.file = m_file->text().trimmed().toStdString();
    wanted.runtime = runtime().toStdString();
    wanted.options = m_params->values();
    wanted.intermediate = m_inner->isChecked();
    if (isCommand(runtime())) {
        wanted.options = nlohmann::json::object();
        wanted.command = m_command->path().toStdString();
        wanted.allowCommands = wanted.command.empty() ? m_allowWords->isChecked() : m_command->takeConsent();
        // The engine remembers it for the recipe's file as it is now
        if (wanted.command.empty() && !m_document.filePath().isEmpty()) m_allowWords->setChecked(false);
    } else {
        wanted.python = m_python->text().trimmed().toStdString();
    }
    m_hash = m_document.resultHash();
    m_why.clear();
    showSummary();
    m_document.requests().verify(wanted);
    showJob();
}

void VerifyPanel::showJob()
{
    const EngineRequests &requests = m_document.requests();
    const bool isBusy = requests.isVerifying() || requests.isInstalling();
    m_verify->setEnabled(!isBusy && chosen() && !m_file->text().trimmed().isEmpty() && !m_document.isEmpty());
    m_install->setEnabled(!isBusy);
    m_stop->setVisible(isBusy);
    m_bar->setVisible(isBusy);
    m_bar->setValue(int(requests.job().progress.fraction * 1000));
    m_step->setText(isBusy ? requests.job().step : QString());
    m_mark->setVisible(m_report && !m_report->tensors.empty());
}

void VerifyPanel::showReport(const VerifyReportPtr &report)
{
    m_report = report;
    m_why.clear();
    m_table->setRowCount(0);
    for (const api::TensorAgreement &tensor : report->outputs) addRow(tensor, true);
    for (const api::TensorAgreement &tensor : report->tensors) addRow(tensor, false);
    fitColumns();
    if (width() < roomyWidth) m_settings->setChecked(false); // the table needs the room
    showSummary();
    showJob();
}

void VerifyPanel::addRow(const api::TensorAgreement &tensor, bool isOutput)
{
    const int row = m_table->rowCount();
    m_table->insertRow(row);
    const QString local =
        tensor.local ? tr("%1 differ, %2 ties").arg(tensor.local->differing).arg(tensor.local->ties) : QString();
    const QStringList cells{
        isOutput ? tr("%1 (output)").arg(QString::fromStdString(tensor.name)) : QString::fromStdString(tensor.name),
        QString::fromStdString(tensor.op),
        shareText(tensor.equal),
        tensor.step ? shareText(tensor.withinOneStep) : tr("%1 (tolerance)").arg(shareText(tensor.withinOneStep)),
        tensor.worstSteps ? QLocale().toString(*tensor.worstSteps, 'f', 1) : QStringLiteral("–"),
        sqnrText(tensor.sqnrRuntimeSimulator, tensor.equal == 1),
        sqnrText(tensor.sqnrRuntimeFloat, tensor.equal == 1),
        sqnrText(tensor.sqnrSimulatorFloat),
        local};
    const std::optional<api::FirstDivergence> &first = m_report->firstDivergence;
    const bool isFirst = !isOutput && first && first->tensor == tensor.name;
    QColor amber = Theme::current().amber;
    amber.setAlpha(amberAlpha);
    for (int column = 0; column < Count; ++column) {
        auto *item = new QTableWidgetItem(cells[column]);
        item->setToolTip(isFirst ? engineText(first->evidence)
                         : tensor.step
                             ? tr("%1 elements, step %2").arg(tensor.elements).arg(QLocale().toString(*tensor.step))
                             : tr("%1 elements, not quantized").arg(tensor.elements));
        if (column >= Equal) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        if (isOutput) item->setFont(textFont(true));
        if (isFirst) item->setBackground(amber);
        if (column == Within && tensor.withinOneStep < m_report->within) item->setForeground(Theme::current().amber);
        m_table->setItem(row, column, item);
    }
    if (isFirst) m_table->scrollToItem(m_table->item(row, 0));
}

QString VerifyPanel::operationAt(int row) const
{
    const QTableWidgetItem *item = row < 0 ? nullptr : m_table->item(row, Operation);
    return item ? item->text() : QString();
}

QString VerifyPanel::summary() const
{
    return m_result->text();
}

void VerifyPanel::showSummary()
{
    QStringList lines;
    if (m_document.requests().isVerifying()) lines.append(tr("Running…"));
    if (!m_why.isEmpty()) lines.append(severityMark(false) + m_why.toHtmlEscaped());
    if (m_report) {
        const api::VerifyReport &report = *m_report;
        if (m_verifiedHash != m_document.resultHash())
            lines.append(severityMark(false) + tr("The recipe has changed since this verification."));
        QStringList facts;
        for (const auto &[name, value] : report.runtime.facts)
            if (!value.empty()) facts.append(QString::fromStdString(value));
        facts.prepend(tr("%n sample(s)", nullptr, int(report.samples)));
        facts.append(durationText(report.seconds));
        const QString which =
            QStringLiteral("<b>%1 %2</b>")
                .arg(QString::fromStdString(report.runtime.id), QString::fromStdString(report.runtime.version));
        const QString share = shareText(report.within);
        lines.append((report.good
                          ? severityMark(true) + tr("%1 agrees: every output has %2 of its elements within one step.")
                          : severityMark(false) +
                                tr("%1 does not agree: not every output has %2 of its elements within one step."))
                         .arg(which, share) +
                     QStringLiteral(" ") + facts.join(QStringLiteral(" · ")).toHtmlEscaped());
        if (const auto &first = report.firstDivergence)
            lines.append(tr("First divergence: tensor <b>%1</b> of operation <b>%2</b>. Cause: <b>%3</b>: %4.")
                             .arg(QString::fromStdString(first->tensor).toHtmlEscaped(),
                                  QString::fromStdString(first->op).toHtmlEscaped(),
                                  engineText(QString::fromStdString(first->cause)),
                                  engineText(first->evidence).toHtmlEscaped()));
        if (!report.how.empty())
            lines.append(tr("%n inner tensor(s), by: %1.", nullptr, int(report.tensors.size()))
                             .arg(engineText(QString::fromStdString(report.how))));
        for (const Text &note : report.notes) lines.append(severityMark(true) + engineText(note).toHtmlEscaped());
    }
    if (lines.isEmpty())
        lines.append(tr("Run an exported file in its runtime: every tensor is compared with the simulation and with "
                        "float, and the first that diverges is named with its cause."));
    m_resultArea->setText(lines.join(QStringLiteral("<br>")));
    m_compared->setVisible(m_table->rowCount() > 0);
    if (m_table->rowCount() == 0) m_settings->setChecked(true);
}

void VerifyPanel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fitColumns();
}

void VerifyPanel::fitColumns()
{
    m_table->resizeColumnsToContents();
    constexpr int widest = 260;
    for (const int column : {int(Tensor), int(Operation)})
        m_table->setColumnWidth(column, std::min(m_table->columnWidth(column), widest));
}

} // namespace ql
