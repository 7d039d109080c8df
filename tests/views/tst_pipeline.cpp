// The pass pipeline in the real window on the real engine.
#include "core/base/error.h"
#include "tests/support/test_main.h"
#include "tests/views/answer_dialog.h"
#include "tests/views/recipe_json.h"
#include "tests/views/window_fixture.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/run_history.h"
#include "views/bridge/saved_pipelines.h"
#include "views/commands/recipe_command.h"
#include "views/panels/pipeline_panel.h"
#include "views/window/center_view.h"

#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QDrag>
#include <QLabel>
#include <QMessageBox>
#include <QMimeData>
#include <QSignalSpy>
#include <QTreeView>

using namespace ql;
using nlohmann::json;

class TestPipeline : public QObject
{
    Q_OBJECT

private:
    WindowFixture m;

    PassModel *model() { return m.window->pipeline()->model(); }
    QTreeView *view() { return m.window->pipeline()->view(); }
    QStringList ids()
    {
        QStringList list;
        for (const auto &step : model()->steps()) list.append(QString::fromStdString(step.id));
        return list;
    }
    int rowOf(const QString &id) { return int(ids().indexOf(id)); }
    QPoint centerOf(int row) { return view()->visualRect(model()->index(row, 0)).center(); }

private Q_SLOTS:
    void initTestCase() { m.prepare(); }
    void init()
    {
        m.show();
        m.open();
        QTRY_VERIFY_WITH_TIMEOUT(model()->rowCount() > 4, 60000);
    }
    void cleanup() { m.close(); }

    /// A narrow dock elides them.
    void titlesAreInTheToolTips()
    {
        for (int row = 0; row < model()->rowCount(); ++row) {
            const QModelIndex title = model()->index(row, PassModel::Title);
            QVERIFY2(title.data(Qt::ToolTipRole).toString().contains(title.data().toString() + QLatin1Char('\n')),
                     qPrintable(title.data().toString()));
        }
    }

    /// After a run each pass shows its changes and the output error after it; a click highlights them in the graph.
    void passesShowTheirError()
    {
        QAbstractItemModelTester tester(model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
        m.run();
        QTRY_VERIFY_WITH_TIMEOUT(m.document().history().passHistory() != nullptr, 60000);
        const int calibrate = rowOf(QStringLiteral("calibrate")), last = int(ids().size()) - 1;
        QVERIFY(calibrate > 0);
        const auto after = [&](int row) { return model()->index(row, PassModel::After).data().toString(); };
        QVERIFY(after(0).isEmpty()); // nothing is quantized yet
        QVERIFY(after(calibrate).endsWith(QStringLiteral("dB")));
        QCOMPARE(after(last), QStringLiteral("%1 dB").arg(
                                  QLocale().toString(*m.document().history().shown()->outputSqnr(), 'f', 1)));
        QVERIFY(model()->index(calibrate, 0).data(PassModel::GainRole).isValid());
        QVERIFY(model()->index(calibrate, 0).data(PassModel::FactsRole).toString().contains(QStringLiteral("change")));

        GraphView *graph = m.window->center()->graph();
        QTRY_VERIFY_WITH_TIMEOUT(graph->scene() != nullptr, 60000);
        QTRY_VERIFY(!graph->isGliding());
        const QImage before = graph->grab().toImage();
        QSignalSpy marked(m.window->pipeline(), &PipelinePanel::markRequested);
        QTest::mouseClick(view()->viewport(), Qt::LeftButton, {}, centerOf(calibrate));
        QCOMPARE(marked.count(), 1);
        const QStringList operations = marked[0][0].toStringList();
        QVERIFY(operations.contains(QStringLiteral("down_depthwise")));
        QTRY_VERIFY(graph->grab().toImage() != before);
        QVERIFY(m.window->pipeline()->facts()->text().contains(QStringLiteral("clear")));
        // The same click again removes the highlights
        QTest::mouseClick(view()->viewport(), Qt::LeftButton, {}, centerOf(calibrate));
        QVERIFY(marked.back()[0].toStringList().isEmpty());

        // Enter does the same; the arrow keys only choose
        view()->setFocus();
        view()->setCurrentIndex(model()->index(calibrate - 1, 0));
        const auto count = marked.count();
        QTest::keyClick(view(), Qt::Key_Down);
        QCOMPARE(marked.count(), count);
        for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter}) {
            QTest::keyClick(view(), key);
            QCOMPARE(marked.back()[0].toStringList(), operations);
            QTest::keyClick(view(), key);
            QVERIFY(marked.back()[0].toStringList().isEmpty());
        }

