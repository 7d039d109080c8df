#pragma once

#include <QColor>
#include <QVector>
#include <QWidget>

namespace ql {

/// The strip of colours that explains the overlay.
class LegendBar : public QWidget
{
    Q_OBJECT

public:
    using QWidget::QWidget;
    void setEntries(QVector<QPair<QColor, QString>> entries, bool isRamp);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    int widthOf(int entry) const;
    int rampWidth(bool isShort, int step) const;
    int fullWidth() const;

    QVector<QPair<QColor, QString>> m_entries;
    bool m_isRamp = false;
};

} // namespace ql
