// Layerwise errors at chosen tensors instead of the graph outputs.
#include "core/analysis/analyser.h"
#include "core/analysis/layerwise_cache.h"
#include "core/base/error.h"
#include "tests/support/error_of.h"
#include "tests/support/test_main.h"
#include "tests/support/toy_model.h"

#include <ATen/TensorOperators.h>
#include <QtTest>

using namespace ql;
using nlohmann::json;
using ql::test::messageOf;

namespace {

class OutputBatches final : public BatchSource
{
public:
    std::size_t size() const override { return 3; }
    Feed batch(std::size_t index) const override
    {
        return {{"x", test::spread({1, 3, 8, 8}) * (1 + 0.3 * double(index))}};
    }
};

/// The noise of each operation, at the tensor that is named, as "op@tensor".
std::map<std::string, double> errorsAt(const QuantModel &model, const json &outputs, double seconds = 0,
                                       LayerwiseCache *cache = nullptr)
{
    const OutputBatches data;
    AnalysisContext context(model);
    context.data = &data;
    context.batches = data.size();
    context.layerwise = cache;
    context.cacheKey = "toy";
    const json params = {{"operations", "all"}, {"outputs", outputs}, {"seconds", seconds}};
    std::map<std::string, double> found;
    const api::Measures measures = analyse("layerwise", context, params);
    for (const api::ErrorRow &row : measures.layerwise.value())
        found[row.op + "@" + row.output] = row.noiseRatio.value();
    return found;
}

/// With one operation quantized, in relation to the float tensor.
double noiseAt(const QuantModel &model, const char *operation, const char *tensor)
{
    const std::set<OpId> only{model.graph.findOperation(operation)};
    ProgramSpec spec;
    spec.outputs = {model.graph.findVariable(tensor)};
    const Executor executor(model.graph);
    const Program floating = executor.compile(spec);
    spec.plan = &model.plan;
    spec.onlyQuantized = &only;
    const Program quantized = executor.compile(spec);
    const OutputBatches data;
    double sum = 0;
    for (std::size_t i = 0; i < data.size(); ++i) {
        const at::Tensor fp = floating.run(data.batch(i), {})[0], difference = quantized.run(data.batch(i), {})[0] - fp;
        sum += (difference * difference).sum().item<double>() / (fp * fp).sum().item<double>();
    }
    return sum / double(data.size());
}

} // namespace

class TestLayerwiseOutputs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void measuresAtChosenTensors()
    {
        const QuantModel model = test::toyModel();
        const auto atPool = errorsAt(model, {"p"});
        QCOMPARE(atPool.size(), std::size_t(2)); // fc does not reach it
        for (const char *operation : {"conv1", "relu1"}) {
            const double want = noiseAt(model, operation, "p"), is = atPool.at(std::string(operation) + "@p");
            QVERIFY2(want > 0 && std::abs(is - want) < 1e-6 * want, operation);
        }
        QCOMPARE(errorsAt(model, {"y"}), errorsAt(model, json::array()));
        // Of several the worst one, for each operation
        const auto both = errorsAt(model, {"p", "y"});
        QCOMPARE(both.size(), std::size_t(3));
        QVERIFY(both.contains("fc@y"));
        for (const char *operation : {"conv1", "relu1"}) {
            const double pool = noiseAt(model, operation, "p"), last = noiseAt(model, operation, "y");
            const std::string key = std::string(operation) + (pool > last ? "@p" : "@y");
            QVERIFY2(both.contains(key), operation);
        }
    }

    /// Also where a limit of time leaves estimates.
    void estimatesAtChosenTensors()
    {
        const QuantModel model = test::toyModel();
        const auto estimated = errorsAt(model, {"r1"}, 1e-9);
        QCOMPARE(estimated.size(), std::size_t(2));
        const double want = noiseAt(model, "relu1", "r1");
        QVERIFY(std::abs(estimated.at("relu1@r1") - want) < 0.5 * want);
    }

    void resultsOfOtherTensorsAreNotReused()
    {
        const QuantModel model = test::toyModel();
        LayerwiseCache cache;
        const auto last = errorsAt(model, json::array(), 0, &cache), pool = errorsAt(model, {"p"}, 0, &cache);
        QCOMPARE(pool, errorsAt(model, {"p"}));
        QCOMPARE(errorsAt(model, json::array(), 0, &cache), last);
    }

    void refusesOtherNames()
    {
        const QuantModel model = test::toyModel();
        QCOMPARE(
            messageOf([&] { errorsAt(model, {"c2"}); }),
            QString("analysis 'layerwise': no operation computes a tensor 'c2'. Did you mean 'c1'? Its tensors: c1, "
                    "r1, p, f, y."));
        QVERIFY(messageOf([&] { errorsAt(model, {"y", "w1"}); }).contains("'w1' is an input or a parameter"));
        QVERIFY(messageOf([&] { errorsAt(model, {"x"}); }).contains("'x' is an input or a parameter"));
    }
};

QL_TEST(TestLayerwiseOutputs)
#include "tst_layerwise_outputs.moc"
