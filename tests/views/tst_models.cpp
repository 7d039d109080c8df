// Item models over a document, without a window and without an engine: inspections and reports come from files.
#include "tests/support/test_main.h"
#include "tests/views/recipe_json.h"
#include "views/bridge/engine_client.h"
#include "views/commands/recipe_command.h"
#include "views/models/list_models.h"
#include "views/models/operation_model.h"
#include "views/models/pass_model.h"
#include "views/models/search.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

using namespace ql;
using nlohmann::json;

namespace {

OperationRow row(const QString &name, const QString &type, std::optional<double> error, int bits = 8)
{
    OperationRow r;
    r.name = name;
    r.type = type;
    r.graphwise = error;
    r.bits = bits;
    r.platform = bits ? QStringLiteral("TRT_INT8") : QStringLiteral("FP32");
    return r;
}

OperationRows someRows()
{
    return std::make_shared<const QVector<OperationRow>>(
        QVector<OperationRow>{row(QStringLiteral("/block1/conv"), QStringLiteral("Conv"), 0.2),
                              row(QStringLiteral("/block1/relu"), QStringLiteral("Relu"), 0.01),
                              row(QStringLiteral("softmax"), QStringLiteral("Softmax"), std::nullopt, 0),
                              row(QStringLiteral("/block2/conv"), QStringLiteral("Conv"), 0.05, 4)});
}

/// A document with a recipe and an engine that is never started.
struct Fixture
{
    Fixture() : engine({QStringLiteral("/does/not/exist")}), document(engine)
    {
        const QString file = folder.filePath(QStringLiteral("recipe.quantloupe"));
        QFile out(file);
        if (!out.open(QIODevice::WriteOnly)) qFatal("no temporary folder");
        out.write(R"({"format": "quantloupe-recipe/1", "model": {"path": "m.onnx"},
                      "passes": ["quantize_fusion", "parameter_quantize", {"id": "calibrate", "params": {"observer": "kl"}}]})");
        out.close();
        document.open(file);
    }
    QTemporaryDir folder;
    EngineClient engine;
    Document document;
};

} // namespace

