// What deserves attention: the panel on the real engine.
#include "tests/views/window_fixture.h"
#include "views/panels/side_panels.h"

#include <QPushButton>
#include <QTreeView>

using namespace ql;

class TestProblems : public QObject
{
    Q_OBJECT

private:
    WindowFixture m;

private Q_SLOTS:
    void initTestCase() { m.prepare(); }

    /// The sample's bad layer: evidence with bars, a remedy by its button, and what that was worth after the next run.
    void remedyOfTheSample()
    {
        m.show();
        m.open();
        m.run();
        auto *panel = m.window->findChild<ProblemsPanel *>();
        QAbstractItemModel *model = panel->view()->model();
        const auto rowWith = [&](const QString &text) {
            for (int row = 0; row < model->rowCount(); ++row)
                if (model->index(row, ProblemModel::Message).data().toString().contains(text)) return row;
            return -1;
        };
        QTRY_VERIFY_WITH_TIMEOUT(rowWith(QStringLiteral("share one scale")) >= 0, 60000);
        const QModelIndex row = model->index(rowWith(QStringLiteral("share one scale")), ProblemModel::Evidence);
        QVERIFY(row.data(ProblemModel::PlotRole).value<QVector<double>>().size() > 4);
        QTRY_VERIFY(panel->findChild<QPushButton *>(QStringLiteral("remedy_per_channel")));
        // Buttons of a row stand beside each other, whole
        QTest::qWait(100);
        for (const QPushButton *button : panel->findChildren<QPushButton *>()) {
            if (!button->isVisible()) continue;
            QVERIFY(button->width() >= button->sizeHint().width());
            for (const QPushButton *other : button->parentWidget()->findChildren<QPushButton *>())
                QVERIFY(other == button || !other->geometry().intersects(button->geometry()));
        }
        QTest::mouseClick(panel->findChild<QPushButton *>(QStringLiteral("remedy_per_channel")), Qt::LeftButton);
        QVERIFY(m.document().isStale());
        m.run();
        QTRY_VERIFY_WITH_TIMEOUT(rowWith(QStringLiteral("changed the output by")) >= 0, 60000);
        m.document().undoStack().undo();
        QVERIFY(rowWith(QStringLiteral("changed the output by")) < 0);
        m.close();
    }
};

QTEST_MAIN(TestProblems)
#include "tst_problems.moc"
