#include "core/base/error.h"
#include "core/io/npz.h"
#include "core/io/onnx/import.h"
#include "core/ir/subgraphs.h"
#include "core/pass/format_pipeline.h"
#include "tests/pass/format_support.h"
#include "tests/support/test_main.h"

#include <ATen/ops/ones.h>
#include <QtTest>
#include <filesystem>
#include <set>

using namespace ql;
using namespace ql::test;

namespace {

Graph formatted(const Graph &graph)
{
    QuantModel model;
    model.graph = graph;
    for (const std::string &id : defaultFormatPipeline())
        runPass(*makePass(id, nlohmann::json::object()), model, PassContext{});
    return model.graph;
}

int count(const Graph &graph, const std::string &type)
{
    int found = 0;
    for (const OpId id : graph.operations()) found += graph.operation(id).type == type ? 1 : 0;
    return found;
}

Graph import(const std::string &model)
{
    return importOnnx(std::filesystem::path(QL_TEST_DATA) / "models" / (model + ".onnx"));
}

} // namespace

class TestFormatPipeline : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyFormatPassesOnce()
    {
        std::set<std::string> seen;
        for (const std::string &id : defaultFormatPipeline()) {
            QCOMPARE(passTraits(id).kind, PassKind::Format);
            QVERIFY(seen.insert(id).second);
        }
    }

    /// Operations of bodies get the new form, too: exporters write only that.
    void bodiesAreFormatted_data()
    {
        using Attributes = std::map<std::string, Attribute, std::less<>>;
        QTest::addColumn<QString>("type");
        QTest::addColumn<Attributes>("attributes");
        const std::vector<std::int64_t> one{0, 1}, pads{0, 1, 0, 1};
        QTest::newRow("Clip") << "Clip" << Attributes{{"min", -0.5f}, {"max", 0.5f}};
        QTest::newRow("Slice") << "Slice" << Attributes{{"starts", one}, {"ends", std::vector<std::int64_t>{1, 3}}};
        QTest::newRow("Pad") << "Pad" << Attributes{{"pads", pads}};
        QTest::newRow("Upsample") << "Upsample" << Attributes{{"scales", std::vector<float>{1, 2}}};
    }
    void bodiesAreFormatted()
    {
        using Attributes = std::map<std::string, Attribute, std::less<>>;
        QFETCH(QString, type);
        QFETCH(Attributes, attributes);
        SmallGraph body(7);
        body.op(type.toStdString(), "old", {"x"}, {"z"}, attributes);
        body.output("z");
        const auto branch = std::make_shared<const Graph>(body.graph);
        SmallGraph g(7);
        g.input("c", {}, at::kBool);
        g.input("x", {1, 3});
        g.op("If", "if", {"c", "x"}, {"y"},
             {{"then_branch", branch},
              {"else_branch", branch},
              {std::string(capturesAttribute), std::vector<std::string>{"x"}}});
        g.output("y");
        const Graph after = formatted(g.graph);
        for (const auto &made : bodies(op(after, "if"))) {
            const Operation &inner = op(*made, "old");
            for (const auto &[name, value] : attributes) QVERIFY(!inner.hasAttribute(name));
            QVERIFY(inner.inputCount() > 1);
        }
        const Feed feed{{"c", at::ones({}, at::kBool)}, {"x", floats({1, 3}, {0.3f, -1.2f, 0.7f})}};
        QVERIFY(sameResults(g.graph, after, feed));
    }

    void modelsKeepTheirValues_data()
    {
        QTest::addColumn<QString>("model");
        for (const auto &entry : std::filesystem::directory_iterator(QL_TEST_DATA "/models")) {
            if (entry.path().extension() != ".onnx") continue;
            const std::string name = entry.path().stem().string();
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
        }
    }
    void modelsKeepTheirValues()
    {
        QFETCH(QString, model);
        const Graph before = import(model.toStdString());
        const Graph graph = formatted(before);
        QCOMPARE(outputNames(graph), outputNames(before));
        QCOMPARE(graph.inputs().size(), before.inputs().size());
        for (const OpId id : graph.operations()) QVERIFY(graph.operation(id).type != "Constant");
        for (const VarId id : graph.variables())
            if (graph.isParameter(id)) QVERIFY(graph.variable(id).uses.size() <= 1);

        const NpzFile data(std::filesystem::path(QL_TEST_DATA) / "models" / (model.toStdString() + ".npz"));
        Feed feed;
        for (const std::string &name : data.names())
            if (name.rfind("in__", 0) == 0) feed[name.substr(4)] = data.array(name)->all();
        try {
            forward(before, feed);
        } catch (const Error &error) { // models that the executor cannot run as imported prove nothing about formatting
            QSKIP(error.what());
        }
        const std::vector<at::Tensor> got = forward(graph, feed);
        for (std::size_t i = 0; i < got.size(); ++i) {
            const std::string name = graph.variable(graph.outputs()[i]).name;
            QVERIFY2(agree(data.array("out__" + name)->all(), got[i], model.startsWith("fp16") ? 2e-3 : 1e-5),
                     name.c_str());
        }
        QVERIFY(formatted(graph).operationCount() == graph.operationCount()); // nothing is left to do
    }

    void everythingThatCanBeFoldedIs_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("type");
        QTest::addColumn<int>("left");
        QTest::newRow("Conv") << "conv_bn_clip"
                              << "BatchNormalization" << 0;
        QTest::newRow("ConvTranspose") << "convtranspose_grouped_bn"
                                       << "BatchNormalization" << 0;
        QTest::newRow("ConvTranspose 1-D") << "convtranspose_1d_bn"
                                           << "BatchNormalization" << 0;
        QTest::newRow("Gemm") << "gemm_bn"
                              << "BatchNormalization" << 0;
        QTest::newRow("alone") << "bn_alone_nchw"
                               << "BatchNormalization" << 0;
        QTest::newRow("alone, rank 2") << "bn_alone_nc"
                                       << "BatchNormalization" << 0;
        QTest::newRow("not foldable: depthwise") << "bn_not_foldable"
                                                 << "BatchNormalization" << 0;
        QTest::newRow("no Mul after a Conv") << "conv_bn_clip"
                                             << "Mul" << 0;
        QTest::newRow("Upsample") << "upsample_opset7"
                                  << "Upsample" << 0;
        QTest::newRow("Dropout") << "dropout_opset13"
                                 << "Dropout" << 0;
        QTest::newRow("Dropout in the middle") << "identity_dropout_cast"
                                               << "Dropout" << 0;
        QTest::newRow("Identity on a parameter and at the end") << "identity_dropout_cast"
                                                                << "Identity" << 0;
        QTest::newRow("Cast") << "identity_dropout_cast"
                              << "Cast" << 0;
    }
    void everythingThatCanBeFoldedIs()
    {
        QFETCH(QString, model);
        QFETCH(QString, type);
        QFETCH(int, left);
        const Graph before = import(model.toStdString());
        if (type != "Mul") QVERIFY(count(before, type.toStdString()) > 0);
        QCOMPARE(count(formatted(before), type.toStdString()), left);
    }

    void fusionSeesThroughNoOps()
    {
        SmallGraph g;
        g.input("x", {1, 4, 5, 5});
        g.parameter("w0", wave({6, 4, 3, 3}));
        g.op("Identity", "iw", {"w0"}, {"w"}); // a hidden second reader of w0
        g.op("Conv", "a", {"x", "w"}, {"a1"});
        g.op("Conv", "b", {"x", "w0"}, {"b1"});
        g.op("Dropout", "drop", {"a1"}, {"a2"});
        g.parameter("k", wave({1, 6, 1, 1}, 2));
        g.op("Add", "add", {"k", "a2"}, {"a3"});
        for (const char *name : {"gamma", "beta", "mean"}) g.parameter(name, wave({6}, 3));
        g.parameter("var", ramp({6}, 0.1f, 0.5f));
        g.op("BatchNormalization", "bn", {"a3", "gamma", "beta", "mean", "var"}, {"a4"});
        g.op("Sub", "sub", {"a4", "b1"}, {"y"});
        g.output("y");
        const Graph after = formatted(g.graph);
        QCOMPARE(after.operationCount(), std::size_t(3)); // a, b, sub
        QVERIFY(sameResults(g.graph, after, {{"x", wave({1, 4, 5, 5}, 4)}}));
    }
};

QL_TEST(TestFormatPipeline)
#include "tst_format_pipeline.moc"
