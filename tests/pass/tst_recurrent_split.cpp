#include "format_support.h"
#include "tests/support/test_main.h"

#include <QtTest>

using namespace ql;
using namespace ql::test;

class TestRecurrentSplit : public QObject
{
    Q_OBJECT

private:
    /// x [steps, 2, 3] -> GRU or LSTM with 4 states -> y, y_h (, y_c)
    static SmallGraph net(const std::string &type, std::int64_t steps, const std::string &direction, bool initial,
                          std::map<std::string, Attribute, std::less<>> attributes = {})
    {
        const std::int64_t gates = type == "GRU" ? 3 : 4, directions = direction == "bidirectional" ? 2 : 1;
        SmallGraph g(14);
        g.input("x", {steps, 2, 3});
        g.parameter("w", wave({directions, gates * 4, 3}, 1));
        g.parameter("r", wave({directions, gates * 4, 4}, 2));
        g.parameter("b", wave({directions, 2 * gates * 4}, 3));
        std::vector<std::string> inputs = {"x", "w", "r", "b"}, outputs = {"y", "y_h"};
        if (initial) {
            g.input("h", {directions, 2, 4});
            inputs.insert(inputs.end(), {"", "h"});
        }
        if (initial && type == "LSTM") {
            g.input("c", {directions, 2, 4});
            inputs.push_back("c");
        }
        if (type == "LSTM") outputs.push_back("y_c");
        attributes["hidden_size"] = std::int64_t{4};
        attributes["direction"] = direction;
        g.op(type, "rnn", inputs, outputs, std::move(attributes));
        for (const std::string &output : outputs) g.output(output);
        return g;
    }
    static Feed feedOf(const Graph &graph)
    {
        Feed feed;
        double seed = 5;
        for (const VarId id : graph.inputs())
            feed[graph.variable(id).name] = wave(graph.variable(id).type.sizes(), ++seed);
        return feed;
    }

private Q_SLOTS:
    void theFunctionStays_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<int>("steps");
        QTest::addColumn<QString>("direction");
        QTest::addColumn<bool>("initial");
        QTest::addColumn<QString>("flag");
        QTest::newRow("one step of a GRU") << "GRU" << 1 << "forward" << true << "linear_before_reset";
        QTest::newRow("GRU") << "GRU" << 3 << "forward" << false << "linear_before_reset";
        QTest::newRow("GRU, reset first") << "GRU" << 3 << "reverse" << true << "";
        QTest::newRow("GRU, both directions") << "GRU" << 3 << "bidirectional" << true << "linear_before_reset";
        QTest::newRow("one step of an LSTM") << "LSTM" << 1 << "forward" << true << "";
        QTest::newRow("LSTM") << "LSTM" << 3 << "reverse" << false << "";
        QTest::newRow("LSTM, both directions") << "LSTM" << 2 << "bidirectional" << true << "";
        QTest::newRow("LSTM, coupled gates") << "LSTM" << 2 << "forward" << true << "input_forget";
    }
    void theFunctionStays()
    {
        QFETCH(QString, type);
        QFETCH(int, steps);
        QFETCH(QString, direction);
        QFETCH(bool, initial);
        QFETCH(QString, flag);
        std::map<std::string, Attribute, std::less<>> attributes;
        if (!flag.isEmpty()) attributes[flag.toStdString()] = std::int64_t{1};
        const SmallGraph g = net(type.toStdString(), steps, direction.toStdString(), initial, attributes);
        Graph graph = g.graph;
        QCOMPARE(runFormat(graph, "recurrent_split"), 1);
        QVERIFY(!hasOp(graph, "rnn"));
        QVERIFY(sameResults(g.graph, graph, feedOf(g.graph)));
        for (const OpId id : graph.operations())
            QVERIFY(graph.operation(id).type != "GRU" && graph.operation(id).type != "LSTM");
        QCOMPARE(runFormat(graph, "recurrent_split"), 0);
    }

    void othersStay_data()
    {
        QTest::addColumn<QString>("what");
        for (const char *what : {"many steps", "unknown steps", "clip", "activations", "lengths", "computed weights"})
            QTest::newRow(what) << what;
    }
    void othersStay()
    {
        QFETCH(QString, what);
        std::map<std::string, Attribute, std::less<>> attributes;
        if (what == "clip") attributes["clip"] = 1.f;
        if (what == "activations") attributes["activations"] = std::vector<std::string>{"HardSigmoid", "Tanh"};
        SmallGraph g = net("GRU", what == "many steps" ? 17 : 2, "forward", false, attributes);
        const OpId rnn = g.graph.findOperation("rnn");
        if (what == "unknown steps") g.graph.edit(g.graph.findVariable("x")).type.shape->at(0) = {-1, "time"};
        if (what == "lengths") {
            g.parameter("lengths", ints({1, 2}));
            g.graph.setInput(rnn, 4, g.tensor("lengths"));
        }
        if (what == "computed weights") {
            g.op("Relu", "relu", {"w"}, {"positive"});
            g.graph.setInput(rnn, 1, g.tensor("positive"));
        }
        std::vector<api::Problem> problems;
        QCOMPARE(runFormat(g.graph, "recurrent_split", nlohmann::json::object(), &problems), 0);
        QCOMPARE(problems.size(), std::size_t(1));
        QCOMPARE(problems[0].op, std::string("rnn"));
        QVERIFY(hasOp(g.graph, "rnn"));
    }
};

QL_TEST(TestRecurrentSplit)
#include "tst_recurrent_split.moc"
