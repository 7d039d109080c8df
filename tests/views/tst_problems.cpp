// What deserves attention: the panel on the real engine.
#include "tests/support/test_main.h"
#include "tests/views/window_fixture.h"
#include "views/commands/recipe_command.h"
#include "views/commands/remedies.h"
#include "views/panels/problems_panel.h"

#include <QHeaderView>
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
        auto *panel = m.window->findChild<ProblemsPanel *>();
        QAbstractItemModel *model = panel->view()->model();
        if (model->rowCount() == 0)
            QVERIFY2(panel->emptyText().contains(QStringLiteral("F5")), qPrintable(panel->emptyText()));
        m.run();
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
        // Every sentence is there, over as many lines as it takes
        QTreeView *view = panel->view();
        for (int i = 0; i < model->rowCount(); ++i) {
            const QModelIndex index = model->index(i, ProblemModel::Message);
            view->scrollTo(index);
            const QRect cell = view->visualRect(index);
            const bool hasButtons = !index.data(ProblemModel::ActionsRole).toStringList().isEmpty();
            QString text = model->index(i, ProblemModel::Operation).data().toString() + QStringLiteral("   ") +
                           index.data().toString();
            if (!hasButtons) text += QLatin1Char('\n') + model->index(i, ProblemModel::Remedy).data().toString();
            const QRect needed =
                view->fontMetrics().boundingRect(QRect(0, 0, cell.width() - 36, 10000), Qt::TextWordWrap, text);
            QVERIFY2(cell.height() >= needed.height(), qPrintable(text));
        }
        view->scrollToTop();

        // An edit leaves the list, as what the run before it told, with remedies for more edits
        const int count = model->rowCount();
        QTest::mouseClick(panel->findChild<QPushButton *>(QStringLiteral("remedy_per_channel")), Qt::LeftButton);
        QVERIFY(m.document().isStale());
        QTest::qWait(400); // the graph is read again
        QCOMPARE(model->rowCount(), count);
        QVERIFY(model->index(0, 0).data(ProblemModel::IsPreviousRole).toBool());
        auto *second = panel->findChild<QPushButton *>(QStringLiteral("remedy_fp32"));
        QVERIFY(second);
        QVERIFY(second->width() >= second->sizeHint().width()); // whole as before
        QVERIFY(panel->view()->header()->sectionSize(ProblemModel::Remedy) >=
                second->parentWidget()->minimumSizeHint().width());
        const int edits = m.document().undoStack().index();
        QTest::mouseClick(second, Qt::LeftButton);
        QCOMPARE(m.document().undoStack().index(), edits + 1);
        m.document().undoStack().undo();
        m.run();
        QTRY_VERIFY_WITH_TIMEOUT(rowWith(QStringLiteral("changed the output by")) >= 0, 60000);
        // Back to what was run first: its own list, as of now
        m.document().undoStack().undo();
        QVERIFY(rowWith(QStringLiteral("changed the output by")) < 0);
        QCOMPARE(model->rowCount(), count);
        QVERIFY(!model->index(0, 0).data(ProblemModel::IsPreviousRole).toBool());

        // A remedy and an edit of another kind before the next run are told together
        QTRY_VERIFY(panel->findChild<QPushButton *>(QStringLiteral("remedy_fp32")));
        QTest::mouseClick(panel->findChild<QPushButton *>(QStringLiteral("remedy_fp32")), Qt::LeftButton);
        replaceRecipe(m.document(), QStringLiteral("Another one to float"),
                      withDispatch(m.document().recipeJson(), {m.document().graph()->operations[0].name},
                                   QStringLiteral("FP32")));
        m.run();
        QTRY_VERIFY_WITH_TIMEOUT(rowWith(QStringLiteral("+ Another one to float” changed the output by")) >= 0, 60000);
        m.close();
    }

    /// The tensor that is told of, not another one of its operation.
    void observerOfTheTensor()
    {
        m.show();
        m.open();
        m.run();
        Document &document = m.document();
        const auto slotOf = [&](const nlohmann::json &recipe) { return recipe["overrides"][0]["match"]; };
        nlohmann::json match =
            slotOf(withRemedy(document, QStringLiteral("observer"), QStringLiteral("stem"), QStringLiteral("image")));
        QCOMPARE(match.value("role", ""), std::string("input"));
        QCOMPARE(match.value("op", ""), std::string("stem"));
        // The output of a convolution with a fused activation is not observed: the activation's is
        match = slotOf(withRemedy(document, QStringLiteral("observer"), QStringLiteral("down_expand")));
        QCOMPARE(match.value("role", ""), std::string("output"));
        QCOMPARE(match.value("op", ""), std::string("down_expand_relu"));
    }
};

QL_TEST(TestProblems)
#include "tst_problems.moc"
