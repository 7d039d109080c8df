#include "pass_support.h"
#include "tests/support/test_main.h"

using namespace ql;
using namespace ql::test;

class TestAlign : public QObject
{
    Q_OBJECT

private:
    static Origin overrideOf(const char *name) { return {.kind = Origin::Kind::Override, .id = name, .index = 0}; }
    /// (sigmoid x, tanh x) -> TYPE -> y, every slot active with its own scale.
    static QuantModel merge(const std::string &type)
    {
        SmallGraph g;
        g.input("x", {1, 4});
        g.op("Sigmoid", "left", {"x"}, {"a"});
        g.op("Tanh", "right", {"x"}, {"b"});
        g.op(type, "merge", {"a", "b"}, {"y"}, {{"axis", std::int64_t{1}}});
        g.output("y");
        QuantModel model = configured(std::move(g.graph));
        float scale = 0.01f;
        std::vector<Slot> slots;
        for (const auto &[slot, config] : model.plan.configs()) slots.push_back(slot);
        for (const Slot slot : slots) model.plan.setScale(slot, {scale += 0.01f}, {0}, QuantState::Active, {});
        model.plan.setScale(in(model, "merge", 0), {0.5f}, {0}, QuantState::Active, {});
        model.plan.setScale(in(model, "merge", 1), {0.25f}, {0}, QuantState::Active, {});
        model.plan.setScale(out(model, "merge"), {0.125f}, {0}, QuantState::Active, {});
        return model;
    }

private Q_SLOTS:
    void toLargeCoversAllInputs()
    {
        QuantModel model = merge("Add");
        QVERIFY(run("align", model) > 0);
        const float common = float(2 * 0.5 * 128 / 255); // from -64 .. 63.5
        for (const Slot slot :
             {in(model, "merge", 0), in(model, "merge", 1), out(model, "left"), out(model, "right")}) {
            QL_STATE(model, slot, "passive");
            QVERIFY(model.plan.root(slot) == in(model, "merge", 0));
            QCOMPARE(scaleOf(model, slot), common);
        }
        QL_STATE(model, out(model, "merge"), "active");
        QCOMPARE(scaleOf(model, out(model, "merge")), 0.125f);
        QL_STATE(model, in(model, "left"), "active");
    }

    /// What computes an addend that stays in float32, a mask for example, keeps its scale.
    void addendsInFloat()
    {
        QuantModel model = merge("Add");
        const float own = scaleOf(model, out(model, "right"));
        model.plan.setState(in(model, "merge", 1), QuantState::Off, {});
        run("align", model);
        QVERIFY(model.plan.root(out(model, "left")) == in(model, "merge", 0));
        QVERIFY(model.plan.root(out(model, "right")) == out(model, "right"));
        QCOMPARE(scaleOf(model, out(model, "right")), own);
    }

    void toLargeAsymmetric()
    {
        QuantModel model = merge("Sub");
        for (const std::size_t i : {0, 1}) {
            TensorQuantConfig &config = *model.plan.find(in(model, "merge", i));
            config.symmetric = false;
            config.quantMin = 0;
            config.quantMax = 255;
        }
        model.plan.find(in(model, "merge", 0))->zeroPoint = {255}; // -127.5 .. 0
        run("align", model);                                       // the other one: 0 .. 63.75
        QCOMPARE(scaleOf(model, in(model, "merge", 1)), float((127.5 + 63.75) / 255));
        QCOMPARE(model.plan.zeroPoint(in(model, "merge", 1))[0], 170);
    }

    void toOutput()
    {
        QuantModel model = merge("Concat");
        QVERIFY(run("align", model) > 0);
        for (const Slot slot :
             {in(model, "merge", 0), in(model, "merge", 1), out(model, "left"), out(model, "right")}) {
            QL_STATE(model, slot, "passive");
            QVERIFY(model.plan.root(slot) == out(model, "merge"));
        }
        QL_STATE(model, out(model, "merge"), "active");
    }

    void aFixedScaleIsShared_data()
    {
        QTest::addColumn<std::string>("type");
        QTest::addColumn<std::string>("place");
        for (const char *type : {"Add", "Concat"})
            for (const char *place : {"in0", "in1", "out", "left", "right"})
                if (std::string(type) == "Concat" || std::string(place) != "out") // the output of Add has its own
                    QTest::addRow("%s %s", type, place) << std::string(type) << std::string(place);
    }
    void aFixedScaleIsShared()
    {
        QFETCH(std::string, type);
        QFETCH(std::string, place);
        QuantModel model = merge(type);
        const std::map<std::string, Slot> places = {{"in0", in(model, "merge", 0)},
                                                    {"in1", in(model, "merge", 1)},
                                                    {"out", out(model, "merge")},
                                                    {"left", out(model, "left")},
                                                    {"right", out(model, "right")}};
        const Slot fixed = places.at(place);
        model.plan.setScale(fixed, {0.0625f}, {0}, QuantState::Active, overrideOf("it"));
        Problems problems;
        run("align", model, {}, nullptr, &problems);
        QVERIFY(problems.empty());
        for (const char *name : {"in0", "in1", "left", "right"}) QCOMPARE(scaleOf(model, places.at(name)), 0.0625f);
        QCOMPARE(scaleOf(model, out(model, "merge")), type == "Add" ? 0.125f : 0.0625f);
        QCOMPARE(model.plan.origin(*model.plan.find(fixed), ConfigField::Scale), overrideOf("it"));
    }

