// The docks of the window, and layouts of them.
#include "views/panels/distribution_panel.h"
#include "views/panels/inspector.h"
#include "views/panels/origin_panel.h"
#include "views/panels/pipeline_panel.h"
#include "views/panels/problems_panel.h"
#include "views/panels/recipe_panel.h"
#include "views/panels/side_panels.h"
#include "views/panels/training_panel.h"
#include "views/panels/tune_panel.h"
#include "views/panels/verify_panel.h"
#include "views/plots/error_plot.h"
#include "views/style/theme.h"
#include "views/window/center_view.h"
#include "views/window/command_palette.h"
#include "views/window/dock.h"
#include "views/window/error_choice.h"
#include "views/window/main_window.h"

#include <QApplication>
#include <QEvent>
#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>
#include <QScreen>
#include <QSettings>
#include <QTimer>
#include <algorithm>
#include <utility>

namespace ql {

/// Windows of less height start with the problems collapsed: the graph needs the room.
static constexpr int roomyHeight = 860;

Dock *MainWindow::addDock(const QString &name, Qt::DockWidgetArea area)
{
    auto *dock = new Dock(name);
    addDockWidget(area, dock);
    dock->setEdge(area);
    m_docks.append(dock);
    for (const auto signal : {&Dock::visibilityChanged, &Dock::topLevelChanged})
        connect(dock, signal, this, &MainWindow::refreshEdges);
    connect(dock, &Dock::pagesChanged, this, &MainWindow::refreshEdges);
    connect(dock, &Dock::dockLocationChanged, this, &MainWindow::refreshEdges);
    return dock;
}

void MainWindow::makeDocks()
{
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    for (const Qt::ToolBarArea area : {Qt::LeftToolBarArea, Qt::RightToolBarArea, Qt::BottomToolBarArea}) {
        m_edges.append(new DockEdge(area));
        addToolBar(area, m_edges.back());
    }
    m_pipeline = new PipelinePanel(*m_document);
    m_runs = new RunsPanel(*m_document);
    m_inspector = new Inspector(*m_document);
    m_distribution = new DistributionPanel(*m_document);
    m_errors = new ErrorPlot;
    m_problems = new ProblemsPanel(*m_document);
    m_jobs = new JobsPanel(*m_document);
    m_verify = new VerifyPanel(*m_document);
    m_tune = new TunePanel(*m_document);
    m_training = new TrainingPanel(*m_document);
    m_origin = new OriginPanel(*m_document);
    auto *rules = new RecipePanel(*m_document);
    Dock *pipeline = addDock(QStringLiteral("pipeline"), Qt::LeftDockWidgetArea);
    pipeline->addPage(QStringLiteral("pipeline"), tr("Pass pipeline"), m_pipeline, m_pipeline->tools());
    pipeline->addPage(QStringLiteral("recipe"), tr("Recipe"), rules, rules->tools());
    addDock(QStringLiteral("runs"), Qt::LeftDockWidgetArea)->addPage(QStringLiteral("runs"), tr("Runs"), m_runs);
    Dock *inspector = addDock(QStringLiteral("inspector"), Qt::RightDockWidgetArea);
    inspector->addPage(QStringLiteral("inspector"), tr("Inspector"), m_inspector);
    addDock(QStringLiteral("distribution"), Qt::RightDockWidgetArea)
        ->addPage(QStringLiteral("distribution"), tr("Distribution"), m_distribution, m_distribution->tools());
    Dock *errors = addDock(QStringLiteral("errors"), Qt::BottomDockWidgetArea);
    errors->addPage(QStringLiteral("errors"), tr("Error"), m_errors, m_errors->tools());
    Dock *problems = addDock(QStringLiteral("problems"), Qt::BottomDockWidgetArea);
    problems->addPage(QStringLiteral("problems"), tr("Problems"), m_problems);
    problems->addPage(QStringLiteral("verify"), tr("Verify"), m_verify, m_verify->tools());
    problems->addPage(QStringLiteral("tune"), tr("Tune"), m_tune, m_tune->tools());
    problems->addPage(QStringLiteral("training"), tr("Training"), m_training, m_training->tools());
    problems->addPage(QStringLiteral("origin"), tr("Noise"), m_origin, m_origin->tools());
    problems->addPage(QStringLiteral("jobs"), tr("Jobs and log"), m_jobs, m_jobs->tools());
    splitDockWidget(errors, problems, Qt::Vertical);
    resizeDocks({pipeline, inspector}, {286, 345}, Qt::Horizontal);
    arrangeDocks();
    connect(m_problems, &ProblemsPanel::countChanged, problems, [problems](int count) {
        problems->setTitle(QStringLiteral("problems"), count > 0 ? tr("Problems %1").arg(count) : tr("Problems"),
                           count > 0);
    });
    connect(m_training, &TrainingPanel::progressed, problems, [problems](int done, int count) {
        problems->setTitle(QStringLiteral("training"),
                           count > 0 ? tr("Training %1/%2").arg(done).arg(count) : tr("Training"), count > 0);
    });
    // Queued: it has its size by then
    connect(problems, &Dock::pagesChanged, this, &MainWindow::makeRoomForPage, Qt::QueuedConnection);
    connect(problems, &Dock::visibilityChanged, this, &MainWindow::makeRoomForPage, Qt::QueuedConnection);
    m_choice = new ErrorChoice(*m_errors, *m_center, this);
    connect(m_distribution, &DistributionPanel::estimated, m_errors, &ErrorPlot::setEstimate);
    connect(m_errors, &ErrorPlot::currentRequested, m_document, &Document::setCurrent);
    const auto mark = [this](const QStringList &operations) {
        QSet<int> marked;
        for (const QString &name : operations)
            if (const int op = m_document->graph() ? m_document->graph()->find(name) : -1; op >= 0) marked.insert(op);
        m_center->graph()->setMarked(marked, !operations.isEmpty());
        m_center->graph()->revealMarked();
    };
    connect(m_pipeline, &PipelinePanel::markRequested, this, mark);
    connect(m_inspector, &Inspector::markRequested, this, mark);
    connect(m_verify, &VerifyPanel::markRequested, this, mark);
    connect(m_tune, &TunePanel::markRequested, this, mark);
    connect(rules, &RecipePanel::markRequested, this, mark);
}

/// Each page of the problems gets enough room when it is shown for the first time; later the user decides.
void MainWindow::makeRoomForPage()
{
    Dock *errors = dock(QStringLiteral("errors")), *problems = dock(QStringLiteral("problems"));
    const QString page = problems->page();
    if (m_roomyPages.contains(page) || !problems->isInFront() || problems->isFloating()) return;
    m_roomyPages.insert(page);
    const bool isTable = QStringList{QStringLiteral("verify"), QStringLiteral("tune"), QStringLiteral("training"),
                                     QStringLiteral("origin")}
                             .contains(page);
    constexpr int errorsHeight = 120, tableHeight = 300, listHeight = 190;
    const int wanted = isTable ? tableHeight : listHeight;
    if (problems->height() < wanted) resizeDocks({errors, problems}, {errorsHeight, wanted}, Qt::Vertical);
}

Dock *MainWindow::dock(const QString &name) const
{
    const auto it =
        std::find_if(m_docks.begin(), m_docks.end(), [&](const Dock *d) { return d->objectName() == name; });
    return it == m_docks.end() ? nullptr : *it;
}

/// The tabs of collapsed docks, each on the side of its dock; none while the start page fills the window.
void MainWindow::refreshEdges()
{
    const Qt::DockWidgetArea areas[] = {Qt::LeftDockWidgetArea, Qt::RightDockWidgetArea, Qt::BottomDockWidgetArea};
    for (int i = 0; i < m_edges.size(); ++i) {
        QVector<Dock *> folded;
        for (Dock *dock : m_docks) {
            const Qt::DockWidgetArea area = dockWidgetArea(dock);
            const bool isHere =
                area == areas[i] || (areas[i] == Qt::BottomDockWidgetArea && area == Qt::TopDockWidgetArea);
            if (m_hiddenDocks.isEmpty() && dock->isHidden() && isHere) folded.append(dock);
        }
        m_edges[i]->setFolded(folded);
    }
}

/// Shows one panel of a dock, and collapses the dock if the panel is already visible.
QAction *MainWindow::pageAction(Dock &dock, const QString &page)
{
    auto *action = new QAction(&dock);
    action->setCheckable(true);
    action->setProperty(showsPanel, true);
    const auto refresh = [action, &dock, page] {
        action->setText(dock.title(page));
        action->setChecked(dock.isInFront() && dock.page() == page);
    };
    connect(&dock, &Dock::pagesChanged, action, refresh);
    connect(&dock, &Dock::visibilityChanged, action, refresh);
    connect(action, &QAction::triggered, &dock, [&dock, page](bool on) {
        if (!on) return dock.hide();
        dock.showPage(page);
        dock.focusPage();
    });
    refresh();
    return action;
}

/// The keyboard goes from the graph to the first dock, from dock to dock, and from the last one to the graph.
void MainWindow::stepDock(int step)
{
    QVector<Dock *> shown;
    int at = -1; // the graph or the table
    for (Dock *dock : std::as_const(m_docks)) {
        if (!dock->isInFront()) continue;
        if (dock->isAncestorOf(QApplication::focusWidget())) at = int(shown.size());
        shown.append(dock);
    }
    const int places = int(shown.size()) + 1;
    const int next = (at + 1 + step + places) % places - 1;
    if (next >= 0) return shown[next]->focusPage();
    QWidget *view = m_center->showsTable() ? static_cast<QWidget *>(m_center->table()) : m_center->graph();
    view->setFocus(Qt::ShortcutFocusReason);
}

/// On a title or a bar: every panel.
QMenu *MainWindow::createPopupMenu()
{
    auto *menu = new QMenu(this);
    menu->addActions(m_dockMenu->actions());
    return menu;
}

/// Heights of the docks in a window of this height. A large one gives its room to content that is never complete: the
/// distribution, the problems and the chart.
void MainWindow::arrangeDocks()
{
    const int more = std::max(0, height() - 900);
    const auto resize = [this](const char *first, const char *second, int height, int below) {
        resizeDocks({dock(QLatin1String(first)), dock(QLatin1String(second))}, {height, below}, Qt::Vertical);
    };
    resize("pipeline", "runs", 680 + more / 2, 130 + more / 2);
    resize("inspector", "distribution", 560 + more / 4, 290 + more * 3 / 4);
    if (dock(QStringLiteral("problems"))->isHidden())
        resizeDocks({dock(QStringLiteral("errors"))}, {150 + more / 3}, Qt::Vertical);
    else
        resize("errors", "problems", 205 + more / 3, 150 + more / 4);
}

/// As in a new window.
void MainWindow::foldAndArrange()
{
    if (height() < roomyHeight) dock(QStringLiteral("problems"))->hide();
    arrangeDocks();
}

void MainWindow::changeEvent(QEvent *event)
{
    QMainWindow::changeEvent(event);
    // When it has its new size
    if (event->type() == QEvent::WindowStateChange && m_hiddenDocks.isEmpty())
        QTimer::singleShot(0, this, &MainWindow::arrangeDocks);
}

void MainWindow::showDocks(bool on)
{
    if (on) {
        for (Dock *dock : std::exchange(m_hiddenDocks, {})) {
            m_roomyPages.insert(dock->page()); // has the height of the layout
            dock->show();
        }
        refreshEdges();
        // For the first time: the window has its size by now
        if (!std::exchange(m_isArranged, true)) QTimer::singleShot(0, this, &MainWindow::foldAndArrange);
        return;
    }
    if (!m_hiddenDocks.isEmpty()) return;
    for (Dock *dock : m_docks)
        if (!dock->isHidden()) m_hiddenDocks.append(dock);
    for (Dock *dock : m_hiddenDocks) dock->hide();
    refreshEdges();
}

void MainWindow::saveLayout()
{
    showDocks(true); // hidden ones are not part of the layout
    QSettings settings;
    settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    settings.setValue(QStringLiteral("window/state"), saveState());
}

void MainWindow::restoreLayout()
{
    const QSettings settings;
    restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray());
    if (!isMaximized() && !isFullScreen()) resize(size().boundedTo(screen()->availableSize())); // of a larger screen
    m_isArranged = restoreState(settings.value(QStringLiteral("window/state")).toByteArray());
    ThemeManager::instance().choose(ThemeManager::Choice(settings.value(QStringLiteral("theme"), 0).toInt()));
}

