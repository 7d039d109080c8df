// Values and types that the ONNX backend suite does not try.
#include "core/base/error.h"
#include "core/exec/executor.h"
#include "core/exec/kernel.h"
#include "core/exec/opaque.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/nan_to_num.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <QTest>
#include <cmath>
#include <limits>

using namespace ql;
using namespace ql::test;

class TestOperatorValues : public QObject
{
    Q_OBJECT

private:
    static at::Tensor run(const char *type, const at::Tensor &x,
                          const std::map<std::string, Attribute, std::less<>> &attributes = {})
    {
        SmallGraph net;
        net.input("x", {}, x.scalar_type());
        net.op(type, "op", {"x"}, {"y"}, attributes);
        net.output("y");
        return Executor(net.graph, {"cpu", 1}).compile({}).run(Feed{{"x", x}}, {}).at(0);
    }

    static std::vector<std::int64_t> sizes(const at::Tensor &x) { return x.sizes().vec(); }

private Q_SLOTS:
    /// Large windows take another way than small ones: the maxima are those of each window, NaN spread over theirs.
    void maximaOfLargeWindows()
    {
        using List = std::vector<std::int64_t>;
        at::Tensor x = at::randn({2, 3, 23, 19});
        x[0][1][7][6] = std::numeric_limits<float>::quiet_NaN();
        x[1][2] = -std::numeric_limits<float>::infinity();
        struct Window
        {
            List kernel, strides, pads, dilations;
        };
        for (const Window &w : {Window{{13, 13}, {1, 1}, {6, 6}, {1, 1}}, Window{{5, 7}, {2, 3}, {2, 0}, {1, 1}},
                                Window{{5, 5}, {1, 2}, {0, 2}, {3, 2}}, Window{{3, 9}, {1, 1}, {0, 0}, {1, 1}}}) {
            const List pads{w.pads[0], w.pads[1], w.pads[0], w.pads[1]};
            const at::Tensor y =
                run("MaxPool", x,
                    {{"kernel_shape", w.kernel}, {"strides", w.strides}, {"pads", pads}, {"dilations", w.dilations}});
            const at::Tensor wanted = at::max_pool2d(x, w.kernel, w.strides, w.pads, w.dilations);
            QVERIFY(at::equal(at::isnan(y), at::isnan(wanted)) && at::isnan(y).any().item<bool>());
            QVERIFY(at::equal(at::nan_to_num(y), at::nan_to_num(wanted)));
        }
    }

    /// A kernel that is longer than its input by less than a stride: one window, cut off. Values: of ONNX Runtime.
    void windowsLongerThanTheInput()
    {
        const at::Tensor x = test::ramp({1, 1, 5}, 1, 1);
        const auto pool = [&](const char *type, std::int64_t kernel, std::int64_t dilation, std::int64_t stride,
                              std::int64_t before = 0, std::int64_t countsPads = 0) {
            using List = std::vector<std::int64_t>;
            return values(run(type, x,
                              {{"kernel_shape", List{kernel}},
                               {"dilations", List{dilation}},
                               {"strides", List{stride}},
                               {"pads", List{before, 0}},
                               {"count_include_pad", countsPads},
                               {"ceil_mode", std::int64_t{1}}}));
        };
        QCOMPARE(pool("MaxPool", 4, 2, 3), std::vector<double>{5});
        QCOMPARE(pool("MaxPool", 7, 1, 4), std::vector<double>{5});
        QCOMPARE(pool("AveragePool", 4, 2, 3), std::vector<double>{3}); // of 1, 3 and 5
        QCOMPARE(pool("AveragePool", 8, 1, 4, 1), std::vector<double>{3});
        QCOMPARE(pool("AveragePool", 8, 1, 4, 1, 1), std::vector<double>{2.5});
        QCOMPARE(pool("LpPool", 7, 1, 3), std::vector<double>{double(std::sqrt(55.f))});
        QVERIFY_EXCEPTION_THROWN(pool("MaxPool", 7, 1, 2), Error); // nothing fits
    }

