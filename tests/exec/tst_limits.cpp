// Sizes that no machine can hold are refused by name before memory is taken, whether they are constants of the model or
// come with the data.
#include "core/base/error.h"
#include "core/exec/executor.h"
#include "core/exec/kernel.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"

#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <QtTest>
#include <fstream>

using namespace ql;
using namespace ql::test;

namespace {

using Attributes = std::map<std::string, Attribute, std::less<>>;

struct Hostile
{
    const char *type;
    std::vector<at::Tensor> inputs; ///< undefined: omitted
    Attributes attributes;
    std::int64_t opset = 18;
};

at::Tensor number(double value, at::ScalarType type = at::kLong)
{
    return at::full({}, value, at::TensorOptions(type));
}

constexpr std::int64_t million = 1000000;

std::map<std::string, Hostile> hostiles()
{
    const at::Tensor picture = at::zeros({1, 1, 4, 4});
    const at::Tensor column = at::zeros({million, 1}), row = at::zeros({1, million});
    const auto list = [](std::initializer_list<std::int64_t> v) { return std::vector<std::int64_t>(v); };
    return {
        {"tile", {"Tile", {at::zeros({1, 1000}), ints({million, million})}, {}}},
        {"tile, product overflows", {"Tile", {at::zeros({1000}), ints({std::int64_t{1} << 62})}, {}}},
        {"expand", {"Expand", {at::zeros({1}), ints({million, million})}, {}}},
        {"constant of shape", {"ConstantOfShape", {ints({million, million})}, {}}},
        {"range", {"Range", {number(0), number(1e12), number(1)}, {}}},
        {"range of fractions",
         {"Range", {number(0, at::kFloat), number(1e9, at::kFloat), number(1e-5, at::kFloat)}, {}}},
        {"resize by sizes", {"Resize", {picture, {}, {}, ints({1, 1, million, million})}, {}}},
        {"resize by scales", {"Resize", {picture, {}, floats({4}, {1, 1, 1e6f, 1e6f})}, {}}},
        {"resize, smooth", {"Resize", {picture, {}, {}, ints({1, 1, 60000, 60000})}, {{"mode", std::string("cubic")}}}},
        {"upsample", {"Upsample", {picture, floats({4}, {1, 1, 1e6f, 1e6f})}, {}, 9}},
        {"pad", {"Pad", {picture, ints({0, 0, 0, 0, 0, 0, million, million})}, {}}},
        {"pad, edge", {"Pad", {picture, ints({0, 0, 0, 0, 0, 0, million, million})}, {{"mode", std::string("edge")}}}},
        {"one-hot", {"OneHot", {at::zeros({1000}), number(1e12), floats({2}, {0, 1})}, {}}},
        {"sum of a row and a column", {"Add", {column, row}, {}}},
        {"largest of a row and a column", {"Max", {column, row}, {}}},
        {"comparison", {"Less", {column, row}, {}}},
        {"choice", {"Where", {column, row, at::zeros({1})}, {}}},
        {"outer product", {"MatMul", {column, row}, {}}},
        {"outer product of Gemm", {"Gemm", {column, row}, {}}},
        {"outer product of Einsum",
         {"Einsum", {at::zeros({million}), at::zeros({million})}, {{"equation", std::string("i,j->ij")}}}},
        {"gather of wide rows", {"Gather", {at::zeros({1, million}), at::zeros({million}, at::kLong)}, {}}},
        {"random numbers", {"RandomNormal", {}, {{"shape", list({million, million})}}}},
        {"window", {"HannWindow", {number(1e12)}, {}}},
        {"regions",
         {"RoiAlign",
          {picture, floats({1, 4}, {0, 0, 1, 1}), ints({0})},
          {{"output_height", million}, {"output_width", million}}}},
        {"unpooling",
         {"MaxUnpool",
          {picture, at::zeros({1, 1, 4, 4}, at::kLong)},
          {{"kernel_shape", list({2, 2})}, {"strides", list({million, million})}}}},
        {"transposed convolution",
         {"ConvTranspose", {picture, at::zeros({1, 1, 2, 2})}, {{"strides", list({million, million})}}}},
        {"convolution of padding",
         {"Conv", {picture, at::zeros({1, 1, 2, 2})}, {{"pads", list({0, 0, million, million})}}}},
        {"pooling of padding",
         {"MaxPool", {picture}, {{"kernel_shape", list({2, 2})}, {"pads", list({0, 0, million, million})}}}},
        {"crop or pad", {"CenterCropPad", {picture, ints({1, 1, million, million})}, {}}},
        {"affine grid", {"AffineGrid", {at::zeros({1, 2, 3}), ints({1, 1, million, million})}, {}, 20}},
    };
}

std::int64_t peakMegabytes()
{
    std::ifstream in("/proc/self/status");
    for (std::string line; std::getline(in, line);)
        if (line.starts_with("VmHWM:")) return std::stoll(line.substr(6)) / 1024;
    return 0;
}

} // namespace

