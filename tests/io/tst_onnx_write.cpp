#include "core/base/error.h"
#include "core/base/file.h"
#include "core/io/onnx/import.h"
#include "core/io/onnx/write.h"
#include "core/ir/subgraphs.h"
#include "tests/support/onnx_model.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"

#include <ATen/ops/equal.h>
#include <QtTest>

using namespace ql;
using namespace ql::test;
namespace fs = std::filesystem;

namespace {

std::string difference(const Graph &a, const Graph &b);

bool sameTensor(const at::Tensor &a, const at::Tensor &b)
{
    return a.scalar_type() == b.scalar_type() && a.sizes() == b.sizes() && at::equal(a, b);
}

bool sameAttribute(const Attribute &a, const Attribute &b)
{
    using Body = std::shared_ptr<const Graph>;
    if (a.index() != b.index()) return false;
    if (const auto *tensor = std::get_if<at::Tensor>(&a)) return sameTensor(*tensor, std::get<at::Tensor>(b));
    if (const auto *body = std::get_if<Body>(&a)) return difference(**body, *std::get<Body>(b)).empty();
    return std::visit(
        [&](const auto &left) {
            using T = std::decay_t<decltype(left)>;
            if constexpr (std::is_same_v<T, at::Tensor> || std::is_same_v<T, std::vector<at::Tensor>>)
                return false; // lists of tensors do not occur in these files
            else
                return left == std::get<T>(b);
        },
        a);
}

std::string namesOf(const Graph &graph, const std::vector<VarId> &ids)
{
    std::string out;
    for (const VarId id : ids) out += (id == noVar ? std::string("-") : graph.variable(id).name) + " ";
    return out;
}

/// The first thing in which two graphs differ; empty when they are equal up to ids.
std::string difference(const Graph &a, const Graph &b)
{
    if (a.name != b.name || a.opsets != b.opsets || a.irVersion != b.irVersion) return "head";
    if (namesOf(a, a.inputs()) != namesOf(b, b.inputs())) return "inputs";
    if (namesOf(a, a.outputs()) != namesOf(b, b.outputs())) return "outputs";
    const std::vector<OpId> left = a.operations(), right = b.operations();
    if (left.size() != right.size()) return "number of operations";
    for (std::size_t i = 0; i < left.size(); ++i) {
        const Operation &x = a.operation(left[i]), &y = b.operation(right[i]);
        if (x.name != y.name || x.type != y.type || x.domain != y.domain || x.opset != y.opset) return "op " + x.name;
        if (namesOf(a, x.inputs) != namesOf(b, y.inputs)) return "inputs of " + x.name;
        if (namesOf(a, x.outputs) != namesOf(b, y.outputs)) return "outputs of " + x.name;
        if (x.attributes.size() != y.attributes.size()) return "attributes of " + x.name;
        for (const auto &[key, value] : x.attributes) {
            const auto other = y.attributes.find(key);
            if (other == y.attributes.end() || !sameAttribute(value, other->second)) return key + " of " + x.name;
        }
    }
    if (a.variables().size() != b.variables().size()) return "number of tensors";
    for (const VarId id : a.variables()) {
        const Variable &x = a.variable(id);
        if (b.findVariable(x.name) == noVar) return "tensor " + x.name;
        const Variable &y = b.variable(b.findVariable(x.name));
        if (x.isParameter() != y.isParameter()) return "kind of " + x.name;
        if (x.isParameter() && !sameTensor(x.value, y.value)) return "value of " + x.name;
        if (x.type.dtype != y.type.dtype || x.type.shape != y.type.shape) return "type of " + x.name;
    }
    return {};
}

} // namespace

class TestOnnxWrite : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    fs::path path(const char *name) const { return fs::path(m_folder.path().toStdString()) / name; }

