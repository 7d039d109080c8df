#include "pass_support.h"
#include "tests/support/test_main.h"

using namespace ql;
using namespace ql::test;

class TestQuantizeFusion : public QObject
{
    Q_OBJECT

private:
    /// x -> conv -> act -> y
    static QuantModel pair(const std::string &first, const std::string &second)
    {
        SmallGraph g;
        g.input("x", {1, 2, 4, 4});
        g.parameter("w", noise({2, 2, 1, 1}, 1));
        if (first == "Conv")
            g.op("Conv", "first", {"x", "w"}, {"t"});
        else
            g.op(first, "first", {"x", "x"}, {"t"});
        g.op(second, "second", {"t"}, {"y"});
        g.output("y");
        return configured(std::move(g.graph));
    }

private Q_SLOTS:
    void activations_data()
    {
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("second");
        QTest::addColumn<QString>("params");
        QTest::addColumn<bool>("fused");
        QTest::newRow("Conv Relu") << "Conv"
                                   << "Relu"
                                   << R"({})" << true;
        QTest::newRow("Conv Sigmoid, not listed") << "Conv"
                                                  << "Sigmoid"
                                                  << R"({})" << false;
        QTest::newRow("Conv Sigmoid") << "Conv"
                                      << "Sigmoid"
                                      << R"({"activations": ["Sigmoid"]})" << true;
        QTest::newRow("Conv Softplus by its other spelling") << "Conv"
                                                             << "Softplus"
                                                             << R"({"activations": ["SoftPlus"]})" << true;
        QTest::newRow("Add Relu") << "Add"
                                  << "Relu"
                                  << R"({"activations": []})" << true;
        QTest::newRow("Add Relu, switched off") << "Add"
                                                << "Relu"
                                                << R"({"relu_clip": false})" << false;
        QTest::newRow("Add Sigmoid") << "Add"
                                     << "Sigmoid"
                                     << R"({"activations": ["Sigmoid"]})" << false;
        QTest::newRow("Conv Relu, both switched off") << "Conv"
                                                      << "Relu"
                                                      << R"({"activations": [], "relu_clip": false})" << false;
    }
    void activations()
    {
        QFETCH(QString, first);
        QFETCH(QString, second);
        QFETCH(QString, params);
        QFETCH(bool, fused);
        QuantModel model = pair(first.toStdString(), second.toStdString());
        QCOMPARE(run("quantize_fusion", model, nlohmann::json::parse(params.toStdString())), fused ? 2 : 0);
        QL_STATE(model, out(model, "first"), fused ? "overlapped" : "initial");
        QL_STATE(model, in(model, "second"), fused ? "overlapped" : "initial");
        QL_STATE(model, out(model, "second"), "initial");
        QL_STATE(model, in(model, "first"), "initial");
        if (fused) {
            QVERIFY(model.plan.root(out(model, "first")) == out(model, "second"));
            const auto *config = model.plan.find(out(model, "first"));
            QCOMPARE(model.plan.origin(*config, ConfigField::State), Origin::pass("quantize_fusion"));
        }
    }

    void onlyFusedActivationsAreQuantized()
    {
        for (const bool isFused : {true, false}) {
            QuantModel model = pair(isFused ? "Conv" : "Add", "Relu");
            QVERIFY(run("quantize_fusion", model, {{"only_fused", true}}) > 0);
            QCOMPARE(model.isQuantized(model.graph.findOperation("second")), isFused);
            QVERIFY(model.isQuantized(model.graph.findOperation("first")));
        }
    }

