// A complete session on real models of the corpus: open, run, find the worst operation, run it in FP32, run, undo,
// redo, export, save, open again; and the contents of each panel. Skipped without the corpus.
#include "tests/support/test_main.h"
#include "tests/views/window_fixture.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/problem_list.h"
#include "views/bridge/run_history.h"
#include "views/graph/graph_view.h"
#include "views/graph/overlay.h"
#include "views/panels/data_dialog.h"
#include "views/panels/data_preview.h"
#include "views/panels/distribution_panel.h"
#include "views/panels/inspector.h"
#include "views/panels/pipeline_panel.h"
#include "views/panels/platform_comparison.h"
#include "views/panels/platform_dialog.h"
#include "views/plots/error_plot.h"
#include "views/plots/qcp.h"
#include "views/window/center_view.h"

#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QSignalSpy>
#include <QTableView>
#include <QTableWidget>
#include <QTreeView>
#include <algorithm>
#include <cmath>

using namespace ql;
using nlohmann::json;

class TestCorpusModels : public QObject
{
    Q_OBJECT

private:
    WindowFixture m;

    Document &document() { return m.document(); }
    /// F5, until the results have arrived.
    void runNow()
    {
        QTest::keyClick(m.window.get(), Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(m.isRun(), 600000);
    }

    static void models()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("data");
        QTest::addColumn<QString>("preprocess");
        QTest::newRow("yolox_nano") << "yolox_nano"
                                    << "data_coco"
                                    << "bgr; letterbox 416 pad 114; layout nchw";
        QTest::newRow("mobilenetv2") << "mobilenetv2_backbone"
                                     << "data_imagenet"
                                     << "rgb; crop 224; scale 1/255; mean .485,.456,.406; std .229,.224,.225; layout "
                                        "nchw";
    }
    /// For the model of the row; @returns whether the corpus is here.
    bool writeCorpusRecipe(const json &analyses)
    {
        const auto fetched = [](const char *column) {
            return *static_cast<QString *>(QTest::qData(column, qMetaTypeId<QString>()));
        };
        const QString corpus = QStringLiteral(QL_CORPUS "/"), model = fetched("model");
        const QString file = corpus + model + QLatin1Char('/') + model + QStringLiteral(".onnx");
        if (!QFileInfo::exists(file)) return false;
        const json pictures = {{"path", (corpus + fetched("data")).toStdString()},
                               {"samples", 4},
                               {"preprocess", fetched("preprocess").toStdString()}};
        json evaluation = pictures;
        evaluation["samples"] = 2;
        const json recipe = {{"format", "quantloupe-recipe/1"}, {"model", {{"path", file.toStdString()}}},
                             {"platform", "TRT_INT8"},          {"analyses", analyses},
                             {"calibration", pictures},         {"evaluation", evaluation}};
        QFile out(m.file());
        if (!out.open(QIODevice::WriteOnly)) return false;
        out.write(QByteArray::fromStdString(recipe.dump()));
        return true;
    }
    QSet<QString> typesOf(const QStringList &operations)
    {
        QSet<QString> types;
        for (const QString &name : operations)
            types.insert(document().graph()->operations[document().graph()->find(name)].type);
        return types;
    }

