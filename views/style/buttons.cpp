#include "views/style/buttons.h"

#include <QAction>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>

namespace ql {

QToolButton *textButton(const QString &text, const QString &tip)
{
    auto *button = new QToolButton;
    button->setText(text);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

QToolButton *toggleButton(const QString &text, const QString &tip, bool on)
{
    QToolButton *button = textButton(text, tip);
    button->setCheckable(true);
    button->setChecked(on);
    button->setProperty("segment", true);
    return button;
}

void addToggleAction(QMenu &menu, QToolButton &button)
{
    QAction *action = menu.addAction(button.text(), &button, &QToolButton::click);
    action->setCheckable(true);
    action->setChecked(button.isChecked());
    action->setEnabled(button.isEnabled());
}

QButtonGroup *addSegments(QWidget &row, const QStringList &texts)
{
    auto *group = new QButtonGroup(&row);
    auto *box = new QHBoxLayout;
    box->setSpacing(0);
    for (int i = 0; i < texts.size(); ++i) {
        QToolButton *button = toggleButton(texts[i], {}, i == 0);
        button->setAccessibleName(texts[i]);
        group->addButton(button, i);
        box->addWidget(button);
    }
    static_cast<QHBoxLayout *>(row.layout())->addLayout(box);
    return group;
}

} // namespace ql
