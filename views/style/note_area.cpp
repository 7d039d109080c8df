#include "views/style/note_area.h"

#include <QLabel>
#include <QResizeEvent>
#include <algorithm>

namespace ql {

NoteArea::NoteArea(QLabel *label, int most, QWidget *parent) : QScrollArea(parent), m_label(label), m_most(most)
{
    setProperty("note", true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWidgetResizable(true);
    setFocusPolicy(Qt::NoFocus);
    label->setWordWrap(true);
    label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    setWidget(label);
    fit();
}

void NoteArea::setText(const QString &text)
{
    m_label->setText(text);
    fit();
}

void NoteArea::fit()
{
    const int needed = m_label->text().isEmpty() ? 0 : m_label->heightForWidth(viewport()->width());
    // A text that is scrolled ends between two lines
    const QMargins margins = m_label->contentsMargins();
    const int line = m_label->fontMetrics().lineSpacing();
    const int most = margins.top() + std::max(1, (m_most - margins.top()) / line) * line;
    setFixedHeight(std::min(std::max(needed, fontMetrics().height() + 2), most));
}

void NoteArea::resizeEvent(QResizeEvent *event)
{
    QScrollArea::resizeEvent(event);
    if (event->oldSize().width() != event->size().width()) fit();
}

} // namespace ql
