#include "core/pass/equalization.h"
#include "pass_support.h"
#include "tests/support/test_main.h"

#include <map>
#include <set>

using namespace ql;
using namespace ql::test;

class TestLayerwiseEqualization : public QObject
{
    Q_OBJECT

private:
    /// first (a layer with `channels` outputs) -> between -> second, with channel ranges that differ by 100.
    struct Net
    {
        SmallGraph g;
        Net() { g.input("x", {1, 4, 6, 6}); }
        void layer(const std::string &type, const std::string &name, const std::string &from, const std::string &to,
                   std::vector<std::int64_t> weight, std::map<std::string, Attribute, std::less<>> attributes = {},
                   std::int64_t bias = 0)
        {
            at::Tensor w = noise(weight, std::hash<std::string>{}(name), 0.5);
            // rows get larger and larger
            const std::int64_t row = w.numel() / weight[0];
            for (std::int64_t i = 0; i < w.numel(); ++i)
                w.data_ptr<float>()[i] *= std::pow(10.f, float(i / row) / float(weight[0]) * 2 - 1);
            g.parameter("w_" + name, w);
            std::vector<std::string> inputs = {from, "w_" + name};
            if (bias) {
                g.parameter("b_" + name, noise({bias}, 7));
                inputs.push_back("b_" + name);
            }
            g.op(type, name, inputs, {to}, std::move(attributes));
        }
        QuantModel model(const std::string &output)
        {
            g.output(output);
            g.graph.verify();
            QuantModel m;
            m.graph = g.graph;
            return m;
        }
    };

    static at::Tensor weight(const QuantModel &model, const std::string &name)
    {
        return model.graph.variable(model.graph.findVariable(name)).value;
    }

