#include "tests/bench/bench_pauses.h"

#include "tests/bench/wait.h"
#include "tests/bench/watchdog.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/run_history.h"
#include "views/panels/inspector.h"
#include "views/panels/table_export.h"
#include "views/window/center_view.h"
#include "views/window/main_window.h"

#include <QFileInfo>
#include <QKeyEvent>
#include <QLineEdit>
#include <QScrollBar>
#include <QTableView>
#include <QTemporaryDir>
#include <malloc.h>

namespace ql {

namespace {

using nlohmann::json;

class PauseBench
{
public:
    explicit PauseBench(MainWindow &window) : m_window(window), m_center(*window.center()), m_graph(*m_center.graph())
    {}

    json run(const QString &recipe)
    {
        if (openAndEdit(recipe) && look() && write()) measureMemory();
        json out = {{"steps", m_steps}};
        if (m_error.isEmpty())
            out["mib_a_run"] = m_mibARun;
        else
            out["error"] = m_error.toStdString();
        return out;
    }

private:
    Document &document() { return m_window.document(); }
    bool isLaidOut() { return document().graph() && m_graph.scene() && m_graph.scene()->graph == document().graph(); }
    bool isRun()
    {
        const RunHistory &history = document().history();
        return history.shown() && history.shown()->isComplete && !history.isStale() &&
               !document().requests().job().isRunning;
    }

    /// Does something and waits until it is done; notes the longest pause of the event loop meanwhile.
    bool watch(const QString &what, const std::function<void()> &act, const std::function<bool()> &isDone)
    {
        idle(300); // what the step before left to do
        m_watchdog.reset(what);
        QElapsedTimer timer;
        timer.start();
        act();
        const bool done = waitFor(isDone);
        const qint64 elapsed = timer.elapsed();
        idle(100); // what follows at once
        m_steps.push_back({{"what", what.toStdString()}, {"ms", elapsed}, {"longest_pause_ms", m_watchdog.longest()}});
        if (!done) m_error = QStringLiteral("%1 did not end: %2").arg(what, m_window.message());
        return done;
    }
    bool watch(const QString &what, const std::function<void()> &act)
    {
        return watch(what, act, [] { return true; });
    }

    bool openAndEdit(const QString &recipe)
    {
        const auto open = [&] { m_window.openFile(recipe); };
        const auto runNow = [this] { document().requests().run(); };
        const auto isFinished = [this] { return isRun(); };
        GraphPtr before;
        const auto isNew = [&] { return document().graph() != before && isLaidOut(); };
        if (!watch(QStringLiteral("open"), open,
                   [this] { return isLaidOut() && !document().history().configs().isEmpty(); }) ||
            !watch(QStringLiteral("run"), runNow, isFinished))
            return false;
        const QString some = document().graph()->operations[document().graph()->topLevel / 2].name;
        if (!watch(QStringLiteral("choose an operation"), [&] { document().setCurrent(some); })) return false;
        before = document().graph();
        if (!watch(
                QStringLiteral("edit: one to FP32"), [&] { m_window.inspector()->sendTo(QStringLiteral("FP32")); },
                isNew) ||
            !watch(QStringLiteral("run again"), runNow, isFinished))
            return false;
        before = document().graph();
        return watch(
            QStringLiteral("undo"), [&] { document().undoStack().undo(); }, [&] { return isNew() && isRun(); });
    }

