#include "core/exec/openvino_kernels.h"
#include "core/exec/target_rounding.h"
#include "tests/pass/pass_support.h"
#include "tests/support/test_main.h"

using namespace ql;
using namespace ql::test;

/// Codes of two values at which OpenVINO's ways to round differ. Its codes in all rows but that of a layer with a scale
/// per channel were compared with OpenVINO 2026.4.1 on millions of random values.
class TestTargetRounding : public QObject
{
    Q_OBJECT

private:
    static QuantModel readByDepthwise(const std::vector<std::string> &types, bool isOpen)
    {
        SmallGraph g;
        g.input("x", {1, 2, 4, 4});
        g.parameter("w", floats({2, 1, 1, 1}, {1, 1}));
        std::string last = "x";
        for (const std::string &type : types) {
            const std::string next = last + "_" + type;
            std::vector<std::string> inputs{last};
            if (type == "Conv") inputs.push_back("w");
            std::map<std::string, Attribute, std::less<>> attributes;
            if (type == "Conv") attributes["group"] = std::int64_t{2};
            if (type == "AveragePool") attributes["kernel_shape"] = std::vector<std::int64_t>{1, 1};
            g.op(type, type, inputs, {next}, attributes);
            last = next;
        }
        g.op("Conv", "reader", {last, "w"}, {"y"}, {{"group", std::int64_t{2}}});
        g.output("y");
        QuantModel model = configured(std::move(g.graph));
        if (isOpen) (*model.graph.edit(model.graph.findVariable("x")).type.shape)[0] = Dim{-1, "n"};
        for (const OpId id : model.graph.operations()) {
            model.plan.kernels[id].sums = TargetKernel::Sums::Integer;
            for (const Slot slot : {inputSlot(id, 0), outputSlot(id)}) model.plan.find(slot)->state = QuantState::Off;
        }
        return model;
    }

    static void activate(QuantModel &model, Slot slot, float scale, bool isPerChannel)
    {
        TensorQuantConfig config = *model.plan.find(slot);
        config.quantMin = -128;
        config.quantMax = 127;
        config.rounding = Rounding::HalfEven;
        if (isPerChannel) config.channelAxis = 1;
        model.plan.set(slot, config);
        const std::size_t count = isPerChannel ? 2 : 1;
        model.plan.setScale(slot, std::vector(count, scale), std::vector<std::int32_t>(count, 0), QuantState::Active,
                            {});
    }

private Q_SLOTS:
    void openVino_data()
    {
        QTest::addColumn<QStringList>("types");
        QTest::addColumn<bool>("isOpen");
        QTest::addColumn<bool>("isPerChannel");
        QTest::addColumn<bool>("isLayerRounded");
        QTest::addColumn<int>("first");
        QTest::addColumn<int>("second");
        QTest::newRow("elements, open sizes") << QStringList{"HardSwish"} << true << false << false << 19 << -10;
        QTest::newRow("elements, open, per channel") << QStringList{"HardSwish"} << true << true << false << 19 << -10;
        QTest::newRow("subgraph") << QStringList{"HardSwish"} << false << false << false << 19 << -11;
        QTest::newRow("subgraph, per channel") << QStringList{"HardSwish"} << false << true << false << 19 << -11;
        QTest::newRow("pool") << QStringList{"AveragePool"} << false << true << false << 19 << -10;
        QTest::newRow("layer") << QStringList{"Conv"} << false << false << false << 19 << -10;
        QTest::newRow("layer, per channel") << QStringList{"Conv"} << false << true << false << 20 << -10;
        QTest::newRow("activation of a layer") << QStringList{"Conv", "Relu"} << false << true << false << 20 << -10;
        QTest::newRow("activation of codes") << QStringList{"Conv", "HardSwish"} << false << true << true << 19 << -11;
    }
    void openVino()
    {
        QFETCH(QStringList, types);
        QFETCH(bool, isOpen);
        QFETCH(bool, isPerChannel);
        QFETCH(bool, isLayerRounded);
        QFETCH(int, first);
        QFETCH(int, second);
        std::vector<std::string> names;
        for (const QString &type : types) names.push_back(type.toStdString());
        QuantModel model = readByDepthwise(names, isOpen);
        constexpr float scale = 0.02345f;
        activate(model, in(model, "reader"), scale, isPerChannel);
        if (isLayerRounded) activate(model, out(model, "Conv"), scale, false);
        const at::Tensor x = floats({1, 2, 1, 1}, {0x1.d43fdap-2f, -0x1.f844dcp-3f});
        const at::Tensor codes =
            (roundedForTarget(x, model.graph, model.plan, in(model, "reader")) / scale).round().flatten();
        QCOMPARE(codes[0].item().toInt(), first);
        QCOMPARE(codes[1].item().toInt(), second);
    }

