// Complete runs of unusual models: inputs or outputs other than a plain float32 tensor of one shape.
#include "core/base/error.h"
#include "core/io/npz.h"
#include "core/session/error_boundary.h"
#include "core/session/recipe_fields.h"
#include "core/session/run.h"
#include "tests/support/error_of.h"
#include "tests/support/onnx_model.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/randn.h>
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <fstream>
#include <functional>

using namespace ql;
namespace fs = std::filesystem;

namespace {

struct Case
{
    test::OnnxModel model;
    std::vector<std::pair<std::string, at::Tensor>> data;
    std::vector<std::string> measured; ///< outputs with a measurable error
    std::vector<std::string> inferred; ///< arrays that `infer` gives
};

void weight(test::OnnxModel &model, const std::string &name, const std::vector<std::int64_t> &shape)
{
    auto *tensor = model.graph()->add_initializer();
    tensor->set_name(name);
    tensor->set_data_type(1);
    std::int64_t count = 1;
    for (const std::int64_t size : shape) {
        tensor->add_dims(size);
        count *= size;
    }
    for (std::int64_t i = 0; i < count; ++i) tensor->add_float_data(0.3f * float((i * 7) % 11 - 5) / 5);
}

void integers(test::OnnxModel &model, const std::string &name, const std::vector<std::int64_t> &values, bool scalar)
{
    auto *tensor = model.graph()->add_initializer();
    tensor->set_name(name);
    tensor->set_data_type(7);
    if (!scalar) tensor->add_dims(std::int64_t(values.size()));
    for (const std::int64_t value : values) tensor->add_int64_data(value);
}

/// x -> Conv(w) -> c, as most cases begin.
void convolution(test::OnnxModel &model, const std::vector<std::int64_t> &shape = {1, 3, 6, 6})
{
    model.input("x", shape);
    weight(model, "w", {4, 3, 1, 1});
    model.node("Conv", "conv", {"x", "w"}, {"c"});
}

void save(const std::string &file, const std::vector<std::pair<std::string, at::Tensor>> &arrays)
{
    std::ofstream out(file, std::ios::binary);
    writeNpz(out, arrays);
}

std::map<std::string, Case> cases()
{
    const at::Tensor pictures = at::randn({4, 3, 6, 6});
    std::map<std::string, Case> all;
    {
        Case &c = all["a sequence as output"];
        convolution(c.model);
        integers(c.model, "two", {2}, true);
        auto *split = c.model.node("SplitToSequence", "split", {"c", "two"}, {"s"});
        auto *axis = split->add_attribute();
        axis->set_name("axis");
        axis->set_type(onnx::AttributeProto::INT);
        axis->set_i(1);
        c.model.output("s");
        c.data = {{"x", pictures}};
        c.measured = {"s"};
        c.inferred = {"s[0]", "s[1]"};
    }
    {
        Case &c = all["an output without elements"];
        convolution(c.model);
        for (const char *name : {"from", "to", "axes"}) integers(c.model, name, {1}, false);
        c.model.node("Slice", "slice", {"c", "from", "to", "axes"}, {"e"});
        c.model.node("Relu", "relu", {"c"}, {"y"});
        c.model.output("e");
        c.model.output("y");
        c.data = {{"x", pictures}};
        c.measured = {"y"};
        c.inferred = {"e", "y"};
    }
    {
        Case &c = all["open batch, height and width"];
        convolution(c.model, {-1, 3, -2, -3});
        c.model.node("GlobalAveragePool", "pool", {"c"}, {"y"});
        c.model.output("y");
        c.data = {{"x", at::randn({4, 3, 9, 7})}};
        c.measured = c.inferred = {"y"};
    }
    {
        Case &c = all["several inputs, one of integers, and an integer output"];
        convolution(c.model);
        c.model.input("ids", {1, 4}, 7);
        weight(c.model, "table", {10, 1});
        integers(c.model, "shape", {1, 4, 1, 1}, false);
        c.model.node("Gather", "gather", {"table", "ids"}, {"g"});
        c.model.node("Reshape", "reshape", {"g", "shape"}, {"r"});
        c.model.node("Add", "add", {"c", "r"}, {"y"});
        c.model.node("Shape", "size", {"c"}, {"n"});
        c.model.output("y");
        c.model.output("n");
        c.data = {{"x", pictures}, {"ids", at::arange(16, at::kLong).reshape({4, 4}) % 10}};
        c.measured = {"y"};
        c.inferred = {"y", "n"};
    }
    {
        Case &c = all["one initialiser for many operations"];
        c.model.input("x", {1, 3, 6, 6});
        weight(c.model, "w", {3, 3, 1, 1});
        for (int i = 0; i < 4; ++i)
            c.model.node("Conv", "conv" + std::to_string(i), {i == 0 ? "x" : "c" + std::to_string(i - 1), "w"},
                         {"c" + std::to_string(i)});
        c.model.output("c3");
        c.data = {{"x", pictures}};
        c.measured = c.inferred = {"c3"};
    }
    return all;
}

/// Saves the model, and x as its data, in folder.
api::Recipe recipeFor(test::OnnxModel &model, const QTemporaryDir &folder, const at::Tensor &x)
{
    const fs::path base(folder.path().toStdString());
    api::Recipe recipe;
    recipe.model = model.save(base / "model.onnx").string();
    recipe.calibration.path = (base / "data.npz").string();
    recipe.threads = 1;
    save(recipe.calibration.path, {{"x", x}});
    return recipe;
}

} // namespace

