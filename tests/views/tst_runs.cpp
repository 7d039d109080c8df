// Stored runs: tree, baseline, comparison, and their state after a restart.
#include "tests/support/test_main.h"
#include "tests/views/recipe_json.h"
#include "tests/views/window_fixture.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/engine_text.h"
#include "views/bridge/problem_list.h"
#include "views/bridge/run_history.h"
#include "views/bridge/run_store.h"
#include "views/commands/recipe_command.h"
#include "views/models/operation_model.h"
#include "views/panels/compare_dialog.h"
#include "views/panels/side_panels.h"
#include "views/plots/qcp.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QTreeView>

using namespace ql;
using nlohmann::json;

class TestRuns : public QObject
{
    Q_OBJECT

private:
    WindowFixture m;
    QString runFolder() const { return m.folder.filePath(QStringLiteral("runs")); }
    void start(const QString &runs = {})
    {
        m.show();
        m.window->keepRuns(runs.isEmpty() ? runFolder() : m.folder.filePath(runs));
        m.open();
    }

private Q_SLOTS:
    void initTestCase() { m.prepare(); }
    void cleanup()
    {
        m.close();
        m.writeRecipe("RKNN_INT8");
    }

    void runsSurviveARestart()
    {
        start();
        QAbstractItemModelTester tester(m.window->runsPanel()->model(),
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
        m.run();
        replaceRecipe(m.document(), QStringLiteral("FP32"),
                      withDispatch(m.document().recipe(), {QStringLiteral("down_depthwise")}, QStringLiteral("FP32")));
        m.run();
        QCOMPARE(m.document().history().runs().size(), 2);
        m.document().history().setNote(2, QStringLiteral("gut 好"), QStringLiteral("one layer in float\nsecond line"));
        m.document().history().setBaseline(2);
        const double first = *m.document().history().runs()[0].data->outputSqnr();
        const double second = *m.document().history().runs()[1].data->outputSqnr();
        const qsizetype configs = m.document().history().runs()[1].data->configs.size();
        m.close();

        start();
        QTRY_COMPARE(m.document().history().runs().size(), 2);
        const RunRecord &stored = m.document().history().runs()[1];
        QVERIFY(stored.isStored);
        QCOMPARE(stored.name, QStringLiteral("gut 好"));
        QCOMPARE(stored.note, QStringLiteral("one layer in float\nsecond line"));
        QCOMPARE(*m.document().history().runs()[0].data->outputSqnr(), first);
        QCOMPARE(*stored.data->outputSqnr(), second);
        QCOMPARE(stored.data->configs.size(), configs);
        QCOMPARE(m.document().history().baselineNumber(), 2);
        // The recipe in the file is that of the first run: its result is shown without a run
        QTRY_VERIFY(m.document().history().shown() && !m.document().history().isStale());
        QCOMPARE(m.document().history().shown()->recipeHash, m.document().history().runs()[0].data->recipeHash);

        RunModel *model = m.window->runsPanel()->model();
        QCOMPARE(model->rowCount(), 1); // one platform
        const QModelIndex group = model->index(0, 0);
        QVERIFY(group.data().toString().startsWith(QStringLiteral("RKNN_INT8")));
        QCOMPARE(model->rowCount(group), 2);
        QVERIFY(model->indexOf(2).data().toString().contains(QStringLiteral("★")));
        QVERIFY(model->indexOf(2).siblingAtColumn(RunModel::Sqnr).data().toString().contains(QStringLiteral("dB")));

        // Back to the recipe of the second, by the list and without computing
        m.window->runsPanel()->goBack(2);
        QCOMPARE(m.document().recipe().dispatch.size(), std::size_t(1));
        QVERIFY(!m.document().history().isStale());
        QCOMPARE(*m.document().history().shown()->outputSqnr(), second);
        m.document().undoStack().undo();
        QVERIFY(m.document().recipe().dispatch.empty());

        // Numbers continue
        replaceRecipe(m.document(), QStringLiteral("FP32"),
                      withDispatch(m.document().recipe(), {QStringLiteral("stem")}, QStringLiteral("FP32")));
        m.run();
        QCOMPARE(m.document().history().runs().back().number, 3);
        m.document().history().remove(3);
        QCOMPARE(m.document().history().runs().size(), 2);
        m.close();
        start();
        QTRY_COMPARE(m.document().history().runs().size(), 2);
    }

    /// The configs of old runs are only on disk, and are loaded when one of them is shown. An edit is compared with the
    /// run that was shown before it, not with the newest one.
    void anEditKeepsTheShownRun()
    {
        start(QStringLiteral("anEditKeepsTheShownRun"));
        m.run();
        const RunPtr first = m.document().history().shown();
        const auto inFloat = [&](const char *operation) {
            replaceRecipe(m.document(), QStringLiteral("FP32"),
                          withDispatch(m.document().recipe(), {QLatin1String(operation)}, QStringLiteral("FP32")));
        };
        inFloat("left");
        QCOMPARE(m.document().history().shown(), first);
        m.run();
        const RunPtr second = m.document().history().shown();
        QVERIFY(second != first);
        m.document().undoStack().undo();
        QCOMPARE(m.document().history().shown(), first);
        inFloat("scores");
        QCOMPARE(m.document().history().shown(), first);
        QVERIFY(m.document().history().isStale());
        // Until the next run has errors, too: the shown one stays and is stale
        bool wasEmpty = false;
        const auto watch = connect(&m.document().history(), &RunHistory::shownChanged, this, [&] {
            wasEmpty =
                wasEmpty || !m.document().history().shown() || m.document().history().shown()->graphwise.isEmpty();
        });
        m.run();
        disconnect(watch);
        QVERIFY(!wasEmpty);
        QCOMPARE(m.document().history().previous(), first);
    }

    /// A pass that is off changes nothing, whatever its parameters are.
    void passesThatAreOffAreNoChange()
    {
        start(QStringLiteral("passesThatAreOffAreNoChange"));
        m.run();
        const auto passes = [&](bool on, int iterations) {
            json recipe = m.document().recipeJson();
            json list = api::toJson(m.document().completeRecipe())["passes"];
            for (json &pass : list)
                if (pass["id"] == "layerwise_equalization")
                    pass.update({{"enabled", on}, {"params", {{"iterations", iterations}}}});
            recipe["passes"] = list;
            replaceRecipe(m.document(), QStringLiteral("passes"), recipe);
        };
        passes(false, 3);
        const QString hash = m.document().resultHash();
        passes(false, 5);
        QCOMPARE(m.document().resultHash(), hash);
        passes(true, 5);
        QVERIFY(m.document().resultHash() != hash);
    }

    void configsOfOldRunsAreReadAgain()
    {
        const QString folder = m.folder.filePath(QStringLiteral("trimmed runs"));
        m.show();
        Document &document = m.document();
        document.history().keepIn(folder, 1);
        m.open();
        m.run();
        const qsizetype count = document.history().shown()->configs.size();
        QVERIFY(count > 20 && !document.history().shown()->isTrimmed);
        const QVector<double> scale =
            document.history().configs()[document.history().configsOf(QStringLiteral("stem"))[0]].scale;
        QVERIFY(!scale.isEmpty());
        replaceRecipe(document, QStringLiteral("FP32"),
                      withDispatch(document.recipe(), {QStringLiteral("down_depthwise")}, QStringLiteral("FP32")));
        m.run();
        QCOMPARE(document.history().runs().size(), 2);
        QVERIFY(document.history().runs()[0].data->isTrimmed && document.history().runs()[0].data->configs.isEmpty());
        QVERIFY(!document.history().runs()[0].data->graphwise.isEmpty());
        QVERIFY(!document.history().runs()[1].data->isTrimmed);
        const RunPtr second = document.history().shown();
        QSignalSpy changed(&document.history(), &RunHistory::configsChanged);
        document.undoStack().undo();
        QTRY_VERIFY(!document.history().isStale() && !document.history().shown()->isTrimmed);
        QCOMPARE(document.history().shown(), document.history().runs()[0].data);
        QCOMPARE(document.history().shown()->configs.size(), count);
        QCOMPARE(document.history().configs()[document.history().configsOf(QStringLiteral("stem"))[0]].scale, scale);
        QVERIFY(changed.count() > 0);
        QCOMPARE(document.history().previous(), second); // the ghost is the other run
        QVERIFY(document.history().runs()[1].data->isTrimmed);
        // Under another name they are moved, including those that are only on disk
        document.save(m.folder.filePath(QStringLiteral("trimmed again.quantloupe")));
        document.history().store()->finish();
        const QString file = document.filePath();
        m.close();
        m.show();
        m.document().history().keepIn(folder);
        m.window->openFile(file);
        QTRY_COMPARE(m.document().history().runs().size(), 2);
        for (const RunRecord &run : m.document().history().runs())
            QVERIFY(!run.data->isTrimmed && run.data->configs.size() > count - 10);
    }

    /// Undo of an edit of the graph: views are built once from the restored configs.
    void undoAnnouncesConfigsOnce()
    {
        start(QStringLiteral("runs after undo"));
        m.run();
        m.rest();
        Document &document = m.document();
        const QString op = QStringLiteral("down_depthwise");
        const qsizetype count = document.history().configsOf(op).size();
        replaceRecipe(document, QStringLiteral("FP32"), withDispatch(document.recipe(), {op}, QStringLiteral("FP32")));
        m.rest();
        const auto isQuantized = [&] { return document.graph()->operations[document.graph()->find(op)].isQuantized; };
        QVERIFY(!isQuantized());
        QSignalSpy configs(&document.history(), &RunHistory::configsChanged);
        QSignalSpy shown(&document.history(), &RunHistory::shownChanged);
        QSignalSpy graph(&document, &Document::graphChanged);
        document.undoStack().undo();
        QVERIFY(isQuantized() && document.history().configsOf(op).size() == count);
        QCOMPARE(graph.count(), 1);
        QCOMPARE(configs.count(), 1);
        QCOMPARE(shown.count(), 1);
        // An edit whose graph is unknown yet is announced, too
        m.rest();
        configs.clear();
        replaceRecipe(document, QStringLiteral("FP32"),
                      withDispatch(document.recipe(), {QStringLiteral("stem")}, QStringLiteral("FP32")));
        QCOMPARE(configs.count(), 1);
    }

    void problemsSurviveARestart()
    {
        const auto begin = [this] {
            m.show();
            m.window->keepRuns(m.folder.filePath(QStringLiteral("runs with problems")));
            m.open();
        };
        const auto problems = [this] {
            QStringList texts;
            for (const ProblemInfo &problem : m.document().problems().rows())
                texts.append(QString::fromStdString(problem.op) + QLatin1Char(' ') + engineText(problem.message) +
                             (problem.isPrevious ? QStringLiteral(" (previous)") : QString()));
            return texts;
        };
        m.writeRecipe("RKNN_INT8", 4);
        begin();
        m.run();
        QTRY_VERIFY_WITH_TIMEOUT(m.document().history().runs()[0].evidence, 60000);
        m.rest();
        const QVector<ProblemInfo> evidence = *m.document().history().runs()[0].evidence;
        QVERIFY(!evidence.isEmpty());
        const QStringList first = problems();
        QVERIFY(first.size() > m.document().history().runs()[0].data->problems.size());
        replaceRecipe(m.document(), QStringLiteral("FP32"),
                      withDispatch(m.document().recipe(), {QStringLiteral("down_depthwise")}, QStringLiteral("FP32")));
        m.run();
        QTRY_VERIFY_WITH_TIMEOUT(m.document().history().runs()[1].evidence, 60000);
        m.rest();
        const QStringList second = problems();
        QVERIFY(second != first);
        m.close();

        begin();
        QTRY_COMPARE(m.document().history().runs().size(), 2);
        QTRY_COMPARE(m.document().history().runs()[0].evidence, std::optional(evidence));
        QTRY_COMPARE(problems(), first);
        m.window->runsPanel()->goBack(2);
        QTRY_COMPARE(problems(), second);
        m.document().undoStack().undo();
        QTRY_COMPARE(problems(), first);
        QVERIFY(!m.document().requests().job().isRunning);
        // An identical run is not added again, and has the same problems
        const RunPtr same = m.document().history().runs()[0].data;
        m.document().requests().run();
        QTRY_VERIFY_WITH_TIMEOUT(m.document().history().runs()[0].data != same && m.isRun(), 60000);
        QCOMPARE(m.document().history().runs().size(), 2);
        QCOMPARE(m.document().history().shown(), m.document().history().runs()[0].data);
        QVERIFY(m.document().history().runs()[0].evidence);
        QTRY_COMPARE(problems(), first);
        m.document().history().remove(2);
        m.document().history().remove(1);
        const QString folder = m.document().history().store()->folderOf(QFileInfo(m.file()).absoluteFilePath());
        QTRY_COMPARE(QDir(folder).entryList({QStringLiteral("*.problems")}), QStringList());
    }

    /// The engine's current step, during a run.
    void theLogFollowsARun()
    {
        m.show(false); // cached results have no steps
        m.window->keepRuns(m.folder.filePath(QStringLiteral("logged runs")));
        m.open();
        const QPlainTextEdit *log = m.window->jobs()->log();
        m.run();
        const QString text = log->toPlainText();
        QVERIFY2(text.count(QStringLiteral("Run · ")) > 4, qPrintable(text));
        QVERIFY2(text.count(QLatin1Char('\n')) < 60, qPrintable(text)); // of steps, not of operations
        QVERIFY(text.indexOf(QStringLiteral("Run · ")) < text.indexOf(QStringLiteral("Run 1 finished")));
    }

    void severalRunsInOneTableAndPlot()
    {
        start();
        QTRY_COMPARE(m.document().history().runs().size(), 2);
        json recipe = m.document().recipeJson();
        recipe["platform"] = "TRT_INT8";
        recipe["calibration"]["samples"] = 8;
        replaceRecipe(m.document(), QStringLiteral("TRT"), recipe);
        m.run();
        QCOMPARE(m.window->runsPanel()->model()->rowCount(), 2);
        m.document().history().setBaseline(1);
        CompareDialog dialog(m.document(), m.document().history().runs().back().number, m.window.get());
        dialog.show();
        QCOMPARE(dialog.table()->rowCount(), 3);
        const QHeaderView *heads = dialog.table()->horizontalHeader();
        for (int column = 0; column < dialog.table()->columnCount(); ++column) { // whole, with the space around them
            const QString head = dialog.table()->horizontalHeaderItem(column)->text();
            QVERIFY2(heads->sectionSize(column) >= heads->fontMetrics().horizontalAdvance(head) + 12, qPrintable(head));
        }
        for (int row = 0; row < 3; ++row) { // names, too
            const QString name = dialog.table()->item(row, 1)->text();
            QVERIFY2(heads->sectionSize(1) >= dialog.table()->fontMetrics().horizontalAdvance(name) + 6,
                     qPrintable(name));
            QVERIFY2(dialog.plot()->graph(row)->name().endsWith(name), qPrintable(dialog.plot()->graph(row)->name()));
        }
        for (const int column : {3, 4, 5}) // with samples and device
            QVERIFY(dialog.table()->item(0, column)->toolTip().contains(QStringLiteral("cpu")));
        QCOMPARE(dialog.plot()->graphCount(), 3);
        for (int i = 0; i < 3; ++i) QVERIFY(dialog.plot()->graph(i)->data()->size() > 5);
        dialog.table()->item(1, 0)->setCheckState(Qt::Unchecked);
        QCOMPARE(dialog.plot()->graphCount(), 2);
        QVERIFY(dialog.plotCsv().contains(QStringLiteral("down_depthwise")));
        dialog.setMeasure(CompareDialog::Measure::Output);
        QVERIFY2(dialog.plotCsv().startsWith(QStringLiteral("run,output_sqnr_db\n1,")), qPrintable(dialog.plotCsv()));
        QCOMPARE(dialog.plot()->graphCount(), 0);
        QCOMPARE(dialog.plot()->plottableCount(), 1);
        const QString edits = dialog.differences();
        QVERIFY2(edits.contains(QStringLiteral("platform: RKNN_INT8 → TRT_INT8")), qPrintable(edits));
        QVERIFY2(edits.contains(QStringLiteral("calibration / samples: 16 → 8")), qPrintable(edits));

        // To the clipboard: the table, and the plot as an image and as data
        const QClipboard *clipboard = QApplication::clipboard();
        for (QPushButton *button : dialog.findChildren<QPushButton *>())
            if (button->text() == QStringLiteral("Copy as CSV")) QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(clipboard->text(), dialog.csv());
        QCOMPARE(dialog.csv().count(QLatin1Char('\n')), 4);
        const auto copy = [&dialog](const QString &text) {
            for (const QMenu *menu : dialog.findChildren<QMenu *>())
                for (QAction *action : menu->actions())
                    if (action->text() == text) return action->trigger();
        };
        copy(QStringLiteral("Copy data"));
        QCOMPARE(clipboard->text(), dialog.plotCsv());
        copy(QStringLiteral("Copy image"));
        const QImage bars = clipboard->image();
        QVERIFY(bars.width() >= 880 * 2 && bars.height() >= 420 * 2);
        dialog.setMeasure(CompareDialog::Measure::Graphwise);
        copy(QStringLiteral("Copy image"));
        QCOMPARE(clipboard->image().size(), bars.size());
        QVERIFY(clipboard->image() != bars);
        QApplication::clipboard()->clear();
    }

    /// Enter shows a run as a click does, which the arrow keys do not; the meaning of its numbers is shown above them,
    /// because the tree has no headers.
    void runsByKeyboardAndTheirNumbers()
    {
        start();
        QTRY_COMPARE(m.document().history().runs().size(), 3);
        QTreeView *view = m.window->runsPanel()->view();
        const RunModel *model = m.window->runsPanel()->model();
        view->setFocus();
        for (const auto &[number, key] : {std::pair(2, Qt::Key_Return), std::pair(1, Qt::Key_Enter)}) {
            const RunPtr run = m.document().history().runs()[number - 1].data;
            view->setCurrentIndex(model->indexOf(number));
            QVERIFY(m.document().history().shown() != run);
            QTest::keyClick(view, key);
            QCOMPARE(m.document().history().shown(), run);
        }
        view->setCurrentIndex(model->index(0, 0)); // a platform: nothing to show
        const RunPtr shown = m.document().history().shown();
        QTest::keyClick(view, Qt::Key_Return);
        QCOMPARE(m.document().history().shown(), shown);

        const auto tip = [&](int column) {
            return model->indexOf(2).siblingAtColumn(column).data(Qt::ToolTipRole).toString();
        };
        const QString measured = measuredText(m.document().history().runs()[1].data, &RunData::outputs);
        QVERIFY2(measured.startsWith(QStringLiteral("8 ")) && measured.endsWith(QStringLiteral("cpu")),
                 qPrintable(measured));
        QVERIFY2(tip(RunModel::Sqnr).contains(outputSqnrMeaning()), qPrintable(tip(RunModel::Sqnr)));
        QVERIFY2(tip(RunModel::Sqnr).contains(measured), qPrintable(tip(RunModel::Sqnr)));
        QVERIFY2(tip(RunModel::Metric).contains(accuracyMeaning()), qPrintable(tip(RunModel::Metric)));
        QVERIFY2(tip(RunModel::Metric).contains(measured), qPrintable(tip(RunModel::Metric)));
        QVERIFY2(tip(RunModel::Name).contains(QStringLiteral("Run 2")), qPrintable(tip(RunModel::Name)));
    }

    /// A name too long for its column has a line above the figures, and is in the tool tip.
    void longNamesHaveALineOfTheirOwn()
    {
        start(QStringLiteral("named runs"));
        m.run();
        const QTreeView *view = m.window->runsPanel()->view();
        const RunModel *model = m.window->runsPanel()->model();
        const int number = m.document().history().runs().front().number;
        const auto height = [&] { return view->visualRect(model->indexOf(number)).height(); };
        const int before = height();
        const QString name = QStringLiteral("Dispatch down_depthwise to FP32");
        m.document().history().setNote(number, name, {});
        QVERIFY(view->fontMetrics().horizontalAdvance(name) > view->columnWidth(RunModel::Name));
        QTRY_VERIFY(height() > before * 3 / 2);
        for (int column = 0; column < RunModel::ColumnCount; ++column)
            QVERIFY(model->indexOf(number).siblingAtColumn(column).data(Qt::ToolTipRole).toString().startsWith(name));
        m.document().history().setNote(number, QStringLiteral("short"), {});
        QTRY_COMPARE(height(), before);
    }

    void differenceAsEdits()
    {
        const auto whole = [](json part) {
            part["format"] = api::recipeFormat;
            part["model"] = {{"path", "m.onnx"}};
            return recipeOf(part);
        };
        const auto before = whole(json::parse(R"({"platform": "A", "dispatch": [{"op": "x", "platform": "FP32"}],
            "passes": [{"id": "a", "enabled": true, "params": {"n": 1}}, {"id": "b", "enabled": true, "params": {}},
                       {"id": "c", "enabled": true, "params": {}}],
            "overrides": [{"match": {"op": "y"}, "set": {"bits": 8}}]})"));
        const auto after = whole(json::parse(R"({"platform": "A", "dispatch": [],
            "passes": [{"id": "b", "enabled": false, "params": {}}, {"id": "a", "enabled": true, "params": {"n": 2}},
                       {"id": "d", "enabled": true, "params": {}}],
            "overrides": [{"match": {"op": "y"}, "set": {"bits": 4}}, {"match": {"op": "z[[]0][*]"}, "set": {"bits": 2}}]})"));
        const QStringList lines = recipeDifference(before, after);
        const QStringList expected{QStringLiteral("pass c: removed"),
                                   QStringLiteral("pass b: off"),
                                   QStringLiteral("pass a / n: 1 → 2"),
                                   QStringLiteral("pass d: added"),
                                   QStringLiteral("order of passes: b, a"),
                                   QStringLiteral("dispatch of x: removed (FP32)"),
                                   QStringLiteral("overrides of y / bits: 8 → 4"),
                                   QStringLiteral("overrides of z[0]*: bits 2")};
        QCOMPARE(lines, expected);
        QVERIFY(recipeDifference(after, after).isEmpty());
        const auto all =
            whole({{"overrides", {{{"match", {{"op", "*"}, {"role", "input"}}}, {"set", {{"bits", 4}}}}}}});
        QCOMPARE(recipeDifference(whole(json::object()), all),
                 QStringList{QStringLiteral("overrides of every operation, input: bits 4")});
        // Passes of the engine have titles
        api::Catalogue known;
        known.passes.emplace_back().id = "b";
        known.passes.back().title = QL_TEXT("Second");
        QVERIFY(recipeDifference(before, after, known).contains(QStringLiteral("pass Second: off")));
        // Of two matching rules, the last one wins
        const auto rule = [](const char *op, const char *platform) { return json{{"op", op}, {"platform", platform}}; };
        const auto one = whole({{"dispatch", {rule("x", "FP32"), rule("x*", "A")}}});
        const auto other = whole({{"dispatch", {rule("x*", "A"), rule("x", "FP32")}}});
        QCOMPARE(recipeDifference(one, other), QStringList{QStringLiteral("dispatch, order of rules: x*; x")});
        const auto twice = whole({{"dispatch", {rule("x", "FP32"), rule("x", "A")}}});
        const auto once = whole({{"dispatch", json::array({rule("x", "FP32")})}});
        QCOMPARE(recipeDifference(once, twice), QStringList{QStringLiteral("dispatch of x (2): A")});
    }

    /// Two windows on one document: each run has a unique number, and a run that one window removes is not the other's.
    void windowsOnOneDocument()
    {
        const auto show = [&](std::unique_ptr<MainWindow> &window) {
            m.show();
            m.window->keepRuns(m.folder.filePath(QStringLiteral("shared runs")));
            m.open();
            window = std::move(m.window);
        };
        std::unique_ptr<MainWindow> one, two;
        show(one);
        show(two);
        for (auto *window : {&one, &two}) {
            std::swap(m.window, *window);
            const QString name = window == &one ? QStringLiteral("stem") : QStringLiteral("left");
            replaceRecipe(m.document(), name, withDispatch(m.document().recipe(), {name}, QStringLiteral("FP32")));
            m.run();
            QCOMPARE(m.document().history().runs().size(), 1);
            const int number = window == &one ? 1 : 2;
            QCOMPARE(m.document().history().runs().front().number, number);
            m.document().history().setNote(number, name, QString());
            std::swap(m.window, *window);
        }
        two->document().history().store()->finish();
        for (auto *window : {&one, &two}) {
            std::swap(m.window, *window);
            m.close();
        }
        std::unique_ptr<MainWindow> again;
        show(again);
        QTRY_COMPARE(again->document().history().runs().size(), 2);
        QSet<QString> names;
        for (const RunRecord &run : again->document().history().runs()) {
            names.insert(run.name);
            QCOMPARE(run.recipe.dispatch.size(), std::size_t(1));
            QCOMPARE(QString::fromStdString(run.recipe.dispatch[0].match.op), run.name);
        }
        QCOMPARE(names, (QSet<QString>{QStringLiteral("stem"), QStringLiteral("left")}));
        QCOMPARE(again->document().history().runs()[1].number, 2);
        again->document().history().remove(2);
        again->document().history().store()->finish();
        m.window = std::move(again);
        m.close();
        show(again);
        QTRY_COMPARE(again->document().history().runs().size(), 1);
        m.window = std::move(again);
    }

    /// A damaged file loses only that run.
    void damagedFilesAreLeftOut()
    {
        start();
        QTRY_COMPARE(m.document().history().runs().size(), 3);
        const QString folder = m.document().history().store()->folderOf(m.file());
        m.close();
        const QStringList names = QDir(folder).entryList({QStringLiteral("2-*.run")});
        QCOMPARE(names.size(), 1);
        QFile file(folder + QLatin1Char('/') + names.front());
        QVERIFY(file.exists() && file.resize(file.size() / 2));
        start();
        QTRY_COMPARE(m.document().history().runs().size(), 2);
    }
};

QL_TEST(TestRuns)
#include "tst_runs.moc"