    /// A layer without bias: the range is divided by the steps of its sums. Numbers of the first depthwise Conv of a
    /// VoVNet, in which OpenVINO 2026.4.1 gives these codes.
    void sumsWithoutBias()
    {
        QuantModel model = readByDepthwise({"Conv"}, false);
        constexpr float scale = 0x1.48fad8p-8f, input = 0x1.7907d8p-5f;
        const std::vector<float> weight{0x1.c46740p-11f, 0x1.2b7494p-11f * (0x1.ef0b18p-6f / input)};
        activate(model, in(model, "reader"), scale, false);
        activate(model, in(model, "Conv"), input, false);
        const Slot weights = in(model, "Conv", 1);
        TensorQuantConfig config = *model.plan.find(weights);
        config.channelAxis = 0;
        model.plan.set(weights, config);
        model.plan.setScale(weights, weight, {0, 0}, QuantState::Active, {});
        const at::Tensor x = floats({1, 2, 1, 1}, {316 * (weight[0] * input), 10326 * (weight[1] * input)});
        const at::Tensor codes =
            (roundedForTarget(x, model.graph, model.plan, in(model, "reader")) / scale).round().flatten();
        QCOMPARE(codes[0].item().toInt(), 2);  // 2.50000151
        QCOMPARE(codes[1].item().toInt(), 36); // 35.49998975
    }

    /// An Add runs in the kernel of a Conv, which overwrites the other addend, if nothing reads that any more. A reader
    /// on another scale, or of the float values, reads another tensor of the file.
    void addendOfItsOwn_data()
    {
        QTest::addColumn<float>("scale");
        QTest::addColumn<bool>("isFused");
        QTest::newRow("also read as float") << 0.0f << true;
        QTest::newRow("also read on another scale") << 0.02f << true;
        QTest::newRow("also read on its scale") << 0.01f << false;
    }
    void addendOfItsOwn()
    {
        QFETCH(float, scale);
        QFETCH(bool, isFused);
        SmallGraph g;
        g.input("x", {1, 2, 4, 4});
        g.parameter("w", floats({2, 2, 1, 1}, {1, 2, 3, 4}));
        g.op("Relu", "relu", {"x"}, {"r"});
        g.op("Conv", "conv", {"r", "w"}, {"c"});
        g.op("Add", "add", {"x", "c"}, {"y"});
        g.op("Conv", "other", {"x", "w"}, {"z"});
        for (const char *name : {"y", "z"}) g.output(name);
        QuantModel model = configured(std::move(g.graph));
        for (const OpId id : model.graph.operations()) model.plan.kernels[id].sums = TargetKernel::Sums::Integer;
        std::vector<Slot> slots;
        for (const auto &[slot, config] : model.plan.configs()) slots.push_back(slot);
        for (const Slot slot : slots) model.plan.setState(slot, QuantState::Off, {});
        for (const Slot slot : {in(model, "add"), out(model, "conv"), out(model, "add")})
            activate(model, slot, 0.01f, false);
        if (scale > 0) activate(model, in(model, "other"), scale, false);
        const auto applied = [&](Slot slot) -> const TensorQuantConfig * {
            const TensorQuantConfig *config = model.plan.find(slot);
            return config && config->state == QuantState::Active ? config : nullptr;
        };
        const OpId conv = addedWithoutRounding(model.graph, model.plan, test::op(model.graph, "add"), applied);
        QCOMPARE(conv, isFused ? model.graph.findOperation("conv") : noOp);
    }
};

QL_TEST(TestTargetRounding)
#include "tst_target_rounding.moc"
