// A document without an engine: recipe, undo, runs and files.
#include "core/api/remedy_words.h"
#include "tests/support/test_main.h"
#include "tests/views/recipe_json.h"
#include "views/bridge/document.h"
#include "views/bridge/engine_client.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/run_history.h"
#include "views/bridge/run_store.h"
#include "views/commands/recipe_command.h"
#include "views/commands/remedies.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <memory>

using namespace ql;
using nlohmann::json;

namespace {

/// The engine's answer for the recipe of the document.
RunData resultOf(const Document &document, double noise = 0.01)
{
    RunData run;
    run.recipe = document.recipe();
    run.inputsKey = QStringLiteral("inputs");
    api::OutputRow error;
    error.op = "op";
    error.noiseRatio = noise;
    error.sqnrDb = -10 * std::log10(noise);
    run.graphwise = {error};
    run.outputs = {error};
    run.isComplete = true;
    return run;
}

} // namespace

class TestDocument : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    EngineClient m_engine{{QStringLiteral("/does/not/exist")}}; ///< never started
    std::unique_ptr<Document> m_document;

    QString path(const QString &name) const { return m_folder->filePath(name); }
    void write(const QString &name, const QByteArray &bytes) const
    {
        QDir().mkpath(QFileInfo(path(name)).path());
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }
    void writeRecipe(const QString &name) const
    {
        write(name, R"({"format": "quantloupe-recipe/1", "model": {"path": "m.onnx"}, "platform": "TRT_INT8",
                        "calibration": {"path": "calib", "samples": 4}})");
    }
    RunHistory &history() const { return m_document->history(); }
    RunHistory::Ended run(double noise = 0.01) const
    {
        history().begin(QStringLiteral("a run"));
        return history().finish(resultOf(*m_document, noise));
    }

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_document = std::make_unique<Document>(m_engine);
        writeRecipe(QStringLiteral("a/r.quantloupe"));
        m_document->open(path(QStringLiteral("a/r.quantloupe")));
    }
    void cleanup() { m_document.reset(); }

    /// The run in progress belongs to the current recipe, wherever that is saved meanwhile.
    void savingElsewhereKeepsTheRunInProgress()
    {
        history().begin(QStringLiteral("a run"));
        const RunData answer = resultOf(*m_document);
        QDir().mkpath(path(QStringLiteral("b")));
        m_document->save(path(QStringLiteral("b/r.quantloupe")));
        history().finish(answer);
        QVERIFY(!history().isStale());
        QCOMPARE(history().runs().size(), 1);
        QVERIFY(history().runs()[0].recipe == m_document->recipe());
        QVERIFY(history().runs()[0].data->recipe == m_document->recipe());
    }

    /// What a run has measured stays in sight, as stale, if the recipe is edited before it ends.
    void anEditDuringTheRunKeepsWhatIsMeasured()
    {
        const RunData answer = resultOf(*m_document);
        history().begin(QStringLiteral("a run"));
        history().addPart([&](RunData &run) { run.outputs = answer.outputs; }, {});
        QVERIFY(history().shown() && !history().isStale());
        editRecipe(*m_document, QStringLiteral("Platform"), "/platform", "RKNN_INT8");
        QVERIFY(history().shown() && history().isStale());
        QVERIFY(!history().shown()->outputs.isEmpty());
        history().finish(answer);
        QCOMPARE(history().runs().size(), 1);
        QVERIFY(history().shown()->isComplete && history().isStale());
    }

    /// After a crash, earlier runs are read: the recovered edits are compared with that of the saved recipe, not with a
    /// later one of another recipe.
    void recoveredEditsAreComparedWithTheirRecipe()
    {
        const QString runs = path(QStringLiteral("runs")), file = path(QStringLiteral("a/r.quantloupe"));
        history().keepIn(runs);
        run(0.01);
        editRecipe(*m_document, QStringLiteral("Platform"), "/platform", "OPENVINO_INT8");
        run(0.1);
        history().store()->finish();
        for (const bool hasFirst : {true, false}) {
            m_document = std::make_unique<Document>(m_engine);
            m_document->open(file);
            editRecipe(*m_document, QStringLiteral("Recovered changes"), "/platform", "RKNN_INT8");
            history().keepIn(runs);
            history().store()->finish();
            QTRY_COMPARE(history().runs().size(), hasFirst ? 2 : 1);
            QVERIFY(history().shown() && history().isStale());
            QCOMPARE(history().isOfThisSession(), hasFirst);
            QCOMPARE(qRound(*history().shown()->outputSqnr()), hasFirst ? 20 : 10);
            history().remove(1);
            history().store()->finish();
        }
    }

    /// As shown, not only when they are read again.
    void runsOfTwoWindowsHaveDifferentNumbers()
    {
        const QString runs = path(QStringLiteral("runs"));
        Document other(m_engine);
        other.open(m_document->filePath());
        for (Document *document : {m_document.get(), &other}) document->history().keepIn(runs);
        QVector<int> numbers;
        for (const auto &[document, platform] : {std::pair(m_document.get(), "RKNN_INT8"), std::pair(&other, "FP32"),
                                                 std::pair(m_document.get(), "OPENVINO_INT8")}) {
            editRecipe(*document, QStringLiteral("Platform"), "/platform", platform);
            document->history().begin(QStringLiteral("a run"));
            numbers.append(document->history().finish(resultOf(*document)).number);
            document->history().store()->finish();
        }
        QCOMPARE(numbers, QVector<int>({1, 2, 3}));
    }

    /// Files have relative paths if they are selected, or if the recipe is saved next to them.
    void pathsAreRelativeWhereTheyCanBe()
    {
        QCOMPARE(m_document->recipePath(path(QStringLiteral("a/x/calib"))), QStringLiteral("x/calib"));
        QCOMPARE(m_document->recipePath(path(QStringLiteral("data/calib"))), QStringLiteral("../data/calib"));
        QCOMPARE(m_document->recipePath(QStringLiteral("/somewhere/else")), QStringLiteral("/somewhere/else"));
        QDir().mkpath(path(QStringLiteral("recipes")));
        m_document->save(path(QStringLiteral("recipes/r.quantloupe")));
        QCOMPARE(m_document->recipe().model, std::string("../a/m.onnx"));
        QCOMPARE(m_document->absolutePath(m_document->recipe().model), path(QStringLiteral("a/m.onnx")));
    }

    /// The button of a problem takes its rule out of the recipe, and no other one.
    void anOverrideIsRemoved()
    {
        const json first = {{"match", {{"op", "a"}}}, {"set", {{"bits", 4}}}},
                   second = {{"match", {{"op", "b"}}}, {"set", {{"bits", 4}}}};
        editRecipe(*m_document, QStringLiteral("Overrides"), "/overrides", json::array({first, second}));
        const api::Action action = json({{"id", "drop_override"}, {"drop_override", first}}).get<api::Action>();
        QVERIFY(remedyTitle(action) != QString::fromStdString(action.id) && !remedyMeaning(action.id).isEmpty());
        applyRemedy(*m_document, action, QStringLiteral("a"));
        QCOMPARE(m_document->recipeJson()["overrides"], json::array({second}));
        m_document->undoStack().undo();
        QCOMPARE(m_document->recipeJson()["overrides"], json::array({first, second}));
    }
};

QL_TEST(TestDocument)
#include "tst_document.moc"
