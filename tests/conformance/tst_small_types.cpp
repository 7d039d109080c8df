// QuantizeLinear and Cast to types that the engine holds in wider ones: 4 bits, and the 8-bit floats against a search
// through all of their values.
#include "core/exec/executor.h"
#include "core/io/onnx/element_type.h"
#include "core/io/onnx/import.h"
#include "tests/support/onnx_model.h"
#include "tests/support/test_main.h"

#include <ATen/ops/tensor.h>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <limits>

using namespace ql;
using ql::test::OnnxModel;

namespace {

const float infinite = std::numeric_limits<float>::infinity();

/// The value of a small float nearest to x, of two equally near ones that with the even code.
float nearestOf(int code, float x, bool saturate)
{
    if (std::isnan(x)) return x;
    float best = 0, largest = 0;
    int bestBits = 0;
    double least = std::numeric_limits<double>::infinity();
    for (int bits = 0; bits < 256; ++bits) {
        const float value = onnx_io::decodeSmallFloat(code, std::uint8_t(bits));
        if (!std::isfinite(value)) continue;
        largest = std::max(largest, value);
        const double distance = std::abs(double(value) - double(x));
        if (distance > least || (distance == least && (bits & 1) > (bestBits & 1))) continue;
        least = distance;
        best = value;
        bestBits = bits;
    }
    // Half a step above the largest value; only in E4M3FN that has an even code, which wins the tie
    const float size = std::abs(x);
    const bool isBeyond = code == 17 ? size > 464 : code == 18 ? size >= 248 : size >= 61440;
    if (!isBeyond) return best;
    if (saturate) return std::copysign(largest, x);
    return code == 19 ? std::copysign(infinite, x) : std::numeric_limits<float>::quiet_NaN();
}

at::Tensor resultOf(const OnnxModel &model, const at::Tensor &x)
{
    QTemporaryDir folder;
    const Graph graph = importOnnx(model.save(folder.filePath("m.onnx").toStdString()));
    return Executor(graph, {"cpu", 1}).compile({}).run({x}, {}).at(0);
}

} // namespace

class TestSmallTypes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fourBitsSaturate_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<QList<int>>("codes");
        QTest::addColumn<bool>("isConstant");
        for (const bool isConstant : {false, true}) {
            const char *from = isConstant ? "constant" : "initialiser";
            QTest::addRow("int4, %s", from) << 22 << QList<int>{-8, -8, -2, 3, 7, 7} << isConstant;
            QTest::addRow("uint4, %s", from) << 21 << QList<int>{0, 0, 0, 3, 9, 15} << isConstant;
        }
    }
    /// x / 2 + 3, half to even, within the type's own limits.
    void fourBitsSaturate()
    {
        QFETCH(int, type);
        QFETCH(QList<int>, codes);
        QFETCH(bool, isConstant);
        OnnxModel model(21, 10);
        model.input("x", {6});
        model.weight("scale", {}, {2});
        onnx::TensorProto zero;
        zero.set_name("zero");
        zero.set_data_type(type);
        zero.add_int32_data(3);
        if (isConstant) {
            *OnnxModel::attribute(model.node("Constant", "c", {}, {"zero"}), "value", onnx::AttributeProto::TENSOR)
                 ->mutable_t() = zero;
        } else {
            *model.graph()->add_initializer() = zero;
        }
        model.node("QuantizeLinear", "q", {"x", "scale", "zero"}, {"y"});
        model.output("y");
        const at::Tensor y = resultOf(model, at::tensor({-1000.0f, -40.0f, -10.0f, 0.0f, 11.0f, 1000.0f}));
        QList<int> got;
        for (int i = 0; i < y.numel(); ++i) got.append(y[i].item().toInt());
        QCOMPARE(got, codes);
    }

    /// Truncated, and the higher bits go.
    void fourBitsByCast()
    {
        for (const auto &[type, codes] :
             {std::pair(22, QList<int>{-8, -1, 0, 7, -7, 3}), std::pair(21, QList<int>{8, 15, 0, 7, 9, 3})}) {
            OnnxModel model(21, 10);
            model.input("x", {6});
            OnnxModel::attribute(model.node("Cast", "c", {"x"}, {"y"}), "to", onnx::AttributeProto::INT)->set_i(type);
            model.output("y");
            const at::Tensor y = resultOf(model, at::tensor({-8.0f, -1.9f, 0.9f, 7.0f, 9.0f, 19.0f}));
            QList<int> got;
            for (int i = 0; i < y.numel(); ++i) got.append(y[i].item().toInt());
            QCOMPARE(got, codes);
        }
    }

    void smallFloats_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<bool>("saturate");
        QTest::addColumn<bool>("isCast");
        const char *names[] = {"E4M3FN", "E4M3FNUZ", "E5M2", "E5M2FNUZ"};
        for (int type = 17; type <= 20; ++type)
            for (const bool saturate : {true, false})
                for (const bool isCast : {true, false})
                    QTest::addRow("%s, %s, %s", isCast ? "Cast" : "QuantizeLinear", names[type - 17],
                                  saturate ? "saturating" : "not saturating")
                        << type << saturate << isCast;
    }
    void smallFloats()
    {
        QFETCH(int, type);
        QFETCH(bool, saturate);
        QFETCH(bool, isCast);
        // Every value, values between it and the next one, including ties, and values that are too small or too large
        std::vector<float> x{0, infinite, -infinite, std::numeric_limits<float>::quiet_NaN(), 1e-30f, 1e30f, -1e30f};
        for (int bits = 0; bits < 256; ++bits) {
            const float value = onnx_io::decodeSmallFloat(type, std::uint8_t(bits));
            const float next = onnx_io::decodeSmallFloat(type, std::uint8_t(bits + 1));
            if (!std::isfinite(value)) continue;
            x.push_back(value);
            if (!std::isfinite(next) || value * next < 0) continue;
            for (const float part : {0.25f, 0.5f, 0.75f}) x.push_back(value + part * (next - value));
        }
        OnnxModel model(21, 10);
        model.input("x", {std::int64_t(x.size())});
        onnx::NodeProto *node = nullptr;
        if (isCast) {
            node = model.node("Cast", "c", {"x"}, {"y"});
            OnnxModel::attribute(node, "to", onnx::AttributeProto::INT)->set_i(type);
        } else {
            model.weight("scale", {}, {1});
            auto *zero = model.graph()->add_initializer();
            zero->set_name("zero");
            zero->set_data_type(type);
            zero->add_int32_data(0);
            node = model.node("QuantizeLinear", "q", {"x", "scale", "zero"}, {"y"});
        }
        OnnxModel::attribute(node, "saturate", onnx::AttributeProto::INT)->set_i(saturate ? 1 : 0);
        model.output("y");
        const at::Tensor y = resultOf(model, at::tensor(x));
        for (std::size_t i = 0; i < x.size(); ++i) {
            const float got = y[std::int64_t(i)].item().toFloat(), want = nearestOf(type, x[i], saturate);
            QVERIFY2((std::isnan(got) && std::isnan(want)) || got == want,
                     qPrintable(QStringLiteral("%1 became %2, not %3").arg(x[i]).arg(got).arg(want)));
        }
    }
};

QL_TEST(TestSmallTypes)
#include "tst_small_types.moc"