    static std::vector<double> rowMaxima(const at::Tensor &w)
    {
        std::vector<double> out(std::size_t(w.size(0)));
        const auto all = values(w);
        for (std::size_t i = 0; i < all.size(); ++i) {
            double &most = out[i / (all.size() / out.size())];
            most = std::max(most, std::abs(all[i]));
        }
        return out;
    }

private Q_SLOTS:
    void theFunctionStays_data()
    {
        QTest::addColumn<QString>("net");
        QTest::addColumn<int>("changed");
        for (const auto &[name, changed] : std::map<QString, int>{{"Conv Conv", 2},
                                                                  {"grouped Conv", 2},
                                                                  {"depthwise in the middle", 3},
                                                                  {"ConvTranspose", 3},
                                                                  {"grouped ConvTranspose", 2},
                                                                  {"Gemm", 3},
                                                                  {"relays", 2},
                                                                  {"two readers", 3}})
            QTest::newRow(qPrintable(name)) << name << changed;
    }
    void theFunctionStays()
    {
        QFETCH(QString, net);
        QFETCH(int, changed);
        Net n;
        std::vector<std::int64_t> sizes = {1, 4, 6, 6};
        if (net == "Conv Conv") {
            n.layer("Conv", "a", "x", "t", {6, 4, 3, 3}, {}, 6);
            n.g.op("Relu", "relu", {"t"}, {"r"});
            n.layer("Conv", "b", "r", "y", {5, 6, 1, 1}, {}, 5);
        } else if (net == "grouped Conv") {
            n.layer("Conv", "a", "x", "t", {6, 2, 3, 3}, {{"group", std::int64_t{2}}}, 6);
            n.g.op("Relu", "relu", {"t"}, {"r"});
            n.layer("Conv", "b", "r", "y", {9, 2, 1, 1}, {{"group", std::int64_t{3}}}, 9);
        } else if (net == "depthwise in the middle") {
            n.layer("Conv", "a", "x", "t", {6, 4, 1, 1}, {}, 6);
            n.layer("Conv", "b", "t", "u", {6, 1, 3, 3}, {{"group", std::int64_t{6}}});
            n.g.op("Relu", "relu", {"u"}, {"r"});
            n.layer("Conv", "c", "r", "y", {3, 6, 1, 1});
        } else if (net == "ConvTranspose") {
            n.layer("Conv", "a", "x", "t", {6, 4, 1, 1});
            n.g.op("LeakyRelu", "relu", {"t"}, {"r"});
            n.layer("ConvTranspose", "b", "r", "u", {6, 3, 2, 2}, {}, 3);
            n.layer("Conv", "c", "u", "y", {2, 3, 1, 1});
        } else if (net == "grouped ConvTranspose") {
            n.layer("ConvTranspose", "a", "x", "t", {4, 3, 2, 2}, {{"group", std::int64_t{2}}}, 6);
            n.layer("Conv", "b", "t", "y", {2, 6, 1, 1});
        } else if (net == "Gemm") {
            sizes = {3, 4};
            n.g.graph.edit(n.g.graph.findVariable("x")).type.shape.reset();
            n.layer("Gemm", "a", "x", "t", {4, 6}, {{"alpha", 0.5f}, {"beta", 2.f}}, 6);
            n.g.op("Relu", "relu", {"t"}, {"r"});
            n.layer("Gemm", "b", "r", "u", {5, 6}, {{"transB", std::int64_t{1}}}, 5);
            n.layer("Gemm", "c", "u", "y", {5, 2});
        } else if (net == "relays") {
            n.layer("Conv", "a", "x", "t", {6, 4, 1, 1}, {}, 6);
            n.g.parameter("slope", floats({6, 1, 1}, {.1f, .2f, .3f, .4f, .5f, .6f}));
            n.g.op("PRelu", "prelu", {"t", "slope"}, {"p"});
            n.g.op("MaxPool", "pool", {"p"}, {"q"}, {{"kernel_shape", std::vector<std::int64_t>{2, 2}}});
            n.g.op("AveragePool", "average", {"q"}, {"v"}, {{"kernel_shape", std::vector<std::int64_t>{2, 2}}});
            n.g.op("GlobalAveragePool", "gap", {"v"}, {"w"});
            n.layer("Conv", "b", "w", "y", {2, 6, 1, 1});
        } else if (net == "two readers") {
            n.layer("Conv", "a", "x", "t", {6, 4, 1, 1}, {}, 6);
            n.g.op("Relu", "relu", {"t"}, {"r"});
            n.layer("Conv", "b", "r", "u", {3, 6, 1, 1});
            n.layer("Conv", "c", "r", "v", {3, 6, 1, 1});
            n.g.op("Mul", "mul", {"u", "v"}, {"y"});
        }
        QuantModel model = n.model("y");
        const Feed feed = {{"x", noise(sizes, 5)}};
        const at::Tensor before = forward(model, feed, false)[0];
        const at::Tensor oldWeight = weight(model, "w_a");
        const std::vector<double> oldValues = values(oldWeight);
        QCOMPARE(run("layerwise_equalization", model, {{"value_threshold", 0}}), changed);
        const at::Tensor after = forward(model, feed, false)[0];
        double largest = 0;
        for (const double value : values(before)) largest = std::max(largest, std::abs(value));
        QVERIFY2(largestDifference(before, after) < 1e-5 * largest,
                 qPrintable(QString::number(largestDifference(before, after) / largest)));
        QVERIFY(largestDifference(weight(model, "w_a"), oldWeight) > 0);
        QCOMPARE(values(oldWeight), oldValues); // values are shared: never written in place
    }

    void onePairByHand()
    {
        Net n;
        n.g.parameter("wa", floats({3, 4, 1, 1}, {4, 1, 1, 1, 0.01f, 0, 0, 0, 0.2f, 0, 0, 0}));
        n.g.parameter("ba", floats({3}, {1, 1, 1}));
        n.g.parameter("wb", floats({1, 3, 1, 1}, {1, 25, 0.1f}));
        n.g.op("Conv", "a", {"x", "wa", "ba"}, {"t"});
        n.g.op("Conv", "b", {"t", "wb"}, {"y"});
        QuantModel model = n.model("y");
        QCOMPARE(run("layerwise_equalization", model, {{"iterations", 1}}), 2);
        // sqrt(1/4) = 0.5; sqrt(25/0.01) = 50, limited to 10; 0.2 + 0.1 is below the threshold
        QCOMPARE(values(weight(model, "wa")),
                 values(floats({12}, {2, .5f, .5f, .5f, 0.01f * 10, 0, 0, 0, 0.2f, 0, 0, 0})));
        QCOMPARE(values(weight(model, "ba")), values(floats({3}, {0.5f, 10, 1})));
        QCOMPARE(values(weight(model, "wb")), values(floats({3}, {2, 2.5f, 0.1f})));
    }

