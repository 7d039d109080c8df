// A quantized file and a float model that is not the one it was made from.
#include "core/session/import_encodings.h"
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
};

QL_TEST(TestImportOtherVersion)
#include "tst_import_other_version.moc"
