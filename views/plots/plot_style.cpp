#include "views/plots/plot_style.h"

#include "views/plots/qcp.h"
#include "views/style/buttons.h"
#include "views/style/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QMenu>
#include <QMessageBox>
#include <QSet>
#include <QSvgGenerator>
#include <QToolButton>
#include <algorithm>
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
    plot.setPlottingHint(QCP::phImmediateRefresh, false); // further items are painted with it, once
}

void putLegendAbove(QCustomPlot &plot)
{
    QCPLegend *legend = plot.legend;
    legend->setVisible(true);
    legend->setFillOrder(QCPLayoutGrid::foColumnsFirst);
    auto *row = new QCPLayoutGrid;
    plot.plotLayout()->insertRow(0);
    plot.plotLayout()->addElement(0, 0, row);
    plot.plotLayout()->setRowStretchFactor(0, 0.001);
    row->addElement(0, 0, legend);
    row->addElement(0, 1, new QCPLayoutElement); // the names stay together, at the left
    row->setColumnStretchFactor(0, 0.001);
}

void styleLegend(QCustomPlot &plot)
{
    plot.legend->setBrush(Qt::NoBrush);
    plot.legend->setBorderPen(Qt::NoPen);
    plot.legend->setTextColor(Theme::current().text);
    plot.legend->setFont(plot.xAxis->labelFont());
}

namespace {

/// Minimum distance of the labels of an axis in pixels.
int pixelsPerLabel(const QCPAxis &axis)
{
    return QCPAxis::orientation(axis.axisType()) == Qt::Vertical ? 20 : 64;
}

int lengthOf(const QCPAxis &axis)
{
    const QRect rect = axis.axisRect()->rect();
    return QCPAxis::orientation(axis.axisType()) == Qt::Vertical ? rect.height() : rect.width();
}

/// Labels as powers of ten, no more of them than there is room for; plain numbers if the range has too few powers.
class PowerTicker : public QCPAxisTickerLog
{
public:
    PowerTicker(const QCPAxis &axis, bool isDecibel) : m_axis(axis), m_isDecibel(isDecibel) {}

protected:
    QVector<double> createTickVector(double tickStep, const QCPRange &range) override
    {
        // Of less than about two decades these are evenly spaced
        const QVector<double> all = QCPAxisTickerLog::createTickVector(tickStep, range);
        m_arePowers = std::all_of(all.begin(), all.end(), [](double tick) {
            const double power = std::log10(tick);
            return std::abs(power - std::round(power)) < 1e-6;
        });
        const int most = std::max(2, lengthOf(m_axis) / pixelsPerLabel(m_axis));
        const auto step = (all.size() + most - 1) / most;
        if (step < 2) return all;
        QVector<double> some;
        for (qsizetype i = 0; i < all.size(); ++i)
            if ((m_arePowers ? std::lround(std::log10(all[i])) : long(i)) % step == 0) some.append(all[i]);
        return some;
    }
    QString getTickLabel(double tick, const QLocale &, QChar, int) override
    {
        static const QString digits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
        if (!m_arePowers) return QLocale().toString(m_isDecibel ? -10 * std::log10(tick) : tick, 'g', 3);
        const int power = int(std::lround(std::log10(tick)));
        if (m_isDecibel) return QString::number(-10 * power);
        QString label = QStringLiteral("10");
        if (power < 0) label += QChar(0x207b);
        for (const QChar c : QString::number(std::abs(power))) label += digits[c.digitValue()];
        return label;
    }

private:
    const QCPAxis &m_axis;
    bool m_isDecibel; ///< labels as -10 log10 of the axis values
    bool m_arePowers = true;
};

/// Round decibel numbers on a linear axis of noise / signal: the less noise, the closer they are.
class DecibelTicker : public QCPAxisTicker
{
public:
    explicit DecibelTicker(const QCPAxis &axis) : m_axis(axis) {}

protected:
    QVector<double> createTickVector(double, const QCPRange &range) override
    {
        if (range.upper <= 0) return {};
        const double least = range.upper * pixelsPerLabel(m_axis) / std::max(1, lengthOf(m_axis));
        QVector<double> ticks;
        for (int decibel = int(std::ceil(-10 * std::log10(range.upper))), end = decibel + 60; decibel < end;
             ++decibel) {
            const double noise = std::pow(10, -decibel / 10.0);
            if (noise < least) break; // too near to zero
            const bool isRound = decibel % 5 == 0 || (ticks.isEmpty() && noise < range.upper / 2);
            if (isRound && (ticks.isEmpty() || ticks.front() - noise >= least)) ticks.prepend(noise);
        }
        return ticks;
    }
    QString getTickLabel(double tick, const QLocale &, QChar, int) override
    {
        return QString::number(int(std::lround(-10 * std::log10(tick))));
    }

private:
    const QCPAxis &m_axis;
};

/// Round numbers, no more of them than there is room for.
class RoomyTicker : public QCPAxisTicker
{
public:
    explicit RoomyTicker(const QCPAxis &axis) : m_axis(axis) {}
    void generate(const QCPRange &range, const QLocale &locale, QChar form, int precision, QVector<double> &ticks,
                  QVector<double> *subTicks, QVector<QString> *labels) override
    {
        setTickCount(std::clamp(lengthOf(m_axis) / pixelsPerLabel(m_axis), 3, 5));
        QCPAxisTicker::generate(range, locale, form, precision, ticks, subTicks, labels);
        // Ticks that are close relative to their values need more digits to differ
        constexpr int maxDigits = 15;
        while (labels && ++precision <= maxDigits &&
               QSet<QString>(labels->begin(), labels->end()).size() < labels->size())
            QCPAxisTicker::generate(range, locale, form, precision, ticks, subTicks, labels);
    }

private:
    const QCPAxis &m_axis;
};

} // namespace

