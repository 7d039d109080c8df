#include "views/window/command_palette.h"

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace ql {

int fuzzyDistance(const QString &typed, const QString &text)
{
    int distance = 0;
    qsizetype at = -1;
    for (const QChar c : typed.toLower()) {
        if (c.isSpace()) continue;
        const qsizetype next = text.toLower().indexOf(c, at + 1);
        if (next < 0) return -1;
        if (at >= 0)
            distance += int(next - at - 1);
        else
            distance += int(std::min<qsizetype>(next, 10));
        at = next;
    }
    return distance;
}

CommandPalette::CommandPalette(const QVector<QAction *> &actions, QWidget *parent)
    : QDialog(parent, Qt::Popup), m_actions(actions), m_line(new QLineEdit), m_list(new QListWidget)
{
    setObjectName(QStringLiteral("palette"));
    m_line->setPlaceholderText(tr("What do you want to do?"));
    m_line->setAccessibleName(tr("Command"));
    m_line->installEventFilter(this);
    m_list->setAccessibleName(tr("Commands"));
    auto *box = new QVBoxLayout(this);
    box->setContentsMargins(8, 8, 8, 8);
    box->addWidget(m_line);
    box->addWidget(m_list);
    resize(460, 380);
    if (parent) move(parent->mapToGlobal(QPoint((parent->width() - width()) / 2, 90)));
    connect(m_line, &QLineEdit::textChanged, this, &CommandPalette::fill);
    connect(m_list, &QListWidget::itemActivated, this, &CommandPalette::act);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::act);
    fill({});
    m_line->setFocus();
}

void CommandPalette::fill(const QString &text)
{
    QVector<QPair<int, int>> found;
    for (int i = 0; i < m_actions.size(); ++i) {
        const QString name = QString(m_actions[i]->text()).remove(QLatin1Char('&'));
        if (const int distance = fuzzyDistance(text, name); distance >= 0 && m_actions[i]->isEnabled())
            found.append({distance, i});
    }
    std::stable_sort(found.begin(), found.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    m_list->clear();
    for (const auto &[distance, i] : found) {
        const QString keys = m_actions[i]->shortcut().toString(QKeySequence::NativeText);
        const QString name = QString(m_actions[i]->text()).remove(QLatin1Char('&'));
        auto *item = new QListWidgetItem(keys.isEmpty() ? name : QStringLiteral("%1      %2").arg(name, keys));
        item->setData(Qt::UserRole, i);
        m_list->addItem(item);
    }
    m_list->setCurrentRow(0);
}

void CommandPalette::act()
{
    if (!m_list->currentItem()) return;
    QAction *action = m_actions[m_list->currentItem()->data(Qt::UserRole).toInt()];
    close();
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
