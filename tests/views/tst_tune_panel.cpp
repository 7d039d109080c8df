// The search for a better recipe in the window, on the real engine.
#include "core/base/file.h"
#include "tests/support/test_main.h"
#include "tests/views/window_test.h"
#include "views/panels/distribution_panel.h"
#include "views/panels/origin_panel.h"
#include "views/panels/tune_panel.h"
#include "views/plots/heat_map.h"
#include "views/plots/pareto_plot.h"
#include "views/plots/qcp.h"
#include "views/style/legend_bar.h"
#include "views/window/dock.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>

using namespace ql;

class TestTunePanel : public WindowTest
{
    Q_OBJECT

private:
    TunePanel *panel() { return m_window->tuning(); }
    template <class Widget>
    Widget *part(const char *name)
    {
        QWidget *owner = panel()->findChild<Widget *>(QLatin1String(name)) ? panel() : panel()->tools();
        return owner->findChild<Widget *>(QLatin1String(name));
    }
    void showPage() { m_window->dock(QStringLiteral("problems"))->showPage(QStringLiteral("tune")); }
    /// Until it has ended.
    void search(const char *goals, int trials)
    {
        panel()->form()->setGoals(QLatin1String(goals));
        panel()->form()->setTrials(trials);
        QSignalSpy good(&document().requests(), &EngineRequests::tuned),
            bad(&document().requests(), &EngineRequests::tuneStopped);
        QTest::mouseClick(part<QPushButton>("tuneStart"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(good.count() + bad.count() > 0, 240000);
    }

private Q_SLOTS:
    void initTestCase() { m_fixture.prepare("RKNN_INT8"); }
    void init()
    {
        m_fixture.show();
        openSmall();
        showPage();
    }
    void cleanup() { m_fixture.close(); }

    /// Trials appear as points and rows; the chosen one is adopted in one undoable step.
    void trialsAreShownAndAdopted()
    {
        QVERIFY(part<QPlainTextEdit>("tuneGoals")->toPlainText().contains(QStringLiteral("int8.macs>90%"))); // proposed
        document().setCurrent(QStringLiteral("stem"));
        panel()->form()->lock({QStringLiteral("stem")}, TuneForm::Lock::Int8);
        search("output.sqnr_db>90\nint8.macs>90%", 4);
        QCOMPARE(panel()->trialCount(), 4);
        QTableWidget *table = panel()->table();
        QCOMPARE(table->rowCount(), 4);
        QCOMPARE(panel()->plot()->pointCount(), 4);
        // Until costs differ, the points are in the order of the trials
        QVERIFY(panel()->plot()->cost() == ParetoPlot::Cost::Trial);
        panel()->plot()->setCost(ParetoPlot::Cost::MacBits);
        QVERIFY(panel()->plot()->frontCount() > 0);
        QVERIFY2(panel()->summary().contains(QStringLiteral("<b>output.sqnr_db&gt;90</b> is not met")),
                 qPrintable(panel()->summary()));
        QVERIFY2(panel()->summary().contains(QStringLiteral("<b>int8.macs&gt;90%</b> is met")),
                 qPrintable(panel()->summary()));

        // A point, with the mouse and with the keyboard; a row
        QCustomPlot *plot = panel()->plot()->plot();
        panel()->plot()->setCost(ParetoPlot::Cost::Trial);
        settle();
        plot->replot();
        QTest::mouseClick(plot, Qt::LeftButton, {}, panel()->plot()->pointOf(2));
        QCOMPARE(panel()->current(), 2);
        QCOMPARE(table->currentRow(), 2);
        QVERIFY2(panel()->summary().contains(QStringLiteral("Trial 2")), qPrintable(panel()->summary()));
        QTest::keyClick(plot, Qt::Key_Left);
        QCOMPARE(panel()->current(), 1);
        QTest::keyClick(table, Qt::Key_Down);
        QCOMPARE(panel()->current(), 2);

        // Its errors are measured and shown; the recipe stays
        const api::Recipe own = document().recipe();
        const auto isShown = [this] {
            return panel()->summary().contains(QStringLiteral("show the errors of this trial"));
        };
        QTRY_VERIFY_WITH_TIMEOUT(isShown(), 60000);
        QVERIFY(document().recipe() == own && document().history().isStale());
        // The distribution is that of the trial, too
        document().setCurrent(QStringLiteral("scores"));
        QTRY_VERIFY2_WITH_TIMEOUT(m_window->distribution()->operation() == QLatin1String("scores") &&
                                      m_window->distribution()->notice().isEmpty(),
                                  qPrintable(m_window->distribution()->notice()), 60000);
        QVERIFY(!document().history().shown()->graphwise.isEmpty());
        const qsizetype runs = document().history().runs().size();
        QVERIFY2(document().history().runs().back().name.startsWith(QStringLiteral("Trial 2: ")),
                 qPrintable(document().history().runs().back().name));
        QTest::keyClick(table, Qt::Key_Up);
        QTRY_VERIFY_WITH_TIMEOUT(document().history().runs().size() == runs + 1 && isShown(), 60000);
        QTest::keyClick(table, Qt::Key_Down); // a second time it is only shown
        QTRY_VERIFY_WITH_TIMEOUT(isShown(), 60000);
        QCOMPARE(document().history().runs().size(), runs + 1);

        auto *adopt = part<QPushButton>("tuneAdopt");
        QCOMPARE(adopt->text(), QStringLiteral("Adopt trial 2"));
        const api::Recipe before = document().recipe();
        const int steps = document().undoStack().count();
        QTest::mouseClick(adopt, Qt::LeftButton);
        QCOMPARE(document().undoStack().count(), steps + 1);
        QVERIFY(document().recipe() != before);
        QCOMPARE(document().recipe().evaluation, before.evaluation);
        QVERIFY(!panel()->summary().contains(QStringLiteral("has changed since")));
        m_fixture.run();
        document().undoStack().undo();
        QVERIFY(document().recipe() == before);
        setBitsOfStem();
        QVERIFY(panel()->summary().contains(QStringLiteral("has changed since")));
    }

    /// A drop of the metric is shown with its interval, and called equal to float within it.
    void dropsHaveIntervals()
    {
        const auto step = [this](std::int64_t id, double metric) {
            api::TuneStep made;
            made.trial.id = id;
            made.trial.kept = true;
            made.trial.search = {metric, 0.9, 30.0, 0.001, {}, 0.029, 100};
            made.recipe = document().recipe();
            made.front = {0};
            Q_EMIT document().requests().tried(std::make_shared<const api::TuneStep>(made));
        };
        step(0, 0.8);
        QVERIFY2(panel()->summary().contains(QStringLiteral("drop 10.00 ± 2.90 points")) &&
                     !panel()->summary().contains(QStringLiteral("equal to float")),
                 qPrintable(panel()->summary()));
        step(1, 0.891);
        QVERIFY2(panel()->summary().contains(
                     QStringLiteral("drop 0.90 ± 2.90 points: equal to float within the uncertainty")),
                 qPrintable(panel()->summary()));
        QCOMPARE(panel()->plot()->shownUncertainty(), 0.0); // the axis has noise
        panel()->plot()->setMeasure(ParetoPlot::Measure::Metric);
        QCOMPARE(panel()->plot()->shownUncertainty(), 0.029);
        panel()->plot()->setMeasure(ParetoPlot::Measure::Error);
        QCOMPARE(panel()->plot()->plot()->yAxis->label(), QStringLiteral("noise / signal"));

        auto report = std::make_shared<api::TuneReport>();
        api::TuneTrial best;
        best.search = {0.891, 0.9, 30.0, 0.001, {}, 0.029, 100};
        best.confirm = api::TuneScore{0.88, 0.9, 30.0, 0.001, {}, 0.03, 100};
        report->trials = {best};
        report->goals = {{"metric.drop<1%", false, 0.009, 0.02}, {"int8.macs>90%", true, 1.0, 1.0}};
        Q_EMIT document().requests().tuned(report);
        QVERIFY2(panel()->summary().contains(QStringLiteral("is not met: 0.90 ± 2.90 % on the searched data, 2.00 ± "
                                                            "3.00 % on the other part")),
                 qPrintable(panel()->summary()));
        QVERIFY(panel()->summary().contains(QStringLiteral("is met: 100.00 %")));

        // A single batch of data
        auto unconfirmed = std::make_shared<api::TuneReport>(*report);
        unconfirmed->trials[0].confirm.reset();
        unconfirmed->goals = {{"int8.macs>90%", true, 1.0, {}}};
        Q_EMIT document().requests().tuned(unconfirmed);
        QVERIFY2(panel()->summary().contains(
                     QStringLiteral("is met on the searched data (100.00 %). There is no other data to confirm it.")),
                 qPrintable(panel()->summary()));
    }

    /// A search that is stopped keeps its trials.
    void stoppingKeepsTrials()
    {
        panel()->form()->setGoals(QStringLiteral("output.sqnr_db>90"));
        panel()->form()->setTrials(0);
        QSignalSpy stopped(&document().requests(), &EngineRequests::tuneStopped);
        QTest::mouseClick(part<QPushButton>("tuneStart"), Qt::LeftButton);
        QVERIFY(!part<QPushButton>("tuneStart")->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(panel()->trialCount() >= 1, 240000);
        QTest::mouseClick(part<QPushButton>("tuneStop"), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(stopped.count(), 1, 60000);
        QVERIFY(panel()->trialCount() >= 1);
        QVERIFY2(panel()->summary().contains(QStringLiteral("Stopped.")), qPrintable(panel()->summary()));
        QVERIFY(part<QPushButton>("tuneAdopt")->isVisibleTo(panel()));
        QVERIFY(part<QPushButton>("tuneStart")->isEnabled());
        // Another document has no trials
        document().close();
        QCOMPARE(panel()->trialCount(), 0);
    }

    /// They are listed, replaced and removed; a goal or a lock that makes no sense is one message.
    void locksAndMistakes()
    {
        TuneForm *form = panel()->form();
        form->lock({QStringLiteral("stem"), QStringLiteral("head[0]")}, TuneForm::Lock::Keep);
        form->lock({QStringLiteral("stem")}, TuneForm::Lock::Float);
        const std::vector<std::string> expected{"stem=float", "head[[]0]=keep"};
        QCOMPARE(form->locks(), expected);
        auto *list = part<QListWidget>("tuneLocks");
        QCOMPARE(list->item(0)->text(), QStringLiteral("stem · keep float"));
        search("output.sqnr_db>20", 2);
        QVERIFY2(panel()->summary().contains(QStringLiteral("no operation is named")), qPrintable(panel()->summary()));
        // They stay with the document
        document().close();
        QVERIFY(form->locks().empty());
        openSmall();
        QCOMPARE(form->locks(), expected);
        showPage();
        list->setCurrentRow(1);
        QTest::keyClick(list, Qt::Key_Delete);
        QCOMPARE(form->locks().size(), std::size_t(1));
        search("output.nonsense>20", 2);
        QVERIFY2(panel()->summary().contains(QStringLiteral("nonsense")), qPrintable(panel()->summary()));
        QCOMPARE(panel()->trialCount(), 0);
    }

    /// Where the noise comes from: measured on request, every view follows the current operation.
    void originOfTheNoise()
    {
        m_window->dock(QStringLiteral("problems"))->showPage(QStringLiteral("origin"));
        OriginPanel *origin = m_window->origin();
        auto *measure = origin->tools()->findChild<QPushButton *>(QStringLiteral("originStart"));
        auto *legend = origin->tools()->findChild<LegendBar *>();
        QVERIFY(origin->table()->rowCount() == 0 && !legend->isVisible());
        QTest::mouseClick(measure, Qt::LeftButton);
        QVERIFY(origin->tools()->findChild<QPushButton *>(QStringLiteral("originStop"))->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(origin->table()->rowCount() > 5, 120000);
        QTRY_VERIFY(measure->isVisible() && !document().requests().isExplaining());
        QVERIFY2(origin->summary().contains(QStringLiteral("worst sample")), qPrintable(origin->summary()));
        settle();
        HeatMap *map = origin->map();
        map->plot()->replot();
        QTest::mouseClick(map->plot(), Qt::LeftButton, {}, map->centreOf(2, 1));
        const QString third = document().current();
        QVERIFY(!third.isEmpty());
        QCOMPARE(origin->table()->item(origin->table()->currentRow(), 0)->text(), third);
        QVERIFY2(map->tipAt(map->centreOf(2, 1)).startsWith(third), qPrintable(map->tipAt(map->centreOf(2, 1))));
        QTest::keyClick(map->plot(), Qt::Key_Up);
        QVERIFY(document().current() != third);
        QTest::keyClick(map->plot(), Qt::Key_Down);
        QCOMPARE(document().current(), third);
        QVERIFY2(origin->summary().contains(QStringLiteral("its own rounding adds")), qPrintable(origin->summary()));
        QListWidget *worst = origin->worst();
        QCOMPARE(worst->count(), 8);
        QVERIFY(!worst->item(0)->icon().isNull() && origin->summary().contains(worst->item(0)->toolTip()));
        worst->scrollToItem(worst->item(0));
        const QImage before = map->plot()->toPixmap().toImage();
        QTest::mouseClick(worst->viewport(), Qt::LeftButton, {}, worst->visualItemRect(worst->item(0)).center());
        QVERIFY(map->plot()->toPixmap().toImage() != before); // its column is marked
        QVERIFY(map->csv().count(QLatin1Char('\n')) > 20);
        QVERIFY(legend->isVisible() && legend->width() >= legend->sizeHint().width());
        setBitsOfStem();
        QVERIFY(origin->summary().contains(QStringLiteral("has changed since")));
    }

    /// In a low dock the form is scrolled, and its fields keep their height.
    void goalsAreSeenInALowDock()
    {
        m_window->resize(1280, 720);
        panel()->form()->lock({QStringLiteral("stem")}, TuneForm::Lock::Int8);
        settle();
        const auto *goals = part<QPlainTextEdit>("tuneGoals");
        QTRY_VERIFY2(goals->height() > 3 * goals->fontMetrics().lineSpacing(),
                     qPrintable(QString::number(goals->height())));
    }

    /// A program of the user is the metric, once the user has allowed it for this file.
    void aProgramIsTheMetric()
    {
        const QString file = m_fixture.folder.filePath(QStringLiteral("metric.json"));
        const nlohmann::json command{{"command", {"sh", "-c", "echo 0.75", "sh", "{outputs}"}}};
        writeFileAtomically(file.toStdString(), command.dump());
        part<QLineEdit>("tuneMetricCommand")->setText(file);
        search("metric.quantized>0.5", 2);
        QVERIFY2(panel()->summary().contains(QStringLiteral("starts a program")), qPrintable(panel()->summary()));
        QCOMPARE(panel()->trialCount(), 0);
        part<QCheckBox>("tuneMetricAllow")->setChecked(true);
        search("metric.quantized>0.5", 2);
        QVERIFY2(panel()->summary().contains(QStringLiteral("<b>metric.quantized&gt;0.5</b> is met")),
                 qPrintable(panel()->summary()));
        // Once for a file and its content
        QVERIFY(!part<QCheckBox>("tuneMetricAllow")->isChecked());
        search("metric.quantized>0.5", 2);
        QVERIFY2(panel()->summary().contains(QStringLiteral("is met")), qPrintable(panel()->summary()));
        writeFileAtomically(file.toStdString(), command.dump() + " ");
        search("metric.quantized>0.5", 2);
        QVERIFY2(panel()->summary().contains(QStringLiteral("starts a program")), qPrintable(panel()->summary()));
        part<QCheckBox>("tuneMetricAllow")->setChecked(true);
        part<QLineEdit>("tuneMetricCommand")->setText(QStringLiteral("another.json"));
        QVERIFY(!part<QCheckBox>("tuneMetricAllow")->isChecked());
        part<QLineEdit>("tuneMetricCommand")->clear();
    }
};

QL_TEST(TestTunePanel)
#include "tst_tune_panel.moc"