class TestLimits : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void refusesHostileSizes_data()
    {
        QTest::addColumn<QString>("row");
        QTest::addColumn<bool>("constant");
        for (const auto &[name, hostile] : hostiles()) {
            QTest::addRow("%s, fed", name.c_str()) << QString::fromStdString(name) << false;
            QTest::addRow("%s, constant", name.c_str()) << QString::fromStdString(name) << true;
        }
    }

    void refusesHostileSizes()
    {
        QFETCH(QString, row);
        QFETCH(bool, constant);
        const Hostile hostile = hostiles().at(row.toStdString());
        SmallGraph net(hostile.opset);
        std::vector<std::string> names;
        Feed feed;
        for (std::size_t i = 0; i < hostile.inputs.size(); ++i) {
            const at::Tensor &value = hostile.inputs[i];
            names.push_back(value.defined() ? "x" + std::to_string(i) : "");
            if (!value.defined()) continue;
            if (constant) {
                net.parameter(names.back(), value);
            } else {
                net.input(names.back(), {}, value.scalar_type());
                feed[names.back()] = value;
            }
        }
        net.op(hostile.type, "hostile", names, {"y"}, hostile.attributes);
        net.output("y");
        try {
            Executor(net.graph, {"cpu", 1}).compile({}).run(feed, {});
            QFAIL("nothing was refused");
        } catch (const Error &error) {
            QVERIFY2(error.kind == ErrorKind::OutOfMemory, error.what());
            QCOMPARE(error.op, std::string("hostile"));
            QVERIFY2(std::string(error.what()).find("2147483648 elements") != std::string::npos, error.what());
        }
    }

    /// Doubled in each iteration of a loop, a tensor is soon too large.
    void concatenationsAreLimited()
    {
        const at::Tensor wide = at::zeros({1}).expand({std::int64_t{1} << 30}); // takes no memory
        Operation op;
        op.name = "twice and once more";
        op.type = "Concat";
        for (const bool isNewAxis : {false, true}) try {
                joined(op, {wide, wide, wide}, 0, isNewAxis);
                QFAIL("nothing was refused");
            } catch (const Error &error) {
                QVERIFY2(error.kind == ErrorKind::OutOfMemory, error.what());
                QCOMPARE(error.op, op.name);
            }
        QCOMPARE(joined(op, {at::zeros({2, 3}), at::zeros({2, 1})}, 1).size(1), std::int64_t{4});
    }

    void memoryStaysSmall() { QVERIFY2(peakMegabytes() < 2048, qPrintable(QString::number(peakMegabytes()))); }

    void constantsThatDoubleAreVisitedOnce()
    {
        SmallGraph net;
        net.parameter("a0", floats({1}, {1}));
        constexpr int depth = 200; // 2^200 paths lead to a0
        for (int i = 0; i < depth; ++i) {
            const std::string before = "a" + std::to_string(i), after = "a" + std::to_string(i + 1);
            net.op("Mul", "mul" + std::to_string(i), {before, before}, {after});
        }
        net.output("a" + std::to_string(depth));
        QCOMPARE(Executor(net.graph, {"cpu", 1}).compile({}).run(Feed(), {})[0].item().toFloat(), 1.f);
    }

    void longChainsOfConstants()
    {
        SmallGraph net;
        net.parameter("a0", floats({1}, {1}));
        constexpr int length = 20000;
        for (int i = 0; i < length; ++i)
            net.op("Neg", "neg" + std::to_string(i), {"a" + std::to_string(i)}, {"a" + std::to_string(i + 1)});
        net.output("a" + std::to_string(length));
        QCOMPARE(Executor(net.graph, {"cpu", 1}).compile({}).run(Feed(), {})[0].item().toFloat(), 1.f);
    }
};

QL_TEST(TestLimits)
#include "tst_limits.moc"
