// fuse_layernorm, fuse_gelu and fuse_activation_ops.
#include "format_support.h"
#include "tests/support/test_main.h"

#include <QtTest>

#include <map>

using namespace ql;
using namespace ql::test;

class TestFuseTransformer : public QObject
{
    Q_OBJECT

private:
    struct Norm
    {
        SmallGraph g{13};
        Norm(const QString &form)
        {
            const std::vector<std::int64_t> axes = {form == "first axis" ? 1 : -1};
            g.input("x", {2, 3, 4});
            g.parameter("two", floats({}, {form == "fourth power" ? 4.f : 2.f}));
            g.parameter("eps", floats({1}, {1e-5f}));
            g.parameter("gamma", wave({4}, 2));
            g.parameter("beta", wave({1, 1, 4}, 3));
            const auto mean = [&](const std::string &name, const std::string &from, const std::string &to) {
                g.op("ReduceMean", name, {from}, {to}, {{"axes", axes}, {"keepdims", std::int64_t{1}}});
            };
            mean("mean", "x", "m");
            g.op("Sub", "sub", {"x", "m"}, {"d"});
            if (form == "Mul and Reciprocal")
                g.op("Mul", "square", {"d", "d"}, {"q"});
            else
                g.op("Pow", "square", {"d", "two"}, {"q"});
            mean("variance", "q", "v");
            g.op("Add", "plus", {"v", "eps"}, {"e"});
            g.op("Sqrt", "sqrt", {"e"}, {"s"});
            if (form == "Mul and Reciprocal") {
                g.op("Reciprocal", "reciprocal", {"s"}, {"f"});
                g.op("Mul", "norm", {"f", "d"}, {"n"});
            } else {
                g.op("Div", "norm", {"d", "s"}, {"n"});
            }
            std::string last = "n";
            if (form != "plain") {
                g.op("Mul", "scale", {"gamma", "n"}, {"a"});
                last = "a";
            }
            if (form != "plain" && form != "without bias") {
                g.op("Add", "shift", {"a", "beta"}, {"b"});
                last = "b";
            }
            g.output(last);
            if (form == "read inside") g.output("d");
        }
    };

    /// Gelu, in one of the orders in which exporters write it.
    static SmallGraph gelu(const QString &form)
    {
        SmallGraph g(13);
        g.input("x", {2, 5});
        g.parameter("root", floats({}, {form == "wrong constant" ? 1.5f : float(std::sqrt(2.0))}));
        g.parameter("inverse", floats({1}, {float(std::sqrt(0.5))}));
        g.parameter("one", floats({}, {1}));
        g.parameter("half", floats({}, {0.5f}));
        g.parameter("three", floats({}, {3}));
        g.parameter("cubic", floats({}, {0.044715f}));
        g.parameter("pi", floats({}, {0.7978845608f}));
        if (form.startsWith("tanh")) {
            g.op("Pow", "pow", {"x", "three"}, {"p"});
            g.op("Mul", "small", {"p", "cubic"}, {"c"});
            g.op("Add", "sum", {"x", "c"}, {"s"});
            g.op("Mul", "outer", {"s", "pi"}, {"o"});
            g.op("Tanh", "middle", {"o"}, {"e"});
        } else {
            if (form == "Mul")
                g.op("Mul", "scaled", {"inverse", "x"}, {"o"});
            else
                g.op("Div", "scaled", {"x", "root"}, {"o"});
            g.op("Erf", "middle", {"o"}, {"e"});
        }
        g.op("Add", "plus", {"e", "one"}, {"u"});
        if (form == "half first") {
            g.op("Mul", "halved", {"x", "half"}, {"h"});
            g.op("Mul", "product", {"h", "u"}, {"y"});
        } else if (form == "Mul" || form == "tanh, half of the sum") {
            g.op("Mul", "halved", {"u", "half"}, {"h"});
            g.op("Mul", "product", {"x", "h"}, {"y"});
        } else {
            g.op("Mul", "product", {"x", "u"}, {"h"});
            g.op("Mul", "halved", {"h", "half"}, {"y"});
        }
        g.output("y");
        if (form == "read inside") g.output("u");
        return g;
    }

private Q_SLOTS:
    void layerNorm_data()
    {
        QTest::addColumn<QString>("form");
        QTest::addColumn<int>("fused");
        for (const char *form : {"usual", "Mul and Reciprocal", "without bias", "plain"})
            QTest::newRow(form) << form << 1;
        for (const char *form : {"first axis", "fourth power", "read inside"}) QTest::newRow(form) << form << 0;
    }
    void layerNorm()
    {
        QFETCH(QString, form);
        QFETCH(int, fused);
        const Norm norm(form);
        Graph graph = norm.g.graph;
        QCOMPARE(runFormat(graph, "fuse_layernorm"), fused);
        QVERIFY(sameResults(norm.g.graph, graph, {{"x", wave({2, 3, 4}, 7)}}));
        if (!fused) return;
        QCOMPARE(graph.operationCount(), std::size_t(1));
        QCOMPARE(op(graph, "norm").type, std::string("LayerNormalization"));
        QCOMPARE(op(graph, "norm").inputCount(), std::size_t(form == "usual" || form == "Mul and Reciprocal" ? 3 : 2));
    }