    /// An Add of two tensors with scales, whose sum a Conv reads quantized; likewise with a Relu. Not a Sigmoid.
    void wholeTensorsAreRounded_data()
    {
        QTest::addColumn<QString>("type");
        for (const char *type : {"Add", "Relu", "Sigmoid"}) QTest::newRow(type) << type;
    }
    void wholeTensorsAreRounded()
    {
        QFETCH(QString, type);
        SmallGraph g;
        g.input("x", {1, 2, 4, 4});
        g.parameter("w", noise({2, 2, 1, 1}, 1));
        g.op("Conv", "first", {"x", "w"}, {"c"});
        g.op("Add", "add", {"c", "x"}, {type == "Add" ? "t" : "s"});
        if (type != "Add") g.op(type.toStdString(), "activation", {"s"}, {"t"});
        g.op("Conv", "conv", {"t", "w"}, {"y"});
        g.op("Mul", "mul", {"t", "t"}, {"z"});
        g.output("y");
        g.output("z");
        QuantModel model = configured(std::move(g.graph));
        for (const char *name : {"add", "activation", "mul"}) {
            const OpId id = model.graph.findOperation(name);
            if (id == noOp) continue;
            model.plan.erase(id);
            model.dispatch[id].platform = "FP32";
        }
        QCOMPARE(run("quantize_fusion", model), 0);
        const bool isOnCodes = type != "Sigmoid";
        QCOMPARE(run("quantize_fusion", model, {{"whole_tensors", true}}), isOnCodes ? 2 : 0);
        const OpId made = model.graph.variable(model.graph.findVariable("t")).producer;
        QCOMPARE(model.plan.find(outputSlot(made)) != nullptr, isOnCodes);
        QVERIFY(model.plan.root(in(model, "conv")) == (isOnCodes ? outputSlot(made) : in(model, "conv")));
        QCOMPARE(model.platformOf(made), std::string(isOnCodes ? "INT8" : "FP32"));
        QVERIFY(!model.plan.find(in(model, "mul")));
        // x is read with the scale that the Conv reads it with
        const Slot addend = in(model, "add", 1);
        QCOMPARE(model.plan.find(addend) != nullptr, isOnCodes);
        if (isOnCodes) QVERIFY(model.plan.root(addend) == in(model, "first"));
        QCOMPARE(run("quantize_fusion", model, {{"whole_tensors", true}}), 0);
    }

