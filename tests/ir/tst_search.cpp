#include "core/base/error.h"
#include "core/ir/search.h"
#include "tests/support/test_main.h"

#include <QtTest>

using namespace ql;

namespace {

/// Every operation has one output, named after it with "_out"; x is the graph input.
class Builder
{
public:
    Graph graph;
    Builder()
    {
        const VarId x = graph.addVariable("x");
        graph.setInputs({x});
    }
    OpId op(const std::string &name, const std::string &type, const std::vector<std::string> &inputs)
    {
        Operation operation;
        operation.name = name;
        operation.type = type;
        for (const std::string &input : inputs) operation.inputs.push_back(graph.findVariable(input));
        operation.outputs = {graph.addVariable(name + "_out")};
        return graph.addOperation(std::move(operation));
    }
};

QString names(const Graph &graph, const std::set<OpId> &ids)
{
    QStringList out;
    for (const OpId id : ids) out << QString::fromStdString(graph.operation(id).name);
    return out.join(' ');
}

QString names(const Graph &graph, const std::vector<std::vector<OpId>> &rows)
{
    QStringList out;
    for (const auto &row : rows) {
        QStringList parts;
        for (const OpId id : row) parts << QString::fromStdString(graph.operation(id).name);
        out << parts.join(' ');
    }
    return out.join(" | ");
}

const RelayPredicate anywhere = [](const Operation &, const Operation &) { return true; };

/// x -> a:Conv -> b:Relu -> c:Conv, b -> d:Softmax -> e:Relu
Builder sample()
{
    Builder b;
    b.op("a", "Conv", {"x"});
    b.op("b", "Relu", {"a_out"});
    b.op("c", "Conv", {"b_out"});
    b.op("d", "Softmax", {"b_out"});
    b.op("e", "Relu", {"d_out"});
    return b;
}

} // namespace

