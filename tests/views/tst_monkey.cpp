// Seeded random clicks, keys, drags, wheels and resizes on every widget of the real window, its menus and its dialogs:
// no crash, no failed assertion. QL_MONKEY_SEED sets the sequence (0), QL_MONKEY_ACTS its length (600). Both are
// printed first, and each act depends on the seed and its number only: the same two numbers replay a sequence, even
// after an act whose target differs because the engine answered at another moment. QL_MONKEY_LOG=FILE logs each act.
#include "tests/support/test_main.h"
#include "views/bridge/engine_requests.h"
#include "views/window/center_view.h"

#include "window_fixture.h"

#include <QAbstractButton>
#include <QContextMenuEvent>
#include <QDesktopServices>
#include <QDialog>
#include <QDrag>
#include <QFileDialog>
#include <QMenu>
#include <QMessageBox>
#include <QRandomGenerator>
#include <QWheelEvent>

using namespace ql;

namespace {

/// Acts on the frontmost menu, dialog or window. Each act schedules the next one first, so that it continues inside the
/// event loops of dialogs and menus.
class Monkey : public QObject
{
    Q_OBJECT

public:
    Monkey(WindowFixture &fixture, quint32 seed) : m_fixture(fixture), m_seed(seed)
    {
        m_log.setFileName(qEnvironmentVariable("QL_MONKEY_LOG"));
        if (!m_log.fileName().isEmpty() && !m_log.open(QIODevice::WriteOnly))
            qWarning("QL_MONKEY_LOG: %s", qPrintable(m_log.errorString()));
    }

    void start(int acts)
    {
        m_most = acts;
        next();
    }
    /// All acts are done and everything that it opened is closed again.
    bool isDone() const { return m_isDone; }
    /// Acts so far, and how many of them went to dialogs and menus.
    int acts() const { return m_acts; }
    int inDialogs() const { return m_inDialogs; }

public Q_SLOTS:
    /// Links to folders and pages stay inside the test.
    void opened(const QUrl &) {}

private:
    int below(int count) { return count > 0 ? int(m_random.bounded(quint32(count))) : 0; }
    QPoint anywhere(const QWidget *widget) { return {below(widget->width()), below(widget->height())}; }

    void next()
    {
        m_random.seed(m_seed * 1000003U + quint32(m_acts)); // whatever the act before has drawn
        if (m_acts >= m_most)
            QTimer::singleShot(10, this, &Monkey::closeFront);
        else
            QTimer::singleShot(below(4) ? 1 : below(40), this, &Monkey::act);
    }

    /// Dialogs and menus run nested event loops.
    void closeFront()
    {
        QDrag::cancel();
        QWidget *popup = QApplication::activePopupWidget(), *modal = QApplication::activeModalWidget();
        m_isDone = !popup && !modal;
        if (m_isDone) return;
        QTimer::singleShot(10, this, &Monkey::closeFront);
        if (popup)
            popup->close();
        else if (QAbstractButton *discard = discardButton(modal))
            discard->click(); // "keep" would return to a dialog that asks again
        else if (auto *dialog = qobject_cast<QDialog *>(modal))
            dialog->reject();
        else
            modal->close();
    }

    static QAbstractButton *discardButton(QWidget *dialog)
    {
        const auto *question = qobject_cast<QMessageBox *>(dialog);
        if (!question) return nullptr;
        for (QAbstractButton *button : question->buttons())
            if (question->buttonRole(button) == QMessageBox::DestructiveRole) return button;
        return nullptr;
    }

    void act()
    {
        ++m_acts;
        next();
        QWidget *front = QApplication::activePopupWidget();
        if (!front) front = QApplication::activeModalWidget();
        if (front) ++m_inDialogs;
        if (!front) front = window();
        if (auto *dialog = qobject_cast<QDialog *>(front); dialog && leaves(dialog)) return;
        QWidget *target = choose(front);
        if (m_log.isOpen()) { // kept when the next act ends the program
            m_log.write(QStringLiteral("%1 %2 '%3'\n")
                            .arg(m_acts)
                            .arg(QString::fromLatin1(target->metaObject()->className()), target->objectName())
                            .toUtf8());
            m_log.flush();
        }
        actOn(QPointer<QWidget>(target));
    }

