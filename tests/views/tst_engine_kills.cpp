// The engine is killed at random points of a run: the document keeps its recipe, reports it and continues.
#include "tests/support/test_main.h"
#include "tests/views/recipe_json.h"
#include "views/bridge/document.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/run_history.h"
#include "views/commands/recipe_command.h"

#include <QRandomGenerator>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>

using namespace ql;
using nlohmann::json;

class TestEngineKills : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void survivesKills()
    {
        const int kills = qEnvironmentVariableIntValue("QL_KILLS") > 0 ? qEnvironmentVariableIntValue("QL_KILLS") : 20;
        QTemporaryDir cache;
        EngineClient engine({QStringLiteral(QL_BIN "/quantloupe-cli"), QStringLiteral("serve"),
                             QStringLiteral("--cache"), cache.path()});
        Document document(engine);
        QSignalSpy died(&engine, &EngineClient::died);
        engine.start();
        document.open(QStringLiteral(QL_SOURCE_DIR "/resources/sample/sample.quantloupe"));
        json small = document.recipeJson();
        small["calibration"]["samples"] = 4;
        small["evaluation"]["samples"] = 4;
        replaceRecipe(document, QStringLiteral("Data"), small);
        QTRY_VERIFY_WITH_TIMEOUT(document.graph() != nullptr, 60000);
        const json recipe = document.recipeJson();
        QRandomGenerator random{7};
        for (int i = 0; i < kills; ++i) {
            QTRY_COMPARE_WITH_TIMEOUT(engine.state(), EngineClient::State::Ready, 60000);
            // Something is edited each time, so that there is something to run
            editRecipe(document, QStringLiteral("Samples"), "/evaluation/samples", 5 + i);
            document.requests().run();
            const double moment = random.generateDouble() * 1.1; // some of them come after the run
            QVERIFY(QTest::qWaitFor(
                [&] {
                    return !document.requests().job().isRunning ||
                           document.requests().job().progress.fraction >= moment;
                },
                patienceMs));
            const qint64 pid = engine.pid();
            const int before = int(died.count());
            if (pid > 0) ::kill(pid_t(pid), SIGKILL);
            QTRY_COMPARE(int(died.count()), before + (pid > 0 ? 1 : 0));
            QTRY_VERIFY(!document.requests().job().isRunning);
            QVERIFY(document.graph());
            if (engine.state() == EngineClient::State::Failed)
                engine.restart(); // it died three times as soon as it was up
        }
        QTRY_COMPARE_WITH_TIMEOUT(engine.state(), EngineClient::State::Ready, 60000);
        for (int i = 0; i < kills; ++i) document.undoStack().undo();
        QCOMPARE(document.recipeJson(), recipe);
        document.requests().run();
        QTRY_VERIFY_WITH_TIMEOUT(document.history().shown() && document.history().shown()->isComplete &&
                                     !document.history().isStale(),
                                 120000);
    }
};

QL_TEST(TestEngineKills)
#include "tst_engine_kills.moc"
