// Training in the window, on the real engine: the loss while it falls, and the blocks of the run.
#include "tests/support/test_main.h"
#include "tests/views/window_test.h"
#include "views/commands/recipe_command.h"
#include "views/panels/training_panel.h"
#include "views/plots/qcp.h"
#include "views/plots/training_plot.h"
#include "views/window/dock.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <algorithm>

using namespace ql;

class TestTrainingPanel : public WindowTest
{
    Q_OBJECT

private:
    TrainingPanel *panel() { return m_window->training(); }
    Dock *dock() { return m_window->dock(QStringLiteral("problems")); }
    /// The platform's pipeline with its pass that trains, on small blocks.
    void addTraining(int steps)
    {
        QTRY_VERIFY(document().completeRecipe().passes);
        editRecipe(document(), QStringLiteral("Training"), [&](api::Recipe &recipe) {
            recipe.passes = document().completeRecipe().passes;
            for (api::StepRequest &pass : *recipe.passes)
                if (pass.id == "learned_step_size") pass = {pass.id, true, {}, {{"steps", steps}, {"block_size", 0}}};
            recipe.analyses = {{"graphwise", true, {}}};
        });
    }
    static api::TrainingEvent event(int block, int step, std::optional<double> loss, std::optional<double> heldOut)
    {
        return {"adaround", "conv", "relu", block, 3, step, 10, loss, heldOut, {}};
    }

private Q_SLOTS:
    void initTestCase() { m_fixture.prepare("RKNN_INT8"); }
    void cleanup() { m_fixture.close(); }

    /// A block that cannot be trained leaves nothing; curves are relative to the error before; the report decides.
    void logCollectsBlocks()
    {
        TrainingLog log;
        log.add(event(1, 0, {}, 0.5)); // not trained in the end: no end of the block
        log.add(event(2, 0, {}, 0.5));
        log.add(event(2, 5, 1.0, {}));
        log.add(event(2, 10, 0.25, 0.4));
        QCOMPARE(log.blocks().size(), qsizetype(1));
        QCOMPARE(log.blocks()[0].losses, (QVector<QPointF>{{0.5, 2}, {1, 0.5}}));
        QCOMPARE(log.blocks()[0].tests, (QVector<QPointF>{{0, 1}, {1, 0.8}}));
        const api::TrainedBlock kept{"conv", "relu", 2, 10, 0.5, 0.4, true};
        api::TrainingEvent end = event(2, 10, {}, {});
        end.done = kept;
        log.add(end);
        log.add(event(3, 0, {}, 0.1));
        QCOMPARE(log.blocks().size(), qsizetype(2));
        api::TrainedBlock back = kept; // the outputs had become worse
        back.kept = false;
        back.after = back.before;
        log.finish({{"calibrate", 0, 0, {}}, {"adaround", 2, 1.0, {back, {"fc", "fc", 1, 0, 0.2, 0.1, true}}}});
        QCOMPARE(log.blocks().size(), qsizetype(2));
        QVERIFY(!log.blocks()[0].done->kept);
        QCOMPARE(log.blocks()[0].losses.size(), qsizetype(2)); // of the same block
        QCOMPARE(log.blocks()[1].tests, (QVector<QPointF>{{0, 1}, {1, 0.5}}));
        QVERIFY(log.csv().contains(QStringLiteral("adaround,1,\"conv\",\"relu\",held_out,1,0.8")));
    }

    void blocksAppearAndStayWithTheRun()
    {
        m_fixture.show(false);
        openSmall();
        dock()->showPage(QStringLiteral("training"));
        QVERIFY2(panel()->summary().contains(QStringLiteral("No pass of this recipe trains")),
                 qPrintable(panel()->summary()));
        addTraining(40);
        QVERIFY2(panel()->summary().contains(QStringLiteral("run it (F5)")), qPrintable(panel()->summary()));

        QStringList summaries;
        QString title;
        connect(&document().requests(), &EngineRequests::trained, panel(), [&](const api::TrainingEvent &event) {
            summaries.append(panel()->summary());
            if (!event.done) title = dock()->title(QStringLiteral("training"));
        });
        QTest::keyClick(m_window.get(), Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(isRun(), 240000);
        QVERIFY2(title.startsWith(QStringLiteral("Training ")), qPrintable(title));
        QCOMPARE(dock()->title(QStringLiteral("training")), QStringLiteral("Training"));
        const auto isProgress = [](const QString &text) {
            return text.startsWith(QStringLiteral("Learned step size (LSQ) · block ")) &&
                   text.contains(QStringLiteral(" of 40")) && text.contains(QStringLiteral("loss"));
        };
        QVERIFY2(std::any_of(summaries.begin(), summaries.end(), isProgress), qPrintable(summaries.join("\n")));

        const RunPtr run = document().history().shown();
        const auto pass = std::find_if(run->passes.begin(), run->passes.end(),
                                       [](const api::PassRow &row) { return !row.blocks.empty(); });
        QVERIFY(pass != run->passes.end());
        QTableWidget *table = panel()->table();
        QCOMPARE(table->rowCount(), int(pass->blocks.size()));
        QVERIFY(panel()->plot()->lossCount() >= table->rowCount());
        for (int row = 0; row < table->rowCount(); ++row)
            QCOMPARE(table->item(row, 3)->text(),
                     pass->blocks[std::size_t(row)].kept ? QStringLiteral("kept") : QStringLiteral("went back"));

        // A block, with the mouse and with the keyboard; its operations are selected
        settle();
        QCustomPlot *plot = panel()->plot()->plot();
        plot->replot();
        QTest::mouseClick(plot, Qt::LeftButton, {}, panel()->plot()->centreOf(1));
        QCOMPARE(panel()->current(), 1);
        QCOMPARE(document().current().toStdString(), pass->blocks[1].first);
        QTest::keyClick(plot, Qt::Key_Left);
        QCOMPARE(panel()->current(), 0);
        QTest::keyClick(table, Qt::Key_Down);
        QCOMPARE(document().current().toStdString(), pass->blocks[1].first);

        // Another run has none, and undo brings them back with their curves
        const int losses = panel()->plot()->lossCount(), rows = table->rowCount();
        document().undoStack().undo();
        m_fixture.run();
        QCOMPARE(table->rowCount(), 0);
        document().undoStack().redo();
        QTRY_COMPARE(table->rowCount(), rows);
        QCOMPARE(panel()->plot()->lossCount(), losses);
    }

    void stoppingKeepsWhatWasSeen()
    {
        m_fixture.show(false);
        openSmall();
        dock()->showPage(QStringLiteral("training"));
        addTraining(100000);
        QTest::keyClick(m_window.get(), Qt::Key_F5);
        auto *stop = panel()->tools()->findChild<QPushButton *>(QStringLiteral("trainingStop"));
        QTRY_VERIFY_WITH_TIMEOUT(panel()->plot()->lossCount() > 0, 240000);
        QVERIFY(stop->isVisible());
        QTest::mouseClick(stop, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!document().requests().isRunning(), 60000);
        QTRY_VERIFY(!stop->isVisible());
        QTRY_VERIFY2(panel()->summary().contains(QStringLiteral("was stopped")), qPrintable(panel()->summary()));
        QVERIFY(panel()->plot()->lossCount() > 0);
    }
};

QL_TEST(TestTrainingPanel)
#include "tst_training_panel.moc"
