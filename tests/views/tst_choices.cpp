// What is chosen in the tool bar, in the head of the table and by the commands: platform, columns, engine.
#include "tests/support/test_main.h"
#include "tests/views/answer_dialog.h"
#include "tests/views/window_fixture.h"
#include "views/models/operation_model.h"
#include "views/panels/table_export.h"
#include "views/window/center_view.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QInputDialog>
#include <QMenu>
#include <QTableView>
#include <QToolButton>

using namespace ql;

class TestChoices : public QObject
{
    Q_OBJECT

private:
    WindowFixture m;

    QMenu *platformMenu() { return m.window->findChild<QToolButton *>(QStringLiteral("platformChip"))->menu(); }
    QMenu *dispatcherMenu()
    {
        for (const QAction *action : platformMenu()->actions())
            if (action->menu()) return action->menu();
        return nullptr;
    }
    /// First words of the ticked entries.
    static QStringList ticked(const QMenu *menu)
    {
        QStringList names;
        for (const QAction *action : menu->actions())
            if (action->isChecked()) names.append(action->text().section(QLatin1Char(' '), 0, 0));
        return names;
    }
    static QAction *entry(const QMenu *menu, const QString &name)
    {
        for (QAction *action : menu->actions())
            if (action->text().section(QLatin1Char(' '), 0, 0) == name) return action;
        return nullptr;
    }
    QAction *command(const QString &text)
    {
        for (QAction *action : m.window->allActions())
            if (action->text() == text) return action;
        return nullptr;
    }

private Q_SLOTS:
    void initTestCase() { m.prepare(); }
    void init()
    {
        m.show();
        m.open();
    }
    void cleanup() { m.close(); }

    /// The menu of the tool bar ticks the platform, and the dispatcher that is at work: the platform's or another one.
    void platformMenuTicksWhatIsChosen()
    {
        const QString rknn = QStringLiteral("RKNN_INT8"), trt = QStringLiteral("TRT_INT8");
        QCOMPARE(ticked(platformMenu()), QStringList{rknn});
        QCOMPARE(ticked(dispatcherMenu()), QStringList{QStringLiteral("conservative")});
        entry(platformMenu(), trt)->trigger();
        QCOMPARE(m.document().recipe().platform, trt.toStdString());
        QCOMPARE(ticked(platformMenu()), QStringList{trt});
        entry(platformMenu(), trt)->trigger(); // again: nothing changes
        QCOMPARE(ticked(platformMenu()), QStringList{trt});
        entry(dispatcherMenu(), QStringLiteral("aggressive"))->trigger();
        QCOMPARE(m.document().recipe().dispatcher, std::string("aggressive"));
        QCOMPARE(ticked(dispatcherMenu()), QStringList{QStringLiteral("aggressive")});
        m.document().undoStack().undo();
        QCOMPARE(ticked(dispatcherMenu()), QStringList{QStringLiteral("conservative")});
        m.document().undoStack().undo();
        QCOMPARE(ticked(platformMenu()), QStringList{rknn});
    }
};

QL_TEST(TestChoices)
#include "tst_choices.moc"
