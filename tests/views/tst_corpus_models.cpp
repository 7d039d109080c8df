// The whole story on real models of the corpus: open, run, find the worst operation, send it to FP32, run, undo, redo,
// export, save, open again. Skipped without the corpus.
#include "tests/support/test_main.h"
#include "tests/views/window_fixture.h"
#include "views/panels/export_dialog.h"
#include "views/plots/error_plot.h"
#include "views/plots/qcp.h"
#include "views/window/center_view.h"

#include <QSignalSpy>
#include <QTableView>

using namespace ql;
using nlohmann::json;

class TestCorpusModels : public QObject
{
    Q_OBJECT

private:
    WindowFixture m;

    Document &document() { return m.document(); }
    /// F5, until the results are there.
    void runNow()
    {
        QTest::keyClick(m.window.get(), Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(m.isRun(), 600000);
    }

private Q_SLOTS:
    void initTestCase() { m.isolate(); }
    void cleanup() { m.close(); }

    void story_data()
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
    void story()
    {
        QFETCH(QString, model);
        QFETCH(QString, data);
        QFETCH(QString, preprocess);
        const QString corpus = QStringLiteral(QL_CORPUS "/");
        const QString file = corpus + model + QLatin1Char('/') + model + QStringLiteral(".onnx");
        if (!QFileInfo::exists(file)) QSKIP("the corpus is not here");
        const json pictures = {
            {"path", (corpus + data).toStdString()}, {"samples", 4}, {"preprocess", preprocess.toStdString()}};
        json evaluation = pictures;
        evaluation["samples"] = 2;
        const json recipe = {{"format", "quantloupe-recipe/1"}, {"model", {{"path", file.toStdString()}}},
                             {"platform", "TRT_INT8"},          {"analyses", {"graphwise"}},
                             {"calibration", pictures},         {"evaluation", evaluation}};
        QFile out(m.file());
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(QByteArray::fromStdString(recipe.dump()));
        out.close();

        m.show();
        m.open();
        QTRY_VERIFY_WITH_TIMEOUT(m.window->center()->graph()->scene(), 60000);
        QVERIFY(document().graph()->topLevel > 50);
        runNow();
        QVERIFY2(m.window->message().isEmpty(), qPrintable(m.window->message()));
        const RunPtr first = document().result();
        QVERIFY(first->graphwise.size() > 30 && first->outputSqnr());
        QVERIFY(m.window->errors()->plot()->plottableCount() > 0);

        // The worst operation, in every view
        QTest::keyClick(m.window->center()->graph(), Qt::Key_BracketLeft);
        const QString worst = document().current();
        QVERIFY(first->graphwiseOf.contains(worst));
        const double noise = first->graphwise[first->graphwiseOf.value(worst)].noiseRatio.value_or(0);
        for (const ErrorInfo &row : first->graphwise) QVERIFY(row.noiseRatio.value_or(0) <= noise * 1.0000001);
        m.window->center()->showTable(true);
        QTRY_COMPARE(m.window->center()->table()->currentIndex().data(OperationModel::OperationRole).toString(), worst);
        m.window->center()->showTable(false);

        // Keep it in float: it has no error of its own any more, and undo finds the results of before
        QTest::keyClick(m.window.get(), Qt::Key_Q);
        QVERIFY(document().isStale());
        runNow();
        QVERIFY(document().result() != first);
        QCOMPARE(document().graph()->operations[document().graph()->find(worst)].platform, QStringLiteral("FP32"));
        QVERIFY(!document().result()->graphwiseOf.contains(worst));
        document().undoStack().undo();
        QCOMPARE(document().result(), first);
        QTRY_VERIFY(!document().isStale());
        document().undoStack().redo();
        QTRY_VERIFY(!document().isStale());
        QVERIFY(document().result() != first);

        // Export, save, open again
        const QString exported = m.folder.filePath(model + QStringLiteral("_int8.onnx"));
        QSignalSpy written(&document(), &Document::exported);
        document().exportTo(QStringLiteral("onnx_qdq"), exported, json::object());
        QTRY_COMPARE_WITH_TIMEOUT(written.count(), 1, 300000);
        QVERIFY(QFileInfo(exported).size() > 500'000);
        QVERIFY(m.window->saveFile(m.file()));
        m.window->openFile(m.file());
        QTRY_VERIFY_WITH_TIMEOUT(document().graph() && document().graph()->find(worst) >= 0, 60000);
        QCOMPARE(document().graph()->operations[document().graph()->find(worst)].platform, QStringLiteral("FP32"));
    }
};

QL_TEST(TestCorpusModels)
#include "tst_corpus_models.moc"
