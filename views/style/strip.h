#pragma once

#include <QHBoxLayout>
#include <QVector>
#include <QWidget>

namespace ql {

/// A row of controls above a view. If it is narrow, controls that can also be reached elsewhere are hidden, so that the
/// others stay complete and the window can be small.
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
    int leastWidth() const;
    void fit();

    QHBoxLayout *m_row;
    QVector<QWidget *> m_optional;
    int m_spare = 0;
};

} // namespace ql
