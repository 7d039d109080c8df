// The verification of an exported file in the window, on the real engine: with ONNX Runtime if scripts/make-venv
// installed it, and with commands of the user.
#include "core/base/file.h"
#include "tests/support/test_main.h"
#include "tests/views/window_test.h"
#include "views/panels/verify_panel.h"
#include "views/window/dock.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <csignal>

using namespace ql;

class TestVerifyPanel : public WindowTest
{
    Q_OBJECT

private:
    const QByteArray m_python = QL_SOURCE_DIR "/build/venv/bin/python";

    VerifyPanel *panel() { return m_window->verification(); }
    template <class Widget>
    Widget *part(const char *name)
    {
        QWidget *owner = panel()->findChild<Widget *>(QLatin1String(name)) ? panel() : panel()->tools();
        return owner->findChild<Widget *>(QLatin1String(name));
    }
    QString exported() const { return m_fixture.folder.filePath(QStringLiteral("out 出.onnx")); }

    void exportSample()
    {
        QSignalSpy written(&document().requests(), &EngineRequests::exported);
        document().requests().exportTo(QStringLiteral("onnx_qdq"), exported(), nlohmann::json::object());
        QTRY_COMPARE_WITH_TIMEOUT(written.count(), 1, 120000);
    }
    void showPage()
    {
        m_window->dock(QStringLiteral("problems"))->showPage(QStringLiteral("verify"));
        QTRY_VERIFY_WITH_TIMEOUT(!panel()->runtime().isEmpty(), 120000);
    }
    void verify()
    {
        QSignalSpy good(&document().requests(), &EngineRequests::verified),
            bad(&document().requests(), &EngineRequests::verifyStopped);
        QTest::mouseClick(part<QPushButton>("verifyStart"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(good.count() + bad.count() > 0, 240000);
    }
    void chooseCommand(const char *script)
    {
        const QString file = m_fixture.folder.filePath(QStringLiteral("command.json"));
        const nlohmann::json command{{"command", {"sh", "-c", script, "sh", "{in}", "{out}"}}};
        writeFileAtomically(file.toStdString(), command.dump());
        panel()->chooseRuntime(QStringLiteral("command"));
        QCOMPARE(panel()->runtime(), QStringLiteral("command"));
        part<QLineEdit>("verifyCommand")->setText(file);
    }

private Q_SLOTS:
    void initTestCase() { m_fixture.prepare("ONNXRUNTIME"); }
    void init()
    {
        // Only one of them runs a Python runtime: searching takes as long as importing each of them
        const bool isReal = QByteArray(QTest::currentTestFunction()) == "aFileAgreesAndAnotherRecipeDoesNot";
        qputenv("QUANTLOUPE_PYTHON", isReal ? m_python : QByteArray("/bin/false"));
        m_fixture.show();
        openSmall();
    }
    void cleanup() { m_fixture.close(); }

    void aFileAgreesAndAnotherRecipeDoesNot()
    {
        if (!QFileInfo(QString::fromUtf8(m_python)).isExecutable()) QSKIP("scripts/make-venv did not make build/venv");
        exportSample();
        showPage();
        QCOMPARE(part<QLineEdit>("verifyFile")->text(), exported()); // the last file that was written
        QCOMPARE(panel()->runtime(), QStringLiteral("onnxruntime"));
        if (part<QComboBox>("verifyRuntime")->currentText().contains(QStringLiteral("not found")))
            QSKIP("build/venv has no onnxruntime");
        verify();
        QVERIFY2(panel()->summary().contains(QStringLiteral("agrees")), qPrintable(panel()->summary()));
        QTableWidget *table = panel()->table();
        QVERIFY(table->rowCount() > 5);
        QVERIFY(table->item(0, 0)->text().contains(QStringLiteral("(output)")));
        QCOMPARE(table->item(0, 2)->text(), QStringLiteral("100 %"));
        // A click selects the operation
        const int row = table->rowCount() / 2;
        QVERIFY(!panel()->operationAt(row).isEmpty());
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualItemRect(table->item(row, 0)).center());
        if (table->currentRow() != row) table->setCurrentCell(row, 0); // it was scrolled out
        QCOMPARE(document().current(), panel()->operationAt(row));

        // Another recipe than the file's: its weights differ
        setBitsOfStem();
        QVERIFY2(panel()->summary().contains(QStringLiteral("has changed since")), qPrintable(panel()->summary()));
        verify();
        const QString summary = panel()->summary();
        QVERIFY2(summary.contains(QStringLiteral("does not agree")), qPrintable(summary));
        QVERIFY2(summary.contains(QStringLiteral("First divergence")), qPrintable(summary));
        QVERIFY2(summary.contains(QStringLiteral("is not the one that the recipe exports")), qPrintable(summary));
        QVERIFY(!summary.contains(QStringLiteral("has changed since")));
        int highlighted = 0;
        for (int i = 0; i < table->rowCount(); ++i)
            highlighted += table->item(i, 0)->background().style() != Qt::NoBrush;
        QCOMPARE(highlighted, 1);
        QSignalSpy marks(panel(), &VerifyPanel::markRequested);
        QTest::mouseClick(part<QPushButton>("verifyMark"), Qt::LeftButton);
        QCOMPARE(marks.count(), 1);
        QVERIFY(!marks[0][0].toStringList().isEmpty());
    }

    /// Says so, and how to get it; nothing else is lost.
    void missingRuntime()
    {
        showPage();
        panel()->setFile(exported());
        auto *python = part<QLineEdit>("verifyPython");
        python->setText(m_fixture.folder.filePath(QStringLiteral("no-python")));
        QSignalSpy found(&document().requests(), &EngineRequests::runtimesFound);
        Q_EMIT python->editingFinished();
        QTRY_COMPARE_WITH_TIMEOUT(found.count(), 1, 120000);
        panel()->chooseRuntime(QStringLiteral("openvino"));
        QVERIFY(part<QComboBox>("verifyRuntime")->currentText().contains(QStringLiteral("not found")));
        QVERIFY(part<QPushButton>("verifyInstall")->isVisibleTo(panel()));
        QVERIFY2(part<QLabel>("verifyState")->text().contains(QStringLiteral("Install it")),
                 qPrintable(part<QLabel>("verifyState")->text()));
        exportSample();
        verify();
        QVERIFY2(panel()->summary().contains(QStringLiteral("was not found")), qPrintable(panel()->summary()));
        // Once: above the graph only while another page is shown
        QCOMPARE(m_window->message(), QString());
        m_window->dock(QStringLiteral("problems"))->showPage(QStringLiteral("problems"));
        QSignalSpy stopped(&document().requests(), &EngineRequests::verifyStopped);
        part<QPushButton>("verifyStart")->click();
        QTRY_COMPARE_WITH_TIMEOUT(stopped.count(), 1, 120000);
        QTRY_VERIFY2(m_window->message().contains(QStringLiteral("was not found")), qPrintable(m_window->message()));
    }

    void commandsNeedConsent()
    {
        exportSample();
        showPage();
        chooseCommand("touch started");
        QVERIFY(!part<QCheckBox>("verifyAllow")->isChecked());
        verify();
        QVERIFY2(panel()->summary().contains(QStringLiteral("starts a program")), qPrintable(panel()->summary()));
        QVERIFY2(panel()->summary().contains(QStringLiteral("tick the box")), qPrintable(panel()->summary()));
        QCOMPARE(m_window->message(), QString()); // the page shows it
        QVERIFY(!QFileInfo::exists(m_fixture.folder.filePath(QStringLiteral("started"))));
    }

    /// The command in the recipe: edited as one step, kept when the recipe is opened again, started only with consent.
    void theRecipeKeepsItsCommand()
    {
        exportSample();
        showPage();
        panel()->chooseRuntime(QStringLiteral("command"));
        auto *words = part<QLineEdit>("verifyWords");
        auto *allow = part<QCheckBox>("verifyAllowWords");
        QVERIFY(words->isVisibleTo(panel()) && words->text().isEmpty() && !allow->isEnabled());
        const QString begun = m_fixture.folder.filePath(QStringLiteral("begun"));
        const QString typed = QStringLiteral("sh -c \"touch '%1'; exit 4\" sh {in} {out}").arg(begun);
        words->setText(typed);
        verify(); // the words are taken without leaving the field
        const std::vector<std::string> expected{"sh", "-c",   "touch '" + begun.toStdString() + "'; exit 4",
                                                "sh", "{in}", "{out}"};
        QCOMPARE(document().recipe().runtimeCommand, expected);
        QVERIFY2(panel()->summary().contains(QStringLiteral("starts a program")), qPrintable(panel()->summary()));
        QVERIFY2(panel()->summary().contains(QStringLiteral("tick the box")), qPrintable(panel()->summary()));
        QVERIFY(!QFileInfo::exists(begun));
        allow->setChecked(true);
        verify();
        QVERIFY2(QFileInfo::exists(begun), qPrintable(panel()->summary()));
        QFile::remove(begun);

        // Consent is for the words as they were
        words->setText(typed + QStringLiteral(" more"));
        QVERIFY(!allow->isChecked());
        words->setText(typed);
        QVERIFY(!allow->isChecked());
        // A file takes precedence
        part<QLineEdit>("verifyCommand")->setText(QStringLiteral("/a.json"));
        QVERIFY(!words->isEnabled());
        part<QLineEdit>("verifyCommand")->clear();
        QVERIFY(words->isEnabled());

        const QString recipe = m_fixture.folder.filePath(QStringLiteral("kept.quantloupe"));
        QVERIFY(m_window->saveFile(recipe));
        document().undoStack().undo();
        QVERIFY(document().recipe().runtimeCommand.empty());
        QCOMPARE(words->text(), QString());
        QVERIFY(m_window->saveFile(m_fixture.folder.filePath(QStringLiteral("without.quantloupe"))));
        panel()->chooseRuntime(QStringLiteral("onnxruntime"));
        m_window->openFile(recipe);
        QTRY_COMPARE_WITH_TIMEOUT(panel()->runtime(), QStringLiteral("command"), 60000);
        QTRY_COMPARE(words->text(), typed);
        QVERIFY(!allow->isChecked());

        // The same words start another program in another folder
        allow->setChecked(true);
        QVERIFY(m_window->saveFile(recipe));
        QVERIFY(allow->isChecked());
        const QString other = m_fixture.folder.filePath(QStringLiteral("other"));
        QVERIFY(QDir().mkpath(other));
        QVERIFY(QFile::copy(recipe, other + QStringLiteral("/kept.quantloupe")));
        m_window->openFile(other + QStringLiteral("/kept.quantloupe"));
        QCOMPARE(words->text(), typed);
        QVERIFY(!allow->isChecked());
    }

    void aCommandThatHangsIsStopped()
    {
        exportSample();
        showPage();
        chooseCommand("touch started; exec sleep 1000");
        part<QCheckBox>("verifyAllow")->setChecked(true);
        QSignalSpy stopped(&document().requests(), &EngineRequests::verifyStopped);
        QTest::mouseClick(part<QPushButton>("verifyStart"), Qt::LeftButton);
        QVERIFY(!part<QPushButton>("verifyStart")->isEnabled());
        QCOMPARE(document().requests().job().title, QStringLiteral("Verify"));
        const QString started = m_fixture.folder.filePath(QStringLiteral("started"));
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(started), 120000);
        QTest::mouseClick(part<QPushButton>("verifyStop"), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(stopped.count(), 1, 60000);
        QVERIFY2(panel()->summary().contains(QStringLiteral("Stopped.")), qPrintable(panel()->summary()));
        QVERIFY(part<QPushButton>("verifyStart")->isEnabled());
        QVERIFY(!document().requests().job().isRunning);
        QFile::remove(started);
    }
};

QL_TEST(TestVerifyPanel)
#include "tst_verify_panel.moc"
