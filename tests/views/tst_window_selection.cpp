// Selecting, searching and looking in the window: graph, table, chart and context menus.
#include "tests/support/test_main.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/run_history.h"
#include "views/plots/error_plot.h"
#include "views/plots/qcp.h"
#include "views/style/theme.h"

#include "window_test.h"

#include <QApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTableView>
#include <QTimer>
#include <QtTest>

using namespace ql;
using nlohmann::json;

class TestWindowSelection : public WindowTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_fixture.prepare(); }
    void init() { m_fixture.show(); }
    void cleanup() { m_fixture.close(); }

    /// Selected rows stay selected while a filter hides them, and are visible again after it.
    void selectionOutlivesAFilter()
    {
        openSmall();
        CenterView *center = m_window->center();
        center->showTable(true);
        document().setSelection({QStringLiteral("stem"), QStringLiteral("scores")}, QStringLiteral("stem"));
        const auto selected = [&] { return center->table()->selectionModel()->selectedRows().size(); };
        QCOMPARE(selected(), 2);
        center->search(QStringLiteral("scores"));
        QCOMPARE(selected(), 1);
        center->search({});
        QCOMPARE(selected(), 2);
        QCOMPARE(document().selection().size(), 2);
    }

    /// An invalid query is marked, until it becomes valid.
    void wrongSearchIsMarked()
    {
        openSmall();
        auto *search = m_fixture.window->findChild<QLineEdit *>(QStringLiteral("search"));
        const QColor plain = search->palette().color(QPalette::Text);
        search->setText(QStringLiteral("/[/"));
        QCOMPARE(search->palette().color(QPalette::Text), Theme::current().amber);
        search->setText(QStringLiteral("conv"));
        QCOMPARE(search->palette().color(QPalette::Text), plain);
        // The number of hits is shown next to the current work, not instead of it
        const QString status = m_fixture.window->findChild<QLabel *>(QStringLiteral("statusText"))->text();
        QVERIFY2(status.contains(QStringLiteral("found")) && status.contains(QStringLiteral("Not run yet")),
                 qPrintable(status));
    }

    /// The worst one, one rank down, and up again, ending at the worst one.
    void bracketsGoThroughTheRanks()
    {
        openSmall();
        m_fixture.run();
        GraphView *graph = m_window->center()->graph();
        graph->setFocus();
        const auto press = [&](Qt::Key key) {
            QTest::keyClick(graph, key);
            return document().current();
        };
        const QString worst = press(Qt::Key_BracketLeft);
        QVERIFY(!worst.isEmpty());
        QCOMPARE(press(Qt::Key_BracketLeft), worst);
        const QString second = press(Qt::Key_BracketRight);
        QVERIFY(second != worst);
        QVERIFY(press(Qt::Key_BracketRight) != second);
        QCOMPARE(press(Qt::Key_BracketLeft), second);
        QCOMPARE(press(Qt::Key_BracketLeft), worst);
        document().setCurrent({});
        QCOMPARE(press(Qt::Key_BracketRight), worst);
    }

    /// After sorting or searching, the first rows, or the current one, are visible.
    void tableShowsTheMostImportantColumnsFirst()
    {
        openSmall();
        CenterView *center = m_window->center();
        QTableView *table = center->table();
        center->showTable(true);
        table->setMaximumHeight(120);
        QTRY_VERIFY(table->height() <= 120 && table->verticalScrollBar()->maximum() > 3);
        const auto sort = [&] {
            QHeaderView *header = table->horizontalHeader();
            const int x = header->sectionViewportPosition(OperationModel::Name) + 20;
            QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, QPoint(x, header->height() / 2));
        };
        table->scrollToBottom();
        QVERIFY(table->verticalScrollBar()->value() > 0);
        sort();
        QCOMPARE(table->verticalScrollBar()->value(), 0);
        table->scrollToBottom();
        center->search(QStringLiteral("e"));
        QCOMPARE(table->verticalScrollBar()->value(), 0);
        center->search({});

        // The current row is followed when it was seen, and only then
        document().setCurrent(center->filter()->index(0, 0).data(OperationModel::OperationRole).toString());
        table->scrollToTop();
        sort(); // the other way round
        const auto isSeen = [&] {
            const QRect row = table->visualRect(table->currentIndex());
            return !row.isEmpty() && table->viewport()->rect().contains(row.center());
        };
        QVERIFY(isSeen());
        QVERIFY(table->verticalScrollBar()->value() > 0);
        table->scrollToTop();
        QVERIFY(!isSeen());
        sort();
        QCOMPARE(table->verticalScrollBar()->value(), 0);
    }

    /// The table's menu has table actions, the graph's menu graph actions.
    void contextMenusAreOfTheirView()
    {
        openSmall();
        CenterView *center = m_window->center();
        const auto entries = [&] {
            QStringList texts;
            QTimer timer;
            connect(&timer, &QTimer::timeout, &timer, [&texts] {
                auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
                if (!menu) return;
                for (const QAction *action : menu->actions()) texts.append(action->text());
                menu->close();
            });
            timer.start(20);
            Q_EMIT center->contextMenuRequested(QStringLiteral("stem"), m_window->mapToGlobal(QPoint(300, 300)));
            return texts.join(QLatin1Char('\n'));
        };
        const QString ofGraph = entries();
        QVERIFY2(ofGraph.contains(QStringLiteral("Fit all")) && !ofGraph.contains(QStringLiteral("Copy table")),
                 qPrintable(ofGraph));
        center->showTable(true);
        const QString ofTable = entries();
        QVERIFY2(ofTable.contains(QStringLiteral("Copy table")) && ofTable.contains(QStringLiteral("CSV")),
                 qPrintable(ofTable));
        QVERIFY2(!ofTable.contains(QStringLiteral("Fit all")) && !ofTable.contains(QStringLiteral("picture")),
                 qPrintable(ofTable));
        QVERIFY(ofTable.contains(QStringLiteral("FP32")));
    }

    /// From an operation to the page that explains its noise.
    void noiseFromMenu()
    {
        openSmall();
        QTimer timer;
        connect(&timer, &QTimer::timeout, &timer, [] {
            auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
            if (!menu) return;
            for (QAction *action : menu->actions())
                if (action->text().contains(QStringLiteral("noise"))) action->trigger();
            menu->close();
        });
        timer.start(20);
        Q_EMIT m_window->center()->contextMenuRequested(QStringLiteral("stem"),
                                                        m_window->mapToGlobal(QPoint(300, 300)));
        QCOMPARE(document().current(), QStringLiteral("stem"));
        QCOMPARE(m_window->dock(QStringLiteral("problems"))->page(), QStringLiteral("origin"));
    }

    /// A search hit becomes visible, even in a collapsed group.
    void hitsAreUnfolded()
    {
        openSmall();
        CenterView *center = m_window->center();
        const auto isHidden = [&](const QString &name) {
            const ScenePtr &scene = center->graph()->scene();
            return scene->view.nodes[scene->view.nodeOf[scene->graph->find(name)]].kind == ViewNode::Kind::Group;
        };
        center->setAllFolded(CenterView::FoldAll::Regions, true);
        QTRY_VERIFY(isHidden(QStringLiteral("down_depthwise")));
        center->search(QStringLiteral("down_depthwise"));
        QVERIFY(center->hitCount() > 0);
        for (int i = 0; i < center->hitCount() && document().current() != QLatin1String("down_depthwise"); ++i)
            center->nextHit(1);
        QCOMPARE(document().current(), QStringLiteral("down_depthwise"));
        QTRY_VERIFY(!isHidden(QStringLiteral("down_depthwise")));
        center->search({});
    }

    void clickInChartSelectsEverywhere()
    {
        openSmall();
        document().requests().run();
        QTRY_VERIFY_WITH_TIMEOUT(isRun(), 120000);
        ErrorPlot *errors = m_window->errors();
        QTRY_VERIFY(errors->order().size() > 3);
        settle();
        QTest::mouseClick(errors->plot(), Qt::LeftButton, {}, errors->barCenter(3));
        const QString clicked = m_window->center()->rows()->at(errors->order()[3]).name;
        QCOMPARE(document().current(), clicked);
        // Space shows the table at the same operation
        QTest::keyClick(m_window->center()->graph(), Qt::Key_Space);
        QVERIFY(m_window->center()->showsTable());
        QCOMPARE(m_window->center()->table()->currentIndex().data(OperationModel::OperationRole).toString(), clicked);
        QTest::keyClick(m_window->center()->table(), Qt::Key_Down);
        QVERIFY(document().current() != clicked);
        QTest::keyClick(m_window->center()->table(), Qt::Key_Space);
        QVERIFY(!m_window->center()->showsTable());

        // The threshold follows the mouse
        QSignalSpy moved(errors, &ErrorPlot::thresholdChanged);
        QCustomPlot *plot = errors->plot();
        const int x = plot->axisRect()->center().x();
        QTest::mousePress(plot, Qt::LeftButton, {}, QPoint(x, int(plot->yAxis->coordToPixel(errors->threshold()))));
        QTest::mouseMove(plot, QPoint(x, int(plot->yAxis->coordToPixel(0.01))));
        QTest::mouseRelease(plot, Qt::LeftButton, {}, QPoint(x, int(plot->yAxis->coordToPixel(0.01))));
        QVERIFY(moved.count() > 0);
        QVERIFY(std::abs(errors->threshold() - 0.01) < 0.002);
        QVERIFY(errors->csv().count(QLatin1Char('\n')) > errors->order().size());
    }

    void graphIsUsedByMouseAndKeyboard()
    {
        openSmall();
        GraphView *graph = m_window->center()->graph();
        const ScenePtr scene = graph->scene();
        int node = -1;
        for (int n = 0; n < scene->view.nodes.size() && node < 0; ++n)
            if (scene->view.nodes[n].kind == ViewNode::Kind::Operation) node = n;
        QTest::mouseClick(graph, Qt::LeftButton, {}, graph->toWidget(scene->boxes[node].center()).toPoint());
        const QString first = scene->graph->operations[scene->view.nodes[node].operations.front()].name;
        QCOMPARE(document().current(), first);
        QTest::keyClick(graph, Qt::Key_J);
        QVERIFY(document().current() != first);
        QTest::keyClick(graph, Qt::Key_K);
        QCOMPARE(document().current(), first);
        QTest::keyClick(m_window.get(), Qt::Key_Left, Qt::AltModifier); // back
        QVERIFY(document().current() != first);
        const double zoom = graph->zoom();
        QTest::keyClick(graph, Qt::Key_Plus);
        QVERIFY(graph->zoom() > zoom);
        QTest::keyClick(graph, Qt::Key_0, Qt::ControlModifier);
        QTRY_VERIFY(graph->zoom() < zoom);
        QVERIFY(graph->grab().toImage() != QImage());

        // Find as you type
        QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier);
        auto *search = m_window->findChild<QLineEdit *>(QStringLiteral("search"));
        QVERIFY(search->hasFocus());
        QTest::keyClicks(search, QStringLiteral("type:conv depth"));
        QCOMPARE(m_window->center()->hitCount(), 4);
        QTest::keyClick(search, Qt::Key_Return);
        QVERIFY(document().current().contains(QStringLiteral("depthwise")));
    }
};

QL_TEST(TestWindowSelection)
#include "tst_window_selection.moc"
