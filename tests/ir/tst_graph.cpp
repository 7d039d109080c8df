#include "core/base/error.h"
#include "core/ir/graph.h"
#include "core/ir/subgraphs.h"
#include "tests/support/error_of.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"

#include <QtTest>

#include <random>

using namespace ql;
using namespace ql::test;

namespace {

std::string order(const Graph &graph)
{
    std::string out;
    for (const OpId id : graph.topological()) out += (out.empty() ? "" : " ") + graph.operation(id).name;
    return out;
}

/// x -> a -> b -> y (output), a -> c
SmallGraph chain()
{
    SmallGraph g;
    g.input("x");
    g.op("Relu", "a", {"x"}, {"t"});
    g.op("Identity", "b", {"t"}, {"y"});
    g.op("Neg", "c", {"t"}, {"u"});
    g.output("y");
    return g;
}

} // namespace

class TestGraph : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void linksAreKeptBothWays()
    {
        SmallGraph g;
        g.input("x");
        const OpId mul = g.op("Mul", "m", {"x", "x"}, {"y"}); // reads x twice
        const OpId add = g.op("Add", "n", {"y", ""}, {"z"});
        g.output("z");
        g.graph.verify();
        QCOMPARE(g.graph.variable(g.tensor("x")).uses, (std::vector<Use>{{mul, 0}, {mul, 1}}));
        QCOMPARE(g.graph.variable(g.tensor("y")).producer, mul);
        QCOMPARE(g.graph.producers(add), (std::vector<OpId>{mul}));
        QCOMPARE(g.graph.consumers(mul), (std::vector<OpId>{add}));
        QCOMPARE(g.graph.soleConsumer(mul), add);
        QCOMPARE(g.graph.soleConsumer(add), noOp); // a graph output is a use
        QCOMPARE(g.graph.operation(add).inputCount(), std::size_t(1));
    }

    void theOrderIsFirstInFirstOut()
    {
        SmallGraph g;
        g.input("x");
        g.op("Add", "join", {"left", "right"}, {"y"}); // inserted first, ready last
        g.op("Relu", "a", {"x"}, {"left"});
        g.op("Relu", "b", {"x"}, {"mid"});
        g.op("Relu", "c", {"mid"}, {"right"});
        g.output("y");
        QCOMPARE(order(g.graph), std::string("a b c join"));
    }

    void aCycleIsNamed()
    {
        SmallGraph g;
        g.op("Relu", "a", {"v"}, {"u"});
        g.op("Relu", "b", {"u"}, {"v"});
        const Error error = errorOf([&] { g.graph.topological(); });
        QVERIFY(error.kind == ErrorKind::InvalidModel);
        QVERIFY(std::string(error.what()).find("a, b") != std::string::npos);
        QVERIFY(!error.remedy.isEmpty());
    }

    void namesAndWritersAreUnique()
    {
        SmallGraph g = chain();
        QCOMPARE(errorOf([&] { g.graph.addVariable("t"); }).variable, std::string("t"));
        QVERIFY(errorOf([&] { g.graph.addVariable(""); }).kind == ErrorKind::InvalidModel);
        QCOMPARE(errorOf([&] { g.op("Neg", "a", {"x"}, {"new"}); }).op, std::string("a"));
        const Error twice = errorOf([&] { g.op("Neg", "d", {"x"}, {"t"}); });
        QVERIFY(std::string(twice.what()).find("'a'") != std::string::npos);
        g.parameter("w", floats({1}, {1}));
        QCOMPARE(errorOf([&] { g.op("Neg", "d", {"x"}, {"w"}); }).variable, std::string("w"));
        QCOMPARE(g.graph.freshName("t"), std::string("t_1"));
        QCOMPARE(g.graph.freshName("a"), std::string("a_1")); // names of operations count, too
        QCOMPARE(g.graph.freshName("free"), std::string("free"));
        g.graph.verify();
    }

    void renaming()
    {
        SmallGraph g = chain();
        g.graph.rename(g.graph.findOperation("a"), "relu");
        g.graph.rename(g.tensor("t"), "hidden");
        QCOMPARE(inputNames(g.graph, "b"), std::string("hidden"));
        QCOMPARE(g.graph.findOperation("a"), noOp);
        QVERIFY(errorOf([&] { g.graph.rename(g.tensor("hidden"), "y"); }).kind == ErrorKind::InvalidModel);
        g.graph.verify();
    }

    void inputsAndOutputsOfOperations()
    {
        SmallGraph g = chain();
        const OpId b = g.graph.findOperation("b");
        g.graph.setInput(b, 2, g.tensor("x"));
        QCOMPARE(inputNames(g.graph, "b"), std::string("t,-,x"));
        g.graph.setInput(b, 0, noVar);
        QCOMPARE(inputNames(g.graph, "b"), std::string("-,-,x"));
        g.graph.resizeInputs(b, 1);
        g.graph.setInput(b, 0, g.tensor("t"));
        g.graph.setOutput(b, 0, g.tensor("fresh"));
        QCOMPARE(g.graph.variable(g.tensor("y")).producer, noOp);
        QVERIFY(errorOf([&] { g.graph.setOutput(b, 0, g.tensor("u")); }).kind == ErrorKind::Internal);
        g.graph.setOutput(b, 0, g.tensor("y"));
        g.graph.verify();
    }

    void usesMoveInOrder()
    {
        SmallGraph g = chain();
        g.op("Add", "d", {"x", "t"}, {"v"});
        g.output("t");
        g.graph.replaceUses(g.tensor("t"), g.tensor("x"), true);
        QCOMPARE(inputNames(g.graph, "d"), std::string("x,x"));
        QCOMPARE(outputNames(g.graph), std::string("y,x"));
        QVERIFY(g.graph.variable(g.tensor("t")).uses.empty());
        g.graph.replaceUses(g.tensor("x"), g.tensor("x"), false);
        g.graph.verify();
    }

    void aBypassedOperationKeepsOutputNames()
    {
        SmallGraph g = chain(); // b is an Identity before the graph output y
        QVERIFY(g.graph.bypassOperation(g.graph.findOperation("b")));
        g.graph.verify();
        QCOMPARE(outputNames(g.graph), std::string("y"));
        QCOMPARE(g.graph.variable(g.tensor("y")).producer, g.graph.findOperation("a"));
        QCOMPARE(inputNames(g.graph, "c"), std::string("y")); // the other reader follows
        QCOMPARE(g.graph.findVariable("t"), noVar);

        SmallGraph inner = chain();
        QVERIFY(inner.graph.bypassOperation(inner.graph.findOperation("a")));
        inner.graph.verify();
        QCOMPARE(inputNames(inner.graph, "b"), std::string("x"));

        SmallGraph direct;
        direct.input("x");
        direct.op("Identity", "i", {"x"}, {"y"});
        direct.output("y");
        QVERIFY(!direct.graph.bypassOperation(direct.graph.findOperation("i"))); // nothing else could write y
        QVERIFY(hasOp(direct.graph, "i"));
        direct.graph.verify();
    }

    void deadBranchesGoBackwards()
    {
        SmallGraph g = chain();
        g.parameter("w", floats({1}, {1}));
        g.op("Add", "d", {"u", "w"}, {"v"}); // c and d lead nowhere
        QCOMPARE(g.graph.removeUnreachable(), 2);
        g.graph.verify();
        QVERIFY(!hasOp(g.graph, "c") && !hasOp(g.graph, "d"));
        QVERIFY(g.graph.findVariable("w") == noVar && g.graph.findVariable("u") == noVar);
        QVERIFY(g.graph.findVariable("x") != noVar);
        QCOMPARE(g.graph.removeUnreachable(), 0);
    }

    void onlyLooseTensorsCanBeRemoved()
    {
        SmallGraph g = chain();
        for (const char *name : {"x", "t", "y", "u"})
            QCOMPARE(errorOf([&] { g.graph.removeVariable(g.tensor(name)); }).variable, std::string(name));
        g.graph.removeVariable(g.tensor("loose"));
        g.graph.verify();
    }

    void idsAreNeverReused()
    {
        SmallGraph g = chain();
        const OpId c = g.graph.findOperation("c");
        g.graph.removeOperation(c);
        QVERIFY(!g.graph.contains(c));
        QVERIFY(g.op("Neg", "c", {"t"}, {"w"}) != c);
        QVERIFY(errorOf([&] { (void)g.graph.operation(c); }).kind == ErrorKind::Internal);
    }

    void copiesShareValuesOnly()
    {
        SmallGraph g = chain();
        g.parameter("w", floats({1}, {1}));
        Graph copy = g.graph;
        copy.rename(copy.findOperation("a"), "other");
        copy.setValue(copy.findVariable("w"), floats({1}, {2}));
        QVERIFY(hasOp(g.graph, "a"));
        QCOMPARE(values(g.graph.variable(g.tensor("w")).value), std::vector<double>{1});
        copy.verify();
    }

    void verifyFindsInconsistencies_data()
    {
        QTest::addColumn<int>("damage");
        QTest::addColumn<QString>("message");
        QTest::newRow("input without use") << 0 << "an input does not know its consumer";
        QTest::newRow("use without input") << 1 << "a use is not an input";
        QTest::newRow("use listed twice") << 2 << "a use is listed twice";
        QTest::newRow("producer does not write") << 3 << "the producer does not write the tensor";
        QTest::newRow("value and producer") << 4 << "has a value and a producer";
        QTest::newRow("output without producer") << 5 << "output does not know its producer";
    }
    void verifyFindsInconsistencies()
    {
        QFETCH(int, damage);
        QFETCH(QString, message);
        SmallGraph g = chain();
        Graph &graph = g.graph;
        Variable &t = graph.edit(g.tensor("t"));
        switch (damage) { // bypassing the graph, through the references from edit()
        case 0: t.uses.pop_back(); break;
        case 1: t.uses[0].index = 1; break;
        case 2: t.uses[1] = t.uses[0]; break;
        case 3: graph.edit(g.tensor("x")).producer = graph.findOperation("c"); break;
        case 4: t.value = floats({1}, {1}); break;
        default: t.producer = noOp;
        }
        const Error error = errorOf([&] { graph.verify(); });
        QVERIFY2(QString(error.what()).contains(message), error.what());
    }

    void verifyIsLinear()
    {
        SmallGraph g;
        g.input("x");
        constexpr int readers = 300000; // a tenth of a second each; an hour, and a timeout, when it is quadratic
        for (int i = 0; i < readers; ++i) {
            Operation op;
            op.type = "Relu";
            op.name = "r" + std::to_string(i);
            op.inputs = {g.tensor("x")};
            op.outputs = {g.graph.addVariable("t" + std::to_string(i))};
            g.graph.addOperation(std::move(op));
        }
        g.graph.verify();
        g.graph.replaceUses(g.tensor("x"), g.tensor("z"), false);
        g.graph.verify();
        QCOMPARE(g.graph.variable(g.tensor("z")).uses.size(), std::size_t(readers));
    }

    void randomEditsKeepTheGraphConsistent()
    {
        for (unsigned seed = 0; seed < 40; ++seed) {
            std::mt19937 random(seed);
            const auto pick = [&](std::size_t n) { return std::size_t(random() % n); };
            SmallGraph g;
            g.input("x");
            g.op("Relu", "first", {"x"}, {"first_out"});
            g.output("first_out");
            Graph &graph = g.graph;
            for (int step = 0; step < 150; ++step) {
                const std::vector<OpId> ops = graph.operations();
                const std::vector<VarId> vars = graph.variables();
                const std::string name = "n" + std::to_string(step);
                const VarId any = vars[pick(vars.size())];
                const OpId op = ops.empty() ? noOp : ops[pick(ops.size())];
                switch (pick(10)) {
                case 0:
                case 1:
                case 2: g.op("Add", name, {graph.variable(any).name, pick(2) ? "x" : ""}, {name + "_out"}); break;
                case 3: g.parameter(name, floats({1}, {1})); break;
                case 4: // only towards the end of the order, so that no cycle arises
                    if (op != noOp && graph.variable(any).producer == noOp && graph.contains(any))
                        graph.setInput(op, pick(3), any);
                    break;
                case 5:
                    if (op != noOp) graph.resizeInputs(op, pick(3));
                    break;
                case 6:
                    if (op != noOp && graph.operation(op).hasInput(0)) graph.bypassOperation(op);
                    break;
                case 7:
                    if (op != noOp) graph.removeOperation(op);
                    break;
                case 8:
                    if (graph.variable(any).producer != noOp && !graph.isGraphOutput(any)) {
                        std::vector<VarId> outputs = graph.outputs();
                        outputs.push_back(any);
                        graph.setOutputs(std::move(outputs));
                    }
                    break;
                default:
                    if (pick(4) == 0) graph.removeUnreachable();
                    if (graph.contains(any)) graph.rename(any, graph.freshName(graph.variable(any).name + "r"));
                    if (graph.contains(g.graph.inputs()[0])) graph.rename(graph.inputs()[0], "x");
                }
                graph.verify();
            }
            graph.removeUnreachable();
            graph.verify();
            for (const OpId id : graph.operations()) { // the rest leads somewhere
                bool isUsed = false;
                for (const VarId output : graph.operation(id).outputs)
                    isUsed = isUsed || graph.isGraphOutput(output) || !graph.variable(output).uses.empty();
                QVERIFY(isUsed);
            }
        }
    }

    void bodiesAreEditedInCopies()
    {
        SmallGraph inner;
        inner.op("Relu", "r", {"h"}, {"z"});
        inner.output("z");
        const auto body = std::make_shared<const Graph>(inner.graph);
        SmallGraph g;
        g.input("c"), g.input("h");
        g.op("If", "if", {"c", "h"}, {"y"},
             {{"else_branch", body},
              {"then_branch", body},
              {std::string(capturesAttribute), std::vector<std::string>{"h"}}});
        g.output("y");
        QCOMPARE(formalInputCount(op(g.graph, "if")), std::size_t(1));
        const int changed = editAllGraphs(g.graph, [](Graph &graph) {
            const OpId relu = graph.findOperation("r");
            if (relu == noOp) return 0;
            graph.edit(relu).type = "Neg";
            return 1;
        });
        QCOMPARE(changed, 2);
        QCOMPARE(op(*body, "r").type, std::string("Relu"));
        for (const auto &after : bodies(op(g.graph, "if"))) QCOMPARE(op(*after, "r").type, std::string("Neg"));
    }
};

QL_TEST(TestGraph)
#include "tst_graph.moc"
