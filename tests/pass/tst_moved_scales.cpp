#include "pass_support.h"
#include "tests/support/test_main.h"

using namespace ql;
using namespace ql::test;

class TestMovedScales : public QObject
{
    Q_OBJECT

private:
    static void setScale(QuantModel &model, Slot slot, float scale)
    {
        model.plan.setScale(slot, {scale}, {0}, QuantState::Active, {});
    }

    /// x -> Sigmoid -> a (0.5) -> AveragePool (reads at 0.375) -> b (0.25) -> Tanh (reads at 0.25) -> y
    static QuantModel averages()
    {
        SmallGraph g;
        g.input("x", {1, 1, 4, 4});
        g.op("Sigmoid", "first", {"x"}, {"a"});
        g.op("AveragePool", "pool", {"a"}, {"b"}, {{"kernel_shape", std::vector<std::int64_t>{2, 2}}});
        g.op("Tanh", "last", {"b"}, {"y"});
        g.output("y");
        QuantModel model = configured(std::move(g.graph));
        setScale(model, in(model, "first"), 0.01f);
        setScale(model, out(model, "first"), 0.5f);
        setScale(model, in(model, "pool"), 0.375f);
        setScale(model, out(model, "pool"), 0.25f);
        setScale(model, in(model, "last"), 0.25f);
        setScale(model, out(model, "last"), 0.02f);
        return model;
    }

    /// sigmoid x -> a (0.5) -> Transpose -> b (its output 0.25) -> Slice -> c (0.125) -> Tanh (reads at 1).
    static QuantModel moves()
    {
        SmallGraph g;
        g.input("x", {1, 4});
        g.parameter("starts", ints({0}));
        g.parameter("ends", ints({2}));
        g.op("Sigmoid", "first", {"x"}, {"a"});
        g.op("Transpose", "turn", {"a"}, {"b"});
        g.op("Slice", "cut", {"b", "starts", "ends"}, {"c"});
        g.op("Tanh", "last", {"c"}, {"y"});
        g.output("y");
        QuantModel model = configured(std::move(g.graph));
        setScale(model, in(model, "first"), 0.01f);
        setScale(model, out(model, "first"), 0.5f);
        setScale(model, in(model, "turn"), 0.5f);
        setScale(model, out(model, "turn"), 0.25f);
        setScale(model, in(model, "cut"), 0.25f);
        setScale(model, out(model, "cut"), 0.125f);
        setScale(model, in(model, "last"), 1.f);
        setScale(model, out(model, "last"), 0.02f);
        return model;
    }

private Q_SLOTS:
    void theLargestScaleIsShared()
    {
        QuantModel model = moves();
        QVERIFY(run("moved_scales", model) > 0);
        for (const Slot slot : {out(model, "turn"), out(model, "cut"), in(model, "last")})
            QCOMPARE(scaleOf(model, slot), 1.f);
        QCOMPARE(scaleOf(model, in(model, "first")), 0.01f);
        QCOMPARE(scaleOf(model, out(model, "last")), 0.02f);
        const std::string plan = planText(model);
        QCOMPARE(run("moved_scales", model), 0);
        QCOMPARE(planText(model), plan);
    }

    /// A file that has only the scale is imported with the same owner.
    void theFirstTensorOwnsTheScale()
    {
        QuantModel model = moves(); // that of last is the largest
        run("moved_scales", model);
        QCOMPARE(model.plan.root(out(model, "cut")), model.plan.root(in(model, "last")));
        QCOMPARE(model.plan.root(in(model, "last")), model.plan.root(out(model, "turn")));
        QL_STATE(model, in(model, "last"), "passive");
    }

    void aFixedScaleIsKept()
    {
        QuantModel model = moves();
        const Origin fixed{.kind = Origin::Kind::Override, .id = "it", .index = 0};
        model.plan.setScale(out(model, "turn"), {0.25f}, {0}, QuantState::Active, fixed);
        run("moved_scales", model);
        QCOMPARE(scaleOf(model, out(model, "turn")), 0.25f);
        QCOMPARE(scaleOf(model, out(model, "cut")), 0.25f);
        QCOMPARE(model.plan.origin(*model.plan.find(out(model, "turn")), ConfigField::Scale), fixed);
    }

