#include "core/analysis/analyser.h"
#include "core/analysis/error_measure.h"
#include "core/analysis/slot_noise.h"
#include "tests/support/loop_model.h"
#include "tests/support/test_main.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/sin.h>
#include <QtTest>
#include <algorithm>
#include <map>
#include <numeric>
#include <type_traits>

using namespace ql;
using namespace ql::test;
using nlohmann::json;

/// Tensors in quantized bodies of control flow, and the noise that starts there.
class TestBodyNoise : public QObject
{
    Q_OBJECT

    /// Uncorrelated, between -size and size.
    static at::Tensor waves(const std::vector<std::int64_t> &shape, float size, float start)
    {
        const at::Tensor steps = ramp(shape, start, 1.1f);
        return at::sin(steps * steps) * size;
    }

    static QuantModel loop() { return quantizedLoop(waves({16, 16}, 0.3f, 1), 3, 0.05f, 0.01f, 0.03f); }

    class Samples final : public BatchSource
    {
    public:
        std::size_t size() const override { return 8; }
        Feed batch(std::size_t i) const override { return {{"x", waves({1, 16}, 1, float(i))}}; }
    };

    static const api::NoiseRow *find(const std::vector<api::NoiseRow> &rows, const std::string &op)
    {
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto &r) { return r.slot.op == op; });
        return row == rows.end() ? nullptr : &*row;
    }

