#include "pass_support.h"
#include "tests/support/test_main.h"

#include <cmath>

using namespace ql;
using namespace ql::test;

/// What RKNN's toolkit 2.5 computes in another way than the file says (pass runtime_kernels, sums rknn).
class TestRknnFusions : public QObject
{
    Q_OBJECT

private:
    static void scale(QuantModel &model, Slot slot, float value)
    {
        TensorQuantConfig &config = *model.plan.find(slot);
        config.quantMin = 0;
        config.quantMax = 255;
        config.symmetric = false;
        model.plan.setScale(slot, {value}, {0}, QuantState::Active, {});
    }
    static std::vector<float> valuesOf(const QuantModel &model, const at::Tensor &x)
    {
        const Executor executor(model.graph, {.threads = 1});
        ProgramSpec spec;
        spec.plan = &model.plan;
        const at::Tensor y = executor.compile(spec).run(Feed{{"x", x}}, {}).at(0).contiguous();
        return {y.data_ptr<float>(), y.data_ptr<float>() + y.numel()};
    }

private Q_SLOTS:
    /// x * sigmoid(x) is one operation: the Sigmoid is not rounded unless something else reads it.
    void silu_data()
    {
        QTest::addColumn<bool>("isAlone");
        QTest::newRow("one operation") << true;
        QTest::newRow("another reader") << false;
    }
    void silu()
    {
        QFETCH(bool, isAlone);
        SmallGraph g;
        g.input("x", {1, 1, 1, 2});
        g.op("Sigmoid", "gate", {"x"}, {"s"});
        g.op("Mul", "product", {"x", "s"}, {"y"});
        if (!isAlone) g.op("Relu", "other", {"s"}, {"z"});
        g.output("y");
        if (!isAlone) g.output("z");
        QuantModel model = configured(std::move(g.graph));
        for (const Slot slot : {in(model, "gate"), in(model, "product", 0), out(model, "product")})
            scale(model, slot, 1.f / 64);
        for (const Slot slot : {out(model, "gate"), in(model, "product", 1)}) scale(model, slot, 0.25f);
        run("runtime_kernels", model, {{"sums", "rknn"}});
        // sigmoid(1) = 0.731, on the grid 0.75; sigmoid(2) = 0.881, on the grid 1
        const std::vector<float> y = valuesOf(model, floats({1, 1, 1, 2}, {1, 2}));
        QCOMPARE(y[0], isAlone ? 47.f / 64 : 0.75f);
        QCOMPARE(y[1], isAlone ? 113.f / 64 : 2.f);
    }

    /// What rounds a float tensor after a pool, or in one of its readers, rounds it for all.
    void roundingOfReaders_data()
    {
        QTest::addColumn<QStringList>("types"); // of the operations between the tensor and the Conv that rounds
        QTest::addColumn<QString>("other");     // another reader
        QTest::addColumn<bool>("isRounded");
        QTest::newRow("no operation") << QStringList() << "" << true;
        QTest::newRow("a mean") << QStringList{"GlobalAveragePool"} << "" << true;
        QTest::newRow("a limit and a maximum") << QStringList{"Relu", "GlobalMaxPool"} << "" << true;
        QTest::newRow("a function") << QStringList{"GlobalAveragePool", "Tanh"} << "" << false;
        QTest::newRow("a reader of its shape, and a mean") << QStringList{"GlobalAveragePool"} << "Shape" << true;
        QTest::newRow("a reader in float") << QStringList() << "Tanh" << true;
        QTest::newRow("a reader in float, and a mean") << QStringList{"GlobalAveragePool"} << "Tanh" << false;
        QTest::newRow("a reader with another scale") << QStringList() << "Conv" << false;
        QTest::newRow("a reader with another scale, and a mean") << QStringList{"GlobalAveragePool"} << "Conv" << true;
    }
    void roundingOfReaders()
    {
        QFETCH(QStringList, types);
        QFETCH(QString, other);
        QFETCH(bool, isRounded);
        SmallGraph g;
        g.input("x", {1, 1, 1, 2});
        g.parameter("w", floats({1, 1, 1, 1}, {1}));
        g.op("Sqrt", "float", {"x"}, {"s"});
        std::string last = "s";
        for (const QString &type : types) {
            const std::string name = type.toStdString();
            g.op(name, name, {last}, {name});
            last = name;
        }
        g.op("Conv", "last", {last, "w"}, {"y"});
        g.output("y");
        if (!other.isEmpty()) {
            std::vector<std::string> inputs{"s"};
            if (other == "Conv") inputs.emplace_back("w");
            g.op(other.toStdString(), "other", inputs, {"z"});
            g.output("z");
        }
        QuantModel model = configured(std::move(g.graph));
        for (const OpId id : model.graph.topological())
            if (model.graph.operation(id).type != "Conv") model.plan.erase(id);
        for (const auto &[slot, config] : std::map(model.plan.configs()))
            model.plan.setState(slot, QuantState::Off, {});
        scale(model, in(model, "last"), types.isEmpty() || other != "Conv" ? 0.25f : 0.5f);
        if (other == "Conv") scale(model, in(model, "other"), types.isEmpty() ? 0.5f : 0.25f);
        run("runtime_kernels", model, {{"sums", "rknn"}});
        const Executor executor(model.graph, {.threads = 1});
        ProgramSpec spec;
        spec.plan = &model.plan;
        spec.outputs = {model.graph.findVariable("s")};
        const at::Tensor s = executor.compile(spec).run(Feed{{"x", floats({1, 1, 1, 2}, {2, 2})}}, {}).at(0);
        const float half = float(c10::Half(std::sqrt(2.f)));
        QCOMPARE(s.contiguous().data_ptr<float>()[0], isRounded ? 1.5f : half);
    }