    /// One edit of all convolutions in the inspector is one undo step and applies to each of them.
    void editConvolutions()
    {
        CenterView *center = m.window->center();
        QString convolution;
        for (const OperationInfo &op : document().graph()->operations)
            if (convolution.isEmpty() && op.type == QStringLiteral("Conv") && op.isQuantized) convolution = op.name;
        document().setCurrent(convolution);
        Inspector *inspector = m.window->inspector();
        inspector->showSlot(api::SlotRole::Parameter, 1);
        QSignalSpy touched(inspector, &Inspector::markRequested);
        auto *scope = inspector->findChild<QComboBox *>(QStringLiteral("scope"));
        scope->setFocus();
        while (scope->currentData().toInt() != 3) QTest::keyClick(scope, Qt::Key_Down);
        QCOMPARE(typesOf(touched.back()[0].toStringList()), QSet<QString>{QStringLiteral("Conv")});
        auto *bits = inspector->findChild<QComboBox *>(QStringLiteral("bits"));
        bits->setFocus();
        while (bits->currentText() != QStringLiteral("7")) QTest::keyClick(bits, Qt::Key_Up);
        QCOMPARE(document().undoStack().count(), 1);
        QTRY_VERIFY_WITH_TIMEOUT(!document().requests().isInspecting(), 60000);
        QCOMPARE(center->search(QStringLiteral("bits<8")), QString());
        QCOMPARE(center->hitCount(), int(touched.back()[0].toStringList().size()));
        center->search({});
        document().undoStack().undo();
        QTRY_VERIFY(!document().history().isStale());
    }
    /// Dragging a limit starts a run immediately; in live mode the previous values are ghosts.
    void dragLimit()
    {
        CenterView *center = m.window->center();
        const RunPtr first = document().history().shown();
        document().requests().setLive(true);
        QString shared;
        for (const ConfigInfo &config : document().history().configs())
            if (shared.isEmpty() && config.role == api::SlotRole::Output && config.rootOperation.isEmpty() &&
                config.state == api::QuantState::Active && first->graphwiseOf.contains(config.operation))
                shared = config.operation;
        document().setCurrent(shared);
        DistributionPanel *panel = m.window->distribution();
        // The slot of the operation before stays chosen: the minimum of a Clip, whose limits are those of the output
        if (document().graph()->operations[document().graph()->find(shared)].type == QStringLiteral("Clip")) {
            document().chooseSlot(shared, api::SlotRole::Parameter, 1);
            QTRY_VERIFY_WITH_TIMEOUT(panel->operation() == shared && panel->hasData() &&
                                         !(panel->limits().first < panel->limits().second),
                                     120000);
        }
        document().chooseSlot(shared, api::SlotRole::Output, 0);
        QTRY_VERIFY_WITH_TIMEOUT(panel->hasData() && panel->limits().first < panel->limits().second, 120000);
        settle();
        QCustomPlot *plot = panel->plot();
        const auto place = [&](double value) {
            return QPoint(int(plot->xAxis->coordToPixel(value)), plot->axisRect()->center().y());
        };
        const double high = panel->limits().second;
        QTest::mousePress(plot, Qt::LeftButton, {}, place(high));
        QTest::mouseMove(plot, place(high / 4));
        QTest::mouseRelease(plot, Qt::LeftButton, {}, place(high / 4));
        QCOMPARE(document().recipe().overrides.size(), std::size_t(1));
        QTRY_VERIFY_WITH_TIMEOUT(m.isRun() && document().history().shown() != first, 600000);
        const int row = document().graph()->find(shared);
        const OperationRow clipped = center->rows()->at(row);
        QVERIFY(clipped.graphwise && clipped.ghost);
        const std::string edit = api::toJson(document().recipe().overrides.at(0), api::RuleKind::Override).dump();
        QVERIFY2(*clipped.graphwise > *clipped.ghost,
                 qPrintable(QStringLiteral("%1: %2, was %3; %4 with the limit at %5")
                                .arg(shared)
                                .arg(*clipped.graphwise)
                                .arg(*clipped.ghost)
                                .arg(QString::fromStdString(edit))
                                .arg(high)));
        // ... and against the baseline it is a loss, in words and colour
        const Overlay change = makeOverlay(OverlayKind::Difference, *center->rows(), Theme::current());
        QVERIFY2(change.values[row].text.startsWith(QLatin1Char('-')), qPrintable(change.values[row].text));
        document().requests().setLive(false);
    }

    /// Two platforms on the model, the data step by step, and the report.
    void openDialogs()
    {
        PlatformDialog platforms(document());
        static_cast<QWidget &>(platforms).show();
        platforms.comparison()->compareWith(QStringLiteral("RKNN_INT8"));
        QTRY_VERIFY_WITH_TIMEOUT(platforms.comparison()->differences()->rowCount() > 2, 60000);
        DataDialog data(document());
        data.show();
        QTRY_VERIFY_WITH_TIMEOUT(data.calibration()->preview()->stages()->count() > 3, 60000);
        // One of them was trained on values from 0 to 255: reported, because it may be an error
        QFETCH(QString, model);
        const QString hints =
            data.calibration()->warnings()->isVisible() ? data.calibration()->warnings()->text() : QString();
        QVERIFY2(hints.contains(QStringLiteral("0 to 255")) == (model == QStringLiteral("yolox_nano")),
                 qPrintable(hints));
        const QString report = m.folder.filePath(QStringLiteral("报告.html"));
        document().requests().reportTo(report);
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(report).size() > 20'000 && !document().requests().job().isRunning, 600000);
    }

private Q_SLOTS:
    void initTestCase() { m.isolate(); }
    void cleanup() { m.close(); }

