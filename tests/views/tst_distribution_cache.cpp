// Distributions that were visited or prefetched appear immediately; dragged limits are estimated.
#include "tests/support/test_main.h"
#include "tests/views/window_fixture.h"
#include "views/bridge/run_history.h"
#include "views/panels/distribution_panel.h"
#include "views/panels/inspector.h"
#include "views/plots/error_plot.h"
#include "views/plots/qcp.h"

#include <QLabel>
#include <QSignalSpy>

using namespace ql;

class TestDistributionCache : public QObject
{
    Q_OBJECT

private:
    WindowFixture m;

    DistributionPanel *panel() { return m.window->distribution(); }
    bool isShown(const QString &operation) { return panel()->operation() == operation && panel()->hasData(); }
    QString facts() { return panel()->findChild<QLabel *>(QStringLiteral("facts"))->text(); }
    QStringList likely()
    {
        return operationsToPrefetch(*m.document().graph(), *m.document().history().shown(), m.document().current());
    }

private Q_SLOTS:
    void initTestCase()
    {
        m.prepare("TRT_INT8");
        m.show();
        m.open();
        m.run();
    }
    void cleanupTestCase() { m.close(); }

    void likelyOperationsAreFetched()
    {
        m.document().setCurrent(QStringLiteral("down_depthwise"));
        QTRY_VERIFY_WITH_TIMEOUT(isShown(QStringLiteral("down_depthwise")), 60000);
        const QStringList next = likely();
        QVERIFY(next.size() > 3 && !next.contains(QStringLiteral("down_depthwise")));
        for (const QString &operation : next) // neighbours and worst ones, one after the other
            QTRY_VERIFY2_WITH_TIMEOUT(panel()->cache().find(operation), qPrintable(operation), 60000);
        m.document().setCurrent(next.front());
        QVERIFY(isShown(next.front())); // without a question
        m.document().setCurrent(QStringLiteral("down_depthwise"));
        QVERIFY(isShown(QStringLiteral("down_depthwise")));
    }

    void nextIsTheConsumerOfTheOutput()
    {
        const GraphPtr &graph = m.document().graph();
        for (const OperationInfo &op : graph->operations) {
            if (op.outputs.isEmpty()) continue;
            for (const OperationInfo &reader : graph->operations) {
                if (!reader.isQuantized || !reader.inputs.contains(op.outputs.front())) continue;
                const QStringList next = operationsToPrefetch(*graph, *m.document().history().shown(), op.name);
                QVERIFY(graph->operations[graph->find(next.front())].inputs.contains(op.outputs.front()));
                break;
            }
        }
    }

    /// The eight worst operations, equal ones in execution order.
    void theWorstAreFetchedFirst()
    {
        GraphSnapshot graph;
        RunData run;
        graph.topLevel = 20;
        for (int i = 0; i < graph.topLevel; ++i) {
            OperationInfo op;
            op.name = QString::number(i);
            op.isQuantized = i != 8;
            graph.operationByName.insert(op.name, i);
            graph.operations.append(op);
            api::OutputRow error;
            error.op = op.name.toStdString();
            if (i != 5) error.noiseRatio = i % 3;
            run.graphwise.append(error);
        }
        QCOMPARE(operationsToPrefetch(graph, run, {}).join(QLatin1Char(' ')), QStringLiteral("2 11 14 17 1 4 7"));
    }

    /// After an edit, and when an earlier run is chosen, the panel shows the tensors of the run that all views show.
    void followsTheShownRun()
    {
        QTRY_VERIFY_WITH_TIMEOUT(panel()->cache().find(QStringLiteral("down_depthwise")), 60000);
        m.document().setCurrent(QStringLiteral("tail"));
        QTRY_VERIFY_WITH_TIMEOUT(isShown(QStringLiteral("tail")), 60000);
        const QString before = facts();
        m.document().setCurrent(QStringLiteral("down_depthwise"));
        m.window->inspector()->sendTo(QStringLiteral("FP32"));
        QVERIFY(m.document().history().isStale());
        QVERIFY(panel()->cache().find(QStringLiteral("down_depthwise"))); // of the run before the edit
        m.run();
        m.document().setCurrent(QStringLiteral("tail"));
        QTRY_VERIFY_WITH_TIMEOUT(isShown(QStringLiteral("tail")) && facts() != before, 60000);

        // The first run again: also operations that were not read then, with limits that cannot be dragged
        m.document().history().show(1);
        QVERIFY(m.document().history().isStale());
        QTRY_VERIFY2(facts() == before, qPrintable(facts() + QLatin1Char('|') + before));
        QString other;
        for (const OperationInfo &op : m.document().graph()->operations)
            if (op.isQuantized && !panel()->cache().find(op.name)) other = op.name;
        QVERIFY(!other.isEmpty());
        m.document().setCurrent(other);
        QTRY_VERIFY2_WITH_TIMEOUT(isShown(other), qPrintable(panel()->notice()), 60000);
        QVERIFY(panel()->notice().isEmpty());
        m.document().undoStack().undo();
        QTRY_VERIFY_WITH_TIMEOUT(panel()->cache().find(QStringLiteral("down_depthwise")), 60000); // the recipe before
    }

