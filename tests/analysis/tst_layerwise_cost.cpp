// The cost of layerwise errors: an estimate before they are measured, and fewer samples.
#include "core/analysis/analyser.h"
#include "core/analysis/slot_noise.h"
#include "core/analysis/work_estimate.h"
#include "tests/support/test_main.h"
#include "tests/support/toy_model.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <QtTest>
#include <algorithm>
#include <utility>

using namespace ql;
using nlohmann::json;

namespace {

class CostBatches final : public BatchSource
{
public:
    std::size_t size() const override { return 4; }
    Feed batch(std::size_t index) const override
    {
        return {{"x", test::spread({1, 3, 8, 8}) * (1 + 0.3 * double(index))}};
    }
};

/// The batch with number 2 is far outside of the ranges.
class OneClippedBatch final : public BatchSource
{
public:
    std::size_t size() const override { return 4; }
    Feed batch(std::size_t index) const override
    {
        return {{"x", test::spread({1, 3, 8, 8}) * (index == 2 ? 50.0 : 1.0 + 0.1 * double(index))}};
    }
};

/// The toy model with the types of all tensors.
QuantModel costModel()
{
    QuantModel model = test::toyModel();
    for (const auto &[id, type] : Executor(model.graph).traceTypes(CostBatches().batch(0), {}))
        model.graph.edit(id).type = type;
    return model;
}

json layerwiseOf(const QuantModel &model, const json &params, std::vector<api::Problem> &problems,
                 std::vector<std::string> *steps = nullptr)
{
    const CostBatches data;
    AnalysisContext context(model);
    context.data = &data;
    context.batches = data.size();
    context.report = [&](const api::Problem &problem) { problems.push_back(problem); };
    if (steps) context.job = JobContext([&](const Progress &progress) { steps->push_back(progress.what.english()); });
    return *analyse("layerwise", context, params).layerwise;
}

} // namespace

