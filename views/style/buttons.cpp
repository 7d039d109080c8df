#include "views/style/buttons.h"

#include "views/style/theme.h"

#include <QAction>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QMenu>
#include <QRegularExpression>
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

QToolButton *iconButton(const QString &icon, const QString &tip)
{
    constexpr int side = 24;
    QToolButton *button = textButton(QString(), tip);
    button->setIcon(lineIcon(icon));
    button->setIconSize({14, 14});
    button->setProperty("square", true);
    button->setFixedSize(side, side);
    return button;
}

QToolButton *menuButton(const QString &icon, const QString &tip, QMenu &menu)
{
    QToolButton *button = iconButton(icon, tip);
    menu.setParent(button, menu.windowFlags()); // closed while the button is disabled
    button->setMenu(&menu);
    button->setPopupMode(QToolButton::InstantPopup);
    return button;
}

QString plainText(const QString &text)
{
    static const QRegularExpression inBrackets(QStringLiteral("\\(&\\w\\)"));
    return QString(text).remove(inBrackets).remove(QLatin1Char('&'));
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
    QToolButton *shown = &button;
    QAction *action = menu.addAction(button.text());
    action->setCheckable(true);
    const auto follow = [action, shown] {
        action->setChecked(shown->isChecked());
        action->setEnabled(shown->isEnabled());
    };
    QObject::connect(action, &QAction::triggered, shown, [shown, follow] {
        shown->click();
        follow(); // an exclusive button that is down stays down
    });
    QObject::connect(shown, &QToolButton::toggled, action, follow);
    QObject::connect(&menu, &QMenu::aboutToShow, action, follow);
    follow();
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
