// bench_window: the cost of the window. Drives the real window on the real engine and prints one JSON object. Run by
// scripts/bench-window.
#include "tests/bench/bench_pauses.h"
#include "tests/bench/wait.h"
#include "tests/views/recipe_json.h"
#include "views/bridge/document.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/run_history.h"
#include "views/bridge/window_runtime.h"
#include "views/commands/recipe_command.h"
#include "views/panels/distribution_panel.h"
#include "views/plots/error_plot.h"
#include "views/style/theme.h"
#include "views/window/center_view.h"
#include "views/window/main_window.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QSettings>
#include <QTemporaryDir>
#include <QWheelEvent>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <sys/resource.h>
#include <unistd.h>

using namespace ql;
using nlohmann::json;

namespace {

double residentMib()
{
    std::ifstream statm("/proc/self/statm");
    double whole = 0, resident = 0;
    statm >> whole >> resident;
    return resident * double(sysconf(_SC_PAGESIZE)) / (1024.0 * 1024.0);
}

double cpuSeconds()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval &t) { return double(t.tv_sec) + double(t.tv_usec) / 1e6; };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// User and system time of another process, s.
double cpuSecondsOf(qint64 pid)
{
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string line;
    std::getline(file, line);
    const std::size_t end = line.rfind(')');
    if (end == std::string::npos) return 0;
    std::istringstream rest(line.substr(end + 2));
    std::string word;
    double user = 0, system = 0;
    for (int i = 0; i < 11; ++i) rest >> word;
    rest >> user >> system;
    return (user + system) / double(sysconf(_SC_CLK_TCK));
}

struct Frames
{
    QVector<double> ms;
    json summary()
    {
        std::sort(ms.begin(), ms.end());
        double sum = 0;
        for (const double value : ms) sum += value;
        return {{"mean_ms", sum / double(ms.size())},
                {"p95_ms", ms[qsizetype(double(ms.size()) * 0.95)]},
                {"worst_ms", ms.back()}};
    }
};