class TestLayerwiseCost : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// An estimate from the samples with most noise knows what is clipped.
    void estimatesTheNoisiestSamples()
    {
        const QuantModel model = costModel();
        const OneClippedBatch data;
        AnalysisContext context(model);
        context.data = &data;
        context.batches = data.size();
        const std::vector<std::size_t> noisiest = noisiestBatches(context, 2).indices;
        QCOMPARE(noisiest.size(), std::size_t(2));
        QCOMPARE(noisiest.front(), std::size_t(2));
        const std::vector<std::vector<at::Tensor>> originals = noisiestBatches(context, 2).originals;
        QCOMPARE(originals.size(), noisiest.size());
        const Executor executor(model.graph, context.exec);
        for (std::size_t k = 0; k < noisiest.size(); ++k)
            QVERIFY(at::equal(originals[k][0], executor.compile({}).run(data.batch(noisiest[k]), {})[0]));
        QCOMPARE(noisiestBatches(context, 9).indices.size(), data.size());
        QCOMPARE(noisiestBatches(context, 9).sumOfAll, 1.0);
        const std::map<Slot, double> all = slotNoise(context, {0, 1, 2, 3}).slots,
                                     worst = slotNoise(context, {2}).slots;
        QCOMPARE(slotNoise(context), all);
        double sumOfAll = 0, sumOfWorst = 0;
        for (const auto &[slot, noise] : all) sumOfAll += noise;
        for (const auto &[slot, noise] : worst) sumOfWorst += noise;
        QVERIFY(sumOfWorst > sumOfAll);
        double ofWeights = 0;
        for (const auto &[slot, noise] : all)
            if (!slot.output && slot.index == 1) ofWeights += noise;
        QVERIFY(ofWeights > 0 && ofWeights < sumOfAll);
        QCOMPARE(shareOfWeights(model.graph, all), ofWeights / sumOfAll);
        QCOMPARE(shareOfWeights(model.graph, {}), 0.0);
    }

    /// The ranking of tensors uses them, too: the first sample would not show what is clipped.
    void ranksTensorsByTheNoisiestSamples()
    {
        const QuantModel model = costModel();
        const OneClippedBatch data;
        AnalysisContext context(model);
        context.data = &data;
        context.batches = data.size();
        context.report = [](const api::Problem &) {};
        const auto worst = [&](std::int64_t samples) {
            return analyse("noise", context, {{"samples", samples}, {"measured", 1}}).noise.value().at(0);
        };
        const api::NoiseRow few = worst(2), all = worst(4);
        QVERIFY(!few.isEstimated);
        QCOMPARE(few.slot, all.slot);
        // As the mean over all samples, nearly all of whose noise is in one
        QVERIFY(std::abs(few.noiseRatio.value() / all.noiseRatio.value() - 1) < 0.05);
    }

    void fewerSamples()
    {
        std::vector<api::Problem> problems;
        for (const int samples : {0, 1, 3, 9}) {
            const json rows = layerwiseOf(costModel(), {{"samples", samples}}, problems);
            QCOMPARE(rows[0]["samples"].get<int>(), samples == 0 ? 4 : std::min(samples, 4));
        }
    }

    /// Products of layers, and a few for each element of anything else.
    void work()
    {
        const QuantModel m = costModel();
        const Graph &graph = m.graph;
        const auto of = [&](const char *name) { return workOf(graph, graph.operation(graph.findOperation(name))); };
        QCOMPARE(of("conv1"), 4 * 8 * 8 * (27 + 8.0));
        QCOMPARE(of("relu1"), 4 * 8 * 8 * 8.0);
        QCOMPARE(of("fc"), 5 * (4 + 8.0));
        const OpId conv = graph.findOperation("conv1"), fc = graph.findOperation("fc");
        QCOMPARE(passesFrom(graph, {conv}), 1.0);
        const double tail = passesFrom(graph, {fc});
        QVERIFY(tail > 0 && tail < 0.1);
        QCOMPARE(passesFrom(graph, {conv, fc}), 1 + tail);
    }

    /// A run that does not ask for the ranking of tensors gets one that takes a small part of its time.
    void rankingIsBounded()
    {
        QuantModel m = costModel();
        const auto rankingFor = [&](double passes) {
            const json params = rankingParams(m.graph, passes);
            return std::pair(params["samples"].get<int>(), params["measured"].get<int>());
        };
        QCOMPARE(rankingFor(0), std::pair(4, 5)); // a small network: it takes no time
        m.graph.edit(m.graph.outputs().front()).type.shape->front().size = std::int64_t(1) << 40;
        QCOMPARE(rankingFor(0), std::pair(1, 0));
        QCOMPARE(rankingFor(70), std::pair(1, 0));
        const auto some = rankingFor(200);
        QVERIFY(some.first < 4 && some.second > 0);
        QCOMPARE(rankingFor(10000), std::pair(4, 5));
    }

    /// An analysis that takes minutes says so before it starts, and how to shorten it.
    void costIsReported()
    {
        QuantModel large = costModel();
        std::vector<api::Problem> problems;
        layerwiseOf(large, json::object(), problems);
        QVERIFY(problems.empty());
        // As if the image were a million pixels wide
        const OpId conv = large.graph.findOperation("conv1");
        large.graph.edit(large.graph.operation(conv).outputs[0]).type.shape =
            std::vector<Dim>{{1, {}}, {4, {}}, {1'000'000, {}}, {1'000'000, {}}};
        std::vector<std::string> steps;
        layerwiseOf(large, json::object(), problems, &steps);
        QCOMPARE(problems.size(), std::size_t(1));
        QCOMPARE(std::string(toString(problems[0].severity)), std::string("info"));
        QCOMPARE(problems[0].actions.size(), std::size_t(1));
        QCOMPARE(problems[0].actions[0].option, std::string("--set analyses.layerwise.samples=1"));
        QVERIFY(steps.at(0).find("shorter with --set analyses.layerwise.samples=1") != std::string::npos);
        problems.clear();
        layerwiseOf(large, {{"operations", "all"}}, problems);
        QCOMPARE(problems.at(0).actions.size(), std::size_t(2));
        QCOMPARE(problems[0].actions[1].option, std::string("--set analyses.layerwise.operations=computing"));
    }
};

QL_TEST(TestLayerwiseCost)
#include "tst_layerwise_cost.moc"
