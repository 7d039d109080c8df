#include "core/io/native.h"
#include "tests/support/test_main.h"

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
        QCOMPARE(back.plan.origin(*back.plan.find(conv), ConfigField::State), Origin::pass("quantize_fusion"));
        QVERIFY(at::equal(back.graph.variable(back.graph.findVariable("w1")).value,
                          model.graph.variable(model.graph.findVariable("w1")).value));
        QVERIFY(at::equal(back.plan.parameterValues.begin()->second, model.plan.parameterValues.begin()->second));
        QCOMPARE(back.graph.operation(kept).stringAttribute("text", ""), std::string("a\0b", 3));
    }

    void refusesDamagedFiles()
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

    /// Readers that call themselves for every level must not be led a million levels down.
    void refusesDeepNesting()
    {
        for (const char bracket : {'\x81', '\xa1'}) { // an array of one; an object of one, its key missing
            const std::string bytes = "quantloupe-native/1\n" + std::string(1000000, bracket);
            QVERIFY_EXCEPTION_THROWN(modelFromBytes(bytes), Error);
        }
        std::string objects = "quantloupe-native/1\n";
        for (int i = 0; i < 500000; ++i) objects += "\xa1\x61k"; // {"k": {"k": ...
        QVERIFY_EXCEPTION_THROWN(modelFromBytes(objects), Error);
    }

    /// Well-formed values that no valid file contains.
    void refusesImpossibleValues_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("value");
        const auto row = [](const char *path, const char *value) {
            QTest::addRow("%s = %s", path, value) << path << value;
        };
        row("/graph/variables/0/id", "1e300");
        row("/graph/variables/0/id", "2000000000");
        row("/graph/variables/0/type/shape/0", "-7");
        row("/graph/operations/0/id", "2000000000");
        row("/graph/operations/0/attributes/pads", "{}");
        row("/graph/operations/0/attributes/pads", "{\"ints\": [1.5]}");
        row("/graph/outputs/0", "-1");
        row("/plan/configs/0/bits", "4294967304");
        row("/plan/configs/0/bits", "64");
        row("/plan/configs/0/quant_max", "9223372036854775807");
        row("/plan/configs/0/visibility", "9");
        row("/plan/configs/0/scale", "[0]");
        row("/plan/configs/0/zero_point", "[]");
        row("/plan/configs/0/channel_axis", "-3");
        row("/plan/configs/0/slot", "[77, 0, 0]");
    }
    void refusesImpossibleValues()
    {
        QFETCH(QString, path);
        QFETCH(QString, value);
        nlohmann::json model = modelToJson(test::toyModel());
        modelFromJson(model); // unchanged, it is valid
        model.at(nlohmann::json::json_pointer(path.toStdString())) = nlohmann::json::parse(value.toStdString());
        try {
            modelFromJson(model);
            QFAIL("accepted");
        } catch (const Error &error) {
            QVERIFY2(error.kind != ErrorKind::Internal, error.what());
        }
    }
};

QL_TEST(TestNative)
#include "tst_native.moc"
