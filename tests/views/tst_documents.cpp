// Files around the window: changed by others, read-only, with odd names, several windows, recovery after a crash.
#include "core/base/error.h"
#include "tests/support/test_main.h"
#include "tests/views/answer_dialog.h"
#include "views/bridge/data_watch.h"
#include "views/bridge/file_watch.h"
#include "views/bridge/journal.h"
#include "views/commands/recipe_command.h"
#include "views/panels/export_dialog.h"
#include "views/panels/inspector.h"
#include "views/style/theme.h"
#include "views/window/center_view.h"
#include "views/window/main_window.h"
#include "views/window/start_page.h"

#include <QDropEvent>
#include <QFileDialog>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>
#include <set>

using namespace ql;
using nlohmann::json;

class TestDocuments : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    QString m_work; ///< a folder with a blank and Chinese characters

    QStringList engine() const
    {
        return {QStringLiteral(QL_BIN "/quantloupe-cli"), QStringLiteral("serve"), QStringLiteral("--cache"),
                m_folder.filePath(QStringLiteral("cache"))};
    }
    QString modelFile() const { return m_work + QStringLiteral("/模型 a.onnx"); }
    QString recipeFile() const { return m_work + QStringLiteral("/配方 b.quantloupe"); }
    static void write(const QString &path, const QByteArray &bytes)
    {
        QFile file(path);
        QVERIFY2(file.open(QIODevice::WriteOnly), qPrintable(path));
        file.write(bytes);
    }
    static QByteArray bytesOf(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static bool isRun(MainWindow &window)
    {
        const Document &document = window.document();
        return document.result() && document.result()->isComplete && !document.isStale() && !document.job().isRunning;
    }
    void openAndRun(MainWindow &window) const
    {
        window.show();
        window.openFile(recipeFile());
        QTRY_VERIFY_WITH_TIMEOUT(window.document().graph() != nullptr, 60000);
        window.document().run();
        QTRY_VERIFY_WITH_TIMEOUT(isRun(window), 120000);
    }

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("XDG_DATA_HOME", m_folder.path().toUtf8());
        qputenv("XDG_CONFIG_HOME", m_folder.path().toUtf8());
        QCoreApplication::setOrganizationName(QStringLiteral("quantloupe"));
        QCoreApplication::setApplicationName(QStringLiteral("quantloupe-documents"));
        ThemeManager::instance().apply();
        m_work = m_folder.filePath(QStringLiteral("a folder 文件夹"));
        QVERIFY(QDir().mkpath(m_work));
    }

    void init()
    {
        const QString sample = QStringLiteral(QL_SOURCE_DIR "/resources/sample/");
        QFile::remove(modelFile());
        QVERIFY(QFile::copy(sample + QStringLiteral("model.onnx"), modelFile()));
        QFile::setPermissions(recipeFile(), QFile::ReadOwner | QFile::WriteOwner);
        QFile::remove(recipeFile());
        const char *steps = "rgb; scale 1/255; mean .5,.5,.5; std .5,.5,.5; layout nchw";
        const json data = {
            {"path", (sample + QStringLiteral("calib")).toStdString()}, {"samples", 8}, {"preprocess", steps}};
        write(recipeFile(), QByteArray::fromStdString(json{
                                {"format", "quantloupe-recipe/1"},
                                {"model", {{"path", "模型 a.onnx"}}},
                                {"platform", "RKNN_INT8"},
                                {"analyses", {"graphwise"}},
                                {"calibration", data},
                                {"evaluation", data}}.dump(1)));
    }

    void fileWatchTells_data()
    {
        QTest::addColumn<QString>("how");
        QTest::newRow("written") << "write";
        QTest::newRow("replaced by a rename") << "rename";
        QTest::newRow("removed and written again") << "remove";
    }
    void fileWatchTells()
    {
        QFETCH(QString, how);
        FileWatch watch;
        QSignalSpy changed(&watch, &FileWatch::changed);
        watch.setFiles({modelFile(), recipeFile(), QString()});
        QTest::qWait(FileWatch::calmMs + 200);
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

    /// A file that is taken away is told, and can be written again.
    void removedFilesAreTold()
    {
        MainWindow window(engine());
        window.show();
        window.openFile(recipeFile());
        QTRY_VERIFY_WITH_TIMEOUT(window.document().graph() != nullptr, 60000);
        QVERIFY(QFile::remove(modelFile()));
        QTRY_VERIFY_WITH_TIMEOUT(window.message().contains(QStringLiteral("模型 a.onnx was removed")), 30000);
        QVERIFY(window.document().graph() != nullptr);
        QVERIFY(QFile::remove(recipeFile()));
        QTRY_VERIFY_WITH_TIMEOUT(window.message().contains(QStringLiteral("配方 b.quantloupe was removed")), 30000);
        QVERIFY(window.isWindowModified()); // closing asks
        QTest::mouseClick(window.findChild<QPushButton *>(QStringLiteral("messageAction")), Qt::LeftButton);
        QVERIFY(QFile::exists(recipeFile()));
        QVERIFY(!window.isWindowModified());
    }

    /// Back to the start page, unless what was changed is not to be lost.
    void documentIsClosed()
    {
        MainWindow window(engine());
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.openFile(recipeFile());
        QTRY_VERIFY_WITH_TIMEOUT(window.document().graph() != nullptr, 60000);
        editRecipe(window.document(), QStringLiteral("Threads"), "/threads", 2);
        for (const QMessageBox::StandardButton button : {QMessageBox::Cancel, QMessageBox::Discard}) {
            window.activateWindow(); // the dialog before has taken that
            QVERIFY(QTest::qWaitForWindowActive(&window));
            answerNext<QMessageBox>(&window, [&](QMessageBox &box) { box.button(button)->click(); });
            QTest::keyClick(&window, Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
            QCOMPARE(window.document().isEmpty(), button == QMessageBox::Discard);
        }
        QVERIFY(!window.document().graph() && window.document().runs().isEmpty() && !window.isWindowModified());
        QVERIFY(window.document().filePath().isEmpty() && !window.document().isInspecting());
        QVERIFY(window.findChild<StartPage *>()->isVisible());
        QVERIFY(!window.inspector()->isVisible());
        window.openFile(recipeFile());
        QTRY_VERIFY_WITH_TIMEOUT(window.document().graph() != nullptr, 60000);
        QTRY_VERIFY(window.inspector()->isVisible());
        QCOMPARE(window.document().recipe().threads, 0);
    }

    /// Behind "ssh box", as it seems: files have the paths of the other machine, and are not looked for here.
    void engineElsewhere()
    {
        const QString script = m_folder.filePath(QStringLiteral("box.sh"));
        write(script, "cd / && exec '" + QByteArray(QL_BIN "/quantloupe-cli") + "' serve --no-cache\n");
        const QStringList command{QStringLiteral("/bin/sh"), script};
        MainWindow window(command);
        window.show();
        answerNext<QInputDialog>(&window, [&](QInputDialog &dialog) {
            dialog.setTextValue(modelFile());
            dialog.accept();
        });
        for (QAction *action : window.allActions())
            if (action->text().contains(QStringLiteral("engine's machine"))) action->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(window.document().graph() != nullptr, 60000);
        // The report is written there
        window.openFile(recipeFile());
        QTRY_VERIFY_WITH_TIMEOUT(window.document().graph() != nullptr, 60000);
        const QString report = m_folder.filePath(QStringLiteral("there.html"));
        ExportDialog dialog(window.document());
        dialog.show();
        answerNext<QInputDialog>(&dialog, [&](QInputDialog &path) {
            path.setTextValue(report);
            path.accept();
        });
        QTest::mouseClick(dialog.findChild<QPushButton *>(QStringLiteral("exportReport")), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(report).size() > 1000, 120000);
        QTRY_VERIFY2(dialog.result().contains(QStringLiteral("machine of the engine")), qPrintable(dialog.result()));
        QVERIFY(!dialog.result().contains(QStringLiteral("Open the folder")));
        // A file that is not here is a recent one of this engine
        const QString there = QStringLiteral("/only/there/model.onnx");
        window.openFile(there);
        QTRY_VERIFY_WITH_TIMEOUT(window.message().contains(QStringLiteral("model.onnx")), 60000);
        const auto recent = [](MainWindow &of) {
            QStringList files;
            for (const QMenu *menu : of.findChildren<QMenu *>())
                if (menu->title().contains(QStringLiteral("recent")))
                    for (const QAction *action : menu->actions()) files.append(action->text());
            return files;
        };
        QVERIFY(recent(window).contains(there));
        window.close();
        MainWindow again(command), here(engine());
        QVERIFY(recent(again).contains(there) && !recent(here).contains(there));
    }

    /// The program's option.
    void engineByOption()
    {
        const QString program = QStringLiteral(QL_BIN "/quantloupe"), told = m_folder.filePath(QStringLiteral("told"));
        if (!QFileInfo::exists(program)) QSKIP("quantloupe is not built");
        const QString script = m_folder.filePath(QStringLiteral("mine.sh"));
        write(script, "echo $$ > '" + told.toUtf8() + "'; exec '" + QByteArray(QL_BIN "/quantloupe-cli") + "' serve\n");
        QProcess process;
        process.start(program, {QStringLiteral("--engine"), QStringLiteral("/bin/sh ") + script});
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(told).size() > 0, 60000);
        process.terminate();
        QVERIFY(process.waitForFinished(30000));
    }

    /// Of a net that keeps them apart: the engine's refusal leads to the choice.
    void weightsAreAskedFor()
    {
        MainWindow window(engine());
        window.show();
        const QString prototxt = m_work + QStringLiteral("/alone.prototxt");
        write(prototxt, "name: 'n'\nlayer { name: 'data' type: 'Input' top: 'data' input_param { shape { dim: 1 dim: 3 "
                        "dim: 8 dim: 8 } } }\nlayer { name: 'c' type: 'Convolution' bottom: 'data' top: 'c' "
                        "convolution_param { num_output: 4 kernel_size: 3 } }\n");
        window.openFile(prototxt);
        auto *button = window.findChild<QPushButton *>(QStringLiteral("messageAction"));
        QTRY_COMPARE_WITH_TIMEOUT(button->text(), QStringLiteral("Weights…"), 60000);
        QVERIFY(button->isVisible());
        const QString weights = m_work + QStringLiteral("/given.caffemodel");
        write(weights, "w");
        answerNext<QFileDialog>(&window, [&](QFileDialog &dialog) {
            dialog.findChild<QLineEdit *>(QStringLiteral("fileNameEdit"))->setText(weights);
            QMetaObject::invokeMethod(&dialog, "accept");
        });
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(window.document().recipe().weights, weights.toStdString());
        window.document().undoStack().setClean();
    }

    /// Undo and the runs know files by their paths from the old folder.
    void savedInAnotherFolder()
    {
        MainWindow window(engine());
        Document &document = window.document();
        openAndRun(window);
        if (QTest::currentTestFailed()) return;
        editRecipe(document, QStringLiteral("Threads"), "/threads", 2);
        document.run();
        QTRY_VERIFY_WITH_TIMEOUT(isRun(window), 120000);
        const QString elsewhere = m_folder.filePath(QStringLiteral("elsewhere"));
        QVERIFY(QDir().mkpath(elsewhere));
        document.save(elsewhere + QStringLiteral("/c.quantloupe"));
        QCOMPARE(document.absolutePath(document.recipe().model), modelFile());
        QVERIFY(!document.isStale());
        document.undoStack().undo();
        QCOMPARE(document.absolutePath(document.recipe().model), modelFile());
        QTRY_VERIFY_WITH_TIMEOUT(document.graph() != nullptr, 60000);
        QVERIFY2(window.message().isEmpty(), qPrintable(window.message()));
        document.undoStack().redo();
        QCOMPARE(document.absolutePath(document.recipe().model), modelFile());
        QVERIFY(!document.isStale());
        // Runs know their files from here, too
        for (const RunRecord &run : document.runs()) {
            const QString file = QString::fromStdString(run.recipe["model"]["path"].get<std::string>());
            QCOMPARE(QDir::cleanPath(QDir(elsewhere).absoluteFilePath(file)), modelFile());
        }
        document.undoStack().setClean();
    }

    void oddNamesAndModelChangedOnDisk()
    {
        MainWindow window(engine());
        window.show();
        window.openFile(recipeFile());
        QTRY_VERIFY_WITH_TIMEOUT(window.document().graph() != nullptr, 60000);
        QCOMPARE(window.document().graph()->topLevel, 27);
        window.document().run();
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
        QVERIFY(window.document().isStale()); // whatever the recipe says
        auto *reload = window.findChild<QPushButton *>(QStringLiteral("messageAction"));
        QVERIFY(reload && reload->isVisible());
        QTest::mouseClick(reload, Qt::LeftButton);
        QVERIFY(window.message().isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(window.document().graph() && window.document().graph() != before, 60000);
        window.document().run();
        QTRY_VERIFY_WITH_TIMEOUT(isRun(window), 120000);
        // Its own saving is no change by somebody else
        editRecipe(window.document(), QStringLiteral("Samples"), "/calibration/samples", 7);
        QVERIFY(window.saveFile(recipeFile()));
        QTest::qWait(FileWatch::calmMs + 300);
        QVERIFY2(window.message().isEmpty(), qPrintable(window.message()));
    }

    /// Weights in a file of their own belong to the model.
    void weightsBesideTheModelChange()
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

    /// What a run has read is not what lies there now: samples, also one that is written in place, and the platform.
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
            document.run();
            QTRY_VERIFY_WITH_TIMEOUT(document.result() && document.result()->isComplete && !document.isStale() &&
                                         !document.job().isRunning,
                                     60000);
            QTest::qWait(2 * DataWatch::calmMs); // it has looked
        };
        QTRY_VERIFY2_WITH_TIMEOUT(document.graph() != nullptr, qPrintable(window.message()), 10000);
        runs();
        if (QTest::currentTestFailed()) return;
        // In place: nothing of the folder changes
        const QString first = data + QLatin1Char('/') + names[0];
        write(first, bytesOf(sample.filePath(names[20])));
        watch->look();
        QTRY_VERIFY_WITH_TIMEOUT(document.isStale(), 20000);
        QTRY_VERIFY2(window.message().contains(QStringLiteral("changing")), qPrintable(window.message()));
        runs();
        if (QTest::currentTestFailed()) return;
        QVERIFY(QFile::remove(first)); // told by the folder
        QTRY_VERIFY_WITH_TIMEOUT(document.isStale(), 20000);
        runs();
        if (QTest::currentTestFailed()) return;
        write(platform, R"({"id": "CHANGING", "title": "Changing", "extends": "ONNXRUNTIME"})");
        QTRY_VERIFY_WITH_TIMEOUT(document.isStale(), 20000);
        // Written again as it was, it is no other one
        runs();
        if (QTest::currentTestFailed()) return;
        write(platform, bytesOf(platform));
        QTest::qWait(4 * DataWatch::calmMs);
        QVERIFY(!document.isStale());
        QVERIFY(QFile::remove(platform));
        document.undoStack().setClean();
    }

    /// A run that is kept is of what the files held then.
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
            [&] { QTRY_VERIFY_WITH_TIMEOUT(!window->document().resultKey().isEmpty(), 60000); }();
            [&] { QTRY_VERIFY_WITH_TIMEOUT(window->document().graph() != nullptr, 60000); }();
            return window;
        };
        auto window = opened();
        window->document().run();
        QTRY_VERIFY_WITH_TIMEOUT(isRun(*window), 120000);
        window.reset();
        window = opened();
        QTRY_VERIFY(isRun(*window));
        window.reset();
        QFile::remove(data + QLatin1Char('/') + names[0]);
        QVERIFY(QFile::copy(sample.filePath(names[8]), data + QLatin1Char('/') + names[0]));
        window = opened();
        QTRY_VERIFY(window->document().result() && window->document().isStale());
        window->document().run();
        QTRY_VERIFY_WITH_TIMEOUT(isRun(*window), 120000);
        QCOMPARE(window->document().runs().size(), 2);
        QVERIFY(window->document().runs()[0].data->inputsKey != window->document().runs()[1].data->inputsKey);

        // What the files hold and the tensors that are quantized change in the same answer of the engine
        Document &document = window->document();
        const QString operation = document.configs().front().operation;
        document.setCurrent(operation);
        QFile::remove(data + QLatin1Char('/') + names[1]);
        QVERIFY(QFile::copy(sample.filePath(names[9]), data + QLatin1Char('/') + names[1]));
        editRecipe(document, QStringLiteral("All in float"), "/dispatch/-", {{"op", "*"}, {"platform", "FP32"}});
        QTRY_VERIFY_WITH_TIMEOUT(document.configs().isEmpty(), 60000);
        QVERIFY(document.configsOf(operation).isEmpty());
        document.undoStack().setClean();
    }

    /// Run at once instead of "Reload": results and graph are of the new file.
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
        QTRY_VERIFY(document.isStale());
        document.run();
        QTRY_VERIFY_WITH_TIMEOUT(isRun(window), 120000);
        QTRY_VERIFY_WITH_TIMEOUT(document.graph()->sha256 != before, 60000);
        QVERIFY(!document.isStale());
        QCOMPARE(document.runs().size(), 2);
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

    void windowsAreIndependent()
    {
        MainWindow first(engine());
        first.show();
        first.openFile(recipeFile());
        auto second = std::make_unique<MainWindow>(engine());
        second->show();
        second->openFile(recipeFile());
        editRecipe(first.document(), QStringLiteral("Samples"), "/calibration/samples", 3);
        QVERIFY(first.document().undoStack().canUndo());
        QVERIFY(!second->document().undoStack().canUndo());
        QCOMPARE(second->document().recipe().calibration.samples, 8);
        QTRY_VERIFY_WITH_TIMEOUT(first.document().graph() && second->document().graph(), 60000);
        QVERIFY(first.engine().pid() != second->engine().pid());
        // What the first one saves, the second one is told
        QVERIFY(first.saveFile(recipeFile()));
        QTRY_VERIFY(second->message().contains(QStringLiteral("配方 b.quantloupe")));
        auto *load = second->findChild<QPushButton *>(QStringLiteral("messageAction"));
        QTest::mouseClick(load, Qt::LeftButton);
        QCOMPARE(second->document().recipe().calibration.samples, 3);
        // What another program wrote is replaced on request only; then nothing is left to be told
        editRecipe(second->document(), QStringLiteral("Samples"), "/calibration/samples", 5);
        editRecipe(first.document(), QStringLiteral("Samples"), "/calibration/samples", 4);
        QVERIFY(first.saveFile(recipeFile()));
        QTRY_VERIFY(second->message().contains(QStringLiteral("配方 b.quantloupe")));
        const auto savedSamples = [&] {
            return json::parse(bytesOf(recipeFile()).toStdString())["calibration"]["samples"].get<int>();
        };
        const auto answer = [&](const QString &text) {
            answerNext<QMessageBox>(second.get(), [text](QMessageBox &box) {
                for (QAbstractButton *button : box.buttons())
                    if (button->text().remove(QLatin1Char('&')) == text) QTest::mouseClick(button, Qt::LeftButton);
            });
        };
        const auto press = [&] {
            for (QAction *action : second->allActions())
                if (action->shortcuts().contains(QKeySequence(QKeySequence::Save))) action->trigger();
        };
        answer(QStringLiteral("Cancel"));
        press();
        QCOMPARE(savedSamples(), 4);
        QVERIFY(!second->message().isEmpty());
        answer(QStringLiteral("Replace it"));
        press();
        QCOMPARE(savedSamples(), 5);
        QVERIFY2(second->message().isEmpty(), qPrintable(second->message()));
        second.reset();
        first.document().run();
        QTRY_VERIFY_WITH_TIMEOUT(isRun(first), 120000);
    }

    void unsavedEditsAreRecovered()
    {
        // What a window of a program that was killed left: a process number that no system gives
        json recipe = json::parse(bytesOf(recipeFile()).toStdString());
        recipe["calibration"]["samples"] = 6;
        QVERIFY(QDir().mkpath(Journal::folder()));
        const QString name = Journal::folder() + QStringLiteral("/99999999-1.json");
        write(name, QByteArray::fromStdString(json{
                        {"file", recipeFile().toStdString()},
                        {"folder", m_work.toStdString()},
                        {"recipe", recipe}}.dump()));
        MainWindow window(engine());
        window.show();
        QString asked;
        answerNext<QMessageBox>(&window, [&](QMessageBox &box) {
            asked = box.text();
            QTest::mouseClick(box.button(QMessageBox::Yes), Qt::LeftButton);
        });
        window.offerRecovery();
        QVERIFY2(asked.contains(recipeFile()), qPrintable(asked));
        QCOMPARE(window.document().filePath(), recipeFile());
        QCOMPARE(window.document().recipe().calibration.samples, 6);
        QVERIFY(window.isWindowModified());
        QVERIFY(!QFile::exists(name));
        window.document().undoStack().undo(); // to what the file says
        QCOMPARE(window.document().recipe().calibration.samples, 8);
        window.document().undoStack().setClean();
    }

    /// Two windows had the same recipe: what one of them left does not replace what the other did.
    void editsOfTwoWindowsAreRecovered()
    {
        QVERIFY(QDir().mkpath(Journal::folder()));
        for (const int samples : {5, 6}) {
            json recipe = json::parse(bytesOf(recipeFile()).toStdString());
            recipe["calibration"]["samples"] = samples;
            write(Journal::folder() + QStringLiteral("/99999999-%1.json").arg(samples),
                  QByteArray::fromStdString(json{
                      {"file", recipeFile().toStdString()},
                      {"folder", m_work.toStdString()},
                      {"recipe", recipe}}.dump()));
        }
        MainWindow first(engine());
        first.show();
        const auto yes = [](QMessageBox &box) { QTest::mouseClick(box.button(QMessageBox::Yes), Qt::LeftButton); };
        answerNext<QMessageBox>(&first, [&](QMessageBox &box) {
            answerNext<QMessageBox>(&first, yes);
            yes(box);
        });
        first.offerRecovery();
        std::set<std::int64_t> samples;
        for (QWidget *widget : QApplication::topLevelWidgets()) {
            auto *window = qobject_cast<MainWindow *>(widget);
            if (!window || !window->isVisible()) continue;
            samples.insert(window->document().recipe().calibration.samples);
            QCOMPARE(window->document().filePath(), recipeFile());
            window->document().undoStack().setClean();
            if (window != &first) window->close();
        }
        QCOMPARE(samples, (std::set<std::int64_t>{5, 6}));
    }

    /// A recipe neither replaces what it reads nor gets a name under which it is not known again.
    void recipeIsSavedUnderANameOfItsOwn()
    {
        MainWindow window(engine());
        window.show();
        window.openFile(recipeFile());
        QTRY_VERIFY_WITH_TIMEOUT(window.document().graph() != nullptr, 60000);
        const auto saveTo = [&](const QString &path) {
            answerNext<QFileDialog>(&window, [&](QFileDialog &dialog) {
                dialog.findChild<QLineEdit *>(QStringLiteral("fileNameEdit"))->setText(path);
                static_cast<QDialog &>(dialog).accept();
            });
            for (QAction *action : window.allActions())
                if (action->text() == QStringLiteral("Save recipe &as…")) action->trigger();
        };
        const QByteArray model = bytesOf(modelFile());
        QVERIFY_EXCEPTION_THROWN(window.document().save(modelFile()), Error);
        QCOMPARE(bytesOf(modelFile()), model);
        saveTo(m_work + QStringLiteral("/r.txt"));
        QCOMPARE(window.document().filePath(), m_work + QStringLiteral("/r.txt.quantloupe"));
        window.openFile(m_work + QStringLiteral("/r.txt.quantloupe"));
        QTRY_VERIFY_WITH_TIMEOUT(window.document().graph() != nullptr, 60000);
    }

    /// The edits are whole although the file that they were made on is not.
    void editsOfADamagedFileAreRecovered()
    {
        json recipe = json::parse(bytesOf(recipeFile()).toStdString());
        recipe["calibration"]["samples"] = 5;
        write(recipeFile(), "{\"format\": \"quantlou");
        QVERIFY(QDir().mkpath(Journal::folder()));
        const QString name = Journal::folder() + QStringLiteral("/99999999-2.json");
        const auto leave = [&](const json &edited) {
            write(name, QByteArray::fromStdString(json{
                            {"file", recipeFile().toStdString()},
                            {"folder", m_work.toStdString()},
                            {"recipe", edited}}.dump()));
        };
        MainWindow window(engine());
        window.show();
        const auto recoverNow = [&] {
            answerNext<QMessageBox>(
                &window, [](QMessageBox &box) { QTest::mouseClick(box.button(QMessageBox::Yes), Qt::LeftButton); });
            window.offerRecovery();
        };
        leave(recipe);
        recoverNow();
        QCOMPARE(window.document().recipe().calibration.samples, 5);
        QVERIFY2(window.message().contains(QStringLiteral("配方 b.quantloupe")), qPrintable(window.message()));
        QVERIFY(window.isWindowModified());
        QVERIFY(!QFile::exists(name));
        window.document().undoStack().setClean();
        // What cannot be read here, a later version may read
        recipe["format"] = "quantloupe-recipe/99";
        leave(recipe);
        recoverNow();
        QVERIFY(!window.message().isEmpty());
        QVERIFY(QFile::exists(name));
        QFile::remove(name);
        window.document().undoStack().setClean();
    }

    /// A dropped file that is nothing leaves the document alone.
    void oddFilesAreRefused()
    {
        MainWindow window(engine());
        window.show();
        window.openFile(recipeFile());
        QTRY_VERIFY_WITH_TIMEOUT(window.document().graph() != nullptr, 60000);
        const QString odd = m_work + QStringLiteral("/notes.txt");
        write(odd, "no model");
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(odd)});
        QDragEnterEvent enter({50, 50}, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&window, &enter);
        QDropEvent drop({50, 50}, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&window, &drop);
        QVERIFY2(window.message().contains(QStringLiteral("notes.txt")), qPrintable(window.message()));
        QVERIFY(window.document().graph() != nullptr);
        QCOMPARE(window.document().filePath(), recipeFile());
    }

    void modelAndDataAreDroppedInAnyOrder()
    {
        MainWindow window(engine());
        window.show();
        const QString prototxt = m_work + QStringLiteral("/net.prototxt"),
                      weights = m_work + QStringLiteral("/w.caffemodel");
        write(prototxt, "name: 'n'\n");
        write(weights, "w");
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(weights), QUrl::fromLocalFile(prototxt)});
        QDragEnterEvent enter({50, 50}, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop({50, 50}, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&window, &drop);
        QCOMPARE(window.document().recipe().model, std::string("net.prototxt"));
        QCOMPARE(window.document().recipe().weights, weights.toStdString());
        window.document().undoStack().setClean();
    }
};

QL_TEST(TestDocuments)
#include "tst_documents.moc"