/// One event and the frame that it leads to.
void frame(GraphView *graph, Frames &frames, const QPoint &angle, Qt::KeyboardModifiers modifiers)
{
    QElapsedTimer timer;
    timer.start();
    const QPointF at = graph->rect().center();
    QWheelEvent wheel(at, graph->mapToGlobal(at), {}, angle, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(graph, &wheel);
    graph->repaint();
    frames.ms.append(double(timer.nsecsElapsed()) / 1e6);
}

json panAndZoom(GraphView *graph)
{
    json out = json::object();
    Frames all;
    for (const double zoom : {1.0, 0.5, 0.25, 0.12, 0.05, 0.02, 0.008, 0.003}) {
        graph->zoomBy(zoom / graph->zoom(), QPointF(graph->rect().center()));
        graph->repaint();
        if (const QString folder = qEnvironmentVariable("QL_BENCH_PICTURES"); !folder.isEmpty())
            graph->grab().save(QStringLiteral("%1/zoom_%2.png").arg(folder).arg(zoom));
        Frames frames;
        for (int i = 0; i < 12; ++i) frame(graph, frames, {i % 4 ? 0 : 60, i < 6 ? -240 : 240}, Qt::NoModifier);
        for (int i = 0; i < 6; ++i) frame(graph, frames, {0, i < 3 ? 20 : -20}, Qt::ControlModifier);
        all.ms.append(frames.ms);
        out[QString::number(zoom).toStdString()] = frames.summary();
    }
    out["all"] = all.summary();
    return out;
}

json open(MainWindow &window, const QString &file)
{
    Document &document = window.document();
    GraphView *graph = window.center()->graph();
    const double before = residentMib();
    QElapsedTimer timer;
    timer.start();
    window.openFile(file);
    if (!waitFor([&] { return graph->scene() && document.graph() && graph->scene()->graph == document.graph(); }))
        return {{"error", window.message().toStdString()}};
    graph->repaint();
    json out = {{"open_ms", timer.elapsed()},
                {"operations", document.graph()->topLevel},
                {"boxes", graph->scene()->view.nodes.size()}};
    idle(1500);
    out["frames"] = panAndZoom(graph);
    out["resident_before_mib"] = before;
    out["resident_mib"] = residentMib();
    return out;
}

/// Edits one operation at a time, live: from the edit to the bars.
json whatIf(MainWindow &window, const QString &file, int edits)
{
    Document &document = window.document();
    window.openFile(file);
    const auto isRun = [&] {
        return document.history().shown() && document.history().shown()->isComplete && !document.history().isStale() &&
               !document.requests().job().isRunning;
    };
    if (!waitFor([&] { return document.graph() != nullptr; })) return {{"error", window.message().toStdString()}};
    document.requests().run();
    if (!waitFor(isRun)) return {{"error", window.message().toStdString()}};
    document.requests().setLive(true);
    QStringList quantized;
    for (const OperationInfo &op : document.graph()->operations)
        if (op.isQuantized && op.type == QLatin1String("Conv")) quantized.append(op.name);
    QVector<double> times, wholes; // to the bars, and to all results of the recipe
    for (int i = 0; i < edits; ++i) {
        idle(700);
        const QString op = quantized[i * (quantized.size() - 1) / std::max(1, edits - 1)];
        QElapsedTimer timer;
        timer.start();
        replaceRecipe(document, QStringLiteral("edit"), withDispatch(document.recipe(), {op}, QStringLiteral("FP32")));
        const bool done = waitFor([&] {
            return !document.history().isStale() && document.history().shown() &&
                   !document.history().shown()->graphwise.isEmpty();
        });
        window.center()->rows();
        window.errors()->repaint();
        if (!done) return {{"error", window.message().toStdString()}};
        times.append(double(timer.nsecsElapsed()) / 1e6);
        waitFor(isRun);
        wholes.append(double(timer.nsecsElapsed()) / 1e6);
    }
    for (QVector<double> *list : {&times, &wholes}) std::sort(list->begin(), list->end());
    return {{"median_ms", times[times.size() / 2]},
            {"best_ms", times.front()},
            {"worst_ms", times.back()},
            {"whole_median_ms", wholes[wholes.size() / 2]}};
}

/// From choosing an operation to its distribution: one that was neither visited nor fetched, one that was fetched
/// ahead, one that was visited.
json distributions(MainWindow &window, const QString &file, int operations)
{
    Document &document = window.document();
    DistributionPanel *panel = window.distribution();
    window.openFile(file);
    if (!waitFor([&] { return document.graph() != nullptr; })) return {{"error", window.message().toStdString()}};
    document.requests().run();
    if (!waitFor([&] {
            return document.history().shown() && document.history().shown()->isComplete &&
                   !document.history().isStale() && !document.requests().job().isRunning &&
                   !document.requests().isGathering();
        }))
        return {{"error", window.message().toStdString()}};
    QStringList quantized;
    for (const OperationInfo &op : document.graph()->operations)
        if (op.isQuantized) quantized.append(op.name);
    QVector<double> cold, fetched, visited;
    const auto show = [&](const QString &name, QVector<double> &times) {
        QElapsedTimer timer;
        timer.start();
        document.setCurrent(name);
        if (!waitFor([&] { return panel->operation() == name && panel->hasData(); }, 20000)) return false;
        panel->repaint();
        times.append(double(timer.nsecsElapsed()) / 1e6);
        return true;
    };
    QVector<double> first;
    if (!show(quantized.front(), first)) return {{"error", "no distribution"}};
    for (int i = 0; i < operations; ++i) {
        idle(50); // too short to fetch anything else
        const QString name = quantized[(i * 7919 + 13) % quantized.size()];
        if (panel->cache().find(name)) continue;
        if (!show(name, cold)) return {{"error", "no distribution of " + name.toStdString()}};
        const QStringList likely = operationsToPrefetch(*document.graph(), *document.history().shown(), name);
        if (likely.isEmpty() || !waitFor([&] { return panel->cache().find(likely.front()) != nullptr; }, 20000))
            continue;
        if (!show(likely.front(), fetched) || !show(name, visited)) return {{"error", "no distribution"}};
    }
    json out = {{"first_ms", first.front()}};
    for (const auto &[times, key] :
         {std::pair(&cold, "cold"), std::pair(&fetched, "fetched"), std::pair(&visited, "visited")}) {
        if (times->isEmpty()) continue;
        std::sort(times->begin(), times->end());
        out[key] = {{"median_ms", (*times)[times->size() / 2]}, {"worst_ms", times->back()}, {"count", times->size()}};
    }
    return out;
}

/// From the request to stop a run to its end.
json cancel(MainWindow &window, const QString &file)
{
    Document &document = window.document();
    window.openFile(file);
    if (!waitFor([&] { return document.graph() != nullptr; })) return {{"error", window.message().toStdString()}};
    QVector<double> times;
    for (int i = 0; i < 5; ++i) {
        document.requests().run();
        if (!waitFor([&] { return document.requests().job().progress.fraction > 0.3; }))
            return {{"error", "the run does not begin"}};
        QElapsedTimer timer;
        timer.start();
        document.requests().stop();
        if (!waitFor([&] { return !document.requests().job().isRunning; })) return {{"error", "the run does not end"}};
        times.append(double(timer.nsecsElapsed()) / 1e6);
    }
    std::sort(times.begin(), times.end());
    return {{"median_ms", times[times.size() / 2]}, {"worst_ms", times.back()}};
}

} // namespace

