#include "views/window/command_palette.h"

#include "views/style/buttons.h"
#include "views/window/translation.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QSet>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace ql {

/// Distances of names with scattered letters, and of those with the whole piece inside a word.
static constexpr int strewn = 1000, insideAWord = 100;
/// Letters of a piece from this length on may be scattered only over a few others: most long names contain them
/// somewhere.
static constexpr int longPiece = 5;

int fuzzyDistance(const QString &typed, const QString &text)
{
    const QString lower = text.toLower(), wanted = typed.toLower().trimmed();
    if (wanted.isEmpty()) return 0;
    // A whole piece of the name, ideally the start of a word, comes before scattered letters
    const qsizetype first = lower.indexOf(wanted);
    for (qsizetype place = first; place >= 0; place = lower.indexOf(wanted, place + 1))
        if (place == 0 || !lower[place - 1].isLetterOrNumber()) return int(std::min<qsizetype>(place, insideAWord - 1));
    if (first >= 0) return insideAWord + int(std::min<qsizetype>(first, insideAWord));
    int distance = strewn;
    const bool isLongWord = wanted.size() >= longPiece && !wanted.contains(QLatin1Char(' '));
    qsizetype gaps = 0;
    qsizetype at = -1;
    for (const QChar c : wanted) {
        if (c.isSpace()) continue;
        const qsizetype next = lower.indexOf(c, at + 1);
        if (next < 0) return -1;
        if (at >= 0)
            gaps += next - at - 1;
        else
            distance += int(std::min<qsizetype>(next, 10));
        at = next;
    }
    return isLongWord && gaps > wanted.size() ? -1 : distance + int(gaps);
}

/// Position of a word in a text, as a whole word; -1: not found.
static qsizetype wholeWord(const QString &word, const QString &text)
{
    const auto goesOn = [&text](qsizetype at) { return at >= 0 && at < text.size() && text[at].isLetterOrNumber(); };
    const auto next = [&](qsizetype from) { return text.indexOf(word, from, Qt::CaseInsensitive); };
    for (qsizetype at = next(0); at >= 0; at = next(at + 1))
        if (!goesOn(at - 1) && !goesOn(at + word.size())) return at;
    return -1;
}

int commandDistance(const QString &typed, const Command &command)
{
    if (typed.trimmed().isEmpty()) return 0;
    constexpr int afterNames = 6 * insideAWord;
    const int byName = fuzzyDistance(typed, command.name), byWords = fuzzyDistance(typed, command.words);
    const bool isName = byName >= 0 && byName < strewn, isWord = byWords >= 0 && byWords < strewn;
    if (isName && wholeWord(typed.trimmed(), command.name) >= 0) return byName;
    // A whole word comes before a piece of a word of a name: names in Chinese have few spaces
    if (const qsizetype at = wholeWord(typed.trimmed(), command.words); at >= 0)
        return insideAWord + int(std::min<qsizetype>(at, insideAWord - 1));
    if (isName) return 2 * insideAWord + byName;
    return isWord ? afterNames + byWords : byName;
}

/// The menu that contains an action or another menu's entry; null for the menu bar and buttons.
static QMenu *menuOf(const QAction &action)
{
    for (QObject *object : action.associatedObjects())
        if (auto *menu = qobject_cast<QMenu *>(object)) return menu;
    return nullptr;
}

/// "Layouts: Remove: "; empty for menus in the menu bar.
static QString pathOf(const QMenu &menu)
{
    const QAction &entry = *menu.menuAction();
    for (const QObject *object : entry.associatedObjects())
        if (qobject_cast<const QMenuBar *>(object)) return {};
    const QMenu *outer = menuOf(entry);
    QString title = plainText(menu.title());
    if (title.isEmpty() && menu.parentWidget()) title = menu.parentWidget()->accessibleName();
    return (outer ? pathOf(*outer) : QString()) + (title.isEmpty() ? title : title + QStringLiteral(": "));
}

