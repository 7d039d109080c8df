#include "views/plots/plot_style.h"

#include "views/plots/qcp.h"
#include "views/style/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QMenu>
#include <QMessageBox>
#include <QSaveFile>
#include <QSvgGenerator>
#include <cmath>

namespace ql {

static void styleAxis(QCPAxis &axis, const Theme &theme)
{
    QFont small = textFont();
    small.setPixelSize(11);
    axis.setBasePen(QPen(theme.line));
    axis.setTickPen(QPen(theme.line));
    axis.setSubTickPen(Qt::NoPen);
    axis.setTickLabelColor(theme.dim);
    axis.setLabelColor(theme.dim);
    axis.setTickLabelFont(small);
    axis.setLabelFont(small);
    axis.grid()->setPen(QPen(theme.line, 1, Qt::SolidLine));
    axis.grid()->setSubGridVisible(false);
    axis.grid()->setZeroLinePen(QPen(theme.line));
    axis.setTickLength(0, 3);
}

void stylePlot(QCustomPlot &plot)
{
    const Theme &theme = Theme::current();
    plot.setBackground(theme.panel);
    plot.axisRect()->setBackground(theme.panel);
    for (QCPAxis *axis : {plot.xAxis, plot.yAxis, plot.xAxis2, plot.yAxis2}) styleAxis(*axis, theme);
    plot.xAxis->grid()->setVisible(false);
    plot.setNoAntialiasingOnDrag(true);
    plot.setPlottingHint(QCP::phFastPolylines, true);
}

namespace {

/// Labels as powers of ten.
class PowerTicker : public QCPAxisTickerLog
{
protected:
    QString getTickLabel(double tick, const QLocale &, QChar, int) override
    {
        static const QString digits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
        const int power = int(std::lround(std::log10(tick)));
        QString label = QStringLiteral("10");
        if (power < 0) label += QChar(0x207b);
        for (const QChar c : QString::number(std::abs(power))) label += digits[c.digitValue()];
        return label;
    }
};

} // namespace

void makeLogarithmic(QCustomPlot &plot)
{
    plot.yAxis->setScaleType(QCPAxis::stLogarithmic);
    plot.yAxis->setTicker(QSharedPointer<PowerTicker>::create());
}

bool savePlot(QCustomPlot &plot, const QString &path, const std::function<QString()> &csv)
{
    const QString ending = path.section(QLatin1Char('.'), -1).toLower();
    if (ending == QLatin1String("pdf")) return plot.savePdf(path);
    if (ending == QLatin1String("svg")) {
        QSvgGenerator generator;
        generator.setFileName(path);
        generator.setSize(plot.size());
        generator.setViewBox(plot.rect());
        QCPPainter painter;
        if (!painter.begin(&generator)) return false;
        plot.toPainter(&painter, plot.width(), plot.height());
        return painter.end();
    }
    if (ending == QLatin1String("csv")) {
        QSaveFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(csv().toUtf8()) >= 0 && file.commit();
    }
    return plot.savePng(path, 0, 0, 2);
}

void addExportActions(QMenu &menu, QCustomPlot &plot, const QString &name, const std::function<QString()> &csv)
{
    menu.addAction(QCoreApplication::translate("Plot", "Save as picture or data…"), &plot, [&plot, name, csv] {
        const QString path = QFileDialog::getSaveFileName(
            plot.window(), QCoreApplication::translate("Plot", "Save plot"), name + QStringLiteral(".png"),
            QCoreApplication::translate("Plot", "Picture (*.png);;Vector picture (*.svg);;PDF (*.pdf);;Data (*.csv)"));
        if (!path.isEmpty() && !savePlot(plot, path, csv))
            QMessageBox::warning(plot.window(), QCoreApplication::translate("Plot", "Save plot"),
                                 QCoreApplication::translate("Plot", "%1 cannot be written.").arg(path));
    });
    menu.addAction(QCoreApplication::translate("Plot", "Copy picture"), &plot,
                   [&plot] { QApplication::clipboard()->setPixmap(plot.toPixmap(0, 0, 2)); });
    menu.addAction(QCoreApplication::translate("Plot", "Copy data"), &plot,
                   [csv] { QApplication::clipboard()->setText(csv()); });
}

} // namespace ql
