#include "views/window/main_window.h"

#include "core/base/error.h"
#include "views/bridge/data_watch.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/engine_text.h"
#include "views/bridge/file_watch.h"
#include "views/bridge/journal.h"
#include "views/bridge/problem_list.h"
#include "views/bridge/run_history.h"
#include "views/bridge/sample.h"
#include "views/commands/recipe_command.h"
#include "views/panels/compare_dialog.h"
#include "views/panels/data_dialog.h"
#include "views/panels/distribution_panel.h"
#include "views/panels/export_dialog.h"
#include "views/panels/inspector.h"
#include "views/panels/pipeline_panel.h"
#include "views/panels/problems_panel.h"
#include "views/panels/settings_dialog.h"
#include "views/panels/side_panels.h"
#include "views/panels/table_export.h"
#include "views/plots/error_plot.h"
#include "views/style/buttons.h"
#include "views/style/elided_label.h"
#include "views/style/screen.h"
#include "views/style/theme.h"
#include "views/window/center_view.h"
#include "views/window/dock.h"
#include "views/window/start_page.h"

#include <QApplication>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QStatusBar>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

void initWindowResources()
{
    Q_INIT_RESOURCE(window);
}

namespace ql {

using nlohmann::json;

/// So long the status bar shows what the log is told, too.
static constexpr int noteMs = 4000;

static QStringList engineSetting()
{
    return EngineClient::splitCommand(QSettings().value(QStringLiteral("engine")).toString());
}

MainWindow::MainWindow(const QStringList &engineCommand, QWidget *parent) : QMainWindow(parent)
{
    initWindowResources();
    m_engine = new EngineClient(engineCommand.isEmpty() ? engineSetting() : engineCommand, this);
    m_document = new Document(*m_engine, this);
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
    auto *close = new QToolButton;
    close->setText(QStringLiteral("✕"));
    close->setAccessibleName(tr("Close the message"));
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
    m_engine->start();
}

MainWindow::~MainWindow()
{
    // Everything below is deleted one by one, and what goes late must not tell what went early: an undo stack says
    // that it is emptied when it dies, for example.
    for (Dock *dock : m_docks) dock->disconnect(this);
    m_document->undoStack().disconnect();
    m_document->disconnect();
    m_document->history().disconnect();
    m_document->problems().disconnect();
    m_document->requests().disconnect();
    m_engine->disconnect();
}

// Construction

QAction *MainWindow::addAction(QMenu *menu, const QString &text, const QKeySequence &shortcut, const QString &icon,
                               const std::function<void()> &act)
{
    auto *action = new QAction(text, this);
    action->setShortcut(shortcut);
    if (!shortcut.isEmpty())
        action->setToolTip(QStringLiteral("%1 (%2)").arg(plainText(text), shortcut.toString(QKeySequence::NativeText)));
    if (!icon.isEmpty()) action->setIcon(lineIcon(icon));
    connect(action, &QAction::triggered, this, act);
    menu->addAction(action);
    QMainWindow::addAction(action);
    m_actions.append(action);
    return action;
}

void MainWindow::makeActions()
{
    QMenu *file = menuBar()->addMenu(tr("&File"));
    addAction(file, tr("&New window"), QKeySequence::New, {}, [this] {
        auto *window = new MainWindow(m_engine->command());
        window->setAttribute(Qt::WA_DeleteOnClose);
        if (!m_runFolder.isEmpty()) window->keepRuns(m_runFolder);
        window->show();
    });
    m_open = addAction(file, tr("&Open…"), QKeySequence::Open, QStringLiteral("open"), [this] { open(); });
    addAction(file, tr("Open on the engine's mac&hine…"), {}, {}, [this] { openThere(); });
    m_recentMenu = file->addMenu(tr("Open &recent"));
    addAction(file, tr("Open the sa&mple"), {}, {}, [this] {
        if (mayDiscard()) openFile(samplePath());
    });
    file->addSeparator();
    m_save = addAction(file, tr("&Save recipe"), QKeySequence::Save, QStringLiteral("save"), [this] { save(); });
    m_ofDocument += addAction(file, tr("Save recipe &as…"), QKeySequence::SaveAs, {}, [this] { saveAs(); });
    file->addSeparator();
    m_export =
        addAction(file, tr("&Export…"), QKeySequence(QStringLiteral("Ctrl+E")), QStringLiteral("export"), [this] {
            takeTyped();
            if (!m_document->isEmpty()) ExportDialog(*m_document, this).exec();
        });
    m_ofDocument += addAction(file, tr("Save the &graph as a picture…"), {}, {}, [this] { exportGraph(); });
    m_ofDocument += addAction(file, tr("Save all &plots and tables…"), {}, {}, [this] { exportPlots(); });
    QMenu *table = file->addMenu(tr("Save the operation &table"));
    addTableActions(*table, *m_center->table(), QStringLiteral("operations"));
    file->addSeparator();
    m_ofDocument += addAction(file, tr("Close &document"), QKeySequence(QStringLiteral("Ctrl+Shift+W")), {},
                              [this] { closeDocument(); });
    addAction(file, tr("&Close window"), QKeySequence::Close, {}, [this] { close(); });
    addAction(file, tr("&Quit"), QKeySequence::Quit, {}, [this] { quit(); });

    QMenu *edit = menuBar()->addMenu(tr("&Edit"));
    m_undo = addAction(edit, tr("&Undo"), QKeySequence::Undo, QStringLiteral("undo"),
                       [this] { m_document->undoStack().undo(); });
    m_redo = addAction(edit, tr("&Redo"), QKeySequence(QStringLiteral("Ctrl+Shift+Z")), QStringLiteral("redo"),
                       [this] { m_document->undoStack().redo(); });
    edit->addSeparator();
    m_ofDocument += addAction(edit, tr("&Find"), QKeySequence::Find, QStringLiteral("find"), [this] {
        m_search->setFocus();
        m_search->selectAll();
    });
    m_ofDocument +=
        addAction(edit, tr("Find &next"), QKeySequence(QStringLiteral("F3")), {}, [this] { m_center->nextHit(1); });
    m_ofDocument += addAction(edit, tr("Find &previous"), QKeySequence(QStringLiteral("Shift+F3")), {},
                              [this] { m_center->nextHit(-1); });
    edit->addSeparator();
    m_ofDocument += addAction(edit, tr("S&end selection to FP32"), QKeySequence(QStringLiteral("Q")), {},
                              [this] { m_inspector->sendTo(QStringLiteral("FP32")); });
    m_ofDocument += addAction(edit, tr("Dispatch selection as &before"), QKeySequence(QStringLiteral("Shift+Q")), {},
                              [this] { m_inspector->sendTo({}); });
    edit->addSeparator();
    m_ofDocument += addAction(edit, tr("&Data…"), QKeySequence(QStringLiteral("Ctrl+D")), {}, [this] { chooseData(); });

    m_ofDocument += addAction(edit, tr("M&odel…"), {}, {}, [this] { chooseModel(); });
    m_ofDocument += addAction(edit, tr("&Weights…"), {}, {}, [this] { chooseWeights(); });
    m_ofDocument += addAction(edit, tr("&Model inputs and device…"), {}, {}, [this] {
        if (!m_document->isEmpty()) SettingsDialog(*m_document, this).exec();
    });
    addAction(edit, tr("P&latforms…"), {}, {}, [this] { showPlatforms(); });

    QMenu *run = menuBar()->addMenu(tr("&Run"));
    m_run = addAction(run, tr("&Run"), QKeySequence(QStringLiteral("F5")), QStringLiteral("run"), [this] {
        takeTyped();
        m_document->requests().run();
    });
    m_stop = addAction(run, tr("&Stop"), QKeySequence(QStringLiteral("Shift+F5")), QStringLiteral("stop"),
                       [this] { m_document->requests().stop(); });
    m_ofDocument += addAction(run, tr("Run without &analyses"), QKeySequence(QStringLiteral("Ctrl+F5")), {},
                              [this] { m_document->requests().run(QStringLiteral("calibrate")); });
    m_live = addAction(run, tr("&Live: run after every edit"), QKeySequence(QStringLiteral("Ctrl+L")), {}, [] {});
    m_live->setCheckable(true);
    m_live->setIconText(tr("Live"));
    m_live->setToolTip(tr("Runs what an edit made stale at once; dashed bars are the values before it (Ctrl+L)"));
    connect(m_live, &QAction::toggled, &m_document->requests(), &EngineRequests::setLive);
    run->addSeparator();
    m_ofDocument += addAction(run, tr("&Compare runs…"), {}, {}, [this] {
        const int last = m_document->history().runs().isEmpty() ? 0 : m_document->history().runs().back().number;
        if (last > 0) CompareDialog(*m_document, last, this).exec();
    });
    m_ofDocument +=
        addAction(run, tr("&Worse operation"), QKeySequence(QStringLiteral("[")), {}, [this] { stepWorst(-1); });
    m_ofDocument +=
        addAction(run, tr("&Next worst operation"), QKeySequence(QStringLiteral("]")), {}, [this] { stepWorst(1); });
    run->addSeparator();
    addAction(run, tr("&Engine…"), {}, {}, [this] { chooseEngine(); });
    addAction(run, tr("Res&tart the engine"), {}, {}, [this] { m_engine->restart(); });

    m_viewMenu = menuBar()->addMenu(tr("&View"));
    m_ofDocument += addAction(m_viewMenu, tr("&Graph or table"), QKeySequence(QStringLiteral("Space")), {},
                              [this] { swapViews(); });
    qApp->installEventFilter(this); // for what uses Space itself
    m_ofDocument += addAction(m_viewMenu, tr("Fit &all"), QKeySequence(QStringLiteral("Ctrl+0")), QStringLiteral("fit"),
                              [this] { m_center->graph()->fitAll(); });
    m_ofDocument += addAction(m_viewMenu, tr("Fit &selection"), QKeySequence(QStringLiteral("F")), {},
                              [this] { m_center->graph()->fitSelection(); });
    addArrangementActions();
    m_back = addAction(m_viewMenu, tr("&Back"), QKeySequence::Back, {}, [this] { goBack(-1); });
    m_forward = addAction(m_viewMenu, tr("&Forward"), QKeySequence::Forward, {}, [this] { goBack(1); });
    m_center->setHistoryActions(m_back, m_forward);
    refreshHistory();
    QMenu *overlays = m_viewMenu->addMenu(tr("&Colour"));
    int number = 0;
    for (const OverlayKind kind : {OverlayKind::Platform, OverlayKind::Precision, OverlayKind::Graphwise,
                                   OverlayKind::Layerwise, OverlayKind::Difference, OverlayKind::ScaleGroup})
        addAction(overlays, tr("Colour by %1").arg(overlayName(kind)),
                  QKeySequence(QStringLiteral("Alt+%1").arg(++number)), {},
                  [this, kind] { m_center->setOverlay(kind); });
    makeFoldMenu();
    m_viewMenu->addMenu(m_center->columnMenu());
    m_viewMenu->addSeparator();
    QMenu *docks = m_viewMenu->addMenu(tr("&Docks"));
    for (Dock *dock : m_docks)
        for (const QString &page : dock->pages()) {
            QAction *action = pageAction(*dock, page);
            docks->addAction(action);
            m_actions.append(action);
        }
    addAction(m_viewMenu, tr("&Reset the docks"), {}, {}, [this] { resetLayout(); });
    m_layoutMenu = m_viewMenu->addMenu(tr("La&youts"));
    fillLayoutMenu();
    makeThemeMenu();
    makeLanguageMenu();

    QMenu *help = menuBar()->addMenu(tr("&Help"));
    addAction(help, tr("&Manual"), QKeySequence(QStringLiteral("F1")), {}, [this] { showManual(); });
    addAction(help, tr("&Shortcuts"), QKeySequence(QStringLiteral("?")), {}, [this] { showShortcuts(); });
    addAction(help, tr("&All commands…"), QKeySequence(QStringLiteral("Ctrl+K")), {}, [this] { showPalette(); });
    addAction(help, tr("A&bout"), {}, {}, [this] {
        QMessageBox::about(this, tr("About Quantloupe"),
                           tr("<b>Quantloupe %1</b><br>See why a network is worse in low precision, and fix it."
                              "<br><br>Engine: %2")
                               .arg(QApplication::applicationVersion(), m_engine->version()));
    });
    m_ofDocument += {m_run, m_save, m_export};
}

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
}

