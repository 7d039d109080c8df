// The export dialog on the real engine: opened by its key, preview, files, report.
#include "tests/support/test_main.h"
#include "tests/views/answer_dialog.h"
#include "tests/views/recipe_json.h"
#include "tests/views/window_fixture.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/engine_text.h"
#include "views/bridge/sample.h"
#include "views/commands/recipe_command.h"
#include "views/panels/export_dialog.h"
#include "views/panels/side_panels.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTableWidget>
#include <csignal>

using namespace ql;

class TestExport : public QObject
{
    Q_OBJECT

private:
    WindowFixture m;

    static QByteArray bytesOf(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private Q_SLOTS:
    void initTestCase() { m.prepare(); }
    void init()
    {
        m.show();
        m.open();
    }
    void cleanup() { m.close(); }

    void keyOpensTheDialog()
    {
        QString title;
        QString first;
        answerNext<ExportDialog>(m.window.get(), [&](ExportDialog &dialog) {
            title = dialog.windowTitle();
            first = dialog.format()->itemText(0);
            dialog.reject();
        });
        QTest::keyClick(m.window.get(), Qt::Key_E, Qt::ControlModifier);
        QCOMPARE(title, QStringLiteral("Export"));
        QVERIFY2(first.contains(QStringLiteral("RKNN_INT8")), qPrintable(first)); // what suits the platform is first
    }

    void filesAreListedBeforeTheyAreWritten()
    {
        ExportDialog dialog(m.document());
        dialog.show();
        dialog.format()->setCurrentIndex(dialog.format()->findData(QStringLiteral("onnx_qdq")));
        const QString file = m.folder.filePath(QStringLiteral("模型 out.onnx"));
        dialog.findChild<QLineEdit *>(QStringLiteral("exportPath"))->setText(file);
        QTRY_VERIFY_WITH_TIMEOUT(dialog.preview().contains(QStringLiteral("模型 out.onnx")), 120000);
        QVERIFY(!QFileInfo::exists(file));
        // Operation by operation, with the types of the file
        auto *operations = dialog.findChild<QTableWidget *>(QStringLiteral("exportOperations"));
        QVERIFY(operations->isVisible() && operations->rowCount() > 5);
        QStringList inputs;
        for (int row = 0; row < operations->rowCount(); ++row)
            if (operations->item(row, 1)->text() == QLatin1String("Conv"))
                inputs.append(operations->item(row, 2)->text());
        QVERIFY2(inputs.filter(QStringLiteral("int8")).size() == inputs.size(), qPrintable(inputs.join(u';')));
        // The notes are visible to their last word
        auto *notes = dialog.findChild<QLabel *>(QStringLiteral("exportPreview"));
        QTRY_VERIFY(notes->height() >= notes->heightForWidth(notes->width()));
        QTest::mouseClick(dialog.findChild<QPushButton *>(QStringLiteral("exportWrite")), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(file) && !m.document().requests().job().isRunning, 120000);
        QTRY_VERIFY(dialog.result().contains(QStringLiteral("Open the folder")));
        // Again: reports that it replaces the file
        dialog.findChild<QLineEdit *>(QStringLiteral("exportPath"))->setText(file + QLatin1Char('x'));
        dialog.findChild<QLineEdit *>(QStringLiteral("exportPath"))->setText(file);
        QTRY_VERIFY_WITH_TIMEOUT(dialog.preview().contains(QStringLiteral("replaces")), 120000);
        // A folder that is not there, before anything is written
        dialog.findChild<QLineEdit *>(QStringLiteral("exportPath"))
            ->setText(m.folder.filePath(QStringLiteral("nowhere/out.onnx")));
        QTRY_VERIFY_WITH_TIMEOUT(dialog.preview().contains(QStringLiteral("does not exist")), 120000);
    }

    /// The file of the recipe, and its inputs, are never overwritten.
    void nothingThatIsReadIsWrittenOver()
    {
        const QString model = m.folder.filePath(QStringLiteral("own model.onnx"));
        QFile::remove(model);
        QVERIFY(QFile::copy(QStringLiteral(QL_SOURCE_DIR "/resources/sample/model.onnx"), model));
        nlohmann::json recipe = m.document().recipeJson();
        recipe["model"]["path"] = model.toStdString();
        replaceRecipe(m.document(), QStringLiteral("Model"), recipe);
        ExportDialog dialog(m.document());
        dialog.show();
        for (const QString &file : {m.file(), model}) {
            const QByteArray before = bytesOf(file);
            QVERIFY(!before.isEmpty());
            dialog.findChild<QLineEdit *>(QStringLiteral("exportPath"))->setText(file);
            QTest::mouseClick(dialog.findChild<QPushButton *>(QStringLiteral("exportWrite")), Qt::LeftButton);
            const QString why = file == model ? QStringLiteral("overwrite") : QStringLiteral("recipe's own file");
            QTRY_VERIFY2_WITH_TIMEOUT(dialog.result().contains(why), qPrintable(dialog.result()), 120000);
            QCOMPARE(bytesOf(file), before);
        }
    }

    /// It is everybody's: tried out and changed, it stays as it came.
    void theSampleIsNotWritten()
    {
        const QString sample = samplePath();
        QVERIFY2(sample.startsWith(m.folder.path()), qPrintable(sample)); // the test's own
        const QByteArray before = bytesOf(sample);
        m.window->openFile(sample);
        QTRY_VERIFY_WITH_TIMEOUT(m.document().graph(), 60000);
        QVERIFY(m.window->windowTitle().contains(QStringLiteral("read-only")));
        editRecipe(m.document(), QStringLiteral("Samples"), "/calibration/samples", 5);
        QTest::keyClick(m.window.get(), Qt::Key_S, Qt::ControlModifier);
        QVERIFY2(m.window->message().contains(QStringLiteral("read-only")), qPrintable(m.window->message()));
        QCOMPARE(bytesOf(sample), before);
        const ExportDialog dialog(m.document());
        const QString target = dialog.findChild<QLineEdit *>(QStringLiteral("exportPath"))->text();
        QCOMPARE(QFileInfo(target).path(), QDir::homePath());
        const QString copy = QDir::home().filePath(QStringLiteral("mine.quantloupe"));
        QVERIFY(m.window->saveFile(copy));
        QCOMPARE(m.document().filePath(), copy);
        QCOMPARE(m.document().outputFolder(), QDir::homePath());
        QVERIFY(bytesOf(copy).contains("\"samples\": 5"));
        QTRY_VERIFY_WITH_TIMEOUT(m.document().graph(), 60000); // the model is found from there
    }

    /// Also if another copy of it is installed: this one is found next to the program.
    void everySampleIsKept()
    {
        const QString sample = QStringLiteral(QL_SOURCE_DIR "/resources/sample/sample.quantloupe");
        QVERIFY(samplePath() != sample && sampleFolders().contains(QFileInfo(sample).path()));
        m.window->openFile(sample);
        QTRY_VERIFY_WITH_TIMEOUT(m.document().filePath() == sample && m.document().graph(), 60000);
        const auto target = [&] {
            const ExportDialog dialog(m.document());
            return QFileInfo(dialog.findChild<QLineEdit *>(QStringLiteral("exportPath"))->text()).path();
        };
        QCOMPARE(target(), QDir::homePath());
        const QDir documents(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
        QVERIFY2(documents.path().startsWith(m.folder.path()), qPrintable(documents.path()));
        QVERIFY(QDir().mkpath(documents.path()));
        QCOMPARE(target(), documents.path());
        QVERIFY(QDir().rmdir(documents.path()));
    }

    /// What each option means is visible, and a switch has its name as its text.
    void optionsAreExplained()
    {
        ExportDialog dialog(m.document());
        dialog.show();
        dialog.format()->setCurrentIndex(dialog.format()->findData(QStringLiteral("onnx_qdq")));
        QTRY_VERIFY_WITH_TIMEOUT( // now the dialog is full
            dialog.findChild<QTableWidget *>(QStringLiteral("exportOperations"))->isVisible(), 120000);
        settle();
        const api::ExporterItem *item = api::findItem(m.document().requests().known().exporters, "onnx_qdq");
        QVERIFY(item && !item->params.empty());
        QStringList hints;
        for (const QLabel *hint : dialog.findChildren<QLabel *>(QStringLiteral("hint"))) {
            if (!hint->isVisible()) continue;
            hints.append(hint->text());
            QTRY_VERIFY2(hint->height() >= hint->heightForWidth(hint->width()) &&
                             hint->visibleRegion().boundingRect() == hint->rect(),
                         qPrintable(hint->text()));
        }
        QCOMPARE(hints.size(), qsizetype(item->params.size()));
        for (const api::ParamSpec &spec : item->params) {
            const QString meaning = engineText(spec.meaning);
            QVERIFY2(
                std::any_of(hints.begin(), hints.end(), [&](const QString &hint) { return meaning.startsWith(hint); }),
                qPrintable(meaning));
            if (spec.type != "bool") continue;
            const auto *box = dialog.findChild<QCheckBox *>(QString::fromStdString(spec.name));
            QVERIFY(box && box->isVisible() && box->toolTip().startsWith(meaning));
            QCOMPARE(box->text(), engineText(readableName(spec.name)));
        }
    }

    /// Apparently the engine is busy: it is stopped.
    void exportIsStopped()
    {
        ExportDialog dialog(m.document());
        dialog.show();
        const QString file = m.folder.filePath(QStringLiteral("stopped.onnx"));
        dialog.format()->setCurrentIndex(dialog.format()->findData(QStringLiteral("onnx_qdq")));
        dialog.findChild<QLineEdit *>(QStringLiteral("exportPath"))->setText(file);
        QTRY_VERIFY_WITH_TIMEOUT(dialog.preview().contains(QStringLiteral("stopped.onnx")), 120000);
        auto *stop = dialog.findChild<QPushButton *>(QStringLiteral("exportStop"));
        QVERIFY(!stop->isEnabled());
        const qint64 pid = m.window->engine().pid();
        QCOMPARE(::kill(pid_t(pid), SIGSTOP), 0);
        QTest::mouseClick(dialog.findChild<QPushButton *>(QStringLiteral("exportWrite")), Qt::LeftButton);
        QVERIFY(stop->isEnabled());
        // As if it had started; another program writes there, too
        QFile begun(file + QStringLiteral(".%1-7.part").arg(pid)), other(file + QStringLiteral(".1-7.part"));
        QVERIFY(begun.open(QIODevice::WriteOnly) && other.open(QIODevice::WriteOnly));
        QTest::mouseClick(stop, Qt::LeftButton);
        QTRY_VERIFY(!m.document().requests().job().isRunning);
        QTRY_COMPARE(dialog.result(), QStringLiteral("Stopped."));
        QVERIFY(!QFileInfo::exists(file) && !stop->isEnabled());
        QTRY_VERIFY(!begun.exists());
        QVERIFY(other.exists());
    }

    /// A run waits for the export, and neither is lost.
    void runAfterAnExport()
    {
        const QString file = m.folder.filePath(QStringLiteral("kept.onnx"));
        QSignalSpy written(&m.document().requests(), &EngineRequests::exported);
        const auto pid = pid_t(m.window->engine().pid());
        QCOMPARE(::kill(pid, SIGSTOP), 0);
        m.document().requests().exportTo(QStringLiteral("onnx_qdq"), file, nlohmann::json::object());
        m.document().requests().run();
        QCOMPARE(::kill(pid, SIGCONT), 0);
        QTRY_VERIFY_WITH_TIMEOUT(m.isRun(), 120000);
        QCOMPARE(written.count(), 1);
        QVERIFY(QFileInfo(file).size() > 1000);
    }

    /// Follow-up requests of a run are also shown as work, and ended like a job.
    void workAfterARunIsStopped()
    {
        // The engine stops as soon as it is asked, before it can answer
        const EngineRequests &requests = m.document().requests();
        bool isStopped = false;
        const auto watch = connect(&requests, &EngineRequests::jobChanged, this, [&] {
            if (!isStopped && requests.isGathering()) isStopped = ::kill(pid_t(m.window->engine().pid()), SIGSTOP) == 0;
        });
        m.run();
        disconnect(watch);
        QVERIFY(isStopped && requests.isGathering());
        QStringList reported;
        for (const QLabel *label : m.window->jobs()->tools()->findChildren<QLabel *>()) reported.append(label->text());
        QVERIFY2(reported.contains(m.document().requests().backgroundWork()),
                 qPrintable(reported.join(QLatin1Char('|'))));
        QVERIFY(!m.document().requests().backgroundWork().isEmpty() && !m.document().requests().job().isRunning);
        QTest::keyClick(m.window.get(), Qt::Key_F5, Qt::ShiftModifier);
        QTRY_VERIFY(!m.document().requests().isBusy());
    }

    void reportIsWritten()
    {
        const QString file = m.folder.filePath(QStringLiteral("report.html"));
        m.document().requests().reportTo(file);
        QVERIFY(m.document().requests().job().isRunning);
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(file) && !m.document().requests().job().isRunning, 120000);
        QFile html(file);
        QVERIFY(html.open(QIODevice::ReadOnly) && html.readAll().contains("graphwise"));
    }
};

QL_TEST(TestExport)
#include "tst_export.moc"
