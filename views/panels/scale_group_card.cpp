#include "views/panels/scale_group_card.h"

#include "views/models/operation_rows.h"
#include "views/style/theme.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

namespace ql {

/// Beyond this number only the count is shown: the card stays small.
static constexpr int maxChips = 4;

ScaleGroupCard::ScaleGroupCard(QWidget *parent) : QFrame(parent), m_text(new QLabel), m_chips(new QGridLayout)
{
    setProperty("outlined", true);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    m_chips->setHorizontalSpacing(6);
    m_chips->setVerticalSpacing(4);
    auto *box = new QVBoxLayout(this);
    box->setContentsMargins(10, 7, 10, 8);
    box->setSpacing(5);
    box->addWidget(m_text);
    box->addLayout(m_chips);
    connect(m_text, &QLabel::linkActivated, this, &ScaleGroupCard::allChosen);
}

void ScaleGroupCard::setMembers(const GraphSnapshot &graph, const QVector<const ConfigInfo *> &members,
                                const QString &scale)
{
    // Not deleted immediately: a click on one of them may be the cause
    while (QLayoutItem *item = m_chips->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    setVisible(members.size() > 1);
    if (members.size() < 2) return;
    const QString fact = scale.isEmpty() ? tr("%n slot(s) share one scale", nullptr, int(members.size()))
                                         : tr("%n slot(s) share %1", nullptr, int(members.size())).arg(scale);
    m_text->setText(QStringLiteral("<b>◆ %1</b> %2 <a href=\"all\" style=\"color:%3; text-decoration:none\">%4</a>")
                        .arg(tr("Scale group"), fact, Theme::current().accent.name(),
                             tr("select all").replace(QLatin1Char(' '), QChar(0x00a0))));
    m_text->setAccessibleName(tr("Scale group"));
    // Two have a line each
    m_columns = members.size() > 2 ? 2 : 1;
    for (int column = 0; column < 2; ++column) m_chips->setColumnStretch(column, column < m_columns ? 1 : 0);
    const int shown = members.size() > maxChips ? maxChips - 1 : int(members.size());
    for (int i = 0; i < shown; ++i) {
        const ConfigInfo &member = *members[i];
        const int op = graph.find(member.operation);
        const QString slot =
            op < 0 ? QString(toString(member.role)) : slotTitle(graph, graph.operations[op], member.role, member.index);
        auto *chip = new QPushButton;
        chip->setProperty("member", true);
        chip->setProperty("operation", member.operation);
        chip->setProperty("slotText", slot);
        chip->setToolTip(QStringLiteral("%1 · %2\n%3").arg(member.operation, slot, member.variable));
        chip->setAccessibleName(QStringLiteral("%1 · %2").arg(member.operation, slot));
        chip->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        chip->setCursor(Qt::PointingHandCursor);
        connect(chip, &QPushButton::clicked, this, [this, operation = member.operation] { Q_EMIT chosen(operation); });
        m_chips->addWidget(chip, i / m_columns, i % m_columns);
    }
    if (members.size() > shown) {
        auto *more = new QLabel(tr("… and %n more", nullptr, int(members.size()) - shown));
        more->setProperty("dim", true);
        m_chips->addWidget(more, shown / m_columns, shown % m_columns);
    }
    elide();
}

/// The operation's name shrinks in favour of the rest.
void ScaleGroupCard::elide()
{
    const QMargins margins = layout()->contentsMargins();
    const int spacing = (m_columns - 1) * m_chips->horizontalSpacing();
    const int room = (width() - margins.left() - margins.right() - spacing) / m_columns - 20;
    for (int i = 0; i < m_chips->count(); ++i) {
        auto *chip = qobject_cast<QPushButton *>(m_chips->itemAt(i)->widget());
        if (!chip) continue;
        const QString rest = QStringLiteral(" · ") + chip->property("slotText").toString();
        const int left = std::max(20, room - fontMetrics().horizontalAdvance(rest));
        chip->setText(fontMetrics().elidedText(chip->property("operation").toString(), Qt::ElideMiddle, left) + rest);
    }
}

void ScaleGroupCard::resizeEvent(QResizeEvent *event)
{
    QFrame::resizeEvent(event);
    elide();
}

} // namespace ql
