#include "core/exec/executor.h"
#include "core/exec/kernel.h"
#include "core/ir/op_traits.h"
#include "tests/support/test_main.h"

#include "core/pass/format_tools.h"
#include "tests/support/small_graph.h"

#include <ATen/TensorOperators.h>
#include <QtTest>

#include <limits>
#include <map>

using namespace ql;

namespace {

/// An operator as a plug-in would bring it: kernel and record, nothing else.
const KernelRegistrar doubled{{"test:Doubled"},
                              {.run = [](const KernelContext &context, Inputs inputs) -> std::vector<at::Tensor> {
                                  return {requiredInput(context, inputs, 0) * 2};
                              }},
                              {.inputs = {{"x"}, {"mode", SlotKind::ShapeOrIndex}, {"w"}},
                               .weights = WeightTraits{.weight = 2, .axis = lastWeightAxis, .outputAxis = -1},
                               .shapes = sameAsInput0()}};

Operation operationOf(const char *type, std::map<std::string, Attribute, std::less<>> attributes = {})
{
    Operation op;
    op.type = type;
    op.attributes = std::move(attributes);
    return op;
}

} // namespace

class TestOpTraits : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void everyKernelHasARecord()
    {
        for (const std::string &id : Registry<KernelEntry>::instance().ids()) {
            const OpTraits *traits = Registry<OpTraits>::instance().find(id);
            QVERIFY2(traits, id.c_str());
            const KernelEntry &kernel = *Registry<KernelEntry>::instance().find(id);
            if (kernel.epilogue) QVERIFY2(traits->activation != Activation::None, id.c_str());
            if (traits->isPassive) QVERIFY2(!traits->weights && traits->valuesFlow, id.c_str());
            if (traits->shapes.sizes) QVERIFY2(traits->shapes.inputs > 0, id.c_str());
            if (!traits->weights || traits->inputs.empty()) continue;
            QVERIFY2(std::size_t(traits->weights->weight) < traits->inputs.size(), id.c_str());
            QVERIFY2(traits->weights->bias < int(traits->inputs.size()), id.c_str());
            QVERIFY2(traits->weights->axis != nullptr, id.c_str());
        }
    }

    void channelsOfWeights_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<int>("transB");
        QTest::addColumn<int>("group");
        QTest::addColumn<QVector<int>>("sizes");
        QTest::addColumn<int>("axis"); // -1: none
        QTest::addColumn<int>("channels");
        QTest::addColumn<int>("inputs"); // of a layer
        QTest::newRow("Conv, groups") << "Conv" << 0 << 2 << QVector<int>{8, 3, 5, 5} << 0 << 8 << 6;
        QTest::newRow("ConvTranspose") << "ConvTranspose" << 0 << 1 << QVector<int>{6, 4, 3} << 1 << 4 << 6;
        QTest::newRow("ConvTranspose, groups") << "ConvTranspose" << 0 << 3 << QVector<int>{6, 4, 3, 3} << 1 << 12 << 6;
        QTest::newRow("Gemm") << "Gemm" << 0 << 1 << QVector<int>{4, 7} << 1 << 7 << 4;
        QTest::newRow("Gemm, transposed") << "Gemm" << 1 << 1 << QVector<int>{4, 7} << 0 << 4 << 7;
        QTest::newRow("MatMul, matrix") << "MatMul" << 0 << 1 << QVector<int>{4, 7} << 1 << 7 << 0;
        QTest::newRow("MatMul, stack") << "MatMul" << 0 << 1 << QVector<int>{2, 4, 7} << 2 << 7 << 0;
        QTest::newRow("MatMul, vector") << "MatMul" << 0 << 1 << QVector<int>{4} << -1 << 0 << 0;
        QTest::newRow("no weights") << "Add" << 0 << 1 << QVector<int>{4, 7} << -1 << 0 << 0;
        QTest::newRow("unknown") << "Unheard" << 0 << 1 << QVector<int>{4, 7} << -1 << 0 << 0;
    }
    void channelsOfWeights()
    {
        QFETCH(QString, type);
        QFETCH(int, transB);
        QFETCH(int, group);
        QFETCH(QVector<int>, sizes);
        QFETCH(int, axis);
        QFETCH(int, channels);
        QFETCH(int, inputs);
        const Operation op =
            operationOf(type.toLatin1(), {{"transB", std::int64_t(transB)}, {"group", std::int64_t(group)}});
        const std::vector<std::int64_t> shape(sizes.begin(), sizes.end());
        QCOMPARE(int(weightChannelAxis(op, 1, std::int64_t(shape.size())).value_or(-1)), axis);
        QCOMPARE(int(outputChannelCount(op, shape)), channels);
        QCOMPARE(int(inputChannelCount(op, shape)), inputs);
    }

    void kindsOfSlots_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("inputs"); // Q, F, S; in lower case: its values do not flow to the outputs
        QTest::addColumn<QString>("outputs");
        QTest::newRow("unknown") << "Unheard"
                                 << "QQ"
                                 << "QQ";
        QTest::newRow("Conv") << "Conv"
                              << "QQQ"
                              << "Q";
        QTest::newRow("Reshape") << "Reshape"
                                 << "Qs"
                                 << "Q";
        QTest::newRow("Clip") << "Clip"
                              << "Qff"
                              << "Q";
        QTest::newRow("Where") << "Where"
                               << "fQQ"
                               << "Q";
        QTest::newRow("TopK") << "TopK"
                              << "Qs"
                              << "QF";
        QTest::newRow("ScatterND") << "ScatterND"
                                   << "QfQ"
                                   << "Q";
        QTest::newRow("TensorScatter") << "TensorScatter"
                                       << "QQs"
                                       << "Q";
        QTest::newRow("NonMaxSuppression") << "NonMaxSuppression"
                                           << "qfsss"
                                           << "Q";
        QTest::newRow("Equal") << "Equal"
                               << "qq"
                               << "F";
        QTest::newRow("Shape") << "Shape"
                               << "q"
                               << "S";
        QTest::newRow("Concat") << "Concat"
                                << "QQQQ"
                                << "Q";
        QTest::newRow("Loop") << "Loop"
                              << "FFF"
                              << "FF";
    }
    void kindsOfSlots()
    {
        QFETCH(QString, type);
        QFETCH(QString, inputs);
        QFETCH(QString, outputs);
        Operation op = operationOf(type.toLatin1());
        op.inputs.resize(std::size_t(inputs.size()), noVar);
        op.outputs.resize(std::size_t(outputs.size()), noVar);
        const Socket socket = socketOf(op);
        const auto letter = [](SlotKind kind) {
            return QLatin1Char(kind == SlotKind::Quantizable ? 'Q' : kind == SlotKind::Float ? 'F' : 'S');
        };
        QString foundInputs, foundOutputs;
        for (std::size_t i = 0; i < socket.inputs.size(); ++i) {
            const QString kind(letter(socket.inputs[i]));
            foundInputs += socket.links[i] ? kind : kind.toLower();
            QCOMPARE(slotKind(op, inputSlot(op.id, i)), socket.inputs[i]);
        }
        for (const SlotKind kind : socket.outputs) foundOutputs += letter(kind);
        QCOMPARE(foundInputs, inputs);
        QCOMPARE(foundOutputs, outputs);
    }

    void namesOfSlots()
    {
        QCOMPARE(slotName(operationOf("Clip"), Slot{noOp, false, 1}), std::string("min"));
        QCOMPARE(slotName(operationOf("Clip"), Slot{noOp, false, 7}), std::string());
        QCOMPARE(slotName(operationOf("TopK"), Slot{noOp, true, 1}), std::string("Indices"));
    }

    /// A kernel and its record are all that an operator needs.
    void operatorsFromOutside()
    {
        test::SmallGraph small;
        small.input("a", {2, 3});
        small.op("test:Doubled", "double", {"a"}, {"b"});
        small.output("b");
        Graph &graph = small.graph;
        const OpId id = graph.findOperation("double");
        graph.edit(id).type = "Doubled";
        QVERIFY(!isComputing(graph.operation(id))); // another domain's operator of this name is another operator
        graph.edit(id).domain = "test";
        const Operation &op = graph.operation(id);
        QVERIFY(isComputing(op));
        QVERIFY(isWeight(op, inputSlot(id, 2)));
        QVERIFY(!isWeight(op, inputSlot(id, 1)));
        QCOMPARE(slotKind(op, inputSlot(id, 1)), SlotKind::ShapeOrIndex);
        QCOMPARE(inferRanks(graph)[std::size_t(index(op.outputs[0]))], 2);
        QCOMPARE(inferElementType(graph, op.outputs[0]), at::kFloat);
        const at::Tensor x = test::ramp({2, 3}, 1, 1);
        const Executor executor(graph);
        const Program program = executor.compile({});
        QVERIFY(program.run({{"a", x}}, {})[0].equal(x * 2));
        const auto types = executor.traceTypes({{"a", x}}, {});
        QCOMPARE(types.at(op.outputs[0]).sizes(), (std::vector<std::int64_t>{2, 3}));
    }

    /// [Shape(a)[0], 4, ...Shape(a)[-1:]]: 3 entries, with a of rank 2.
    void ranksOfComputedSizes()
    {
        test::SmallGraph small(13);
        small.input("a", {2, 3});
        for (const auto &[name, value] : std::map<std::string, std::int64_t>{{"zero", 0}, {"four", 4}, {"last", -1}})
            small.parameter(name, test::ints({value}));
        small.parameter("end", test::ints({std::numeric_limits<std::int64_t>::max()}));
        small.parameter("first", test::ints({0}).reshape({}));
        small.op("Shape", "shape", {"a"}, {"s"});
        small.op("Gather", "gather", {"s", "first"}, {"rows"});
        small.op("Unsqueeze", "unsqueeze", {"rows", "zero"}, {"r"});
        small.op("Slice", "slice", {"s", "last", "end"}, {"c"});
        small.op("Concat", "concat", {"r", "four", "c"}, {"sizes"}, {{"axis", std::int64_t{0}}});
        small.op("Expand", "expand", {"a", "sizes"}, {"b"});
        small.op("Reshape", "reshape", {"b", "sizes"}, {"y"});
        small.op("Trilu", "triangle", {"b"}, {"t"});
        small.output("y");
        const std::vector<int> ranks = inferRanks(small.graph);
        for (const char *name : {"b", "y", "t"}) QCOMPARE(ranks[std::size_t(index(small.graph.findVariable(name)))], 3);
    }
};

QL_TEST(TestOpTraits)
#include "tst_op_traits.moc"
