#include "core/base/error.h"
#include "core/exec/executor.h"
#include "core/session/cut_points.h"
#include "tests/support/error_of.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"

#include <QtTest>

using namespace ql;
using ql::test::errorOf;
using ql::test::hasOp;
using ql::test::messageOf;

namespace {

/// x -> a -> b -> c -> Boxes (no kernel) -> boxes, classes; b also ends in score; the shape of x sizes a Reshape.
test::SmallGraph detector()
{
    test::SmallGraph g;
    g.input("x", {1, 4});
    g.op("Relu", "a", {"x"}, {"at"});
    g.op("Neg", "b", {"at"}, {"bt"});
    g.op("Abs", "c", {"bt"}, {"ct"});
    g.op("Shape", "shape", {"x"}, {"size"});
    g.op("Boxes", "boxes", {"ct", "bt", "size"}, {"raw"});
    g.op("Sigmoid", "tail", {"raw"}, {"classes"});
    g.op("Neg", "score", {"bt"}, {"scores"});
    g.output("classes");
    g.output("scores");
    return g;
}

std::string names(const Graph &graph, const std::vector<VarId> &ids)
{
    std::string out;
    for (const VarId id : ids) out += (out.empty() ? "" : ",") + graph.variable(id).name;
    return out;
}

std::string operations(const Graph &graph)
{
    std::string out;
    for (const OpId id : graph.operations()) out += (out.empty() ? "" : ",") + graph.operation(id).name;
    return out;
}

std::vector<std::string> cut(Graph &graph, const api::CutPoints &points)
{
    std::vector<std::string> messages;
    cutGraph(graph, points, "m.onnx",
             [&](const api::Problem &problem) { messages.push_back(problem.message.english()); });
    graph.verify();
    return messages;
}

} // namespace

