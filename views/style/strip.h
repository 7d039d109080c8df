#pragma once

#include <QHBoxLayout>
#include <QVector>
#include <QWidget>

class QToolButton;

namespace ql {

/// A row of controls above a view. If it is narrow, some are hidden, so that the others stay complete and the window
/// can be small. A button at the end has a menu of the hidden buttons.
class Strip : public QWidget
{
    Q_OBJECT

public:
    explicit Strip(QWidget *parent = nullptr);
    QHBoxLayout *row() const { return m_row; }
    /// widgets: of the row, the first one hidden first. spare: pixels that the others get before one of these is shown.
    void setOptional(const QVector<QWidget *> &widgets, int spare = 0);
    /// Without the optional ones: those must not prevent a narrow window.
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent *event) override;
    bool event(QEvent *event) override;

private:
    void fillMore();
    int minWidth() const;
    void fit();

    QHBoxLayout *m_row;
    QVector<QWidget *> m_optional;
    QToolButton *m_more = nullptr; ///< only where there are optional buttons
    int m_spare = 0;
};

} // namespace ql