void MainWindow::fillLayoutMenu()
{
    m_layoutMenu->clear(); // keeps submenus, one of which may be the caller
    for (QMenu *submenu : m_layoutMenu->findChildren<QMenu *>(QString(), Qt::FindDirectChildrenOnly))
        submenu->deleteLater();
    QSettings settings;
    settings.beginGroup(QStringLiteral("layouts"));
    const QStringList names = settings.childKeys();
    for (const QString &name : names)
        m_layoutMenu->addAction(name, this, [this, name] {
            m_hiddenDocks.clear();
            restoreState(QSettings().value(QStringLiteral("layouts/") + name).toByteArray());
            refreshEdges();
            if (m_document->isEmpty()) showDocks(false);
        });
    if (!names.isEmpty()) m_layoutMenu->addSeparator();
    m_layoutMenu->addAction(tr("Save this layout as…"), this, [this] {
        QString name = QInputDialog::getText(this, tr("Save layout"), tr("Name")).trimmed();
        name.replace(QLatin1Char('/'), QLatin1Char('-'));
        if (name.isEmpty()) return;
        if (QSettings().contains(QStringLiteral("layouts/") + name) &&
            QMessageBox::question(this, tr("Save layout"), tr("Replace the layout '%1'?").arg(name)) !=
                QMessageBox::Yes)
            return;
        showDocks(true); // the start page hides them
        QSettings().setValue(QStringLiteral("layouts/") + name, saveState());
        if (m_document->isEmpty()) showDocks(false);
        fillLayoutMenu();
    });
    if (names.isEmpty()) return;
    QMenu *remove = m_layoutMenu->addMenu(tr("Remove"));
    for (const QString &name : names)
        remove->addAction(name, this, [this, name] {
            QSettings().remove(QStringLiteral("layouts/") + name);
            fillLayoutMenu();
        });
}

void MainWindow::resetLayout()
{
    m_hiddenDocks.clear();
    restoreState(m_defaultState);
    foldAndArrange();
    refreshEdges();
}

} // namespace ql
