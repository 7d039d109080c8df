#include "core/ir/subgraphs.h"
#include "core/pass/pass.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"

#include <QtTest>

using namespace ql;
using namespace ql::test;

class TestConstantsToParameters : public QObject
{
    Q_OBJECT

    static int run(Graph &graph)
    {
        QuantModel model;
        model.graph = graph;
        const int changed = runPass(*makePass("constants_to_parameters", {}), model, {}).changed;
        graph = model.graph;
        return changed;
    }

private Q_SLOTS:
    void everyForm_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<int>("form");
        QTest::addColumn<int>("rank");
        QTest::addColumn<QList<double>>("expected");
        QTest::newRow("tensor") << "value" << 0 << 2 << QList<double>{1, 2};
        QTest::newRow("float") << "value_float" << 1 << 0 << QList<double>{0.5};
        QTest::newRow("int") << "value_int" << 2 << 0 << QList<double>{-7};
        QTest::newRow("floats") << "value_floats" << 3 << 1 << QList<double>{1, 2.5};
        QTest::newRow("ints") << "value_ints" << 4 << 1 << QList<double>{3, 4, 5};
        QTest::newRow("no ints") << "value_ints" << 5 << 1 << QList<double>{};
    }
    void everyForm()
    {
        QFETCH(QString, key);
        QFETCH(int, form);
        QFETCH(int, rank);
        QFETCH(QList<double>, expected);
        const std::vector<Attribute> forms = {floats({1, 2}, {1, 2}),
                                              0.5f,
                                              std::int64_t(-7),
                                              std::vector<float>{1, 2.5f},
                                              std::vector<std::int64_t>{3, 4, 5},
                                              std::vector<std::int64_t>{}};
        SmallGraph g;
        g.input("x");
        g.op("Constant", "c", {}, {"w"}, {{key.toStdString(), forms[std::size_t(form)]}});
        g.op("Add", "add", {"x", "w"}, {"y"});
        g.output("y");
        QCOMPARE(run(g.graph), 1);
        QVERIFY(!hasOp(g.graph, "c"));
        const at::Tensor &value = valueOf(g.graph, "add", 1);
        QCOMPARE(int(value.dim()), rank);
        const auto got = values(value);
        QCOMPARE(QList<double>(got.begin(), got.end()), expected);
    }

    void strings()
    {
        SmallGraph g;
        g.op("Constant", "c", {}, {"w"}, {{"value_string", std::string("a")}});
        g.op("Thing", "t", {"w"}, {"y"});
        g.output("y");
        QCOMPARE(run(g.graph), 0);
        QVERIFY(hasOp(g.graph, "c"));
    }

    void aConstantGraphOutputBecomesAParameter()
    {
        SmallGraph g;
        g.op("Constant", "c", {}, {"y"}, {{"value_float", 2.0f}});
        g.output("y");
        QCOMPARE(run(g.graph), 1);
        QVERIFY(g.graph.isParameter(g.graph.outputs()[0]));
    }

    void bodiesAreCopiedBeforeTheyAreEdited()
    {
        SmallGraph body;
        body.op("Constant", "c", {}, {"w"}, {{"value_float", 2.0f}});
        body.op("Mul", "m", {"h", "w"}, {"z"});
        body.output("z");
        const auto shared = std::make_shared<const Graph>(body.graph);
        SmallGraph g;
        g.input("x"), g.input("h");
        g.op("If", "if", {"x", "h"}, {"y"},
             {{"then_branch", shared}, {std::string(capturesAttribute), std::vector<std::string>{"h"}}});
        g.output("y");
        QCOMPARE(run(g.graph), 1);
        QVERIFY(hasOp(*shared, "c"));
        const auto after = bodies(op(g.graph, "if")).at(0);
        QVERIFY(!hasOp(*after, "c"));
        QVERIFY(after->isParameter(after->findVariable("w")));
    }
};

QL_TEST(TestConstantsToParameters)
#include "tst_constants_to_parameters.moc"