    /// The sum over neighbouring channels is updated from one channel to the next, in float, as in ONNX Runtime: the
    /// rounding error that a large channel leaves is part of the result.
    void responseOverChannels()
    {
        const std::vector<float> values{3000.3F, 0.7F, -0.4F, 1.3F};
        const at::Tensor y = run("LRN", at::tensor(values).reshape({1, 4, 1, 1}),
                                 {{"size", std::int64_t{3}}, {"alpha", 3.0F}, {"beta", 1.0F}, {"bias", 1.0F}});
        const auto square = [&](int i) { return i < 0 || i > 3 ? 0.0F : values[i] * values[i]; };
        float sum = 1 + square(0) + square(1);
        for (int c = 0; c < 4; ++c) {
            if (c > 0) sum = sum + square(c + 1) - square(c - 2);
            const float wanted = values[c] / sum;
            QVERIFY(std::abs(y.flatten()[c].item<float>() - wanted) <= std::abs(wanted) * 3e-7F);
        }
    }

    /// The smallest integer divided by -1 wraps around, as it does in other runtimes; a division by 0 is an error.
    void divisionOfIntegers()
    {
        const auto of = [](const char *type, at::ScalarType dtype, const at::Tensor &divisor, std::int64_t fmod = 0) {
            SmallGraph net;
            net.input("a", {}, dtype);
            net.input("b", {}, dtype);
            net.op(type, "op", {"a", "b"}, {"y"},
                   fmod ? std::map<std::string, Attribute, std::less<>>{{"fmod", fmod}}
                        : std::map<std::string, Attribute, std::less<>>{});
            net.output("y");
            const std::int64_t least =
                dtype == at::kInt ? std::numeric_limits<std::int32_t>::min() : std::numeric_limits<std::int64_t>::min();
            return toInts(Executor(net.graph, {"cpu", 1})
                              .compile({})
                              .run({{"a", ints({least, 7, -7}).to(dtype)}, {"b", divisor.to(dtype)}}, {})[0]);
        };
        for (const at::ScalarType dtype : {at::kInt, at::kLong}) {
            const std::int64_t least =
                dtype == at::kInt ? std::numeric_limits<std::int32_t>::min() : std::numeric_limits<std::int64_t>::min();
            QCOMPARE(of("Div", dtype, ints({-1, -1, 2})), (std::vector<std::int64_t>{least, -7, -3}));
            QCOMPARE(of("Mod", dtype, ints({-1, -1, 2})), (std::vector<std::int64_t>{0, 0, 1}));
            QCOMPARE(of("Mod", dtype, ints({-1, -1, 2}), 1), (std::vector<std::int64_t>{0, 0, -1}));
            QVERIFY_EXCEPTION_THROWN(of("Div", dtype, ints({1, 0, 1})), Error);
            QVERIFY_EXCEPTION_THROWN(of("Mod", dtype, ints({1, 0, 1})), Error);
        }
    }

    /// Axes in any order; the result has the shape of the remaining ones.
    void productOverAxesInAnyOrder()
    {
        const at::Tensor x = ramp({2, 3, 4}, 1, 1);
        const at::Tensor y =
            run("ReduceProd", x, {{"axes", std::vector<std::int64_t>{2, 0}}, {"keepdims", std::int64_t{0}}});
        QCOMPARE(sizes(y), std::vector<std::int64_t>{3});
        double first = 1;
        for (const double v : {1., 2., 3., 4., 13., 14., 15., 16.}) first *= v;
        QVERIFY(std::abs(values(y)[0] / first - 1) < 1e-6);
    }

