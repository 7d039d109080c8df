#include "core/base/error.h"
#include "core/base/file.h"
#include "core/io/importer.h"
#include "core/io/onnx/element_type.h"
#include "core/io/onnx/graph_builder.h"
#include "core/io/onnx/import.h"
#include "core/ir/subgraphs.h"
#include "tests/io/onnx_support.h"
#include "tests/support/onnx_model.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"

#include <QtTest>

#include <cmath>
#include <cstring>
#include <limits>

using namespace ql;
using ql::test::collecting;
using ql::test::contains;
using ql::test::importError;
using ql::test::OnnxModel;
using ql::test::Problems;
namespace fs = std::filesystem;
using A = onnx::AttributeProto;

namespace {

template <class T>
QByteArray bytesOf(std::initializer_list<T> list)
{
    const std::vector<T> all(list);
    return {reinterpret_cast<const char *>(all.data()), qsizetype(all.size() * sizeof(T))};
}

} // namespace

class TestOnnxImport : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    fs::path path(const char *name) const { return fs::path(m_folder.path().toStdString()) / name; }

    /// x + w -> y with a tensor that the test fills in.
    Graph importWeight(OnnxModel &model)
    {
        model.input("x");
        model.node("Add", "add", {"x", "w"}, {"y"});
        model.output("y");
        return importOnnx(model.save(path("weight.onnx")));
    }

