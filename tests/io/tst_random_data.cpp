#include "core/base/error.h"
#include "core/io/dataset.h"
#include "core/io/random_source.h"
#include "tests/support/error_of.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"

#include <ATen/ops/equal.h>
#include <QtTest>

using namespace ql;
using ql::test::messageOf;

namespace {

test::SmallGraph imageGraph(const std::vector<std::int64_t> &shape = {1, 3, 8, 8})
{
    test::SmallGraph g;
    g.input("x", shape);
    g.op("Relu", "relu", {"x"}, {"y"});
    g.output("y");
    return g;
}

std::shared_ptr<Dataset> open(const std::string &text, const Graph &graph, std::size_t samples = 0)
{
    DatasetOptions options;
    options.samples = samples;
    return Dataset::open(text, graph, options);
}

std::pair<double, double> ends(const at::Tensor &tensor)
{
    const std::vector<double> values = test::values(tensor);
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return {*low, *high};
}

} // namespace

class TestRandomData : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theSameTextGivesTheSameValues()
    {
        const test::SmallGraph g = imageGraph();
        const auto first = open("random:4,seed=1", g.graph), again = open("random:4,seed=1", g.graph),
                   other = open("random:4,seed=2", g.graph);
        QCOMPARE(first->size(), std::size_t{4});
        const at::Tensor sample = first->batch(1).at("x");
        QCOMPARE(sample.sizes().vec(), (std::vector<std::int64_t>{1, 3, 8, 8}));
        QVERIFY(at::equal(sample, again->batch(1).at("x")));
        QVERIFY(!at::equal(sample, other->batch(1).at("x")));
        QVERIFY(!at::equal(sample, first->batch(0).at("x")));
        QCOMPARE(first->contentHash(), again->contentHash());
        QVERIFY(first->contentHash() != other->contentHash());
        QVERIFY(first->sampleKeys() != other->sampleKeys());
    }

    void numberOfSamples()
    {
        const test::SmallGraph g = imageGraph(), batched = imageGraph({4, 3, 8, 8});
        QCOMPARE(open("random:", g.graph, 6)->size(), std::size_t{6});
        QCOMPARE(open("random:3", g.graph, 6)->size(), std::size_t{3});
        QCOMPARE(open("random:8", batched.graph)->size(), std::size_t{2});
        for (const api::Problem &problem : open("random:3", g.graph, 6)->problems())
            QVERIFY2(problem.severity == api::Severity::Info, problem.message.english().c_str());
    }

    void values()
    {
        const test::SmallGraph g = imageGraph({1, 100, 100});
        const auto [low, high] = ends(open("random:1,range=-0.5..2", g.graph)->batch(0).at("x"));
        QVERIFY(low >= -0.5 && low < -0.49 && high < 2 && high > 1.99);
        const std::vector<double> normal = test::values(open("random:1,normal=3..0.5", g.graph)->batch(0).at("x"));
        double sum = 0, squares = 0;
        for (const double value : normal) {
            sum += value;
            squares += (value - 3) * (value - 3);
        }
        QVERIFY(std::abs(sum / 10000 - 3) < 0.02);
        QVERIFY(std::abs(std::sqrt(squares / 10000) - 0.5) < 0.02);
        QCOMPARE(open("random:1,normal", g.graph)->contentHash().size(), std::size_t{64});
    }

    /// Indices stay within the table that they select from; a mask next to them is 0 or 1.
    void indices()
    {
        test::SmallGraph g;
        g.input("ids", {1, 200}, at::kLong);
        g.input("mask", {1, 200}, at::kLong);
        g.parameter("table", test::ramp({30, 2}, 0, 1));
        g.op("Cast", "cast", {"ids"}, {"ids32"}, {{"to", std::int64_t{6}}});
        g.op("Gather", "gather", {"table", "ids32"}, {"rows"});
        g.op("Identity", "same", {"mask"}, {"m"});
        g.output("rows");
        g.output("m");
        QCOMPARE(indexedEntries(g.graph, g.graph.findVariable("ids")), std::optional<std::int64_t>(30));
        QCOMPARE(indexedEntries(g.graph, g.graph.findVariable("mask")), std::optional<std::int64_t>());
        for (const char *text : {"random:2", "random:2,range=-1..1"}) {
            const Feed feed = open(text, g.graph)->batch(0);
            QCOMPARE(feed.at("ids").scalar_type(), at::kLong);
            const auto [low, high] = ends(feed.at("ids"));
            QVERIFY(low == 0 && high == 29);
        }
        const auto [low, high] = ends(open("random:2", g.graph)->batch(0).at("mask"));
        QVERIFY(low == 0 && high == 1);
        const auto own = ends(open("random:2,ids.range=5..6", g.graph)->batch(0).at("ids"));
        QVERIFY(own.first == 5 && own.second == 6);
    }

    /// A state whose batch axis is not the leading one comes whole.
    void differentLeadingAxes()
    {
        test::SmallGraph g;
        g.input("x", {1, 4});
        g.input("state", {2, 1, 3});
        g.op("Neg", "a", {"x"}, {"y"});
        g.op("Neg", "b", {"state"}, {"z"});
        g.output("y");
        g.output("z");
        const Feed feed = open("random:2", g.graph)->batch(1);
        QCOMPARE(feed.at("x").sizes().vec(), (std::vector<std::int64_t>{1, 4}));
        QCOMPARE(feed.at("state").sizes().vec(), (std::vector<std::int64_t>{2, 1, 3}));
    }

    void mistakes_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("message");
        const auto row = [](const char *text, const char *message) {
            QTest::newRow(text) << QByteArray(text) << message;
        };
        row("random:0", "random data \"random:0\": '0': must be from 1 to 16777216");
        row("random:4,sead=1", "random data \"random:4,sead=1\": 'sead=1': unknown. Did you mean 'seed'?");
        row("random:4,seed=-1", "random data \"random:4,seed=-1\": 'seed=-1': expected an integer of at least 0");
        row("random:4,range=1", "random data \"random:4,range=1\": 'range=1': expected two numbers such as -1..1");
        row("random:4,range=2..1", "random data \"random:4,range=2..1\": 'range=2..1': the lowest value must not be");
        row("random:4,normal=0..1,range=-1..1",
            "random data \"random:4,normal=0..1,range=-1..1\": 'range=-1..1': range and");
        row("random:4,x.range=0..1,x.normal",
            "random data \"random:4,x.range=0..1,x.normal\": 'x.normal': range and normal exclude each other");
        row("random:4,range=0..1e39",
            "random data \"random:4,range=0..1e39\": 'range=0..1e39': the values do not fit into float32");
        row("random:4,x.normal=1e38..1e38",
            "random data \"random:4,x.normal=1e38..1e38\": 'x.normal=1e38..1e38': the values do not fit into float32");
        row("random:4,normal=0..-1", "random data \"random:4,normal=0..-1\": 'normal=0..-1': a standard deviation");
        row("random:4,5", "random data \"random:4,5\": '5': given twice");
        row("random:4,y.range=0..1", "random data \"random:4,y.range=0..1\": the model has no input 'y'.");
    }
    void mistakes()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, message);
        const test::SmallGraph g = imageGraph();
        const QString got = messageOf([&] { open(text.toStdString(), g.graph); });
        QVERIFY2(got.contains(message), qPrintable(got));
    }

    void unknownShapes()
    {
        const test::SmallGraph open_ = imageGraph({1, 3, -1, 8});
        const Error error = test::errorOf([&] { open("random:4", open_.graph); });
        QCOMPARE(error.message.english(), std::string("random data needs inputs of known shape, this one is 1x3x?x8"));
        QCOMPARE(error.remedy.english(), std::string("Fix it with --input-shape x=1x3x224x8."));
    }

    void shapesToFix()
    {
        const auto option = [](const std::vector<std::int64_t> &sizes) {
            DataInput input{.name = "in", .type = {at::kFloat, std::vector<Dim>(sizes.size())}};
            for (std::size_t i = 0; i < sizes.size(); ++i) (*input.type.shape)[i].size = sizes[i];
            return shapeOption(input).english();
        };
        QCOMPARE(option({-1, -1, -1, -1}), std::string("--input-shape in=1x3x224x224"));
        QCOMPARE(option({-1, 1, 48, -1}), std::string("--input-shape in=1x1x48x224"));
        QCOMPARE(option({-1, -1}), std::string("--input-shape in=1x16"));
    }
};

QL_TEST(TestRandomData)
#include "tst_random_data.moc"
