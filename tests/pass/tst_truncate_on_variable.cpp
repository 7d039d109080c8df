#include "core/base/error.h"
#include "tests/pass/format_support.h"
#include "tests/support/test_main.h"

#include <QtTest>

using namespace ql;
using namespace ql::test;

class TestTruncateOnVariable : public QObject
{
    Q_OBJECT

    static SmallGraph net()
    {
        SmallGraph g;
        g.input("x", {1, 4});
        g.op("Relu", "relu", {"x"}, {"a"});
        g.op("Neg", "neg", {"a"}, {"b"});
        g.op("Exp", "exp", {"b"}, {"c"});
        g.op("Abs", "abs", {"x"}, {"side"});
        g.op("Add", "add", {"c", "side"}, {"y"});
        g.op("Abs", "abs2", {"x"}, {"z"});
        g.output("y");
        g.output("z");
        return g;
    }

private Q_SLOTS:
    void cutsAndMarks()
    {
        SmallGraph g = net();
        const Graph before = g.graph;
        QCOMPARE(runFormat(g.graph, "truncate_on_variable", {{"variable", "b"}}), 3); // exp, add, and abs for nothing
        QCOMPARE(outputNames(g.graph), std::string("z,b"));
        QVERIFY(hasOp(g.graph, "neg") && !hasOp(g.graph, "exp") && !hasOp(g.graph, "add") && !hasOp(g.graph, "abs"));
        const at::Tensor x = wave({1, 4});
        ProgramSpec spec;
        spec.outputs = {before.findVariable("b")};
        QVERIFY(agree(Executor(before).compile(spec).run(Feed{{"x", x}}, {})[0], forward(g.graph, {{"x", x}})[1]));
    }

    void canLeaveTheOutputsAlone()
    {
        SmallGraph g = net();
        runFormat(g.graph, "truncate_on_variable", {{"variable", "b"}, {"mark_as_output", false}});
        QCOMPARE(outputNames(g.graph), std::string("z"));
        QCOMPARE(g.graph.operationCount(), std::size_t(1));
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("variable");
        QTest::addColumn<bool>("mark");
        QTest::newRow("no name") << "" << true;
        QTest::newRow("unknown") << "sidee" << true;
        QTest::newRow("graph input") << "x" << true;
        QTest::newRow("nothing left") << "a" << false;
    }
    void refuses()
    {
        QFETCH(QString, variable);
        QFETCH(bool, mark);
        SmallGraph g = net();
        g.graph.setOutputs({g.tensor("y")});
        const nlohmann::json params{{"variable", variable.toStdString()}, {"mark_as_output", mark}};
        try {
            runFormat(g.graph, "truncate_on_variable", params);
            QFAIL("expected an Error");
        } catch (const Error &error) {
            QCOMPARE(error.kind, ErrorKind::BadConfig);
            if (variable == "sidee") QVERIFY(std::string(error.what()).find("'side'") != std::string::npos);
        }
        QCOMPARE(g.graph.operationCount(), std::size_t(6));
    }
};

QL_TEST(TestTruncateOnVariable)
#include "tst_truncate_on_variable.moc"
