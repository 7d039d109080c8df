#include "tests/pass/format_support.h"
#include "tests/support/test_main.h"

#include <ATen/ops/full.h>
#include <QtTest>

using namespace ql;
using namespace ql::test;

class TestRemoveIdentity : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void goes_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("form");
        QTest::addColumn<bool>("goes");
        QTest::newRow("Identity") << "Identity"
                                  << "" << true;
        QTest::newRow("Dropout") << "Dropout"
                                 << "" << true;
        QTest::newRow("Dropout with an idle mask") << "Dropout"
                                                   << "mask" << true;
        QTest::newRow("Dropout whose mask is used") << "Dropout"
                                                    << "used mask" << false;
        QTest::newRow("Dropout, training_mode false") << "Dropout"
                                                      << "false" << true;
        QTest::newRow("Dropout, training_mode true") << "Dropout"
                                                     << "true" << false;
        QTest::newRow("Cast to its own type") << "Cast"
                                              << "1" << true;
        QTest::newRow("Cast to another type") << "Cast"
                                              << "11" << false;
        QTest::newRow("Mul by 1") << "Mul"
                                  << "1" << true;
        QTest::newRow("Mul by 2") << "Mul"
                                  << "2" << false;
        QTest::newRow("Div by 1") << "Div"
                                  << "1" << true;
        QTest::newRow("Mul by 1 that adds a dimension") << "Mul"
                                                        << "1 of rank 3" << false;
        QTest::newRow("Neg") << "Neg"
                             << "" << false;
    }
    void goes()
    {
        QFETCH(QString, type);
        QFETCH(QString, form);
        QFETCH(bool, goes);
        SmallGraph g;
        g.input("x", {1, 4});
        std::vector<std::string> inputs{"x"}, outputs{"m"};
        if (form.endsWith("mask")) outputs.push_back("mask");
        if (form == "true" || form == "false") {
            g.parameter("ratio", floats({}, {0.5f}));
            g.parameter("training", at::full({}, form == "true", at::TensorOptions().dtype(at::kBool)));
            inputs.insert(inputs.end(), {"ratio", "training"});
        }
        if (type == "Mul" || type == "Div") {
            const at::Tensor factor = floats({}, {form.left(1).toFloat()});
            g.parameter("factor", form.contains("rank") ? factor.reshape({1, 1, 1}) : factor);
            inputs.push_back("factor");
        }
        std::map<std::string, Attribute, std::less<>> attributes;
        if (type == "Cast") attributes["to"] = std::int64_t(form.toInt());
        g.op(type.toStdString(), "i", inputs, outputs, attributes);
        g.op("Relu", "r", {"m"}, {"y"});
        g.output("y");
        if (form == "used mask") g.output("mask");
        const Graph before = g.graph;
        QCOMPARE(runFormat(g.graph, "remove_identity"), goes ? 1 : 0);
        QCOMPARE(hasOp(g.graph, "i"), !goes);
        QCOMPARE(inputNames(g.graph, "r"), std::string(goes ? "x" : "m"));
        QVERIFY(sameResults(before, g.graph, {{"x", wave({1, 4})}}));
    }

    void unknownTypeKeepsTheCast()
    {
        SmallGraph g;
        g.input("x", {1, 4}, at::ScalarType::Undefined);
        g.op("Cast", "i", {"x"}, {"m"}, {{"to", std::int64_t{1}}});
        g.op("Relu", "r", {"m"}, {"y"});
        g.output("y");
        QCOMPARE(runFormat(g.graph, "remove_identity"), 0);
    }

    void typeIsKnownAlongTheData()
    {
        SmallGraph g;
        g.input("x", {1, 4});
        g.op("Relu", "relu", {"x"}, {"a"});
        g.op("Cast", "same", {"a"}, {"b"}, {{"to", std::int64_t{1}}});
        g.op("Cast", "wide", {"b"}, {"c"}, {{"to", std::int64_t{11}}});
        g.op("Cast", "wideAgain", {"c"}, {"d"}, {{"to", std::int64_t{11}}});
        g.op("Shape", "shape", {"d"}, {"e"});
        g.op("Cast", "number", {"e"}, {"y"}, {{"to", std::int64_t{1}}});
        g.output("y");
        const Graph before = g.graph;
        QCOMPARE(runFormat(g.graph, "remove_identity"), 2);
        QVERIFY(hasOp(g.graph, "wide") && hasOp(g.graph, "number"));
        QVERIFY(sameResults(before, g.graph, {{"x", wave({1, 4})}}));
    }

    void outputsKeepNamesAndOrder()
    {
        SmallGraph g;
        g.input("x", {1, 4});
        g.op("Identity", "through", {"x"}, {"a"}); // cannot go: an input would have to be an output
        g.op("Relu", "relu", {"x"}, {"t"});
        g.op("Identity", "last", {"t"}, {"b"});  // goes: relu writes b
        g.op("Identity", "again", {"b"}, {"c"}); // cannot go: both are outputs
        g.op("Neg", "neg", {"t"}, {"d"});
        for (const char *name : {"a", "b", "c", "d"}) g.output(name);
        const Graph before = g.graph;
        QCOMPARE(runFormat(g.graph, "remove_identity"), 1);
        QVERIFY(hasOp(g.graph, "through") && hasOp(g.graph, "again") && !hasOp(g.graph, "last"));
        QCOMPARE(outputNames(g.graph), std::string("a,b,c,d"));
        QCOMPARE(inputNames(g.graph, "neg"), std::string("b"));
        QVERIFY(sameResults(before, g.graph, {{"x", wave({1, 4})}}));
    }
};

QL_TEST(TestRemoveIdentity)
#include "tst_remove_identity.moc"
