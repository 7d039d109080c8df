// fuse_layernorm, fuse_gelu, fuse_activation_ops, fuse_attention and fuse_skip_layernorm.
#include "format_support.h"
#include "tests/support/test_main.h"

#include <QtTest>

#include <limits>
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
            const std::vector<std::int64_t> axes = {-1};
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
            if (form == "Mul and quotient") {
                g.parameter("one", floats({}, {1}));
                g.op("Div", "reciprocal", {"one", "s"}, {"f"});
                g.op("Mul", "norm", {"d", "f"}, {"n"});
            } else if (form == "Mul and Reciprocal") {
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

    /// A normalization of [2, 3, 4, 5] over its channels, or without a mean.
    static SmallGraph normOf(const QString &form)
    {
        SmallGraph g(13);
        const bool isRms = form.startsWith("rms"), isLast = isRms || form == "last, restored";
        const std::int64_t axis = isLast ? -1 : 1;
        const std::vector<std::int64_t> sizes{isLast ? std::int64_t{5} : 3}, planes{3, 1, 1};
        g.input("x", {2, 3, 4, 5});
        if (form == "rank unknown") g.graph.edit(g.graph.findVariable("x")).type.shape.reset();
        g.parameter("two", floats({}, {2}));
        g.parameter("eps", floats({}, {1e-5f}));
        g.parameter("gamma", wave(isLast                       ? sizes
                                  : form == "gamma along rows" ? std::vector<std::int64_t>{1, 4, 1}
                                                               : planes,
                                  2));
        g.parameter("beta", wave(isLast ? sizes : planes, 3));
        g.parameter("kept", ints({2,
                                  form == "restored elsewhere" ? 1
                                  : isLast                     ? 3
                                                               : 1,
                                  form == "restored elsewhere" ? 3 : 4, isLast ? 1 : 5}));
        const auto mean = [&](const std::string &name, const std::string &from, const std::string &to,
                              bool keeps = true) {
            g.op("ReduceMean", name, {from}, {to},
                 {{"axes", std::vector<std::int64_t>{axis}}, {"keepdims", std::int64_t(keeps)}});
        };
        std::string squared = "x", scaled = "x";
        if (!isRms) {
            mean("mean", "x", "m");
            g.op("Sub", "sub", {"x", "m"}, {"d"});
            squared = scaled = "d";
            if (form != "channels") { // torch.var
                mean("own_mean", "x", "m2");
                g.op("Sub", "own_sub", {"x", "m2"}, {"d2"});
                squared = "d2";
            }
        }
        if (form == "rms, Pow")
            g.op("Pow", "square", {squared, "two"}, {"q"});
        else
            g.op("Mul", "square", {squared, squared}, {"q"});
        const bool isRestored = form.contains("restored");
        mean("variance", "q", isRestored ? "v0" : "v", !isRestored);
        if (isRestored) g.op("Reshape", "restore", {"v0", "kept"}, {"v"});
        g.op("Add", "plus", {"v", "eps"}, {"e"});
        g.op("Sqrt", "sqrt", {"e"}, {"s"});
        if (form.contains("weight first")) {
            g.op("Mul", "scale", {"gamma", scaled}, {"w"});
            scaled = "w";
        }
        if (form == "rms, Div") {
            g.op("Div", "norm", {scaled, "s"}, {"n"});
        } else {
            g.op("Reciprocal", "reciprocal", {"s"}, {"f"});
            g.op("Mul", "norm", {scaled, "f"}, {"n"});
        }
        if (!form.contains("weight first")) g.op("Mul", "scale", {"n", "gamma"}, {"w2"});
        g.op("Add", "shift", {form.contains("weight first") ? "n" : "w2", "beta"}, {"y"});
        g.output("y");
        if (form == "variance is read") g.output("v");
        return g;
    }

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
        if (form == "tanh, factored" || form == "tanh, wrong square") {
            g.op("Mul", "outer", {"x", "pi"}, {"o1"});
            g.op("Mul", "small", {"x", "cubic"}, {"c"});
            g.op("Mul", "square", {"c", form == "tanh, factored" ? "x" : "c"}, {"p"});
            g.op("Add", "sum", {"p", "one"}, {"s"});
            g.op("Mul", "inside", {"o1", "s"}, {"o"});
            g.op("Tanh", "middle", {"o"}, {"e"});
        } else if (form.startsWith("tanh")) {
            if (form == "tanh, products") {
                g.op("Mul", "square", {"x", "x"}, {"p2"});
                g.op("Mul", "cube", {"x", "p2"}, {"p"});
            } else {
                g.op("Pow", "pow", {"x", "three"}, {"p"});
            }
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
        for (const char *form : {"usual", "Mul and Reciprocal", "Mul and quotient", "without bias", "plain"})
            QTest::newRow(form) << form << 1;
        for (const char *form : {"fourth power", "read inside"}) QTest::newRow(form) << form << 0;
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
        QCOMPARE(op(graph, "norm").inputCount(), std::size_t(form == "plain" || form == "without bias" ? 2 : 3));
    }

    void otherNorms_data()
    {
        QTest::addColumn<QString>("form");
        QTest::addColumn<QStringList>("left");
        const QStringList turned{"Transpose", "LayerNormalization", "Transpose"};
        QTest::newRow("rms, Pow") << "rms, Pow" << QStringList{"RMSNormalization", "Add"};
        QTest::newRow("rms, Mul") << "rms, Mul" << QStringList{"RMSNormalization", "Add"};
        QTest::newRow("rms, Div") << "rms, Div" << QStringList{"RMSNormalization", "Add"};
        QTest::newRow("rms, weight first") << "rms, weight first" << QStringList{"RMSNormalization", "Add"};
        for (const char *form : {"channels", "channels, own mean", "channels, restored", "channels, weight first"})
            QTest::newRow(form) << form << turned;
        QTest::newRow("last, restored") << "last, restored" << QStringList{"LayerNormalization"};
        for (const char *form : {"gamma along rows", "rank unknown", "restored elsewhere", "variance is read"})
            QTest::newRow(form) << form << QStringList{};
    }
    void otherNorms()
    {
        QFETCH(QString, form);
        QFETCH(QStringList, left);
        const SmallGraph g = normOf(form);
        Graph graph = g.graph;
        const int changed = runFormat(graph, "fuse_layernorm");
        if (form == "gamma along rows") { // the normalization alone
            left = {"Transpose", "LayerNormalization", "Transpose", "Mul", "Add"};
        }
        QCOMPARE(changed, left.isEmpty() ? 0 : 1);
        if (form == "restored elsewhere") return; // its sizes do not match
        const Feed feed{{"x", wave({2, 3, 4, 5}, 7)}};
        const std::vector<at::Tensor> before = forward(g.graph, feed), after = forward(graph, feed);
        QVERIFY(agree(before[0], after[0], 1e-6)); // 120 dB
        if (left.isEmpty()) return;
        QStringList types;
        for (const OpId id : graph.topological()) types.append(QString::fromStdString(graph.operation(id).type));
        QCOMPARE(types, left);
        QCOMPARE(op(graph, "norm").opset, std::int64_t{left[0] == "RMSNormalization" ? 23 : 17});
        QCOMPARE(runFormat(graph, "fuse_layernorm"), 0);
    }

    void gelu_data()
    {
        QTest::addColumn<QString>("form");
        QTest::addColumn<int>("fused");
        for (const char *form :
             {"Div", "Mul", "half first", "tanh", "tanh, half of the sum", "tanh, products", "tanh, factored"})
            QTest::newRow(form) << form << 1;
        for (const char *form : {"wrong constant", "read inside", "tanh, wrong square"})
            QTest::newRow(form) << form << 0;
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
                                                                    {"mish of dynamo", "Mish"},
                                                                    {"mish below 5", ""},
                                                                    {"gate", "HardSwish"},
                                                                    {"other gate", ""},
                                                                    {"clip, Div", "HardSwish"},
                                                                    {"clip, Mul", "HardSwish"},
                                                                    {"clip to 5", ""},
                                                                    {"quick gelu", "Swish"},
                                                                    {"quick gelu of another", ""},
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
        g.parameter("c20", floats({}, {20}));
        if (form.startsWith("mish")) {
            g.op("Softplus", "plus", {"x"}, {"p"});
            if (form != "mish") {
                g.op("Greater", "large", {"x", form == "mish of dynamo" ? "c20" : "c5"}, {"l"});
                g.op("Where", "linear", {"l", "x", "p"}, {"w"});
            }
            g.op("Tanh", "tanh", {form == "mish" ? "p" : "w"}, {"t"});
            g.op("Mul", "end", {"x", "t"}, {"y"});
        } else if (form.endsWith("gate")) {
            g.op("HardSigmoid", "gate", {"x"}, {"t"}, {{"alpha", form == "gate" ? 1 / 6.f : 0.2f}});
            g.op("Mul", "end", {"t", "x"}, {"y"});
        } else if (form.startsWith("quick")) {
            g.parameter("c1702", floats({}, {1.702f}));
            g.op("Relu", "other", {"x"}, {"o"});
            g.op("Mul", "scale", {"c1702", form == "quick gelu" ? "x" : "o"}, {"s"});
            g.op("Sigmoid", "gate", {"s"}, {"t"});
            g.op("Mul", "end", {"x", "t"}, {"y"});
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

    /// "s": the scores of q and k with 1 / sqrt(d), which TorchScript computes from the shape of q.
    static void addScoresWithComputedFactor(SmallGraph &g)
    {
        g.parameter("last", ints({-1}));
        g.parameter("end", ints({std::numeric_limits<std::int64_t>::max()}));
        g.parameter("one", floats({}, {1}));
        g.op("Shape", "shape", {"q"}, {"c0"});
        g.op("Slice", "width", {"c0", "last", "end"}, {"c1"});
        g.op("Cast", "cast", {"c1"}, {"c2"}, {{"to", std::int64_t{1}}});
        g.op("Sqrt", "cr", {"c2"}, {"c3"});
        g.op("Div", "cd", {"one", "c3"}, {"c4"});
        g.op("Sqrt", "cq", {"c4"}, {"c5"});
        g.op("Transpose", "turn", {"k"}, {"kt"}, {{"perm", std::vector<std::int64_t>{0, 1, 3, 2}}});
        g.op("Mul", "qr", {"q", "c5"}, {"qs"});
        g.op("Mul", "kr", {"c5", "kt"}, {"ks"});
        g.op("MatMul", "product", {"qs", "ks"}, {"s"});
    }

    /// Attention of 2 heads of size 4 on 3 queries and 5 keys, as different exporters write it.
    static SmallGraph attentionOf(const QString &form)
    {
        SmallGraph g(14);
        g.input("q", {1, 2, 3, 4});
        g.input("k",
                form == "axes moved" ? std::vector<std::int64_t>{1, 5, 2, 4} : std::vector<std::int64_t>{1, 2, 5, 4});
        g.input("v", {1, 2, 5, 4});
        g.input("mask", {1, 1, 3, 5});
        g.parameter("wide", ramp({1, 1, 1, 1}, -1, 0));
        g.parameter("root", floats({}, {0.8f}));
        g.parameter("size", floats({1}, {1.5f}));
        const std::vector<std::int64_t> axes =
            form == "axes moved" ? std::vector<std::int64_t>{0, 2, 3, 1} : std::vector<std::int64_t>{0, 1, 3, 2};
        std::string query = "q", key = "kt";
        if (form == "computed factor") {
            addScoresWithComputedFactor(g);
        } else if (form.startsWith("reshaped")) {
            // of dynamo; "reshaped rows": the key is [N heads, T, d] from the start
            g.parameter("rows", ints({-1, 5, 4}));
            g.parameter("sizes", ints({1, 2, 4, 5}));
            g.op("Reshape", "join", {"k", "rows"}, {"kj"});
            if (form == "reshaped rows") g.op("Relu", "relu", {"kj"}, {"kr"});
            g.op("Transpose", "turn", {form == "reshaped rows" ? "kr" : "kj"}, {"kt"},
                 {{"perm", std::vector<std::int64_t>{0, 2, 1}}});
            g.op("Reshape", "split", {"kt", "sizes"}, {"kh"});
            g.op("Mul", "qr", {"q", "root"}, {"qs"});
            g.op("Mul", "kr2", {"kh", "root"}, {"ks"});
            g.op("MatMul", "product", {"qs", "ks"}, {"s"});
        } else if (form == "FusedMatMul") {
            g.graph.opsets["com.microsoft"] = 1;
            const OpId product =
                g.op("FusedMatMul", "product", {"q", "k"}, {"s"}, {{"alpha", 0.6f}, {"transB", std::int64_t{1}}});
            g.graph.edit(product).domain = "com.microsoft";
        } else {
            if (form == "root before Transpose") g.op("Mul", "kr", {"k", "root"}, {"ks"});
            g.op("Transpose", "turn", {form == "root before Transpose" ? "ks" : "k"}, {"kt"}, {{"perm", axes}});
            if (form.startsWith("root")) {
                g.op("Mul", "qr", {"root", "q"}, {"qs"});
                query = "qs";
            }
            if (form == "root after Transpose") {
                g.op("Mul", "kr", {"kt", "root"}, {"ks"});
                key = "ks";
            }
            g.op("MatMul", "product", {query, key}, {"s"});
        }
        std::string scores = "s";
        g.parameter("row", wave({1, 1, 1, 5}, 9));
        if (form == "divided, masked" || form == "axes moved" || form.startsWith("mask of one") ||
            form == "reshaped, guarded") {
            g.op("Div", "divide", {"s", "size"}, {"sd"});
            g.op("Add", "masked",
                 {"sd", form == "mask of one key"     ? "wide"
                        : form == "mask of one query" ? "row"
                                                      : "mask"},
                 {"sm"});
            scores = "sm";
        }
        g.op("Softmax", "softmax", {scores}, {"p"},
             {{"axis", form == "over queries" ? std::int64_t{2} : std::int64_t{-1}}});
        if (form == "reshaped, guarded") {
            g.parameter("zero", floats({}, {0}));
            g.op("IsNaN", "nan", {"p"}, {"b"});
            g.op("Where", "guard", {"b", "zero", "p"}, {"pg"});
        }
        g.op("MatMul", "last", {form == "reshaped, guarded" ? "pg" : "p", "v"}, {"y"});
        g.output("y");
        if (form == "shares are read") g.output("p");
        if (!form.startsWith("reshaped")) return g;
        for (const auto &[name, sizes] : std::map<std::string, std::vector<std::int64_t>>{
                 {"kj", {2, 5, 4}}, {"kr", {2, 5, 4}}, {"kt", {2, 4, 5}}, {"kh", {1, 2, 4, 5}}, {"ks", {1, 2, 4, 5}}})
            if (const VarId id = g.graph.findVariable(name); id != noVar) {
                g.graph.edit(id).type.shape.emplace();
                for (const std::int64_t size : sizes) g.graph.edit(id).type.shape->push_back({size, {}});
            }
        return g;
    }

    void attention_data()
    {
        QTest::addColumn<QString>("form");
        QTest::addColumn<int>("left");
        QTest::newRow("plain") << "plain" << 1;
        QTest::newRow("divided, masked") << "divided, masked" << 1;
        QTest::newRow("axes moved") << "axes moved" << 2;
        QTest::newRow("root before Transpose") << "root before Transpose" << 1;
        QTest::newRow("root after Transpose") << "root after Transpose" << 1;
        QTest::newRow("FusedMatMul") << "FusedMatMul" << 1;
        QTest::newRow("reshaped") << "reshaped" << 1;
        QTest::newRow("reshaped, guarded") << "reshaped, guarded" << 1;
        QTest::newRow("reshaped rows") << "reshaped rows" << 4;
        QTest::newRow("computed factor") << "computed factor" << 1;
        QTest::newRow("mask of one query") << "mask of one query" << 2;
        QTest::newRow("shares are read") << "shares are read" << 1;
        for (const char *form : {"mask of one key", "over queries"}) QTest::newRow(form) << form << 0;
    }
    void attention()
    {
        QFETCH(QString, form);
        QFETCH(int, left);
        const SmallGraph g = attentionOf(form);
        Graph graph = g.graph;
        QCOMPARE(runFormat(graph, "fuse_attention"), left > 0 ? 1 : 0);
        Feed feed{{"q", wave({1, 2, 3, 4}, 1)}, {"v", wave({1, 2, 5, 4}, 3)}, {"mask", wave({1, 1, 3, 5}, 4)}};
        feed["k"] = form == "axes moved" ? wave({1, 5, 2, 4}, 2) : wave({1, 2, 5, 4}, 2);
        const std::vector<at::Tensor> before = forward(g.graph, feed), after = forward(graph, feed);
        for (std::size_t i = 0; i < before.size(); ++i) QVERIFY(agree(before[i], after[i], 1e-6)); // 120 dB
        if (left == 0) return;
        QCOMPARE(graph.operationCount(), std::size_t(left));
        QCOMPARE(op(graph, "last").hasAttribute("scale"), form != "computed factor");
        QCOMPARE(op(graph, "last").type, std::string("Attention"));
        QCOMPARE(op(graph, "last").inputCount(),
                 std::size_t(form.contains("mask") || form == "axes moved" || form == "reshaped, guarded" ? 4 : 3));
        QCOMPARE(op(graph, "last").opset, std::int64_t{23});
    }

    void attentionOfRows_data()
    {
        QTest::addColumn<QString>("form");
        QTest::addColumn<int>("left");
        QTest::newRow("plain") << "plain" << 2;
        QTest::newRow("masked") << "masked" << 3;
        QTest::newRow("masked, one row") << "masked, one row" << 4;
        QTest::newRow("masked, one row, length unknown") << "masked, one row, length unknown" << 7;
        QTest::newRow("shares are read") << "shares are read" << 3;
    }
    /// MultiheadAttention that returns its weights: [N heads, S, d]; the keys arrive as [T, N heads, d].
    void attentionOfRows()
    {
        QFETCH(QString, form);
        QFETCH(int, left);
        SmallGraph g(17);
        g.input("q", {4, 3, 2});
        g.input("k", {5, 4, 2});
        g.input("v", {4, 5, 2});
        g.input("mask", {1, form == "masked" ? 3 : 1, 5});
        if (form.endsWith("unknown")) (*g.graph.edit(g.graph.findVariable("q")).type.shape)[1] = {};
        g.parameter("half", floats({}, {0.5f}));
        g.op("Transpose", "turn", {"k"}, {"kt"}, {{"perm", std::vector<std::int64_t>{1, 2, 0}}});
        g.op("Mul", "scale", {"q", "half"}, {"qs"});
        g.op("MatMul", "product", {"qs", "kt"}, {"s"});
        if (form.startsWith("masked")) g.op("Add", "masked", {"s", "mask"}, {"sm"});
        g.op("Softmax", "softmax", {form.startsWith("masked") ? "sm" : "s"}, {"p"}, {{"axis", std::int64_t{-1}}});
        g.op("MatMul", "last", {"p", "v"}, {"y"});
        g.output("y");
        if (form == "shares are read") g.output("p");
        Graph graph = g.graph;
        QCOMPARE(runFormat(graph, "fuse_attention"), 1);
        const Feed feed{{"q", wave({4, 3, 2}, 1)},
                        {"k", wave({5, 4, 2}, 2)},
                        {"v", wave({4, 5, 2}, 3)},
                        {"mask", wave({1, form == "masked" ? 3 : 1, 5}, 4)}};
        const std::vector<at::Tensor> before = forward(g.graph, feed), after = forward(graph, feed);
        for (std::size_t i = 0; i < before.size(); ++i) QVERIFY(agree(before[i], after[i], 1e-6)); // 120 dB
        QCOMPARE(graph.operationCount(), std::size_t(left));
        QCOMPARE(op(graph, "last").type, std::string("Attention"));
    }

    void skipLayerNorm_data()
    {
        QTest::addColumn<QString>("form");
        QTest::addColumn<int>("fused");
        for (const char *form : {"plain", "sum is read", "bias", "root mean square"}) QTest::newRow(form) << form << 1;
        for (const char *form : {"constant", "rank 2", "broadcast"}) QTest::newRow(form) << form << 0;
    }
    void skipLayerNorm()
    {
        QFETCH(QString, form);
        QFETCH(int, fused);
        std::vector<std::int64_t> sizes{2, 3, 4}, other = sizes;
        if (form == "rank 2") sizes = other = {3, 4};
        if (form == "broadcast") other = {1, 3, 4};
        SmallGraph g(17);
        g.input("x", sizes);
        g.input("z", other);
        g.parameter("constant", wave({2, 3, 4}, 6));
        g.parameter("bias", wave({4}, 5));
        g.parameter("gamma", wave({4}, 2));
        g.parameter("beta", wave({4}, 3));
        if (form == "bias") g.op("Add", "shift", {"bias", "z"}, {"b"});
        g.op("Add", "sum", {"x", form == "bias" ? "b" : form == "constant" ? "constant" : "z"}, {"s"});
        if (form == "root mean square") {
            g.op("SimplifiedLayerNormalization", "norm", {"s", "gamma"}, {"y"}, {{"epsilon", 1e-3f}});
        } else {
            g.op("LayerNormalization", "norm", {"s", "gamma", "beta"}, {"y"}, {{"epsilon", 1e-3f}});
        }
        g.output("y");
        if (form == "sum is read") g.output("s");
        Graph graph = g.graph;
        QCOMPARE(runFormat(graph, "fuse_skip_layernorm"), fused);
        const Feed feed{{"x", wave(sizes, 7)}, {"z", wave(other, 8)}};
        const std::vector<at::Tensor> before = forward(g.graph, feed), after = forward(graph, feed);
        for (std::size_t i = 0; i < before.size(); ++i) QVERIFY(agree(before[i], after[i], 1e-6)); // 120 dB
        QCOMPARE(after.size(), before.size());
        if (!fused) return;
        QCOMPARE(graph.operationCount(), std::size_t(1));
        QCOMPARE(op(graph, "norm").type, std::string(form == "root mean square" ? "SkipSimplifiedLayerNormalization"
                                                                                : "SkipLayerNormalization"));
    }
};

QL_TEST(TestFuseTransformer)
#include "tst_fuse_transformer.moc"