        // An edit makes the history one of an earlier recipe
        QTest::keyClick(view(), Qt::Key_Up, Qt::AltModifier);
        QTRY_VERIFY(m.document().history().isStale());
    }

    /// After undo, earlier results are shown immediately.
    void keptRunsShowTheirError()
    {
        m.run();
        QTRY_VERIFY_WITH_TIMEOUT(m.document().history().passHistory() != nullptr, 60000);
        const PassHistoryPtr first = m.document().history().passHistory();
        editRecipe(m.document(), QStringLiteral("another"), "/overrides",
                   json::array({{{"match", {{"op", "stem"}, {"role", "output"}}}, {"set", {{"bits", 4}}}}}));
        m.run();
        QTRY_VERIFY_WITH_TIMEOUT(m.document().history().passHistory() != nullptr, 60000);
        m.document().setCurrent({});
        m.document().undoStack().undo();
        QVERIFY(!m.document().history().isStale());
        QCOMPARE(m.document().history().passHistory(), first);
        m.document().undoStack().redo();
        QVERIFY(m.document().history().passHistory() != nullptr && m.document().history().passHistory() != first);
    }

    /// In live mode, longer measurements start after a pause in editing.
    void liveRunsShowTheirError()
    {
        m.run();
        m.document().requests().setLive(true);
        editRecipe(m.document(), QStringLiteral("live"), "/overrides",
                   json::array({{{"match", {{"op", "stem"}, {"role", "output"}}}, {"set", {{"bits", 5}}}}}));
        QTRY_VERIFY_WITH_TIMEOUT(m.isRun(), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(m.document().history().passHistory() != nullptr, 60000);
        m.document().requests().setLive(false);
    }

    /// A platform sets its own passes; a list edited by the user is not replaced silently.
    void anotherPlatformReportsItsList()
    {
        QSignalSpy notes(&m.document(), &Document::note);
        choosePlatform(m.document(), QStringLiteral("ONNXRUNTIME"));
        QCOMPARE(notes.count(), 0);
        QTRY_VERIFY_WITH_TIMEOUT(!m.document().requests().isInspecting() && model()->rowCount() > 4, 60000);
        QVERIFY(model()->setData(model()->index(0, 0), Qt::Unchecked, Qt::CheckStateRole));
        QVERIFY(!m.document().recipeJson()["passes"].is_null());
        choosePlatform(m.document(), QStringLiteral("TRT_INT8"));
        QVERIFY(m.document().recipeJson()["passes"].is_null());
        QCOMPARE(notes.count(), 1);
        m.document().undoStack().undo();
        QVERIFY(!m.document().recipeJson()["passes"].is_null());
    }

    /// Press, move and drop; between them the platform carries the drag, which the offscreen one does not do.
    void rowIsDraggedByMouse()
    {
        const QStringList before = ids();
        const int from = 1, to = 3;
        QVERIFY(before.size() > to);
        view()->scrollToTop();
        QWidget *area = view()->viewport();
        const QPoint start = centerOf(from), end = centerOf(to) + QPoint(0, 16); // the lower edge: after that row
        const auto mouse = [&](QEvent::Type type, const QPoint &at) {
            QMouseEvent event(type, at, area->mapToGlobal(at), Qt::LeftButton, Qt::LeftButton, {});
            QApplication::sendEvent(area, &event);
        };
        mouse(QEvent::MouseButtonPress, start);
        for (int step = 1; step <= 4; ++step) mouse(QEvent::MouseMove, start + (end - start) * step / 4);
        const auto *drag = view()->findChild<QDrag *>();
        QVERIFY(drag); // the view has taken hold of the row
        QMimeData carried;
        for (const QString &format : drag->mimeData()->formats())
            carried.setData(format, drag->mimeData()->data(format));
        view()->setDragDropMode(QAbstractItemView::DragDrop); // an internal move asks the platform for its source
        QDragEnterEvent enter(end, Qt::MoveAction, &carried, Qt::LeftButton, {});
        QApplication::sendEvent(area, &enter);
        QVERIFY(enter.isAccepted());
        QDragMoveEvent over(end, Qt::MoveAction, &carried, Qt::LeftButton, {});
        QApplication::sendEvent(area, &over);
        QDropEvent drop(end, Qt::MoveAction, &carried, Qt::LeftButton, {});
        QApplication::sendEvent(area, &drop);
        QStringList expected = before;
        expected.move(from, to);
        QCOMPARE(ids(), expected);
        QCOMPARE(m.document().undoStack().count(), 1);
        m.document().undoStack().undo();
        QCOMPARE(ids(), before);
    }

    /// Shown before anything runs, with the reason.
    void impossibleOrderIsMarked()
    {
        const auto problem = [&](const QString &id) {
            return model()->index(rowOf(id), 0).data(PassModel::ProblemRole).toString();
        };
        const QString align = QStringLiteral("align");
        QVERIFY(rowOf(align) > 0 && problem(align).isEmpty());
        view()->setCurrentIndex(model()->index(rowOf(align), 0));
        view()->setFocus();
        QTest::keyClick(view(), Qt::Key_Up, Qt::AltModifier);
        QTRY_VERIFY(rowOf(align) < rowOf(QStringLiteral("calibrate")));
        const QString calibrate = model()->index(rowOf(QStringLiteral("calibrate")), 0).data().toString(); // as listed
        QVERIFY2(problem(align).contains(calibrate), qPrintable(problem(align)));
        QVERIFY(!m.document().requests().job().isRunning);
    }

    void pipelineIsSavedUnderAName()
    {
        const QStringList before = ids();
        const QString name = QStringLiteral("mine / 我的 %");
        view()->setCurrentIndex(model()->index(0, 0));
        view()->setFocus();
        QTest::keyClick(view(), Qt::Key_Down, Qt::AltModifier);
        QTRY_VERIFY(ids() != before);
        const QStringList mine = ids();
        m.window->pipeline()->savePipeline(name);
        QCOMPARE(savedPipelines::names(), QStringList{name});
        m.document().undoStack().undo();
        QCOMPARE(ids(), before);
        m.window->pipeline()->loadPipeline(name);
        QCOMPARE(ids(), mine);
        QVERIFY(m.document().undoStack().undoText().contains(name));
        savedPipelines::remove(name);
        QVERIFY(savedPipelines::names().isEmpty());
    }

    void savedPipelinesHaveUnusualNames()
    {
        const auto steps = model()->steps();
        for (const QString &name : {QStringLiteral(".."), QStringLiteral(".hidden"), QString(60, QChar(0x4e2d)),
                                    QStringLiteral("a:b*?\"<>|\\/%41 😀"), QStringLiteral("v1.2")}) {
            m.window->pipeline()->savePipeline(name);
            QCOMPARE(savedPipelines::names(), QStringList{name});
            QCOMPARE(savedPipelines::load(name).size(), steps.size());
            // An equal name requires confirmation: no, and yes
            for (const QMessageBox::StandardButton answer : {QMessageBox::No, QMessageBox::Yes}) {
                Q_EMIT model()->edited(QStringLiteral("fewer"), {steps.begin(), steps.begin() + 1});
                answerNext<QMessageBox>(this, [answer](QMessageBox &box) { box.button(answer)->click(); });
                m.window->pipeline()->savePipeline(name);
                QCOMPARE(savedPipelines::load(name).size(), answer == QMessageBox::Yes ? 1 : steps.size());
                m.document().undoStack().undo();
            }
            savedPipelines::remove(name);
            QVERIFY2(savedPipelines::names().isEmpty(), qPrintable(name));
        }
        bool wasReported = false;
        answerNext<QMessageBox>(this, [&](QMessageBox &box) {
            wasReported = true;
            box.close();
        });
        m.window->pipeline()->savePipeline(QString(300, QChar(0x4e2d)));
        QVERIFY(wasReported && savedPipelines::names().isEmpty());
        // One that was saved with other characters escaped is found, too
        QFile old(savedPipelines::folder() + QStringLiteral("/%E6%88%91.json"));
        QVERIFY(old.open(QIODevice::WriteOnly));
        old.write(R"({"format": "quantloupe-pipeline/1", "name": "我", "passes": [{"id": "calibrate"}]})");
        old.close();
        QCOMPARE(savedPipelines::names(), QStringList{QStringLiteral("我")});
        QCOMPARE(savedPipelines::load(QStringLiteral("我")).size(), std::size_t(1));
        savedPipelines::remove(QStringLiteral("我"));
        QVERIFY(savedPipelines::names().isEmpty());
    }
    /// As in a recipe: no misspelt key is ignored.
    void savedPipelinesAreReadStrictly()
    {
        const QString name = QStringLiteral("typed by hand");
        savedPipelines::save(name, model()->steps());
        QFile file(savedPipelines::folder() + QStringLiteral("/typed by hand.json"));
        QVERIFY(file.open(QIODevice::ReadWrite));
        const QByteArray right = file.readAll();
        for (const char *key : {"format", "passes", "id", "enabled", "params"}) {
            file.resize(0);
            file.seek(0);
            file.write(QByteArray(right).replace('"' + QByteArray(key) + '"', "\"" + QByteArray(key) + "z\""));
            file.flush();
            try {
                savedPipelines::load(name);
                QVERIFY2(false, key);
            } catch (const Error &error) {
                QVERIFY2(error.message.english().find(std::string(key) + "z") != std::string::npos, error.what());
            }
        }
        savedPipelines::remove(name);
    }

    /// Shown before anything runs: a saved pipeline or a recipe may contain values that no editor offers.
    void impossibleParametersAreMarked()
    {
        const auto calibrate = [this] { return rowOf(QStringLiteral("calibrate")); }; // of each platform
        const auto problemWith = [&](const nlohmann::json &params) {
            auto steps = model()->steps();
            steps[std::size_t(calibrate())].params = params;
            Q_EMIT model()->edited(QStringLiteral("params"), steps);
            const QString problem = model()->index(calibrate(), 0).data(PassModel::ProblemRole).toString();
            m.document().undoStack().undo();
            return problem;
        };
        QCOMPARE(problemWith({{"observer", "minmax"}}), QString());
        QVERIFY(problemWith({{"speed", 3}}).contains(QStringLiteral("speed")));
        QVERIFY(problemWith({{"observer", "nobody"}}).contains(QStringLiteral("nobody")));
        QVERIFY(problemWith({{"recalibrate", 3}}).contains(QStringLiteral("recalibrate")));
        // kl gives symmetric scales: for a platform with asymmetric activations it is marked, and not offered
        const auto offered = [&] {
            view()->setCurrentIndex({});
            view()->setCurrentIndex(model()->index(calibrate(), 0));
            const auto *box = m.window->pipeline()->findChild<QComboBox *>(QStringLiteral("observer"));
            return box && box->findData(QStringLiteral("kl")) >= 0;
        };
        const std::string before = m.document().recipe().platform;
        for (const auto &[platform, isSymmetric] : {std::pair("RKNN_INT8", false), std::pair("TRT_INT8", true)}) {
            nlohmann::json recipe = m.document().recipeJson();
            recipe["platform"] = platform;
            replaceRecipe(m.document(), QStringLiteral("platform"), recipe);
            QTRY_COMPARE(offered(), isSymmetric);
            QTRY_COMPARE(problemWith({{"observer", "kl"}}).isEmpty(), isSymmetric);
            m.document().undoStack().undo();
        }
        QCOMPARE(m.document().recipe().platform, before);
    }

    /// A pass that is listed twice has two separate rows.
    void duplicatesAreDistinguished()
    {
        const int align = rowOf(QStringLiteral("align"));
        auto steps = model()->steps();
        steps.insert(steps.begin() + align, steps[std::size_t(align)]);
        Q_EMIT model()->edited(QStringLiteral("Duplicate"), steps);
        QCOMPARE(ids().count(QStringLiteral("align")), 2);
        m.run();
        QTRY_VERIFY_WITH_TIMEOUT(m.document().history().passHistory() != nullptr, 60000);
        const auto operations = [&](int row) {
            return model()->index(row, 0).data(PassModel::OperationsRole).toStringList().size();
        };
        QVERIFY(operations(align) > 0);
        QCOMPARE(operations(align + 1), qsizetype(0)); // everything is aligned already
    }
};

QL_TEST(TestPipeline)
#include "tst_pipeline.moc"
