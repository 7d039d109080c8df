#include "views/window/main_window.h"

#include "views/bridge/command_text.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/journal.h"
#include "views/bridge/problem_list.h"
#include "views/bridge/run_history.h"
#include "views/panels/data_dialog.h"
#include "views/panels/distribution_panel.h"
#include "views/panels/inspector.h"
#include "views/panels/pipeline_panel.h"
#include "views/panels/problems_panel.h"
#include "views/panels/side_panels.h"
#include "views/plots/error_plot.h"
#include "views/style/buttons.h"
#include "views/style/elided_label.h"
#include "views/style/screen.h"
#include "views/style/theme.h"
#include "views/window/center_view.h"
#include "views/window/dock.h"
#include "views/window/start_page.h"

#include <QApplication>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QStatusBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace ql {

using nlohmann::json;

static QStringList engineSetting()
{
    return splitCommand(QSettings().value(QStringLiteral("engine")).toString());
}

MainWindow::MainWindow(const QStringList &engineCommand, QWidget *parent) : QMainWindow(parent)
{
    m_engine = new EngineClient(engineCommand.isEmpty() ? engineSetting() : engineCommand, this);
    m_document = new Document(*m_engine, this);
    m_engine->start(); // loads its libraries while the window is built; signals arrive when the event loop runs
    m_journal = std::make_unique<Journal>(*m_document);
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    setAnimated(false);
    resizeOnScreen(*this, {1440, 900});

    m_center = new CenterView(*m_document);
    m_start = new StartPage;
    m_center->setStartPage(m_start);
    auto *holder = new QWidget;
    auto *box = new QVBoxLayout(holder);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    m_messageBar = new QWidget;
    m_messageBar->setProperty("strip", true);
    m_messageBar->setAttribute(Qt::WA_StyledBackground);
    auto *messageRow = new QHBoxLayout(m_messageBar);
    messageRow->setContentsMargins(12, 6, 8, 6);
    m_messageText = new QLabel;
    m_messageText->setWordWrap(true);
    m_messageText->setProperty("warn", true);
    m_messageText->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_messageText->setObjectName(QStringLiteral("message"));
    m_messageButton = new QPushButton;
    m_messageButton->setObjectName(QStringLiteral("messageAction"));
    connect(m_messageButton, &QPushButton::clicked, this, [this] {
        m_messageBar->hide();
        if (const auto act = std::exchange(m_messageAct, {})) act();
    });
    QToolButton *close = iconButton(QStringLiteral("close"), tr("Close the message"));
    messageRow->addWidget(m_messageText, 1);
    messageRow->addWidget(m_messageButton, 0, Qt::AlignTop);
    messageRow->addWidget(close, 0, Qt::AlignTop);
    connect(close, &QToolButton::clicked, m_messageBar, &QWidget::hide);
    m_messageBar->hide();
    box->addWidget(m_messageBar);
    box->addWidget(m_center, 1);
    setCentralWidget(holder);

    makeDocks();
    makeActions();
    makeToolBar();
    makeStatusBar();
    connectDocument();
    fillRecentMenu();
    fillRunMenus();
    m_defaultState = saveState();
    restoreLayout();
    refreshTitle();
    refreshChips();
    refreshStatus();
    showDocks(false); // nothing to show in them yet
}

MainWindow::~MainWindow()
{
    // Everything below is deleted one by one, and late objects must not notify deleted ones: an undo stack, for
    // example, reports that it is emptied when it is destroyed.
    for (Dock *dock : m_docks) dock->disconnect(this);
    m_document->undoStack().disconnect();
    m_document->disconnect();
    m_document->history().disconnect();
    m_document->problems().disconnect();
    m_document->requests().disconnect();
    m_engine->disconnect();
}

// Construction

void MainWindow::makeStatusBar()
{
    statusBar()->setSizeGripEnabled(false);
    m_statusText = new ElidedLabel;
    m_statusText->setObjectName(QStringLiteral("statusText"));
    m_statusBar = new QProgressBar;
    m_statusBar->setRange(0, 1000);
    m_statusBar->setTextVisible(false);
    m_statusBar->setFixedWidth(120);
    m_statusBar->setAccessibleName(tr("Progress of the job"));
    m_statusEngine = new ElidedLabel;
    m_statusRight = new ElidedLabel;
    for (QLabel *label : {m_statusText, m_statusEngine, m_statusRight}) // a long text must not widen the window
        label->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    statusBar()->addWidget(m_statusText);
    statusBar()->addWidget(m_statusBar);
    statusBar()->addWidget(m_statusEngine);
    statusBar()->addPermanentWidget(m_statusRight);
    connect(statusBar(), &QStatusBar::messageChanged, this, [this](const QString &text) {
        if (text.isEmpty()) refreshStatus();
    });
}

// Display

void MainWindow::refreshTitle()
{
    const QString title = m_document->title();
    const QString readOnly =
        Document::isReadOnly(m_document->filePath()) ? QStringLiteral(" ") + tr("(read-only)") : QString();
    setWindowTitle(title.isEmpty() ? QString() : title + QStringLiteral("[*]") + readOnly);
    setWindowModified(!m_document->isEmpty() && !m_document->undoStack().isClean());
    setWindowFilePath(m_document->filePath());
}