    void biasesCanCount()
    {
        Net n;
        n.g.parameter("wa", floats({1, 4, 1, 1}, {1, 0, 0, 0}));
        n.g.parameter("ba", floats({1}, {-8}));
        n.g.parameter("wb", floats({1, 1, 1, 1}, {1}));
        n.g.op("Conv", "a", {"x", "wa", "ba"}, {"t"});
        n.g.op("Conv", "b", {"t", "wb"}, {"y"});
        QuantModel model = n.model("y");
        QuantModel same = model;
        QCOMPARE(run("layerwise_equalization", same, {{"iterations", 1}}), 0);
        run("layerwise_equalization", model, {{"iterations", 1}, {"including_bias", true}});
        QCOMPARE(weight(model, "wb").item<float>(), 2.f); // sqrt(1 / (0.5 * 8)) = 0.5
    }

    void activationsCanCount()
    {
        Net n;
        n.g.parameter("wa", floats({2, 4, 1, 1}, {1, 0, 0, 0, 0, 1, 0, 0}));
        n.g.parameter("wb", floats({1, 2, 1, 1}, {1, 1}));
        n.g.op("Conv", "a", {"x", "wa"}, {"t"});
        n.g.op("Conv", "b", {"t", "wb"}, {"y"});
        QuantModel model = n.model("y");
        at::Tensor x = noise({1, 4, 6, 6}, 1, 0.1);
        x.data_ptr<float>()[3] = -8; // channel 0
        const Batches batches(std::vector<Feed>{{{"x", x}}});
        run("layerwise_equalization", model, {{"iterations", 1}, {"including_act", true}}, &batches);
        QCOMPARE(values(weight(model, "wb")), values(floats({2}, {2, 1})));
        QVERIFY(errorOf([&] {
                    run("layerwise_equalization", model, {{"including_act", true}});
                }).kind == ErrorKind::BadData);
    }

    void rangesComeCloser()
    {
        Net n;
        n.layer("Conv", "a", "x", "t", {6, 4, 3, 3});
        n.g.op("Relu", "relu", {"t"}, {"r"});
        n.layer("Conv", "b", "r", "y", {5, 6, 1, 1});
        QuantModel model = n.model("y");
        const auto spreadOf = [](const at::Tensor &w) {
            const auto rows = rowMaxima(w);
            return *std::max_element(rows.begin(), rows.end()) / *std::min_element(rows.begin(), rows.end());
        };
        const double before = spreadOf(weight(model, "w_a"));
        run("layerwise_equalization", model, {{"value_threshold", 0}});
        const double after = spreadOf(weight(model, "w_a"));
        QVERIFY2(after < before / 2, qPrintable(QString("%1 -> %2").arg(before).arg(after)));
    }

