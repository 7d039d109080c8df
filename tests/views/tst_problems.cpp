// Problems: the panel on the real engine.
#include "tests/support/test_main.h"
#include "tests/views/recipe_json.h"
#include "tests/views/remedy_buttons.h"
#include "tests/views/window_fixture.h"
#include "views/bridge/engine_text.h"
#include "views/bridge/problem_list.h"
#include "views/bridge/run_history.h"
#include "views/commands/recipe_command.h"
#include "views/commands/remedies.h"
#include "views/panels/problems_panel.h"
#include "views/window/center_view.h"

#include <QDockWidget>
#include <QHeaderView>
#include <QPushButton>
#include <QRegularExpression>
#include <QTreeView>
#include <map>
#include <set>

using namespace ql;

class TestProblems : public QObject
{
    Q_OBJECT

private:
    WindowFixture m;

    static int seriousRows(const QAbstractItemModel &model)
    {
        int count = 0;
        for (int i = 0; i < model.rowCount(); ++i) count += !model.index(i, 0).data(ProblemModel::IsInfoRole).toBool();
        return count;
    }
    /// The buttons of a row are next to each other and complete; every sentence is shown, over as many lines as
    /// necessary.
    void checkRows(ProblemsPanel *panel)
    {
        const QAbstractItemModel *model = panel->view()->model();
        const auto areWhole = [panel] {
            for (const QPushButton *button : panel->findChildren<QPushButton *>()) {
                if (!button->isVisible()) continue;
                if (button->width() < button->sizeHint().width()) return false;
                for (const QPushButton *other : button->parentWidget()->findChildren<QPushButton *>())
                    if (other != button && other->geometry().intersects(button->geometry())) return false;
            }
            return true;
        };
        QTRY_VERIFY(areWhole());
        QTreeView *view = panel->view();
        for (int i = 0; i < model->rowCount(); ++i) {
            const QModelIndex index = model->index(i, ProblemModel::Message);
            view->scrollTo(index);
            const bool hasButtons = !index.data(ProblemModel::ActionsRole).value<std::vector<api::Action>>().empty();
            QString text = model->index(i, ProblemModel::Operation).data().toString() + QStringLiteral("   ") +
                           index.data().toString();
            if (!hasButtons) text += QLatin1Char('\n') + model->index(i, ProblemModel::Remedy).data().toString();
            const auto isWhole = [&] {
                const QRect cell = view->visualRect(index);
                const bool hasPlot = !index.data(ProblemModel::PlotRole).value<QVector<double>>().isEmpty();
                const int width = cell.width() + (hasPlot ? 0 : view->columnWidth(ProblemModel::Evidence));
                const QRect needed =
                    view->fontMetrics().boundingRect(QRect(0, 0, width - 36, 10000), Qt::TextWordWrap, text);
                return cell.height() >= needed.height();
            };
            QTRY_VERIFY2(isWhole(), qPrintable(text)); // buttons of the rows that came into view take some width
        }
        view->scrollToTop();
    }

    /// The buttons of a row that show a gain come by gain, as far as it helps.
    static void checkOrder(const QWidget &row)
    {
        std::map<int, double> gains; // by place
        for (const QPushButton *button : row.findChildren<QPushButton *>()) {
            const auto gain = QRegularExpression(QStringLiteral("\\(\\+([0-9.]+) dB\\)")).match(button->text());
            if (gain.hasMatch()) gains[button->x()] = gain.captured(1).toDouble();
        }
        QVERIFY(!gains.empty());
        double last = gains.begin()->second;
        for (const auto &[place, gain] : gains) {
            QVERIFY(gain <= last);
            last = gain;
        }
    }

private Q_SLOTS:
    void initTestCase() { m.prepare(); }