namespace {

struct Synonym
{
    const char *name;  ///< English: the start of a word of a command
    const char *words; ///< synonyms that people search for
};

/// Found in the language of the window and in English.
const Synonym synonyms[] = {
    {"Export", QT_TRANSLATE_NOOP("ql::CommandPalette", "report HTML deploy convert")},
    {"Fit", QT_TRANSLATE_NOOP("ql::CommandPalette", "zoom whole size")},
    {"Find", QT_TRANSLATE_NOOP("ql::CommandPalette", "search filter")},
    {"Run", QT_TRANSLATE_NOOP("ql::CommandPalette", "start calibrate quantize")},
    {"Stop", QT_TRANSLATE_NOOP("ql::CommandPalette", "cancel abort")},
    {"Data", QT_TRANSLATE_NOOP("ql::CommandPalette", "dataset images calibration preprocessing metric labels")},
    {"Colour", QT_TRANSLATE_NOOP("ql::CommandPalette", "color overlay")},
    {"Undo", QT_TRANSLATE_NOOP("ql::CommandPalette", "revert")},
    {"Compare", QT_TRANSLATE_NOOP("ql::CommandPalette", "difference report")},
    {"Model inputs", QT_TRANSLATE_NOOP("ql::CommandPalette", "settings preferences GPU CUDA threads shape")},
    {"Platforms", QT_TRANSLATE_NOOP("ql::CommandPalette", "target hardware chip")},
    {"Docks", QT_TRANSLATE_NOOP("ql::CommandPalette", "panels windows")},
    {"Theme", QT_TRANSLATE_NOOP("ql::CommandPalette", "dark light appearance")},
    {"Manual", QT_TRANSLATE_NOOP("ql::CommandPalette", "help documentation")},
    {"Import encodings", QT_TRANSLATE_NOOP("ql::CommandPalette", "quantized INT8 scales QDQ AIMET")},
    {"Training", QT_TRANSLATE_NOOP("ql::CommandPalette", "loss learn LSQ AdaRound")},
    {"Noise", QT_TRANSLATE_NOOP("ql::CommandPalette", "explain origin heat map provenance samples")},
    {"Tune", QT_TRANSLATE_NOOP("ql::CommandPalette", "search optimize Pareto")},
    {"Plug-ins", QT_TRANSLATE_NOOP("ql::CommandPalette", "extension library")},
    {"Shortcuts", QT_TRANSLATE_NOOP("ql::CommandPalette", "keys keyboard")},
};

} // namespace

/// Words under which a command is found besides its name: its English name, and synonyms.
static QString otherWordsOf(const QString &english)
{
    QStringList words{english};
    for (const Synonym &synonym : synonyms)
        if (fuzzyDistance(QLatin1String(synonym.name), english) >= 0 &&
            fuzzyDistance(QLatin1String(synonym.name), english) < insideAWord)
            words += {QLatin1String(synonym.words), CommandPalette::tr(synonym.words)};
    words.removeDuplicates();
    return words.join(QLatin1Char(' '));
}

/// The label of a tool bar button, if it differs from the name of its command or menu.
static QString wordsOf(const QAction &action, const QMenu *menu)
{
    QStringList words{action.property(commandWords).toString(), plainText(action.iconText())};
    QString english = plainText(englishOf(action.text()));
    if (menu && menuOf(*menu->menuAction())) english.prepend(plainText(englishOf(menu->title())) + QLatin1Char(' '));
    words.append(otherWordsOf(english));
    for (; menu; menu = menuOf(*menu->menuAction()))
        if (const auto *button = qobject_cast<const QToolButton *>(menu->parentWidget()))
            words.append(button->text().section(QLatin1Char(' '), 0, 0)); // before the value
    return words.join(QLatin1Char(' '));
}

/// Whether the widgets around an action are enabled: a disabled button keeps its menu closed.
static bool isReachable(const QAction &action, const QWidget &window)
{
    for (const QObject *object = action.parent(); object && object != &window; object = object->parent()) {
        const auto *widget = qobject_cast<const QWidget *>(object);
        if (!widget) continue;
        if (!widget->isEnabled() || qobject_cast<const QDialog *>(widget)) return false;
        // A submenu that its menu has removed when it was refilled
        const auto *menu = qobject_cast<const QMenu *>(widget);
        if (menu && qobject_cast<const QMenu *>(menu->parent()) && !menuOf(*menu->menuAction())) return false;
    }
    return true;
}

