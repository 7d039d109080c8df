#include "views/plots/training_plot.h"

#include "views/plots/qcp.h"
#include "views/style/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>

namespace ql {

/// Single samples may have several times the error of the others: the axis ends here.
static constexpr double highestShown = 2;

TrainingPlot::TrainingPlot(QWidget *parent) : QWidget(parent), m_plot(new QCustomPlot)
{
    m_plot->setMinimumSize(40, 40);
    m_plot->setFocusPolicy(Qt::StrongFocus);
    m_plot->setAccessibleName(tr("Error of each block during training"));
    m_plot->setToolTip(tr("Line: loss of the steps. Points: error on held-out samples, which decides what is kept.\n"
                          "1 is the error before training. Click a block, or press Left and Right, to choose it."));
    m_plot->installEventFilter(this);
    m_one = m_plot->addGraph();
    m_losses = m_plot->addGraph();
    m_tests = m_plot->addGraph();
    m_losses->setName(tr("loss"));
    m_tests->setName(tr("held out"));
    m_mark = new QCPItemRect(m_plot);
    m_mark->setLayer(QStringLiteral("grid"));
    m_mark->setVisible(false);
    m_export = ql::exportButton(*m_plot, QStringLiteral("training"), [this] { return m_log.csv(); });
    auto *box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->addWidget(m_plot, 1);
    m_plot->legend->removeItem(0); // the line at 1
    putLegendAbove(*m_plot);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &TrainingPlot::restyle);
    restyle();
}

void TrainingPlot::restyle()
{
    const Theme &theme = Theme::current();
    stylePlot(*m_plot);
    styleLegend(*m_plot);
    makeLinear(*m_plot);
    makeWhole(*m_plot->xAxis);
    m_plot->xAxis->setLabel(tr("block"));
    m_plot->yAxis->setLabel(tr("error / error before"));
    constexpr double pointSize = 5;
    m_losses->setPen(QPen(theme.dim, 1));
    m_tests->setPen(QPen(theme.accent, 1.6));
    m_tests->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(theme.accent), theme.accent, pointSize));
    m_one->setPen(QPen(theme.dim, 1, Qt::DashLine));
    m_mark->setPen(Qt::NoPen);
    m_mark->setBrush(theme.accentSoft);
    rebuild();
}

void TrainingPlot::setLog(const TrainingLog &log)
{
    m_log = log;
    rebuild();
}

void TrainingPlot::setCurrent(int block)
{
    m_current = block;
    rebuild();
}

/// Block i is drawn from i + 0.5 to i + 1.5, so that its number is in its middle.
static double leftOf(qsizetype block)
{
    return double(block) + 0.5;
}

void TrainingPlot::rebuild()
{
    const QVector<BlockCurve> &blocks = m_log.blocks();
    QVector<double> lossX, lossY, testX, testY;
    double high = 1;
    const auto add = [&](qsizetype block, const QVector<QPointF> &points, QVector<double> &xs, QVector<double> &ys) {
        constexpr double margin = 0.04; // between blocks
        for (const QPointF &point : points) {
            xs.append(leftOf(block) + margin + point.x() * (1 - 2 * margin));
            ys.append(point.y());
            if (std::isfinite(point.y())) high = std::max(high, point.y());
        }
        if (points.isEmpty()) return;
        xs.append(leftOf(block) + 1); // no line to the next block
        ys.append(std::numeric_limits<double>::quiet_NaN());
    };
    for (qsizetype i = 0; i < blocks.size(); ++i) {
        add(i, blocks[i].losses, lossX, lossY);
        add(i, blocks[i].tests, testX, testY);
    }
    m_losses->setData(lossX, lossY, true);
    m_tests->setData(testX, testY, true);
    const double end = leftOf(std::max<qsizetype>(1, blocks.size()));
    m_one->setData({leftOf(0), end}, {1, 1}, true);
    m_plot->xAxis->setRange(leftOf(0), end);
    m_plot->yAxis->setRange(0, std::min(highestShown, high * 1.1));
    m_mark->setVisible(m_current >= 0 && m_current < blocks.size());
    if (m_mark->visible()) {
        m_mark->topLeft->setCoords(leftOf(m_current), highestShown);
        m_mark->bottomRight->setCoords(leftOf(m_current) + 1, 0);
    }
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

int TrainingPlot::lossCount() const
{
    qsizetype count = 0;
    for (const BlockCurve &block : m_log.blocks()) count += block.losses.size();
    return int(count);
}

QPoint TrainingPlot::centreOf(int block) const
{
    return {int(m_plot->xAxis->coordToPixel(leftOf(block) + 0.5)), m_plot->axisRect()->center().y()};
}

int TrainingPlot::blockAt(const QPoint &position) const
{
    if (!m_plot->axisRect()->rect().contains(position)) return -1;
    const int block = int(std::floor(m_plot->xAxis->pixelToCoord(position.x()) - 0.5));
    return block >= 0 && block < m_log.blocks().size() ? block : -1;
}

bool TrainingPlot::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        const int step = key == Qt::Key_Right ? 1 : key == Qt::Key_Left ? -1 : 0;
        if (step != 0 && !m_log.isEmpty()) {
            Q_EMIT blockRequested(std::clamp(m_current + step, 0, int(m_log.blocks().size()) - 1));
            return true;
        }
    }
    if (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseMove) {
        const auto &mouse = *static_cast<QMouseEvent *>(event);
        const int block = blockAt(mouse.position().toPoint());
        if (event->type() == QEvent::MouseMove)
            m_plot->setCursor(block < 0 ? Qt::ArrowCursor : Qt::PointingHandCursor);
        else if (block >= 0 && mouse.button() == Qt::LeftButton)
            Q_EMIT blockRequested(block);
    }
    return QWidget::eventFilter(watched, event);
}

QVector<PlotSource> TrainingPlot::plots()
{
    if (m_log.isEmpty()) return {};
    return {{.name = QStringLiteral("training"), .plot = m_plot, .csv = [this] { return m_log.csv(); }}};
}

} // namespace ql
