// A quantized file and a float model that is not the one it was made from; a scale per channel of activations.
#include "core/api/recipe.h"
#include "core/session/import_encodings.h"
#include "core/session/run.h"
#include "tests/support/onnx_model.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>

using namespace ql;
using test::OnnxModel;

class TestImportOtherVersion : public QObject
{
    Q_OBJECT

private:
    /// As NNCF gives a depthwise Conv: x -> Q, DQ -> Conv -> Relu -> Q, DQ per channel -> depthwise Conv -> HardSwish
    /// -> Q, DQ -> Relu -> y
    static void save(const std::filesystem::path &file)
    {
        OnnxModel m(14);
        m.input("x", {1, 2, 3, 3});
        m.output("y");
        const auto codes = [&](const char *name, int type, std::vector<std::int64_t> dims, std::vector<int> values) {
            auto *tensor = m.graph()->add_initializer();
            tensor->set_name(name);
            tensor->set_data_type(type);
            for (const std::int64_t size : dims) tensor->add_dims(size);
            for (const int value : values) tensor->add_int32_data(value);
        };
        const auto axis = [&](onnx::NodeProto *node, int value) {
            OnnxModel::attribute(node, "axis", onnx::AttributeProto::INT)->set_i(value);
        };
        codes("zero", onnx::TensorProto::INT8, {}, {0});
        codes("zeros", onnx::TensorProto::UINT8, {2}, {0, 0});
        codes("w_zeros", onnx::TensorProto::INT8, {2}, {0, 0});
        codes("w_codes", onnx::TensorProto::INT8, {2, 2, 1, 1}, {100, -50, 25, 127});
        codes("u_codes", onnx::TensorProto::INT8, {2, 2, 1, 1}, {90, -127, 12, 127});
        codes("v_codes", onnx::TensorProto::INT8, {2, 1, 1, 1}, {127, -127});
        m.weight("scale", {}, {.01f});
        m.weight("scales", {2}, {.02f, .03f});
        for (const std::string weight : {"u", "v", "w"})
            axis(m.node("DequantizeLinear", weight, {weight + "_codes", "scales", "w_zeros"}, {weight + "_real"}), 0);
        const auto round = [&](const std::string &tensor, const std::string &scale, const std::string &zero) {
            return std::pair(
                m.node("QuantizeLinear", "q" + tensor, {tensor, scale, zero}, {tensor + "_codes"}),
                m.node("DequantizeLinear", "d" + tensor, {tensor + "_codes", scale, zero}, {tensor + "_r"}));
        };
        round("x", "scale", "zero");
        m.node("Conv", "first", {"x_r", "w_real"}, {"c"});
        m.node("Relu", "relu", {"c"}, {"r"});
        const auto [q, dq] = round("r", "scales", "zeros");
        axis(q, 1);
        axis(dq, 1);
        OnnxModel::attribute(m.node("Conv", "second", {"r_r", "v_real"}, {"s"}), "group", onnx::AttributeProto::INT)
            ->set_i(2);
        m.node("HardSwish", "swish", {"s"}, {"h"});
        round("h", "scale", "zero");
        m.node("Conv", "last", {"h_r", "u_real"}, {"y"});
        m.save(file);
    }

private Q_SLOTS:
    /// A file of an older version of the model, with operators on codes.
    void missingLayer()
    {
        const QTemporaryDir temporary;
        const std::filesystem::path folder = temporary.path().toStdString();
        const auto layers = [](int count) {
            OnnxModel m;
            m.input("x", {1, 2, 3, 3});
            m.output("t" + std::to_string(count));
            for (int i = 0; i < count; ++i)
                m.weight("w" + std::to_string(i), {2, 2, 1, 1}, {1, -.5f, .25f, float(i) / 4 + .5f});
            return m;
        };
        OnnxModel model = layers(2), file = layers(1);
        model.node("Conv", "conv0", {"x", "w0"}, {"t1"});
        model.node("Conv", "conv1", {"t1", "w1"}, {"t2"});
        model.save(folder / "layers.onnx");
        const auto constant = [&](const char *name, std::vector<std::int64_t> dims, std::vector<int> codes) {
            auto *tensor = file.graph()->add_initializer();
            tensor->set_name(name);
            tensor->set_data_type(onnx::TensorProto::INT8);
            for (const std::int64_t size : dims) tensor->add_dims(size);
            for (const int code : codes) tensor->add_int32_data(code);
        };
        constant("zero", {}, {0});
        constant("codes", {2, 2, 1, 1}, {100, -50, 25, 50});
        file.weight("scale", {}, {.01f});
        file.node("QuantizeLinear", "q", {"x", "scale", "zero"}, {"x_codes"});
        file.node("QLinearConv", "conv0", {"x_codes", "scale", "zero", "codes", "scale", "zero", "scale", "zero"},
                  {"t1_codes"});
        file.node("DequantizeLinear", "dq", {"t1_codes", "scale", "zero"}, {"t1"});
        file.save(folder / "older.onnx");
        const ImportedEncodings result =
            importEncodings({(folder / "older.onnx").string(), (folder / "layers.onnx").string(), {}}, {});
        QCOMPARE(result.problems.size(), std::size_t(1));
        QCOMPARE(result.problems[0].op, std::string("conv1"));
        QVERIFY(result.problems[0].message.english().find("does not have: 1") != std::string::npos);
    }

    /// Slots that share no scale then are fixed, too: the recipe needs no calibration data.
    void nothingIsOpen()
    {
        const QTemporaryDir temporary;
        const std::filesystem::path file = std::filesystem::path(temporary.path().toStdString()) / "channels.onnx";
        save(file);
        api::Recipe recipe = importEncodings({file.string()}, {}).recipe;
        recipe.analyses.clear();
        const QuantModel model = runRecipe(recipe, {}, {}).model;
        int perChannel = 0;
        for (const auto &[slot, config] : model.plan.configs()) {
            const std::string op = model.graph.operation(slot.op).name;
            QVERIFY2(config.state != QuantState::Initial, op.c_str());
            if (config.isPerChannel() && slot.output) perChannel += op == "relu" || op == "first";
        }
        QVERIFY(perChannel > 0);
    }
};

QL_TEST(TestImportOtherVersion)
#include "tst_import_other_version.moc"