    /// The window, shown again with its recipe after something closed or emptied it; others that were opened go.
    QWidget *window()
    {
        MainWindow *main = m_fixture.window.get();
        for (QWidget *other : QApplication::topLevelWidgets())
            if (other != main && qobject_cast<MainWindow *>(other)) other->deleteLater();
        if (!main->isVisible()) main->show();
        if (!m_fixture.document().graph() && ++m_withoutGraph > 200) {
            m_withoutGraph = 0;
            main->openFile(m_fixture.file());
        }
        return main;
    }

    /// Closes dialogs that would reach files outside the test, and others now and then.
    bool leaves(QDialog *dialog)
    {
        if (qobject_cast<QFileDialog *>(dialog)) {
            dialog->reject();
            return true;
        }
        if (below(60) == 0) {
            dialog->reject();
            return true;
        }
        return false;
    }

    QWidget *choose(QWidget *front)
    {
        QList<QWidget *> shown;
        for (QWidget *widget : front->findChildren<QWidget *>())
            if (widget->isVisible() && widget->isEnabled() && widget->window() == front->window() &&
                widget->width() > 0 && widget->height() > 0)
                shown.append(widget);
        if (shown.isEmpty() || below(30) == 0) return front;
        return shown[below(int(shown.size()))];
    }

    void actOn(const QPointer<QWidget> &target)
    {
        const QPoint at = anywhere(target);
        const Qt::KeyboardModifiers with = below(5)   ? Qt::KeyboardModifiers{}
                                           : below(2) ? Qt::KeyboardModifiers{Qt::ControlModifier}
                                                      : Qt::KeyboardModifiers{Qt::ShiftModifier};
        switch (below(12)) {
        case 0:
        case 1:
        case 2: click(target, at, with); break;
        case 3:
            click(target, at, with);
            send(target, QEvent::MouseButtonDblClick, at, Qt::LeftButton, with);
            send(target, QEvent::MouseButtonRelease, at, Qt::NoButton, with);
            break;
        case 4: drag(target, at); break;
        case 5: {
            QWheelEvent wheel(at, target->mapToGlobal(at), {}, {0, below(2) ? 120 : -120}, Qt::NoButton, with,
                              Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(target, &wheel);
            break;
        }
        case 6: {
            QContextMenuEvent menu(QContextMenuEvent::Mouse, at, target->mapToGlobal(at));
            QCoreApplication::sendEvent(target, &menu);
            break;
        }
        case 7:
        case 8: key(target, with); break;
        case 9:
            for (const char *c = texts[below(int(std::size(texts)))]; *c; ++c) {
                if (target) QTest::keyPress(target, *c);
                if (target) QTest::keyRelease(target, *c);
            }
            break;
        case 10:
            if (below(10) == 0) target->window()->resize(700 + below(1100), 500 + below(600));
            break;
        case 11: send(target, QEvent::MouseMove, at, Qt::NoButton, with); break;
        }
    }

    /// To a widget that the events before may have removed: Qt Test's own mouse does not look.
    void send(const QPointer<QWidget> &target, QEvent::Type type, const QPoint &at, Qt::MouseButtons held,
              Qt::KeyboardModifiers with)
    {
        if (!target) return;
        const Qt::MouseButton button = type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton;
        QMouseEvent event(type, at, target->mapToGlobal(at), button, held, with);
        QCoreApplication::sendEvent(target, &event);
    }

    void click(const QPointer<QWidget> &target, const QPoint &at, Qt::KeyboardModifiers with)
    {
        send(target, QEvent::MouseButtonPress, at, Qt::LeftButton, with);
        send(target, QEvent::MouseButtonRelease, at, Qt::NoButton, with);
    }

    void drag(const QPointer<QWidget> &target, const QPoint &from)
    {
        send(target, QEvent::MouseButtonPress, from, Qt::LeftButton, {});
        const QPoint to = from + QPoint(below(300) - 150, below(200) - 100);
        for (int i = 1; i <= 3; ++i) send(target, QEvent::MouseMove, from + (to - from) * i / 3, Qt::LeftButton, {});
        send(target, QEvent::MouseButtonRelease, to, Qt::NoButton, {});
    }

    void key(const QPointer<QWidget> &target, Qt::KeyboardModifiers with)
    {
        static constexpr Qt::Key keys[] = {
            Qt::Key_F5,   Qt::Key_Q,        Qt::Key_J,    Qt::Key_K,        Qt::Key_Space,        Qt::Key_BracketLeft,
            Qt::Key_Down, Qt::Key_Right,    Qt::Key_Plus, Qt::Key_Escape,   Qt::Key_BracketRight, Qt::Key_F,
            Qt::Key_Tab,  Qt::Key_Left,     Qt::Key_Home, Qt::Key_PageDown, Qt::Key_Return,       Qt::Key_Delete,
            Qt::Key_Z,    Qt::Key_Y,        Qt::Key_C,    Qt::Key_A,        Qt::Key_Up,           Qt::Key_End,
            Qt::Key_F1,   Qt::Key_Backspace};
        const Qt::Key key = keys[below(int(std::size(keys)))];
        QTest::keyPress(target, key, with);
        if (target) QTest::keyRelease(target, key, with);
    }

    static constexpr const char *texts[] = {"conv", "0", "-1", "1e9", "bits<8", "error>0.1", "/b.*1/", "*", "(", "nan"};

    WindowFixture &m_fixture;
    QRandomGenerator m_random;
    quint32 m_seed;
    QFile m_log;
    bool m_isDone = false;
    int m_most = 0, m_acts = 0, m_inDialogs = 0, m_withoutGraph = 0;
};

} // namespace

class TestMonkey : public QObject
{
    Q_OBJECT

