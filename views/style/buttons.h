#pragma once

#include <QString>
#include <QStringList>
#include <functional>

class QAction;
class QButtonGroup;
class QMenu;
class QToolButton;
class QWidget;

namespace ql {

/// A small button with text or a sign; tip is also its name for screen readers.
QToolButton *textButton(const QString &text, const QString &tip);
/// A square button of 24 px with a lineIcon(); tip is also its name for screen readers.
QToolButton *iconButton(const QString &icon, const QString &tip);
/// An iconButton() that opens menu, and owns it.
QToolButton *menuButton(const QString &icon, const QString &tip, QMenu &menu);
/// The text of an action without its mnemonic: "&New window" and "新建窗口(&N)".
QString plainText(const QString &text);
/// One that is on or off, in the form of addSegments().
QToolButton *toggleButton(const QString &text, const QString &tip, bool on);
/// The function of button as an entry of a menu, while that exists: for a button that a narrow strip hides, and for the
/// list of all commands.
void addToggleAction(QMenu &menu, QToolButton &button);
/// A row of connected buttons of which one is down, added to the horizontal layout of row.
QButtonGroup *addSegments(QWidget &row, const QStringList &texts);

} // namespace ql