class TestSearch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void neighboursOnceAndBoundaries()
    {
        Builder b;
        const OpId a = b.op("a", "Conv", {"x"});
        const OpId square = b.op("square", "Mul", {"a_out", "a_out"});
        const OpId end = b.op("end", "Add", {"square_out", "a_out"});
        const GraphSearch search(b.graph);
        QCOMPARE(search.consumers(a).size(), std::size_t{2});
        QCOMPARE(search.producers(square).size(), std::size_t{1});
        QCOMPARE(search.producers(end).size(), std::size_t{2});
        QVERIFY(search.isBoundary(a) && search.isBoundary(end) && !search.isBoundary(square));
    }

    void reachable_data()
    {
        QTest::addColumn<QString>("start");
        QTest::addColumn<QString>("end");
        QTest::addColumn<QString>("blocked");
        QTest::addColumn<bool>("down");
        QTest::addColumn<QString>("expected");
        QTest::newRow("up to the next Conv") << "Conv"
                                             << "Conv"
                                             << "" << true << "a b c";
        QTest::newRow("the end is tested before the relay") << "Conv"
                                                            << "Softmax"
                                                            << "Softmax" << true << "a b d";
        QTest::newRow("a blocked way adds nothing") << "Softmax"
                                                    << "Conv"
                                                    << "Relu" << true << "";
        QTest::newRow("a dead end adds nothing") << "Conv"
                                                 << "Gemm"
                                                 << "" << true << "";
        QTest::newRow("upwards") << "Softmax"
                                 << "Conv"
                                 << "" << false << "a b d";
        QTest::newRow("no end: closure with the start") << "Softmax"
                                                        << ""
                                                        << "" << true << "d e";
        QTest::newRow("no end, blocked at once") << "Softmax"
                                                 << ""
                                                 << "Relu" << true << "d";
    }
    void reachable()
    {
        QFETCH(QString, start);
        QFETCH(QString, end);
        QFETCH(QString, blocked);
        QFETCH(bool, down);
        const Builder b = sample();
        const auto relay = [&](const Operation &, const Operation &to) { return to.type != blocked.toStdString(); };
        const auto result = GraphSearch(b.graph).reachable(ofType(start.toStdString()), relay,
                                                           end.isEmpty() ? OpPredicate() : ofType(end.toStdString()),
                                                           down ? Direction::Down : Direction::Up);
        QTEST(names(b.graph, result), "expected");
    }

    void pathsAreListedOneByOne()
    {
        Builder b;
        b.op("a", "Conv", {"x"});
        b.op("l", "Relu", {"a_out"});
        b.op("r", "Sigmoid", {"a_out"});
        b.op("m", "Mul", {"l_out", "r_out"});
        b.op("z", "Conv", {"m_out"});
        b.op("dead", "Relu", {"m_out"});
        const GraphSearch search(b.graph);
        QCOMPARE(names(b.graph, search.paths(ofType("Conv"), anywhere, ofType("Conv"), Direction::Down)),
                 QString("a l m z | a r m z"));
        QCOMPARE(names(b.graph, search.paths(ofType("Mul"), anywhere, ofType("Conv"), Direction::Up)),
                 QString("m l a | m r a"));
        QVERIFY_EXCEPTION_THROWN(search.paths(ofType("Conv"), anywhere, ofType("Conv"), Direction::Down, 1), Error);
    }

    void pathsIgnoreWaysThatMeetNoEnd()
    {
        // 60 diamonds in a row have 2^60 ways, none of which leads to an end
        Builder b;
        b.op("c0", "Conv", {"x"});
        std::string last = "c0_out";
        for (int i = 0; i < 60; ++i) {
            const std::string n = std::to_string(i);
            b.op("l" + n, "Relu", {last});
            b.op("r" + n, "Relu", {last});
            b.op("m" + n, "Add", {"l" + n + "_out", "r" + n + "_out"});
            last = "m" + n + "_out";
        }
        QVERIFY(GraphSearch(b.graph).paths(ofType("Conv"), anywhere, ofType("Gemm"), Direction::Down).empty());
        QCOMPARE(GraphSearch(b.graph).reachable(ofType("Conv"), anywhere, nullptr, Direction::Down).size(),
                 std::size_t{181});
    }

    void match_data()
    {
        QTest::addColumn<bool>("exclusive");
        QTest::addColumn<QString>("extra"); // type of one more reader of the Conv result
        QTest::addColumn<int>("expected");
        QTest::newRow("swish") << true << "" << 1;
        QTest::newRow("read from outside") << true << "Tanh" << 0;
        QTest::newRow("read from outside, not exclusive") << false << "Tanh" << 1;
    }
    void match()
    {
        QFETCH(bool, exclusive);
        QFETCH(QString, extra);
        Builder b;
        b.op("c", "Conv", {"x"});
        b.op("s", "Sigmoid", {"c_out"});
        b.op("m", "Mul", {"c_out", "s_out"});
        if (!extra.isEmpty()) b.op("more", extra.toStdString(), {"c_out"});
        OpPattern swish{{ofType("Conv"), ofType("Sigmoid"), ofType("Mul")}, {{0, 1}, {1, 2}, {0, 2}}};
        swish.exclusive = exclusive;
        const auto result = GraphSearch(b.graph).match(swish);
        QTEST(int(result.size()), "expected");
        if (!result.empty()) QCOMPARE(names(b.graph, result), QString("c s m"));
        // places may be listed in any order: the result follows it
        OpPattern reversed{{ofType("Mul"), ofType("Sigmoid"), ofType("Conv")}, {{2, 1}, {1, 0}, {2, 0}}};
        reversed.exclusive = exclusive;
        const auto mirrored = GraphSearch(b.graph).match(reversed);
        QCOMPARE(mirrored.size(), result.size());
        if (!mirrored.empty()) QCOMPARE(names(b.graph, mirrored), QString("m s c"));
    }

    void exclusiveCountsProducersAndGraphOutputs()
    {
        Builder b;
        b.op("c", "Conv", {"x"});
        b.op("g", "Gemm", {"x"});
        b.op("add", "Add", {"c_out", "g_out"});
        b.op("r", "Relu", {"add_out"});
        const OpPattern convAdd{{ofType("Conv"), ofType("Add")}, {{0, 1}}};
        QVERIFY(GraphSearch(b.graph).match(convAdd).empty()); // Add also reads the Gemm
        const OpPattern both{{ofType("Conv"), ofType("Gemm"), ofType("Add")}, {{0, 2}, {1, 2}}};
        QCOMPARE(names(b.graph, GraphSearch(b.graph).match(both)), QString("c g add"));

        OpPattern addRelu{{ofType("Add"), ofType("Relu")}, {{0, 1}}};
        QCOMPARE(GraphSearch(b.graph).match(addRelu).size(), std::size_t{1});
        b.graph.setOutputs({b.graph.findVariable("add_out"), b.graph.findVariable("r_out")});
        QVERIFY(GraphSearch(b.graph).match(addRelu).empty());
        addRelu.graphOutputsCount = false;
        QCOMPARE(GraphSearch(b.graph).match(addRelu).size(), std::size_t{1});
    }

    void symmetricPatternGivesEveryEmbedding()
    {
        Builder b;
        b.op("c", "Conv", {"x"});
        b.op("l", "Relu", {"c_out"});
        b.op("r", "Relu", {"c_out"});
        const OpPattern fork{{ofType("Conv"), ofType("Relu"), ofType("Relu")}, {{0, 1}, {0, 2}}};
        QCOMPARE(names(b.graph, GraphSearch(b.graph).match(fork)), QString("c l r | c r l"));
    }

    void mistakesInPatternsAreRefused()
    {
        const Builder b = sample();
        const OpPattern cyclic{{ofType("Conv"), ofType("Relu")}, {{0, 1}, {1, 0}}};
        QVERIFY_EXCEPTION_THROWN(GraphSearch(b.graph).match(cyclic), Error);
        const OpPattern outside{{ofType("Conv")}, {{0, 1}}};
        QVERIFY_EXCEPTION_THROWN(GraphSearch(b.graph).match(outside), Error);
    }

    void longAndWideGraphsNeedNoRecursion()
    {
        Builder chain;
        std::string last = "x";
        for (int i = 0; i < 10000; ++i) {
            const std::string n = "op" + std::to_string(i);
            chain.op(n, i % 100 == 0 ? "Conv" : "Relu", {last});
            last = n + "_out";
        }
        const auto all = GraphSearch(chain.graph).reachable(ofType("Conv"), anywhere, nullptr, Direction::Down);
        QCOMPARE(all.size(), std::size_t{10000});
        QCOMPARE(GraphSearch(chain.graph).match({{ofType("Conv"), ofType("Relu")}, {{0, 1}}}).size(), std::size_t{100});

        Builder wide;
        wide.op("c", "Conv", {"x"});
        for (int i = 0; i < 10000; ++i) wide.op("r" + std::to_string(i), "Relu", {"c_out"});
        const GraphSearch search(wide.graph);
        QCOMPARE(search.reachable(ofType("Conv"), anywhere, ofType("Relu"), Direction::Down).size(),
                 std::size_t{10001});
        QVERIFY(search.match({{ofType("Conv"), ofType("Relu")}, {{0, 1}}}).empty());
    }
};

QL_TEST(TestSearch)
#include "tst_search.moc"