QVector<Command> commandsOf(QWidget &window, const QVector<QAction *> &first)
{
    for (QMenu *menu : window.findChildren<QMenu *>()) Q_EMIT menu->aboutToShow(); // what fills some of them
    QVector<Command> commands;
    QSet<QString> names;
    const auto add = [&](QAction *action, const QString &name) {
        if (!action->isEnabled()) return;
        // A remedy of several problems is offered once
        if (names.contains(name) && action->objectName().startsWith(QLatin1String("remedy_"))) return;
        names.insert(name);
        commands.append({action, name, wordsOf(*action, menuOf(*action))});
    };
    for (QAction *action : first) add(action, plainText(action->text()));
    const QSet<QAction *> known(first.begin(), first.end());
    for (QAction *action : window.findChildren<QAction *>()) {
        const bool isCommand = !action->isSeparator() && !action->menu() && !action->text().isEmpty();
        if (!isCommand || known.contains(action) || !isReachable(*action, window)) continue;
        const QMenu *menu = menuOf(*action);
        add(action, (menu ? pathOf(*menu) : QString()) + plainText(action->text()));
    }
    return commands;
}

CommandPalette::CommandPalette(const QVector<QAction *> &first, QWidget *window)
    : QDialog(window, Qt::Popup), m_commands(commandsOf(*window, first)), m_line(new QLineEdit), m_list(new QListWidget)
{
    setObjectName(QStringLiteral("palette"));
    m_line->setPlaceholderText(tr("What do you want to do?"));
    m_line->setAccessibleName(tr("Command"));
    m_line->installEventFilter(this);
    m_list->setAccessibleName(tr("Commands"));
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // long names are elided
    auto *box = new QVBoxLayout(this);
    box->setContentsMargins(8, 8, 8, 8);
    box->addWidget(m_line);
    box->addWidget(m_list);
    resize(460, 380);
    move(window->mapToGlobal(QPoint((window->width() - width()) / 2, 90)));
    connect(m_line, &QLineEdit::textChanged, this, &CommandPalette::fill);
    connect(m_list, &QListWidget::itemActivated, this, &CommandPalette::act);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::act);
    fill({});
    m_line->setFocus();
}

void CommandPalette::fill(const QString &text)
{
    QVector<QPair<int, int>> found;
    for (int i = 0; i < m_commands.size(); ++i)
        if (const int distance = commandDistance(text, m_commands[i]); distance >= 0) found.append({distance, i});
    std::stable_sort(found.begin(), found.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    m_list->clear();
    for (const auto &[distance, i] : found) {
        const auto &[action, name, words] = m_commands[i];
        const QString keys = action ? action->shortcut().toString(QKeySequence::NativeText) : QString();
        auto *item = new QListWidgetItem(keys.isEmpty() ? name : QStringLiteral("%1      %2").arg(name, keys));
        item->setData(Qt::UserRole, i);
        m_list->addItem(item);
    }
    if (m_list->count() == 0) {
        auto *none = new QListWidgetItem(tr("No command matches."));
        none->setFlags(Qt::NoItemFlags);
        m_list->addItem(none);
        return;
    }
    m_list->setCurrentRow(0);
}

void CommandPalette::act()
{
    const QListWidgetItem *item = m_list->currentItem();
    if (!item || !(item->flags() & Qt::ItemIsEnabled)) return; // nothing was found
    const QPointer<QAction> action = m_commands[item->data(Qt::UserRole).toInt()].action;
    close();
    if (!action) return;
    if (action->property(showsPanel).toBool()) action->setChecked(false);
    action->trigger();
}

bool CommandPalette::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_line && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        const int row = m_list->currentRow();
        if (key == Qt::Key_Down) m_list->setCurrentRow(std::min(row + 1, m_list->count() - 1));
        if (key == Qt::Key_Up) m_list->setCurrentRow(std::max(row - 1, 0));
        if (key == Qt::Key_Return || key == Qt::Key_Enter) act();
        if (key == Qt::Key_Down || key == Qt::Key_Up || key == Qt::Key_Return || key == Qt::Key_Enter) return true;
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace ql
