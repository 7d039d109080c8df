#pragma once

#include <QAction>
#include <QDialog>
#include <QPointer>
#include <QString>
#include <QVector>

class QLineEdit;
class QListWidget;

namespace ql {

/// An action as named in the palette: by its own text, prefixed by that of the menu if it is ambiguous.
struct Command
{
    QPointer<QAction> action; ///< null if its menu was refilled meanwhile
    QString name;
    QString words = {}; ///< other words under which it is found
};

/// Property of an action: other words under which it is found, in any language.
inline constexpr char commandWords[] = "commandWords";
/// Property of an action that shows a panel when it is checked: the palette never hides the panel.
inline constexpr char showsPanel[] = "showsPanel";

/// Every enabled action of a window and its panels: `first` with their own names, then those of all menus, including
/// ones that are filled on demand. Without temporary menus: context menus for the item below the mouse.
QVector<Command> commandsOf(QWidget &window, const QVector<QAction *> &first);

/// Every action by name: type a few letters, Enter runs it.
class CommandPalette : public QDialog
{
    Q_OBJECT

public:
    /// @param first the window's own actions; those of its panels are found
    explicit CommandPalette(const QVector<QAction *> &first, QWidget *window);
    const QVector<Command> &commands() const { return m_commands; }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void fill(const QString &text);
    void act();

    QVector<Command> m_commands;
    QLineEdit *m_line;
    QListWidget *m_list;
};

/// By the name as in fuzzyDistance(), or by a whole piece of the other words: after names, but a whole word comes
/// before a piece of a word of a name.
int commandDistance(const QString &typed, const Command &command);

/// Whether the letters of typed occur in text in this order; @returns how scattered they are, -1 if they do not.
int fuzzyDistance(const QString &typed, const QString &text);

} // namespace ql
