#include "core/base/error.h"
#include "core/platform/config_override.h"
#include "core/platform/dispatcher.h"
#include "core/platform/quantizer.h"
#include "tests/support/error_of.h"
#include "tests/support/test_main.h"
#include "tests/support/tiny_graph.h"

#include <QtTest>

using namespace ql;
using nlohmann::json;
using ql::test::messageOf;
using ql::test::TinyGraph;

namespace {

/// conv (3x3, bias) -> relu -> reshape -> gemm; index math next to it
QuantModel sample(const std::string &platformId = "TRT_INT8")
{
    TinyGraph g;
    g.parameter("w", {8, 4, 3, 3}).parameter("b", {8}).parameter("rows", {6, 8}).parameter("shape", {2}, at::kLong);
    g.parameter("count", {1}, at::kLong);
    g.op("conv", "Conv", {"x", "w", "b"});
    g.op("relu", "Relu", {"conv_out"});
    g.op("reshape", "Reshape", {"relu_out", "shape"});
    g.op("gemm", "Gemm", {"reshape_out", "rows"}, {{"transB", Attribute(std::int64_t{1})}});
    g.op("ids", "Add", {"count", "count"});
    g.graph.edit(g.graph.findVariable("ids_out")).type.dtype = at::kLong;
    QuantModel model;
    model.graph = g.graph;
    for (const OpId op : model.graph.operations()) model.dispatch[op] = {platformId, "test"};
    configure(model, platform(platformId));
    return model;
}

std::vector<api::Rule> read(const json &list)
{
    const api::JsonText text = api::JsonText::wrap(list);
    return api::rulesFromJson(api::JsonNode(text), api::RuleKind::Override);
}

struct Problems
{
    std::vector<api::Problem> list;
    std::function<void(api::Problem)> sink()
    {
        return [this](api::Problem p) { list.push_back(std::move(p)); };
    }
};

Slot in(const QuantModel &model, const char *op, std::size_t i)
{
    return inputSlot(model.graph.findOperation(op), i);
}

Slot out(const QuantModel &model, const char *op)
{
    return outputSlot(model.graph.findOperation(op));
}

} // namespace