void MainWindow::connectDocument()
{
    connect(m_document, &Document::recipeChanged, this, &MainWindow::refreshChips);
    connect(m_document, &Document::recipeChanged, this, &MainWindow::refreshStatus);
    connect(m_document, &Document::fileChanged, this, &MainWindow::refreshTitle);
    connect(m_document, &Document::fileChanged, this, [this] {
        showDocks(!m_document->isEmpty());
        m_isFileForeign = false;
        if (m_messageEnd == MessageEnd::RecipeSaved) m_messageBar->hide();
    });
    connect(m_document, &Document::graphChanged, this, &MainWindow::refreshChips);
    connect(&m_document->requests(), &EngineRequests::catalogueChanged, this, &MainWindow::fillPlatformMenu);
    // What the engine refused it takes now. A graph says nothing of what a run was refused for.
    const auto engineTakes = [this] {
        if (m_messageEnd == MessageEnd::EngineTakes && m_document->graph()) m_messageBar->hide();
    };
    connect(m_document, &Document::graphChanged, this, engineTakes);
    connect(&m_document->history(), &RunHistory::runsChanged, this, engineTakes);
    connect(m_document, &Document::graphChanged, this, [this] {
        if (m_document->graph() && !m_recentWanted.isEmpty()) addRecent(std::exchange(m_recentWanted, {}));
        if (m_messageEnd == MessageEnd::ModelRead || m_messageEnd == MessageEnd::NextDrop) m_messageBar->hide();
    });
    const auto nextRun = [this] {
        if (m_messageEnd == MessageEnd::NextRun) m_messageBar->hide();
    };
    connect(m_document, &Document::recipeChanged, this, nextRun);
    connect(&m_document->history(), &RunHistory::runsChanged, this, nextRun);
    connect(&m_document->history(), &RunHistory::runsChanged, this, &MainWindow::fillRunMenus);
    connect(&m_document->history(), &RunHistory::shownChanged, this, &MainWindow::refreshStatus);
    connect(&m_document->history(), &RunHistory::shownChanged, this, &MainWindow::fillRunMenus);
    connect(&m_document->requests(), &EngineRequests::jobChanged, this, &MainWindow::refreshStatus);
    connect(&m_document->requests(), &EngineRequests::gatheringChanged, this, &MainWindow::refreshStatus);
    connect(&m_document->requests(), &EngineRequests::exported, this, [this](const JsonPtr &answer) {
        if (m_messageEnd == MessageEnd::EngineTakes) m_messageBar->hide(); // of an export that was refused
        for (const json &file : answer->value("files", json::array()))
            m_jobs->addLine(tr("Wrote %1").arg(textOf(file, "path")));
    });
    connect(m_document, &Document::note, this, [this](const QString &text) { statusBar()->showMessage(text, noteMs); });
    connect(&m_document->requests(), &EngineRequests::canOpen, this, &MainWindow::replaceDocument);
    connect(&m_document->requests(), &EngineRequests::failed, this, [this](const EngineError &error, bool ofRun) {
        if (error.kind == QLatin1String("EngineDied")) return; // told by died()
        QString where = error.operation.isEmpty() ? QString() : tr("%1: ").arg(error.operation);
        if (!error.file.isEmpty()) where.prepend(tr("%1: ").arg(error.file));
        // What the command line takes as options is a dialog here
        const bool isOfData = error.kind == QLatin1String(toString(ErrorKind::Io)) && !error.file.isEmpty() &&
                              m_document->data().contains(m_document->absolutePath(error.file.toStdString()));
        if (isOfData || error.remedy.contains(QStringLiteral("--calib")))
            showMessage(where + engineText(error.message), {}, tr("Data…"), [this] { chooseData(); });
        else if (error.kind == QLatin1String(toString(ErrorKind::Io)) && m_document->isModel(error.file))
            showMessage(where + engineText(error.message), tr("The recipe keeps all else when the model has moved."),
                        tr("Model…"), [this] { chooseModel(); });
        else if (error.remedy.contains(QStringLiteral("model.sha256")))
            showMessage(where + engineText(error.message), {}, tr("Take this file"),
                        [this] { editRecipe(*m_document, tr("Model"), "/model/sha256", ""); });
        else if (error.remedy.contains(QStringLiteral("Leave out --weights")))
            showMessage(where + engineText(error.message), {}, tr("Without weights"),
                        [this] { editRecipe(*m_document, tr("Without weights"), "/model/weights", ""); });
        else if (error.remedy.contains(QStringLiteral("--weights")) ||
                 error.remedy.contains(QStringLiteral("trained with this")))
            showMessage(where + engineText(error.message), {}, tr("Weights…"), [this] { chooseWeights(); });
        else
            showMessage(where + engineText(error.message), engineText(error.remedy));
        m_messageEnd = ofRun ? MessageEnd::NextRun : MessageEnd::EngineTakes;
        if (!error.operation.isEmpty() && m_document->graph() && m_document->graph()->find(error.operation) >= 0)
            m_document->setCurrent(error.operation);
    });
    connect(m_engine, &EngineClient::died, this, [this](const QString &what, bool again) {
        if (again) {
            showMessage(what, tr("It restarts automatically. The recipe is unchanged and finished stages are cached: "
                                 "press F5 to run again."));
            m_messageEnd = MessageEnd::NextRun;
        } else {
            const QString why =
                tr("It has ended several times in a row. F5 tries once more; the log tells what it wrote.");
            if (m_engine->isRemote())
                showMessage(what, why, tr("Engine…"), [this] { chooseEngine(); });
            else
                showMessage(what, why, tr("Restart"), [this] { m_engine->restart(); });
            m_messageEnd = MessageEnd::EngineIsReady;
        }
        m_jobs->addLine(what);
    });
    connect(m_engine, &EngineClient::silent, this, [this](const QString &written) {
        const QString command = m_engine->commandText();
        showMessage(tr("The engine has not answered yet: %1").arg(command),
                    written.isEmpty() ? tr("It may wait for a password or for the network.") : written, tr("Engine…"),
                    [this] { chooseEngine(); });
        m_messageEnd = MessageEnd::EngineIsReady;
    });
    connect(m_engine, &EngineClient::stateChanged, this, [this](EngineClient::State state) {
        if (m_messageEnd == MessageEnd::EngineIsReady && state != EngineClient::State::Failed) m_messageBar->hide();
        refreshChips();
        refreshStatus();
    });
    connect(m_center, &CenterView::rowsChanged, this, &MainWindow::refreshErrors);
    connect(m_center, &CenterView::contextMenuRequested, this, &MainWindow::showContextMenu);
    connect(m_document, &Document::currentChanged, this, [this](const QString &operation) {
        m_errors->setCurrent(operation);
        if (m_isStepping || operation.isEmpty()) return;
        m_history = m_history.mid(0, m_historyAt + 1);
        if (m_history.isEmpty() || m_history.back() != operation) m_history.append(operation);
        m_historyAt = int(m_history.size()) - 1;
        refreshHistory();
    });
    connect(m_center, &CenterView::pictureSaved, this, [this](const QString &path, const QString &error) {
        if (error.isEmpty())
            m_jobs->addLine(tr("Wrote %1").arg(path));
        else
            showMessage(error);
    });
    m_watch = new FileWatch(this);
    const auto watch = [this] {
        // As they are now when another document was opened or this one was saved, not at every edit
        if (QStringList files = m_document->files(); QSet<QString>(files.begin(), files.end()) != m_watched) {
            m_watched = {files.begin(), files.end()};
            m_watch->setFiles(files);
        }
    };
    connect(m_document, &Document::fileChanged, this, [this, watch] {
        m_watched.clear();
        watch();
    });
    connect(m_document, &Document::recipeChanged, this, watch);
    connect(m_document, &Document::graphChanged, this, watch); // tells of weights in files of their own
    m_dataWatch = new DataWatch(this);
    const auto watchData = [this] {
        QStringList paths = m_document->data();
        if (const QString platform = m_document->platformFile(); !platform.isEmpty()) paths.append(platform);
        m_dataWatch->setPaths(m_engine->isRemote() ? QStringList() : paths);
    };
    connect(m_document, &Document::fileChanged, this, watchData);
    connect(m_document, &Document::recipeChanged, this, watchData);
    connect(&m_document->requests(), &EngineRequests::catalogueChanged, this, watchData);
    const auto lookAgain = [this](const QString &path) {
        if (path == std::exchange(m_missingData, {}) && m_messageEnd == MessageEnd::NextRun) m_messageBar->hide();
        m_changedData = path;
        m_document->requests().reloadCatalogue();
        m_document->requests().inspectSoon(); // tells whether they are others
    };
    connect(m_dataWatch, &DataWatch::changed, this, lookAgain);
    connect(m_dataWatch, &DataWatch::removed, this, [this, lookAgain](const QString &path) {
        if (path == m_document->platformFile()) return lookAgain(path);
        m_document->requests().inspectSoon();
        showMessage(tr("The data %1 were removed or have another name now.").arg(QFileInfo(path).fileName()),
                    tr("What is shown was measured before; a run needs the data."), tr("Data…"),
                    [this] { chooseData(); });
        m_messageEnd = MessageEnd::NextRun;
        m_missingData = path;
    });
    connect(&m_document->history(), &RunHistory::shownChanged, this, [this] {
        if (m_changedData.isEmpty() || !m_document->history().isStale()) return;
        showMessage(tr("%1 was changed on the disk.").arg(QFileInfo(std::exchange(m_changedData, {})).fileName()),
                    tr("What is shown was measured before."), tr("Run again"),
                    [this] { m_document->requests().run(); });
        m_messageEnd = MessageEnd::NextRun;
    });
    connect(m_watch, &FileWatch::changed, this, &MainWindow::onFileChanged);
    connect(m_watch, &FileWatch::removed, this, &MainWindow::onFileRemoved);
    QUndoStack &undo = m_document->undoStack();
    connect(&undo, &QUndoStack::cleanChanged, this, &MainWindow::refreshTitle);
    const auto undoTexts = [this, &undo] {
        m_undo->setEnabled(undo.canUndo());
        m_redo->setEnabled(undo.canRedo());
        m_undo->setText(undo.canUndo() ? tr("&Undo: %1").arg(undo.undoText()) : tr("&Undo"));
        m_redo->setText(undo.canRedo() ? tr("&Redo: %1").arg(undo.redoText()) : tr("&Redo"));
        m_undo->setToolTip(plainText(m_undo->text()));
        m_redo->setToolTip(plainText(m_redo->text()));
        refreshStatus();
    };
    connect(&undo, &QUndoStack::indexChanged, this, undoTexts);
    undoTexts();
    connect(m_start, &StartPage::openRequested, this, &MainWindow::open);
    connect(m_start, &StartPage::sampleRequested, this, [this] { openFile(samplePath()); });
    connect(m_start, &StartPage::fileRequested, this, [this](const QString &path) { openFile(path); });
}

