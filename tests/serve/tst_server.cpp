// The engine over a pipe: which requests wait for each other, and which clients it accepts.
#include "core/serve/server.h"
#include "tests/support/test_main.h"

#include "core/api/methods.h"
#include "core/api/requests.h"
#include "core/base/error.h"
#include "core/serve/engine.h"

#include <QTemporaryDir>
#include <QtTest>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <poll.h>
#include <set>
#include <thread>
#include <unistd.h>

using namespace ql;
using nlohmann::json;

namespace {

json with(json all, const json &more)
{
    all.update(more);
    return all;
}

/// A gate where work stops until it is opened.
class Gate
{
public:
    void pass()
    {
        std::unique_lock lock(m_mutex);
        m_isReached = true;
        m_changed.notify_all();
        m_changed.wait(lock, [this] { return m_isOpen; });
    }
    bool waitUntilReached()
    {
        std::unique_lock lock(m_mutex);
        return m_changed.wait_for(lock, std::chrono::milliseconds(patienceMs), [this] { return m_isReached; });
    }
    void open()
    {
        const std::lock_guard lock(m_mutex);
        m_isOpen = true;
        m_changed.notify_all();
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_isOpen = false, m_isReached = false;
};

/// A run on another thread, which stops after it has sent a section.
class StoppedRun
{
public:
    /// isReached: of the part of the answer at which it stops
    StoppedRun(Engine &engine, const json &params, const std::function<bool(const api::RunPart &)> &isReached)
        : m_thread([this, &engine, params, isReached] {
              Outlet outlet;
              outlet.section = [&](const api::RunPart &part) {
                  if (isReached(part)) m_gate.pass();
              };
              m_answer = engine.answer("run", with(params, {{"goal", "all"}}), outlet);
          })
    {}
    ~StoppedRun() { finish(); }
    bool isReached() { return m_gate.waitUntilReached(); }
    json finish()
    {
        m_gate.open();
        if (m_thread.joinable()) m_thread.join();
        return m_answer;
    }

private:
    Gate m_gate;
    json m_answer;
    std::thread m_thread;
};

/// serve() on a thread, and the window's end of its pipes.
class Connection
{
public:
    /// catalogue: answers that request, on the quick lane.
    explicit Connection(std::function<api::Catalogue()> catalogue = [] { return api::Catalogue(); })
    {
        int toEngine[2], toWindow[2];
        if (::pipe(toEngine) != 0 || ::pipe(toWindow) != 0) qFatal("no pipes");
        m_write = toEngine[1];
        m_read = toWindow[0];
        m_thread = std::thread([this, catalogue = std::move(catalogue), input = toEngine[0], output = toWindow[1]] {
            ServeOptions options;
            options.input = input;
            options.output = output;
            options.cache = false;
            options.catalogue = catalogue;
            m_code = serve(options);
            ::close(input);
            ::close(output);
        });
    }
    ~Connection()
    {
        end();
        ::close(m_read);
    }
    /// @returns the exit code
    int end()
    {
        if (m_write >= 0) ::close(std::exchange(m_write, -1));
        if (m_thread.joinable()) m_thread.join();
        return m_code;
    }
    void send(const json &message) const
    {
        const std::string frame = api::encodeFrame(message);
        if (::write(m_write, frame.data(), frame.size()) != ssize_t(frame.size())) qFatal("nobody reads");
    }
    void sayHello() const { send({{"type", "hello"}, {"protocol", api::protocolVersion}}); }
    std::int64_t ask(const api::Method &method, const json &params)
    {
        send({{"type", "request"}, {"id", ++m_id}, {"method", method.name}, {"params", params}});
        return m_id;
    }
    void cancel(std::int64_t id) const { send({{"type", "cancel"}, {"id", id}}); }
    /// The next message except progress and sections; null if none arrives or the engine has ended.
    json next()
    {
        for (;;) {
            while (auto message = m_reader.next()) {
                const std::string type = message->value("type", "");
                if (type != "progress" && type != "section") return *message;
            }
            pollfd wait{m_read, POLLIN, 0};
            char bytes[4096];
            if (::poll(&wait, 1, 2 * patienceMs) <= 0) return nullptr;
            const ssize_t n = ::read(m_read, bytes, sizeof bytes);
            if (n <= 0) return nullptr;
            m_reader.append({bytes, std::size_t(n)});
        }
    }

private:
    int m_read = -1, m_write = -1;
    std::int64_t m_id = 0;
    std::atomic<int> m_code = -1;
    api::FrameReader m_reader;
    std::thread m_thread;
};

json params(const char *platform = "RKNN_INT8")
{
    const char *steps = "rgb; scale 1/255; mean .5,.5,.5; std .5,.5,.5; layout nchw";
    json recipe = {{"format", "quantloupe-recipe/1"},
                   {"model", {{"path", QL_SOURCE_DIR "/resources/sample/model.onnx"}}},
                   {"platform", platform},
                   {"analyses", {"graphwise"}}};
    recipe["calibration"] = {{"path", QL_SOURCE_DIR "/resources/sample/calib"}, {"samples", 4}, {"preprocess", steps}};
    recipe["evaluation"] = {{"path", QL_SOURCE_DIR "/resources/sample/eval"}, {"samples", 4}, {"preprocess", steps}};
    return {{"recipe", recipe}, {"base", "."}};
}

} // namespace

class TestServer : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

private Q_SLOTS:
    void initTestCase() { qputenv("XDG_DATA_HOME", m_folder.path().toUtf8()); }

