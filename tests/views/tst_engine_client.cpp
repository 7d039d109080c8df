// The engine as a process: answers, cancels, reports errors, and one that cannot be started.
#include "tests/support/test_main.h"
#include "tests/views/recipe_json.h"
#include "views/bridge/command_text.h"
#include "views/bridge/document.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/engine_text.h"
#include "views/bridge/problem_list.h"
#include "views/bridge/run_history.h"
#include "views/commands/recipe_command.h"

#include <QDir>
#include <QProcess>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>
#include <limits>

using namespace ql;
using nlohmann::json;

class TestEngineClient : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_cache;

    QStringList command() const
    {
        return {QStringLiteral(QL_BIN "/quantloupe-cli"), QStringLiteral("serve"), QStringLiteral("--cache"),
                m_cache.path()};
    }
    static QString sample() { return QStringLiteral(QL_SOURCE_DIR "/resources/sample/sample.quantloupe"); }
    /// The sample with few images, so that a run takes a second.
    static void openSmall(Document &document, int evaluation = 4)
    {
        document.open(sample());
        json recipe = document.recipeJson();
        recipe["calibration"]["samples"] = 4;
        recipe["evaluation"]["samples"] = evaluation;
        replaceRecipe(document, QStringLiteral("Data"), recipe);
    }

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void opensRunsAndExports()
    {
        EngineClient engine(command());
        Document document(engine);
        QSignalSpy failed(&document.requests(), &EngineRequests::failed);
        engine.start();
        openSmall(document);
        QTRY_VERIFY_WITH_TIMEOUT(document.graph() != nullptr, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(document.requests().catalogue() != nullptr, 60000);
        QCOMPARE(document.graph()->operations.size(), 27);
        QVERIFY(!document.history().configs().isEmpty());
        QVERIFY(!document.graph()->operations[0].reason.isEmpty());

        // Parts come before the whole
        QVector<bool> completeness;
        connect(&document.history(), &RunHistory::shownChanged, this, [&] {
            if (document.history().shown()) completeness.append(document.history().shown()->isComplete);
        });
        document.requests().run();
        QTRY_VERIFY_WITH_TIMEOUT(document.history().shown() && document.history().shown()->isComplete, 120000);
        QVERIFY(completeness.contains(false));
        QVERIFY(!document.history().isStale());
        QCOMPARE(document.history().runs().size(), 1);
        QVERIFY(document.history().shown()->graphwiseOf.contains(QStringLiteral("down_depthwise")));

        // The distribution comes from the model that is kept
        QSignalSpy distribution(&document.requests(), &EngineRequests::distributionReady);
        document.requests().requestDistribution(QStringLiteral("down_depthwise"));
        QTRY_COMPARE_WITH_TIMEOUT(distribution.count(), 1, 60000);
        const auto data = distribution[0][1].value<DistributionsPtr>();
        QStringList roles;
        for (const api::DistributionRow &row : data->rows) roles.append(QString(toString(row.role)));
        QVERIFY(roles.contains(QStringLiteral("output")) && roles.contains(QStringLiteral("parameter")));

        QTemporaryDir folder;
        QSignalSpy exported(&document.requests(), &EngineRequests::exported);
        document.requests().exportTo(QStringLiteral("onnx_qdq"), folder.filePath(QStringLiteral("模型 out.onnx")),
                                     json::object());
        QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 1, 60000);
        QVERIFY(QFileInfo(folder.filePath(QStringLiteral("模型 out.onnx"))).size() > 1000);
        QCOMPARE(failed.count(), 0);

        // An edit makes results stale, undo brings them back without a run
        editRecipe(document, QStringLiteral("Platform"), "/platform", "TRT_INT8");
        QVERIFY(document.history().isStale());
        document.undoStack().undo();
        QVERIFY(!document.history().isStale());
    }

    void reportsErrors()
    {
        EngineClient engine(command());
        Document document(engine);
        QSignalSpy failed(&document.requests(), &EngineRequests::failed);
        engine.start();
        document.open(sample());
        json recipe = document.recipeJson();
        recipe["calibration"]["path"] = "no such folder";
        recipe["evaluation"]["path"] = "";
        replaceRecipe(document, QStringLiteral("Data"), recipe);
        // It still opens, with a problem
        QTRY_VERIFY_WITH_TIMEOUT(document.graph() != nullptr, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(!document.problems().rows().isEmpty(), 60000);
        document.requests().run();
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, 60000);
        const auto error = failed[0][0].value<EngineError>();
        const QString message = engineText(error.message);
        QVERIFY2(message.contains(QStringLiteral("no such folder")) ||
                     error.file.find("no such folder") != std::string::npos,
                 qPrintable(message));
        QVERIFY(!document.requests().job().isRunning);
        QCOMPARE(engine.state(), EngineClient::State::Ready);
    }

    void stopsImmediately()
    {
        EngineClient engine(
            {QStringLiteral(QL_BIN "/quantloupe-cli"), QStringLiteral("serve"), QStringLiteral("--no-cache")});
        Document document(engine);
        engine.start();
        openSmall(document, 400);
        QTRY_VERIFY_WITH_TIMEOUT(document.graph() != nullptr, 60000);
        document.requests().run();
        QTRY_VERIFY_WITH_TIMEOUT(document.requests().job().progress.fraction > 0.5, 60000);
        document.requests().stop();
        QTRY_VERIFY_WITH_TIMEOUT(!document.requests().job().isRunning, 60000);
        QVERIFY(!document.history().shown() || !document.history().shown()->isComplete);
        // The next run works, on this engine or on a new one
        openSmall(document);
        QTRY_VERIFY_WITH_TIMEOUT(document.graph() != nullptr, 60000);
        document.requests().run();
        QTRY_VERIFY_WITH_TIMEOUT(document.history().shown() && document.history().shown()->isComplete, 120000);
    }

    /// An engine that does not respond to a cancel is killed; its other requests are answered by the next one.
    void laterRequestsSurviveAForcedEnd()
    {
        EngineClient engine(command());
        QSignalSpy died(&engine, &EngineClient::died), finished(&engine, &EngineClient::finished),
            cancelled(&engine, &EngineClient::cancelled);
        engine.start();
        QTRY_COMPARE_WITH_TIMEOUT(engine.state(), EngineClient::State::Ready, 60000);
        const qint64 pid = engine.pid();
        QCOMPARE(::kill(pid_t(pid), SIGSTOP), 0);
        const RequestId first = engine.request(api::method::catalogue, {});
        const RequestId second = engine.request(api::method::catalogue, {});
        engine.drop(first);
        QVERIFY(engine.isPending(first) && engine.patienceLeft() > EngineClient::patienceMs); // nobody waits for it
        engine.cancel(first);
        QTRY_COMPARE_WITH_TIMEOUT(cancelled.count(), 1, 60000);
        QCOMPARE(cancelled[0][0].value<RequestId>(), first);
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 60000);
        QCOMPARE(finished[0][0].value<RequestId>(), second);
        QVERIFY(engine.pid() != pid);
        QCOMPARE(died.count(), 0);
        QCOMPARE(cancelled.count(), 1);
    }

    /// Programs that a mistyped command or a broken host may start.
    void programsThatAreNoEngine_data()
    {
        QTest::addColumn<QString>("script");
        QTest::addColumn<QString>("reported"); // empty: it is an engine
        const QString serve = QStringLiteral("exec '" QL_BIN "/quantloupe-cli' serve");
        QTest::newRow("greeting") << QStringLiteral("echo 'Welcome to gpu-box'; ") + serve << QString();
        QTest::newRow("greeting beside") << QStringLiteral("echo 'Welcome to gpu-box' >&2; ") + serve << QString();
        QTest::newRow("text without end") << QStringLiteral("yes") << QStringLiteral("is not a Quantloupe engine.\n…");
        QTest::newRow("zeros") << QStringLiteral("cat /dev/zero") << QStringLiteral("that are not text");
        QTest::newRow("noise") << QStringLiteral("cat /dev/urandom") << QStringLiteral("that are not text");
        QTest::newRow("another server") << QStringLiteral("printf 'HTTP/1.1 200 OK\\r\\n\\r\\n'")
                                        << QStringLiteral("code 0.\nHTTP/1.1 200 OK");
        // Another version: immediately reported with the older side
        const std::string hello =
            api::encodeFrame({{"type", "hello"}, {"protocol", 99}, {"version", "9.0"}, {"pid", 1}});
        const QString file = m_cache.filePath(QStringLiteral("hello"));
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(hello.data(), qint64(hello.size()));
        QTest::newRow("another protocol") << QStringLiteral("cat '%1'; exec sleep 999").arg(file)
                                          << QStringLiteral("protocol 99, this window %1").arg(api::protocolVersion);
        QTest::newRow("ends late") << QStringLiteral("sleep 3.5; echo 'ssh: no route to host' >&2; exit 255")
                                   << QStringLiteral("code 255.\nssh: no route to host");
    }
    /// As a shell reads it; what only a shell can do is passed on.
    void wordsOfACommand_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("words");
        const auto row = [](const char *text, std::initializer_list<const char *> words) {
            QStringList list;
            for (const char *word : words) list.append(QString::fromUtf8(word));
            QTest::newRow(text) << QString::fromUtf8(text) << list;
        };
        qputenv("QL_TEST_FOLDER", "/a b");
        qunsetenv("QL_TEST_UNSET");
        const QByteArray home = QDir::homePath().toUtf8();
        row("sh -c 'exec \"q l\" serve' \"a 'b'\"", {"sh", "-c", "exec \"q l\" serve", "a 'b'"});
        row("a\\ b \"c\\\"d\\n\" 'e\\f' g\"h\"'i'", {"a b", "c\"d\\n", "e\\f", "ghi"});
        row("./run {model} {in} \"\" ''", {"./run", "{model}", "{in}", "", ""});
        row("~/q ~ a~ ~b '~'", {(home + "/q").constData(), home.constData(), "a~", "~b", "~"});
        row("$QL_TEST_FOLDER/x \"${QL_TEST_FOLDER}y\" '$QL_TEST_FOLDER' \\$x $ a$",
            {"/a b/x", "/a by", "$QL_TEST_FOLDER", "$x", "$", "a$"});
        row("a $QL_TEST_UNSET \"$QL_TEST_UNSET\"", {"a", ""});
        row("ssh 机器 a && b", {"ssh", "机器", "a", "&&", "b"});
        row("  a\t'b c", {"a", "b c"});
        row("", {});
    }
    void wordsOfACommand()
    {
        QFETCH(QString, text);
        QFETCH(QStringList, words);
        QCOMPARE(splitCommand(text), words);
        QCOMPARE(splitCommand(commandText(words)), words);
    }

    void programsThatAreNoEngine()
    {
        QFETCH(QString, script);
        QFETCH(QString, reported);
        EngineClient engine({QStringLiteral("bash"), QStringLiteral("-c"), script});
        QCOMPARE(splitCommand(commandText(engine.command())), engine.command());
        QSignalSpy died(&engine, &EngineClient::died);
        engine.start();
        const auto expected = reported.isEmpty() ? EngineClient::State::Ready : EngineClient::State::Failed;
        QTRY_COMPARE_WITH_TIMEOUT(engine.state(), expected, 60000);
        QCOMPARE(died.isEmpty(), reported.isEmpty());
        if (reported.isEmpty()) return;
        const QString text = died.last().at(0).toString();
        QVERIFY2(text.contains(reported), qPrintable(text));
        QVERIFY2(text.size() < 300, qPrintable(text));
    }

    /// A silent one may wait for a password: it is reported, not killed.
    void silenceIsReported()
    {
        EngineClient engine(
            {QStringLiteral("bash"), QStringLiteral("-c"), QStringLiteral("echo Password: >&2; sleep 999")});
        EngineClient broken({QStringLiteral("bash"), QStringLiteral("-c"),
                             QStringLiteral(QL_BIN "/quantloupe-cli serve | head -c 40")});
        QSignalSpy silent(&engine, &EngineClient::silent), cut(&broken, &EngineClient::silent);
        engine.start();
        broken.start();
        QTRY_COMPARE_WITH_TIMEOUT(silent.count(), 1, 60000);
        QCOMPARE(silent[0][0].toString(), QStringLiteral("Password:"));
        QTRY_COMPARE_WITH_TIMEOUT(cut.count(), 1, 60000);
        QCOMPARE(engine.state(), EngineClient::State::Starting);
        engine.setCommand(command());
        QTRY_COMPARE_WITH_TIMEOUT(engine.state(), EngineClient::State::Ready, 60000);
    }

    /// Requests to a failed engine are answered: by a new one, or immediately with the reason.
    void failedEngineIsStartedAgain()
    {
        const QTemporaryDir folder;
        const QString marker = folder.filePath(QStringLiteral("works"));
        EngineClient engine(
            {QStringLiteral("bash"), QStringLiteral("-c"),
             QStringLiteral("test -f '%1' && exec '" QL_BIN "/quantloupe-cli' serve; echo broken >&2; exit 3")
                 .arg(marker)});
        QSignalSpy failed(&engine, &EngineClient::failed), finished(&engine, &EngineClient::finished),
            died(&engine, &EngineClient::died);
        engine.setRetryDelay(std::numeric_limits<qint64>::max());
        engine.start();
        QTRY_COMPARE(engine.state(), EngineClient::State::Failed);
        const auto starts = died.count();
        const RequestId first = engine.request(api::method::catalogue, {});
        QVERIFY(engine.isPending(first));
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(engineText(failed[0][1].value<EngineError>().message).contains(QStringLiteral("broken")));
        QVERIFY(!engine.isPending(first));
        QCOMPARE(died.count(), starts); // it was not started again so soon
        engine.setRetryDelay(0);
        engine.request(api::method::catalogue, {}); // one try
        QTRY_COMPARE(failed.count(), 2);
        QCOMPARE(died.count(), starts + 1);
        QCOMPARE(engine.state(), EngineClient::State::Failed);
        QFile file(marker);
        QVERIFY(file.open(QIODevice::WriteOnly));
        engine.request(api::method::catalogue, {});
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 60000);
        QCOMPARE(engine.state(), EngineClient::State::Ready);
        QCOMPARE(failed.count(), 2);
    }

    void givesUpOnAnEngineThatCannotStart()
    {
        EngineClient engine({QStringLiteral("/does/not/exist")});
        Document document(engine);
        QSignalSpy died(&engine, &EngineClient::died);
        engine.start();
        QTRY_COMPARE(engine.state(), EngineClient::State::Failed);
        QVERIFY(died.count() >= 1);
        QVERIFY(!died.last().at(1).toBool());
        QVERIFY(died.last().at(0).toString().contains(QStringLiteral("/does/not/exist")));
        // And starts when it gets a command that works
        engine.setCommand(command());
        QTRY_COMPARE_WITH_TIMEOUT(engine.state(), EngineClient::State::Ready, 60000);
    }
};

QL_TEST(TestEngineClient)
#include "tst_engine_client.moc"