    void unsafePairsAreLeftAlone_data()
    {
        QTest::addColumn<QString>("what");
        for (const char *what :
             {"graph output between", "Clip between", "Sigmoid between", "shared weight", "another reader",
              "read as a weight", "Add with a constant", "Add with a graph input", "Add at level 1", "transposed input",
              "bias per tensor", "no second layer", "Gemm behind Flatten"})
            QTest::newRow(what) << what;
    }
    void unsafePairsAreLeftAlone()
    {
        QFETCH(QString, what);
        Net n;
        std::string from = "t";
        nlohmann::json params = {{"value_threshold", 0}, {"optimize_level", 2}};
        n.layer("Conv", "a", "x", "t", {4, 4, 1, 1}, {}, what == "bias per tensor" ? 1 : 4);
        if (what == "graph output between") n.g.output("t");
        if (what == "Clip between" || what == "Sigmoid between") {
            n.g.parameter("lo", floats({}, {0}));
            n.g.parameter("hi", floats({}, {6}));
            if (what == "Clip between")
                n.g.op("Clip", "act", {"t", "lo", "hi"}, {"r"});
            else
                n.g.op("Sigmoid", "act", {"t"}, {"r"});
            from = "r";
        }
        if (what.startsWith("Add")) {
            if (what == "Add with a constant") {
                n.g.parameter("c", noise({4, 1, 1}, 1));
                n.g.op("Add", "add", {"t", "c"}, {"r"});
            } else if (what == "Add with a graph input") {
                n.g.op("Add", "add", {"t", "x"}, {"r"});
            } else {
                n.layer("Conv", "a2", "x", "t2", {4, 4, 1, 1});
                n.g.op("Add", "add", {"t", "t2"}, {"r"});
                params["optimize_level"] = 1;
            }
            from = "r";
        }
        if (what == "transposed input" || what == "no second layer")
            n.g.op("Tanh", "tanh", {from}, {"y"});
        else if (what == "Gemm behind Flatten") {
            n.g.op("Flatten", "flatten", {"t"}, {"f"});
            n.layer("Gemm", "b", "f", "y", {144, 2});
        } else {
            n.layer("Conv", "b", from, "y", {2, 4, 1, 1});
        }
        if (what == "shared weight") n.g.op("Conv", "again", {"x", "w_a"}, {"z"});
        if (what == "another reader") n.g.op("Exp", "other", {"t"}, {"z"});
        if (what == "read as a weight") n.g.op("Conv", "odd", {"x", "t"}, {"z"});
        QuantModel model = n.model("y");
        if (what == "transposed input") {
            SmallGraph g;
            g.input("x", {4, 3});
            g.parameter("wa", noise({4, 5}, 1));
            g.parameter("wb", noise({5, 2}, 2));
            g.op("Gemm", "a", {"x", "wa"}, {"t"}, {{"transA", std::int64_t{1}}});
            g.op("Gemm", "b", {"t", "wb"}, {"y"});
            g.output("y");
            model.graph = g.graph;
        }
        QVERIFY(equalizableOperations(model.graph).empty());
        QCOMPARE(run("layerwise_equalization", model, params), 0);
    }

    /// The offered remedy matches the effect of the pass.
    void reportsWhichLayersItScales()
    {
        Net n;
        n.layer("Conv", "a", "x", "t", {4, 4, 1, 1});
        n.g.op("Relu", "relu", {"t"}, {"r"});
        n.layer("Conv", "b", "r", "u", {4, 4, 1, 1});
        n.g.op("Tanh", "tanh", {"u"}, {"v"});
        n.layer("Conv", "c", "v", "y", {4, 4, 1, 1});
        QuantModel model = n.model("y");
        std::set<std::string> reported;
        for (const OpId op : equalizableOperations(model.graph)) reported.insert(model.graph.operation(op).name);
        QVERIFY((reported == std::set<std::string>{"a", "relu", "b"}));
        QCOMPARE(run("layerwise_equalization", model, {{"value_threshold", 0}}), 2);
    }

    void levelTwoCrossesAdd()
    {
        Net n;
        n.layer("Conv", "a", "x", "t", {4, 4, 1, 1});
        n.layer("Conv", "a2", "x", "t2", {4, 4, 1, 1});
        n.g.op("Add", "add", {"t", "t2"}, {"s"});
        n.g.op("Relu", "relu", {"s"}, {"r"});
        n.layer("Conv", "b", "r", "y", {2, 4, 1, 1});
        QuantModel model = n.model("y");
        const Feed feed = {{"x", noise({1, 4, 6, 6}, 5)}};
        const at::Tensor before = forward(model, feed, false)[0];
        QCOMPARE(run("layerwise_equalization", model, {{"value_threshold", 0}, {"optimize_level", 2}}), 3);
        QVERIFY(at::allclose(forward(model, feed, false)[0], before, 1e-4, 1e-4));
    }

    void interestingLayersOnly()
    {
        Net n;
        n.layer("Conv", "a", "x", "t", {4, 4, 1, 1});
        n.layer("Conv", "b", "t", "u", {4, 4, 1, 1});
        n.layer("Conv", "c", "u", "y", {4, 4, 1, 1});
        QuantModel model = n.model("y");
        const std::vector<double> first = values(weight(model, "w_a"));
        QCOMPARE(run("layerwise_equalization", model, {{"value_threshold", 0}, {"interested_layers", {"[b]"}}}), 2);
        QCOMPARE(values(weight(model, "w_a")), first);
    }
};

QL_TEST(TestLayerwiseEqualization)
#include "tst_layerwise_equalization.moc"