class TestCutPoints : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nothingToCut()
    {
        test::SmallGraph g = detector();
        QVERIFY(cut(g.graph, {}).empty());
        QCOMPARE(g.graph.operationCount(), std::size_t{7});
    }

    void atAnOutput()
    {
        test::SmallGraph g = detector();
        const auto messages = cut(g.graph, {.inputs = {}, .outputs = {"bt"}});
        QCOMPARE(operations(g.graph), std::string("a,b"));
        QCOMPARE(names(g.graph, g.graph.outputs()), std::string("bt"));
        QCOMPARE(messages.size(), std::size_t{1});
        QCOMPARE(
            QString::fromStdString(messages[0]),
            QString("the model is cut: 5 of 7 operations are left out (1 Abs, 1 Boxes, 1 Neg, 1 Shape, 1 Sigmoid); "
                    "its outputs are bt"));
    }

    /// The type of the new input is found although no file declares it; the old input is no longer needed.
    void atAnInput()
    {
        test::SmallGraph g = detector();
        cut(g.graph, {.inputs = {"at"}, .outputs = {"scores"}});
        QCOMPARE(operations(g.graph), std::string("b,score"));
        QCOMPARE(names(g.graph, g.graph.inputs()), std::string("at"));
        const TensorType &type = g.graph.variable(g.graph.findVariable("at")).type;
        QCOMPARE(type.dtype, at::kFloat);
        QCOMPARE(toString(type), std::string("1x4"));
    }

    /// An input that the outputs need besides the named one stays.
    void neededInputsStay()
    {
        test::SmallGraph g = detector();
        cut(g.graph, {.inputs = {"ct"}, .outputs = {"classes"}});
        QCOMPARE(names(g.graph, g.graph.inputs()), std::string("ct,x"));
        QVERIFY(hasOp(g.graph, "boxes") && !hasOp(g.graph, "c"));
    }

    /// Every tensor that the unsupported operations would read is an output, but not the size computed from a shape.
    void beforeUnsupported()
    {
        test::SmallGraph g = detector();
        cut(g.graph, {.inputs = {}, .outputs = {}, .beforeUnsupported = true});
        QCOMPARE(names(g.graph, g.graph.outputs()), std::string("scores,ct,bt"));
        QCOMPARE(operations(g.graph), std::string("a,b,c,score"));
        QVERIFY(unsupportedOps(g.graph).empty());
    }

    void beforeUnsupportedWithinChosenOutputs()
    {
        test::SmallGraph g = detector();
        cut(g.graph, {.inputs = {}, .outputs = {"scores"}, .beforeUnsupported = true});
        QCOMPARE(names(g.graph, g.graph.outputs()), std::string("scores"));
    }

    void mistakes_data()
    {
        QTest::addColumn<QStringList>("inputs");
        QTest::addColumn<QStringList>("outputs");
        QTest::addColumn<QString>("message");
        QTest::newRow("unknown output")
            << QStringList() << QStringList{"scroes"}
            << "the model cannot be cut at 'scroes': it has no tensor of that name. Did you mean 'scores'?";
        QTest::newRow("unknown input")
            << QStringList{"att"} << QStringList()
            << "the model cannot be cut at 'att': it has no tensor of that name. Did you mean 'at'?";
        QTest::newRow("an operation as output")
            << QStringList() << QStringList{"score"} << "of that name. The operation of that name writes 'scores'.";
        QTest::newRow("an operation as input")
            << QStringList{"boxes"} << QStringList() << "The operation of that name reads 'ct', 'bt', 'size'.";
        QTest::newRow("input after the outputs")
            << QStringList{"ct"} << QStringList{"scores"}
            << "the model cannot start at 'ct': its outputs do not depend on this tensor";
        QTest::newRow("nothing between") << QStringList{"at"} << QStringList{"at"}
                                         << "no operation is left between the cut points";
    }
    void mistakes()
    {
        QFETCH(QStringList, inputs);
        QFETCH(QStringList, outputs);
        QFETCH(QString, message);
        api::CutPoints points;
        for (const QString &name : inputs) points.inputs.push_back(name.toStdString());
        for (const QString &name : outputs) points.outputs.push_back(name.toStdString());
        test::SmallGraph g = detector();
        const QString got = messageOf([&] { cut(g.graph, points); });
        QVERIFY2(got.contains(message), qPrintable(got));
    }

    void insideABody()
    {
        test::SmallGraph body, inner, g;
        inner.op("Neg", "deep", {"z"}, {"zt"});
        body.op("Relu", "relu", {"v"}, {"vt"});
        body.op("If", "nested", {"vt"}, {"n"}, {{"then_branch", std::make_shared<const Graph>(inner.graph)}});
        g.input("x", {1, 4});
        g.op("If", "branch", {"x"}, {"y"}, {{"then_branch", std::make_shared<const Graph>(body.graph)}});
        g.output("y");
        for (const char *name : {"v", "vt", "zt"}) {
            const Error error = errorOf([&] { cut(g.graph, {.inputs = {}, .outputs = {name}}); });
            QCOMPARE(error.message.english(),
                     "the model cannot be cut at '" + std::string(name) + "': this tensor is in a body of 'branch'");
            QCOMPARE(error.remedy.english(), std::string("Cut at the operation with the body instead: 'y'."));
        }
    }

    /// A cut may come from a recipe as well as from the command line.
    void mistakesNameBothPlaces()
    {
        test::SmallGraph g = detector();
        const auto remedyOf = [&](const api::CutPoints &points) {
            return errorOf([&] { cut(g.graph, points); }).remedy.english();
        };
        QVERIFY(remedyOf({.inputs = {}, .outputs = {"no"}}).find("--outputs (in a recipe: cut.outputs)") !=
                std::string::npos);
        QVERIFY(remedyOf({.inputs = {"no"}, .outputs = {}}).find("--inputs (in a recipe: cut.inputs)") !=
                std::string::npos);
    }

    void nothingBeforeUnsupported()
    {
        test::SmallGraph g;
        g.input("x", {1, 4});
        g.op("Boxes", "boxes", {"x"}, {"y"});
        g.output("y");
        QVERIFY(messageOf([&] {
                    cut(g.graph, {.inputs = {}, .outputs = {}, .beforeUnsupported = true});
                }).contains("nothing would be left"));
    }
};

QL_TEST(TestCutPoints)
#include "tst_cut_points.moc"
