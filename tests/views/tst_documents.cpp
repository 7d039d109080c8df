// Files around the window: changed by others, read-only, with odd names, several windows, recovery after a crash.
#include "core/base/error.h"
#include "tests/support/test_main.h"
#include "tests/views/answer_dialog.h"
#include "tests/views/document_fixture.h"
#include "tests/views/recipe_json.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/journal.h"
#include "views/bridge/run_history.h"
#include "views/bridge/sample.h"
#include "views/commands/recipe_command.h"
#include "views/panels/export_dialog.h"
#include "views/panels/inspector.h"
#include "views/style/buttons.h"
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
#include <QtTest>
#include <csignal>
#include <set>

using namespace ql;
using nlohmann::json;

class TestDocuments : public DocumentTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { prepare(); }
    void init() { renew(); }

    /// An installation without the sample reports that, and where it is expected; the document stays.
    void missingSampleIsReported()
    {
        MainWindow window(engine());
        window.openFile(recipeFile());
        QTRY_VERIFY_WITH_TIMEOUT(window.document().graph() != nullptr, 60000);
        window.openSample({});
        QVERIFY2(window.message().contains(QStringLiteral("no sample")), qPrintable(window.message()));
        QVERIFY2(window.message().contains(sampleFolders().front()), qPrintable(window.message()));
        QVERIFY(window.document().graph() && window.document().filePath() == recipeFile());
    }

    /// Back to the start page, unless there are changes to keep.
    void documentIsClosed()
    {
        MainWindow window(engine());
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window, patienceMs));
        window.openFile(recipeFile());
        QTRY_VERIFY_WITH_TIMEOUT(window.document().graph() != nullptr, 60000);
        editRecipe(window.document(), QStringLiteral("Threads"), "/threads", 2);
        for (const QMessageBox::StandardButton button : {QMessageBox::Cancel, QMessageBox::Discard}) {
            window.activateWindow(); // the dialog before has taken that
            QVERIFY(QTest::qWaitForWindowActive(&window, patienceMs));
            answerNext<QMessageBox>(&window, [&](QMessageBox &box) { box.button(button)->click(); });
            QTest::keyClick(&window, Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
            QCOMPARE(window.document().isEmpty(), button == QMessageBox::Discard);
        }
        QVERIFY(!window.document().graph() && window.document().history().runs().isEmpty() &&
                !window.isWindowModified());
        QVERIFY(window.document().filePath().isEmpty() && !window.document().requests().isInspecting());
        QVERIFY(window.findChild<StartPage *>()->isVisible());
        QVERIFY(!window.inspector()->isVisible());
        window.openFile(recipeFile());
        QTRY_VERIFY_WITH_TIMEOUT(window.document().graph() != nullptr, 60000);
        QTRY_VERIFY(window.inspector()->isVisible());
        QCOMPARE(window.document().recipe().threads, 0);
    }

    /// Its recipe, results and undo stack stay, and a good model takes their place.
    void aModelThatCannotBeReadReplacesNothing()
    {
        MainWindow window(engine());
        openAndRun(window);
        Document &document = window.document();
        editRecipe(document, QStringLiteral("Threads"), "/threads", 2);
        const json recipe = document.recipeJson();
        const QString bad = m_work + QStringLiteral("/坏 bad.onnx"), good = m_work + QStringLiteral("/good.onnx");
        write(bad, "this is no model");
        window.openFile(bad);
        QTRY_VERIFY_WITH_TIMEOUT(window.message().contains(QStringLiteral("bad.onnx")), 60000);
        QCOMPARE(document.recipeJson(), recipe);
        QVERIFY(document.graph() && document.history().shown() && document.undoStack().canUndo());
        QFile::remove(good);
        QVERIFY(QFile::copy(modelFile(), good));
        window.openFile(good);
        QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(document.recipe().model), QStringLiteral("good.onnx"), 60000);
        QVERIFY(!document.undoStack().canUndo() && window.message().isEmpty());
        document.undoStack().setClean();
    }

    /// The message about a dead engine is true before and after the next one is ready.
    void anEngineThatRestarts()
    {
        MainWindow window(engine());
        openAndRun(window);
        const qint64 pid = window.engine().pid();
        QVERIFY(pid > 0 && ::kill(pid_t(pid), SIGKILL) == 0);
        QTRY_VERIFY(!window.message().isEmpty());
        QVERIFY(window.engine().pid() != pid);
        QTRY_COMPARE_WITH_TIMEOUT(window.engine().state(), EngineClient::State::Ready, 60000);
        QVERIFY2(!window.message().contains(QStringLiteral("being started")), qPrintable(window.message()));
        QVERIFY2(window.message().contains(QStringLiteral("F5")), qPrintable(window.message()));
    }

    /// As if the engine ran on "ssh box": files have the paths of the other machine, and are not searched here.
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
            if (plainText(action->text()).contains(QStringLiteral("engine's machine"))) action->trigger();
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
        QTRY_VERIFY2(dialog.result().contains(QStringLiteral("engine's machine")), qPrintable(dialog.result()));
        QVERIFY(!dialog.result().contains(QStringLiteral("Open the folder")));
        // A file that is not here is a recent one of this engine
        const QString there = QStringLiteral("/only/there/model.onnx");
        MainWindow empty(command); // a document would stay until the file is read
        empty.show();
        empty.openFile(there);
        QTRY_VERIFY_WITH_TIMEOUT(empty.message().contains(QStringLiteral("model.onnx")), 60000);
        const auto recent = [](MainWindow &of) {
            QStringList files;
            for (const QMenu *menu : of.findChildren<QMenu *>())
                if (menu->title().contains(QStringLiteral("recent")))
                    for (const QAction *action : menu->actions()) files.append(action->text());
            return files;
        };
        QVERIFY(recent(empty).contains(there));
        window.close();
        MainWindow again(command), here(engine());
        QVERIFY(recent(again).contains(there) && !recent(here).contains(there));
    }

    /// The program's option.
    void engineByOption()
    {
        const QString program = QStringLiteral(QL_BIN "/quantloupe"),
                      reported = m_folder.filePath(QStringLiteral("told"));
        if (!QFileInfo::exists(program)) QSKIP("quantloupe is not built");
        const QString script = m_folder.filePath(QStringLiteral("mine.sh"));
        write(script,
              "echo $$ > '" + reported.toUtf8() + "'; exec '" + QByteArray(QL_BIN "/quantloupe-cli") + "' serve\n");
        QProcess process;
        process.start(program, {QStringLiteral("--engine"), QStringLiteral("/bin/sh ") + script});
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(reported).size() > 0, 60000);
        process.terminate();
        QVERIFY(process.waitForFinished(patienceMs));
    }

    /// For a net with separate weights: the engine's refusal leads to the choice.
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
        QCOMPARE(window.document().recipe().weights, std::string("given.caffemodel"));
        window.document().undoStack().setClean();
    }

    /// Undo and the runs use paths relative to the old folder.
    void savedInAnotherFolder()
    {
        MainWindow window(engine());
        Document &document = window.document();
        openAndRun(window);
        if (QTest::currentTestFailed()) return;
        editRecipe(document, QStringLiteral("Threads"), "/threads", 2);
        document.requests().run();
        QTRY_VERIFY_WITH_TIMEOUT(isRun(window), 120000);
        const QString elsewhere = m_folder.filePath(QStringLiteral("elsewhere"));
        QVERIFY(QDir().mkpath(elsewhere));
        document.save(elsewhere + QStringLiteral("/c.quantloupe"));
        QCOMPARE(document.absolutePath(document.recipe().model), modelFile());
        QVERIFY(!document.history().isStale());
        document.undoStack().undo();
        QCOMPARE(document.absolutePath(document.recipe().model), modelFile());
        QTRY_VERIFY_WITH_TIMEOUT(document.graph() != nullptr, 60000);
        QVERIFY2(window.message().isEmpty(), qPrintable(window.message()));
        document.undoStack().redo();
        QCOMPARE(document.absolutePath(document.recipe().model), modelFile());
        QVERIFY(!document.history().isStale());
        // Runs use paths relative to this folder, too
        for (const RunRecord &run : document.history().runs()) {
            const QString file = QString::fromStdString(run.recipe.model);
            QCOMPARE(QDir::cleanPath(QDir(elsewhere).absoluteFilePath(file)), modelFile());
        }
        document.undoStack().setClean();
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
        // Saving in the first one is reported in the second
        QVERIFY(first.saveFile(recipeFile()));
        QTRY_VERIFY(second->message().contains(QStringLiteral("配方 b.quantloupe")));
        auto *load = second->findChild<QPushButton *>(QStringLiteral("messageAction"));
        QTest::mouseClick(load, Qt::LeftButton);
        QCOMPARE(second->document().recipe().calibration.samples, 3);
        // Changes by another program are overwritten only on request; then nothing is left to report
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
        answer(QStringLiteral("Overwrite it"));
        press();
        QCOMPARE(savedSamples(), 5);
        QVERIFY2(second->message().isEmpty(), qPrintable(second->message()));
        second.reset();
        first.document().requests().run();
        QTRY_VERIFY_WITH_TIMEOUT(isRun(first), 120000);
    }

    void unsavedEditsAreRecovered()
    {
        // Left behind by a window of a killed program: a process id that no system assigns
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
        window.document().undoStack().undo(); // to the content of the file
        QCOMPARE(window.document().recipe().calibration.samples, 8);
        window.document().undoStack().setClean();
    }

    /// Two windows had the same recipe: the recovered state of one does not replace that of the other.
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

    /// A recipe neither replaces its inputs nor gets a name that is not recognized as a recipe.
    void recipeIsSavedUnderAUniqueName()
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
        // A later version may be able to read it
        recipe["format"] = "quantloupe-recipe/99";
        leave(recipe);
        recoverNow();
        QVERIFY(!window.message().isEmpty());
        QVERIFY(QFile::exists(name));
        QFile::remove(name);
        window.document().undoStack().setClean();
    }

    /// An unsupported dropped file does not affect the document.
    void unusualFilesAreRefused()
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
        QCOMPARE(window.document().recipe().weights, std::string("w.caffemodel"));
        window.document().undoStack().setClean();
    }
};

QL_TEST(TestDocuments)
#include "tst_documents.moc"
