// The menus of the window.
#include "views/bridge/engine_requests.h"
#include "views/bridge/run_history.h"
#include "views/bridge/sample.h"
#include "views/panels/compare_dialog.h"
#include "views/panels/export_dialog.h"
#include "views/panels/inspector.h"
#include "views/panels/settings_dialog.h"
#include "views/panels/table_export.h"
#include "views/style/buttons.h"
#include "views/style/theme.h"
#include "views/window/center_view.h"
#include "views/window/dock.h"
#include "views/window/main_window.h"

#include <QApplication>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QTableView>

namespace ql {

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

QAction *MainWindow::addAction(QMenu *menu, const QString &text, const std::function<void()> &act)
{
    return addAction(menu, text, {}, {}, act);
}

void MainWindow::makeActions()
{
    makeFileMenu();
    makeEditMenu();
    makeRunMenu();
    makeViewMenu();
    makeHelpMenu();
    m_ofDocument += {m_run, m_save, m_export};
}

void MainWindow::makeFileMenu()
{
    QMenu *file = menuBar()->addMenu(tr("&File"));
    addAction(file, tr("&New window"), QKeySequence::New, {}, [this] {
        auto *window = new MainWindow(m_engine->command());
        window->setAttribute(Qt::WA_DeleteOnClose);
        if (!m_runFolder.isEmpty()) window->keepRuns(m_runFolder);
        window->show();
    });
    m_open = addAction(file, tr("&Open…"), QKeySequence::Open, QStringLiteral("open"), [this] { open(); });
    addAction(file, tr("Open on the engine's mac&hine…"), [this] { openRemote(); });
    m_recentMenu = file->addMenu(tr("Open &recent"));
    addAction(file, tr("Open the sa&mple"), [this] {
        if (mayDiscard()) openSample(samplePath());
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
    m_ofDocument += addAction(file, tr("&Import encodings…"), [this] { chooseEncodings(); });
    m_ofDocument += addAction(file, tr("Save &graph as image…"), [this] { exportGraph(); });
    m_ofDocument += addAction(file, tr("Save all &plots and tables…"), [this] { exportPlots(); });
    QMenu *table = file->addMenu(tr("Save the operation &table"));
    addTableActions(*table, *m_center->table(), QStringLiteral("operations"));
    file->addSeparator();
    m_ofDocument += addAction(file, tr("Close &document"), QKeySequence(QStringLiteral("Ctrl+Shift+W")), {},
                              [this] { closeDocument(); });
    addAction(file, tr("&Close window"), QKeySequence::Close, {}, [this] { close(); });
    addAction(file, tr("&Quit"), QKeySequence::Quit, {}, [this] { quit(); });
}

void MainWindow::makeEditMenu()
{
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
    m_ofDocument += addAction(edit, tr("Run s&election in FP32"), QKeySequence(QStringLiteral("Q")), {},
                              [this] { m_inspector->sendTo(QStringLiteral("FP32")); });
    m_ofDocument += addAction(edit, tr("Res&tore default dispatch"), QKeySequence(QStringLiteral("Shift+Q")), {},
                              [this] { m_inspector->sendTo({}); });
    edit->addSeparator();
    m_ofDocument += addAction(edit, tr("&Data…"), QKeySequence(QStringLiteral("Ctrl+D")), {}, [this] { chooseData(); });

    m_ofDocument += addAction(edit, tr("M&odel…"), [this] { chooseModel(); });
    m_ofDocument += addAction(edit, tr("&Weights…"), [this] { chooseWeights(); });
    m_ofDocument += addAction(edit, tr("&Model inputs and device…"), [this] {
        if (!m_document->isEmpty()) SettingsDialog(*m_document, this).exec();
    });
    makeCutMenu(edit);
    addAction(edit, tr("P&latforms…"), [this] { showPlatforms(); });
    addAction(edit, tr("Plu&g-ins and programs…"), [this] { showPlugins(); });
}

void MainWindow::makeRunMenu()
{
    QMenu *run = menuBar()->addMenu(tr("&Run"));
    m_run = addAction(run, tr("&Run"), QKeySequence(QStringLiteral("F5")), QStringLiteral("run"), [this] {
        takeTyped();
        m_document->requests().run();
    });
    m_stop = addAction(run, tr("&Stop"), QKeySequence(QStringLiteral("Shift+F5")), QStringLiteral("stop"),
                       [this] { m_document->requests().stop(); });
    m_ofDocument += addAction(run, tr("Run without &analyses"), QKeySequence(QStringLiteral("Ctrl+F5")), {},
                              [this] { m_document->requests().run(api::Goal::Calibrate); });
    m_live = addAction(run, tr("&Live: run after every edit"), QKeySequence(QStringLiteral("Ctrl+L")), {}, [] {});
    m_live->setCheckable(true);
    m_live->setIconText(tr("Live"));
    m_live->setToolTip(tr("Runs after every edit; dashed bars are the values before the edit (Ctrl+L)"));
    connect(m_live, &QAction::toggled, &m_document->requests(), &EngineRequests::setLive);
    run->addSeparator();
    m_ofDocument += addAction(run, tr("&Compare runs…"), [this] {
        const int last = m_document->history().runs().isEmpty() ? 0 : m_document->history().runs().back().number;
        if (last > 0) CompareDialog(*m_document, last, this).exec();
    });
    m_ofDocument += addAction(run, tr("&Previous worst operation"), QKeySequence(QStringLiteral("[")), {},
                              [this] { stepWorst(-1); });
    m_ofDocument +=
        addAction(run, tr("&Next worst operation"), QKeySequence(QStringLiteral("]")), {}, [this] { stepWorst(1); });
    run->addSeparator();
    addAction(run, tr("&Engine…"), [this] { chooseEngine(); });
    addAction(run, tr("Res&tart the engine"), [this] { m_engine->restart(); });
}

void MainWindow::makeViewMenu()
{
    m_viewMenu = menuBar()->addMenu(tr("&View"));
    m_ofDocument += addAction(m_viewMenu, tr("&Graph or table"), QKeySequence(QStringLiteral("Space")), {},
                              [this] { swapViews(); });
    qApp->installEventFilter(this); // for widgets that use Space themselves
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
    m_dockMenu = m_viewMenu->addMenu(tr("&Docks"));
    for (Dock *dock : m_docks)
        for (const QString &page : dock->pages()) {
            QAction *action = pageAction(*dock, page);
            m_dockMenu->addAction(action);
            m_actions.append(action);
        }
    addAction(m_viewMenu, tr("Ne&xt dock"), QKeySequence(QStringLiteral("F6")), {}, [this] { stepDock(1); });
    addAction(m_viewMenu, tr("Pre&vious dock"), QKeySequence(QStringLiteral("Shift+F6")), {}, [this] { stepDock(-1); });
    addAction(m_viewMenu, tr("&Reset docks"), [this] { resetLayout(); });
    m_layoutMenu = m_viewMenu->addMenu(tr("La&youts"));
    fillLayoutMenu();
    makeThemeMenu();
    makeLanguageMenu();
}

void MainWindow::makeHelpMenu()
{
    QMenu *help = menuBar()->addMenu(tr("&Help"));
    addAction(help, tr("&Manual"), QKeySequence(QStringLiteral("F1")), {}, [this] { showManual(); });
    addAction(help, tr("&Shortcuts"), QKeySequence(QStringLiteral("?")), {}, [this] { showShortcuts(); });
    addAction(help, tr("&All commands…"), QKeySequence(QStringLiteral("Ctrl+K")), {}, [this] { showPalette(); });
    addAction(help, tr("A&bout"), [this] {
        QMessageBox::about(this, tr("About Quantloupe"),
                           tr("<b>Quantloupe %1</b><br>Find out why a network loses accuracy in low precision, and fix "
                              "it.<br><br>Engine: %2")
                               .arg(QApplication::applicationVersion(), m_engine->version()));
    });
}

} // namespace ql
