// The actions of the main window: choices, navigation, the keyboard.
#include "views/window/main_window.h"

#include "views/bridge/command_text.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/run_history.h"
#include "views/commands/recipe_command.h"
#include "views/panels/distribution_panel.h"
#include "views/panels/inspector.h"
#include "views/panels/manual_dialog.h"
#include "views/panels/platform_dialog.h"
#include "views/panels/plugins_dialog.h"
#include "views/panels/table_export.h"
#include "views/panels/tune_panel.h"
#include "views/style/buttons.h"
#include "views/style/theme.h"
#include "views/window/center_view.h"
#include "views/window/command_palette.h"
#include "views/window/dock.h"
#include "views/window/error_choice.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QActionGroup>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QInputDialog>
#include <QKeyEvent>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QScreen>
#include <QSettings>
#include <QStandardPaths>
#include <QTableView>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <algorithm>

namespace ql {

using nlohmann::json;

void MainWindow::addArrangementActions()
{
    const auto addSwitch = [this](const QString &text, const auto &isOn, const auto &act) {
        auto *action = addAction(m_viewMenu, text, [] {});
        action->setCheckable(true);
        const auto show = [this, action, isOn] {
            const QSignalBlocker blocker(action);
            action->setChecked((m_center->*isOn)());
        };
        show();
        connect(action, &QAction::toggled, m_center, act);
        connect(m_center, &CenterView::arrangementChanged, action, show);
    };
    addSwitch(tr("Left to r&ight"), &CenterView::isLeftToRight, &CenterView::setLeftToRight);
    addSwitch(tr("&Wrap into columns"), &CenterView::isWrapped, &CenterView::setWrapped);
}

void MainWindow::makeFoldMenu()
{
    QMenu *menu = m_viewMenu->addMenu(tr("C&ollapse"));
    const auto addSwitch = [&](const QString &text, bool on, const auto &act) {
        auto *action = addAction(menu, text, [] {});
        action->setCheckable(true);
        action->setChecked(on);
        connect(action, &QAction::toggled, m_center, act);
        return action;
    };
    addSwitch(tr("Draw fused activations in one &box"), true, [this](bool on) { m_center->setFoldsFused(on); });
    addSwitch(tr("Collapse s&hape computation"), true,
              [this](bool on) { m_center->setAllFolded(CenterView::FoldAll::Shapes, on); });
    addSwitch(tr("Collapse the bod&ies of If, Loop and Scan"), true,
              [this](bool on) { m_center->setAllFolded(CenterView::FoldAll::Bodies, on); });
    auto *regions = addSwitch(tr("Collapse dispatch &regions"), false,
                              [this](bool on) { m_center->setAllFolded(CenterView::FoldAll::Regions, on); });
    menu->addSeparator();
    for (int depth = 1; depth <= 3; ++depth)
        addAction(menu, tr("Collapse groups by name, depth %1").arg(depth),
                  [this, depth] { m_center->foldNames(depth); });
    addAction(menu, tr("E&xpand all groups"), [this, regions] {
        regions->setChecked(false);
        m_center->foldNames(0);
    });
}

/// Checks the action of the current choice when its menu is shown.
static void addChoice(QActionGroup &group, QMenu &menu, QAction &action, const std::function<bool()> &isCurrent)
{
    action.setCheckable(true);
    group.addAction(&action);
    const auto tick = [shown = &action, isCurrent] {
        if (isCurrent()) shown->setChecked(true);
    };
    QObject::connect(&menu, &QMenu::aboutToShow, &action, tick);
    tick();
}

void MainWindow::makeThemeMenu()
{
    QMenu *menu = m_viewMenu->addMenu(tr("&Theme"));
    auto *group = new QActionGroup(menu);
    const QVector<QPair<QString, ThemeManager::Choice>> choices{
        {tr("Theme: follow the system"), ThemeManager::Choice::System},
        {tr("Theme: light"), ThemeManager::Choice::Light},
        {tr("Theme: dark"), ThemeManager::Choice::Dark}};
    for (const auto &[text, choice] : choices) {
        QAction *action = addAction(menu, text, [choice = choice] {
            QSettings().setValue(QStringLiteral("theme"), int(choice));
            ThemeManager::instance().choose(choice);
        });
        addChoice(*group, *menu, *action, [choice = choice] { return ThemeManager::instance().choice() == choice; });
    }
}

void MainWindow::makeLanguageMenu()
{
    struct Language
    {
        QString name, code;
        QLocale::Language language;
        QString words; // also for users who cannot read the current language
    };
    QMenu *menu = m_viewMenu->addMenu(tr("&Language"));
    auto *group = new QActionGroup(menu);
    const QVector<Language> languages{{QStringLiteral("English"), QStringLiteral("en"), QLocale::English,
                                       QStringLiteral("Language: English 语言 英文")},
                                      {QStringLiteral("简体中文"), QStringLiteral("zh_CN"), QLocale::Chinese,
                                       QStringLiteral("Language: Chinese 语言")}};
    for (const auto &[name, code, language, words] : languages) {
        QAction *action = addAction(menu, tr("Language: %1").arg(name), [this, code = code] {
            QSettings().setValue(QStringLiteral("language"), code);
            showMessage(tr("Restart the program to change the language."), {}, tr("Restart now"),
                        [this] { restart(); });
        });
        action->setProperty(commandWords, words);
        addChoice(*group, *menu, *action, [language = language] {
            const QString chosen = QSettings().value(QStringLiteral("language")).toString();
            const bool isChinese = (chosen.isEmpty() ? QLocale() : QLocale(chosen)).language() == QLocale::Chinese;
            return (language == QLocale::Chinese) == isChinese; // every other system uses English
        });
    }
}

void MainWindow::keepRuns(QString folder)
{
    if (folder.isEmpty())
        folder = QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + QStringLiteral("/runs");
    m_runFolder = folder;
    m_document->history().keepIn(folder);
}

// Choices

void MainWindow::showPlatforms()
{
    auto *dialog = new PlatformDialog(*m_document, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::showPlugins()
{
    auto *dialog = new PluginsDialog(*m_document, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &PluginsDialog::allowed, this, [this] {
        m_messageBar->hide();
        m_document->requests().inspectNow();
    });
    dialog->open();
}

void MainWindow::chooseEngine()
{
    bool ok = false;
    const QString before = commandText(m_engine->command());
    const QString text =
        QInputDialog::getText(this, tr("Engine"),
                              tr("Command that starts the engine, for example\nssh gpu-box quantloupe-cli "
                                 "serve\nEmpty: the engine installed with this program."),
                              QLineEdit::Normal, before, &ok);
    if (!ok || (text == before && m_engine->state() == EngineClient::State::Ready)) return;
    QStringList command = splitCommand(text);
    QSettings().setValue(QStringLiteral("engine"), text);
    if (command.isEmpty()) command = EngineClient::defaultCommand();
    if (m_messageEnd == MessageEnd::EngineIsReady) m_messageBar->hide(); // was about the previous one
    m_engine->setCommand(command);
}

void MainWindow::addLockMenu(QMenu &menu)
{
    QMenu *locks = menu.addMenu(tr("Lock for Tune"));
    for (const TuneForm::Lock lock : {TuneForm::Lock::Int8, TuneForm::Lock::Float, TuneForm::Lock::Keep})
        locks->addAction(TuneForm::lockText(lock), this, [this, lock] {
            m_tune->form()->lock(m_document->selection(), lock);
            dock(QStringLiteral("problems"))->showPage(QStringLiteral("tune"));
        });
}

void MainWindow::showContextMenu(const QString &operation, const QPoint &at)
{
    QMenu menu;
    if (!operation.isEmpty()) {
        if (!m_document->selection().contains(operation)) m_document->setCurrent(operation);
        const int count = int(m_document->selection().size());
        menu.addAction(tr("Run %n operation(s) in FP32", nullptr, count), this,
                       [this] { m_inspector->sendTo(QStringLiteral("FP32")); });
        menu.addAction(tr("Restore default dispatch"), this, [this] { m_inspector->sendTo({}); });
        addLockMenu(menu);
        menu.addAction(tr("Show where its noise comes from"), this,
                       [this] { dock(QStringLiteral("problems"))->showPage(QStringLiteral("origin")); });
        menu.addSeparator();
        const int op = m_document->graph()->find(operation);
        const QString type = op >= 0 ? m_document->graph()->operations[op].type : QString();
        menu.addAction(tr("Select every %1").arg(type), this, [this, type] {
            QStringList names;
            for (const OperationInfo &info : m_document->graph()->operations)
                if (info.type == type) names.append(info.name);
            m_document->setSelection(names, m_document->current());
        });
        menu.addSeparator();
        if (!m_center->showsTable()) m_center->addFoldActions(menu, operation);
        menu.addSeparator();
    }
    if (m_center->showsTable()) {
        addTableActions(menu, *m_center->table(), QStringLiteral("operations"));
    } else {
        menu.addAction(tr("Fit all"), m_center->graph(), &GraphView::fitAll);
        menu.addAction(tr("Save graph as image…"), this, &MainWindow::exportGraph);
    }
    menu.exec(at);
}

// Navigation

void MainWindow::stepWorst(int step)
{
    const QStringList worst = m_choice->worstFirst();
    if (worst.isEmpty()) return;
    const int at = int(worst.indexOf(m_document->current()));
    const int next = at < 0 ? 0 : std::clamp(at + step, 0, int(worst.size()) - 1);
    m_document->setCurrent(worst[next]);
    m_center->graph()->reveal(worst[next]);
}

void MainWindow::swapViews()
{
    m_center->showTable(!m_center->showsTable());
}

void MainWindow::goBack(int step)
{
    // Operations removed by an edit of the model are skipped
    int to = m_historyAt + step;
    while (to >= 0 && to < m_history.size() && (!m_document->graph() || m_document->graph()->find(m_history[to]) < 0))
        to += step;
    if (to < 0 || to >= m_history.size()) return;
    m_historyAt = to;
    m_isStepping = true;
    m_document->setCurrent(m_history[to]);
    m_isStepping = false;
    refreshHistory();
}

void MainWindow::refreshHistory()
{
    m_back->setEnabled(m_historyAt > 0);
    m_forward->setEnabled(m_historyAt + 1 < m_history.size());
}

/// Space presses, checks or opens it.
static bool usesSpace(QObject *watched)
{
    return qobject_cast<QAbstractButton *>(watched) || qobject_cast<QComboBox *>(watched) ||
           qobject_cast<QAbstractItemView *>(watched);
}

/// The wheel over an editor without focus scrolls the area around it, and changes no value.
static bool isWheelOverEditor(QObject *watched, const QEvent &event)
{
    auto *editor = watched->isWidgetType() ? static_cast<QWidget *>(watched) : nullptr;
    if (!qobject_cast<QComboBox *>(editor) && !qobject_cast<QAbstractSpinBox *>(editor)) return false;
    if (event.type() == QEvent::Polish && editor->focusPolicy() == Qt::WheelFocus)
        editor->setFocusPolicy(Qt::StrongFocus); // otherwise the wheel would focus it first
    return event.type() == QEvent::Wheel && !editor->hasFocus();
}

/// Unconfirmed typing is undone in the line edit. Otherwise undo applies to the document, even if a line edit has the
/// focus and would take the keys.
static bool isUndoOfDocument(QObject *watched, QEvent &event)
{
    if (event.type() != QEvent::ShortcutOverride) return false;
    const auto *line = qobject_cast<QLineEdit *>(watched);
    if (const auto *box = qobject_cast<QAbstractSpinBox *>(watched)) line = box->findChild<QLineEdit *>();
    const auto &key = static_cast<QKeyEvent &>(event);
    return line && !line->isModified() && (key.matches(QKeySequence::Undo) || key.matches(QKeySequence::Redo));
}

bool MainWindow::eventFilter(QObject *watched, QEvent *event)
{
    if (isWheelOverEditor(watched, *event) || isUndoOfDocument(watched, *event)) {
        event->ignore();
        return true;
    }
    if (event->type() == QEvent::ShortcutOverride && watched != m_center->table()) {
        auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_Space && key->modifiers() == Qt::NoModifier && usesSpace(watched)) {
            event->accept(); // no shortcut of the window
            return true;
        }
    }
    // Keys with a meaning in a table must not start its search by typing
    if ((event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress) &&
        watched == m_center->table()) {
        auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_Space && key->modifiers() == Qt::NoModifier) {
            if (event->type() == QEvent::KeyPress) swapViews();
            event->accept();
            return true;
        }
    }
    // Shortcuts of the window are blocked by a modal dialog
    if (const QWidget *dialog = QApplication::activeModalWidget();
        dialog && event->type() == QEvent::KeyPress && static_cast<QKeyEvent *>(event)->key() == Qt::Key_F1 &&
        watched->isWidgetType() && static_cast<QWidget *>(watched)->window() == dialog) {
        const QWidget *owner = dialog->parentWidget();
        while (owner && owner->parentWidget()) owner = owner->parentWidget();
        if (owner != this) return false; // another window's
        showManual();
        return true;
    }
    if (watched == m_search && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        m_search->clear();
        m_center->graph()->setFocus();
        return true;
    }
    return QMainWindow::eventFilter(watched, event);
}

void MainWindow::showPalette()
{
    auto *palette = new CommandPalette(m_actions, this);
    palette->setAttribute(Qt::WA_DeleteOnClose);
    palette->open();
}

void MainWindow::showShortcuts()
{
    QString text = QStringLiteral("<table cellspacing=4>");
    const auto row = [&](const QString &keys, const QString &what) {
        text += QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;</td><td>%2</td></tr>")
                    .arg(keys.toHtmlEscaped(), what.toHtmlEscaped());
    };
    for (const QAction *action : m_actions)
        if (!action->shortcut().isEmpty())
            row(action->shortcut().toString(QKeySequence::NativeText), plainText(action->text()));
    row(tr("J, K, arrows"), tr("Move along an edge or to a neighbour (graph)"));
    row(tr("Ctrl+wheel, + and −"), tr("Zoom (graph)"));
    row(tr("Enter, Backspace"), tr("Expand a group or show a body, collapse it again (graph)"));
    row(tr("Shift+drag"), tr("Select an area (graph)"));
    QDialog dialog(this);
    dialog.setWindowTitle(tr("Shortcuts"));
    auto *list = new QTextBrowser;
    list->setHtml(text + QStringLiteral("</table>"));
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    auto *box = new QVBoxLayout(&dialog);
    box->addWidget(list);
    box->addWidget(buttons);
    const int room = screen()->availableGeometry().height() - 120;
    dialog.resize(440, std::min(760, room));
    dialog.exec();
}

void MainWindow::showManual()
{
    // A modal dialog only allows its own windows
    QWidget *parent = QApplication::activeModalWidget() ? QApplication::activeModalWidget() : this;
    auto *manual = parent->findChild<ManualDialog *>();
    if (!manual) manual = new ManualDialog(parent);
    manual->show();
    manual->raise();
}

} // namespace ql