private Q_SLOTS:
    /// Gradients pass through bodies, so that one backward pass ranks what is upstream of them and in them.
    void ranksTensorsInBodies()
    {
        const QuantModel model = loop();
        const Samples samples;
        AnalysisContext context(model);
        context.data = &samples;
        context.batches = samples.size();
        const auto rows = [&](int measured) {
            return analyse("noise", context, {{"samples", 8}, {"measured", measured}}).noise.value();
        };
        const std::vector<api::NoiseRow> estimated = rows(0), measured = rows(3);
        QCOMPARE(estimated.size(), std::size_t(3)); // the captured weight once, as what reads it
        for (const char *op : {"relu", "product"}) {
            const api::NoiseRow *const guess = find(estimated, op), *const exact = find(measured, op);
            QVERIFY(guess && exact && guess->isEstimated && !exact->isEstimated);
            const double ratio = guess->noiseRatio.value() / exact->noiseRatio.value();
            QVERIFY2(ratio > 0.3 && ratio < 3, qPrintable(QString("%1: %2").arg(op).arg(ratio)));
        }
        // Measured alone: nothing in a body is rounded then
        QuantModel only = model;
        only.plan.bodies.clear();
        only.plan.setState(inputSlot(only.graph.findOperation("loop"), 3), QuantState::Off, {});
        AnalysisContext alone(only);
        alone.data = &samples;
        alone.batches = samples.size();
        const double noise = analyse("outputs", alone, {}).outputs.value().at(0).noiseRatio.value();
        QVERIFY(std::abs(find(measured, "relu")->noiseRatio.value() / noise - 1) < 1e-9);
        // For a search, noise in bodies belongs to the operation that has them
        const std::map<Slot, double> slots = slotNoise(context);
        double inBody = 0;
        for (const auto &[place, value] : slotNoise(context, {0, 1, 2, 3, 4, 5, 6, 7}).inBodies) inBody += value;
        const double ofLoop = slots.at(inputSlot(model.graph.findOperation("loop"), 3));
        QVERIFY(std::abs(ofLoop / inBody - 1) < 1e-9);
    }

    /// What comes into an operation in a body and what it adds, on the runs of its body.
    void explainsOperationsInBodies()
    {
        const QuantModel model = loop();
        const Samples samples;
        AnalysisContext context(model);
        context.data = &samples;
        context.batches = samples.size();
        const api::Explanation explanation = analyse("explanation", context, {}).explanation.value();
        std::map<std::string, const api::NoiseOrigin *> origins;
        for (const api::NoiseOrigin &row : explanation.operations) {
            origins[row.op] = &row;
            QCOMPARE(row.samples.size(), samples.size());
        }
        QCOMPARE(origins.size(), std::size_t(3));
        const api::NoiseOrigin &product = *origins.at("product"), &whole = *origins.at("loop");
        QVERIFY(product.added.value() > 0 && product.samples.front().value() > 0);
        QCOMPARE(product.inputs.size(), std::size_t(1)); // its weight is constant
        QCOMPARE(product.inputs.front().variable, std::string("s"));
        QVERIFY(product.inputs.front().noiseRatio.value() > 0);
        QVERIFY(whole.added.value() > 0);
        QCOMPARE(whole.inputs.size(), std::size_t(2));
        QCOMPARE(whole.inputs.back().from, std::string("relu"));
        QVERIFY(explanation.outputs.at(0).activationsDb && explanation.outputs.at(0).weightsDb); // those in the body
        const std::vector<api::ErrorRow> graphwise = analyse("graphwise", context, {}).graphwise.value();
        for (const api::ErrorRow &row : graphwise)
            if (row.op == "product") QVERIFY(std::abs(row.noiseRatio.value() / product.noiseRatio.value() - 1) < 1e-9);
    }

    /// Without time for any measurement, all operations have an estimate.
    void estimatesOperationsInBodies()
    {
        const QuantModel model = loop();
        const Samples samples;
        AnalysisContext context(model);
        context.data = &samples;
        context.batches = samples.size();
        const auto rows = analyse("layerwise", context, {{"seconds", 1e-9}}).layerwise.value();
        std::map<std::string, double> noise;
        for (const api::ErrorRow &row : rows) {
            QVERIFY(row.isEstimated);
            noise[row.op] = row.noiseRatio.value();
        }
        QCOMPARE(noise.size(), std::size_t(3));
        QVERIFY(noise.at("product") > 0 && noise.at("relu") > 0);
        QCOMPARE(noise.at("loop"), noise.at("product"));
    }

    /// The tensors of operations in bodies, in every run of the body. They may be asked for by their path.
    void showsTensorsInBodies()
    {
        const QuantModel model = loop();
        const Samples samples;
        AnalysisContext context(model);
        context.data = &samples;
        context.batches = samples.size();
        constexpr std::int64_t values = 8 * 3 * 16; // batches, iterations
        const auto ofProduct = [](const auto &rows) {
            std::map<std::string, const std::decay_t<decltype(rows.front())> *> found;
            for (const auto &row : rows)
                if (row.op == "product") found[row.variable] = &row;
            return found;
        };
        for (const json &params : {json::object(), json{{"operations", {"loop/body/product"}}}}) {
            const auto statistics = analyse("statistics", context, params).statistics.value();
            const auto tensors = ofProduct(statistics);
            QCOMPARE(tensors.size(), std::size_t(3));
            const api::Histogram &histogram = tensors.at("s")->original.histogram;
            QCOMPARE(std::accumulate(histogram.counts.begin(), histogram.counts.end(), std::int64_t(0)), values);
            QVERIFY(tensors.at("s")->noiseRatio.value() > 0 && tensors.at("w")->noiseRatio.value() > 0);
            const auto parameters = analyse("parameters", context, params).parameters.value();
            QCOMPARE(ofProduct(parameters).size(), std::size_t(1));
            QCOMPARE(ofProduct(parameters).at("w")->original.histogram.counts,
                     tensors.at("w")->original.histogram.counts);
        }
        const auto details =
            analyse("details", context, {{"operations", {"loop/body/product"}}, {"pairs", 500}}).details;
        QCOMPARE(details->size(), std::size_t(3));
        for (const api::DetailRow &row : *details) QCOMPARE(row.op, std::string("product"));
        QCOMPARE(ofProduct(*details).at("s")->pairs.original.size(), std::size_t(values));
        QCOMPARE(ofProduct(*details).at("s")->channels->min.size(), std::size_t(16));
        const std::vector<api::RangeRow> ranges = analyse("ranges", context, {}).ranges->tensors;
        const auto range = ofProduct(ranges);
        QVERIFY(range.contains("s") && range.contains("p"));
        QCOMPARE(range.at("s")->elements, values);
        QVERIFY(range.at("s")->clipped == 0 && range.at("s")->max.value() > 0);
    }
};

QL_TEST(TestBodyNoise)
#include "tst_body_noise.moc"