    /// Factors may be fractions; the result has the type of the matrices.
    void productOfIntegers()
    {
        SmallGraph net;
        for (const char *name : {"a", "b", "c"}) net.input(name, {}, at::kInt);
        net.op("Gemm", "op", {"a", "b", "c"}, {"y"}, {{"alpha", 0.5f}, {"beta", 3.0f}});
        net.output("y");
        const auto matrix = [](std::initializer_list<std::int64_t> v) { return ints(v).to(at::kInt).reshape({2, 2}); };
        const at::Tensor y =
            Executor(net.graph, {"cpu", 1})
                .compile({})
                .run({{"a", matrix({2, 0, 0, 2})}, {"b", matrix({1, 2, 3, -5})}, {"c", matrix({1, 0, 0, 1})}}, {})[0];
        QVERIFY(y.scalar_type() == at::kInt);
        QCOMPARE(values(y.to(at::kFloat)), (std::vector<double>{4, 2, 3, -2}));
    }

    /// Source: CumSum-11; small values survive next to large ones.
    void exclusiveSum()
    {
        SmallGraph net;
        net.input("x");
        net.parameter("axis", ints({0}));
        net.op("CumSum", "op", {"x", "axis"}, {"y"}, {{"exclusive", std::int64_t{1}}});
        net.output("y");
        const at::Tensor y = Executor(net.graph, {"cpu", 1}).compile({}).run({{"x", floats({3}, {1, 1e9f, 2})}}, {})[0];
        QCOMPARE(values(y), (std::vector<double>{0, 1, 1e9}));
    }

    /// Exporters write the largest int64 for "all of them".
    void suppressionWithoutLimit()
    {
        SmallGraph net;
        net.input("boxes");
        net.input("scores");
        net.parameter("most", ints({std::numeric_limits<std::int64_t>::max()}));
        net.parameter("iou", floats({1}, {0.5f}));
        net.op("NonMaxSuppression", "op", {"boxes", "scores", "most", "iou"}, {"y"});
        net.output("y");
        const Feed feed{{"boxes", floats({1, 3, 4}, {0, 0, 1, 1, 0, 0, 1, 0.9f, 2, 2, 3, 3})},
                        {"scores", floats({1, 1, 3}, {0.2f, 0.9f, 0.5f})}};
        const at::Tensor y = Executor(net.graph, {"cpu", 1}).compile({}).run(feed, {})[0];
        QCOMPARE(sizes(y), (std::vector<std::int64_t>{2, 3}));
        QCOMPARE(values(y), (std::vector<double>{0, 0, 1, 0, 0, 2}));
    }

    /// Two quantized boxes, one half of the other: 0.5 in float32, as ONNX Runtime computes it, and more in float64.
    void suppressionAtTheThreshold()
    {
        SmallGraph net;
        net.input("boxes");
        net.input("scores");
        net.parameter("most", ints({10}));
        net.parameter("iou", floats({1}, {0.5f}));
        net.op("NonMaxSuppression", "op", {"boxes", "scores", "most", "iou"}, {"y"});
        net.output("y");
        const Feed feed{{"boxes", floats({1, 2, 4}, {1, 4, 3, 7, 0, 4, 4, 7}) * 0.1f},
                        {"scores", floats({1, 1, 2}, {0.9f, 0.5f})}};
        const at::Tensor y = Executor(net.graph, {"cpu", 1}).compile({}).run(feed, {})[0];
        QCOMPARE(sizes(y), (std::vector<std::int64_t>{2, 3}));
    }

    /// Codes between two pixels are cut off towards 0, as ONNX Runtime does.
    void interpolatedCodes()
    {
        SmallGraph net;
        net.input("x");
        net.parameter("scales", floats({4}, {1, 1, 1, 2}));
        net.op("Cast", "codes", {"x"}, {"c"}, {{"to", std::int64_t{3}}});
        net.op("Resize", "op", {"c", "", "scales"}, {"y"},
               {{"mode", std::string("linear")}, {"coordinate_transformation_mode", std::string("asymmetric")}});
        net.output("y");
        const Feed feed{{"x", floats({1, 1, 1, 3}, {-3, 0, 3})}};
        const at::Tensor y = Executor(net.graph, {"cpu", 1}).compile({}).run(feed, {})[0];
        QCOMPARE(values(y.to(at::kFloat)), (std::vector<double>{-3, -1, 0, 1, 3, 3}));
    }