void makeLogarithmic(QCustomPlot &plot)
{
    for (QCPAxis *axis : {plot.yAxis, plot.yAxis2}) {
        axis->setScaleType(QCPAxis::stLogarithmic);
        axis->setTicker(QSharedPointer<PowerTicker>::create(*axis, axis == plot.yAxis2));
    }
}

void makeLinear(QCustomPlot &plot)
{
    plot.yAxis->setScaleType(QCPAxis::stLinear);
    makeRoomy(*plot.yAxis);
    plot.yAxis2->setScaleType(QCPAxis::stLinear);
    plot.yAxis2->setTicker(QSharedPointer<DecibelTicker>::create(*plot.yAxis2));
}

void makeRoomy(QCPAxis &axis)
{
    axis.setTicker(QSharedPointer<RoomyTicker>::create(axis));
    axis.setNumberFormat(QStringLiteral("gb"));
    axis.setNumberPrecision(6);
}

void showRange(QCPAxis &axis, double low, double high)
{
    const double size = std::max(std::abs(low), std::abs(high));
    const double slack = high - low > size * 1e-9 ? (high - low) * 0.05 : size > 0 ? size * 0.1 : 1;
    axis.setRange(low - slack, high + slack);
}

void makeWhole(QCPAxis &axis)
{
    const auto ticker = QSharedPointer<QCPAxisTickerFixed>::create();
    ticker->setTickStep(1);
    ticker->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
    axis.setTicker(ticker);
}

/// A plot in a narrow dock, or one that is not shown, is drawn larger in a file.
static QSize fileSize(const QCustomPlot &plot)
{
    return plot.size().expandedTo({880, 420});
}

/// Widgets draw only on the window's thread; compressing the image takes long.
FileWriter plotWriter(QCustomPlot &plot, const QString &path, const std::function<QString()> &csv)
{
    const QString ending = path.section(QLatin1Char('.'), -1).toLower();
    const QSize size = fileSize(plot);
    if (ending == QLatin1String("pdf"))
        return [good = plot.savePdf(path, size.width(), size.height())] { return good; };
    if (ending == QLatin1String("svg")) {
        QSvgGenerator generator;
        generator.setFileName(path);
        generator.setSize(size);
        generator.setViewBox(QRect({}, size));
        QCPPainter painter;
        bool good = painter.begin(&generator);
        if (good) {
            plot.toPainter(&painter, size.width(), size.height());
            good = painter.end();
        }
        return [good] { return good; };
    }
    if (ending == QLatin1String("csv")) return textWriter(path, csv());
    return [path, image = plot.toPixmap(size.width(), size.height(), 2).toImage()] { return image.save(path); };
}

