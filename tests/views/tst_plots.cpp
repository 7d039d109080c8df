// Error and distribution plots in the real window on the real engine.
#include "tests/support/test_main.h"
#include "tests/views/answer_dialog.h"
#include "tests/views/recipe_json.h"
#include "tests/views/window_fixture.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/run_history.h"
#include "views/commands/recipe_command.h"
#include "views/models/operation_model.h"
#include "views/panels/distribution_panel.h"
#include "views/panels/table_export.h"
#include "views/plots/error_plot.h"
#include "views/plots/plot_style.h"
#include "views/plots/qcp.h"
#include "views/window/center_view.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QStatusBar>
#include <QTableView>

using namespace ql;
using nlohmann::json;

class TestPlots : public QObject
{
    Q_OBJECT

private:
    WindowFixture m;

    static std::optional<double> errorOf(const RunPtr &run, const QString &operation)
    {
        const auto it = run->graphwiseOf.constFind(operation);
        return it == run->graphwiseOf.constEnd() ? std::nullopt : run->graphwise[*it].noiseRatio;
    }
    static void setRange(Document &document, const QString &operation, double limit)
    {
        json recipe = document.recipeJson();
        recipe["overrides"] = json::array({{{"match", {{"op", operation.toStdString()}, {"role", "output"}}},
                                            {"set", {{"range", {-limit, limit}}}}}});
        replaceRecipe(document, QStringLiteral("range"), recipe);
        document.requests().run();
    }
    void lookAt(const QString &operation)
    {
        m.document().setCurrent(operation);
        QTRY_VERIFY_WITH_TIMEOUT(m.window->distribution()->hasData(), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(m.window->distribution()->pointCount() > 0, 60000);
    }

private Q_SLOTS:
    void initTestCase() { m.prepare(); }
    void cleanupTestCase() { QApplication::clipboard()->clear(); }
    void init()
    {
        m.show();
        m.open();
        m.run();
    }
    void cleanup() { m.close(); }

    /// The limit is dragged, the engine runs automatically, and the operation's error changes.
    void draggedLimitChangesTheError()
    {
        const QString operation = QStringLiteral("mix_project");
        const std::optional<double> before = errorOf(m.document().history().shown(), operation);
        QVERIFY(before.has_value());
        lookAt(operation);
        DistributionPanel *panel = m.window->distribution();
        QTRY_VERIFY_WITH_TIMEOUT(panel->limits().first < panel->limits().second, 60000);
        QTest::qWait(100);
        const double high = panel->limits().second;
        QCustomPlot *plot = panel->plot();
        const int y = plot->axisRect()->center().y();
        const int from = int(plot->xAxis->coordToPixel(high)), to = int(plot->xAxis->coordToPixel(high / 4));
        QTest::mousePress(plot, Qt::LeftButton, {}, QPoint(from, y));
        QTest::mouseMove(plot, QPoint(to, y));
        const double wanted = panel->limits().second;
        QTest::mouseRelease(plot, Qt::LeftButton, {}, QPoint(to, y));
        QCOMPARE(m.document().recipe().overrides.size(), std::size_t(1));
        QTRY_VERIFY_WITH_TIMEOUT(m.isRun(), 120000);
        const std::optional<double> after = errorOf(m.document().history().shown(), operation);
        QVERIFY(after.has_value());
        QVERIFY2(*after > 2 * *before, qPrintable(QStringLiteral("%1, before %2").arg(*after).arg(*before)));
        QTRY_VERIFY_WITH_TIMEOUT(!m.document().requests().isInspecting(), 60000);
        // The code of 0 is an integer, which moves an asymmetric range by half a step at most
        const double step = (panel->limits().second - panel->limits().first) / 255;
        QVERIFY2(std::abs(panel->limits().second - wanted) <= step,
                 qPrintable(QStringLiteral("%1, wanted %2").arg(panel->limits().second).arg(wanted)));
        m.document().undoStack().undo();
        QCOMPARE(errorOf(m.document().history().shown(), operation), before);
    }

    void aLimitThatIsNotMovedIsNoEdit()
    {
        lookAt(QStringLiteral("mix_project"));
        DistributionPanel *panel = m.window->distribution();
        QTRY_VERIFY_WITH_TIMEOUT(panel->limits().first < panel->limits().second, 60000);
        QTest::qWait(100);
        const auto limits = panel->limits();
        QCustomPlot *plot = panel->plot();
        const int y = plot->axisRect()->center().y();
        const QPoint at(int(plot->xAxis->coordToPixel(limits.second)), y);
        QTest::mousePress(plot, Qt::LeftButton, {}, at);
        QTest::mouseRelease(plot, Qt::LeftButton, {}, at);
        QTest::mousePress(plot, Qt::LeftButton, {}, at);
        QTest::mouseMove(plot, at - QPoint(20, 0));
        QVERIFY(panel->limits().second < limits.second);
        QTest::keyClick(plot, Qt::Key_Escape);
        QCOMPARE(panel->limits(), limits);
        QTest::mouseRelease(plot, Qt::LeftButton, {}, at - QPoint(20, 0));
        QVERIFY(m.document().recipe().overrides.empty());
        QVERIFY(!m.document().undoStack().canUndo());
    }

    /// A tensor that is not rounded at its producer has no limits, and shows where they are.
    void limitsOfAFusedOperationAreOneClickAway()
    {
        const QVector<ConfigInfo> &configs = m.document().history().configs();
        const auto fused = std::find_if(configs.begin(), configs.end(), [](const ConfigInfo &config) {
            return config.role == QLatin1String("output") && config.state == QLatin1String("overlapped") &&
                   config.rootOperation != config.operation;
        });
        QVERIFY(fused != configs.end());
        const QString operation = fused->operation, root = fused->rootOperation;
        lookAt(operation);
        DistributionPanel *panel = m.window->distribution();
        QVERIFY(!(panel->limits().first < panel->limits().second));
        auto *button = panel->findChild<QPushButton *>(QStringLiteral("roundedAt"));
        QTRY_VERIFY(button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(m.document().current(), root);
        QTRY_VERIFY_WITH_TIMEOUT(panel->limits().first < panel->limits().second, 60000);
        QVERIFY(!button->isVisible());
    }

    /// Quantized values are at codes, and values outside a limit are counted exactly to the bin.
    void valuesAreOnTheGrid()
    {
        const QString operation = QStringLiteral("mix_project");
        lookAt(operation);
        DistributionPanel *panel = m.window->distribution();
        const ConfigInfo *output = nullptr;
        for (const int i : m.document().history().configsOf(operation))
            if (m.document().history().configs()[i].role == QLatin1String("output"))
                output = &m.document().history().configs()[i];
        QVERIFY(output && output->scale.size() == 1 && output->bits == 8);
        const auto valuesOf = [&](const QString &series) {
            QVector<QPair<double, double>> values; // with their counts
            for (const QString &line : panel->csv().split(QLatin1Char('\n')))
                if (const QStringList cells = line.split(QLatin1Char(',')); cells.value(0) == series)
                    values.append({cells[1].toDouble(), cells[2].toDouble()});
            return values;
        };
        double all = 0;
        const auto quantized = valuesOf(QStringLiteral("quantized"));
        QVERIFY(quantized.size() > 64);
        for (const auto &[value, count] : quantized) {
            const double code = value / output->scale[0];
            QVERIFY2(std::abs(code - std::round(code)) < 1e-3, qPrintable(QString::number(code)));
            all += count;
        }
        double outside = 0, floats = 0;
        const double limit = output->scale[0] * 20;
        setRange(m.document(), operation, limit);
        QTRY_VERIFY_WITH_TIMEOUT(m.isRun(), 120000);
        QTRY_VERIFY_WITH_TIMEOUT(std::abs(panel->limits().second - limit) < 0.02 * limit, 60000);
        for (const auto &[value, count] : valuesOf(QStringLiteral("float"))) {
            floats += count;
            if (std::abs(value) > limit) outside += count;
        }
        QCOMPARE(floats, all);
        const QString facts = panel->findChild<QLabel *>(QStringLiteral("facts"))->text();
        const auto reported = QRegularExpression(QStringLiteral("clipped ([0-9.]+) %")).match(facts);
        QVERIFY2(reported.hasMatch(), qPrintable(facts));
        const double share = 100 * outside / floats;
        QVERIFY(share > 2 && share < 98);
        QVERIFY2(std::abs(reported.captured(1).toDouble() - share) < 1.5, qPrintable(QString::number(share) + facts));
    }

    /// One value, as the limit of a Clip: clipped or not, and between two different labels of the axis.
    void constantIsClippedCompletely()
    {
        const QString operation = QStringLiteral("mix_project");
        lookAt(operation);
        DistributionPanel *panel = m.window->distribution();
        const double high = panel->limits().second;
        const auto *facts = panel->findChild<QLabel *>(QStringLiteral("facts"));
        for (const bool isInside : {true, false}) {
            const double value = isInside ? 0.7 * high : 8.5 * high;
            const json histogram = {{"min", value}, {"max", value}, {"counts", {1, 0, 0, 0}}};
            const json row = {{"op", operation.toStdString()},
                              {"role", "output"},
                              {"index", 0},
                              {"variable", "x"},
                              {"float", {{"histogram", histogram}}},
                              {"quantized", {{"histogram", histogram}}}};
            const json answer = {{"rows", {row}}, {"details", json::array()}, {"parameters", json::array()}};
            Q_EMIT m.document().requests().distributionReady(operation, std::make_shared<const json>(answer));
            const QString wanted = isInside ? QStringLiteral("clipped 0.00 %") : QStringLiteral("clipped 100.0 %");
            QVERIFY2(facts->text().contains(wanted), qPrintable(facts->text()));
            panel->plot()->replot();
            QVector<QString> labels = panel->plot()->xAxis->tickVectorLabels();
            QVERIFY(labels.size() > 1);
            QCOMPARE(QSet<QString>(labels.begin(), labels.end()).size(), labels.size());
        }
    }

    /// Ticks that lie close together for what their values are have digits enough.
    void closeTicksHaveDistinctLabels()
    {
        QCustomPlot plot;
        plot.resize(600, 300);
        makeRoomy(*plot.xAxis);
        for (const auto &[low, high] : {std::pair(6.0, 6.0), std::pair(1234567.0, 1234567.5), std::pair(0.0, 1e-7)}) {
            showRange(*plot.xAxis, low, high);
            plot.replot();
            const QVector<QString> labels = plot.xAxis->tickVectorLabels();
            QVERIFY(labels.size() > 1);
            QCOMPARE(QSet<QString>(labels.begin(), labels.end()).size(), labels.size());
        }
    }

    void everyModeShowsItsData()
    {
        lookAt(QStringLiteral("down_depthwise"));
        DistributionPanel *panel = m.window->distribution();
        const auto limits = panel->limits();
        panel->setMode(DistributionPanel::Mode::Scatter);
        QVERIFY(panel->pointCount() > 100);
        QVERIFY(panel->csv().startsWith(QStringLiteral("float,quantized\n")));
        QCOMPARE(panel->limits(), limits); // what can be dragged here can be dragged there

        panel->setMode(DistributionPanel::Mode::Channels);
        panel->showSlot(QStringLiteral("parameter"), 1);
        panel->setLogarithmic(false);
        const int channels = panel->pointCount();
        QVERIFY(channels > 4);
        QVERIFY(panel->csv().startsWith(QStringLiteral("channel,min,q1,median,q3,max,quantized_min,quantized_max\n")));
        QCOMPARE(panel->csv().count(QLatin1Char('\n')), channels + 1);
        QVERIFY(panel->plot()->yAxis->scaleType() == QCPAxis::stLinear);
        panel->setLogarithmic(true);
        QCOMPARE(panel->pointCount(), channels);
        QVERIFY(panel->plot()->yAxis->scaleType() == QCPAxis::stLogarithmic);
        for (const DistributionPanel::Mode mode :
             {DistributionPanel::Mode::Values, DistributionPanel::Mode::Scatter, DistributionPanel::Mode::Channels}) {
            panel->setMode(mode);
            QVERIFY(!panel->plot()->xAxis->label().isEmpty());
            QVERIFY(!panel->plot()->yAxis->label().isEmpty());
        }
    }

    void errorAxisAndOrder()
    {
        ErrorPlot *errors = m.window->errors();
        const auto valueAt = [&](int position) {
            const OperationRow &row = m.window->center()->rows()->at(errors->order()[position]);
            return row.graphwise.value_or(0);
        };
        errors->setOrder(ErrorPlot::Order::Sorted);
        for (int i = 1; i < errors->order().size(); ++i) QVERIFY(valueAt(i - 1) >= valueAt(i));
        errors->setLogarithmic(false);
        QVERIFY(errors->plot()->yAxis->scaleType() == QCPAxis::stLinear);
        QCOMPARE(errors->plot()->yAxis->range().lower, 0.0);
        QTRY_VERIFY(errors->plot()->yAxis->range().upper >= valueAt(0)); // rows come before the bars
        errors->setLogarithmic(true);
        QVERIFY(errors->plot()->yAxis->scaleType() == QCPAxis::stLogarithmic);

        // The dashed line by mouse; the text counts the operations above it
        QCustomPlot *plot = errors->plot();
        QTest::qWait(100);
        const int x = plot->axisRect()->center().x();
        const QString before = errors->thresholdText();
        QTest::mousePress(plot, Qt::LeftButton, {}, QPoint(x, int(plot->yAxis->coordToPixel(errors->threshold()))));
        QTest::mouseMove(plot, QPoint(x, int(plot->yAxis->coordToPixel(0.0005))));
        QTest::mouseRelease(plot, Qt::LeftButton, {}, QPoint(x, int(plot->yAxis->coordToPixel(0.0005))));
        QVERIFY(std::abs(errors->threshold() - 0.0005) < 0.0002);
        QVERIFY(errors->thresholdText() != before);
    }

    /// The wheel zooms at the mouse, a drag pans without selecting, a click still selects, and double click and Home
    /// show everything again.
    void errorChartIsZoomedAndMoved()
    {
        ErrorPlot *errors = m.window->errors();
        QCustomPlot *plot = errors->plot();
        QTRY_VERIFY(errors->order().size() > 10); // rows come before the bars
        QTest::qWait(100);
        const QCPRange all = plot->xAxis->range();
        const QRect area = plot->axisRect()->rect();
        const auto wheel = [&](int bar, int turned) {
            const QPointF at = errors->barCenter(bar);
            QWheelEvent event(at, plot->mapToGlobal(at), {}, {0, turned}, Qt::NoButton, Qt::NoModifier,
                              Qt::NoScrollPhase, false);
            QApplication::sendEvent(plot, &event);
        };
        const int under = 5;
        const double pixel = plot->xAxis->coordToPixel(under);
        wheel(under, 3 * 120);
        QVERIFY(errors->isZoomed());
        const QCPRange zoomed = plot->xAxis->range();
        QVERIFY2(zoomed.size() < all.size() * 0.6, qPrintable(QString::number(zoomed.size())));
        QVERIFY(std::abs(plot->xAxis->coordToPixel(under) - pixel) < 2);
        wheel(under, -120);
        QVERIFY(plot->xAxis->range().size() > zoomed.size());
        wheel(under, 120);

        // Moved by a drag, within the bars, without another operation
        m.document().setCurrent(m.window->center()->rows()->at(errors->order()[under]).name);
        const QString current = m.document().current();
        const QPoint from(area.center().x(), area.bottom() - 3);
        const auto drag = [&](int by) {
            QTest::mousePress(plot, Qt::LeftButton, {}, from);
            QTest::mouseMove(plot, from + QPoint(by / 2, 0));
            QTest::mouseMove(plot, from + QPoint(by, 0));
            QTest::mouseRelease(plot, Qt::LeftButton, {}, from + QPoint(by, 0));
        };
        const double first = plot->xAxis->range().lower;
        drag(-area.width() / 8);
        QVERIFY(std::abs(plot->xAxis->range().lower - first - plot->xAxis->range().size() / 8) < 0.1);
        QCOMPARE(m.document().current(), current);
        drag(20 * area.width());
        QCOMPARE(plot->xAxis->range().lower, all.lower);
        drag(-20 * area.width());
        QVERIFY(std::abs(plot->xAxis->range().upper - all.upper) < 1e-9);
        const int last = int(errors->order().size()) - 1;
        QTest::mouseClick(plot, Qt::LeftButton, {}, errors->barCenter(last));
        const auto nameAt = [&](int bar) { return m.window->center()->rows()->at(errors->order()[bar]).name; };
        QCOMPARE(m.document().current(), nameAt(last));
        QVERIFY(errors->isZoomed());

        // The operation that becomes current scrolls into view; new values do not affect the zoom
        m.document().setCurrent(nameAt(0));
        QVERIFY(plot->xAxis->range().contains(0));
        const QCPRange kept = plot->xAxis->range();
        errors->setLogarithmic(false);
        errors->setLogarithmic(true);
        QCOMPARE(plot->xAxis->range(), kept);

        QTest::mouseDClick(plot, Qt::LeftButton, {}, errors->barCenter(1));
        QCOMPARE(plot->xAxis->range(), all);
        QVERIFY(!errors->isZoomed());
        plot->setFocus();
        QTest::keyClick(plot, Qt::Key_Plus);
        QVERIFY(plot->xAxis->range().size() < all.size());
        for (int i = 0; i < 100; ++i) QTest::keyClick(plot, Qt::Key_Plus);
        QVERIFY(plot->xAxis->range().size() > 3);
        QTest::keyClick(plot, Qt::Key_Home);
        QCOMPARE(plot->xAxis->range(), all);
        QVERIFY(errors->tipAt({2, 2}).contains(QStringLiteral("Home")));
    }

    /// The threshold by keyboard, and its text for screen readers.
    void thresholdByKeyboard()
    {
        ErrorPlot *errors = m.window->errors();
        QCustomPlot *plot = errors->plot();
        QTRY_VERIFY(!errors->order().isEmpty());
        errors->setThreshold(0.1);
        QSignalSpy moved(errors, &ErrorPlot::thresholdChanged);
        QTest::keyClick(plot, Qt::Key_Down);
        QVERIFY(std::abs(errors->threshold() - 0.1 / std::pow(10, 0.1)) < 1e-9);
        QCOMPARE(moved.count(), 1);
        QVERIFY2(plot->accessibleDescription().contains(QStringLiteral("11.0 dB")),
                 qPrintable(plot->accessibleDescription()));
        QTest::keyClick(plot, Qt::Key_Up, Qt::ShiftModifier);
        QVERIFY(std::abs(errors->threshold() - 0.1 / std::pow(10, 0.09)) < 1e-9);
        for (int i = 0; i < 9; ++i) QTest::keyClick(plot, Qt::Key_Up, Qt::ShiftModifier);
        QVERIFY(std::abs(errors->threshold() - 0.1) < 1e-9);
        for (int i = 0; i < 200; ++i) QTest::keyClick(plot, Qt::Key_Up);
        QVERIFY(plot->yAxis->range().contains(errors->threshold())); // never out of sight
        errors->setMeasure(ErrorPlot::Measure::Difference);          // has none
        const double before = errors->threshold();
        QTest::keyClick(plot, Qt::Key_Down);
        QCOMPARE(errors->threshold(), before);
        errors->setMeasure(ErrorPlot::Measure::Graphwise);
    }

    /// A name without its extension gets it, and existing files are not replaced without asking.
    void endingOfATypedName()
    {
        const QString there = m.folder.filePath(QStringLiteral("typed.png"));
        const auto choose = [&] {
            return chooseFile(m.window.get(), QStringLiteral("Save"), m.folder.filePath(QStringLiteral("typed")),
                              {QStringLiteral("PNG (*.png)"), QStringLiteral("*.pdf")});
        };
        answerNext<QFileDialog>(m.window.get(), [](QDialog &dialog) { dialog.accept(); });
        QCOMPARE(choose(), there);
        QFile file(there);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QString again;
        answerNext<QFileDialog>(m.window.get(), [&](QFileDialog &dialog) {
            answerNext<QFileDialog>(m.window.get(), [&](QFileDialog &second) {
                again = second.selectedFiles().value(0);
                second.reject();
            });
            static_cast<QDialog &>(dialog).accept();
        });
        QCOMPARE(choose(), QString());
        QCOMPARE(again, there);
        answerNext<QFileDialog>(m.window.get(), [](QFileDialog &dialog) {
            dialog.selectNameFilter(QStringLiteral("*.pdf"));
            static_cast<QDialog &>(dialog).accept();
        });
        QCOMPARE(choose(), m.folder.filePath(QStringLiteral("typed.pdf")));
    }

    /// A limit dragged to where no range is left waits, returns with the mouse, and is released.
    void limitDraggedPastZeroComesBack()
    {
        const QVector<ConfigInfo> &configs = m.document().history().configs();
        const auto positive = std::find_if(configs.begin(), configs.end(), [](const ConfigInfo &config) {
            return config.role == QLatin1String("output") && config.state == QLatin1String("active") &&
                   config.scale.size() == 1 && config.zeroPoint.value(0) == config.quantMin;
        });
        QVERIFY(positive != configs.end());
        lookAt(positive->operation);
        DistributionPanel *panel = m.window->distribution();
        QTRY_VERIFY_WITH_TIMEOUT(panel->limits().first < panel->limits().second, 60000);
        QTest::qWait(100);
        QCOMPARE(panel->limits().first, 0.0);
        const double high = panel->limits().second;
        QCustomPlot *plot = panel->plot();
        const auto at = [&](double value) {
            return QPoint(int(plot->xAxis->coordToPixel(value)), plot->axisRect()->center().y());
        };
        const QPoint beyond = at(0) - QPoint(20, 0), back = at(high / 2);
        QTest::mousePress(plot, Qt::LeftButton, {}, at(high));
        QTest::mouseMove(plot, at(high / 4));
        const auto last = panel->limits();
        QTest::mouseMove(plot, beyond);
        QCOMPARE(panel->limits(), last);
        QTest::mouseMove(plot, back);
        QVERIFY(std::abs(panel->limits().second - high / 2) < high / 50);
        QTest::mouseMove(plot, beyond);
        QTest::mouseRelease(plot, Qt::LeftButton, {}, beyond);
        QCOMPARE(m.document().recipe().overrides.size(), std::size_t(1));
        const auto let = panel->limits();
        QTest::mouseMove(plot, at(high / 8));
        QCOMPARE(panel->limits(), let);
        QTRY_VERIFY_WITH_TIMEOUT(m.isRun(), 120000);
        m.document().undoStack().undo();
    }

    /// Zoomed by the wheel, the values are panned by a drag outside the limits and by keys.
    void distributionIsMoved()
    {
        lookAt(QStringLiteral("mix_project"));
        DistributionPanel *panel = m.window->distribution();
        QTRY_VERIFY_WITH_TIMEOUT(panel->limits().first < panel->limits().second, 60000);
        QTest::qWait(100);
        QCustomPlot *plot = panel->plot();
        const auto limits = panel->limits();
        const QCPRange all = plot->xAxis->range();
        const QPoint center = plot->axisRect()->center();
        for (int i = 0; i < 6; ++i) {
            QWheelEvent event(center, plot->mapToGlobal(QPointF(center)), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                              Qt::NoScrollPhase, false);
            QApplication::sendEvent(plot, &event);
        }
        const QCPRange zoomed = plot->xAxis->range();
        QVERIFY(zoomed.size() < all.size() / 2);
        QVERIFY(zoomed.lower > limits.first && zoomed.upper < limits.second); // no limit under the mouse
        QTest::mousePress(plot, Qt::LeftButton, {}, center);
        QTest::mouseMove(plot, center - QPoint(20, 0));
        QTest::mouseMove(plot, center - QPoint(40, 0));
        QTest::mouseRelease(plot, Qt::LeftButton, {}, center - QPoint(40, 0));
        const QCPRange dragged = plot->xAxis->range();
        QVERIFY(dragged.lower > zoomed.lower);
        QVERIFY(std::abs(dragged.size() - zoomed.size()) < zoomed.size() * 1e-6);
        QTest::keyClick(plot, Qt::Key_Right);
        QVERIFY(plot->xAxis->range().lower > dragged.lower);
        QTest::keyClick(plot, Qt::Key_Left);
        QTest::keyClick(plot, Qt::Key_Minus);
        QVERIFY(plot->xAxis->range().size() > zoomed.size());
        QTest::keyClick(plot, Qt::Key_Home);
        QCOMPARE(plot->xAxis->range(), all);
        QVERIFY(m.document().recipe().overrides.empty());
        QCOMPARE(panel->limits(), limits);
    }

    /// The right axis has the heights of the left one in decibels, on both scales, and so has the threshold.
    void decibelsNextToTheErrors()
    {
        ErrorPlot *errors = m.window->errors();
        QCustomPlot *plot = errors->plot();
        for (const bool logarithmic : {true, false}) {
            errors->setLogarithmic(logarithmic);
            plot->replot();
            QVERIFY(plot->yAxis2->visible());
            QCOMPARE(plot->yAxis2->range().lower, plot->yAxis->range().lower);
            QCOMPARE(plot->yAxis2->range().upper, plot->yAxis->range().upper);
            const QVector<double> ticks = plot->yAxis2->tickVector();
            const QVector<QString> labels = plot->yAxis2->tickVectorLabels();
            QVERIFY(!ticks.isEmpty());
            for (int i = 0; i < ticks.size(); ++i) {
                QVERIFY(std::abs(labels[i].toDouble() + 10 * std::log10(ticks[i])) < 1e-6);
                QVERIFY(i == 0 || plot->yAxis2->coordToPixel(ticks[i - 1]) - plot->yAxis2->coordToPixel(ticks[i]) > 12);
            }
        }
        errors->setThreshold(0.01);
        QTRY_VERIFY2(errors->thresholdText().contains(QStringLiteral("0.01")), // rows come before the bars
                     qPrintable(errors->thresholdText()));
        QVERIFY2(errors->thresholdText().contains(QStringLiteral("20.0 dB")), qPrintable(errors->thresholdText()));
        errors->setMeasure(ErrorPlot::Measure::Difference); // is in decibels already
        QVERIFY(!plot->yAxis2->visible());
        errors->setMeasure(ErrorPlot::Measure::Graphwise);
        errors->setLogarithmic(true);

        // How the errors were measured is shown completely, also in a narrow window
        const QString caption = QStringLiteral("stale: press F5 to run again · dashed: baseline #1 · 32 samples");
        errors->setCaption(caption);
        for (const int width : {1800, 1100}) {
            m.window->resize(width, 800);
            QTest::qWait(100);
            errors->setCaption(caption); // the window may have shown something else meanwhile
            const QString label = plot->xAxis->label();
            QVERIFY2(QString(label).replace(QStringLiteral("\n"), QStringLiteral(" · ")).contains(caption),
                     qPrintable(label));
            const QFontMetrics metrics(plot->xAxis->labelFont());
            for (const QString &line : label.split(QLatin1Char('\n')))
                QVERIFY(metrics.horizontalAdvance(line) <= plot->axisRect()->width());
        }
    }

    /// Against the baseline, in both measures.
    void differenceToTheBaseline()
    {
        ErrorPlot *errors = m.window->errors();
        errors->setMeasure(ErrorPlot::Measure::Difference);
        QVERIFY(errors->order().isEmpty()); // nothing to compare with as yet
        replaceRecipe(m.document(), QStringLiteral("FP32"),
                      withDispatch(m.document().recipe(), {QStringLiteral("down_depthwise")}, QStringLiteral("FP32")));
        m.run();
        errors->setMeasure(ErrorPlot::Measure::Difference);
        QVERIFY(!errors->order().isEmpty());
        errors->setMeasure(ErrorPlot::Measure::LayerwiseDifference);
        QVERIFY(!errors->order().isEmpty());
        QVERIFY(errors->csv().section(QLatin1Char('\n'), 0, 0).contains(QStringLiteral("baseline")));
    }

    /// Dashed bars are the baseline's values of the shown measure, for both measures.
    void baselineIsDashed()
    {
        ErrorPlot *errors = m.window->errors();
        replaceRecipe(m.document(), QStringLiteral("FP32"),
                      withDispatch(m.document().recipe(), {QStringLiteral("down_depthwise")}, QStringLiteral("FP32")));
        m.run();
        const RunPtr baseline = m.document().history().baseline();
        QVERIFY(baseline && baseline != m.document().history().shown());
        const auto check = [&](ErrorPlot::Measure measure, const QVector<ErrorInfo> &before,
                               const QHash<QString, int> &of) {
            errors->setMeasure(measure);
            QTRY_VERIFY(!errors->order().isEmpty() && !errors->ghosts().data()->isEmpty());
            QVERIFY(errors->plot()->xAxis->label().contains(QStringLiteral("dashed: baseline")));
            const OperationRows rows = m.window->center()->rows(); // what waits to be shown is shown by it
            for (const QCPBarsData &bar : *errors->ghosts().data()) {
                const QString name = rows->at(errors->order()[int(bar.key)]).name;
                const std::optional<double> noise = before[of.value(name)].noiseRatio;
                QVERIFY2(noise && bar.value >= *noise, qPrintable(name)); // the axis has a floor
                if (*noise > 1e-5) QCOMPARE(bar.value, *noise);
            }
        };
        check(ErrorPlot::Measure::Graphwise, baseline->graphwise, baseline->graphwiseOf);
        check(ErrorPlot::Measure::Layerwise, baseline->layerwise, baseline->layerwiseOf);
        errors->setMeasure(ErrorPlot::Measure::Difference);
        QVERIFY(errors->ghosts().data()->isEmpty());
        QVERIFY(!errors->plot()->xAxis->label().contains(QStringLiteral("dashed")));
    }

    /// The number of a bar, of a header and of a box is defined in its tool tip: formula, samples, device.
    void toolTipsDefineTheNumbers()
    {
        ErrorPlot *errors = m.window->errors();
        QTRY_VERIFY(errors->order().size() > 3 && m.window->center()->rows()->at(errors->order()[3]).graphwise);
        QTest::qWait(100);
        int bar = 0;
        const auto rowAt = [&](int position) { return m.window->center()->rows()->at(errors->order()[position]); };
        while (!rowAt(bar).layerwise) ++bar;
        const OperationRow row = rowAt(bar);
        const QString measured = measuredText(m.document().history().shown(), &RunData::graphwise);
        QVERIFY2(measured.startsWith(QStringLiteral("8 ")) && measured.endsWith(QStringLiteral("cpu")),
                 qPrintable(measured));
        const auto verifyHas = [](const QString &tip, const QStringList &parts) {
            for (const QString &part : parts) QVERIFY2(tip.contains(part), qPrintable(part + " in " + tip));
        };
        const QString noise = noiseText(row.graphwise), decibel = decibelText(decibels(row.graphwise));
        verifyHas(errors->tipAt(errors->barCenter(bar)),
                  {row.name, noise, decibel, noiseText(row.layerwise), graphwiseMeaning(), measured});
        errors->setMeasure(ErrorPlot::Measure::Layerwise);
        QTest::qWait(50);
        const auto at = std::find_if(errors->order().begin(), errors->order().end(),
                                     [&](int i) { return m.window->center()->rows()->at(i).name == row.name; });
        verifyHas(errors->tipAt(errors->barCenter(int(at - errors->order().begin()))),
                  {row.name, layerwiseMeaning(), measured});

        const QAbstractItemModel *table = m.window->center()->table()->model();
        for (const int column :
             {OperationModel::GraphwiseSqnr, OperationModel::LayerwiseSqnr, OperationModel::Graphwise,
              OperationModel::Layerwise, OperationModel::Change, OperationModel::Cosine})
            verifyHas(table->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString(), {measured});

        GraphView *graph = m.window->center()->graph();
        QTRY_VERIFY_WITH_TIMEOUT(graph->scene() != nullptr, 60000);
        const int node = graph->scene()->view.nodeOf[m.document().graph()->find(row.name)];
        m.window->center()->setOverlay(OverlayKind::Graphwise);
        verifyHas(graph->tipOf(node), {row.name, noise, decibel, graphwiseMeaning(), measured});
        m.window->center()->setOverlay(OverlayKind::Layerwise);
        verifyHas(graph->tipOf(node), {noiseText(row.layerwise), layerwiseMeaning(), measured});
        m.window->center()->setOverlay(OverlayKind::Platform); // no number
        QVERIFY(!graph->tipOf(node).contains(measured));
        m.window->center()->setOverlay(OverlayKind::Graphwise);

        QStringList status;
        for (const QLabel *label : m.window->statusBar()->findChildren<QLabel *>()) status.append(label->toolTip());
        verifyHas(status.join(QLatin1Char('\n')), {outputSqnrMeaning(), accuracyMeaning(), measured});
    }

    /// In every form of the two plots: the image as large as in a file, the data as in one.
    void plotsAreCopied()
    {
        lookAt(QStringLiteral("down_depthwise"));
        const auto copy = [](const QWidget &panel, const QString &text) {
            QApplication::clipboard()->clear();
            for (const QMenu *menu : panel.findChildren<QMenu *>())
                for (QAction *action : menu->actions())
                    if (action->text() == text) return action->trigger();
        };
        QVector<QImage> pictures;
        QStringList datas;
        const auto check = [&](const QWidget &panel, const QString &csv) {
            copy(panel, QStringLiteral("Copy data"));
            QCOMPARE(QApplication::clipboard()->text(), csv);
            QVERIFY(csv.count(QLatin1Char('\n')) > 3);
            copy(panel, QStringLiteral("Copy image"));
            const QImage picture = QApplication::clipboard()->image();
            QVERIFY(picture.width() >= 880 * 2 && picture.height() >= 420 * 2);
            QVERIFY(!pictures.contains(picture)); // only of the current plot
            pictures.append(picture);
            datas.append(csv);
        };
        ErrorPlot *errors = m.window->errors();
        QTRY_VERIFY(!errors->order().isEmpty());
        for (const ErrorPlot::Measure measure : {ErrorPlot::Measure::Graphwise, ErrorPlot::Measure::Layerwise}) {
            errors->setMeasure(measure);
            check(*errors->tools(), errors->csv());
        }
        DistributionPanel *panel = m.window->distribution();
        panel->showSlot(QStringLiteral("parameter"), 1);
        for (const DistributionPanel::Mode mode :
             {DistributionPanel::Mode::Values, DistributionPanel::Mode::Scatter, DistributionPanel::Mode::Channels}) {
            panel->setMode(mode);
            check(*panel->tools(), panel->csv());
        }
        QCOMPARE(pictures.size(), 5);
        QVERIFY(datas.front().startsWith(QStringLiteral("operation,")));
        QVERIFY(datas.back().startsWith(QStringLiteral("channel,")));
    }

    void allPlotsAreWritten()
    {
        lookAt(QStringLiteral("down_depthwise"));
        const QString folder = m.folder.filePath(QStringLiteral("plots"));
        QVERIFY(QDir().mkpath(folder));
        QSignalSpy saved(m.window.get(), &MainWindow::allSaved);
        m.window->saveAllTo(folder);
        QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, 60000);
        const QStringList files = saved.front().front().toStringList();
        for (const char *name :
             {"error_graphwise", "error_layerwise", "distribution_values_down_depthwise_output_0",
              "distribution_scatter_down_depthwise_output_0", "distribution_channels_down_depthwise_output_0",
              "runs_graphwise", "runs_layerwise", "runs_sqnr", "runs", "operations", "problems", "passes", "graph"})
            for (const char *ending : {"csv", "png", "svg", "pdf"}) {
                if (qstrcmp(name, "graph") == 0 && qstrcmp(ending, "csv") == 0) continue; // that is "operations"
                const QString file = QStringLiteral("%1/%2.%3").arg(folder, QLatin1String(name), QLatin1String(ending));
                QVERIFY2(files.contains(file) && QFileInfo(file).size() > 20, qPrintable(file));
            }
        QFile sqnr(folder + QStringLiteral("/runs_sqnr.csv"));
        QVERIFY(sqnr.open(QIODevice::ReadOnly) && sqnr.readAll().startsWith("run,output_sqnr_db\n1,"));
        const QImage picture(folder + QStringLiteral("/distribution_scatter_down_depthwise_output_0.png"));
        QVERIFY(picture.width() >= 880 * 2);
        const QAbstractItemModel &table = *m.window->center()->table()->model();
        for (const char *ending : {"csv", "png", "svg", "pdf"}) {
            const QString file = folder + QStringLiteral("/table.") + QLatin1String(ending);
            QVERIFY(tableWriter(table, file)());
            QVERIFY(QFileInfo(file).size() > 500);
        }
        QCOMPARE(tableCsv(table).count(QLatin1Char('\n')), table.rowCount() + 1);
    }
};

QL_TEST(TestPlots)
#include "tst_plots.moc"