// What is shown

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
        if (m_document->history().isStale()) caption.append(tr("stale, F5 runs it again"));
        if (m_document->requests().isLive())
            ghosts = tr("dashed: the run before");
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
        return m_document->history().shown() ? tr("The last run failed; what is shown was measured before.")
                                             : tr("The last run failed.");
    if (m_document->history().isStale())
        return tr("Results are of an earlier recipe, model or data. F5 runs what is stale.");
    if (!m_document->graph() && m_engine->state() == EngineClient::State::Starting)
        return tr("The engine is starting…");
    if (!m_document->graph())
        return m_document->requests().isInspecting() ? tr("The engine is reading the model…")
                                                     : tr("The model cannot be read.");
    if (!m_document->history().shown()) return tr("Not run yet: F5.");
    if (m_document->requests().isGathering()) return tr("Up to date. Looking closer: problems and passes …");
    return tr("Up to date.");
}

void MainWindow::refreshStatus()
{
    const JobState &job = m_document->requests().job();
    m_stop->setEnabled(m_document->requests().isBusy());
    m_statusBar->setVisible(job.isRunning);
    if (job.isRunning) {
        QString text = job.title + QStringLiteral(" · ") + job.progress.what;
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
                                                    : tr("an earlier run: output SQNR %1 dB"))
                           .arg(QLocale().toString(*run->outputSqnr(), 'f', 1));
        const RunPtr baseline = m_document->history().baseline();
        if (baseline && baseline != run && baseline->outputSqnr())
            text += tr(" (baseline %1)").arg(QLocale().toString(*baseline->outputSqnr(), 'f', 1));
        right.append(text);
        QStringList meanings{tr("output SQNR: %1").arg(outputSqnrMeaning())};
        if (run->metricQuantized && run->metricFloat) {
            meanings.append(tr("%1: %2").arg(run->metricName, accuracyMeaning()));
            right.append(tr("%1 %2 % (float %3 %)")
                             .arg(run->metricName, QLocale().toString(*run->metricQuantized * 100, 'f', 1),
                                  QLocale().toString(*run->metricFloat * 100, 'f', 1)));
        }
        meanings.append(measuredText(run, &RunData::outputs));
        m_statusRight->setToolTip(meanings.join(QLatin1Char('\n')));
    }
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
