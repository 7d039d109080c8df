#include "core/io/native.h"

#include "core/base/error.h"
#include "tests/support/toy_model.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <QtTest>

using namespace ql;

class TestNative : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsBackAnEqualModel()
    {
        QuantModel model = test::toyModel();
        model.plan.parameterValues[model.graph.findVariable("b2")] = test::spread({5}) * 2;
        // Ids with gaps must survive, or the plan's slots would point elsewhere
        const OpId extra = test::addOp(model.graph, "gone", "Relu", {model.graph.findVariable("r1")}, {"gone_out"});
        const OpId kept = test::addOp(model.graph, "tail", "Sigmoid", {model.graph.findVariable("y")}, {"z"},
                                      {{"text", std::string("a\0b", 3)}, {"list", std::vector<float>{0.1f, 2}}});
        model.graph.removeOperation(extra);
        model.graph.removeVariable(model.graph.findVariable("gone_out"));
        const std::string bytes = modelToBytes(model);
        const QuantModel back = modelFromBytes(bytes);
        QCOMPARE(modelToBytes(back), bytes);
        QCOMPARE(index(back.graph.findOperation("tail")), index(kept));
        QCOMPARE(back.plan.configs().size(), model.plan.configs().size());
        const Slot conv = outputSlot(back.graph.findOperation("conv1"));
        QVERIFY(back.plan.root(conv) == outputSlot(back.graph.findOperation("relu1")));
        QCOMPARE(back.plan.origin(*back.plan.find(conv), ConfigField::State), std::string("pass quantize_fusion"));
        QVERIFY(at::equal(back.graph.variable(back.graph.findVariable("w1")).value,
                          model.graph.variable(model.graph.findVariable("w1")).value));
        QVERIFY(at::equal(back.plan.parameterValues.begin()->second, model.plan.parameterValues.begin()->second));
        QCOMPARE(back.graph.operation(kept).stringAttribute("text", ""), std::string("a\0b", 3));
    }

    void refusesWhatIsDamaged()
    {
        const std::string bytes = modelToBytes(test::toyModel());
        QVERIFY_EXCEPTION_THROWN(modelFromBytes(""), Error);
        QVERIFY_EXCEPTION_THROWN(modelFromBytes("quantloupe-native/9\n" + bytes.substr(20)), Error);
        for (std::size_t size = 0; size < bytes.size(); size += 37)
            QVERIFY_EXCEPTION_THROWN(modelFromBytes(std::string_view(bytes).substr(0, size)), Error);
        int refused = 0;
        for (std::size_t at = 25; at < bytes.size();
             at += 11) { // a flipped byte: an error or another model, never a crash
            std::string damaged = bytes;
            damaged[at] = char(damaged[at] ^ 0x5a);
            try {
                modelFromBytes(damaged);
            } catch (const Error &) {
                ++refused;
            }
        }
        QVERIFY(refused > 10);
    }
};

QTEST_GUILESS_MAIN(TestNative)
#include "tst_native.moc"