class TestQuantizer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyFieldNamesItsRule()
    {
        QuantModel model = sample();
        const auto origin = [&](Slot slot, ConfigField field) {
            return QString::fromStdString(model.plan.origin(*model.plan.find(slot), field).text().english());
        };
        const Slot weight = in(model, "conv", 1);
        QCOMPARE(origin(weight, ConfigField::Bits), QString("platform TRT_INT8: rule 1 (every slot)"));
        QCOMPARE(origin(weight, ConfigField::Range), QString("platform TRT_INT8: rule 1 (every slot)"));
        QCOMPARE(origin(weight, ConfigField::Granularity),
                 QString("platform TRT_INT8: rule 2 (weight per output channel)"));
        QCOMPARE(origin(weight, ConfigField::Observer),
                 QString("platform TRT_INT8: rule 2 (weight per output channel)"));
        QCOMPARE(origin(weight, ConfigField::State), QString("default"));
        QCOMPARE(origin(in(model, "conv", 2), ConfigField::State),
                 QString("platform TRT_INT8: rule 3 (bias in float32)"));
        QCOMPARE(origin(in(model, "reshape", 1), ConfigField::State), QString("operator Reshape: shape or index"));
        // an Add of indices: quantizable slots, but no floats
        QVERIFY(model.plan.find(in(model, "ids", 0))->state == QuantState::Off);
        QCOMPARE(origin(in(model, "ids", 0), ConfigField::State), QString("tensor of type int64"));
    }

    void onlyDispatchedOperationsAreConfigured()
    {
        QuantModel model = sample();
        model.dispatch[model.graph.findOperation("conv")] = {"FP32", "test"};
        model.dispatch[model.graph.findOperation("reshape")] = {"SOI", "test"};
        model.dispatch[model.graph.findOperation("gemm")] = {"ACADEMIC_INT4", "test"};
        model.dispatch[model.graph.findOperation("relu")] = {"SOME_OTHER_NPU", "test"};
        configure(model, platform("TRT_INT8"));
        QVERIFY(!model.isQuantized(model.graph.findOperation("conv")));
        QVERIFY(!model.isQuantized(model.graph.findOperation("reshape")));
        // mixed precision: another known platform brings its own rules ...
        QCOMPARE(model.plan.find(in(model, "gemm", 0))->bits, 4);
        QVERIFY(model.plan.find(out(model, "gemm"))->state == QuantState::Off);
        const Origin fourBits{.kind = Origin::Kind::Rule, .id = "ACADEMIC_INT4", .index = 5, .name = "4-bit weight"};
        QCOMPARE(model.plan.origin(*model.plan.find(in(model, "gemm", 1)), ConfigField::Bits), fourBits);
        // ... an unknown one gets those of the model's platform
        QCOMPARE(model.plan.find(in(model, "relu", 0))->quantMin, std::int64_t{-128});
        model.plan.verify(model.graph);
    }

    void laterRulesWinAndMatchByMeaning_data()
    {
        QTest::addColumn<QByteArray>("match");
        QTest::addColumn<QString>("expected"); // slots with 4 bits: op, input number or o
        const auto row = [](const char *name, const char *match, const char *expected) {
            QTest::newRow(name) << QByteArray(match) << expected;
        };
        row("type", R"({"types": ["Relu"]})", "relu0 reluo");
        row("input", R"({"types": ["Gemm", "Relu"], "role": "input"})", "relu0 gemm0"); // as in reports: no parameters
        row("output", R"({"role": "output"})", "convo reluo reshapeo gemmo idso");
        row("weight", R"({"role": "weight"})", "conv1 gemm1");
        row("bias", R"({"role": "bias"})", "conv2");
        row("weight or bias", R"({"role": ["weight", "bias"]})", "conv1 conv2 gemm1");
        row("activation", R"({"role": "activation"})", "conv0 relu0 reshape0 gemm0");
        row("parameter", R"({"role": "parameter", "types": ["Conv", "Reshape"]})", "conv1 conv2 reshape1");
        row("index", R"({"index": 1})", "conv1 reshape1 gemm1 ids1");
        row("index of an output", R"({"index": 0, "role": "output", "types": ["Conv"]})", "convo");
        row("index from", R"({"index_from": 1, "types": ["Conv"]})", "conv1 conv2");
        row("is_parameter", R"({"is_parameter": false, "types": ["Gemm"]})", "gemm0 gemmo");
        row("exactly 3 inputs", R"({"inputs": 3, "role": "output"})", "convo");
        row("at least 2 inputs", R"({"inputs": {"at_least": 2}, "role": "output"})", "convo reshapeo gemmo idso");
        row("attribute", R"({"attributes": {"transB": 1}, "role": "output"})", "gemmo");
        row("absent attribute: its default", R"({"attributes": {"group": 1}, "role": "output"})", "convo");
        row("absent kernel_shape: of the weight", R"({"attributes": {"kernel_shape": {"all": 3}}, "role": "output"})",
            "convo");
        row("list", R"({"attributes": {"pads": [0, 0, 0, 0]}, "role": "output"})", "convo");
        row("list of another length", R"({"attributes": {"pads": [0, 0]}, "role": "output"})", "");
        row("attribute that differs", R"({"attributes": {"strides": {"all": 2}}})", "");
        row("state", R"({"state": "fp32", "types": ["Conv", "Reshape"]})", "conv2 reshape1");
        row("op", R"({"op": "re*", "role": "output"})", "reluo reshapeo");
        row("variable", R"({"variable": "relu_out"})", "reluo reshape0");
        row("everything given must hold", R"({"op": "re*", "types": ["Relu"], "role": "input"})", "relu0");
    }
    void laterRulesWinAndMatchByMeaning()
    {
        QFETCH(QByteArray, match);
        const QuantModel model = sample();
        const api::JsonText text = api::JsonText::parse(match.toStdString(), "match");
        const api::RuleMatch parsed = matchFromJson(api::JsonNode(text), api::RuleKind::Override);
        QCOMPARE(toJson(parsed).dump(), json::parse(match.toStdString()).dump());
        QStringList hit;
        for (const auto &[slot, config] : model.plan.configs()) {
            const Operation &op = model.graph.operation(slot.op);
            if (matches(parsed, model.graph, op, slot, config))
                hit << QString::fromStdString(op.name) + (slot.output ? QString("o") : QString::number(slot.index));
        }
        QTEST(hit.join(' '), "expected");
    }

    void schemeOverrides()
    {
        QuantModel model = sample();
        Problems problems;
        applySchemeOverrides(
            model,
            read({{{"match", {{"op", "conv"}, {"role", "weight"}}},
                   {"set", {{"bits", 4}, {"granularity", "tensor"}, {"observer", "mse"}}}},
                  {{"match", {{"variable", "relu_out"}}}, {"set", {{"symmetric", false}, {"bits", 8}}}},
                  {{"match", {{"op", "gemm"}, {"role", "bias"}}}, {"set", {{"bits", 8}}}},
                  {{"match", {{"op", "gem"}}}, {"set", {{"bits", 8}}}},
                  {{"match", {{"op", "ids"}}}, {"set", {{"state", "initial"}}}},
                  {{"match", {{"op", "conv"}, {"role", "bias"}}}, {"set", {{"state", "initial"}}}}}),
            problems.sink());
        const TensorQuantConfig &weight = *model.plan.find(in(model, "conv", 1));
        QCOMPARE(weight.bits, 4);
        QCOMPARE(weight.quantMin, std::int64_t{-8}); // the range follows the bits
        QCOMPARE(weight.quantMax, std::int64_t{7});
        QVERIFY(!weight.isPerChannel());
        QCOMPARE(weight.observer, std::string("mse"));
        QCOMPARE(model.plan.origin(weight, ConfigField::Range).text().english(), std::string("override 'conv'"));
        QCOMPARE(model.plan.origin(weight, ConfigField::Rounding).text().english(),
                 std::string("platform TRT_INT8: rule 1 (every slot)"));
        const TensorQuantConfig &relu = *model.plan.find(out(model, "relu"));
        QCOMPARE(relu.quantMin, std::int64_t{0});
        QCOMPARE(relu.quantMax, std::int64_t{255});
        QVERIFY(relu.sameScheme(*model.plan.find(in(model, "reshape", 0))));
        QVERIFY(model.plan.find(in(model, "conv", 2))->state == QuantState::Initial);
        QVERIFY(model.plan.find(in(model, "ids", 0))->state == QuantState::Off); // int64 stays off
        QCOMPARE(problems.list.size(), std::size_t{3});
        QCOMPARE(problems.list[0].message.english(),
                 std::string("overrides[2]: override 'gemm' matches no tensor of a quantized operation."));
        QCOMPARE(problems.list[1].message.english(),
                 std::string(
                     "overrides[3]: override 'gem' matches no tensor of a quantized operation. Did you mean 'gemm'?"));
        QCOMPARE(
            problems.list[2].message.english(),
            std::string(
                "overrides[4]: override 'ids' matches only sizes, axes, indices and tensors that are not float32."));
    }

    /// A size is not a tensor of the network, even in float32: Resize would get a different shape.
    void sizesStayAsTheyAre()
    {
        TinyGraph g;
        g.parameter("factors", {4});
        g.op("resize", "Resize", {"x", "", "factors"});
        QuantModel model;
        model.graph = g.graph;
        model.dispatch[g["resize"]] = {"every", "test"};
        const api::JsonText text = api::JsonText::wrap({{"id", "every"},
                                                        {"title", "Every slot"},
                                                        {"quantable", {"Resize"}},
                                                        {"rules", {{{"set", {{"state", "initial"}}}}}},
                                                        {"passes", json::array()}});
        configure(model, platformFromJson(text));
        QVERIFY(model.plan.find(in(model, "resize", 0))->state == QuantState::Initial);
        const TensorQuantConfig &factors = *model.plan.find(in(model, "resize", 2));
        QVERIFY(factors.state == QuantState::Off);
        QCOMPARE(model.plan.origin(factors, ConfigField::State),
                 (Origin{.kind = Origin::Kind::ShapeOrIndex, .id = "Resize"}));
        Problems problems;
        const api::Rule type = read({{{"match", {{"types", {"Resize"}}}}, {"set", {{"state", "passive"}}}}})[0];
        const api::Rule slot = read({{{"match", {{"variable", "factors"}}}, {"set", {{"state", "initial"}}}}})[0];
        applySchemeOverrides(model, {type, slot}, problems.sink());
        QVERIFY(model.plan.find(in(model, "resize", 0))->state == QuantState::Passive);
        QVERIFY(model.plan.find(in(model, "resize", 2))->state == QuantState::Off);
        QCOMPARE(problems.list.size(), std::size_t{1});
        QVERIFY(problems.list[0].message.english().starts_with("overrides[1]: override 'factors' matches only sizes"));
    }

    void schemeOverridesThatDoNotFit_data()
    {
        QTest::addColumn<QByteArray>("entry");
        QTest::addColumn<QString>("message");
        const auto row = [](const char *name, const char *entry, const char *message) {
            QTest::newRow(name) << QByteArray(entry) << message;
        };
        row("contradiction", R"({"match": {"op": "relu"}, "set": {"exponent_bits": 4, "symmetric": false}})",
            "op 'relu', tensor 'conv_out': overrides[0]: override 'relu': floating-point formats are symmetric");
        row("axis beyond the rank", R"({"match": {"op": "gemm", "role": "weight"}, "set": {"granularity": "axis 2"}})",
            "op 'gemm', tensor 'rows': overrides[0]: override 'gemm': granularity 'axis 2' but the tensor has 2 axes. "
            "Count the axes from 0, or let the rule match only tensors that have this axis.");
        row("no output channel", R"({"match": {"op": "relu"}, "set": {"granularity": "output_channel"}})",
            "op 'relu', tensor 'conv_out': overrides[0]: override 'relu': granularity 'output_channel' is defined for "
            "weights, "
            "biases "
            "and outputs of compute operations, not for input 0 of Relu. Write 'axis N' instead.");
    }
    void schemeOverridesThatDoNotFit()
    {
        QFETCH(QByteArray, entry);
        QuantModel model = sample();
        Problems problems;
        const auto overrides = read(json::array({json::parse(entry.toStdString())}));
        QTEST(messageOf([&] { applySchemeOverrides(model, overrides, problems.sink()); }), "message");
    }

    void scaleOverrides()
    {
        QuantModel model = sample();
        model.plan.overlap(in(model, "reshape", 0), out(model, "relu"), {});
        model.plan.overlap(out(model, "conv"), out(model, "relu"), {});
        Problems problems;
        applyScaleOverrides(model,
                            read({{{"match", {{"op", "reshape"}, {"role", "activation"}}}, {"set", {{"scale", 2.0}}}}}),
                            problems.sink());
        QVERIFY(problems.list.empty());
        QCOMPARE(model.plan.find(out(model, "relu"))->scale, std::vector<float>{2.f}); // the same tensor
        applyScaleOverrides(
            model,
            read({{{"match", {{"variable", "relu_out"}}}, {"set", {{"range", {-1.0, 6.0}}}}},
                  {{"match", {{"op", "conv"}, {"role", "weight"}}}, {"set", {{"scale", 0.5}}}},
                  {{"match", {{"op", "gemm"}, {"role", "weight"}}}, {"set", {{"scale", {1, 2, 3, 4, 5, 6}}}}},
                  {{"match", {{"op", "conv"}, {"role", "output"}}}, {"set", {{"scale", 2.0}}}},
                  {{"match", {{"op", "conv"}, {"role", "bias"}}}, {"set", {{"scale", 2.0}}}}}),
            problems.sink());
        QCOMPARE(model.plan.find(out(model, "relu"))->scale, std::vector<float>{float(12.0 / 255)});
        QVERIFY(model.plan.find(out(model, "relu"))->state == QuantState::Active);
        QCOMPARE(model.plan.origin(*model.plan.find(out(model, "relu")), ConfigField::Scale),
                 (Origin{.kind = Origin::Kind::Override, .id = "relu_out", .index = 0}));
        QCOMPARE(model.plan.scale(in(model, "reshape", 0)), std::vector<float>{float(12.0 / 255)});
        QVERIFY(model.plan.find(in(model, "reshape", 0))->state == QuantState::Overlapped);
        QCOMPARE(model.plan.find(in(model, "conv", 1))->scale, std::vector<float>(8, 0.5f));
        QCOMPARE(model.plan.find(in(model, "conv", 1))->zeroPoint, std::vector<std::int32_t>(8, 0));
        QCOMPARE(model.plan.find(in(model, "gemm", 1))->scale.size(), std::size_t{6});
        QCOMPARE(problems.list.size(), std::size_t{2});
        QCOMPARE(problems.list[0].message.english(),
                 std::string("override 'conv' fixes no scale: the tensor takes its scale from "
                             "output 0 of 'relu'."));
        QCOMPARE(problems.list[1].message.english(),
                 std::string("override 'conv' fixes no scale: the tensor is not quantized."));
        model.plan.verify(model.graph);

        const auto idle = read({{{"match", {{"op", "conv"}, {"role", "output"}}}, {"set", {{"bits", 4}}}},
                                {{"match", {{"op", "conv"}}}, {"set", {{"bits", 4}}}}, // the weight is its own
                                {{"match", {{"op", "conv"}, {"role", "output"}}}, {"set", {{"visibility", "always"}}}},
                                {{"match", {{"op", "relu"}, {"role", "output"}}}, {"set", {{"bits", 4}}}}});
        QVERIFY(ineffectiveOverrides(model, idle).empty()); // the tensor is rounded by the output's config
        model.plan.find(out(model, "conv"))->bits = 4;
        const auto found = ineffectiveOverrides(model, idle);
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].index, std::size_t{0});
        QCOMPARE(
            found[0].problem.message.english(),
            std::string("override 'conv' has no effect: the tensor is rounded by the scale of output 0 of 'relu'."));
    }

    void scaleOverridesThatDoNotFit_data()
    {
        QTest::addColumn<QString>("platformId");
        QTest::addColumn<QByteArray>("entry");
        QTest::addColumn<QString>("message");
        const auto row = [](const char *name, const char *id, const char *entry, const char *message) {
            QTest::newRow(name) << QString(id) << QByteArray(entry) << message;
        };
        row("number of channels", "TRT_INT8",
            R"({"match": {"op": "conv", "role": "weight"}, "set": {"scale": [1, 2]}})",
            "op 'conv', tensor 'w': overrides[0]: override 'conv': scale has 2 entries, expected 1 or 8, the size of "
            "axis 0. Give "
            "one scale, or one scale per channel.");
        row("per tensor", "TRT_INT8", R"({"match": {"op": "relu", "role": "input"}, "set": {"scale": [1, 2]}})",
            "op 'relu', tensor 'conv_out': overrides[0]: override 'relu': scale has 2 entries, expected 1: the tensor "
            "has one scale. "
            "Give one scale, or one scale per channel.");
        row("symmetric", "TRT_INT8",
            R"({"match": {"op": "relu", "role": "input"}, "set": {"scale": 1, "zero_point": 3}})",
            "op 'relu', tensor 'conv_out': overrides[0]: override 'relu': zero_point must be 0 because the config is "
            "symmetric. Set "
            "symmetric to false as well.");
        row("zero point", "TENGINE_INT8",
            R"({"match": {"op": "relu", "role": "input"}, "set": {"scale": 1, "zero_point": 256}})",
            "op 'relu', tensor 'conv_out': overrides[0]: override 'relu': zero_point 256 is outside the codes 0 to "
            "255. Choose "
            "one "
            "of these, or set bits, quant_min and quant_max as well.");
        row("power of two", "NXP_INT8", R"({"match": {"op": "relu", "role": "input"}, "set": {"scale": 0.75}})",
            "op 'relu', tensor 'conv_out': overrides[0]: override 'relu': scale 0.75 is not a power of two, but the "
            "config requires "
            "one. "
            "Give a power of two, or set power_of_two to false as well.");
    }
    void scaleOverridesThatDoNotFit()
    {
        QFETCH(QString, platformId);
        QFETCH(QByteArray, entry);
        QuantModel model = sample(platformId.toStdString());
        Problems problems;
        const auto overrides = read(json::array({json::parse(entry.toStdString())}));
        QTEST(messageOf([&] { applyScaleOverrides(model, overrides, problems.sink()); }), "message");
    }

    void overridesAsJson()
    {
        const json entry = {{"match", {{"op", "c*"}, {"variable", "w?"}, {"role", "weight"}}},
                            {"set", {{"bits", 4}, {"scale", {0.5, 0.25}}, {"zero_point", {0, 1}}}}};
        QCOMPARE(toJson(read(json::array({entry}))[0], api::RuleKind::Override).dump(), entry.dump());
        const json range = {{"match", json::object()}, {"set", {{"range", {-1.0, 1.0}}}}};
        QCOMPARE(toJson(read(json::array({range}))[0], api::RuleKind::Override).dump(), range.dump());
        const auto refused = [](json set) {
            return messageOf([&] { read(json::array({{{"match", json::object()}, {"set", std::move(set)}}})); });
        };
        QCOMPARE(refused(json::object()), QString("[0].set: the override sets nothing"));
        QCOMPARE(refused({{"scale", 0}}), QString("[0].set.scale: a scale must be above 0"));
        QCOMPARE(refused({{"scale", 1}, {"zero_point", {1, 2}}}),
                 QString("[0].set.zero_point: scale has 1 entries, zero_point 2"));
        QCOMPARE(refused({{"zero_point", 1}}), QString("[0].set.zero_point: zero_point requires a scale"));
        QCOMPARE(refused({{"range", {1, 1}}}), QString("[0].set.range: the lowest value must be below the highest"));
        QCOMPARE(refused({{"range", {0, 1}}, {"scale", 1}}), QString("[0].set.range: give either scale or range"));
    }

    void bitsAloneSetTheRange_data()
    {
        QTest::addColumn<int>("bits");
        QTest::addColumn<int>("exponentBits");
        QTest::addColumn<bool>("symmetric");
        QTest::addColumn<qlonglong>("min");
        QTest::addColumn<qlonglong>("max");
        QTest::newRow("4 signed") << 4 << 0 << true << -8LL << 7LL;
        QTest::newRow("4 unsigned") << 4 << 0 << false << 0LL << 15LL;
        QTest::newRow("2") << 2 << 0 << true << -2LL << 1LL;
        QTest::newRow("32") << 32 << 0 << true << -2147483648LL << 2147483647LL;
        QTest::newRow("E4M3") << 8 << 4 << true << -448LL << 448LL;
        QTest::newRow("E5M2") << 8 << 5 << true << -57344LL << 57344LL;
        QTest::newRow("E3M4") << 8 << 3 << true << -31LL << 31LL;
        QTest::newRow("E2M5, largest 7.875") << 8 << 2 << true << -8LL << 8LL;
        QTest::newRow("E1M6, largest 3.96875") << 8 << 1 << true << -4LL << 4LL;
    }
    void bitsAloneSetTheRange()
    {
        QFETCH(int, bits);
        QFETCH(int, exponentBits);
        QFETCH(bool, symmetric);
        api::RuleSet set;
        set.bits = bits;
        set.exponentBits = exponentBits;
        set.symmetric = symmetric;
        TensorQuantConfig config;
        applyScheme(set, config);
        config.validate();
        QTEST(qlonglong(config.quantMin), "min");
        QTEST(qlonglong(config.quantMax), "max");
    }
};

QL_TEST(TestQuantizer)
#include "tst_quantizer.moc"