class TestModels : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void operations()
    {
        OperationModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        OperationFilter filter;
        filter.setSourceModel(&model);
        QAbstractItemModelTester filterTester(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setRows(someRows());
        QCOMPARE(model.rowCount(), 4);
        QCOMPARE(model.rowOf(QStringLiteral("softmax")), 2);

        // Sorted by value, unknown ones last in both orders
        filter.sort(OperationModel::Graphwise, Qt::DescendingOrder);
        const auto names = [&] {
            QStringList list;
            for (int r = 0; r < filter.rowCount(); ++r)
                list.append(filter.index(r, 0).data(OperationModel::OperationRole).toString());
            return list;
        };
        QCOMPARE(names(), (QStringList{"/block1/conv", "/block2/conv", "/block1/relu", "softmax"}));
        filter.sort(OperationModel::Graphwise, Qt::AscendingOrder);
        QCOMPARE(names(), (QStringList{"/block1/relu", "/block2/conv", "/block1/conv", "softmax"}));
        // Errors as decibels, as graph and passes show them; the same order upside down
        const QModelIndex worst =
            model.index(model.rowOf(QStringLiteral("/block1/conv")), OperationModel::GraphwiseSqnr);
        QVERIFY2(worst.data().toString().endsWith(QStringLiteral(" dB")), qPrintable(worst.data().toString()));
        QVERIFY(OperationModel::GraphwiseSqnr < OperationModel::Shape);
        filter.sort(OperationModel::GraphwiseSqnr, Qt::DescendingOrder);
        QCOMPARE(names(), (QStringList{"/block1/relu", "/block2/conv", "/block1/conv", "softmax"}));
        filter.sort(OperationModel::Graphwise, Qt::AscendingOrder);
        filter.setQuery(SearchQuery::parse(QStringLiteral("conv")));
        QCOMPARE(names(), (QStringList{"/block2/conv", "/block1/conv"}));

        // New values for the same operations leave the rows in place
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset), changed(&model, &QAbstractItemModel::dataChanged);
        model.setRows(someRows());
        QCOMPARE(reset.count(), 0);
        QCOMPARE(changed.count(), 1);
        model.setRows(std::make_shared<const QVector<OperationRow>>());
        QCOMPARE(reset.count(), 1);
    }

    void decibelsAreText_data()
    {
        QTest::addColumn<double>("noise");
        QTest::addColumn<QString>("text");
        QTest::newRow("some") << 0.01 << "20.0 dB";
        QTest::newRow("more noise than signal") << 10.0 << "-10.0 dB";
        QTest::newRow("as much noise as signal") << 1.005 << "0.0 dB";
        QTest::newRow("none at all") << 0.0 << QStringLiteral("∞ dB");
    }
    void decibelsAreText()
    {
        QFETCH(double, noise);
        QTEST(decibelText(decibels(noise)), "text");
        QCOMPARE(decibelText(decibels({})), QStringLiteral("–"));
        QCOMPARE(signedText(0.04), QStringLiteral("0.0"));
        QCOMPARE(signedText(1.26), QStringLiteral("+1.3"));
        QCOMPARE(changeText(-0.04), QStringLiteral("0.0 dB"));
        QCOMPARE(changeText(1.26), QStringLiteral("+1.3 dB"));
        QCOMPARE(changeText(-2.0), QStringLiteral("-2.0 dB"));
    }

    void search_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("found"); ///< positions
        QTest::newRow("nothing") << ""
                                 << "0123";
        QTest::newRow("name or type, any case") << "CONV"
                                                << "03";
        QTest::newRow("all words") << "conv block2"
                                   << "3";
        QTest::newRow("number") << "error>0.04"
                                << "03";
        QTest::newRow("unknown numbers match nothing") << "error<1"
                                                       << "013";
        QTest::newRow("with spaces") << "conv Error > 0.04"
                                     << "03";
        QTest::newRow("bits") << "bits<8"
                              << "3";
        QTest::newRow("equal") << "bits=8"
                               << "01";
        QTest::newRow("not equal") << "bits != 8"
                                   << "3";
        QTest::newRow("percent") << "error>4%"
                                 << "03";
        QTest::newRow("comma") << "error>0,04"
                               << "03";
        QTest::newRow("member") << "platform:FP32"
                                << "2";
        QTest::newRow("type only") << "type:relu"
                                   << "1";
        QTest::newRow("member in any case") << "Type:Relu"
                                            << "1";
        QTest::newRow("regular expression") << "/block[12].*conv/"
                                            << "03";
        QTest::newRow("both") << "type:conv error>=0.2"
                              << "0";
        QTest::newRow("unit apart") << "type:conv error >= 20 %"
                                    << "0";
        QTest::newRow("regular expression and number") << "/block[12].*conv/ error >= 20%"
                                                       << "0";
        QTest::newRow("as it is") << "\"error>\""
                                  << "";
    }
    void search()
    {
        QFETCH(QString, text);
        QFETCH(QString, found);
        const SearchQuery query = SearchQuery::parse(text);
        QVERIFY(query.error().isEmpty());
        QString got;
        const OperationRows rows = someRows();
        for (int i = 0; i < rows->size(); ++i)
            if (query.matches(rows->at(i))) got += QString::number(i);
        QCOMPARE(got, found);
    }
    void searchReportsMistakes()
    {
        QVERIFY(!SearchQuery::parse(QStringLiteral("/[/")).error().isEmpty());
        QVERIFY(!SearchQuery::parse(QStringLiteral("error>1e")).error().isEmpty());
        QVERIFY(!SearchQuery::parse(QStringLiteral("error>")).error().isEmpty());
        QVERIFY(!SearchQuery::parse(QStringLiteral("eror>0.1")).error().isEmpty());
    }

    void passes()
    {
        Fixture f;
        PassModel model(f.document);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 3);
        QSignalSpy edited(&model, &PassModel::edited);
        QVERIFY(model.setData(model.index(2, 0), Qt::Unchecked, Qt::CheckStateRole));
        auto steps = edited.takeFirst().at(1).value<std::vector<api::StepRequest>>();
        QVERIFY(!steps[2].enabled);
        QCOMPARE(steps[2].params.at("observer").get<std::string>(), std::string("kl"));
        // Dragging the last one to the front
        std::unique_ptr<QMimeData> mime(model.mimeData({model.index(2, 0)}));
        model.dropMimeData(mime.get(), Qt::MoveAction, 0, 0, {});
        steps = edited.takeFirst().at(1).value<std::vector<api::StepRequest>>();
        QCOMPARE(steps[0].id, std::string("calibrate"));
        QCOMPARE(steps[2].id, std::string("parameter_quantize"));
    }

    void passOrderProblems()
    {
        const std::vector<api::PassItem> catalogue{
            {{.id = "align"}, {.needs = {api::PassAspect::ActivationScales}}},
            {{.id = "calibrate"}, {.writes = {api::PassAspect::ActivationScales}}}};
        std::vector<api::StepRequest> steps(2);
        steps[0].id = "align";
        steps[1].id = "calibrate";
        QVERIFY(!PassModel::problemOf(steps, 0, catalogue).isEmpty());
        QVERIFY(PassModel::problemOf(steps, 1, catalogue).isEmpty());
        std::swap(steps[0], steps[1]);
        QVERIFY(PassModel::problemOf(steps, 1, catalogue).isEmpty());
        steps[0].enabled = false;
        QVERIFY(!PassModel::problemOf(steps, 1, catalogue).isEmpty());
    }

    void listModels()
    {
        Fixture f;
        ProblemModel problems(f.document);
        RunModel runs(f.document);
        QAbstractItemModelTester first(&problems, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QAbstractItemModelTester second(&runs, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(problems.rowCount(), 0);
        QCOMPARE(runs.rowCount(), 0);
    }

    /// The last matching rule wins, so an edit is appended; fields that it does not set are unchanged.
    void lastSettingWins()
    {
        OverrideScope one, type;
        one.operations = QStringList{QStringLiteral("conv1")};
        type.kind = OverrideScope::Kind::Type;
        type.text = QStringLiteral("Conv");
        api::Recipe recipe;
        recipe = withOverride(recipe, one, setOf({{"bits", 4}, {"symmetric", true}}));
        recipe = withOverride(recipe, one, setOf({{"bits", 5}})); // still the last one: the same entry
        QCOMPARE(recipe.overrides.size(), std::size_t(1));
        recipe = withOverride(recipe, type, setOf({{"bits", 8}, {"symmetric", false}}));
        recipe = withOverride(recipe, one, setOf({{"bits", 16}}));
        const json overrides = api::toJson(recipe)["overrides"];
        QCOMPARE(overrides.size(), std::size_t(3));
        QCOMPARE(overrides[0]["set"], json({{"symmetric", true}}));
        QCOMPARE(overrides[1]["set"]["bits"], json(8));
        QCOMPARE(overrides[2]["set"], json({{"bits", 16}})); // symmetric keeps the value of the type's rule
        QCOMPARE(withoutOverride(recipe, one).overrides.size(), std::size_t(1));
        // Thousands together
        OverrideScope many;
        for (int i = 0; i < 3000; ++i) many.operations.append(QStringLiteral("op%1").arg(i));
        recipe = withOverride(withOverride(recipe, many, setOf({{"bits", 6}})), many, setOf({{"rounding", "up"}}));
        QCOMPARE(recipe.overrides.size(), std::size_t(3003));
        QCOMPARE(api::toJson(recipe.overrides[3002].set), json({{"bits", 6}, {"rounding", "up"}}));
    }

    void editsAreUndoable()
    {
        Fixture f;
        const json before = f.document.recipeJson();
        const QString hash = f.document.resultHash();
        OverrideScope scope;
        scope.operations = QStringList{QStringLiteral("conv[1]*")};
        scope.role = api::SlotRole::Output;
        replaceRecipe(f.document, QStringLiteral("Bits"),
                      withOverride(f.document.recipe(), scope, setOf({{"bits", 4}})));
        QCOMPARE(f.document.recipe().overrides.size(), std::size_t(1));
        // A name is matched literally, not as a pattern
        QCOMPARE(f.document.recipe().overrides[0].match.op, std::string("conv[[]1][*]"));
        QVERIFY(f.document.resultHash() != hash);
        // The same place again extends the entry; range and scale exclude each other
        replaceRecipe(f.document, QStringLiteral("Range"),
                      withOverride(f.document.recipe(), scope, setOf({{"scale", {0.5}}})));
        replaceRecipe(f.document, QStringLiteral("Range"),
                      withOverride(f.document.recipe(), scope, setOf({{"range", {-1, 1}}})));
        QCOMPARE(f.document.recipe().overrides.size(), std::size_t(1));
        QVERIFY(f.document.recipe().overrides[0].set.scale.empty());
        QCOMPARE(f.document.recipe().overrides[0].set.bits, 4);
        replaceRecipe(f.document, QStringLiteral("Reset"), withoutOverride(f.document.recipe(), scope));
        QCOMPARE(f.document.recipe().overrides.size(), std::size_t(0));
        for (int i = 0; i < 4; ++i) f.document.undoStack().undo();
        QCOMPARE(f.document.recipeJson(), before);
        QCOMPARE(f.document.resultHash(), hash);
        QVERIFY(!f.document.undoStack().canUndo());
        f.document.undoStack().redo();
        QCOMPARE(f.document.recipe().overrides[0].set.bits, 4);
    }

    void dragsMerge()
    {
        Fixture f;
        for (const int samples : {8, 16, 24})
            editRecipe(f.document, QStringLiteral("Samples"), "/calibration/samples", samples,
                       QStringLiteral("samples"));
        QCOMPARE(f.document.undoStack().count(), 1);
        f.document.undoStack().undo();
        QCOMPARE(int(f.document.recipe().calibration.samples), 32);
    }

    void illegalEditsAreRefused()
    {
        Fixture f;
        QVERIFY_EXCEPTION_THROWN(editRecipe(f.document, QStringLiteral("x"), "/calibration/samples", 0),
                                 std::exception);
        QVERIFY_EXCEPTION_THROWN(editRecipe(f.document, QStringLiteral("x"), "/nonsense", 1), std::exception);
        QCOMPARE(f.document.undoStack().count(), 0);
    }

    void dispatchRules()
    {
        const api::Recipe recipe;
        api::Recipe sent = withDispatch(recipe, {QStringLiteral("a"), QStringLiteral("b")}, QStringLiteral("FP32"));
        QCOMPARE(sent.dispatch.size(), std::size_t(2));
        sent = withDispatch(sent, {QStringLiteral("a")}, QStringLiteral("ACADEMIC_INT4"));
        QCOMPARE(sent.dispatch.size(), std::size_t(2));
        QVERIFY(withDispatch(sent, {QStringLiteral("a"), QStringLiteral("b")}, {}) == recipe);
    }
};

QL_TEST(TestModels)
#include "tst_models.moc"