    /// Every new method must be listed here with its lane.
    void methodsHaveLanes_data()
    {
        QTest::addColumn<QString>("method");
        QTest::addColumn<int>("lane");
        for (const char *name : {"catalogue", "inspect", "preview", "platform_check", "platform_save",
                                 "platform_remove", "plugins", "programs", "allow"})
            QTest::newRow(name) << name << int(api::Lane::Quick);
        for (const char *name : {"distribution", "export", "export_preview", "runtimes"})
            QTest::newRow(name) << name << int(api::Lane::Short);
        for (const char *name : {"run", "analysis", "passes", "report", "runtime_install", "verify"})
            QTest::newRow(name) << name << int(api::Lane::Long);
        QTest::newRow("tune") << "tune" << int(api::Lane::Search);
    }
    void methodsHaveLanes()
    {
        QFETCH(QString, method);
        QFETCH(int, lane);
        const auto known = Engine::methods();
        QCOMPARE(std::count(known.begin(), known.end(), method.toStdString()), 1);
        QCOMPARE(int(Engine::laneOf(method.toStdString())), lane);
        QCOMPARE(std::set<std::string>(known.begin(), known.end()).size(), std::size_t(21));
    }

    void refusesOtherProtocols_data()
    {
        QTest::addColumn<QByteArray>("first");
        QTest::addColumn<QByteArray>("reported");
        const auto text = [](const json &value) { return QByteArray::fromStdString(value.dump()); };
        const int another = api::protocolVersion + 1;
        QTest::newRow("newer") << text({{"type", "hello"}, {"protocol", another}})
                               << QByteArray("protocol ") + QByteArray::number(another);
        QTest::newRow("none") << text({{"type", "hello"}}) << QByteArray("protocol 0");
        QTest::newRow("no hello") << text({{"type", "request"}, {"id", 1}, {"method", "catalogue"}})
                                  << QByteArray("got a message of type 'request'");
    }
    void refusesOtherProtocols()
    {
        QFETCH(QByteArray, first);
        QFETCH(QByteArray, reported);
        Connection connection;
        const json hello = connection.next();
        QCOMPARE(hello["type"].get<std::string>(), std::string("hello"));
        QCOMPARE(hello["protocol"].get<int>(), api::protocolVersion);
        connection.send(json::parse(first.toStdString()));
        const json log = connection.next();
        QCOMPARE(log.value("type", ""), std::string("log"));
        QVERIFY2(QByteArray::fromStdString(log.value("text", "")).contains(reported), log.dump().c_str());
        QVERIFY(connection.next().is_null());
        QCOMPARE(connection.end(), 2);
    }

    /// A waiting request blocks those of its own lane and no others.
    void noLaneWaitsForAnother()
    {
        Gate gate;
        Connection connection([&] {
            gate.pass();
            return api::Catalogue();
        });
        connection.next();
        connection.sayHello();
        const std::int64_t stopped = connection.ask(api::method::catalogue, json::object());
        QVERIFY(gate.waitUntilReached());
        const std::int64_t behind = connection.ask(api::method::inspect, params());
        const std::string file = m_folder.filePath(QStringLiteral("out.onnx")).toStdString();
        const std::vector<std::pair<const api::Method *, json>> others{
            {&api::method::run, {{"goal", "analyse"}}},
            {&api::method::distribution, {{"op", "down_depthwise"}}},
            {&api::method::exportFile, {{"format", "onnx_qdq"}, {"path", file}, {"params", json::object()}}}};
        for (const auto &[method, more] : others) {
            const std::int64_t id = connection.ask(*method, with(params(), more));
            const json answer = connection.next();
            QVERIFY2(answer.value("type", "") == "result", answer.dump().c_str());
            QCOMPARE(answer["id"].get<std::int64_t>(), id);
        }
        QVERIFY(QFile::exists(QString::fromStdString(file)));
        gate.open();
        for (const std::int64_t id : {stopped, behind}) QCOMPARE(connection.next()["id"].get<std::int64_t>(), id);
    }

