// Files that change, move or disappear while they are shown: recipe, model, weights, data, platforms.
#include "tests/support/test_main.h"
#include "tests/views/answer_dialog.h"
#include "tests/views/document_fixture.h"
#include "tests/views/recipe_json.h"
#include "tests/views/window_fixture.h"
#include "views/bridge/data_watch.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/file_watch.h"
#include "views/bridge/run_history.h"
#include "views/commands/recipe_command.h"
#include "views/panels/distribution_panel.h"
#include "views/window/main_window.h"

#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QtTest>

using namespace ql;
using nlohmann::json;

class TestChangedFiles : public DocumentTest
{
    Q_OBJECT

    /// That of the watched files, so that they are looked at.
    void changeFolder()
    {
        const QString other = m_work + QStringLiteral("/other");
        if (!QFile::remove(other)) write(other, "a file beside them");
    }

private Q_SLOTS:
    void initTestCase() { prepare(); }
    void init() { renew(); }

    void fileWatchReports_data()
    {
        QTest::addColumn<QString>("how");
        QTest::newRow("written") << "write";
        QTest::newRow("replaced by a rename") << "rename";
        QTest::newRow("removed and written again") << "remove";
    }
    void fileWatchReports()
    {
        QFETCH(QString, how);
        FileWatch watch;
        QSignalSpy changed(&watch, &FileWatch::changed);
        watch.setFiles({modelFile(), recipeFile(), QString()});
        QSignalSpy looked(&watch, &FileWatch::looked);
        changeFolder();
        QTRY_VERIFY(looked.count() > 0);
        QCOMPARE(changed.count(), 0);
        if (how == QStringLiteral("rename")) {
            write(m_work + QStringLiteral("/new"), "other bytes");
            QFile::remove(modelFile());
            QVERIFY(QFile::rename(m_work + QStringLiteral("/new"), modelFile()));
        } else {
            if (how == QStringLiteral("remove")) QFile::remove(modelFile());
            write(modelFile(), "other bytes");
        }
        QTRY_COMPARE(changed.count(), 1);
        QCOMPARE(changed[0][0].toString(), modelFile());
        // And the next time, too
        write(modelFile(), "more other bytes");
        QTRY_COMPARE(changed.count(), 2);
    }

    /// A deleted file is reported, and can be written again.
    void removedFilesAreReported()
    {
        MainWindow window(engine());
        window.show();
        window.openFile(recipeFile());
        QTRY_VERIFY_WITH_TIMEOUT(window.document().graph() != nullptr, 60000);
        QVERIFY(QFile::remove(modelFile()));
        QTRY_VERIFY(window.message().contains(QStringLiteral("模型 a.onnx was deleted")));
        QVERIFY(window.document().graph() != nullptr);
        QVERIFY(QFile::remove(recipeFile()));
        QTRY_VERIFY(window.message().contains(QStringLiteral("配方 b.quantloupe was deleted")));
        QVERIFY(window.isWindowModified()); // closing asks
        QTest::mouseClick(window.findChild<QPushButton *>(QStringLiteral("messageAction")), Qt::LeftButton);
        QVERIFY(QFile::exists(recipeFile()));
        QVERIFY(!window.isWindowModified());
    }