    /// A pool and a Resize on codes keep the scale of what they read.
    void scalesPassPools_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<bool>("isOnCodes");
        QTest::newRow("MaxPool") << "MaxPool" << true;
        QTest::newRow("Resize") << "Resize" << true;
        QTest::newRow("Sigmoid") << "Sigmoid" << false;
    }
    void scalesPassPools()
    {
        QFETCH(QString, type);
        QFETCH(bool, isOnCodes);
        SmallGraph g;
        g.input("x", {1, 2, 4, 4});
        g.parameter("w", noise({2, 2, 1, 1}, 1));
        g.parameter("none", floats({0}, {}));
        g.parameter("once", floats({4}, {1, 1, 1, 1}));
        g.op("Conv", "first", {"x", "w"}, {"c"});
        std::vector<std::string> inputs{"c"};
        if (type == "Resize") inputs.insert(inputs.end(), {"none", "once"});
        std::map<std::string, Attribute, std::less<>> attributes;
        if (type == "MaxPool") attributes["kernel_shape"] = std::vector<std::int64_t>{1, 1};
        g.op(type.toStdString(), "middle", inputs, {"m"}, attributes);
        g.op("Add", "add", {"m", "c"}, {"t"});
        g.op("Conv", "conv", {"t", "w"}, {"y"});
        g.op("Mul", "mul", {"t", "t"}, {"z"});
        for (const char *name : {"y", "z"}) g.output(name);
        QuantModel model = configured(std::move(g.graph));
        for (const char *name : {"middle", "add", "mul"}) {
            model.plan.erase(model.graph.findOperation(name));
            model.dispatch[model.graph.findOperation(name)].platform = "FP32";
        }
        run("quantize_fusion", model, {{"whole_tensors", true}});
        QCOMPARE(model.plan.find(out(model, "add")) != nullptr, isOnCodes);
    }

    /// MNN computes a Conv with groups in float32, unless each channel is a group, and one with three spatial axes.
    void groupsStayInFloat_data()
    {
        QTest::addColumn<int>("groups");
        QTest::addColumn<int>("axes");
        QTest::addColumn<bool>("isQuantized");
        QTest::newRow("one") << 1 << 2 << true;
        QTest::newRow("some") << 2 << 2 << false;
        QTest::newRow("each channel") << 4 << 2 << true;
        QTest::newRow("three axes") << 1 << 3 << false;
    }
    void groupsStayInFloat()
    {
        QFETCH(int, groups);
        QFETCH(int, axes);
        QFETCH(bool, isQuantized);
        SmallGraph g;
        std::vector<std::int64_t> image{1, 4}, window{4, 4 / groups};
        image.insert(image.end(), std::size_t(axes), 4);
        window.insert(window.end(), std::size_t(axes), 1);
        g.input("x", image);
        g.parameter("w", noise(window, 1));
        g.op("Conv", "conv", {"x", "w"}, {"t"}, {{"group", std::int64_t(groups)}});
        g.op("Relu", "relu", {"t"}, {"y"});
        g.output("y");
        QuantModel model = configured(std::move(g.graph));
        run("quantize_fusion", model, {{"whole_tensors", true}, {"only_fused", true}});
        QCOMPARE(model.isQuantized(model.graph.findOperation("conv")), isQuantized);
        QCOMPARE(model.isQuantized(model.graph.findOperation("relu")), isQuantized);
    }

    void anotherReaderPreventsIt()
    {
        SmallGraph g;
        g.input("x", {1, 2, 4, 4});
        g.parameter("w", noise({2, 2, 1, 1}, 1));
        g.op("Conv", "conv", {"x", "w"}, {"t"});
        g.op("Relu", "relu", {"t"}, {"y"});
        g.op("Sigmoid", "other", {"t"}, {"z"});
        g.output("y");
        g.output("z");
        QuantModel model = configured(std::move(g.graph));
        QCOMPARE(run("quantize_fusion", model), 0);
    }

    void aGraphOutputInBetweenPreventsIt()
    {
        QuantModel model = pair("Conv", "Relu");
        model.graph.setOutputs({model.graph.findVariable("y"), model.graph.findVariable("t")});
        QCOMPARE(run("quantize_fusion", model), 0);
    }

    void anUnquantizedOperationPreventsIt()
    {
        QuantModel model = pair("Conv", "Relu");
        model.plan.erase(model.graph.findOperation("second"));
        QCOMPARE(run("quantize_fusion", model), 0);
    }

    void platforms()
    {
        const nlohmann::json computing = {{"relu_clip", false}};
        QuantModel model = pair("Conv", "Relu");
        model.dispatch[model.graph.findOperation("second")].platform = "INT4";
        Problems problems;
        QCOMPARE(run("quantize_fusion", model, computing, nullptr, &problems), 0);
        QCOMPARE(problems.size(), std::size_t(1));
        QCOMPARE(problems[0].op, std::string("first"));
        // a float output means that the target passes the tensor on unchanged
        model.plan.find(out(model, "first"))->state = QuantState::Off;
        QCOMPARE(run("quantize_fusion", model, computing, nullptr, &problems), 2);
        QCOMPARE(problems.size(), std::size_t(1));
    }

    void composedActivations_data()
    {
        QTest::addColumn<QString>("params");
        QTest::addColumn<bool>("mish");
        QTest::newRow("swish by switch") << R"({"swish": true})" << false;
        QTest::newRow("swish in the list") << R"({"activations": ["Swish"]})" << false;
        QTest::newRow("mish by switch") << R"({"mish": true})" << true;
        QTest::newRow("mish in the list") << R"({"activations": ["Mish"]})" << true;
    }
    void composedActivations()
    {
        QFETCH(QString, params);
        QFETCH(bool, mish);
        SmallGraph g;
        g.input("x", {1, 2, 4, 4});
        g.parameter("w", noise({2, 2, 1, 1}, 1));
        g.op("Conv", "conv", {"x", "w"}, {"t"});
        g.op(mish ? "Softplus" : "Sigmoid", "s", {"t"}, {"s"});
        if (mish) g.op("Tanh", "tanh", {"s"}, {"h"});
        // the order of Mul's inputs does not matter
        g.op("Mul", "mul", {mish ? "h" : "s", "t"}, {"y"});
        g.output("y");
        QuantModel model = configured(std::move(g.graph));
        QuantModel untouched = model;
        QCOMPARE(run("quantize_fusion", untouched, {{"relu_clip", false}}), 0);
        QCOMPARE(run("quantize_fusion", model, nlohmann::json::parse(params.toStdString())), mish ? 7 : 5);
        for (const Slot slot :
             {out(model, "conv"), in(model, "s"), out(model, "s"), in(model, "mul", 0), in(model, "mul", 1)}) {
            QL_STATE(model, slot, "overlapped");
            QVERIFY(model.plan.root(slot) == out(model, "mul"));
        }
        QL_STATE(model, out(model, "mul"), "initial");
    }

    /// A target may fuse Mish although it quantizes neither Softplus nor Tanh.
    void floatInside()
    {
        SmallGraph g;
        g.input("x", {1, 2, 4, 4});
        g.parameter("w", noise({2, 2, 1, 1}, 1));
        g.op("Conv", "conv", {"x", "w"}, {"t"});
        g.op("Softplus", "s", {"t"}, {"s"});
        g.op("Tanh", "tanh", {"s"}, {"h"});
        g.op("Mul", "mul", {"t", "h"}, {"y"});
        g.output("y");
        QuantModel model = configured(std::move(g.graph));
        for (const char *name : {"s", "tanh"}) {
            const OpId id = model.graph.findOperation(name);
            model.plan.erase(id);
            model.dispatch[id].platform = "FP32";
        }
        const QuantModel before = model;
        QCOMPARE(run("quantize_fusion", model, {{"mish", true}}), 0);
        model = before;
        QCOMPARE(run("quantize_fusion", model, {{"mish", true}, {"float_inside", true}}), 3);
        for (const Slot slot : {out(model, "conv"), in(model, "mul", 0), in(model, "mul", 1)})
            QVERIFY(model.plan.root(slot) == out(model, "mul"));
    }

    void singleMish()
    {
        SmallGraph g;
        g.input("x", {1, 2, 4, 4});
        g.parameter("w", noise({2, 2, 1, 1}, 1));
        g.op("Conv", "conv", {"x", "w"}, {"t"});
        g.op("Mish", "mish", {"t"}, {"y"});
        g.output("y");
        QuantModel model = configured(std::move(g.graph));
        QCOMPARE(run("quantize_fusion", model, {{"activations", {"Mish"}}}), 2);
        QVERIFY(model.plan.root(out(model, "conv")) == out(model, "mish"));
    }

    /// What a Conv rounds has its scale on both sides of a Transpose, also if a Relu is next.
    void reluAfterMovedValues()
    {
        SmallGraph g;
        g.input("x", {1, 2, 4, 4});
        g.parameter("w", noise({3, 2, 3, 3}, 2));
        g.op("Conv", "conv", {"x", "w"}, {"c"});
        g.op("Transpose", "turn", {"c"}, {"t"});
        g.op("Relu", "relu", {"t"}, {"y"});
        g.output("y");
        QuantModel model = configured(std::move(g.graph));
        QCOMPARE(run("quantize_fusion", model), 2);
        QVERIFY(model.plan.root(out(model, "turn")) == in(model, "turn"));
        QVERIFY(model.plan.root(in(model, "relu")) == out(model, "relu"));
        QCOMPARE(run("quantize_simplify", model), 1);
        QVERIFY(model.plan.root(out(model, "turn")) == out(model, "conv"));
    }

    void passiveOperationsKeepTheScaleOfTheirInput()
    {
        SmallGraph g;
        g.input("x", {1, 2, 4, 4});
        g.op("Flatten", "first", {"x"}, {"f"}); // its input is a graph input: nothing to share with
        g.op("Sigmoid", "sigmoid", {"f"}, {"s"});
        g.op("Reshape", "reshape", {"s", "shape"}, {"r"});
        g.parameter("shape", ints({2, 16}));
        g.op("Split", "split", {"r"}, {"a", "b"}, {{"axis", std::int64_t{0}}});
        g.output("a");
        g.output("b");
        const QuantModel before = configured(std::move(g.graph));
        QuantModel model = before;
        QCOMPARE(run("quantize_fusion", model), 3);
        QL_STATE(model, out(model, "first"), "initial");
        QVERIFY(model.plan.root(out(model, "reshape")) == in(model, "reshape"));
        QVERIFY(model.plan.root(out(model, "split", 1)) == in(model, "split"));
        QL_STATE(model, in(model, "split"), "initial");

        model = before;
        QCOMPARE(run("quantize_fusion", model, {{"passive", false}}), 0);
        QCOMPARE(run("quantize_fusion", model, {{"passive_types", {"Split"}}}), 2);
        QL_STATE(model, out(model, "reshape"), "initial");

        model = before;
        model.dispatch[model.graph.findOperation("sigmoid")].platform = "FP32";
        QCOMPARE(run("quantize_fusion", model), 2); // split only: reshape's producer is elsewhere
    }

    void runningItTwiceChangesNothing()
    {
        QuantModel model = configured(residualGraph());
        QVERIFY(run("quantize_fusion", model) > 0);
        const std::string plan = planText(model);
        QCOMPARE(run("quantize_fusion", model), 0);
        QCOMPARE(planText(model), plan);
    }

    void unknownParametersAreRefused()
    {
        const Error error = errorOf([] { makePass("quantize_fusion", {{"activation", {"Relu"}}}); });
        QVERIFY(error.kind == ErrorKind::BadConfig);
        QVERIFY(QString(error.what()).contains("activations"));
    }
};

QL_TEST(TestQuantizeFusion)
#include "tst_quantize_fusion.moc"
