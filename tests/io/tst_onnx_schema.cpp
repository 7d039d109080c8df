#include "core/io/onnx/import.h"
#include "tests/support/error_of.h"
#include "tests/support/onnx_model.h"
#include "tests/support/test_main.h"

#include <QtTest>

using namespace ql;
using ql::test::errorOf;
using ql::test::OnnxModel;

/// Operator schemas of the onnx library used at build time, against nodes that violate them.
class TestOnnxSchema : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    /// Imports a model of one node. @returns its problems
    std::vector<api::Problem> import(int opset, const char *type, const std::vector<std::string> &inputs,
                                     const std::vector<std::string> &outputs, const char *attribute = nullptr)
    {
        OnnxModel model(opset, 8);
        for (const std::string &input : inputs)
            if (!input.empty()) model.input(input);
        onnx::NodeProto *node = model.node(type, "the node", inputs, outputs);
        if (attribute) OnnxModel::attribute(node, attribute, onnx::AttributeProto::INT)->set_i(1);
        model.output(outputs[0]);
        std::vector<api::Problem> problems;
        ImportOptions options;
        options.report = [&problems](api::Problem problem) { problems.push_back(std::move(problem)); };
        importOnnx(model.save(m_folder.path().toStdString() + "/model.onnx"), options);
        return problems;
    }

private Q_SLOTS:
    void refused_data()
    {
        QTest::addColumn<int>("opset");
        QTest::addColumn<QString>("type");
        QTest::addColumn<QStringList>("inputs");
        QTest::addColumn<QString>("message");
        const auto row = [](const char *name) -> QTestData & { return QTest::newRow(name); };
        row("too many") << 13 << "Relu" << QStringList{"a", "b"} << "Relu of opset 13 takes 1 input, not 2";
        row("too few") << 13 << "Add" << QStringList{"a"} << "Add of opset 13 takes 2 inputs, not 1";
        row("none") << 13 << "Sum" << QStringList{} << "Sum of opset 13 takes 1 or more inputs, not 0";
        row("range") << 11 << "Conv" << QStringList{"a"} << "Conv of opset 11 takes 2 to 3 inputs, not 1";
        row("left out") << 13 << "MatMul" << QStringList{"", "b"} << "input 0 is missing: MatMul needs its 'A'";
        row("no attribute") << 13 << "Concat" << QStringList{"a", "b"}
                            << "Concat needs the attribute 'axis', which is missing";
        row("newer opset") << 21 << "Concat" << QStringList{"a", "b"}
                           << "Concat needs the attribute 'axis', which is missing";
    }
    void refused()
    {
        QFETCH(int, opset);
        QFETCH(QString, type);
        QFETCH(QStringList, inputs);
        QFETCH(QString, message);
        std::vector<std::string> names;
        for (const QString &input : inputs) names.push_back(input.toStdString());
        const Error error = errorOf([&] { import(opset, qPrintable(type), names, {"y"}); });
        QCOMPARE(QString::fromStdString(error.what()), message);
        QCOMPARE(error.kind, ErrorKind::InvalidModel);
        QCOMPARE(error.op, std::string("the node"));
        QVERIFY(!error.remedy.isEmpty());
    }

    void unknownAttributeIsReported()
    {
        const auto problems = import(13, "Softmax", {"a"}, {"y"}, "axes");
        QCOMPARE(problems.size(), std::size_t(1));
        QCOMPARE(std::string(toString(problems[0].severity)), std::string("warning"));
        QCOMPARE(problems[0].message.english(), std::string("Softmax has no attribute 'axes' in opset 13"));
    }

    void unknownSchemasAreLeftToTheKernel()
    {
        QVERIFY(import(12, "Upsample", {"a"}, {"y"}).empty());            // deprecated
        QVERIFY(import(18, "ReduceMean", {"a", "axes"}, {"y"}).empty());  // axes became an input in 18
        QVERIFY(import(20, "Gelu", {"a"}, {"y"}).empty());                // newer than the library
        QVERIFY(import(18, "LpPool", {"a"}, {"y"}, "ceil_mode").empty()); // an attribute since 18
        QVERIFY(import(13, "NoSuchOperator", {"a"}, {"y"}).empty());
    }
};

QL_TEST(TestOnnxSchema)
#include "tst_onnx_schema.moc"