    void unusualNamesAndModelChangedOnDisk()
    {
        MainWindow window(engine());
        window.show();
        window.openFile(recipeFile());
        QTRY_VERIFY_WITH_TIMEOUT(window.document().graph() != nullptr, 60000);
        QCOMPARE(window.document().graph()->topLevel, 27);
        window.document().requests().run();
        QTRY_VERIFY_WITH_TIMEOUT(isRun(window), 120000);
        QVERIFY(window.message().isEmpty());
        // Another program exports the model again
        const GraphPtr before = window.document().graph();
        QByteArray model = bytesOf(modelFile());
        QVERIFY(!model.isEmpty());
        write(m_work + QStringLiteral("/part"), model);
        QFile::remove(modelFile());
        QVERIFY(QFile::rename(m_work + QStringLiteral("/part"), modelFile()));
        QTRY_VERIFY(!window.message().isEmpty());
        QVERIFY2(window.message().contains(QStringLiteral("模型 a.onnx")), qPrintable(window.message()));
        QTRY_VERIFY(window.document().history().isStale()); // regardless of the recipe
        auto *reload = window.findChild<QPushButton *>(QStringLiteral("messageAction"));
        QVERIFY(reload && reload->isVisible());
        QTest::mouseClick(reload, Qt::LeftButton);
        QVERIFY(window.message().isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(window.document().graph() && window.document().graph() != before, 60000);
        window.document().requests().run();
        QTRY_VERIFY_WITH_TIMEOUT(isRun(window), 120000);
        // Its own saving does not count as a change by another program
        editRecipe(window.document(), QStringLiteral("Samples"), "/calibration/samples", 7);
        QVERIFY(window.saveFile(recipeFile()));
        QSignalSpy looked(window.findChild<FileWatch *>(), &FileWatch::looked);
        changeFolder();
        QTRY_VERIFY(looked.count() > 0);
        settle();
        QVERIFY2(window.message().isEmpty(), qPrintable(window.message()));
    }

    /// A distribution that cannot be read is reported.
    void aDistributionWithoutItsModel()
    {
        MainWindow window(engine());
        openAndRun(window);
        QVERIFY(QFile::remove(modelFile()));
        window.document().setCurrent(QStringLiteral("down_depthwise"));
        const DistributionPanel &panel = *window.distribution();
        QTRY_VERIFY2(panel.notice().startsWith(QStringLiteral("Cannot be read:")), qPrintable(panel.notice()));
        QVERIFY2(panel.notice().contains(QFileInfo(modelFile()).fileName()), qPrintable(panel.notice()));
    }

    /// The inspector shows the current recipe, even if the engine cannot answer.
    void undoWithoutTheModel()
    {
        MainWindow window(engine());
        window.show();
        window.openFile(recipeFile());
        Document &document = window.document();
        const QString operation = QStringLiteral("down_depthwise");
        const auto bits = [&] {
            for (const int i : document.history().configsOf(operation))
                if (document.history().configs()[i].role == api::SlotRole::Output)
                    return document.history().configs()[i].bits;
            return 0;
        };
        const auto setBits = [&](int value) {
            replaceRecipe(document, QStringLiteral("Bits"),
                          withOverride(document.recipe(),
                                       {OverrideScope::Kind::Operations, {operation}, {}, api::SlotRole::Output, 0},
                                       {.bits = value}));
        };
        QTRY_COMPARE_WITH_TIMEOUT(bits(), 8, 60000);
        setBits(4);
        QTRY_COMPARE(bits(), 4);
        QVERIFY(QFile::remove(modelFile()));
        document.undoStack().undo();
        QTRY_COMPARE(bits(), 8);
        setBits(6); // never read: nothing is better than results of another recipe
        QTRY_COMPARE(bits(), 0);
        QVERIFY(document.graph());
        document.undoStack().setClean();
    }

    /// A recipe that another program has written is one more edit: the results and the undo stack stay.
    void aReloadedRecipeIsAnEdit()
    {
        MainWindow window(engine());
        openAndRun(window);
        Document &document = window.document();
        editRecipe(document, QStringLiteral("Samples"), "/calibration/samples", 7);
        const json mine = document.recipeJson();
        json theirs = json::parse(bytesOf(recipeFile()).toStdString());
        theirs["calibration"]["samples"] = 5;
        write(recipeFile(), QByteArray::fromStdString(theirs.dump()));
        QTRY_VERIFY2(window.message().contains(QStringLiteral("配方 b")), qPrintable(window.message()));
        auto *load = window.findChild<QPushButton *>(QStringLiteral("messageAction"));
        QTest::mouseClick(load, Qt::LeftButton);
        QCOMPARE(document.recipe().calibration.samples, std::int64_t(5));
        QVERIFY(!window.isWindowModified() && document.graph() && document.history().runs().size() == 1);
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window, patienceMs));
        QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(document.recipeJson(), mine);
        QVERIFY(window.isWindowModified());
        // One that is damaged replaces nothing
        write(recipeFile(), "{");
        QTRY_VERIFY2(window.message().contains(QStringLiteral("配方 b")), qPrintable(window.message()));
        QTest::mouseClick(load, Qt::LeftButton);
        QCOMPARE(document.recipeJson(), mine);
        QVERIFY(!window.message().isEmpty());
        document.undoStack().setClean();
    }

    /// A separate weights file belongs to the model.
    void weightsNextToTheModelChange()
    {
        const QString model = m_work + QStringLiteral("/external_data.onnx"),
                      weights = m_work + QStringLiteral("/external_data.bin");
        QVERIFY(QDir().mkpath(m_work + QStringLiteral("/external")));
        for (const char *name : {"external_data.onnx", "external_data.bin", "external/weights.bin"})
            write(m_work + QLatin1Char('/') + QLatin1String(name),
                  bytesOf(QStringLiteral(QL_TEST_DATA "/models/") + QLatin1String(name)));
        MainWindow window(engine());
        window.show();
        window.openFile(model);
        QTRY_VERIFY_WITH_TIMEOUT(window.document().graph() != nullptr, 60000);
        QVERIFY(window.document().files().contains(weights));
        const QString before = window.document().graph()->inputsKey;
        QByteArray bytes = bytesOf(weights);
        bytes[0] = char(bytes[0] ^ 1);
        write(weights, bytes);
        QTRY_VERIFY2(window.message().contains(QStringLiteral("external_data.bin")), qPrintable(window.message()));
        auto *reload = window.findChild<QPushButton *>(QStringLiteral("messageAction"));
        QTest::mouseClick(reload, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(window.document().graph() && window.document().graph()->inputsKey != before, 60000);
        window.document().undoStack().setClean();
    }

    /// Files changed after a run: samples, including one written in place, and the platform.
    void dataChangeWhileTheyAreShown()
    {
        const QString data = m_work + QStringLiteral("/changing"),
                      platforms = qEnvironmentVariable("XDG_DATA_HOME") + QStringLiteral("/quantloupe/platforms"),
                      platform = platforms + QStringLiteral("/mine.json");
        QVERIFY(QDir().mkpath(data) && QDir().mkpath(platforms));
        const QDir sample(QStringLiteral(QL_SOURCE_DIR "/resources/sample/calib"));
        const QStringList names = sample.entryList(QDir::Files);
        for (int i = 0; i < 8; ++i) QVERIFY(QFile::copy(sample.filePath(names[i]), data + QLatin1Char('/') + names[i]));
        write(platform, R"({"id": "CHANGING", "title": "Changing", "extends": "TRT_INT8"})");
        json recipe = json::parse(bytesOf(recipeFile()).toStdString());
        recipe["calibration"]["path"] = recipe["evaluation"]["path"] = "changing";
        recipe["platform"] = "CHANGING";
        write(recipeFile(), QByteArray::fromStdString(recipe.dump()));
        MainWindow window(engine());
        window.show();
        window.openFile(recipeFile());
        Document &document = window.document();
        auto *watch = window.findChild<DataWatch *>();
        const auto runs = [&] {
            document.requests().run();
            QTRY_VERIFY_WITH_TIMEOUT(document.history().shown() && document.history().shown()->isComplete &&
                                         !document.history().isStale() && !document.requests().job().isRunning,
                                     60000);
            settle();
            QTRY_VERIFY(watch->isCalm());
        };
        QTRY_VERIFY2(document.graph() != nullptr, qPrintable(window.message()));
        runs();
        if (QTest::currentTestFailed()) return;
        // In place: nothing of the folder changes
        const QString first = data + QLatin1Char('/') + names[0];
        write(first, bytesOf(sample.filePath(names[20])));
        watch->look();
        QTRY_VERIFY(document.history().isStale());
        QTRY_VERIFY2(window.message().contains(QStringLiteral("changing")), qPrintable(window.message()));
        runs();
        if (QTest::currentTestFailed()) return;
        QVERIFY(QFile::remove(first)); // reported by the folder
        QTRY_VERIFY(document.history().isStale());
        runs();
        if (QTest::currentTestFailed()) return;
        // Away, and back again
        const QString away = m_work + QStringLiteral("/elsewhere");
        const auto *status = window.findChild<QLabel *>(QStringLiteral("statusText"));
        QVERIFY(QDir().rename(data, away));
        watch->look();
        QTRY_VERIFY2(window.message().contains(QStringLiteral("deleted or renamed")), qPrintable(window.message()));
        QTRY_VERIFY2(!status->text().contains(QStringLiteral("Up to date")), qPrintable(status->text()));
        document.requests().run();
        QTRY_VERIFY2(!document.requests().job().isRunning && status->text().contains(QStringLiteral("failed")),
                     qPrintable(status->text()));
        QVERIFY(QDir().rename(away, data));
        watch->look();
        QTRY_VERIFY2(!document.history().isStale(), qPrintable(window.message()));
        runs();
        if (QTest::currentTestFailed()) return;
        write(platform, R"({"id": "CHANGING", "title": "Changing", "extends": "ONNXRUNTIME"})");
        QTRY_VERIFY(document.history().isStale());
        // Written again with the same content, it counts as unchanged
        runs();
        if (QTest::currentTestFailed()) return;
        QSignalSpy changed(watch, &DataWatch::changed);
        QSignalSpy reloaded(&document.requests(), &EngineRequests::catalogueChanged);
        write(platform, bytesOf(platform));
        QTRY_VERIFY(changed.count() > 0 && reloaded.count() > 0);
        QTRY_VERIFY(!document.requests().isInspecting());
        QVERIFY(!document.history().isStale());
        QVERIFY(QFile::remove(platform));
        document.undoStack().setClean();
    }

    /// A recipe finds its model at the new place, and keeps all other settings; one undoable edit.
    void modelHasMoved()
    {
        const QString moved = m_work + QStringLiteral("/there"), model = moved + QStringLiteral("/other name.onnx");
        QVERIFY(QDir().mkpath(moved) && QFile::rename(modelFile(), model));
        MainWindow window(engine());
        window.show();
        json recipe = json::parse(bytesOf(recipeFile()).toStdString());
        recipe["model"]["sha256"] = std::string(64, '0');
        write(recipeFile(), QByteArray::fromStdString(recipe.dump()));
        window.openFile(recipeFile());
        auto *button = window.findChild<QPushButton *>(QStringLiteral("messageAction"));
        QTRY_VERIFY2(button->isVisible() && window.message().contains(QStringLiteral("does not exist")),
                     qPrintable(window.message()));
        answerNext<QFileDialog>(&window, [&](QFileDialog &dialog) {
            dialog.setDirectory(moved);
            dialog.selectFile(model);
            dialog.findChild<QLineEdit *>()->setText(model);
            static_cast<QDialog &>(dialog).accept();
        });
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(window.document().recipe().model, std::string("there/other name.onnx"));
        QVERIFY(window.document().recipe().sha256.empty()); // whatever it was
        QCOMPARE(window.document().recipe().platform, std::string("RKNN_INT8"));
        QTRY_VERIFY2(window.document().graph() != nullptr, qPrintable(window.message()));
        QTRY_VERIFY2(window.message().isEmpty(), qPrintable(window.message()));
        QVERIFY(QFile::rename(model, model + QStringLiteral("x"))); // while it is shown
        QTRY_VERIFY2(window.message().contains(QStringLiteral("was deleted")), qPrintable(window.message()));
        QVERIFY(button->isVisible());
        window.document().undoStack().undo();
        QCOMPARE(window.document().recipe().model, std::string("模型 a.onnx"));
        window.document().undoStack().setClean();
    }

    /// The recipe identifies its model by the SHA-256; another one is used if the user confirms.
    void modelIsAnother()
    {
        json recipe = json::parse(bytesOf(recipeFile()).toStdString());
        recipe["model"]["sha256"] = std::string(64, '0');
        write(recipeFile(), QByteArray::fromStdString(recipe.dump()));
        MainWindow window(engine());
        window.show();
        window.openFile(recipeFile());
        auto *button = window.findChild<QPushButton *>(QStringLiteral("messageAction"));
        QTRY_VERIFY2(button->isVisible(), qPrintable(window.message()));
        QVERIFY2(window.message().contains(QStringLiteral("not the one")), qPrintable(window.message()));
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_VERIFY2(window.document().graph() != nullptr, qPrintable(window.message()));
        window.document().undoStack().setClean();
    }

    /// A stored run belongs to the content of the files at that time.
    void dataChangedSinceTheRun()
    {
        const QString data = m_work + QStringLiteral("/data");
        QDir(data).removeRecursively();
        QVERIFY(QDir().mkpath(data));
        const QDir sample(QStringLiteral(QL_SOURCE_DIR "/resources/sample/calib"));
        const QStringList names = sample.entryList({QStringLiteral("*.png"), QStringLiteral("*.jpg")}, QDir::Files);
        QVERIFY(names.size() >= 8);
        for (int i = 0; i < 8; ++i) QVERIFY(QFile::copy(sample.filePath(names[i]), data + QLatin1Char('/') + names[i]));
        json recipe = json::parse(bytesOf(recipeFile()).toStdString());
        recipe["calibration"]["path"] = recipe["evaluation"]["path"] = "data";
        write(recipeFile(), QByteArray::fromStdString(recipe.dump()));
        const QString runs = m_folder.filePath(QStringLiteral("runs"));
        const auto opened = [&] {
            auto window = std::make_unique<MainWindow>(engine());
            window->keepRuns(runs);
            window->show();
            window->openFile(recipeFile());
            [&] { QTRY_VERIFY_WITH_TIMEOUT(!window->document().history().key().isEmpty(), 60000); }();
            [&] { QTRY_VERIFY_WITH_TIMEOUT(window->document().graph() != nullptr, 60000); }();
            return window;
        };
        auto window = opened();
        window->document().requests().run();
        QTRY_VERIFY_WITH_TIMEOUT(isRun(*window), 120000);
        window.reset();
        window = opened();
        QTRY_VERIFY(isRun(*window));
        window.reset();
        QFile::remove(data + QLatin1Char('/') + names[0]);
        QVERIFY(QFile::copy(sample.filePath(names[8]), data + QLatin1Char('/') + names[0]));
        window = opened();
        QTRY_VERIFY(window->document().history().shown() && window->document().history().isStale());
        window->document().requests().run();
        QTRY_VERIFY_WITH_TIMEOUT(isRun(*window), 120000);
        QCOMPARE(window->document().history().runs().size(), 2);
        QVERIFY(window->document().history().runs()[0].data->inputsKey !=
                window->document().history().runs()[1].data->inputsKey);

        // The content of the files and the quantized tensors change in the same answer of the engine
        Document &document = window->document();
        const QString operation = document.history().configs().front().operation;
        document.setCurrent(operation);
        QFile::remove(data + QLatin1Char('/') + names[1]);
        QVERIFY(QFile::copy(sample.filePath(names[9]), data + QLatin1Char('/') + names[1]));
        editRecipe(document, QStringLiteral("All in float"), "/dispatch/-", {{"op", "*"}, {"platform", "FP32"}});
        QTRY_VERIFY_WITH_TIMEOUT(document.history().configs().isEmpty(), 60000);
        QVERIFY(document.history().configsOf(operation).isEmpty());
        document.undoStack().setClean();
    }

    /// Run directly instead of "Reload": results and graph belong to the new file.
    void runAfterTheModelChanged()
    {
        MainWindow window(engine());
        Document &document = window.document();
        openAndRun(window);
        if (QTest::currentTestFailed()) return;
        const QString before = document.graph()->sha256;
        QByteArray model = bytesOf(modelFile());
        model.append(QByteArray::fromHex("2800")); // model_version (field 5) 0: another file, the same net
        write(modelFile(), model);
        QTRY_VERIFY(document.history().isStale());
        document.requests().run();
        QTRY_VERIFY_WITH_TIMEOUT(isRun(window), 120000);
        QTRY_VERIFY_WITH_TIMEOUT(document.graph()->sha256 != before, 60000);
        QVERIFY(!document.history().isStale());
        QCOMPARE(document.history().runs().size(), 2);
    }

    void readOnlyRecipeIsNotReplaced()
    {
        MainWindow window(engine());
        window.show();
        window.openFile(recipeFile());
        const QByteArray before = bytesOf(recipeFile());
        QVERIFY(QFile::setPermissions(recipeFile(), QFile::ReadOwner));
        editRecipe(window.document(), QStringLiteral("Samples"), "/calibration/samples", 5);
        QVERIFY(!window.saveFile(recipeFile()));
        QVERIFY2(window.message().contains(QStringLiteral("read-only")), qPrintable(window.message()));
        QCOMPARE(bytesOf(recipeFile()), before);
        QVERIFY(!window.document().undoStack().isClean());
        QVERIFY(window.windowTitle().contains(QStringLiteral("read-only")));
        // Elsewhere it can be saved
        const QString copy = m_work + QStringLiteral("/copy.quantloupe");
        QVERIFY(window.saveFile(copy));
        QVERIFY(bytesOf(copy).contains("模型 a.onnx"));
        QVERIFY(!window.windowTitle().contains(QStringLiteral("read-only")));
    }

    /// A recipe whose data comes from a program: nothing is started until the user has seen the command and agreed,
    /// once.
    void programsWaitForTheUser()
    {
        const QString started = m_work + QStringLiteral("/started"), manifest = m_work + QStringLiteral("/data.json");
        write(manifest, R"({"command": ["sh", "-c", "echo >> started; exit 3"]})");
        MainWindow window(engine());
        window.show();
        window.openFile(recipeFile());
        QTRY_VERIFY_WITH_TIMEOUT(window.document().graph() != nullptr, 60000);
        editRecipe(window.document(), QStringLiteral("Data"), "/calibration/path", manifest.toStdString());
        window.document().requests().run();
        const QString words = QStringLiteral("starts a program: sh -c echo >> started");
        QTRY_VERIFY_WITH_TIMEOUT(window.message().contains(words), 60000);
        QVERIFY(!QFile::exists(started));
        QTest::mouseClick(window.findChild<QPushButton *>(QStringLiteral("messageAction")), Qt::LeftButton);
        const auto *programs = window.findChild<QTableWidget *>(QStringLiteral("programs"));
        auto *allow = window.findChild<QPushButton *>(QStringLiteral("allow"));
        QVERIFY(programs && allow);
        QTRY_VERIFY(allow->isEnabled());
        QCOMPARE(programs->rowCount(), 1);
        QCOMPARE(programs->item(0, 0)->text(), manifest);
        QVERIFY(!QFile::exists(started));
        QTest::mouseClick(allow, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(started), 60000);
        QTRY_VERIFY(!allow->isEnabled());
        window.document().requests().run();
        QTRY_VERIFY_WITH_TIMEOUT(window.message().contains(QStringLiteral("with exit code 3")), 60000);
    }
};

QL_TEST(TestChangedFiles)
#include "tst_changed_files.moc"
