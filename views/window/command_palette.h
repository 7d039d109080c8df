#pragma once

#include <QAction>
#include <QDialog>
#include <QPointer>
#include <QString>
#include <QVector>

class QLineEdit;
class QListWidget;

namespace ql {

/// An action as the palette names it: by its own text, after that of the menu where this alone says too little.
struct Command
{
    QPointer<QAction> action; ///< null when its menu was filled anew meanwhile
    QString name;
    QString words = {}; ///< under which it is found, too
};

/// Property of an action: other words under which it is found, in whatever language.
inline constexpr char commandWords[] = "commandWords";

/// Every action of a window and its panels that can be done now: `first` with their own names, then those of all
/// menus, also of ones that are filled when they are shown. Without what a menu does not live on for: context menus
/// about the thing below the mouse, which are made for one click.
QVector<Command> commandsOf(QWidget &window, const QVector<QAction *> &first);

/// Every action by name: type a few letters, Enter does it.
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

/// By the name as fuzzyDistance(), or by a whole piece of the other words: behind names, but a word of its own is
/// before a piece inside of a word of a name.
int commandDistance(const QString &typed, const Command &command);

/// Whether the letters of typed come in text in this order; @returns how scattered they are, -1 when they do not.
int fuzzyDistance(const QString &typed, const QString &text);

} // namespace ql