void MainWindow::refreshErrors()
{
    m_errors->setRun(m_document->history().shown());
    m_errors->setRows(m_center->rows(), m_document->history().isStale());
    m_errors->setCurrent(m_document->current());
    const RunPtr &run = m_document->history().shown();
    QStringList caption;
    QString ghosts;
    if (run && !run->graphwise.isEmpty()) {
        if (m_document->history().isStale()) caption.append(tr("stale: press F5 to run again"));
        if (m_document->requests().isLive())
            ghosts = tr("dashed: previous run");
        else if (m_document->history().baseline() && m_document->history().baseline() != run)
            ghosts = tr("dashed: baseline #%1").arg(m_document->history().baselineNumber());
        caption.append(tr("%n sample(s)", nullptr, int(run->graphwise.front().samples)));
    }
    m_errors->setCaption(caption.join(QStringLiteral(" · ")), ghosts);
}

QString MainWindow::stateText() const
{
    if (m_document->isEmpty()) return {};
    if (m_engine->state() == EngineClient::State::Failed) return tr("The engine is not running.");
    if (m_document->requests().hasFailed())
        return m_document->history().shown() ? tr("The last run failed; results are from an earlier run.")
                                             : tr("The last run failed.");
    if (m_document->history().isStale())
        return tr("Results belong to an earlier recipe, model or data. Press F5 to update them.");
    if (!m_document->graph() && m_engine->state() == EngineClient::State::Starting)
        return tr("The engine is starting…");
    if (!m_document->graph())
        return m_document->requests().isInspecting() ? tr("The engine is reading the model…")
                                                     : tr("The model cannot be read.");
    if (!m_document->history().shown()) return tr("Not run yet: press F5.");
    if (m_document->requests().isGathering()) return tr("Up to date. Measuring details for problems and passes…");
    return tr("Up to date.");
}

void MainWindow::refreshStatus()
{
    const JobState &job = m_document->requests().job();
    m_stop->setEnabled(m_document->requests().isBusy());
    m_statusBar->setVisible(job.isRunning && statusBar()->currentMessage().isEmpty()); // not on top of a message
    if (job.isRunning) {
        QString text = job.title + QStringLiteral(" · ") + job.step;
        if (job.progress.etaSeconds >= 0) text += tr(" · %1 left").arg(durationText(job.progress.etaSeconds));
        m_statusText->setText(text);
        m_statusBar->setValue(int(job.progress.fraction * 1000));
    } else {
        const QString state = stateText();
        m_statusText->setText(m_found.isEmpty() ? state : m_found + QStringLiteral(" · ") + state);
    }
    m_statusEngine->setText(job.isRunning && job.progress.residentMib > 0
                                ? tr("engine %1 MiB").arg(QLocale().toString(job.progress.residentMib, 'f', 0))
                                : QString());
    QStringList right;
    m_statusRight->setToolTip({});
    if (const RunPtr &run = m_document->history().shown(); run && run->outputSqnr()) {
        const RunHistory &history = m_document->history();
        QString text = (!history.isStale()          ? tr("output SQNR %1 dB")
                        : history.isOfThisSession() ? tr("before the edit: output SQNR %1 dB")
                                                    : tr("earlier run: output SQNR %1 dB"))
                           .arg(QLocale().toString(*run->outputSqnr(), 'f', 1));
        const RunPtr baseline = m_document->history().baseline();
        if (baseline && baseline != run && baseline->outputSqnr())
            text += tr(" (baseline %1)").arg(QLocale().toString(*baseline->outputSqnr(), 'f', 1));
        right.append(text);
        QStringList meanings{tr("output SQNR: %1").arg(outputSqnrMeaning())};
        if (const api::Metric *metric = run->metric()) {
            const QString name = QString::fromStdString(metric->name);
            meanings.append(tr("%1: %2").arg(name, accuracyMeaning()));
            right.append(tr("%1 %2 % (float %3 %)")
                             .arg(name, QLocale().toString(metric->quantized * 100, 'f', 1),
                                  QLocale().toString(metric->fp32 * 100, 'f', 1)));
        }
        meanings.append(measuredText(run, &RunData::outputs));
        m_statusRight->setToolTip(meanings.join(QLatin1Char('\n')));
    }
    if (const RunPtr &run = m_document->history().shown(); run && run->outputEqualShare())
        right.append(tr("%1 % of the output's integers equal float")
                         .arg(QLocale().toString(*run->outputEqualShare() * 100, 'f', 1)));
    if (!m_document->isEmpty()) {
        right.append(tr("recipe %1").arg(m_document->resultHash().left(6)));
        if (const int edits = m_document->undoStack().index(); edits > 0)
            right.append(tr("%n edit(s)", nullptr, edits));
    }
    m_statusRight->setText(right.join(QStringLiteral("   ·   ")));
}

void MainWindow::chooseData()
{
    if (!m_document->isEmpty()) DataDialog(*m_document, this).exec();
}

void MainWindow::showMessage(const QString &text, const QString &details, const QString &action,
                             const std::function<void()> &act)
{
    m_messageText->setText(details.isEmpty() ? text : text + QLatin1Char('\n') + details);
    m_messageButton->setText(action);
    m_messageButton->setVisible(!action.isEmpty());
    m_messageAct = act;
    m_messageEnd = MessageEnd::None;
    m_messageBar->show();
}

QString MainWindow::message() const
{
    return m_messageBar->isHidden() ? QString() : m_messageText->text();
}

} // namespace ql