    /// The sample's bad layer: evidence with bars, a remedy by its button, and its gain after the next run.
    void remedyOfTheSample()
    {
        m.writeRecipe("RKNN_INT8", 4);
        m.show();
        m.open();
        auto *panel = m.window->findChild<ProblemsPanel *>();
        QAbstractItemModel *model = panel->view()->model();
        if (model->rowCount() == 0)
            QVERIFY2(panel->emptyText().contains(QStringLiteral("F5")), qPrintable(panel->emptyText()));
        m.run();
        QTRY_VERIFY(panel->findChild<QPushButton *>(QStringLiteral("remedy_fp32")));
        checkOrder(
            *panel->findChild<QPushButton *>(QStringLiteral("remedy_fp32"))->parentWidget()); // trials of the run
        const auto rowWith = [&](const QString &text) {
            for (int row = 0; row < model->rowCount(); ++row)
                if (model->index(row, ProblemModel::Message).data().toString().contains(text)) return row;
            return -1;
        };
        QTRY_VERIFY_WITH_TIMEOUT(rowWith(QStringLiteral("share one scale")) >= 0, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(rowWith(QStringLiteral("clipped")) >= 0, 60000); // comes some time after the run
        // The title counts the problems
        const auto serious = [&] { return seriousRows(*model); };
        const auto *dock = m.window->findChild<QDockWidget *>(QStringLiteral("problems"));
        QTRY_COMPARE(dock->windowTitle(), QStringLiteral("Problems %1").arg(serious()));
        // The keyboard that comes to the list chooses nothing; an arrow key does
        m.document().setCurrent(QStringLiteral("stem"));
        panel->view()->setCurrentIndex({});
        m.window->center()->graph()->setFocus();
        panel->view()->setFocus();
        QCOMPARE(m.document().current(), QStringLiteral("stem"));
        QTest::keyClick(panel->view(), Qt::Key_Down);
        QCOMPARE(m.document().current(), panel->view()->currentIndex().data(ProblemModel::OperationRole).toString());
        const QModelIndex row = model->index(rowWith(QStringLiteral("share one scale")), ProblemModel::Evidence);
        QVERIFY(row.data(ProblemModel::PlotRole).value<QVector<double>>().size() > 4);
        QTRY_VERIFY(remedyIn(panel, "per_channel"));
        checkRows(panel);
        // An edit keeps the list, marked as from the previous run, with remedies for more edits
        m.rest(); // no more evidence comes
        const int count = model->rowCount();
        const GraphPtr graph = m.document().graph();
        press(remedyIn(panel, "per_channel"));
        QVERIFY(m.document().history().isStale());
        QTRY_VERIFY_WITH_TIMEOUT(m.document().graph() != graph, 60000);
        QCOMPARE(model->rowCount(), count);
        QVERIFY(model->index(0, 0).data(ProblemModel::IsPreviousRole).toBool());
        QPushButton *second = nullptr;
        QTRY_VERIFY((second = panel->findChild<QPushButton *>(QStringLiteral("remedy_fp32"))) &&
                    second->width() >= second->sizeHint().width() && // complete again
                    panel->view()->header()->sectionSize(ProblemModel::Remedy) >=
                        second->parentWidget()->minimumSizeHint().width());
        const int edits = m.document().undoStack().index();
        QTest::mouseClick(second, Qt::LeftButton);
        QCOMPARE(m.document().undoStack().index(), edits + 1);
        m.document().undoStack().undo();
        m.run();
        QTRY_VERIFY_WITH_TIMEOUT(rowWith(QStringLiteral("changed the output SQNR by")) >= 0, 60000);
        QVERIFY(serious() < model->rowCount());
        QTRY_COMPARE(dock->windowTitle(), QStringLiteral("Problems %1").arg(serious()));
        // Back to the first recipe: its own list, marked as current
        m.document().undoStack().undo();
        QVERIFY(rowWith(QStringLiteral("changed the output SQNR by")) < 0);
        QCOMPARE(model->rowCount(), count);
        QVERIFY(!model->index(0, 0).data(ProblemModel::IsPreviousRole).toBool());
        // Tried remedies show their gain, the best first
        QPushButton *tried = nullptr;
        QTRY_VERIFY((tried = panel->findChild<QPushButton *>(QStringLiteral("remedy_fp32"))) &&
                    tried->text().contains(QStringLiteral(" dB)")));
        QVERIFY2(tried->text().contains(QStringLiteral("(+")), qPrintable(tried->text()));
        checkOrder(*tried->parentWidget());

        // A remedy and another edit before the next run are reported together
        QTRY_VERIFY(panel->findChild<QPushButton *>(QStringLiteral("remedy_fp32")));
        QTest::mouseClick(panel->findChild<QPushButton *>(QStringLiteral("remedy_fp32")), Qt::LeftButton);
        replaceRecipe(
            m.document(), QStringLiteral("Another one to float"),
            withDispatch(m.document().recipe(), {m.document().graph()->operations[0].name}, QStringLiteral("FP32")));
        m.run();
        QTRY_VERIFY_WITH_TIMEOUT(rowWith(QStringLiteral("+ Another one to float” changed the output SQNR by")) >= 0,
                                 60000);
        m.close();
    }

    /// Every button of every problem makes an edit, also where tensors are rounded by what reads them.
    void everyRemedyEdits_data()
    {
        QTest::addColumn<QString>("platform");
        for (const char *platform : {"ACADEMIC_INT4", "ACADEMIC_INT8"})
            QTest::newRow(platform) << QString::fromLatin1(platform);
    }
    void everyRemedyEdits()
    {
        QFETCH(QString, platform);
        m.writeRecipe(platform.toUtf8().constData(), 4);
        m.show();
        m.open();
        m.run();
        Document &document = m.document();
        // Results of the ranges arrive some time after the run
        const auto isClipped = [](const ProblemInfo &p) {
            return engineText(p.message).contains(QStringLiteral("clipped"));
        };
        QTRY_VERIFY_WITH_TIMEOUT(
            std::any_of(document.problems().rows().begin(), document.problems().rows().end(), isClipped), 60000);
        const QVector<ProblemInfo> problems = document.problems().rows();
        QSet<QString> ids;
        for (const ProblemInfo &problem : problems)
            for (const api::Action &action : problem.actions) {
                const QString id = QString::fromStdString(action.id), operation = QString::fromStdString(problem.op);
                ids.insert(id);
                const int edits = document.undoStack().index();
                const nlohmann::json before = document.recipeJson();
                applyRemedy(document, action, operation);
                const QString what =
                    id + QStringLiteral(": ") + operation + QStringLiteral(" ") + engineText(problem.message);
                QVERIFY2(document.undoStack().index() == edits + 1, qPrintable(what));
                const nlohmann::json edited = document.recipeJson();
                QVERIFY2(edited != before, qPrintable(what));
                // The named operation is quantized here, so that the edit changes something
                if (id == QLatin1String("observer")) {
                    const nlohmann::json match = edited["overrides"].back()["match"];
                    const QString op = QString::fromStdString(match["op"].get<std::string>());
                    QVERIFY2(!document.history().configsOf(op).isEmpty(), qPrintable(what));
                    // An operation's layerwise cost refers to its own slots
                    if (engineText(problem.message).startsWith(QLatin1String("Quantizing only")) &&
                        platform.startsWith(QLatin1String("ACADEMIC")))
                        QCOMPARE(op, operation);
                }
                document.undoStack().undo();
                QCOMPARE(document.recipeJson(), before);
            }
        QVERIFY(ids.contains(QStringLiteral("observer")));
        // Here, activations are in float, and what reads them rounds
        if (platform == QLatin1String("ACADEMIC_INT4")) QVERIFY(ids.contains(QStringLiteral("fp32_readers")));
        m.close();
    }

    /// What concerns the whole model: passes that are turned on, an observer for all.
    void remediesOfTheModel()
    {
        m.writeRecipe("RKNN_INT8");
        m.show();
        m.open();
        m.run();
        Document &document = m.document();
        // Without the bad layer, and with few bits, all are about equally bad
        api::Recipe coarse =
            withDispatch(document.recipe(), {QStringLiteral("down_depthwise")}, QStringLiteral("FP32"));
        for (const api::SlotRole role : {api::SlotRole::Input, api::SlotRole::Output})
            coarse.overrides.push_back({.match = {.op = "*", .roles = {role}}, .set = {.bits = 6}});
        replaceRecipe(document, QStringLiteral("coarse"), coarse);
        m.run();
        const QVector<ProblemInfo> problems = document.problems().rows();
        const auto row = std::find_if(problems.begin(), problems.end(), [](const ProblemInfo &known) {
            return engineText(known.message).contains(QStringLiteral("accumulate")) && !known.isPrevious;
        });
        QVERIFY(row != problems.end());
        const std::vector<api::Action> actions = row->actions;
        QStringList ids;
        for (const api::Action &action : actions) ids.append(QString::fromStdString(action.id));
        ids.sort(); // they come by their gain
        QCOMPARE(ids.join(' '), QStringLiteral("bias_correction equalize fp32_worst layerwise_all observers"));
        const auto actionOf = [&](const std::string &id) {
            return *std::find_if(actions.begin(), actions.end(), [&](const auto &action) { return action.id == id; });
        };
        const api::Action correction = actionOf("bias_correction"), equalization = actionOf("equalize");
        auto *panel = m.window->findChild<ProblemsPanel *>();
        // A narrow panel keeps the room for its sentences
        const auto buttons = [&] { return panel->findChildren<QPushButton *>().size(); };
        const int height = panel->height();
        QVector<qsizetype> counts;
        for (const int width : {1000, 700, 450}) {
            panel->resize(width, height);
            settle();
            counts.append(buttons());
        }
        QVERIFY(counts[0] > counts[1] && counts[1] > 0 && counts[2] == 0);
        panel->resize(1000, height);
        QTRY_VERIFY(remedyIn(panel, "bias_correction"));
        press(remedyIn(panel, "bias_correction"));
        QCOMPARE(document.undoStack().undoText(), remedyTitle(correction));
        applyRemedy(document, actionOf("observers"), {});
        QCOMPARE(document.undoStack().undoText(), QStringLiteral("Observer mse for all tensors"));
        applyRemedy(document, equalization, {});
        QCOMPARE(document.undoStack().undoText(), remedyTitle(equalization));
        const nlohmann::json recipe = document.recipeJson();
        std::set<std::string> observed;
        for (const nlohmann::json &entry : recipe["overrides"]) {
            if (!entry["set"].contains("observer")) continue;
            QCOMPARE(entry["match"]["op"].get<std::string>(), std::string("*"));
            QCOMPARE(entry["set"]["observer"].get<std::string>(), std::string("mse"));
            observed.insert(entry["match"]["role"].get<std::string>());
        }
        QCOMPARE(observed, (std::set<std::string>{"input", "output"}));
        QStringList on;
        for (const nlohmann::json &step : recipe["passes"])
            if (step["enabled"].get<bool>()) on.append(QString::fromStdString(step["id"].get<std::string>()));
        QVERIFY(on.contains(QStringLiteral("layerwise_equalization")));
        QVERIFY(on.indexOf(QStringLiteral("bias_correction")) > on.indexOf(QStringLiteral("calibrate")));
        // It runs, and the joint gain of the three is reported
        m.run();
        for (const ConfigInfo &config : document.history().configs())
            if (config.role == api::SlotRole::Output && config.state == api::QuantState::Active)
                QCOMPARE(config.observer, QStringLiteral("mse"));
        QVERIFY(withRemedy(document, correction) == document.recipe());
        const auto isGain = [](const ProblemInfo &known) {
            return known.op.empty() && engineText(known.message).contains(QStringLiteral("changed the output SQNR by"));
        };
        QTRY_VERIFY(std::any_of(document.problems().rows().begin(), document.problems().rows().end(), isGain));
        m.close();
    }
};

QL_TEST(TestProblems)
#include "tst_problems.moc"