    void ofTwoFixedScalesOneIsReported()
    {
        QuantModel model = merge("Add");
        model.plan.setScale(out(model, "left"), {0.0625f}, {0}, QuantState::Active, overrideOf("one"));
        model.plan.setScale(in(model, "merge", 1), {0.03125f}, {0}, QuantState::Active, overrideOf("two"));
        Problems problems;
        run("align", model, {}, nullptr, &problems);
        QCOMPARE(scaleOf(model, in(model, "merge", 0)), 0.0625f); // to_large: the larger one
        QCOMPARE(scaleOf(model, out(model, "left")), 0.0625f);
        QCOMPARE(problems.size(), std::size_t(1));
        QCOMPARE(problems[0].op, std::string("merge"));
        QVERIFY(problems[0].message.english().find("is replaced") != std::string::npos);
    }

    void toInput()
    {
        QuantModel model = merge("AveragePool"); // only the plan is checked
        QCOMPARE(run("align", model), 0);        // pooling is unchanged by default
        QCOMPARE(run("align", model, {{"pooling", "to_input"}}), 1);
        QL_STATE(model, out(model, "merge"), "passive");
        QCOMPARE(scaleOf(model, out(model, "merge")), 0.5f);
        QL_STATE(model, out(model, "left"), "active"); // nothing is handed upstream
    }

    void resize()
    {
        QuantModel model = merge("Resize");
        QVERIFY(run("align", model) > 0);
        QVERIFY(model.plan.root(in(model, "merge", 0)) == out(model, "merge"));
    }

    void none()
    {
        QuantModel model = merge("Add");
        const std::string plan = planText(model);
        QCOMPARE(run("align", model, {{"elementwise", "none"}}), 0);
        QCOMPARE(planText(model), plan);
        errorOf([&] { run("align", model, {{"elementwise", "to_input"}}); });
    }

    void floatSlotsAreLeftOut()
    {
        QuantModel model = merge("Add");
        model.plan.find(in(model, "merge", 0))->state = QuantState::Off;
        run("align", model);
        QL_STATE(model, in(model, "merge", 0), "fp32");
        QVERIFY(model.plan.root(in(model, "merge", 1)) == in(model, "merge", 1));
        QCOMPARE(scaleOf(model, in(model, "merge", 1)), float(2 * 0.25 * 128 / 255));

        model = merge("Add");
        for (const std::size_t i : {0, 1}) model.plan.find(in(model, "merge", i))->exponentBits = 4;
        const std::string plan = planText(model);
        QCOMPARE(run("align", model), 0);
        QCOMPARE(planText(model), plan);
    }

    void anInputWithoutScaleIsLeftOut()
    {
        QuantModel model = merge("Add");
        model.plan.find(in(model, "merge", 1))->scale.clear();
        model.plan.find(in(model, "merge", 1))->zeroPoint.clear();
        run("align", model);
        QVERIFY(model.plan.root(in(model, "merge", 1)) == in(model, "merge", 1));
    }

    void perChannelInputsAreReported()
    {
        QuantModel model = merge("Add");
        TensorQuantConfig &config = *model.plan.find(in(model, "merge", 1));
        config.channelAxis = 1;
        config.scale = {1, 2, 3, 4};
        config.zeroPoint = {0, 0, 0, 0};
        Problems problems;
        run("align", model, {}, nullptr, &problems);
        QL_STATE(model, in(model, "merge", 1), "active");
        QCOMPARE(problems.size(), std::size_t(1));
        QCOMPARE(problems[0].variable, std::string("b"));
    }

    void otherCodesAreLeftOut()
    {
        for (const char *type : {"Add", "Concat"}) {
            QuantModel model = merge(type);
            TensorQuantConfig &input = *model.plan.find(in(model, "merge", 1));
            input.bits = 4;
            input.quantMin = -8;
            input.quantMax = 7;
            TensorQuantConfig &upstream = *model.plan.find(out(model, "left"));
            upstream.quantMax = 7;
            Problems problems;
            run("align", model, {}, nullptr, &problems);
            for (const Slot slot : {in(model, "merge", 1), out(model, "left")}) {
                QL_STATE(model, slot, "active");
                QVERIFY(model.plan.root(slot) == slot);
            }
            QL_STATE(model, out(model, "right"), "passive");
            QCOMPARE(problems.size(), std::size_t(1)); // only the operation's own input
            QCOMPARE(problems[0].variable, std::string("b"));
        }
    }

    void otherConsumersOfAProducer()
    {
        SmallGraph g;
        g.input("x", {1, 4});
        g.op("Sigmoid", "left", {"x"}, {"a"});
        g.op("Add", "merge", {"a", "a"}, {"y"});
        g.op("Relu", "other", {"a"}, {"z"});
        g.output("y");
        g.output("z");
        QuantModel model = configured(std::move(g.graph));
        std::vector<Slot> slots;
        for (const auto &[slot, config] : model.plan.configs()) slots.push_back(slot);
        for (const Slot slot : slots) model.plan.setScale(slot, {0.5f}, {0}, QuantState::Active, {});
        QuantModel gentle = model;
        run("align", model);
        QL_STATE(model, out(model, "left"), "passive");
        run("align", gentle, {{"force_overlap", false}});
        QL_STATE(gentle, out(gentle, "left"), "active");
        QL_STATE(gentle, in(gentle, "merge", 1), "passive");
    }

    void slotsThatAlreadyLeadTheGroupMakeNoCycle()
    {
        // A platform may let a Resize keep its input's scale; aligning the input to the output is then no work.
        QuantModel model = merge("Resize");
        model.plan.overlap(out(model, "merge"), in(model, "merge", 0), {});
        run("align", model);
        QVERIFY(model.plan.root(out(model, "merge")) == in(model, "merge", 0));
    }
};

QL_TEST(TestAlign)
#include "tst_align.moc"
