// The docks of the window, and layouts of them.
#include "views/panels/distribution_panel.h"
#include "views/panels/inspector.h"
#include "views/panels/pipeline_panel.h"
#include "views/panels/problems_panel.h"
#include "views/panels/recipe_panel.h"
#include "views/panels/side_panels.h"
#include "views/plots/error_plot.h"
#include "views/style/theme.h"
#include "views/window/center_view.h"
#include "views/window/main_window.h"

#include <QDockWidget>
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

void MainWindow::makeDocks()
{
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    const auto dock = [this](const QString &title, const QString &name, QWidget *widget, Qt::DockWidgetArea area) {
        auto *d = new QDockWidget(title);
        d->setObjectName(name);
        d->setWidget(widget);
        widget->setProperty("surface", "panel");
        widget->setAttribute(Qt::WA_StyledBackground);
        addDockWidget(area, d);
        return d;
    };
    m_pipeline = new PipelinePanel(*m_document);
    m_runs = new RunsPanel(*m_document);
    m_inspector = new Inspector(*m_document);
    m_distribution = new DistributionPanel(*m_document);
    m_errors = new ErrorPlot;
    m_problems = new ProblemsPanel(*m_document);
    m_jobs = new JobsPanel(*m_document);
    auto *pipeline = dock(tr("Pass pipeline"), QStringLiteral("pipeline"), m_pipeline, Qt::LeftDockWidgetArea);
    auto *rules = new RecipePanel(*m_document);
    auto *recipe = dock(tr("Recipe"), QStringLiteral("recipe"), rules, Qt::LeftDockWidgetArea);
    dock(tr("Runs"), QStringLiteral("runs"), m_runs, Qt::LeftDockWidgetArea);
    tabifyDockWidget(pipeline, recipe);
    auto *inspector = dock(tr("Inspector"), QStringLiteral("inspector"), m_inspector, Qt::RightDockWidgetArea);
    dock(tr("Distribution"), QStringLiteral("distribution"), m_distribution, Qt::RightDockWidgetArea);
    auto *errors = dock(tr("Error"), QStringLiteral("errors"), m_errors, Qt::BottomDockWidgetArea);
    auto *problems = dock(tr("Problems"), QStringLiteral("problems"), m_problems, Qt::BottomDockWidgetArea);
    auto *jobs = dock(tr("Jobs and log"), QStringLiteral("jobs"), m_jobs, Qt::BottomDockWidgetArea);
    splitDockWidget(errors, problems, Qt::Vertical);
    tabifyDockWidget(problems, jobs);
    // Their tabs say what they are
    for (QDockWidget *d : {pipeline, recipe, problems, jobs}) d->setTitleBarWidget(new QWidget(d));
    pipeline->raise();
    problems->raise();
    setTabPosition(Qt::BottomDockWidgetArea | Qt::LeftDockWidgetArea, QTabWidget::North);
    resizeDocks({pipeline, inspector}, {286, 318}, Qt::Horizontal);
    arrangeDocks();
    connect(m_problems, &ProblemsPanel::countChanged, problems, [problems](int count) {
        problems->setWindowTitle(count > 0 ? tr("Problems %1").arg(count) : tr("Problems"));
    });
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
    connect(rules, &RecipePanel::markRequested, this, mark);
}

/// Brings a dock in front of those that share its place, and closes it when it is there: Qt's own closes it also when
/// it lies behind another.
QAction *MainWindow::dockAction(QDockWidget &dock)
{
    QAction *action = dock.toggleViewAction();
    action->disconnect(SIGNAL(triggered(bool)), &dock);
    connect(&dock, &QDockWidget::visibilityChanged, action, &QAction::setChecked);
    connect(action, &QAction::triggered, &dock, [&dock](bool on) {
        dock.setVisible(on);
        if (on) dock.raise();
    });
    return action;
}

/// Heights of the docks in a window of this height. A large one gives its room to what is never whole: the
/// distribution, the problems and the chart.
void MainWindow::arrangeDocks()
{
    const auto dock = [this](const char *name) { return findChild<QDockWidget *>(QLatin1String(name)); };
    const int more = std::max(0, height() - 900);
    resizeDocks({dock("pipeline"), dock("runs")}, {680 + more / 2, 130 + more / 2}, Qt::Vertical);
    resizeDocks({dock("inspector"), dock("distribution")}, {500 + more / 4, 310 + more * 3 / 4}, Qt::Vertical);
    resizeDocks({dock("errors"), dock("problems")}, {205 + more / 3, 170 + more / 4}, Qt::Vertical);
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
        for (QDockWidget *dock : std::exchange(m_hiddenDocks, {})) dock->show();
        for (const char *name : {"pipeline", "problems"})
            if (auto *front = findChild<QDockWidget *>(QLatin1String(name))) front->raise();
        // For the first time: the window has had its size by now
        if (!std::exchange(m_isArranged, true)) QTimer::singleShot(0, this, &MainWindow::arrangeDocks);
        return;
    }
    if (!m_hiddenDocks.isEmpty()) return;
    for (QDockWidget *dock : findChildren<QDockWidget *>()) {
        if (dock->isHidden()) continue;
        m_hiddenDocks.append(dock);
        dock->hide();
    }
}

void MainWindow::saveLayout()
{
    showDocks(true); // hidden ones are none of the layout's
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
    m_layoutMenu->clear(); // leaves submenus, one of which may be calling
    for (QMenu *submenu : m_layoutMenu->findChildren<QMenu *>(QString(), Qt::FindDirectChildrenOnly))
        submenu->deleteLater();
    QSettings settings;
    settings.beginGroup(QStringLiteral("layouts"));
    const QStringList names = settings.childKeys();
    for (const QString &name : names)
        m_layoutMenu->addAction(name, this, [this, name] {
            m_hiddenDocks.clear();
            restoreState(QSettings().value(QStringLiteral("layouts/") + name).toByteArray());
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
    arrangeDocks();
}

} // namespace ql
