// Outputs of class indices, and models without anything quantized.
#include "core/analysis/analyser.h"
#include "core/analysis/error_measure.h"
#include "tests/support/test_main.h"
#include "tests/support/toy_model.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/tensor.h>
#include <QtTest>
#include <algorithm>
#include <set>

using namespace ql;
using nlohmann::json;

namespace {

class FourBatches final : public BatchSource
{
public:
    std::size_t size() const override { return 4; }
    Feed batch(std::size_t index) const override
    {
        return {{"x", test::spread({1, 3, 8, 8}) * (1 + 0.3 * double(index))}};
    }
};

/// The toy model with types, and with the index of its largest score as another output.
QuantModel indexModel(bool asFloat = false)
{
    QuantModel model = test::toyModel();
    Graph &graph = model.graph;
    const VarId y = graph.outputs()[0];
    OpId last = test::addOp(graph, "argmax", "ArgMax", {y}, {"class"}, {{"axis", std::int64_t{1}}});
    if (asFloat)
        last = test::addOp(graph, "cast", "Cast", {graph.operation(last).outputs[0]}, {"value"},
                           {{"to", std::int64_t{1}}});
    graph.setOutputs({y, graph.operation(last).outputs[0]});
    graph.verify();
    for (const auto &[id, type] : Executor(graph).traceTypes(FourBatches().batch(0), {})) graph.edit(id).type = type;
    return model;
}

json analysed(const QuantModel &model, const std::string &id, const json &params, std::vector<api::Problem> &problems)
{
    const FourBatches data;
    AnalysisContext context(model);
    context.data = &data;
    context.batches = data.size();
    context.report = [&](const api::Problem &problem) { problems.push_back(problem); };
    return analyse(id, context, params);
}

/// Every slot in float.
void turnOff(QuantModel &model)
{
    std::vector<Slot> slots;
    for (const auto &[slot, config] : model.plan.configs()) slots.push_back(slot);
    for (const Slot slot : slots) model.plan.setState(slot, QuantState::Off, {});
}

} // namespace

class TestIndices : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// An index is compared as such, even if it was converted to float.
    void indices_data()
    {
        QTest::addColumn<bool>("asFloat");
        QTest::newRow("int64") << false;
        QTest::newRow("float") << true;
    }
    void indices()
    {
        QFETCH(bool, asFloat);
        QuantModel quantized = indexModel(asFloat);
        std::vector<api::Problem> problems;
        const auto rows =
            analysed(quantized, "outputs", json::object(), problems)["outputs"].get<std::vector<api::OutputRow>>();
        QCOMPARE(rows.size(), std::size_t(2));
        QVERIFY(rows[0].noiseRatio && !rows[0].equalShare);
        QVERIFY(rows[1].equalShare && !rows[1].noiseRatio && !rows[1].sqnrDb);
        QCOMPARE(rows[1].samples, std::int64_t(4));
        QCOMPARE(rows[1].elements, std::int64_t(1));
        QVERIFY(problems.empty());
        turnOff(quantized);
        const auto same =
            analysed(quantized, "outputs", json::object(), problems)["outputs"].get<std::vector<api::OutputRow>>();
        QCOMPARE(*same[1].equalShare, 1.0);
    }
    /// Operations are ranked by their effect on the scores that an index was chosen from.
    void layerwiseAtTheScores_data() { indices_data(); }
    void layerwiseAtTheScores()
    {
        QFETCH(bool, asFloat);
        QuantModel model = indexModel(asFloat);
        const VarId scores = model.graph.outputs()[0];
        std::vector<api::Problem> problems;
        const json both = analysed(model, "layerwise", json::object(), problems)["layerwise"];
        model.graph.setOutputs({model.graph.outputs()[1]});
        const json alone = analysed(model, "layerwise", json::object(), problems)["layerwise"];
        QVERIFY(!alone.empty());
        QCOMPARE(alone[0]["output"].get<std::string>(), model.graph.variable(scores).name);
        QCOMPARE(alone, both);
    }
    void accuracyOfIndices()
    {
        QuantModel model = indexModel();
        model.graph.setOutputs({model.graph.outputs()[1]});
        const FourBatches data;
        AnalysisContext context(model);
        context.data = &data;
        context.batches = data.size();
        context.labels = {0, 0, 0, 0};
        std::set<double> accuracies;
        for (std::int64_t label = 0; label < 5; ++label) {
            context.labels.assign(4, label);
            const auto rows = analyse("outputs", context, json::object()).outputs.value();
            QVERIFY(rows[0].metric);
            accuracies.insert(rows[0].metric->fp32);
        }
        QVERIFY(*accuracies.rbegin() > 0); // one of the five classes is the index
    }
    void equalElements()
    {
        const auto tensor = [](std::vector<std::int64_t> values) {
            return at::tensor(values, at::TensorOptions(at::kLong)).reshape({-1, 2});
        };
        EqualMeasure measure;
        QVERIFY(measure.isEmpty());
        measure.add(tensor({1, 2, 3, 4}), tensor({1, 2, 3, 5}), 2);
        measure.add(tensor({1, 2, 3, 4}), tensor({1, 2}), 2); // fewer boxes found
        api::OutputRow row;
        measure.fill(row);
        QCOMPARE(*row.equalShare, 3.0 / 8);
        QCOMPARE(row.samples, std::int64_t(4));
        QCOMPARE(row.elements, std::int64_t(2));
    }

    /// If nothing is quantized, zero errors are not reported.
    void nothingQuantized()
    {
        QuantModel floating = indexModel();
        turnOff(floating);
        for (const char *id : {"graphwise", "layerwise", "outputs"}) {
            std::vector<api::Problem> problems;
            analysed(floating, id, json::object(), problems);
            QVERIFY2(problems.empty(), id);
        }
        // One of two operations has no error: worth a line
        QuantModel half = indexModel();
        const OpId fc = half.graph.findOperation("fc");
        for (const Slot slot : half.plan.slotsOf(fc)) half.plan.setState(slot, QuantState::Off, {});
        std::vector<api::Problem> problems;
        analysed(half, "layerwise", json::object(), problems);
        QCOMPARE(problems.size(), std::size_t(1));
        QVERIFY(QString::fromStdString(problems[0].message.english()).contains(QStringLiteral("infinite SQNR")));
    }
};

QL_TEST(TestIndices)
#include "tst_indices.moc"