    void limitsOfAnotherRecipeStay()
    {
        m.document().setCurrent(QStringLiteral("scores"));
        QTRY_VERIFY_WITH_TIMEOUT(isShown(QStringLiteral("scores")), 60000);
        const auto drag = [this] {
            QCustomPlot *plot = panel()->plot();
            const auto at = [&](double value) {
                return QPoint(int(plot->xAxis->coordToPixel(value)), plot->axisRect()->rect().center().y());
            };
            const QPoint to = at(panel()->limits().second * 0.5);
            QTest::mousePress(plot, Qt::LeftButton, {}, at(panel()->limits().second));
            QMouseEvent move(QEvent::MouseMove, QPointF(to), plot->mapToGlobal(QPointF(to)), Qt::NoButton,
                             Qt::LeftButton, Qt::NoModifier);
            QCoreApplication::sendEvent(plot, &move);
            QTest::keyClick(plot, Qt::Key_Escape);
            QTest::mouseRelease(plot, Qt::LeftButton, {}, to);
        };
        QTRY_VERIFY(panel()->limits().first < panel()->limits().second);
        settle();
        QSignalSpy estimates(panel(), &DistributionPanel::estimated);
        drag();
        QVERIFY(estimates.count() > 0);
        estimates.clear();
        const QPair<double, double> limits = panel()->limits();
        m.document().setCurrent(QStringLiteral("stem"));
        m.window->inspector()->sendTo(QStringLiteral("FP32"));
        m.document().setCurrent(QStringLiteral("scores"));
        QTRY_VERIFY_WITH_TIMEOUT(isShown(QStringLiteral("scores")) && panel()->limits() == limits, 60000);
        settle();
        drag();
        QCOMPARE(estimates.count(), 0);
        QCOMPARE(panel()->limits(), limits);
        m.document().undoStack().undo();
    }

    /// With the mouse: step, share and decibels follow as estimates, and the bar; Escape gives it up.
    void draggedLimitIsEstimated()
    {
        QString operation;
        for (const ConfigInfo &config : m.document().history().configs())
            if (config.role == api::SlotRole::Output && config.scale.size() == 1 && !config.isOverlapped() &&
                !config.isFloat() && config.rootOperation.isEmpty())
                operation = config.operation;
        QVERIFY(!operation.isEmpty());
        m.document().setCurrent(operation);
        QTRY_VERIFY_WITH_TIMEOUT(isShown(operation), 60000);
        panel()->setMode(DistributionPanel::Mode::Values);
        QTRY_VERIFY(panel()->limits().first < panel()->limits().second);
        settle();
        QCustomPlot *plot = panel()->plot();
        const QPair<double, double> before = panel()->limits();
        const QString measured = facts();
        QVERIFY(!measured.contains(QStringLiteral("≈")));
        const auto at = [&](double value) {
            return QPoint(int(plot->xAxis->coordToPixel(value)), plot->axisRect()->rect().center().y());
        };
        const QPoint from = at(before.second), to = at(before.second * 0.4);
        QTest::mousePress(plot, Qt::LeftButton, {}, from);
        QTest::mouseMove(plot, to);
        QMouseEvent move(QEvent::MouseMove, QPointF(to), plot->mapToGlobal(QPointF(to)), Qt::NoButton, Qt::LeftButton,
                         Qt::NoModifier);
        QCoreApplication::sendEvent(plot, &move);
        QVERIFY2(facts().contains(QStringLiteral("≈")), qPrintable(facts()));
        QVERIFY(facts() != measured);
        QVERIFY(m.window->errors()->estimatedRatio());
        QTest::keyClick(plot, Qt::Key_Escape);
        QCOMPARE(panel()->limits(), before);
        QCOMPARE(facts(), measured);
        QVERIFY(!m.window->errors()->estimatedRatio());
        QTest::mouseRelease(plot, Qt::LeftButton, {}, to);
        QCOMPARE(m.document().undoStack().index(), 0);
    }
};

QL_TEST(TestDistributionCache)
#include "tst_distribution_cache.moc"