    void gelu_data()
    {
        QTest::addColumn<QString>("form");
        QTest::addColumn<int>("fused");
        for (const char *form : {"Div", "Mul", "half first", "tanh", "tanh, half of the sum"})
            QTest::newRow(form) << form << 1;
        for (const char *form : {"wrong constant", "read inside"}) QTest::newRow(form) << form << 0;
    }
    void gelu()
    {
        QFETCH(QString, form);
        QFETCH(int, fused);
        const SmallGraph g = gelu(form);
        Graph graph = g.graph;
        QCOMPARE(runFormat(graph, "fuse_gelu"), fused);
        QVERIFY(sameResults(g.graph, graph, {{"x", wave({2, 5}, 7)}}));
        if (!fused) return;
        QCOMPARE(graph.operationCount(), std::size_t(1));
        const Operation &only = graph.operation(graph.operations()[0]);
        QCOMPARE(only.type, std::string("Gelu"));
        QCOMPARE(only.stringAttribute("approximate", "none"), std::string(form.startsWith("tanh") ? "tanh" : "none"));
        QCOMPARE(only.opset, std::int64_t{20});
    }

    void activations_data()
    {
        QTest::addColumn<QString>("form");
        QTest::addColumn<QString>("fused");
        for (const auto &[form, fused] : std::map<QString, QString>{{"mish", "Mish"},
                                                                    {"gate", "HardSwish"},
                                                                    {"other gate", ""},
                                                                    {"clip, Div", "HardSwish"},
                                                                    {"clip, Mul", "HardSwish"},
                                                                    {"clip to 5", ""},
                                                                    {"softmax", "Softmax"},
                                                                    {"shifted softmax", "Softmax"},
                                                                    {"shifted along another axis", ""}})
            QTest::newRow(qPrintable(form)) << form << fused;
    }
    void activations()
    {
        QFETCH(QString, form);
        QFETCH(QString, fused);
        SmallGraph g(13);
        g.input("x", {2, 5});
        for (const auto &[name, value] :
             std::map<std::string, float>{{"c0", 0.f}, {"c3", 3.f}, {"c5", 5.f}, {"c6", 6.f}, {"sixth", 1 / 6.f}})
            g.parameter(name, floats({}, {value}));
        g.parameter("last", ints({-1}));
        if (form == "mish") {
            g.op("Softplus", "plus", {"x"}, {"p"});
            g.op("Tanh", "tanh", {"p"}, {"t"});
            g.op("Mul", "end", {"x", "t"}, {"y"});
        } else if (form.endsWith("gate")) {
            g.op("HardSigmoid", "gate", {"x"}, {"t"}, {{"alpha", form == "gate" ? 1 / 6.f : 0.2f}});
            g.op("Mul", "end", {"t", "x"}, {"y"});
        } else if (form.startsWith("clip")) {
            g.op("Add", "add", {"x", "c3"}, {"a"});
            g.op("Clip", "clip", {"a", "c0", form == "clip to 5" ? "c5" : "c6"}, {"b"});
            g.op("Mul", "mul", {"x", "b"}, {"m"});
            if (form == "clip, Mul")
                g.op("Mul", "end", {"sixth", "m"}, {"y"});
            else
                g.op("Div", "end", {"m", "c6"}, {"y"});
        } else {
            std::string from = "x";
            if (form.startsWith("shifted")) {
                const std::int64_t axis = form == "shifted softmax" ? -1 : 0;
                g.op("ReduceMax", "max", {"x"}, {"m"}, {{"axes", std::vector<std::int64_t>{axis}}});
                g.op("Sub", "sub", {"x", "m"}, {"s"});
                from = "s";
            }
            g.op("Exp", "exp", {from}, {"e"});
            g.op("ReduceSum", "sum", {"e", "last"}, {"z"});
            g.op("Div", "end", {"e", "z"}, {"y"});
        }
        g.output("y");
        Graph graph = g.graph;
        const bool isPart = form == "shifted along another axis"; // the shift is not part of the Softmax
        QCOMPARE(runFormat(graph, "fuse_activation_ops"), fused.isEmpty() && !isPart ? 0 : 1);
        QVERIFY(sameResults(g.graph, graph, {{"x", wave({2, 5}, 7)}}));
        if (isPart) QCOMPARE(graph.operationCount(), std::size_t(3));
        if (fused.isEmpty()) return;
        QCOMPARE(graph.operationCount(), std::size_t(1));
        QCOMPARE(QString::fromStdString(op(graph, "end").type), fused);
        QCOMPARE(runFormat(graph, "fuse_activation_ops"), 0);
    }
};

QL_TEST(TestFuseTransformer)
#include "tst_fuse_transformer.moc"
