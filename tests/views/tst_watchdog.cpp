// The event loop of the window is never blocked: a model of 10,000 operations is opened, run, edited and exported under
// a watchdog. Also other costs of large models: tables, search, collapsing.
#include "tests/support/test_main.h"
#include "tests/support/watchdog.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/run_history.h"
#include "views/commands/recipe_command.h"
#include "views/panels/inspector.h"
#include "views/panels/table_export.h"
#include "views/window/center_view.h"

#include "window_fixture.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QProcess>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTableView>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <malloc.h>
#include <vector>

using namespace ql;
using nlohmann::json;

/// How much slower than the reference this machine, with this build, sorts 200,000 numbers: at least 1.
static double slowness()
{
    constexpr double reference = 10; // ms, two cores of a Xeon of 2023 and the preset dev
    double best = INFINITY;
    for (int attempt = 0; attempt < 5; ++attempt) {
        std::vector<std::uint32_t> numbers(200000);
        std::uint32_t value = 1;
        for (std::uint32_t &number : numbers) number = value = value * 1664525U + 1013904223U;
        QElapsedTimer timer;
        timer.start();
        std::sort(numbers.begin(), numbers.end());
        best = std::min(best, double(timer.nsecsElapsed()) / 1e6);
    }
    qInfo("200,000 numbers sorted in %.1f ms", best);
    return std::max(1.0, best / reference);
}

/// Milliseconds that the event loop may be blocked. With sanitizers (QL_SLOW_MACHINE) only hangs count: their allocator
/// makes one thread wait for another.
static double longestPause()
{
    static const double limit = 100 * slowness();
    return qEnvironmentVariableIsSet("QL_SLOW_MACHINE") ? std::max(limit, 10000.0) : limit;
}

class TestWatchdog : public QObject
{
    Q_OBJECT

private:
    WindowFixture m_fixture;
    Watchdog *m_watchdog = nullptr;
    QStringList m_tooLong;

    Document &document() { return m_fixture.document(); }