/// bench_window start | idle [FILE] | open FILE | what-if RECIPE [EDITS] | distribution RECIPE [OPERATIONS] |
/// cancel RECIPE | pauses RECIPE
int main(int argc, char **argv)
{
    const WindowRuntime runtime;
    QTemporaryDir settings;
    qputenv("XDG_CONFIG_HOME", settings.path().toUtf8());
    qputenv("XDG_DATA_HOME", settings.path().toUtf8());
    qputenv("XDG_CACHE_HOME", settings.path().toUtf8());
    QApplication app(argc, argv);
    QApplication::setOrganizationName(QStringLiteral("quantloupe"));
    QApplication::setApplicationName(QStringLiteral("quantloupe-bench"));
    const QStringList arguments = QApplication::arguments();
    const QString what = arguments.value(1);
    ThemeManager::instance().apply();
    MainWindow window;
    window.resize(1600, 1000);
    window.show();
    if (!waitFor([&] { return window.engine().state() == EngineClient::State::Ready; }, 60000)) return 1;
    json out = json::object();
    if (what == QLatin1String("start")) {
        std::puts("ready"); // the script has the time of the start
        std::fflush(stdout);
        window.document().undoStack().setClean();
        return 0;
    }
    if (what == QLatin1String("idle")) {
        if (arguments.size() > 2) out = open(window, arguments[2]);
        idle(2000);
        const double before = cpuSeconds(), engineBefore = cpuSecondsOf(window.engine().pid());
        idle(10000);
        out = {{"window_cpu_percent", (cpuSeconds() - before) * 10},
               {"engine_cpu_percent", (cpuSecondsOf(window.engine().pid()) - engineBefore) * 10}};
    } else if (what == QLatin1String("open")) {
        out = open(window, arguments.value(2));
    } else if (what == QLatin1String("what-if")) {
        out = whatIf(window, arguments.value(2), arguments.value(3, QStringLiteral("7")).toInt());
    } else if (what == QLatin1String("distribution")) {
        out = distributions(window, arguments.value(2), arguments.value(3, QStringLiteral("12")).toInt());
    } else if (what == QLatin1String("cancel")) {
        out = cancel(window, arguments.value(2));
    } else if (what == QLatin1String("pauses")) {
        out = pauses(window, arguments.value(2));
    } else {
        std::fputs("usage: bench_window start | idle [FILE] | open FILE | what-if RECIPE [EDITS] | "
                   "distribution RECIPE [OPERATIONS] | cancel RECIPE | pauses RECIPE\n",
                   stderr);
        return 2;
    }
    std::puts(out.dump(1).c_str());
    window.document().undoStack().setClean();
    return out.contains("error") ? 1 : 0;
}