    bool look()
    {
        for (const OverlayKind kind : {OverlayKind::Graphwise, OverlayKind::ScaleGroup, OverlayKind::Difference})
            watch(QStringLiteral("colour by ") + overlayName(kind), [&] { m_center.setOverlay(kind); });
        auto *search = m_window.findChild<QLineEdit *>(QStringLiteral("search"));
        watch(QStringLiteral("search while typing"), [&] {
            for (const QString &text : {QStringLiteral("m"), QStringLiteral("ma"), QStringLiteral("matmul"),
                                        QStringLiteral("error>0.0001"), QStringLiteral("/softmax$/"), QString()}) {
                search->setText(text);
                idle(30);
            }
        });
        const qsizetype boxes = m_graph.scene()->view.nodes.size();
        if (!watch(
                QStringLiteral("fold groups by name"), [&] { m_center.foldNames(1); },
                [&] { return m_graph.scene()->view.nodes.size() < boxes / 4; }) ||
            !watch(
                QStringLiteral("unfold"), [&] { m_center.foldNames(0); },
                [&] { return m_graph.scene()->view.nodes.size() == boxes; }))
            return false;
        watch(QStringLiteral("zoom and pan"), [&] {
            for (const double zoom : {1.0, 0.3, 0.1, 0.03, 0.005}) {
                m_graph.zoomBy(zoom / m_graph.zoom(), QPointF(300, 300));
                idle(20);
                QKeyEvent down(QEvent::KeyPress, Qt::Key_PageDown, Qt::NoModifier);
                QCoreApplication::sendEvent(&m_graph, &down);
                idle(20);
            }
        });
        return watch(QStringLiteral("table, sorted by three columns"), [&] {
            m_center.showTable(true);
            for (const int column : {OperationModel::Graphwise, OperationModel::Name, OperationModel::Position}) {
                idle(20);
                m_center.table()->sortByColumn(column, Qt::DescendingOrder);
            }
            QScrollBar *bar = m_center.table()->verticalScrollBar();
            for (int i = 0; i <= 20; ++i) {
                bar->setValue(bar->maximum() * i / 20);
                idle(5);
            }
            m_center.showTable(false);
        });
    }

    bool write()
    {
        bool isWritten = false;
        const auto hasWritten = [&] { return isWritten; };
        const auto context = std::make_unique<QObject>(); // ends the connections with this function
        QObject::connect(&m_center, &CenterView::pictureSaved, context.get(), [&] { isWritten = true; });
        QObject::connect(&document().requests(), &EngineRequests::exported, context.get(), [&] { isWritten = true; });
        if (!watch(
                QStringLiteral("save the graph as an image"),
                [&] { m_center.savePicture(m_folder.filePath(QStringLiteral("graph.svg"))); }, hasWritten))
            return false;
        isWritten = false;
        const auto exportNow = [&] {
            document().requests().exportTo(QStringLiteral("onnx_qdq"), m_folder.filePath(QStringLiteral("out.onnx")),
                                           json::object());
        };
        if (!watch(QStringLiteral("export"), exportNow, hasWritten)) return false;
        watch(QStringLiteral("save the recipe"),
              [&] { m_window.saveFile(m_folder.filePath(QStringLiteral("saved.quantloupe"))); });
        for (const QString &name : {QStringLiteral("table.png"), QStringLiteral("table.csv")}) {
            isWritten = false;
            const auto writeTable = [&] {
                writeInBackground(tableWriter(*m_center.table()->model(), m_folder.filePath(name)), m_window,
                                  [&](bool) { isWritten = true; });
            };
            if (!watch(QStringLiteral("save ") + name, writeTable, hasWritten)) return false;
        }
        return true;
    }

    /// What a run keeps, without what the heap has for later.
    void measureMemory()
    {
        const auto used = [] { return double(mallinfo2().uordblks + mallinfo2().hblkhd) / 1048576; };
        const double before = used();
        constexpr int more = 3;
        for (int i = 0; i < more; ++i) {
            document().setCurrent(document().graph()->operations[document().graph()->topLevel / 3 + i].name);
            m_window.inspector()->sendTo(QStringLiteral("FP32"));
            document().requests().run();
            if (!waitFor([this] { return isRun(); })) m_error = QStringLiteral("a run did not end");
        }
        idle(1000); // what is freed elsewhere
        m_mibARun = (used() - before) / more;
    }

    MainWindow &m_window;
    CenterView &m_center;
    GraphView &m_graph;
    Watchdog m_watchdog;
    QTemporaryDir m_folder;
    json m_steps = json::array();
    double m_mibARun = 0;
    QString m_error;
};

} // namespace

json pauses(MainWindow &window, const QString &recipe)
{
    return PauseBench(window).run(recipe);
}

} // namespace ql