    WindowFixture m_fixture;

private Q_SLOTS:
    void initTestCase() { m_fixture.prepare(); }
    void cleanup() { m_fixture.close(); }

    void clicksAndKeys()
    {
        m_fixture.show();
        m_fixture.open();
        m_fixture.run();
        const int given = qEnvironmentVariableIntValue("QL_MONKEY_ACTS"), acts = given > 0 ? given : 600;
        const int seed = qEnvironmentVariableIntValue("QL_MONKEY_SEED");
        qInfo("QL_MONKEY_SEED=%d QL_MONKEY_ACTS=%d", seed, acts);
        Monkey monkey(m_fixture, quint32(seed));
        for (const char *scheme : {"file", "http", "https"}) QDesktopServices::setUrlHandler(scheme, &monkey, "opened");
        monkey.start(acts);
        QTRY_VERIFY_WITH_TIMEOUT(monkey.isDone(), 60000 + acts * 1000);
        for (const char *scheme : {"file", "http", "https"}) QDesktopServices::unsetUrlHandler(scheme);
        m_fixture.document().requests().stop();
        QTRY_VERIFY_WITH_TIMEOUT(!m_fixture.document().requests().job().isRunning, 60000);
        qInfo("%d acts, %d of them in menus and dialogs", monkey.acts(), monkey.inDialogs());
        QCOMPARE(monkey.acts(), acts);
        // Its leftovers in settings, journals and runs do not harm the next window
        m_fixture.close();
        m_fixture.writeRecipe("TRT_INT8"); // whatever was saved there
        m_fixture.show();
        m_fixture.open();
    }
};

QL_TEST(TestMonkey)
#include "tst_monkey.moc"
