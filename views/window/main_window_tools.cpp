// The tool bar: the current choices, as buttons with menus, and the search.
#include "views/bridge/command_text.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/engine_text.h"
#include "views/bridge/platform_item.h"
#include "views/bridge/run_history.h"
#include "views/commands/recipe_command.h"
#include "views/models/operation_model.h"
#include "views/panels/data_dialog.h"
#include "views/style/theme.h"
#include "views/window/center_view.h"
#include "views/window/main_window.h"
#include "views/window/start_page.h"

#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QResizeEvent>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>

namespace ql {

using nlohmann::json;

static QToolButton *chip(const QString &name)
{
    auto *button = new QToolButton;
    button->setProperty("chip", true);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setAccessibleName(name);
    return button;
}

void MainWindow::makeToolBar()
{
    auto *bar = m_tools = new QToolBar(tr("Tools"));
    bar->setObjectName(QStringLiteral("tools"));
    bar->setMovable(false);
    bar->setIconSize({16, 16});
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    addToolBar(bar);
    m_open->setIconText(tr("Open"));
    m_save->setIconText(tr("Save"));
    bar->addAction(m_open);
    bar->addAction(m_save);
    bar->addSeparator();
    bar->addAction(m_undo);
    bar->addAction(m_redo);
    m_openButton = static_cast<QToolButton *>(bar->widgetForAction(m_open));
    m_saveButton = static_cast<QToolButton *>(bar->widgetForAction(m_save));
    for (QAction *action : {m_undo, m_redo})
        static_cast<QToolButton *>(bar->widgetForAction(action))->setToolButtonStyle(Qt::ToolButtonIconOnly);
    bar->addSeparator();
    addChips();
    auto *spacer = new QWidget;
    spacer->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(spacer);
    addSearch();
}

/// What is chosen, around the buttons that run it.
void MainWindow::addChips()
{
    m_platformChip = chip(tr("Platform"));
    m_platformChip->setObjectName(QStringLiteral("platformChip"));
    m_dataChip = chip(tr("Data"));
    connect(m_dataChip, &QToolButton::clicked, this, [this] { DataDialog(*m_document, this).exec(); });
    m_engineChip = chip(tr("Engine"));
    connect(m_engineChip, &QToolButton::clicked, this, [this] { chooseEngine(); });
    m_runChip = chip(tr("Run"));
    m_baselineChip = chip(tr("Baseline"));
    m_baselineChip->setObjectName(QStringLiteral("baselineChip"));
    for (QToolButton *button : {m_platformChip, m_runChip, m_baselineChip}) {
        button->setMenu(new QMenu(button));
        button->setPopupMode(QToolButton::InstantPopup);
    }
    m_runButton = new QToolButton;
    m_run->setIconText(tr("Run"));
    m_runButton->setDefaultAction(m_run);
    const auto onAccent = [this] { m_runButton->setIcon(lineIcon(QStringLiteral("run"), IconRole::OnAccent)); };
    connect(m_run, &QAction::changed, m_runButton, onAccent); // after the button took the action's
    onAccent();
    m_runButton->setProperty("primary", true);
    m_runButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_runButton->setObjectName(QStringLiteral("runButton"));
    m_stopButton = new QToolButton;
    m_stopButton->setDefaultAction(m_stop);
    m_stopButton->setToolButtonStyle(Qt::ToolButtonIconOnly);
    auto *live = new QToolButton;
    live->setDefaultAction(m_live);
    live->setToolButtonStyle(Qt::ToolButtonTextOnly);
    live->setObjectName(QStringLiteral("live"));
    for (QToolButton *button : {m_platformChip, m_dataChip, m_engineChip, m_runButton, m_stopButton, live})
        m_tools->addWidget(button);
    m_tools->addSeparator();
    m_tools->addWidget(m_runChip);
    m_tools->addWidget(m_baselineChip);
}

void MainWindow::addSearch()
{
    m_search = new QLineEdit;
    m_search->setClearButtonEnabled(true);
    m_search->setMaximumWidth(260);
    m_search->setPlaceholderText(tr("find: Conv, error>0.1"));
    m_search->setAcceptDrops(false); // files are dropped on the window
    m_search->setObjectName(QStringLiteral("search"));
    m_search->setAccessibleName(tr("Find operations"));
    m_search->setToolTip(
        tr("Words in the name or type; bits<8, error>0.1, layerwise>1%, sqnr<20, cosine<0.99, delta<0 (dB from "
           "baseline); type:Conv, platform:FP32, state:passive; /regular expression/; \"literal text\""));
    m_tools->addWidget(m_search);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString &text) {
        const QString error = m_center->search(text);
        m_search->setProperty("wrong", !error.isEmpty());
        repolish(*m_search);
        statusBar()->clearMessage();
        m_found = text.isEmpty()    ? QString()
                  : error.isEmpty() ? tr("%n operation(s) found", nullptr, m_center->hitCount())
                                    : error;
        refreshStatus();
    });
    connect(m_search, &QLineEdit::returnPressed, this, [this] { m_center->nextHit(1); });
}

