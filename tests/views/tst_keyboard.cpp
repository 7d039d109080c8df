// The window without a mouse.
#include "tests/support/test_main.h"
#include "tests/views/window_test.h"
#include "views/window/command_palette.h"
#include "views/window/dock.h"

#include <QLineEdit>
#include <QListWidget>

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
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        settle();
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
    bool isIn(const QWidget *panel) const { return panel->isAncestorOf(m_window->focusWidget()); }

private Q_SLOTS:
    void initTestCase() { m_fixture.prepare("RKNN_INT8"); }
    void init()
    {
        m_fixture.show();
        activate();
    }
    void cleanup() { m_fixture.close(); }

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