class TestAwkward : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesThatAreTooLong()
    {
        const std::string name = "/tmp/" + std::string(300, 'n') + ".onnx";
        try {
            (void)std::filesystem::status(name);
            QFAIL("the system accepts such names");
        } catch (...) {
            const Error error = asError(std::current_exception());
            QVERIFY(error.kind == ErrorKind::Io);
            QCOMPARE(error.file, name);
        }
    }

    void runs_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("platform");
        for (const auto &[name, c] : cases())
            for (const char *platform : {"TRT_INT8", "ONNXRUNTIME"})
                QTest::addRow("%s, %s", name.c_str(), platform) << QString::fromStdString(name) << platform;
    }

    void runs()
    {
        QFETCH(QString, name);
        QFETCH(QString, platform);
        Case c = cases().at(name.toStdString());
        const QTemporaryDir folder;
        const fs::path base(folder.path().toStdString());
        api::Recipe recipe;
        recipe.model = c.model.save(base / "model.onnx").string();
        recipe.platform = platform.toStdString();
        recipe.calibration.path = (base / "data.npz").string();
        recipe.calibration.samples = 4;
        recipe.analyses = {{"graphwise", true, "", {}}, {"layerwise", true, "", {}}};
        recipe.threads = 1;
        save(recipe.calibration.path, c.data);
        const nlohmann::json report = runRecipe(recipe, {}, {}).report;
        std::vector<std::string> measured;
        for (const auto &row : report["outputs"]) {
            if (row.contains("equal_share")) { // of integers, which nothing changes here
                QCOMPARE(row["equal_share"].get<double>(), 1.0);
                continue;
            }
            measured.push_back(row["variable"]);
            QVERIFY2(row["sqnr_db"].is_number() && row["sqnr_db"] > 5, row.dump().c_str());
            QCOMPARE(row["samples"].get<int>(), 4);
        }
        QCOMPARE(measured, c.measured);
        QVERIFY(!report["graphwise"].empty());
        QVERIFY(!report["layerwise"].empty());
        for (const auto &row : report["layerwise"]) QVERIFY2(row["sqnr_db"] > 5, row.dump().c_str());

        InferRequest request;
        request.input = recipe.calibration.path;
        std::vector<std::string> inferred;
        for (const auto &[output, value] : infer(recipe, request, {}, {})) {
            inferred.push_back(output);
            QCOMPARE(value.size(0), std::int64_t(4));
        }
        QCOMPARE(inferred, c.inferred);
    }

    void shapesOfOutputsThatDeclareNone()
    {
        test::OnnxModel model;
        convolution(model, {-1, 3, 6, 6});
        model.node("Relu", "relu", {"c"}, {"y"});
        for (const char *name : {"c", "y"}) model.output(name);
        const QTemporaryDir folder;
        api::Recipe recipe;
        recipe.model = model.save(fs::path(folder.path().toStdString()) / "model.onnx").string();
        recipe.threads = 1;
        const api::Inspection inspection = inspectModel(recipe, {}, {});
        int seen = 0;
        for (const api::TensorRow &tensor : inspection.tensors) {
            if (tensor.name != "c" && tensor.name != "y") continue;
            QCOMPARE(tensor.shape, std::string("n1x4x6x6"));
            ++seen;
        }
        QCOMPARE(seen, 2);
    }

    void otherFloatTypesAreReportedAsUnchanged()
    {
        test::OnnxModel model;
        model.input("x", {1, 4, 3, 3}, 11);
        model.node("Conv", "product", {"x", "w"}, {"c"});
        model.node("Relu", "relu", {"c"}, {"y"});
        auto *w = model.graph()->add_initializer();
        w->set_name("w");
        w->set_data_type(11);
        for (const int size : {2, 4, 1, 1}) w->add_dims(size);
        for (int i = 0; i < 8; ++i) w->add_double_data(i - 3);
        model.output("y");
        const QTemporaryDir folder;
        const api::Recipe recipe = recipeFor(model, folder, at::randn({32, 4, 3, 3}).to(at::kDouble));
        const nlohmann::json report = runRecipe(recipe, {}, {}).report;
        std::string found;
        for (const auto &problem : report["problems"])
            if (problem["op"] == "product" && problem["severity"] == "warning") found = problem["message"];
        QVERIFY2(found.find("float64") != std::string::npos, report["problems"].dump().c_str());
    }

    /// A constant without values has nothing to round, and nothing to complain about.
    void emptyConstants()
    {
        test::OnnxModel model;
        convolution(model);
        weight(model, "nothing", {1, 0, 6, 6});
        model.node("Concat", "joined", {"c", "nothing"}, {"y"});
        auto *axis = model.graph()->mutable_node(1)->add_attribute();
        axis->set_name("axis");
        axis->set_type(onnx::AttributeProto::INT);
        axis->set_i(1);
        model.output("y");
        const QTemporaryDir folder;
        const nlohmann::json report = runRecipe(recipeFor(model, folder, at::randn({32, 3, 6, 6})), {}, {}).report;
        for (const auto &problem : report["problems"]) QVERIFY2(problem["op"] != "joined", problem.dump().c_str());
        for (const auto &row : report["configs"])
            if (row["variable"] == "nothing") QCOMPARE(row["state"], nlohmann::json("fp32"));
    }

    void observerParametersWithoutAnObserver()
    {
        test::OnnxModel model;
        convolution(model);
        model.node("Relu", "relu", {"c"}, {"y"});
        model.output("y");
        const QTemporaryDir folder;
        api::Recipe recipe = recipeFor(model, folder, at::randn({32, 3, 6, 6}));
        const auto warnings = [&](api::RuleSet set) {
            recipe.overrides = {{.match = {.roles = {api::SlotRole::Activation}}, .set = std::move(set)}};
            QStringList found;
            for (const api::Problem &problem : runRecipe(recipe, {}, {}).report.problems)
                if (problem.message.english().find("has no effect") != std::string::npos)
                    found.append(QString::fromStdString(problem.message.english() + " " + problem.remedy.english()));
            return found;
        };
        QCOMPARE(
            warnings({.observer = "minmax", .minScale = 1e-6, .histogramBins = 512}),
            QStringList{"override 'activation': 'histogram_bins' has no effect, because the observer of the tensors "
                        "does not use it: minmax Remove it, or choose an observer that uses it: kl, mse."});
        QCOMPARE(warnings({.observer = "mse", .histogramBins = 512}), QStringList());
        QCOMPARE(warnings({.observer = "mse", .percentile = 0.99}).size(), qsizetype(1));
        QCOMPARE(warnings({.percentile = 0.99}), QStringList()); // the platform's observer
    }

    /// Without the model and the data, so that 'inspect' and the window report them, too.
    void misspeltNames()
    {
        const auto errorOf = [](const std::function<void(api::Recipe &)> &change) {
            api::Recipe recipe;
            recipe.platform = "TRT_INT8";
            change(recipe);
            return QString::fromStdString(test::errorOf([&] { completeRecipe(recipe); }).text());
        };
        const QString observer = errorOf([](api::Recipe &r) {
            r.passes = {{"calibrate", true, {}, {{"observer", "minmx"}}}};
        });
        QVERIFY2(observer.contains("Did you mean 'minmax'"), qPrintable(observer));
        const QString metric = errorOf([](api::Recipe &r) { r.metric.id = "top"; });
        QVERIFY2(metric.contains("unknown metric 'top'. Did you mean 'topk'"), qPrintable(metric));
        const QString parameter = errorOf([](api::Recipe &r) { r.metric = {"topk", {}, {{"kk", 1}}}; });
        QVERIFY2(parameter.contains("has no parameter 'kk'. Did you mean 'k'"), qPrintable(parameter));
    }

    /// A mask of -65504 stays in float32. Where it does not, it leaves the scores no codes: named, with a remedy for
    /// all of them that helps.
    void maskedScores()
    {
        test::OnnxModel model;
        model.input("x", {1, 8, 16});
        for (const std::string layer : {"1", "2"}) {
            const std::string from = layer == "1" ? "x" : "o1";
            weight(model, "q" + layer, {16, 8});
            weight(model, "v" + layer, {16, 16});
            auto *mask = model.graph()->add_initializer();
            mask->set_name("mask" + layer);
            mask->set_data_type(1);
            for (const int size : {8, 8}) mask->add_dims(size);
            for (int i = 0; i < 64; ++i) mask->add_float_data(i % 8 > i / 8 ? -65504.f : 0.f);
            model.node("MatMul", "scores" + layer, {from, "q" + layer}, {"s" + layer});
            model.node("Add", "masked" + layer, {"s" + layer, "mask" + layer}, {"m" + layer});
            model.node("Softmax", "softmax" + layer, {"m" + layer}, {"p" + layer});
            model.node("MatMul", "values" + layer, {from, "v" + layer}, {"u" + layer});
            model.node("MatMul", "out" + layer, {"p" + layer, "u" + layer}, {"o" + layer});
        }
        model.output("o2");
        const QTemporaryDir folder;
        api::Recipe recipe = recipeFor(model, folder, at::randn({32, 8, 16}));
        const double db = runRecipe(recipe, {}, {}).report.measures.outputs.value().at(0).sqnrDb.value();
        setRecipeField(recipe, "passes.masked_scores.enabled", "false");
        const api::Report report = runRecipe(recipe, {}, {}).report;
        QVERIFY(db > report.measures.outputs.value().at(0).sqnrDb.value() + 10);
        const auto problem = std::find_if(report.problems.begin(), report.problems.end(), [](const auto &found) {
            return found.message.english().find("too coarse for Softmax") != std::string::npos;
        });
        QVERIFY(problem != report.problems.end());
        const api::Action &remedy = problem->actions.at(0);
        QCOMPARE(remedy.dispatch.size(), std::size_t(4)); // both layers
        QVERIFY2(remedy.gainDb && *remedy.gainDb > 6, problem->remedy.english().c_str());
    }

    /// A weight computed from constants is a weight like others.
    void computedWeights()
    {
        test::OnnxModel model;
        convolution(model);
        weight(model, "v", {5, 4, 1, 1});
        weight(model, "gain", {5, 1, 1, 1});
        model.node("Mul", "scale", {"v", "gain"}, {"scaled"});
        model.node("Conv", "second", {"c", "scaled"}, {"d"});
        weight(model, "u", {2, 5, 1, 1});
        model.node("Conv", "third", {"d", "u"}, {"y"});
        model.output("y");
        const QTemporaryDir folder;
        const nlohmann::json report = runRecipe(recipeFor(model, folder, at::randn({32, 3, 6, 6})), {}, {}).report;
        const auto &rows = report["configs"];
        const auto row = std::find_if(rows.begin(), rows.end(), [](const nlohmann::json &each) {
            return each["op"] == "second" && each["variable"] == "scaled";
        });
        QVERIFY(row != rows.end());
        QCOMPARE(row->value("channel_axis", nlohmann::json()), nlohmann::json(0));
    }
};

QL_TEST(TestAwkward)
#include "tst_awkward.moc"