    /// In float16, a mean over H and W is a series of depthwise Conv.
    void meanInFloat16_data()
    {
        QTest::addColumn<QString>("type");
        QTest::newRow("GlobalAveragePool") << "GlobalAveragePool";
        QTest::newRow("ReduceMean") << "ReduceMean";
        QTest::newRow("AveragePool over all") << "AveragePool";
    }
    void meanInFloat16()
    {
        QFETCH(QString, type);
        SmallGraph g;
        g.input("x", {1, 1, 9, 3});
        std::map<std::string, Attribute, std::less<>> attributes;
        if (type == "ReduceMean") attributes = {{"axes", std::vector<std::int64_t>{2, 3}}};
        if (type == "AveragePool") attributes = {{"kernel_shape", std::vector<std::int64_t>{9, 3}}};
        g.op(type.toStdString(), "mean", {"x"}, {"y"}, attributes);
        g.output("y");
        QuantModel model;
        model.graph = std::move(g.graph);
        run("runtime_kernels", model, {{"sums", "rknn"}});
        const auto half = [](double value) { return double(float(c10::Half(float(value)))); };
        // 9 rows and 5 of padding, two of them above: windows of 7 x 3, then of 2 x 1
        const double weight = half(std::pow(1. / 27, 0.5));
        double first = 0, second = 0;
        std::vector<float> x(27);
        for (std::size_t i = 0; i < 27; ++i) {
            x[i] = float(half(0.37 * double(i * i % 11) - 1));
            (i / 3 < 5 ? first : second) += x[i] * weight;
        }
        const double expected = half((half(first) + half(second)) * weight);
        QCOMPARE(double(valuesOf(model, floats({1, 1, 9, 3}, x)).at(0)), expected);
    }

    /// So is an AveragePool with a long window.
    void longWindowInFloat16()
    {
        SmallGraph g;
        g.input("x", {1, 1, 1, 10});
        g.op("AveragePool", "mean", {"x"}, {"y"}, {{"kernel_shape", std::vector<std::int64_t>{1, 9}}});
        g.output("y");
        QuantModel model;
        model.graph = std::move(g.graph);
        run("runtime_kernels", model, {{"sums", "rknn"}});
        const std::vector<float> y = valuesOf(model, floats({1, 1, 1, 10}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}));
        const float ninth = float(c10::Half(1 / 9.f));
        QVERIFY(9 * ninth != 1);
        QCOMPARE(y, std::vector<float>(2, float(c10::Half(9 * ninth))));
    }
};

QL_TEST(TestRknnFusions)
#include "tst_rknn_fusions.moc"
