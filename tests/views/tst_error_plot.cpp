// The chart of errors: axis, order, zoom, threshold, baseline and tool tips.
#include "tests/support/test_main.h"
#include "tests/views/recipe_json.h"
#include "tests/views/window_fixture.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/run_history.h"
#include "views/commands/recipe_command.h"
#include "views/models/operation_model.h"
#include "views/panels/distribution_panel.h"
#include "views/plots/error_plot.h"
#include "views/plots/qcp.h"
#include "views/style/elided_label.h"
#include "views/window/center_view.h"

#include <QApplication>
#include <QLabel>

using namespace ql;
using nlohmann::json;

class TestErrorPlot : public QObject
{
    Q_OBJECT

private:
    WindowFixture m;

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
        settle();
        const int x = plot->axisRect()->center().x();
        const QString before = errors->thresholdText();
        QTest::mousePress(plot, Qt::LeftButton, {}, QPoint(x, int(plot->yAxis->coordToPixel(errors->threshold()))));
        QTest::mouseMove(plot, QPoint(x, int(plot->yAxis->coordToPixel(0.0005))));
        QTest::mouseRelease(plot, Qt::LeftButton, {}, QPoint(x, int(plot->yAxis->coordToPixel(0.0005))));
        QVERIFY(std::abs(errors->threshold() - 0.0005) < 0.0002);
        QVERIFY(errors->thresholdText() != before);
    }

    /// Bars carry names where they fit: in a window that is wide enough, and not on the hatching of an earlier recipe.
    void namesOfBars()
    {
        ErrorPlot *errors = m.window->errors();
        QTRY_VERIFY(errors->order().size() > 10);
        QTRY_VERIFY(errors->namedCount() > 5);
        editRecipe(m.document(), QStringLiteral("Edit"), [](api::Recipe &recipe) { recipe.calibration.samples -= 1; });
        QTRY_COMPARE(errors->namedCount(), 0);
        m.document().undoStack().undo();
        QTRY_VERIFY(errors->namedCount() > 5);
    }

    /// A small window has less room for it than its text needs: the short form is complete.
    void thresholdIsReadableInASmallWindow()
    {
        const ErrorPlot *errors = m.window->errors();
        QTRY_VERIFY(errors->order().size() > 10);
        m.window->resize(1216, 760);
        settle();
        const auto count = std::count_if(errors->order().begin(), errors->order().end(), [&](int row) {
            return *m.window->center()->rows()->at(row).graphwise > errors->threshold();
        });
        const QString text = errors->thresholdText();
        QVERIFY2(text.startsWith(QString::number(count)), qPrintable(text));
        for (const ElidedLabel *label : m.window->findChildren<ElidedLabel *>())
            if (label->text() == text) {
                QVERIFY(label->isVisible() && label->width() < label->fontMetrics().horizontalAdvance(text));
                QVERIFY(label->width() >=
                        label->fontMetrics().horizontalAdvance(QStringLiteral("%1 > 0.1").arg(count)));
                return;
            }
        QFAIL("no label has the text");
    }

    /// The wheel zooms at the mouse, a drag pans without selecting, a click still selects, and double click and Home
    /// show everything again.
    void errorChartIsZoomedAndMoved()
    {
        ErrorPlot *errors = m.window->errors();
        QCustomPlot *plot = errors->plot();
        QTRY_VERIFY(errors->order().size() > 10); // rows come before the bars
        settle();
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
            settle();
            errors->setCaption(caption); // the window may have said something else meanwhile
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
        const auto check = [&](ErrorPlot::Measure measure, const ErrorRows &before, const QHash<QString, int> &of) {
            errors->setMeasure(measure);
            QTRY_VERIFY(!errors->order().isEmpty() && !errors->ghosts().data()->isEmpty());
            QTRY_VERIFY(errors->plot()->xAxis->label().contains(QStringLiteral("dashed: baseline")));
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
        settle();
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
        settle();
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
};

QL_TEST(TestErrorPlot)
#include "tst_error_plot.moc"