    /// During the analyses of a run, however long they take, its quantized model can be inspected and exported.
    void longRequestsDelayNoShortOne()
    {
        ServeOptions options;
        options.cache = false;
        Engine engine(options, [](const Text &) {});
        StoppedRun run(engine, params(), [](const api::RunPart &part) { return part.configs.has_value(); });
        QVERIFY(run.isReached());
        const json distribution = engine.answer("distribution", with(params(), {{"op", "down_depthwise"}}), {});
        QVERIFY(!distribution["rows"].empty());
        const std::string file = m_folder.filePath(QStringLiteral("meanwhile.onnx")).toStdString();
        engine.answer("export", with(params(), {{"format", "onnx_qdq"}, {"path", file}, {"params", json::object()}}),
                      {});
        QVERIFY(QFile::exists(QString::fromStdString(file)));
        QVERIFY(!engine.answer("inspect", params(), {})["operations"].empty());
        QVERIFY(run.finish().contains("report"));
    }

    /// A search sends its trials as it measures them. While it waits, nothing waits for it; when it is repeated, its
    /// measurements are known.
    void searchesDelayNothingAndResume()
    {
        const json wanted = with(params(), {{"goals", {"output.sqnr_db>90"}},
                                            {"locks", json::array()},
                                            {"seconds", 600},
                                            {"trials", 3},
                                            {"resume", true},
                                            {"metric", ""},
                                            {"allow_commands", false}});
        ServeOptions options;
        options.cacheFolder = m_folder.filePath(QStringLiteral("cache")).toStdString();
        Engine engine(options, [](const Text &) {});
        Gate gate;
        std::vector<api::TuneStep> steps;
        json answer;
        std::thread search([&] {
            Outlet outlet;
            outlet.step = [&](const api::TuneStep &step) {
                steps.push_back(step);
                gate.pass();
            };
            answer = engine.answer("tune", wanted, outlet);
        });
        const bool isReached = gate.waitUntilReached();
        const json run = engine.answer("run", with(params(), {{"goal", "analyse"}}), {});
        gate.open();
        search.join();
        QVERIFY(isReached);
        QVERIFY(run.contains("report"));
        const auto report = answer.get<api::TuneReport>();
        QCOMPARE(steps.size(), std::size_t(3));
        QCOMPARE(report.trials.size(), steps.size());
        for (std::size_t i = 0; i < steps.size(); ++i) {
            QCOMPARE(steps[i].trial.id, std::int64_t(i));
            QCOMPARE(steps[i].trial.recipeHash, api::recipeHash(steps[i].recipe));
            QVERIFY(!steps[i].front.empty());
        }
        QVERIFY(!report.meetsAllGoals());
        QCOMPARE(report.resumed, std::int64_t(0));
        const auto again = engine.answer("tune", wanted, {}).get<api::TuneReport>();
        QVERIFY(again.resumed >= 3);
        QCOMPARE(again.bestTrial, report.bestTrial);
    }

    /// The model that a run is quantizing is waited for, until the request is cancelled; any other model is not.
    void requestsWaitForAModelInProgress()
    {
        ServeOptions options;
        options.cache = false;
        Engine engine(options, [](const Text &) {});
        StoppedRun run(engine, params(), [](const api::RunPart &part) { return part.graph.has_value(); });
        QVERIFY(run.isReached());
        const json question = {{"op", "down_depthwise"}};
        Outlet outlet;
        outlet.job.cancel();
        QVERIFY_EXCEPTION_THROWN(engine.answer("distribution", with(params(), question), outlet), Cancelled);
        QVERIFY(!engine.answer("distribution", with(params("TRT_INT8"), question), {})["rows"].empty());
        json answer;
        std::thread waiting([&] { answer = engine.answer("distribution", with(params(), question), {}); });
        QVERIFY(run.finish().contains("report"));
        waiting.join();
        QVERIFY(!answer["rows"].empty());
    }
};

QL_TEST(TestServer)
#include "tst_server.moc"