void MainWindow::refreshChips()
{
    const api::Recipe &recipe = m_document->recipe();
    const bool has = !m_document->isEmpty();
    for (QToolButton *button : {m_platformChip, m_dataChip, m_runChip, m_baselineChip}) button->setEnabled(has);
    for (QAction *action : m_ofDocument) action->setEnabled(has);
    m_platformChip->setToolTip(tr("Target that the model is quantized for"));
    m_dataChip->setToolTip(tr("Calibration: %1\nEvaluation: %2\nPreprocessing: %3 (Ctrl+D)")
                               .arg(m_document->absolutePath(recipe.calibration.path),
                                    recipe.evaluation.path.empty() ? tr("the calibration data")
                                                                   : m_document->absolutePath(recipe.evaluation.path),
                                    QString::fromStdString(recipe.calibration.preprocess)));
    m_engineChip->setToolTip(commandText(m_engine->command()));
    m_start->setEngineText(m_engine->state() == EngineClient::State::Ready
                               ? tr("Engine %1 is ready.").arg(m_engine->version())
                           : m_engine->state() == EngineClient::State::Starting
                               ? tr("The engine is starting…")
                               : tr("The engine cannot be started: %1").arg(commandText(m_engine->command())));
    fitToolBar();
}

/// As many words as there is room for: otherwise the search at the end would be hidden.
void MainWindow::fitToolBar()
{
    for (const Words words : {Words::All, Words::Values, Words::Few, Words::Least}) {
        fillToolBar(words);
        if (m_tools->sizeHint().width() <= width()) return;
    }
}