    /// Source: ReduceL2-18: without axes nothing is summed, but the rest is done.
    void noAxes()
    {
        const at::Tensor y = run("ReduceL2", floats({2}, {-3, 4}), {{"noop_with_empty_axes", std::int64_t{1}}});
        QCOMPARE(values(y), (std::vector<double>{3, 4}));
    }

    /// Source: ThresholdedRelu-10: x where x > alpha, otherwise 0; neither -infinity nor NaN is.
    void thresholdedRelu()
    {
        constexpr float infinity = std::numeric_limits<float>::infinity();
        const at::Tensor y = run("ThresholdedRelu", floats({4}, {-infinity, std::nanf(""), 0.5f, infinity}));
        QCOMPARE(values(y), (std::vector<double>{0, 0, 0, double(infinity)}));
    }

    /// The result has the type of the operands, where LibTorch sums in int64.
    void integerSums()
    {
        const at::Tensor x = ints({3, -5, 9}).to(at::kInt);
        const at::Tensor sum = run("Einsum", x, {{"equation", std::string("i->")}});
        QVERIFY(sum.scalar_type() == at::kInt);
        QCOMPARE(values(sum), std::vector<double>{7});
        const at::Tensor scalar = run("ReduceSum", x.select(0, 0));
        QVERIFY(scalar.scalar_type() == at::kInt);
        QCOMPARE(values(scalar), std::vector<double>{3});
    }

    void stringsAreMoved_data()
    {
        QTest::addColumn<std::string>("type");
        QTest::addColumn<std::vector<at::Tensor>>("others"); // inputs 1, 2, ...
        QTest::addColumn<int>("place");                      // of the strings among the inputs
        QTest::addColumn<QStringList>("expected");
        QTest::addColumn<std::vector<std::int64_t>>("shape");
        using Shape = std::vector<std::int64_t>;
        using Others = std::vector<at::Tensor>;
        const auto row = [](const char *type, const Others &others, int place, const char *expected, Shape shape) {
            QTest::newRow(type) << std::string(type) << others << place
                                << QString::fromUtf8(expected).split(QLatin1Char(' ')) << std::move(shape);
        };
        const at::Tensor yes = ints({1, 0, 0}).to(at::kBool);
        const at::Tensor more = makeStrings({"z", "b", "y"}, {1, 3});
        row("Concat", {more}, 0, "b a c é  a z b y", {3, 3});
        row("Reshape", {ints({3, -1})}, 0, "b a c é  a", {3, 2});
        row("Flatten", {}, 0, "b a c é  a", {2, 3});
        row("Transpose", {}, 0, "b é a  c a", {3, 2});
        row("Squeeze", {ints({0})}, 0, "b a c é  a", {2, 3}); // of [1, 2, 3]
        row("Unsqueeze", {ints({0})}, 0, "b a c é  a", {1, 2, 3});
        row("Slice", {ints({1}), ints({3}), ints({1})}, 0, "a c  a", {2, 2});
        row("Gather", {ints({1, 1})}, 0, "é  a é  a", {2, 3});
        row("GatherElements", {ints({1, 0, 1}).reshape({1, 3})}, 0, "é a a", {1, 3});
        row("GatherND", {ints({1, 2}).reshape({1, 2})}, 0, "a", {1});
        row("Tile", {ints({1, 2})}, 0, "b a c b a c é  a é  a", {2, 6});
        row("Expand", {ints({2, 2, 3})}, 0, "b a c é  a b a c é  a", {2, 2, 3});
        row("Pad", {ints({0, 1, 0, 0})}, 0, " b a c  é  a", {2, 4});
        row("Where", {yes, more}, 1, "b b y é b y", {2, 3});
        row("Unique", {}, 0, " a b c é", {5});
    }
    /// Operators that move values take strings; the other inputs are numbers.
    void stringsAreMoved()
    {
        QFETCH(std::string, type);
        QFETCH(std::vector<at::Tensor>, others);
        QFETCH(int, place);
        QFETCH(QStringList, expected);
        QFETCH(std::vector<std::int64_t>, shape);
        const bool isLong = type == "Squeeze";
        const at::Tensor text = makeStrings({"b", "a", "c", "é", "", "a"}, isLong ? std::vector<std::int64_t>{1, 2, 3}
                                                                                  : std::vector<std::int64_t>{2, 3});
        others.insert(others.begin() + place, text);
        SmallGraph net;
        Feed feed;
        std::vector<std::string> names;
        for (std::size_t i = 0; i < others.size(); ++i) {
            names.push_back("in" + std::to_string(i));
            net.input(names.back(), {}, others[i].scalar_type());
            feed[names.back()] = others[i];
        }
        std::map<std::string, Attribute, std::less<>> attributes;
        if (type == "Concat") attributes["axis"] = std::int64_t{0};
        net.op(type, "op", names, {"y"}, attributes);
        net.output("y");
        const at::Tensor y = Executor(net.graph, {"cpu", 1}).compile({}).run(feed, {}).at(0);
        QCOMPARE(sizes(y), shape);
        QStringList texts;
        for (const std::string &word : stringsOf(y)) texts.append(QString::fromStdString(word));
        QCOMPARE(texts, expected);
    }