    /// A float32 array of 1 x 4 x 8 as numpy writes it.
    void writeSample(int number)
    {
        QFile file(m_fixture.folder.filePath(QStringLiteral("data/%1.npy").arg(number)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QByteArray header("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 4, 8), }");
        header = header.leftJustified(128 - 10 - 1, ' ') + '\n';
        file.write(QByteArray("\x93NUMPY\x01\x00", 8));
        const char length[2] = {char(header.size() & 255), char(header.size() >> 8)};
        file.write(length, 2);
        file.write(header);
        for (int i = 0; i < 32; ++i) {
            const float value = float((i * 37 + number * 11) % 64) / 32 - 1;
            file.write(reinterpret_cast<const char *>(&value), 4);
        }
    }

    /// Does something, waits until it is done, and reports the longest pause of the event loop meanwhile.
    void watch(const QString &what, const std::function<void()> &act, const std::function<bool()> &isDone,
               int limitMs = 240000)
    {
        QTest::qWait(300); // leftover work of the previous step
        m_watchdog->reset(what);
        QElapsedTimer timer;
        timer.start();
        act();
        const bool done = QTest::qWaitFor(isDone, limitMs);
        QTest::qWait(100); // immediate follow-up work
        const double pause = m_watchdog->longest();
        qInfo("%-40s %6lld ms, longest pause %5.1f ms", qPrintable(what), timer.elapsed(), pause);
        if (pause >= longestPause()) m_tooLong.append(QStringLiteral("%1: %2 ms").arg(what).arg(pause, 0, 'f', 1));
        QVERIFY2(done, qPrintable(what + QStringLiteral(" did not end: ") + m_fixture.window->message()));
    }

private Q_SLOTS:
    void initTestCase() { m_fixture.isolate(); }
    void cleanup() { m_fixture.close(); }

    void neverStandsStill_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::newRow("transformer") << "transformer";
    }
    void neverStandsStill()
    {
        QFETCH(QString, kind);
        const QString model = m_fixture.folder.filePath(kind + QStringLiteral(".onnx"));
        const QString python = QStandardPaths::findExecutable(QStringLiteral("python3"));
        if (python.isEmpty()) QSKIP("python3 writes the model");
        QProcess script;
        script.start(
            python, {QStringLiteral(QL_SOURCE_DIR "/scripts/make-window-model"), kind, QStringLiteral("10000"), model});
        QVERIFY(script.waitForFinished(60000));
        QVERIFY2(script.exitCode() == 0, script.readAllStandardError().constData());
        QDir(m_fixture.folder.path()).mkpath(QStringLiteral("data"));
        for (int i = 0; i < 2; ++i) writeSample(i);
        const QString recipe = m_fixture.folder.filePath(kind + QStringLiteral(".quantloupe"));
        QFile out(recipe);
        QVERIFY(out.open(QIODevice::WriteOnly));
        const json data = {{"path", "data"}, {"samples", 2}};
        out.write(QByteArray::fromStdString(json{
            {"format", "quantloupe-recipe/1"},
            {"model", {{"path", kind.toStdString() + ".onnx"}}},
            {"platform", "TRT_INT8"},
            {"calibration", data},
            {"evaluation", data},
            {"analyses", {"graphwise"}}}.dump(1)));
        out.close();

        m_fixture.show(false);
        MainWindow *window = m_fixture.window.get();
        QTRY_COMPARE_WITH_TIMEOUT(window->engine().state(), EngineClient::State::Ready, 60000);
        QTest::qWait(500);
        Watchdog watchdog;
        m_watchdog = &watchdog;
        CenterView *center = window->center();
        GraphView *graph = center->graph();
        const auto isLaidOut = [&] {
            return document().graph() && graph->scene() && graph->scene()->graph == document().graph();
        };
        const auto isRun = [&] { return m_fixture.isRun(); };

        watch(
            QStringLiteral("open"), [&] { window->openFile(recipe); },
            [&] { return isLaidOut() && !document().history().configs().isEmpty(); });
        QVERIFY(document().graph()->topLevel > 9900);
        watch(
            QStringLiteral("run"), [&] { document().requests().run(); }, isRun);
        QVERIFY(document().history().shown()->graphwise.size() > 5000);
        const QString some = document().graph()->operations[5000].name;
        watch(
            QStringLiteral("choose an operation"), [&] { document().setCurrent(some); }, [] { return true; });
        watch(
            QStringLiteral("edit: one to FP32"), [&] { window->inspector()->sendTo(QStringLiteral("FP32")); },
            [&, before = document().graph()] { return document().graph() != before && isLaidOut(); });
        watch(
            QStringLiteral("run again"), [&] { document().requests().run(); }, isRun);
        watch(
            QStringLiteral("undo"), [&] { document().undoStack().undo(); },
            [&, before = document().graph()] { return document().graph() != before && isLaidOut() && isRun(); });
        for (const OverlayKind kind_ : {OverlayKind::Graphwise, OverlayKind::ScaleGroup, OverlayKind::Difference})
            watch(
                QStringLiteral("colour by ") + overlayName(kind_), [&] { center->setOverlay(kind_); },
                [] { return true; });
        auto *search = window->findChild<QLineEdit *>(QStringLiteral("search"));
        watch(
            QStringLiteral("search while typing"),
            [&] {
                for (const QString &text : {QStringLiteral("m"), QStringLiteral("ma"), QStringLiteral("matmul"),
                                            QStringLiteral("error>0.0001"), QStringLiteral("/softmax$/"), QString()}) {
                    search->setText(text);
                    QTest::qWait(30);
                }
            },
            [] { return true; });
        watch(
            QStringLiteral("fold groups by name"), [&] { center->foldNames(1); },
            [&] { return graph->scene()->view.nodes.size() < 2000; });
        watch(
            QStringLiteral("unfold"), [&] { center->foldNames(0); },
            [&] { return graph->scene()->view.nodes.size() > 9000; });
        watch(
            QStringLiteral("zoom and pan"),
            [&] {
                for (const double zoom : {1.0, 0.3, 0.1, 0.03, 0.005}) {
                    graph->zoomBy(zoom / graph->zoom(), QPointF(300, 300));
                    QTest::qWait(20);
                    QTest::keyClick(graph, Qt::Key_PageDown);
                    QTest::qWait(20);
                }
            },
            [] { return true; });
        watch(
            QStringLiteral("table, sorted by three columns"),
            [&] {
                center->showTable(true);
                for (const int column : {OperationModel::Graphwise, OperationModel::Name, OperationModel::Position}) {
                    QTest::qWait(20);
                    center->table()->sortByColumn(column, Qt::DescendingOrder);
                }
                for (int i = 0; i <= 20; ++i) {
                    QScrollBar *bar = center->table()->verticalScrollBar();
                    bar->setValue(bar->maximum() * i / 20);
                    QTest::qWait(5);
                }
                center->showTable(false);
            },
            [] { return true; });
        QSignalSpy saved(center, &CenterView::pictureSaved);
        watch(
            QStringLiteral("save the graph as an image"),
            [&] { center->savePicture(m_fixture.folder.filePath(QStringLiteral("graph.svg"))); },
            [&] { return saved.count() == 1; });
        QCOMPARE(saved[0][1].toString(), QString());
        QSignalSpy exported(&document().requests(), &EngineRequests::exported);
        watch(
            QStringLiteral("export"),
            [&] {
                document().requests().exportTo(QStringLiteral("onnx_qdq"),
                                               m_fixture.folder.filePath(QStringLiteral("out.onnx")), json::object());
            },
            [&] { return exported.count() == 1; });
        watch(
            QStringLiteral("save the recipe"),
            [&] { window->saveFile(m_fixture.folder.filePath(QStringLiteral("saved.quantloupe"))); },
            [] { return true; });
        for (const char *name : {"table.png", "table.csv"}) {
            const QString table = m_fixture.folder.filePath(QLatin1String(name));
            bool isWritten = false;
            watch(
                QStringLiteral("save the table as %1").arg(QLatin1String(name)),
                [&] {
                    writeInBackground(tableWriter(*center->table()->model(), table), *window,
                                      [&](bool good) { isWritten = good; });
                },
                [&] { return isWritten; });
            QVERIFY(QFileInfo(table).size() > 100000);
        }
        // Memory kept by a run, without the heap's cache
        const auto used = [] { return double(mallinfo2().uordblks + mallinfo2().hblkhd) / 1048576; };
        const double before = used();
        constexpr int more = 3;
        for (int i = 0; i < more; ++i) {
            document().setCurrent(document().graph()->operations[4000 + i].name);
            window->inspector()->sendTo(QStringLiteral("FP32"));
            document().requests().run();
            QTRY_VERIFY_WITH_TIMEOUT(isRun(), 240000);
        }
        QTest::qWait(1000); // freed elsewhere
        const double each = (used() - before) / more;
        qInfo("%.1f MiB a run", each);
        QVERIFY2(each < 40, qPrintable(QStringLiteral("%1 MiB a run").arg(each)));
        m_watchdog = nullptr;
        QVERIFY2(m_tooLong.isEmpty(), qPrintable(m_tooLong.join(QStringLiteral("; "))));
    }
};

QL_TEST(TestWatchdog)
#include "tst_watchdog.moc"