void MainWindow::fillToolBar(Words words)
{
    const api::Recipe &recipe = m_document->recipe();
    const bool has = !m_document->isEmpty(), least = words == Words::Least, few = least || words == Words::Few;
    const QString arrow = QStringLiteral(" ▾");
    for (QToolButton *button : {m_openButton, m_saveButton})
        button->setToolButtonStyle(few ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
    m_search->setMinimumWidth(few ? 80 : 180);
    const auto named = [words](const QString &text, const QString &value) {
        return words == Words::All ? text.arg(value) : value;
    };
    m_platformChip->setText(
        named(tr("Platform  %1"), has ? QString::fromStdString(recipe.platform) : QStringLiteral("–")) + arrow);
    QString samples = tr("none");
    if (!recipe.calibration.path.empty()) {
        // The part after a long name matters, too
        const QString name = QFileInfo(QString::fromStdString(recipe.calibration.path)).fileName();
        samples = tr("%1 · %2 calib · %3 eval")
                      .arg(fontMetrics().elidedText(name, Qt::ElideMiddle, few ? 60 : 110))
                      .arg(recipe.calibration.samples)
                      .arg(recipe.evaluation.samples);
    }
    m_dataChip->setText(least ? tr("Data") : named(tr("Data  %1"), samples));
    const bool remote = m_engine->isRemote();
    const QString state = m_engine->state() == EngineClient::State::Ready      ? QString::fromStdString(recipe.device)
                          : m_engine->state() == EngineClient::State::Starting ? tr("starting…")
                                                                               : tr("failed");
    const QString where = tr("%1 · %2").arg(remote ? tr("remote") : tr("local"), state);
    m_engineChip->setText(few && !remote ? state : named(tr("Engine  %1"), where));
    int shown = 0;
    for (const RunRecord &run : m_document->history().runs())
        if (run.data == m_document->history().shown()) shown = run.number;
    const int baseline = m_document->history().baselineNumber();
    m_runChip->setText(shown <= 0 ? tr("Run  – ▾")
                       : few      ? QStringLiteral("#%1 ▾").arg(shown)
                                  : tr("Run  #%1 ▾").arg(shown));
    m_baselineChip->setText(baseline <= 0         ? tr("vs  – ▾")
                            : words == Words::All ? tr("vs  #%1 baseline ▾").arg(baseline)
                                                  : tr("vs  #%1 ▾").arg(baseline));
}

void MainWindow::resizeEvent(QResizeEvent *event)
{
    QMainWindow::resizeEvent(event);
    if (event->oldSize().width() != width()) fitToolBar();
}

void MainWindow::fillPlatformMenu()
{
    QMenu *menu = m_platformChip->menu();
    for (QMenu *before : menu->findChildren<QMenu *>()) before->deleteLater(); // clear() leaves them
    menu->clear();
    menu->setToolTipsVisible(true);
    if (!m_document->requests().catalogue()) return;
    m_carriedPlatforms = m_document->recipe().platforms;
    // Checked while isCurrent returns true
    const auto addChoice = [this](QMenu &choices, const QString &text, const QString &meaning, const auto &isCurrent,
                                  const auto &choose) {
        QAction *action = choices.addAction(text);
        action->setToolTip(meaning);
        action->setCheckable(true);
        const auto tick = [action, isCurrent] { action->setChecked(isCurrent()); };
        connect(m_document, &Document::recipeChanged, action, tick);
        connect(action, &QAction::triggered, this, [choose, tick] {
            choose();
            tick(); // a click has toggled it, even if there is nothing to change
        });
        tick();
    };
    const auto platform = [this] { return QString::fromStdString(m_document->recipe().platform); };
    for (const api::PlatformItem &item : platformItems(*m_document)) {
        const QString id = QString::fromStdString(item.id);
        const auto choose = [this, id] { choosePlatform(*m_document, id); };
        addChoice(
            *menu, QStringLiteral("%1   %2").arg(id, QString::fromStdString(item.title.english())),
            engineText(item.meaning), [platform, id] { return platform() == id; }, choose);
    }
    const auto dispatcher = [this] {
        const std::string &own = m_document->recipe().dispatcher;
        const std::optional<api::PlatformItem> target = platformItem(*m_document);
        return QString::fromStdString(own.empty() && target ? target->definition.dispatcher : own);
    };
    menu->addSeparator();
    menu->addAction(tr("Platforms: view, edit, compare…"), this, [this] { showPlatforms(); });
    QMenu *dispatchers = menu->addMenu(tr("Dispatcher"));
    dispatchers->setToolTipsVisible(true);
    for (const api::CatalogueItem &item : m_document->requests().known().dispatchers) {
        const QString id = QString::fromStdString(item.id);
        addChoice(
            *dispatchers, id, engineText(item.meaning), [dispatcher, id] { return dispatcher() == id; },
            [this, id] {
                editRecipe(*m_document, tr("Dispatcher %1").arg(id),
                           [&](api::Recipe &recipe) { recipe.dispatcher = id.toStdString(); });
            });
    }
    addTargetActions(*menu);
}

void MainWindow::fillRunMenus()
{
    const QVector<RunRecord> &runs = m_document->history().runs();
    m_runChip->menu()->clear();
    m_baselineChip->menu()->clear();
    for (auto it = runs.rbegin(); it != runs.rend(); ++it) {
        const int number = it->number;
        const QString text = QStringLiteral("#%1   %2   %3")
                                 .arg(number)
                                 .arg(it->name.isEmpty() ? QString::fromStdString(it->data->recipe.platform) : it->name,
                                      decibelText(it->data->outputSqnr()));
        m_runChip->menu()->addAction(text, this, [this, number] { m_document->history().show(number); });
        m_baselineChip->menu()->addAction(text, this, [this, number] { m_document->history().setBaseline(number); });
    }
    fitToolBar();
}

} // namespace ql
