#include "pass_support.h"
#include "tests/support/test_main.h"

using namespace ql;
using namespace ql::test;

class TestGemmFormats : public QObject
{
    Q_OBJECT

private:
    static QuantModel gemm(bool transposed, float alpha, float beta, bool bias)
    {
        SmallGraph g;
        g.input("x", {2, 3});
        g.parameter("w", transposed ? noise({4, 3}, 1) : noise({3, 4}, 1));
        g.parameter("b", noise({4}, 2));
        g.op("Gemm", "gemm", bias ? std::vector<std::string>{"x", "w", "b"} : std::vector<std::string>{"x", "w"}, {"y"},
             {{"transB", std::int64_t{transposed}}, {"alpha", alpha}, {"beta", beta}});
        g.output("y");
        QuantModel model;
        model.graph = std::move(g.graph);
        model.dispatch[model.graph.findOperation("gemm")] = {"INT8", "test"};
        return model;
    }

    static void forms()
    {
        QTest::addColumn<bool>("transposed");
        QTest::addColumn<float>("alpha");
        QTest::addColumn<float>("beta");
        QTest::addColumn<bool>("bias");
        QTest::newRow("plain") << false << 1.f << 1.f << true;
        QTest::newRow("transposed") << true << 1.f << 1.f << true;
        QTest::newRow("alpha and beta") << false << 0.5f << 3.f << true;
        QTest::newRow("transposed, alpha and beta") << true << -2.f << 0.25f << true;
        QTest::newRow("without bias") << false << 2.f << 5.f << false;
    }

private Q_SLOTS:
    void ncnn_data() { forms(); }
    void ncnn()
    {
        QFETCH(bool, transposed);
        QFETCH(float, alpha);
        QFETCH(float, beta);
        QFETCH(bool, bias);
        QuantModel model = gemm(transposed, alpha, beta, bias);
        const Feed feed = {{"x", noise({2, 3}, 3)}};
        const at::Tensor before = forward(model, feed, false)[0];
        const bool already = transposed && alpha == 1 && beta == 1;
        QCOMPARE(run("ncnn_format_gemm", model), already ? 0 : 1);
        QVERIFY(at::allclose(forward(model, feed, false)[0], before, 1e-5, 1e-6));
        const Operation &o = op(model.graph, "gemm");
        QCOMPARE(o.intAttribute("transB", 0), std::int64_t{1});
        QCOMPARE(o.floatAttribute("alpha", 1), 1.0);
        if (bias) QCOMPARE(o.floatAttribute("beta", 1), 1.0);
        QCOMPARE(model.graph.variable(o.inputs[1]).value.size(0), std::int64_t{4});
        QCOMPARE(run("ncnn_format_gemm", model), 0);
    }

    void metax_data() { forms(); }
    void metax()
    {
        QFETCH(bool, transposed);
        QFETCH(float, alpha);
        QFETCH(float, beta);
        QFETCH(bool, bias);
        QuantModel model = gemm(transposed, alpha, beta, bias);
        const Feed feed = {{"x", noise({2, 3}, 3)}};
        const at::Tensor before = forward(model, feed, false)[0];
        QCOMPARE(run("metax_gemm_split", model), 1);
        QVERIFY(at::allclose(forward(model, feed, false)[0], before, 1e-5, 1e-6));
        QCOMPARE(op(model.graph, "gemm").type, std::string("MatMul"));
        QVERIFY(op(model.graph, "gemm").attributes.empty());
        QCOMPARE(model.graph.operationCount(), std::size_t(bias ? 2 : 1));
        if (bias) {
            const OpId add = model.graph.findOperation("gemm_add");
            QCOMPARE(model.platformOf(add), std::string("INT8"));
        }
        QCOMPARE(run("metax_gemm_split", model), 0);
    }

    void sharedParametersAreCopied()
    {
        SmallGraph g;
        g.input("x", {2, 3});
        g.parameter("w", noise({3, 3}, 1));
        g.op("Gemm", "gemm", {"x", "w"}, {"a"});
        g.op("MatMul", "matmul", {"a", "w"}, {"y"});
        g.output("y");
        for (const char *pass : {"ncnn_format_gemm", "metax_gemm_split"}) {
            QuantModel model;
            model.graph = g.graph;
            model.graph.edit(model.graph.findOperation("gemm")).attributes["alpha"] = 3.f;
            const Feed feed = {{"x", noise({2, 3}, 3)}};
            const at::Tensor before = forward(model, feed, false)[0];
            QCOMPARE(run(pass, model), 1);
            QVERIFY(at::allclose(forward(model, feed, false)[0], before, 1e-5, 1e-6));
        }
    }

    void aTransposedInputIsNotSplit()
    {
        QuantModel model = gemm(false, 1, 1, true);
        model.graph.edit(model.graph.findOperation("gemm")).attributes["transA"] = std::int64_t{1};
        Problems problems;
        QCOMPARE(run("metax_gemm_split", model, {}, nullptr, &problems), 0);
        QCOMPARE(problems.size(), std::size_t(1));
        QCOMPARE(problems[0].op, std::string("gemm"));
    }
};

QL_TEST(TestGemmFormats)
#include "tst_gemm_formats.moc"
