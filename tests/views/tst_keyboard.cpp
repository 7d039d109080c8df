// The main job without a mouse: open a model, run it, find the worst operation, change it, take a remedy, export,
// verify.
#include "tests/support/test_main.h"
#include "tests/views/answer_dialog.h"
#include "tests/views/window_test.h"
#include "views/bridge/problem_list.h"
#include "views/panels/export_dialog.h"
#include "views/panels/problems_panel.h"
#include "views/panels/verify_panel.h"
#include "views/window/command_palette.h"
#include "views/window/dock.h"

#include <QClipboard>
#include <QFileDialog>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTreeView>

using namespace ql;

class TestKeyboard : public WindowTest
{
    Q_OBJECT

private:
    /// A key for the widget that has the focus.
    void press(int key, Qt::KeyboardModifiers modifiers = {}, QWidget *window = nullptr)
    {
        if (!window) window = m_window.get();
        QTest::keyClick(window->focusWidget() ? window->focusWidget() : window, Qt::Key(key), modifiers);
    }
    /// As a window manager does when a dialog closes.
    void activate()
    {
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get(), patienceMs));
        settle();
    }
    void tabTo(const QWidget *wanted)
    {
        constexpr int most = 40;
        for (int i = 0; i < most && m_window->focusWidget() != wanted; ++i) press(Qt::Key_Tab);
        QCOMPARE(m_window->focusWidget(), wanted);
    }
    /// By its name in the palette.
    void command(const QString &name)
    {
        press(Qt::Key_K, Qt::ControlModifier);
        auto *palette = m_window->findChild<CommandPalette *>();
        QVERIFY(palette);
        auto *line = palette->findChild<QLineEdit *>();
        QTest::keyClicks(line, name);
        const QListWidgetItem *first = palette->findChild<QListWidget *>()->currentItem();
        QVERIFY2(first && first->text().startsWith(name), qPrintable(first ? first->text() : name));
        QTest::keyClick(line, Qt::Key_Return);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        activate();
    }
    /// By the file dialog.
    void openFile()
    {
        const QString recipe = m_fixture.folder.filePath(QStringLiteral("keys.quantloupe")); // can be typed
        QVERIFY(QFile::copy(m_fixture.file(), recipe));
        answerNext<QFileDialog>(this, [recipe](QFileDialog &dialog) {
            dialog.activateWindow(); // as a window manager does: the name has the focus only then
            if (!QTest::qWaitForWindowActive(&dialog, patienceMs)) return dialog.reject();
            QGuiApplication::clipboard()->setText(recipe);
            // Proposals open when folders have been read, and take keys
            for (const QDeadlineTimer last(patienceMs); dialog.isVisible() && !last.hasExpired();) {
                if (QWidget *proposals = QApplication::activePopupWidget()) QTest::keyClick(proposals, Qt::Key_Escape);
                QTest::keyClick(dialog.focusWidget(), Qt::Key_A, Qt::ControlModifier);
                QTest::keyClick(dialog.focusWidget(), Qt::Key_V, Qt::ControlModifier);
                QTest::keyClick(dialog.focusWidget(), Qt::Key_Return);
                QTest::qWait(50);
            }
            if (dialog.isVisible()) dialog.reject(); // or the test waits for ever
        });
        press(Qt::Key_O, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(document().graph() && m_window->center()->graph()->scene(), 60000);
        activate();
    }
    /// Enter writes, Escape closes.
    void exportFile()
    {
        const QString file = m_fixture.folder.filePath(QStringLiteral("keys.onnx"));
        bool isAtPath = false, isWritten = false;
        answerNext<ExportDialog>(this, [&](ExportDialog &dialog) {
            auto *path = dialog.findChild<QLineEdit *>(QStringLiteral("exportPath"));
            for (int i = 0; i < 20 && dialog.focusWidget() != path; ++i) press(Qt::Key_Tab, {}, &dialog);
            isAtPath = dialog.focusWidget() == path;
            press(Qt::Key_A, Qt::ControlModifier, &dialog);
            QTest::keyClicks(path, file);
            QSignalSpy written(&document().requests(), &EngineRequests::exported);
            press(Qt::Key_Return, {}, &dialog);
            isWritten = QTest::qWaitFor([&] { return written.count() == 1; }, patienceMs);
            press(Qt::Key_Escape, {}, &dialog);
        });
        press(Qt::Key_E, Qt::ControlModifier);
        QVERIFY(isAtPath);
        QVERIFY(isWritten && QFileInfo::exists(file));
        activate();
    }
    bool isIn(const QWidget *panel) const { return panel->isAncestorOf(m_window->focusWidget()); }

private Q_SLOTS:
    void initTestCase() { m_fixture.prepare("RKNN_INT8"); }
    void init()
    {
        qputenv("QUANTLOUPE_PYTHON", QL_SOURCE_DIR "/build/venv/bin/python");
        m_fixture.show();
        activate();
    }
    void cleanup() { m_fixture.close(); }

    void theMainJob()
    {
        openFile();

        // Run, and go to the worst operation
        press(Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(isRun(), 120000);
        const double before = *document().history().shown()->outputSqnr();
        m_window->center()->graph()->setFocus();
        press(Qt::Key_BracketLeft);
        QVERIFY(!document().current().isEmpty());

        // Run it in float, by the inspector, and take that back
        command(QStringLiteral("Inspector"));
        auto *platform = m_window->inspector()->findChild<QComboBox *>(QStringLiteral("platformOfOperation"));
        QTRY_VERIFY(platform && platform->isEnabled());
        tabTo(platform);
        QTest::keyClicks(platform, QStringLiteral("FP32"));
        QTRY_COMPARE(document().undoStack().index(), 1);
        press(Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(isRun(), 120000);
        QVERIFY(*document().history().shown()->outputSqnr() > before);
        press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(document().undoStack().index(), 0);
        QTRY_VERIFY_WITH_TIMEOUT(isRun(), 120000); // the first run is shown again

        // Its remedy: in the list of problems
        command(QStringLiteral("Problems"));
        auto *problems = m_window->findChild<ProblemsPanel *>();
        QVERIFY(isIn(problems));
        const auto remedy = [problems] { // the first one of the worst problem
            static const QRegularExpression name(QStringLiteral("^remedy_"));
            return problems->findChildren<QPushButton *>(name).value(0);
        };
        QTRY_VERIFY_WITH_TIMEOUT(remedy(), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(!document().requests().isGathering(), 60000); // renews the list
        tabTo(remedy());
        press(Qt::Key_Space);
        QCOMPARE(document().undoStack().index(), 1);
        press(Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(isRun(), 120000);
        QVERIFY(*document().history().shown()->outputSqnr() > before + 10);

        exportFile();

        // Verify it
        VerifyPanel *verification = m_window->verification();
        command(QStringLiteral("Verify"));
        QVERIFY(isIn(verification));
        QTRY_VERIFY_WITH_TIMEOUT(!verification->runtime().isEmpty(), 120000);
        auto *start = verification->tools()->findChild<QPushButton *>(QStringLiteral("verifyStart"));
        QTRY_VERIFY(start->isEnabled());
        tabTo(start);
        QSignalSpy good(&document().requests(), &EngineRequests::verified),
            bad(&document().requests(), &EngineRequests::verifyStopped);
        press(Qt::Key_Space);
        QTRY_VERIFY_WITH_TIMEOUT(good.count() + bad.count() > 0, 240000);
    }

    /// F6 goes from the graph through the docks that are shown, and back; the palette does not hide what it names.
    void docksByKeyboard()
    {
        openSmall();
        m_window->center()->graph()->setFocus();
        QVector<Dock *> shown;
        for (Dock *dock : m_window->findChildren<Dock *>())
            if (dock->isInFront()) shown.append(dock);
        QVERIFY(shown.size() > 3);
        QSet<Dock *> visited;
        for (qsizetype i = 0; i < shown.size(); ++i) {
            press(Qt::Key_F6);
            for (Dock *dock : shown)
                if (isIn(dock)) visited.insert(dock);
        }
        QCOMPARE(visited.size(), shown.size());
        press(Qt::Key_F6);
        QVERIFY(m_window->center()->graph()->hasFocus());
        press(Qt::Key_F6, Qt::ShiftModifier);
        QVERIFY(!m_window->center()->graph()->hasFocus());
        press(Qt::Key_F6);
        QVERIFY(m_window->center()->graph()->hasFocus());
        for (int i = 0; i < 2; ++i) { // the second time it is shown already
            command(QStringLiteral("Inspector"));
            QVERIFY(m_window->dock(QStringLiteral("inspector"))->isInFront());
            QVERIFY(isIn(m_window->dock(QStringLiteral("inspector"))));
            m_window->center()->graph()->setFocus();
        }
    }
};

QL_TEST(TestKeyboard)
#include "tst_keyboard.moc"