    void story_data() { models(); }
    void story()
    {
        if (!writeCorpusRecipe({"graphwise"})) QSKIP("the corpus is not here");
        QFETCH(QString, model);

        m.show();
        m.open();
        QTRY_VERIFY_WITH_TIMEOUT(m.window->center()->graph()->scene(), 60000);
        QVERIFY(document().graph()->topLevel > 50);
        runNow();
        QVERIFY2(m.window->message().isEmpty(), qPrintable(m.window->message()));
        const RunPtr first = document().history().shown();
        QVERIFY(first->graphwise.size() > 30 && first->outputSqnr());
        QVERIFY(m.window->errors()->plot()->plottableCount() > 0);

        // The worst operation, in every view
        QTest::keyClick(m.window->center()->graph(), Qt::Key_BracketLeft);
        const QString worst = document().current();
        QVERIFY(first->graphwiseOf.contains(worst));
        const double noise = first->graphwise[first->graphwiseOf.value(worst)].noiseRatio.value_or(0);
        for (const api::OutputRow &row : first->graphwise) QVERIFY(row.noiseRatio.value_or(0) <= noise * 1.0000001);
        m.window->center()->showTable(true);
        QTRY_COMPARE(m.window->center()->table()->currentIndex().data(OperationModel::OperationRole).toString(), worst);
        m.window->center()->showTable(false);

        // Keep it in float: it has no error of its own any more, and undo finds the earlier results
        QTest::keyClick(m.window.get(), Qt::Key_Q);
        QVERIFY(document().history().isStale());
        runNow();
        QVERIFY(document().history().shown() != first);
        QTRY_COMPARE(document().graph()->operations[document().graph()->find(worst)].platform, QStringLiteral("FP32"));
        QVERIFY(!document().history().shown()->graphwiseOf.contains(worst));
        document().undoStack().undo();
        QCOMPARE(document().history().shown(), first);
        QTRY_VERIFY(!document().history().isStale());
        document().undoStack().redo();
        QTRY_VERIFY(!document().history().isStale());
        QVERIFY(document().history().shown() != first);

        // Export, save, open again
        const QString exported = m.folder.filePath(model + QStringLiteral("_int8.onnx"));
        QSignalSpy written(&document().requests(), &EngineRequests::exported);
        document().requests().exportTo(QStringLiteral("onnx_qdq"), exported, json::object());
        QTRY_COMPARE_WITH_TIMEOUT(written.count(), 1, 300000);
        QVERIFY(QFileInfo(exported).size() > 500'000);
        QVERIFY(m.window->saveFile(m.file()));
        m.window->openFile(m.file());
        QTRY_VERIFY_WITH_TIMEOUT(document().graph() && document().graph()->find(worst) >= 0, 60000);
        QCOMPARE(document().graph()->operations[document().graph()->find(worst)].platform, QStringLiteral("FP32"));
    }

    void panels_data() { models(); }
    /// The contents of each panel for a real model, and that edits reach the recipe.
    void panels()
    {
        if (!writeCorpusRecipe({"graphwise", "layerwise"})) QSKIP("the corpus is not here");
        m.show();
        m.open();
        CenterView *center = m.window->center();
        QTRY_VERIFY_WITH_TIMEOUT(center->graph()->scene() && !document().history().configs().isEmpty(), 60000);
        runNow();
        const RunPtr first = document().history().shown();
        QVERIFY(first->layerwise.size() > 30 && first->outputSqnr());
        document().history().setBaseline(document().history().runs().front().number);

        // Graph: each overlay colours operations and has a legend; search by the results of the run; a group collapses
        for (const OverlayKind kind : {OverlayKind::Platform, OverlayKind::Precision, OverlayKind::Graphwise,
                                       OverlayKind::Layerwise, OverlayKind::ScaleGroup}) {
            const Overlay overlay = makeOverlay(kind, *center->rows(), Theme::current());
            const auto coloured = std::count_if(overlay.values.begin(), overlay.values.end(),
                                                [](const OverlayValue &value) { return value.color.isValid(); });
            QVERIFY2(coloured > 20 && !overlay.legend.isEmpty(), qPrintable(overlayName(kind)));
        }
        QCOMPARE(center->search(QStringLiteral("error>1e-9")), QString());
        QVERIFY(center->hitCount() > 30);
        QCOMPARE(center->search(QStringLiteral("bits<8")), QString());
        QCOMPARE(center->hitCount(), 0);
        center->search({});

        // Problems: each names its operation, and the rows of the table are as many as those of the graph
        QTRY_VERIFY_WITH_TIMEOUT(!document().requests().isGathering(), 300000);
        for (const ProblemInfo &problem : document().problems().rows())
            QVERIFY2(problem.op.empty() || document().graph()->find(QString::fromStdString(problem.op)) >= 0,
                     problem.op.c_str());
        QCOMPARE(center->model()->rowCount(), int(document().graph()->operations.size()));

        // Passes: the output after each of them, the last one that of the run; what one changed is marked
        QTRY_VERIFY_WITH_TIMEOUT(document().history().passHistory() != nullptr, 300000);
        PassModel *passes = m.window->pipeline()->model();
        const QString after = passes->index(passes->rowCount() - 1, PassModel::After).data().toString();
        // Equal up to rounding: a program without probes fuses more operations, whose sums are rounded elsewhere
        QVERIFY2(std::abs(QLocale().toDouble(after.section(QLatin1Char(' '), 0, 0)) - *first->outputSqnr()) < 0.1,
                 qPrintable(after));
        QSignalSpy marked(m.window->pipeline(), &PipelinePanel::markRequested);
        QTreeView *list = m.window->pipeline()->view();
        int calibrate = 0;
        while (passes->steps()[std::size_t(calibrate)].id != "calibrate") ++calibrate;
        list->scrollTo(passes->index(calibrate, 0));
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(passes->index(calibrate, 0)).center());
        QVERIFY(marked.count() == 1 && marked[0][0].toStringList().size() > 20);

        editConvolutions();
        if (!QTest::currentTestFailed()) dragLimit();
        if (!QTest::currentTestFailed()) openDialogs();
    }
};

QL_TEST(TestCorpusModels)
#include "tst_corpus_models.moc"
