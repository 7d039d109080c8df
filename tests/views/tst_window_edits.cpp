// Edits of the recipe through the docks of the window.
#include "tests/support/test_main.h"
#include "tests/views/remedy_buttons.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/engine_text.h"
#include "views/bridge/problem_list.h"
#include "views/bridge/run_history.h"
#include "views/panels/compare_dialog.h"
#include "views/panels/distribution_panel.h"
#include "views/panels/pipeline_panel.h"
#include "views/panels/problems_panel.h"
#include "views/plots/qcp.h"

#include "window_test.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeView>
#include <QtTest>
#include <algorithm>

using namespace ql;
using nlohmann::json;

class TestWindowEdits : public WindowTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_fixture.prepare(); }
    void init() { m_fixture.show(); }
    void cleanup() { m_fixture.close(); }

    void platformFollowsTheScopeOfEdits()
    {
        openSmall();
        QStringList convolutions;
        for (const OperationInfo &op : document().graph()->operations)
            if (op.type == QLatin1String("Conv")) convolutions.append(op.name);
        QVERIFY(convolutions.size() > 1);
        document().setCurrent(convolutions.front());
        const auto choose = [this](const char *name, const QVariant &data) {
            auto *box = m_window->inspector()->findChild<QComboBox *>(QLatin1String(name));
            box->setCurrentIndex(box->findData(data));
            Q_EMIT box->activated(box->currentIndex());
        };
        choose("scope", 3); // every Conv
        choose("platformOfOperation", QStringLiteral("FP32"));
        QCOMPARE(document().recipeJson()["dispatch"].size(), std::size_t(convolutions.size()));
        document().undoStack().undo();
        document().setSelection(convolutions, convolutions.front());
        auto *scope = m_window->inspector()->findChild<QComboBox *>(QStringLiteral("scope"));
        QCOMPARE(scope->currentData().toInt(), 1); // the selection, because it has several operations
        choose("scope", 0);                        // this operation, whatever else is selected
        choose("platformOfOperation", QStringLiteral("FP32"));
        QCOMPARE(document().recipeJson()["dispatch"].size(), std::size_t(1));
    }

    /// Outside the graph and the table, Space is for the focused widget.
    void spaceTicksAPassAndPressesAButton()
    {
        openSmall();
        PassModel *passes = m_window->pipeline()->model();
        QTreeView *view = m_window->pipeline()->view();
        QTRY_VERIFY(passes->rowCount() > 4);
        view->setCurrentIndex(passes->index(4, 0));
        view->setFocus();
        const QVariant before = passes->index(4, 0).data(Qt::CheckStateRole);
        QTest::keyClick(view, Qt::Key_Space);
        QTRY_VERIFY(passes->index(4, 0).data(Qt::CheckStateRole) != before);
        QVERIFY(!m_window->center()->showsTable());
    }

    /// Invalid codes are refused with the valid range; nothing is set then.
    void inspectorRefusesIllegalValues()
    {
        openSmall();
        document().requests().run();
        QTRY_VERIFY_WITH_TIMEOUT(isRun(), 120000);
        document().setCurrent(QStringLiteral("stem"));
        Inspector *inspector = m_window->inspector();
        inspector->showSlot(api::SlotRole::Input, 0);
        const auto type = [&](const char *field, const char *text) {
            auto *line = inspector->findChild<QLineEdit *>(QLatin1String(field));
            QVERIFY(line);
            line->selectAll();
            QTest::keyClicks(line, QString::fromUtf8(text));
            QTest::keyClick(line, Qt::Key_Return);
        };
        const auto refusals = [&] {
            QStringList shown;
            for (const QLabel *label : inspector->findChildren<QLabel *>())
                if (label->property("warn").toBool() && label->isVisibleTo(inspector)) shown.append(label->text());
            return shown.join(QLatin1Char(' '));
        };
        type("scale", "1e-300");
        QVERIFY2(refusals().contains(QStringLiteral("float32")), qPrintable(refusals()));
        const ConfigInfo &config = document().history().configs()[inspector->slot()];
        if (config.isSymmetric) {
            type("range", "-1 ... 3");
            QVERIFY2(refusals().contains(QStringLiteral("Symmetric")), qPrintable(refusals()));
        }
        QVERIFY(document().recipe().overrides.empty());
        QCOMPARE(document().undoStack().count(), 0);
    }

    /// An operation without the edited slot is skipped, and nothing is written for a pattern without any.
    void editsAreForOperationsWithTheSlot()
    {
        openSmall();
        document().setCurrent(QStringLiteral("stem"));
        Inspector *inspector = m_window->inspector();
        QTRY_VERIFY(inspector->slot() >= 0);
        QStringList withBias, names;
        for (const OperationInfo &op : document().graph()->operations) {
            if (!op.isQuantized) continue;
            names.append(op.name);
            for (const int i : document().history().configsOf(op.name))
                if (document().history().configs()[i].role == api::SlotRole::Parameter &&
                    document().history().configs()[i].index == 2)
                    withBias.append(op.name);
        }
        QVERIFY(!withBias.isEmpty() && withBias.size() < names.size());
        document().setSelection(names, QStringLiteral("stem"));
        inspector->showSlot(api::SlotRole::Parameter, 2);
        auto *scope = inspector->findChild<QComboBox *>(QStringLiteral("scope"));
        scope->setCurrentIndex(scope->findData(1)); // the selection
        Q_EMIT scope->activated(scope->currentIndex());
        auto *rounding = inspector->findChild<QComboBox *>(QStringLiteral("rounding"));
        const int up = rounding->findText(QStringLiteral("up"));
        rounding->setCurrentIndex(up);
        Q_EMIT rounding->activated(up);
        QCOMPARE(document().recipe().overrides.size(), std::size_t(withBias.size()));
    }

    void inspectorEditsOneSlot()
    {
        openSmall();
        setBitsOfStem();
        QCOMPARE(document().recipe().overrides.size(), std::size_t(1));
        QCOMPARE(document().undoStack().undoText(), QStringLiteral("Bits of stem"));
        // The engine answers with the new config, and its origin
        const auto config = [&]() -> const ConfigInfo * {
            for (const int i : document().history().configsOf(QStringLiteral("stem")))
                if (document().history().configs()[i].role == api::SlotRole::Parameter &&
                    document().history().configs()[i].index == 1)
                    return &document().history().configs()[i];
            return nullptr;
        };
        QTRY_VERIFY(config() && config()->bits == 4);
        QVERIFY(config()->setBy.value(QStringLiteral("bits")).isOverride());
        document().undoStack().undo();
        QTRY_VERIFY(config() && config()->bits == 8);
    }

    void clipLimitIsDragged()
    {
        openSmall();
        document().requests().run();
        QTRY_VERIFY_WITH_TIMEOUT(isRun(), 120000);
        document().setCurrent(QStringLiteral("mix_project"));
        DistributionPanel *panel = m_window->distribution();
        QTRY_VERIFY_WITH_TIMEOUT(panel->hasData() && panel->limits().first < panel->limits().second, 60000);
        settle();
        const auto [low, high] = panel->limits();
        QCustomPlot *plot = panel->plot();
        const int y = plot->axisRect()->center().y();
        const int from = int(plot->xAxis->coordToPixel(high)), to = int(plot->xAxis->coordToPixel(high / 2));
        QTest::mousePress(plot, Qt::LeftButton, {}, QPoint(from, y));
        QTest::mouseMove(plot, QPoint(to, y));
        QTest::mouseRelease(plot, Qt::LeftButton, {}, QPoint(to, y));
        QCOMPARE(document().recipe().overrides.size(), std::size_t(1));
        const json range = document().recipeJson()["overrides"][0]["set"]["range"];
        QVERIFY(range[1].get<double>() < 0.6 * high);
        QVERIFY(document().history().isStale());
        document().requests().run();
        QTRY_VERIFY_WITH_TIMEOUT(isRun(), 120000);
        document().undoStack().undo();
        QVERIFY(!document().history().isStale());
    }

    void pipelineIsReordered()
    {
        openSmall();
        QTRY_VERIFY_WITH_TIMEOUT(document().requests().catalogue() && m_window->pipeline()->model()->rowCount() > 4,
                                 60000);
        PassModel *model = m_window->pipeline()->model();
        QTreeView *view = m_window->pipeline()->view();
        const auto ids = [&] {
            QStringList list;
            for (const auto &step : model->steps()) list.append(QString::fromStdString(step.id));
            return list;
        };
        const QStringList before = ids();
        // A tick by mouse
        const QRect cell = view->visualRect(model->index(0, 0));
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, QPoint(cell.left() + 12, cell.center().y()));
        QVERIFY(document().recipe().passes.has_value());
        QCOMPARE(document().recipe().passes->at(0).enabled, true);
        // Down by keyboard
        view->setCurrentIndex(model->index(1, 0));
        view->setFocus();
        QTest::keyClick(view, Qt::Key_Down, Qt::AltModifier);
        QTRY_COMPARE(ids()[2], before[1]); // a shortcut presses its button for a moment
        document().undoStack().undo();
        document().undoStack().undo();
        QCOMPARE(ids(), before);
        QVERIFY(!document().recipe().passes.has_value());
    }

    /// A button in Problems fixes the operation, and the next run reports the gain.
    void remedyIsMeasured()
    {
        openSmall();
        document().requests().run();
        QTRY_VERIFY_WITH_TIMEOUT(isRun(), 120000);
        auto *problems = m_window->findChild<ProblemsPanel *>();
        QTRY_VERIFY(remedyIn(problems, "per_channel"));
        press(remedyIn(problems, "per_channel"));
        QCOMPARE(document().recipe().overrides.size(), std::size_t(1));
        QVERIFY(document().undoStack().canUndo());
        QVERIFY(document().history().isStale());
        document().requests().run();
        QTRY_VERIFY_WITH_TIMEOUT(isRun(), 120000);
        const auto gain = [&] {
            return std::find_if(document().problems().rows().begin(), document().problems().rows().end(),
                                [](const ProblemInfo &p) { return p.severity == api::Severity::Info; });
        };
        QTRY_VERIFY(gain() != document().problems().rows().end());
        QCOMPARE(gain()->op, std::string("down_depthwise"));
        QVERIFY2(engineText(gain()->message).contains(QStringLiteral("dB")), qPrintable(engineText(gain()->message)));

        // Both runs in one table, and what led from one to the other
        CompareDialog dialog(document(), 2);
        QCOMPARE(dialog.table()->rowCount(), 2);
        QVERIFY2(dialog.differences().contains(QStringLiteral("down_depthwise")), qPrintable(dialog.differences()));
        QCOMPARE(dialog.csv().count(QLatin1Char('\n')), 3);
        document().undoStack().undo();
        QVERIFY(gain() == document().problems().rows().end());
    }

    /// Live: an edit is run without asking, and the values before it stay as ghosts.
    void liveRunsEdits()
    {
        openSmall();
        document().requests().run();
        QTRY_VERIFY_WITH_TIMEOUT(isRun(), 120000);
        QTest::keyClick(m_window.get(), Qt::Key_L, Qt::ControlModifier);
        QVERIFY(document().requests().isLive());
        document().setCurrent(QStringLiteral("down_depthwise"));
        m_window->inspector()->sendTo(QStringLiteral("FP32"));
        QVERIFY(document().history().isStale());
        settle();
        QVERIFY(document().requests().job().isRunning); // immediately
        QTRY_VERIFY_WITH_TIMEOUT(isRun(), 120000);
        QCOMPARE(document().history().runs().size(), 2);
        QCOMPARE(document().history().previous(), document().history().runs().front().data);
        const OperationRow &worst = m_window->center()->rows()->back();
        QVERIFY(worst.ghost && worst.graphwise && *worst.ghost > *worst.graphwise);
    }
};

QL_TEST(TestWindowEdits)
#include "tst_window_edits.moc"