    /// A query whose keys are all hidden: ONNX gives zeros for -infinity alone, ONNX Runtime also for the lowest
    /// number.
    void attentionWithoutKeys()
    {
        SmallGraph net(23);
        net.input("q", {1, 1, 2, 2});
        net.input("k", {1, 1, 2, 2});
        net.input("v", {1, 1, 2, 2});
        net.input("mask", {2, 2});
        const OpId id = net.op("Attention", "op", {"q", "k", "v", "mask"}, {"y"}, {{"scale", 1.f}});
        net.output("y");
        const KernelContext context{net.graph.operation(id), net.graph};
        const KernelEntry &entry = *findKernel(context.op);
        const at::Tensor x = floats({1, 1, 2, 2}, {1, 2, 3, 4});
        const auto rows = [&](const KernelFunction &run, float mask) {
            const std::vector<at::Tensor> inputs{x, x, x, floats({2, 2}, {0, mask, mask, mask})};
            return values(run(context, inputs).at(0));
        };
        const float lowest = std::numeric_limits<float>::lowest(), infinity = std::numeric_limits<float>::infinity();
        const std::vector<double> zeros{1, 2, 0, 0}, means{1, 2, 2, 3};
        QCOMPARE(rows(entry.run, -infinity), zeros);
        QCOMPARE(rows(entry.run, lowest), means);
        QCOMPARE(rows(entry.asRuntime, -infinity), zeros);
        QCOMPARE(rows(entry.asRuntime, lowest), zeros);
        QCOMPARE(rows(entry.asRuntime, -1e30f), means);
    }

    void stringsAreCompared()
    {
        SmallGraph net(19);
        net.op("Constant", "word", {}, {"a"}, {{"value_string", std::string("b")}});
        net.op("Constant", "words", {}, {"b"}, {{"value_strings", std::vector<std::string>{"b", "ab", "", "b"}}});
        net.op("Equal", "op", {"a", "b"}, {"y"});
        net.op("Split", "split", {"b"}, {"c", "d"}, {{"num_outputs", std::int64_t{2}}});
        net.op("Unique", "unique", {"b"}, {"u", "first", "back", "counts"});
        for (const char *name : {"y", "c", "d", "u", "counts"}) net.output(name);
        const std::vector<at::Tensor> out = Executor(net.graph, {"cpu", 1}).compile({}).run(Feed{}, {});
        QCOMPARE(values(out[0]), (std::vector<double>{1, 0, 0, 1}));
        QCOMPARE(stringsOf(out[1]), (std::vector<std::string>{"b", "ab"}));
        QCOMPARE(stringsOf(out[2]), (std::vector<std::string>{"", "b"}));
        QCOMPARE(stringsOf(out[3]), (std::vector<std::string>{"", "ab", "b"}));
        QCOMPARE(values(out[4]), (std::vector<double>{1, 1, 2}));
    }
};

QL_TEST(TestOperatorValues)
#include "tst_operator_values.moc"