void addExportActions(QMenu &menu, QCustomPlot &plot, const QString &name, const std::function<QString()> &csv)
{
    const auto save = [&plot, name, csv](const QString &ending, const QString &filter) {
        const QString own = plot.property("fileName").toString(); // the current subject of the plot
        const QString path = chooseFile(plot.window(), QCoreApplication::translate("Plot", "Save plot"),
                                        (own.isEmpty() ? name : own) + QLatin1Char('.') + ending, {filter});
        if (path.isEmpty()) return;
        writeInBackground(plotWriter(plot, path, csv), plot, [&plot, path](bool good) {
            if (!good)
                QMessageBox::warning(plot.window(), QCoreApplication::translate("Plot", "Save plot"),
                                     QCoreApplication::translate("Plot", "%1 cannot be written.").arg(path));
        });
    };
    const QVector<QPair<QString, QString>> kinds{
        {QStringLiteral("png"), QCoreApplication::translate("Plot", "Image (*.png)")},
        {QStringLiteral("svg"), QCoreApplication::translate("Plot", "Vector image (*.svg)")},
        {QStringLiteral("pdf"), QCoreApplication::translate("Plot", "PDF (*.pdf)")},
        {QStringLiteral("csv"), QCoreApplication::translate("Plot", "Data (*.csv)")}};
    for (const auto &[ending, filter] : kinds)
        menu.addAction(QCoreApplication::translate("Plot", "Save as %1…").arg(ending.toUpper()), &plot,
                       [save, ending = ending, filter = filter] { save(ending, filter); });
    menu.addSeparator();
    menu.addAction(QCoreApplication::translate("Plot", "Copy image"), &plot, [&plot] {
        const QSize size = fileSize(plot);
        QApplication::clipboard()->setPixmap(plot.toPixmap(size.width(), size.height(), 2));
    });
    menu.addAction(QCoreApplication::translate("Plot", "Copy data"), &plot,
                   [csv] { QApplication::clipboard()->setText(csv()); });
}

QToolButton *exportButton(QCustomPlot &plot, const QString &name, const std::function<QString()> &csv,
                          const QVector<QToolButton *> &toggles)
{
    auto *menu = new QMenu(name);
    QToolButton *button =
        menuButton(QStringLiteral("export"),
                   QCoreApplication::translate("Plot", "Save or copy this plot (PNG, SVG, PDF, CSV)"), *menu);
    addExportActions(*menu, plot, name, csv);
    plot.setContextMenuPolicy(Qt::CustomContextMenu);
    auto *context = new QMenu(name, button); // kept alive: the list of all commands contains its entries
    for (QToolButton *toggle : toggles) addToggleAction(*context, *toggle);
    context->addSeparator();
    context->addActions(menu->actions());
    QObject::connect(&plot, &QWidget::customContextMenuRequested, context,
                     [context, &plot](const QPoint &at) { context->exec(plot.mapToGlobal(at)); });
    return button;
}

QVector<FileTask> plotTasks(const QVector<PlotSource> &sources, const QString &folder)
{
    QVector<FileTask> tasks;
    for (const PlotSource &source : sources)
        for (const QString &ending : exportEndings()) {
            const QString path = QDir(folder).filePath(source.name + QLatin1Char('.') + ending);
            tasks.append({path, [source, path] {
                              if (source.show) source.show();
                              FileWriter write = plotWriter(*source.plot, path, source.csv);
                              if (source.restore) source.restore();
                              return write;
                          }});
        }
    return tasks;
}

} // namespace ql