private Q_SLOTS:
    void rawAndTypedStorageOfEveryType_data()
    {
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("raw");
        QTest::addColumn<QString>("stored");
        QTest::addColumn<QList<double>>("expected");
        const QList<double> small = {1, -2};
        QTest::newRow("float") << 1 << bytesOf<float>({1, -2}) << "float32" << small;
        QTest::newRow("uint8") << 2 << bytesOf<std::uint8_t>({1, 255}) << "uint8" << QList<double>{1, 255};
        QTest::newRow("int8") << 3 << bytesOf<std::int8_t>({1, -2}) << "int8" << small;
        QTest::newRow("uint16") << 4 << bytesOf<std::uint16_t>({1, 65535}) << "int32" << QList<double>{1, 65535};
        QTest::newRow("int16") << 5 << bytesOf<std::int16_t>({1, -2}) << "int16" << small;
        QTest::newRow("int32") << 6 << bytesOf<std::int32_t>({1, -2}) << "int32" << small;
        QTest::newRow("int64") << 7 << bytesOf<std::int64_t>({1, -2}) << "int64" << small;
        QTest::newRow("bool") << 9 << bytesOf<std::uint8_t>({0, 1}) << "bool" << QList<double>{0, 1};
        QTest::newRow("float16") << 10 << bytesOf<std::uint16_t>({0x3c00, 0xc000}) << "float16" << small;
        QTest::newRow("double") << 11 << bytesOf<double>({1, -2}) << "float64" << small;
        QTest::newRow("uint32") << 12 << bytesOf<std::uint32_t>({1, 4294967295u}) << "int64"
                                << QList<double>{1, 4294967295.0};
        QTest::newRow("uint64") << 13 << bytesOf<std::uint64_t>({1, 77}) << "int64" << QList<double>{1, 77};
        QTest::newRow("uint64 beyond int64")
            << 13 << bytesOf<std::uint64_t>({1, 1ull << 63}) << "float64" << QList<double>{1, 9223372036854775808.0};
        QTest::newRow("bfloat16") << 16 << bytesOf<std::uint16_t>({0x3f80, 0xc000}) << "bfloat16" << small;
        QTest::newRow("float8e4m3fn") << 17 << bytesOf<std::uint8_t>({0x38, 0xc0}) << "float32" << small;
        QTest::newRow("float8e4m3fnuz") << 18 << bytesOf<std::uint8_t>({0x40, 0xc8}) << "float32" << small;
        QTest::newRow("float8e5m2") << 19 << bytesOf<std::uint8_t>({0x3c, 0xc0}) << "float32" << small;
        QTest::newRow("float8e5m2fnuz") << 20 << bytesOf<std::uint8_t>({0x40, 0xc4}) << "float32" << small;
        QTest::newRow("uint4") << 21 << bytesOf<std::uint8_t>({0xf1}) << "uint8" << QList<double>{1, 15};
        QTest::newRow("int4") << 22 << bytesOf<std::uint8_t>({0xe1}) << "int8" << small;
    }
    void rawAndTypedStorageOfEveryType()
    {
        QFETCH(int, code);
        QFETCH(QByteArray, raw);
        QFETCH(QString, stored);
        QFETCH(QList<double>, expected);
        for (const bool typed : {false, true}) {
            OnnxModel model(21, 10);
            auto *w = model.graph()->add_initializer();
            w->set_name("w");
            w->set_data_type(code);
            w->add_dims(2);
            if (!typed) {
                w->set_raw_data(raw.toStdString());
            } else if (code == 1) {
                for (const double v : expected) w->add_float_data(float(v));
            } else if (code == 11) {
                for (const double v : expected) w->add_double_data(v);
            } else if (code == 7) {
                for (const double v : expected) w->add_int64_data(std::int64_t(v));
            } else if (code == 12 || code == 13) {
                for (const double v : expected) w->add_uint64_data(std::uint64_t(v));
            } else if (const int bits = onnx_io::findElementType(code)->bits; bits <= 8) {
                for (const char c : raw) w->add_int32_data(code == 3 ? c : std::uint8_t(c));
            } else if (bits == 16) {
                for (int i = 0; i < 2; ++i) {
                    std::uint16_t pattern = 0;
                    std::memcpy(&pattern, raw.data() + 2 * i, 2);
                    w->add_int32_data(code == 5 ? std::int16_t(pattern) : pattern);
                }
            } else {
                for (const double v : expected) w->add_int32_data(std::int32_t(v));
            }
            const Graph graph = importWeight(model);
            const Variable &variable = graph.variable(graph.findVariable("w"));
            QCOMPARE(QString::fromStdString(dtypeName(variable.value.scalar_type())), stored);
            const auto got = values(variable.value);
            QCOMPARE(QList<double>(got.begin(), got.end()), expected);
        }
    }

    void smallFloatsAtTheirLimits()
    {
        using onnx_io::decodeSmallFloat;
        QCOMPARE(decodeSmallFloat(17, 0x7e), 448.0f);
        QVERIFY(std::isnan(decodeSmallFloat(17, 0xff)));
        QCOMPARE(decodeSmallFloat(17, 0x01), std::ldexp(1.0f, -9));
        QCOMPARE(decodeSmallFloat(18, 0x7f), 240.0f);
        QVERIFY(std::isnan(decodeSmallFloat(18, 0x80)));
        QCOMPARE(decodeSmallFloat(19, 0x7b), 57344.0f);
        QCOMPARE(decodeSmallFloat(19, 0xfc), -std::numeric_limits<float>::infinity());
        QVERIFY(std::isnan(decodeSmallFloat(19, 0x7d)));
        QCOMPARE(decodeSmallFloat(20, 0x7f), 57344.0f);
    }

    void scalarsEmptyTensorsAndLargeBlocks()
    {
        OnnxModel model;
        model.weight("w", {}, {3});
        model.weight("none", {0, 5}, {});
        model.weight("large", {64, 64}, std::vector<float>(4096, 0.25f));
        const Graph graph = importWeight(model);
        QCOMPARE(graph.variable(graph.findVariable("w")).value.dim(), 0);
        QCOMPARE(graph.variable(graph.findVariable("none")).value.numel(), 0);
        const at::Tensor large = graph.variable(graph.findVariable("large")).value;
        QCOMPARE(large.sum().item<float>(), 1024.0f);
        QVERIFY(large.is_contiguous());
    }

    void anyByteOfABoolIsTrue()
    {
        OnnxModel model;
        auto *w = model.graph()->add_initializer();
        w->set_name("w");
        w->set_data_type(9);
        w->add_dims(3);
        w->set_raw_data(std::string("\x02\x00\xff", 3));
        const Graph graph = importWeight(model);
        QCOMPARE(values(graph.variable(graph.findVariable("w")).value), (std::vector<double>{1, 0, 1}));
    }

    void everyKindOfAttribute()
    {
        OnnxModel model;
        model.input("x");
        auto *node = model.node("Thing", "thing", {"x"}, {"y"});
        OnnxModel::attribute(node, "i", A::INT)->set_i(-3);
        OnnxModel::attribute(node, "f", A::FLOAT)->set_f(0.5f);
        OnnxModel::attribute(node, "s", A::STRING)->set_s("edge");
        auto *ints = OnnxModel::attribute(node, "ints", A::INTS);
        ints->add_ints(1), ints->add_ints(2);
        OnnxModel::attribute(node, "no_ints", A::INTS);
        OnnxModel::attribute(node, "floats", A::FLOATS)->add_floats(2.5f);
        OnnxModel::attribute(node, "strings", A::STRINGS)->add_strings("a");
        OnnxModel::floats(OnnxModel::attribute(node, "t", A::TENSOR)->mutable_t(), "", {2}, {7, 8});
        OnnxModel::floats(OnnxModel::attribute(node, "ts", A::TENSORS)->add_tensors(), "", {1}, {9});
        auto *words = OnnxModel::attribute(node, "words", A::TENSOR)->mutable_t();
        words->set_data_type(8), words->add_dims(2), words->add_string_data("p"), words->add_string_data("q");
        auto *sparse = OnnxModel::attribute(node, "sparse", A::SPARSE_TENSOR)->mutable_sparse_tensor();
        sparse->add_dims(2), sparse->add_dims(3);
        OnnxModel::floats(sparse->mutable_values(), "", {2}, {5, 6});
        auto *indices = sparse->mutable_indices();
        indices->set_data_type(7), indices->add_dims(2), indices->add_int64_data(1), indices->add_int64_data(5);
        auto *untyped = node->add_attribute(); // files of the first IR versions carry no type
        untyped->set_name("untyped"), untyped->set_i(4);
        auto *body = OnnxModel::attribute(node, "body", A::GRAPH)->mutable_g();
        OnnxModel::node(body->mutable_node(), "Relu", "inner", {"x"}, {"z"});
        body->add_output()->set_name("z");
        model.output("y");
        const Graph graph = importOnnx(model.save(path("attributes.onnx")));
        const Operation &op = graph.operation(graph.findOperation("thing"));
        QCOMPARE(op.intAttribute("i", 0), -3);
        QCOMPARE(op.floatAttribute("f", 0), 0.5);
        QCOMPARE(op.stringAttribute("s", ""), std::string("edge"));
        QCOMPARE(op.intsAttribute("ints"), (std::vector<std::int64_t>{1, 2}));
        QVERIFY(op.hasAttribute("no_ints") && op.intsAttribute("no_ints", {1}).empty());
        QCOMPARE(op.floatsAttribute("floats"), (std::vector<double>{2.5}));
        QCOMPARE(op.stringsAttribute("strings"), (std::vector<std::string>{"a"}));
        QCOMPARE(op.stringsAttribute("words"), (std::vector<std::string>{"p", "q"}));
        QCOMPARE(op.intAttribute("untyped", 0), 4);
        QCOMPARE(values(std::get<at::Tensor>(op.attributes.at("t"))), (std::vector<double>{7, 8}));
        QCOMPARE(values(std::get<std::vector<at::Tensor>>(op.attributes.at("ts")).at(0)), (std::vector<double>{9}));
        QCOMPARE(values(std::get<at::Tensor>(op.attributes.at("sparse"))), (std::vector<double>{0, 5, 0, 0, 0, 6}));
        QCOMPARE(bodies(op).size(), std::size_t(1));
        QCOMPARE(captureNames(op), (std::vector<std::string>{"x"}));
    }

    void initialisersThatAreInputsAreParameters()
    {
        const Graph graph = importOnnx(fs::path(QL_TEST_DATA) / "models/initializers_as_inputs.onnx");
        QCOMPARE(graph.inputs().size(), std::size_t(1));
        QCOMPARE(graph.variable(graph.inputs()[0]).name, std::string("x"));
    }

    void unnamedNodesGetStableUniqueNames()
    {
        OnnxModel model;
        model.input("x");
        model.node("Relu", "", {"x"}, {"a"});
        model.node("Neg", "Relu_2", {"a"}, {"b"}); // takes the name that the third node would get
        model.node("Relu", "", {"b"}, {"y"});
        model.output("y");
        const Graph graph = importOnnx(model.save(path("unnamed.onnx")));
        QVERIFY(graph.findOperation("Relu_0") != noOp);
        QCOMPARE(graph.operation(graph.findOperation("Relu_2")).type, std::string("Neg"));
        QVERIFY(graph.findOperation("Relu_2_1") != noOp);
    }

    void domainsAndTheirVersions()
    {
        OnnxModel model;
        model.proto.mutable_opset_import(0)->set_domain("ai.onnx");
        auto *other = model.proto.add_opset_import();
        other->set_domain("com.example");
        other->set_version(2);
        model.input("x");
        model.node("Relu", "r", {"x"}, {"a"})->set_domain("ai.onnx");
        model.node("Thing", "t", {"a"}, {"b"})->set_domain("com.example");
        model.node("Other", "o", {"b"}, {"y"})->set_domain("not.imported");
        model.output("y");
        Problems problems;
        const Graph graph = importOnnx(model.save(path("domains.onnx")), collecting(problems));
        const auto op = [&](const char *name) { return graph.operation(graph.findOperation(name)); };
        QCOMPARE(op("r").domain, std::string());
        QCOMPARE(op("r").opset, 13);
        QCOMPARE(op("t").domain, std::string("com.example"));
        QCOMPARE(op("t").opset, 2);
        QCOMPARE(op("o").opset, 1);
        QCOMPARE(problems.size(), std::size_t(1));
        QVERIFY(contains(problems[0].message.english(), "not.imported"));
    }

    void declaredShapesAndSymbols()
    {
        OnnxModel model;
        model.input("x", {-1, 3, 0, 8});
        model.node("Relu", "r", {"x"}, {"y"});
        OnnxModel::describe(model.graph()->add_output(), "y", {-1, 3, 4, 8}, 10);
        const fs::path file = model.save(path("shapes.onnx"));
        Graph graph = importOnnx(file);
        const auto typeOf = [&](const char *name) { return graph.variable(graph.findVariable(name)).type; };
        QCOMPARE(toString(typeOf("x")), std::string("n1x3x?x8"));
        QCOMPARE(toString(typeOf("y")), std::string("n1x3x4x8"));
        QCOMPARE(typeOf("y").dtype, at::kHalf);

        ImportOptions options;
        options.inputShapes["x"] = {2, -1, 4, -1};
        graph = importOnnx(file, options);
        QCOMPARE(toString(typeOf("x")), std::string("2x3x4x8"));
        QCOMPARE(toString(typeOf("y")), std::string("2x3x4x8")); // the symbol is fixed everywhere

        Problems problems;
        options = collecting(problems);
        options.inputShapes["x"] = {2, 3, 4, 16};
        graph = importOnnx(file, options);
        QCOMPARE(toString(typeOf("y")), std::string("?x?x?x?")); // the file's shapes were valid for width 8
        QCOMPARE(problems.size(), std::size_t(1));

        options.inputShapes = {{"x", {1, 3, 4}}};
        QVERIFY(contains(importError(file, options).text(), "has 3 dimensions, the model declares n1x3x?x8"));
        options.inputShapes = {{"x", {1, 3, 0, 4}}};
        QVERIFY(contains(importError(file, options).text(), "dimension of 0"));
        options.inputShapes = {{"xx", {1}}};
        QVERIFY(contains(importError(file, options).text(), "Did you mean 'x'?"));
    }

    void externalDataStaysInTheFolder()
    {
        const fs::path folder = path("models");
        fs::create_directories(folder / "sub");
        writeFileAtomically(path("secret.bin"), std::string(8, 'a'));
        writeFileAtomically(folder / "data.bin", std::string(16, '\0'));
        fs::create_symlink(path("secret.bin"), folder / "link.bin");
        fs::create_symlink(folder / "data.bin", folder / "sub" / "inside.bin");
        const auto file = [&](const char *location, const char *offset) {
            OnnxModel model;
            model.input("x");
            auto *w = model.graph()->add_initializer();
            w->set_name("w"), w->set_data_type(1), w->add_dims(2);
            w->set_data_location(onnx::TensorProto::EXTERNAL);
            for (const auto &[key, value] : {std::pair{"location", location}, std::pair{"offset", offset}}) {
                auto *entry = w->add_external_data();
                entry->set_key(key), entry->set_value(value);
            }
            model.node("Add", "add", {"x", "w"}, {"y"});
            model.output("y");
            return model.save(folder / "external.onnx");
        };
        const Graph graph = importOnnx(file("data.bin", "8"));
        QCOMPARE(values(graph.variable(graph.findVariable("w")).value), (std::vector<double>{0, 0}));
        importOnnx(file("sub/inside.bin", "0"));
        QVERIFY(contains(importError(file("link.bin", "0")).text(), "inside the model's folder"));
        QVERIFY(contains(importError(file("../secret.bin", "0")).text(), "inside the model's folder"));
        QVERIFY(contains(importError(file("sub", "0")).text(), "not a regular file"));
        QVERIFY(contains(importError(file("data.bin", "9")).text(), "16 bytes"));
        QVERIFY(contains(importError(file("data.bin", "99999999999999999999")).text(), "must be a number"));
    }

    void valuesThatAreNoNumbers_data()
    {
        QTest::addColumn<QString>("op");
        QTest::addColumn<float>("value");
        QTest::addColumn<bool>("isRefused");
        const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
        QTest::newRow("NaN weight") << "MatMul" << nan << true;
        QTest::newRow("infinite weight") << "MatMul" << inf << true;
        QTest::newRow("NaN elsewhere") << "Add" << nan << true;
        QTest::newRow("mask") << "Add" << -inf << false;
    }
    void valuesThatAreNoNumbers()
    {
        QFETCH(QString, op);
        QFETCH(float, value);
        QFETCH(bool, isRefused);
        OnnxModel model;
        model.input("x");
        model.weight("w", {2, 2}, {1, 2, value, 4});
        model.node(op.toStdString(), "node", {"x", "w"}, {"y"});
        model.output("y");
        const fs::path file = model.save(path("numbers.onnx"));
        Problems problems;
        ImportOptions options = collecting(problems);
        if (isRefused) {
            const Error error = importError(file, options);
            QCOMPARE(error.variable, std::string("w"));
            QCOMPARE(error.op, std::string("node"));
            QVERIFY(problems.empty());
            options.allowNonFinite = true;
        }
        importOnnx(file, options);
        QCOMPARE(problems.size(), std::size_t(1));
        QCOMPARE(std::string(toString(problems[0].severity)),
                 std::string(isRefused ? "warning" : "info")); // a mask is meant
        QCOMPARE(problems[0].variable, std::string("w"));
    }

    /// Names of nodes mean nothing to ONNX; real files repeat them.
    void repeatedNodeNames()
    {
        OnnxModel model;
        model.input("x");
        model.node("Relu", "a", {"x"}, {"r"});
        model.node("Neg", "a", {"r"}, {"n"});
        model.node("Abs", "a_2", {"n"}, {"b"});
        model.node("Sqrt", "a", {"b"}, {"y"});
        model.output("y");
        Problems problems;
        const Graph graph = importOnnx(model.save(path("names.onnx")), collecting(problems));
        QCOMPARE(problems.size(), std::size_t(1));
        QCOMPARE(std::string(toString(problems[0].severity)), std::string("info"));
        std::map<std::string, std::string> typeOf;
        for (const OpId id : graph.operations()) typeOf[graph.operation(id).name] = graph.operation(id).type;
        QCOMPARE(typeOf.size(), std::size_t(4));
        QCOMPARE(typeOf["a"], std::string("Relu"));
        QCOMPARE(typeOf["a_2"], std::string("Abs"));
        QCOMPARE(typeOf["a_3"], std::string("Neg"));
        QCOMPARE(typeOf["a_4"], std::string("Sqrt"));
    }

    void versions()
    {
        const auto file = [&](std::int64_t opset, std::int64_t ir) {
            OnnxModel model(opset, ir);
            model.input("x");
            model.node("Relu", "r", {"x"}, {"y"});
            model.output("y");
            return model.save(path("version.onnx"));
        };
        Problems problems;
        QCOMPARE(importOnnx(file(6, 3), collecting(problems)).irVersion, 3);
        importOnnx(file(28, 14), collecting(problems));
        QVERIFY(problems.empty());
        importOnnx(file(29, 15), collecting(problems));
        QCOMPARE(problems.size(), std::size_t(2));
        QVERIFY(contains(importError(file(5, 3)).text(), "opset 5 is older"));
        QVERIFY(contains(importError(file(13, 2)).text(), "IR version 2 is older"));
    }

    void stringsAreRefusedOnlyWhenUsed()
    {
        OnnxModel model;
        model.input("x");
        auto *words = model.graph()->add_initializer();
        words->set_name("words"), words->set_data_type(8), words->add_dims(1), words->add_string_data("a");
        model.node("Sum", "r", {"x"}, {"y"});
        model.output("y");
        QCOMPARE(importOnnx(model.save(path("strings.onnx"))).variables().size(), std::size_t(2));
        model.graph()->mutable_node(0)->add_input("words");
        const Error error = importError(model.save(path("strings.onnx")));
        QCOMPARE(error.op, std::string("r"));
        QCOMPARE(error.variable, std::string("words"));
    }

    void goodModels()
    {
        int count = 0;
        for (const auto &entry : fs::directory_iterator(fs::path(QL_TEST_DATA) / "models")) {
            if (entry.path().extension() != ".onnx") continue;
            importOnnx(entry.path()).verify();
            ++count;
        }
        QVERIFY(count > 50);
    }

    void registry()
    {
        ImportRequest request;
        request.file = fs::path(QL_TEST_DATA) / "models/residual.onnx";
        QVERIFY(importModel(request).operationCount() > 0);
        request.file = path("model.xyz");
        QVERIFY_THROWS_EXCEPTION(Error, importModel(request));
        writeFileAtomically(request.file, std::string("x"));
        try {
            importModel(request);
            QFAIL("no error");
        } catch (const Error &error) {
            QVERIFY(contains(error.text(), ".onnx"));
        }
    }

    void corpusModels()
    {
        if (!fs::exists(QL_CORPUS)) QSKIP("the corpus folder is absent");
        int count = 0;
        for (const auto &folder : fs::directory_iterator(QL_CORPUS)) {
            const fs::path file = folder.path() / (folder.path().filename().string() + ".onnx");
            if (!fs::exists(file)) continue;
            QVERIFY2(importOnnx(file).operationCount() > 0, file.c_str());
            ++count;
        }
        QVERIFY(count > 0);
    }
};

QL_TEST(TestOnnxImport)
#include "tst_onnx_import.moc"
