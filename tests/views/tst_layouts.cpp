// Docks: hidden on the start page, named layouts saved and restored, and the list of shortcuts.
#include "tests/views/window_fixture.h"

#include <QApplication>
#include <QDockWidget>
#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>
#include <QTimer>

using namespace ql;

class TestLayouts : public QObject
{
    Q_OBJECT

private:
    WindowFixture m;
    QDockWidget *dock(const char *name) { return m.window->findChild<QDockWidget *>(QLatin1String(name)); }
    QAction *layoutAction(const QString &text)
    {
        for (QMenu *menu : m.window->findChildren<QMenu *>())
            for (QAction *action : menu->actions())
                if (action->text() == text && !action->menu()) return action;
        return nullptr;
    }

private Q_SLOTS:
    void initTestCase() { m.prepare(); }
    void init() { m.show(); }
    void cleanup() { m.close(); }

    void startPageHasTheWindowToItself()
    {
        for (const QDockWidget *d : m.window->findChildren<QDockWidget *>()) QVERIFY(!d->isVisible());
        m.open();
        for (const char *name : {"pipeline", "runs", "inspector", "distribution", "errors", "problems"})
            QVERIFY2(!dock(name)->isHidden(), name);
    }

    void namedLayoutComesBack()
    {
        m.open();
        dock("pipeline")->hide();
        QTimer::singleShot(200, this, [] {
            auto *dialog = qobject_cast<QInputDialog *>(QApplication::activeModalWidget());
            if (!dialog) return;
            dialog->setTextValue(QStringLiteral("宽 wide"));
            dialog->accept();
        });
        QAction *save = layoutAction(QStringLiteral("Save this layout as…"));
        QVERIFY(save);
        save->trigger();
        dock("pipeline")->show();
        dock("errors")->hide();
        QAction *restore = layoutAction(QStringLiteral("宽 wide"));
        QVERIFY(restore);
        restore->trigger();
        QVERIFY(dock("pipeline")->isHidden());
        QVERIFY(!dock("errors")->isHidden());
    }

    void questionMarkListsTheShortcuts()
    {
        QString text;
        QTimer::singleShot(200, this, [&] {
            auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
            if (!box) return;
            text = box->text();
            box->close();
        });
        QTest::keyClick(m.window.get(), Qt::Key_Question);
        for (const char *key : {"F5", "Ctrl+E", "Ctrl+K", "Space", "F1"})
            QVERIFY2(text.contains(QLatin1String(key)), key);
    }
};

QTEST_MAIN(TestLayouts)
#include "tst_layouts.moc"