private Q_SLOTS:
    void aModelThatWasReadIsWrittenAsItWas_data()
    {
        QTest::addColumn<QString>("file");
        const auto add = [](const fs::path &file) {
            QTest::newRow(file.stem().c_str()) << QString::fromStdString(file.string());
        };
        for (const auto &entry : fs::directory_iterator(fs::path(QL_TEST_DATA) / "models"))
            if (entry.path().extension() == ".onnx") add(entry.path());
        if (fs::exists(QL_CORPUS))
            for (const char *name : {"silero_vad_16k_op15", "squeezenet1.1", "yolox_nano", "ppocr_v3_det"})
                add(fs::path(QL_CORPUS) / name / (std::string(name) + ".onnx"));
    }
    void aModelThatWasReadIsWrittenAsItWas()
    {
        QFETCH(QString, file);
        const Graph first = importOnnx(file.toStdString());
        QCOMPARE(writeOnnx(first, path("once.onnx")).size(), std::size_t(1));
        const Graph second = importOnnx(path("once.onnx"));
        QVERIFY2(difference(first, second).empty(), difference(first, second).c_str());
        writeOnnx(second, path("twice.onnx"));
        QVERIFY(readFile(path("once.onnx")) == readFile(path("twice.onnx")));
    }

    void everyAttributeAndType()
    {
        SmallGraph body;
        body.op("Neg", "n", {"h"}, {"z"});
        body.output("z");
        const auto inner = std::make_shared<const Graph>(body.graph);
        SmallGraph g(17);
        g.graph.opsets["com.example"] = 3;
        g.input("x", {1, -1, 4}, at::kHalf);
        g.graph.edit(g.tensor("x")).type.shape->at(1).symbol = "length";
        g.parameter("flag", ints({1, 0}).to(at::kBool));
        g.parameter("brain", floats({2}, {1, 2}).to(at::kBFloat16));
        g.op("Thing", "t", {"x", "", "flag", "brain"}, {"a", "b"},
             {{"i", std::int64_t(-5)},
              {"f", 0.25f},
              {"s", std::string("\xff\0", 2)}, // strings are bytes
              {"t", floats({2, 1}, {3, 4})},
              {"ints", std::vector<std::int64_t>{1, 2}},
              {"none", std::vector<std::int64_t>{}},
              {"floats", std::vector<float>{0.5f}},
              {"strings", std::vector<std::string>{"p", ""}}});
        g.graph.edit(g.graph.findOperation("t")).domain = "com.example";
        g.graph.edit(g.graph.findOperation("t")).opset = 3;
        g.op("If", "if", {"b", "a"}, {"y"},
             {{"then_branch", inner},
              {"else_branch", inner},
              {std::string(capturesAttribute), std::vector<std::string>{"h"}}});
        g.output("y");
        for (const char *name : {"a", "y"})
            g.graph.edit(g.tensor(name)).type = {at::kFloat, std::vector<Dim>{{2, {}}, {-1, {}}}};
        g.graph.verify();
        g.graph.name = "all";
        writeOnnx(g.graph, path("kinds.onnx"));
        Graph back = importOnnx(path("kinds.onnx"));
        // The file has one name for a captured tensor: the outer one.
        QCOMPARE(captureNames(op(back, "if")), (std::vector<std::string>{"a"}));
        const auto bodyBack = bodies(op(back, "if")).at(0);
        QCOMPARE(inputNames(*bodyBack, "n"), std::string("a"));
        g.graph.edit(g.graph.findOperation("if")).attributes = {};
        back.edit(back.findOperation("if")).attributes = {};
        QCOMPARE(difference(g.graph, back), std::string());
    }

    /// Types that are held wider are those of the file again.
    void typesOfTheFileComeBack()
    {
        using P = onnx::TensorProto;
        OnnxModel model(21, 10);
        model.input("x");
        model.input("u", {3}, P::UINT16);
        const auto initializer = [&](const char *name, int type, const std::string &raw, std::int64_t count) {
            P *tensor = model.graph()->add_initializer();
            tensor->set_name(name);
            tensor->set_data_type(P::DataType(type));
            tensor->add_dims(count);
            tensor->set_raw_data(raw);
        };
        const std::string bytes("\x01\xbe\x3e\x81\x00\x9c\x38\xf1", 8);
        initializer("u16", P::UINT16, bytes, 4);
        initializer("u32", P::UINT32, bytes, 2);
        initializer("u64", P::UINT64, bytes.substr(0, 7) + '\1', 1);
        initializer("i4", 22, bytes.substr(0, 2), 3);
        initializer("u4", 21, bytes.substr(2, 2), 4);
        for (const int type : {17, 18, 19, 20}) initializer(("f" + std::to_string(type)).c_str(), type, bytes, 8);
        OnnxModel::floats(model.graph()->add_initializer(), "s", {1}, {0.5f});
        model.node("QuantizeLinear", "q", {"x", "s", "i4"}, {"c"});
        model.node("Add", "add", {"u", "u"}, {"v"});
        for (const char *name : {"u16", "u32", "u64", "u4", "f17", "f18", "f19", "f20"})
            model.node("Identity", std::string("id ") + name, {name}, {std::string("out ") + name});
        for (const char *name : {"out u16", "out u32", "out u64", "out u4", "out f17", "out f18", "out f19", "out f20"})
            model.output(name);
        model.output("c");
        OnnxModel::describe(model.graph()->add_output(), "v", {3}, P::UINT16);
        writeOnnx(importOnnx(model.save(path("wide.onnx"))), path("written.onnx"));

        onnx::ModelProto written;
        QVERIFY(written.ParseFromString(readFile(path("written.onnx"))));
        std::map<std::string, P> found;
        for (const P &tensor : written.graph().initializer()) found[tensor.name()] = tensor;
        for (const P &tensor : model.graph()->initializer()) {
            QCOMPARE(found[tensor.name()].data_type(), tensor.data_type());
            std::string want = tensor.raw_data();
            if (tensor.name() == "i4") want[1] = char(want[1] & 15); // nothing follows the last one
            QVERIFY2(found[tensor.name()].raw_data() == want, tensor.name().c_str());
        }
        QCOMPARE(written.graph().input(1).type().tensor_type().elem_type(), int(P::UINT16));
        QCOMPARE(written.graph().output(9).type().tensor_type().elem_type(), int(P::UINT16));
        QCOMPARE(written.graph().value_info_size(), 0);
        for (const auto &node : written.graph().node())
            if (node.op_type() == "QuantizeLinear")
                QCOMPARE(node.attribute_size(), 0); // the zero point defines the type
    }

    void bodiesFollowRenamesAndHideNothing()
    {
        SmallGraph body;
        body.op("Neg", "n", {"h"}, {"renamed"}); // the outer tensor will get this name
        body.output("renamed");
        SmallGraph g;
        g.input("x"), g.input("c");
        g.op("Relu", "r", {"x"}, {"h"});
        g.op("If", "if", {"c", "h"}, {"y"},
             {{"then_branch", std::make_shared<const Graph>(body.graph)},
              {"else_branch", std::make_shared<const Graph>(body.graph)},
              {std::string(capturesAttribute), std::vector<std::string>{"h"}}});
        g.output("y");
        g.graph.rename(g.tensor("h"), "renamed");
        writeOnnx(g.graph, path("renamed.onnx"));
        const Graph back = importOnnx(path("renamed.onnx"));
        QCOMPARE(inputNames(back, "if"), std::string("c,renamed"));
        const auto inner = bodies(op(back, "if")).at(0);
        QCOMPARE(inputNames(*inner, "n"), std::string("renamed"));
        QCOMPARE(outputNames(*inner), std::string("renamed_1"));
    }

    void operationsAreSortedWhenTheyMustBe()
    {
        SmallGraph g;
        g.input("x");
        g.op("Neg", "second", {"a"}, {"y"});
        g.op("Relu", "first", {"x"}, {"a"});
        g.output("y");
        writeOnnx(g.graph, path("sorted.onnx"));
        const Graph back = importOnnx(path("sorted.onnx"));
        QCOMPARE(back.operation(back.operations()[0]).name, std::string("first"));
    }

    void largeModelsKeepTheirDataInASecondFile()
    {
        SmallGraph g;
        g.input("x", {1, 100});
        g.parameter("small", floats({1}, {2}));
        g.parameter("w", ramp({100, 30}, 0, 0.5f));
        g.parameter("v", ramp({30, 100}, 1, 0.25f));
        g.op("MatMul", "m", {"x", "w"}, {"a"});
        g.op("MatMul", "k", {"a", "v"}, {"b"});
        g.op("Mul", "s", {"b", "small"}, {"y"});
        g.output("y");
        g.graph.name = "large";
        WriteOptions options;
        options.externalDataThreshold = 10000;
        const auto files = writeOnnx(g.graph, path("large.onnx"), options);
        QCOMPARE(files, (std::vector<fs::path>{path("large.onnx"), path("large.onnx.data")}));
        QVERIFY(fs::file_size(files[0]) < 2000);
        QCOMPARE(fs::file_size(files[1]), std::uintmax_t(12032 + 12000)); // the second starts at a multiple of 64
        QCOMPARE(difference(g.graph, importOnnx(files[0])), std::string());
        options.externalDataThreshold = 1000000;
        QCOMPARE(writeOnnx(g.graph, path("large.onnx"), options).size(), std::size_t(1));
    }

    void optionsOverrideTheGraph()
    {
        SmallGraph g(13);
        g.input("x");
        g.op("Relu", "r", {"x"}, {"y"});
        g.output("y");
        WriteOptions options;
        options.irVersion = 9;
        options.opsets[""] = 18;
        options.producer = "me";
        writeOnnx(g.graph, path("options.onnx"), options);
        const Graph back = importOnnx(path("options.onnx"));
        QCOMPARE(back.irVersion, 9);
        QCOMPARE(back.opsets.at(""), 18);
        QCOMPARE(back.producerName, std::string("me"));
    }

    /// The installed library's checker refuses IR versions that it does not know.
    void newerIrVersionsOfKnownOperators()
    {
        SmallGraph g(13);
        g.input("x", {1, 4});
        g.op("Relu", "r", {"x"}, {"y"});
        g.output("y");
        g.graph.opsets[""] = 13;
        g.graph.irVersion = 12;
        writeOnnx(g.graph, path("newer.onnx"));
        QCOMPARE(importOnnx(path("newer.onnx")).irVersion, 12);
    }

    /// ONNX Runtime's SimplifiedLayerNormalization, which exporters write without a domain; the rest is checked.
    void operatorsThatTheLibraryDoesNotKnow()
    {
        const auto norm = [](SmallGraph &g) {
            g.parameter("gamma", floats({1, 1, 1, 1}, {4}));
            g.op("SimplifiedLayerNormalization", "norm", {"h", "gamma"}, {"n"}, {{"epsilon", 1e-5f}});
            g.output("n");
        };
        SmallGraph body(17), g(17);
        norm(body);
        g.input("x", {1, 4}), g.input("c", {1}, at::kBool);
        g.op("Relu", "r", {"x"}, {"h"});
        g.op("If", "if", {"c", "h"}, {"y"},
             {{"then_branch", std::make_shared<const Graph>(body.graph)},
              {"else_branch", std::make_shared<const Graph>(body.graph)},
              {std::string(capturesAttribute), std::vector<std::string>{"h"}}});
        norm(g);
        for (const char *name : {"y", "n"}) g.graph.edit(g.tensor(name)).type = g.graph.variable(g.tensor("x")).type;
        g.output("y");
        writeOnnx(g.graph, path("simplified.onnx"));
        const Graph back = importOnnx(path("simplified.onnx"));
        QCOMPARE(op(back, "norm").domain, std::string());
        QCOMPARE(op(*bodies(op(back, "if")).at(0), "norm").domain, std::string());
        QCOMPARE(back.opsets.size(), std::size_t(1));
        g.graph.edit(g.graph.findOperation("r")).attributes["slope"] = 1.0f; // Relu has no attributes
        QVERIFY_EXCEPTION_THROWN(writeOnnx(g.graph, path("wrong.onnx")), Error);
        QVERIFY(!fs::exists(path("wrong.onnx")));
    }

    void aFormNewerThanTheFileIsRefused()
    {
        SmallGraph g(9);
        g.input("x");
        const OpId clip = g.op("Clip", "c", {"x"}, {"y"});
        g.output("y");
        g.graph.edit(clip).opset = 11;
        try {
            writeOnnx(g.graph, path("form.onnx"));
            QFAIL("no error");
        } catch (const Error &error) {
            QCOMPARE(error.op, std::string("c"));
            QVERIFY(!fs::exists(path("form.onnx")));
        }
    }

    void missingFolderLeavesNothing()
    {
        SmallGraph g;
        g.input("x");
        g.parameter("w", ramp({1000}, 0, 1));
        g.op("Add", "a", {"x", "w"}, {"y"});
        g.output("y");
        WriteOptions options;
        options.externalDataThreshold = 0;
        QVERIFY_THROWS_EXCEPTION(Error, writeOnnx(g.graph, path("absent/model.onnx"), options));
        // A target that cannot be replaced: the data file that was written first goes again.
        fs::create_directories(path("folder.onnx"));
        QVERIFY_THROWS_EXCEPTION(Error, writeOnnx(g.graph, path("folder.onnx"), options));
        QVERIFY(!fs::exists(path("folder.onnx.data")));
    }
};

QL_TEST(TestOnnxWrite)
#include "tst_onnx_write.moc"
