#pragma once

#include <QScrollArea>

class QLabel;

namespace ql {

/// A text of several lines in a form: as high as the text needs, and scrolled if that is more than most.
class NoteArea : public QScrollArea
{
    Q_OBJECT

public:
    /// @param label wraps its words; owned by the area
    NoteArea(QLabel *label, int most, QWidget *parent = nullptr);
    void setText(const QString &text);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void fit();

    QLabel *m_label;
    int m_most;
};

} // namespace ql