    /// As in the recipe of an imported file.
    void equalFixedScalesAreOne()
    {
        QuantModel model = moves();
        for (const int index : {0, 1}) {
            const Origin fixed{.kind = Origin::Kind::Override, .id = "it", .index = index};
            model.plan.setScale(out(model, index == 0 ? "turn" : "cut"), {0.25f}, {0}, QuantState::Active, fixed);
        }
        QVERIFY(run("moved_scales", model) > 0);
        QCOMPARE(model.plan.root(out(model, "turn")), model.plan.root(out(model, "cut")));
        QCOMPARE(scaleOf(model, out(model, "turn")), 0.25f);
    }

    /// HTP of QNN: one scale for the tensor that a pool reads, and for its result.
    void otherTypes_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<int>("bits");
        QTest::addColumn<bool>("isOne");
        QTest::newRow("AveragePool") << "AveragePool" << 8 << true;
        QTest::newRow("AveragePool of 16 bits") << "AveragePool" << 16 << true;
        QTest::newRow("not a listed type") << "Resize" << 8 << false;
    }
    void otherTypes()
    {
        QFETCH(QString, type);
        QFETCH(int, bits);
        QFETCH(bool, isOne);
        QuantModel model = averages();
        for (const Slot slot : {out(model, "first"), in(model, "pool"), out(model, "pool"), in(model, "last")}) {
            TensorQuantConfig &config = *model.plan.find(slot);
            config.bits = bits;
            config.quantMin = -(1 << (bits - 1));
            config.quantMax = (1 << (bits - 1)) - 1;
        }
        const int changed = run("moved_scales", model, {{"more_types", {type.toStdString()}}});
        QCOMPARE(changed > 0, isOne);
        const std::vector<float> scales =
            isOne ? std::vector<float>{0.5f, 0.5f, 0.5f, 0.5f} : std::vector<float>{0.5f, 0.375f, 0.25f, 0.25f};
        const std::vector<Slot> slots{out(model, "first"), in(model, "pool"), out(model, "pool"), in(model, "last")};
        for (std::size_t i = 0; i < slots.size(); ++i) QCOMPARE(scaleOf(model, slots[i]), scales[i]);
        QCOMPARE(run("moved_scales", model, {{"more_types", {type.toStdString()}}}), 0);
    }

    /// [-2, 3.1] and [0, 5.1]: neither scale alone has room for both.
    void aScaleWithZeroPointsCoversBothRanges()
    {
        QuantModel model = moves();
        for (const OpId id : model.graph.topological())
            for (const Slot slot : model.plan.slotsOf(id)) {
                TensorQuantConfig &config = *model.plan.find(slot);
                config.symmetric = false;
                config.quantMin = 0;
                config.quantMax = 255;
            }
        const auto set = [&](Slot slot, float scale, std::int32_t zeroPoint) {
            model.plan.setScale(slot, {scale}, {zeroPoint}, QuantState::Active, {});
        };
        for (const Slot slot : {out(model, "turn"), in(model, "cut")}) set(slot, 0.02f, 100);
        for (const Slot slot : {out(model, "cut"), in(model, "last")}) set(slot, 0.02f, 0);
        for (const Slot slot : {out(model, "first"), in(model, "turn")}) set(slot, 0.01f, 100); // [-1, 1.55]
        run("moved_scales", model);
        for (const Slot slot : {out(model, "turn"), out(model, "cut"), in(model, "last")}) {
            const float scale = scaleOf(model, slot), zero = float(model.plan.zeroPoint(slot).at(0));
            QCOMPARE(zero, 72.f);
            QVERIFY(scale > 7.1f / 255 && scale < 7.11f / 255); // zero points are integers
        }
        QCOMPARE(run("moved_scales", model), 0);
    }

    void otherCodesStay()
    {
        QuantModel model = moves();
        TensorQuantConfig &config = *model.plan.find(out(model, "cut"));
        config.bits = 4;
        config.quantMin = -8;
        config.quantMax = 7;
        run("moved_scales", model);
        QCOMPARE(scaleOf(model, out(model, "cut")), 0.125f);
    }
};

QL_TEST(TestMovedScales)
#include "tst_moved_scales.moc"
