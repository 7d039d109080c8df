#pragma once

#include "views/plots/qcp.h"

#include <QColor>
#include <QString>
#include <QVector>

namespace ql {

/// Names along the bars of a chart, upwards: inside a bar that is tall enough, otherwise above it if there is room.
/// None if bars are narrower than a line of text.
class BarNames : public QCPAbstractItem
{
public:
    explicit BarNames(QCustomPlot *plot) : QCPAbstractItem(plot) { setSelectable(false); }

    struct Bar
    {
        QString name;
        double value; ///< in the plot's coordinates
        QColor color;
    };
    /// Of the bars at 0, 1, 2 ..., which start at base.
    void setBars(const QVector<Bar> &bars, double base);
    /// How many names the chart has room for, for tests.
    int shownCount() const;

    double selectTest(const QPointF &, bool, QVariant *) const override { return -1; }

protected:
    void draw(QCPPainter *painter) override;

private:
    struct Label
    {
        QString text;
        QPointF at; ///< lower end of the middle of the line
        QColor color;
    };
    QVector<Label> labels() const;

    QVector<Bar> m_bars;
    double m_base = 0;
};

} // namespace ql
