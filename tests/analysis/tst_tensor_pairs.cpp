// Questions about single operations: the same numbers from kept activations as from whole runs.
#include "core/analysis/tensor_pairs.h"
#include "tests/support/test_main.h"

#include "core/analysis/distribution.h"
#include "tests/support/toy_model.h"

#include <ATen/TensorOperators.h>

#include <QtTest>
#include <algorithm>
#include <atomic>
#include <map>
#include <random>

using namespace ql;
using nlohmann::json;

namespace {

class CountedBatches final : public BatchSource
{
public:
    mutable std::atomic<int> reads = 0;
    std::size_t size() const override { return 4; }
    Feed batch(std::size_t index) const override
    {
        ++reads;
        return {{"x", test::spread({1, 3, 8, 8}) * (1 + 0.3 * double(index))}};
    }
};

/// The toy model with the type of every tensor, as a run has it.
QuantModel typedModel()
{
    QuantModel model = test::toyModel();
    const Executor executor(model.graph);
    for (const auto &[id, type] : executor.traceTypes(CountedBatches().batch(0), {})) model.graph.edit(id).type = type;
    return model;
}

struct Question
{
    Question() : model(typedModel()) {}

    QuantModel model;
    CountedBatches data;
    TensorPairCache cache;

    json ask(const std::string &id, const std::string &op, bool isKept, const std::string &key = "a")
    {
        AnalysisContext context(model);
        context.data = &data;
        context.batches = data.size();
        context.cacheKey = key;
        if (isKept) context.pairs = &cache;
        return analyse(id, context, {{"operations", {op}}});
    }
};

} // namespace

class TestTensorPairs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keptTensorsGiveTheSameNumbers_data()
    {
        QTest::addColumn<QString>("analysis");
        for (const char *analysis : {"statistics", "details"}) QTest::newRow(analysis) << QString(analysis);
    }
    void keptTensorsGiveTheSameNumbers()
    {
        QFETCH(QString, analysis);
        Question question;
        for (const char *op : {"fc", "conv1", "relu1", "fc"}) { // from the end, from the inputs, and again
            const json whole = question.ask(analysis.toStdString(), op, false);
            QVERIFY(!whole.front().empty());
            QCOMPARE(question.ask(analysis.toStdString(), op, true).dump(), whole.dump());
        }
    }

    /// The data is read while the cuts are filled, later only for operations without a cut upstream; never twice for
    /// one operation.
    void dataIsReadOnce()
    {
        Question question;
        question.ask("statistics", "fc", true);
        QCOMPARE(question.data.reads.load(), 4);
        question.ask("details", "fc", true); // the tensors are cached
        QCOMPARE(question.data.reads.load(), 4);
        QVERIFY(question.cache.isFilled);
        if (question.cache.floating.known == 0) QSKIP("the graph has no cut");
        question.ask("statistics", "relu1", true);
        question.ask("statistics", "fc", true);
        QVERIFY2(question.data.reads.load() <= 8, qPrintable(QString::number(question.data.reads.load())));
    }

    void anotherModelStartsFresh()
    {
        Question question;
        const json before = question.ask("statistics", "fc", true);
        QuantModel &model = question.model;
        TensorQuantConfig coarse = *model.plan.find(outputSlot(model.graph.findOperation("relu1")));
        coarse.scale = {0.2f};
        model.plan.set(outputSlot(model.graph.findOperation("relu1")), coarse);
        QCOMPARE(question.ask("statistics", "fc", true).dump(), before.dump()); // kept under the same key
        const json after = question.ask("statistics", "fc", true, "b");
        QVERIFY(after.dump() != before.dump());
        QCOMPARE(after.dump(), question.ask("statistics", "fc", false).dump());
    }

    /// As std::map counts, up to the most levels.
    void levelsAreCounted()
    {
        std::mt19937 random(7);
        for (const int different : {1, 5, 256}) {
            std::map<float, std::int64_t> wanted;
            LevelCounter counter;
            for (int i = 0; i < 20000; ++i) {
                const float value = float(int(random() % unsigned(different)) - different / 2) * 0.037f;
                ++wanted[value];
                counter.add(value);
            }
            counter.add(-0.0f);
            ++wanted[0.0f];
            QVERIFY(!counter.hasTooManyLevels());
            const auto levels = counter.levels();
            QCOMPARE(levels.size(), wanted.size());
            QVERIFY(std::equal(levels.begin(), levels.end(), wanted.begin(), [](const auto &a, const auto &b) {
                return a.first == b.first && a.second == b.second;
            }));
        }
        LevelCounter many;
        for (int i = 0; i < 5000; ++i) many.add(float(i));
        QVERIFY(many.hasTooManyLevels());
    }
};

QL_TEST(TestTensorPairs)
#include "tst_tensor_pairs.moc"
