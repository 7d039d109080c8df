// Functions and bodies of ONNX models: inlining, captured tensors, nesting.
#include "core/base/error.h"
#include "core/io/importer.h"
#include "core/io/onnx/import.h"
#include "core/io/onnx/limits.h"
#include "core/ir/subgraphs.h"
#include "tests/io/onnx_support.h"
#include "tests/support/onnx_model.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>

using namespace ql;
using ql::test::collecting;
using ql::test::contains;
using ql::test::importError;
using ql::test::OnnxModel;
using ql::test::Problems;
namespace fs = std::filesystem;
using A = onnx::AttributeProto;

class TestOnnxBodies : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    fs::path path(const char *name) const { return fs::path(m_folder.path().toStdString()) / name; }

private Q_SLOTS:
    void functionsAreInlined()
    {
        OnnxModel model;
        const auto function = [&](const char *name, std::int64_t opset) {
            auto *out = model.proto.add_functions();
            out->set_name(name);
            out->set_domain("local");
            auto *import = out->add_opset_import();
            import->set_domain("");
            import->set_version(opset);
            return out;
        };
        auto *inner = function("Scaled", 12);
        inner->add_input("a"), inner->add_output("b"), inner->add_attribute("slope");
        auto *leaky = OnnxModel::node(inner->mutable_node(), "LeakyRelu", "act", {"a"}, {"t"});
        auto *alpha = OnnxModel::attribute(leaky, "alpha", A::FLOAT);
        alpha->set_ref_attr_name("slope");
        auto *constant = OnnxModel::node(inner->mutable_node(), "Constant", "", {}, {"k"});
        OnnxModel::floats(OnnxModel::attribute(constant, "value", A::TENSOR)->mutable_t(), "", {1}, {4});
        OnnxModel::node(inner->mutable_node(), "Mul", "", {"t", "k"}, {"b"});
        auto *outer = function("Twice", 13);
        outer->add_input("p"), outer->add_output("q");
        auto *call = OnnxModel::node(outer->mutable_node(), "Scaled", "first", {"p"}, {"m"});
        call->set_domain("local");
        OnnxModel::attribute(call, "slope", A::FLOAT)->set_f(0.25f);
        OnnxModel::node(outer->mutable_node(), "Scaled", "second", {"m"}, {"q"})->set_domain("local");
        model.input("x");
        model.node("Twice", "call", {"x"}, {"y"})->set_domain("local");
        model.output("y");
        const Graph graph = importOnnx(model.save(path("functions.onnx")));
        QCOMPARE(graph.operationCount(), std::size_t(6));
        const Operation &first = graph.operation(graph.findOperation("call/first/act"));
        QCOMPARE(first.floatAttribute("alpha", 0), 0.25);
        QCOMPARE(first.opset, 12);
        QCOMPARE(graph.variable(first.inputs[0]).name, std::string("x"));
        const Operation &second = graph.operation(graph.findOperation("call/second/act"));
        QVERIFY(!second.hasAttribute("alpha")); // omitted by the caller: the operator's own default
        QCOMPARE(graph.variable(graph.outputs()[0]).name, std::string("y"));
        QCOMPARE(graph.operation(graph.variable(graph.outputs()[0]).producer).type, std::string("Mul"));
    }

    void aFunctionThatCallsItselfIsRefused()
    {
        OnnxModel model;
        auto *function = model.proto.add_functions();
        function->set_name("Again"), function->set_domain("local");
        function->add_input("a"), function->add_output("b");
        for (int i = 0; i < 2; ++i)
            OnnxModel::node(function->mutable_node(), "Again", "n" + std::to_string(i), {i ? "t" : "a"},
                            {i ? "b" : "t"})
                ->set_domain("local");
        model.input("x");
        model.node("Again", "call", {"x"}, {"y"})->set_domain("local");
        model.output("y");
        const Error error = importError(model.save(path("recursive.onnx")));
        QVERIFY2(contains(error.text(), "function calls are nested"), error.text().c_str());
    }

    void bodiesCaptureOuterTensors()
    {
        const Graph graph = importOnnx(fs::path(QL_TEST_DATA) / "models/if_bodies.onnx");
        for (const OpId id : graph.operations()) {
            const Operation &op = graph.operation(id);
            if (op.type != "If") continue;
            QCOMPARE(formalInputCount(op), std::size_t(1));
            QCOMPARE(captureNames(op), (std::vector<std::string>{"h"}));
            QCOMPARE(graph.variable(op.inputs.at(1)).name, std::string("h"));
            QCOMPARE(bodies(op).size(), std::size_t(2));
            for (const auto &body : bodies(op)) {
                const Variable &inside = body->variable(body->findVariable("h"));
                QVERIFY(inside.producer == noOp && !inside.isParameter() && !body->isGraphInput(inside.id));
            }
            Graph edited = graph; // the use is visible: nothing that a body needs is swept away
            edited.removeUnreachable();
            QVERIFY(edited.findVariable("h") != noVar);
            return;
        }
        QFAIL("no If");
    }

    /// A branch or a loop may give one value twice; a model may not.
    void bodyGivesAValueTwice()
    {
        OnnxModel model;
        model.input("x");
        model.input("go", {}, 9);
        auto *node = model.node("If", "choice", {"go"}, {"a", "b"});
        for (const char *branch : {"then_branch", "else_branch"}) {
            auto *graph = OnnxModel::attribute(node, branch, A::GRAPH)->mutable_g();
            graph->set_name(branch);
            OnnxModel::node(graph->mutable_node(), "Neg", "n", {"x"}, {"t"});
            for (int i = 0; i < 2; ++i) OnnxModel::describe(graph->add_output(), "t", {1, 2});
        }
        model.output("a");
        model.output("b");
        const Graph graph = importOnnx(model.save(path("twice.onnx")));
        for (const auto &body : bodies(graph.operation(graph.operations()[0]))) {
            QCOMPARE(body->outputs().size(), std::size_t(2));
            QVERIFY(body->outputs()[0] != body->outputs()[1]);
        }
        model.output("a");
        Problems problems;
        QCOMPARE(importOnnx(model.save(path("listed.onnx")), collecting(problems)).outputs().size(), std::size_t(2));
        QCOMPARE(problems.size(), std::size_t(1));
        QCOMPARE(problems[0].variable, std::string("a"));
    }

    void limitsOfNesting()
    {
        const auto file = [&](int depth) {
            OnnxModel model;
            model.input("x");
            model.weight("c", {}, {1});
            onnx::GraphProto *graph = model.graph();
            for (int i = 1; i < depth; ++i) {
                const std::string out = i == 1 ? "y" : "z";
                auto *node = OnnxModel::node(graph->mutable_node(), "If", "if", {"c"}, {out});
                if (i > 1) graph->add_output()->set_name(out);
                auto *other = OnnxModel::attribute(node, "else_branch", A::GRAPH)->mutable_g();
                OnnxModel::node(other->mutable_node(), "Relu", "r", {"x"}, {"o"});
                other->add_output()->set_name("o");
                graph = OnnxModel::attribute(node, "then_branch", A::GRAPH)->mutable_g();
            }
            OnnxModel::node(graph->mutable_node(), "Relu", "r", {"x"}, {"z"});
            graph->add_output()->set_name("z");
            model.output("y");
            return model.save(path("nested.onnx"));
        };
        importOnnx(file(onnx_io::maxGraphDepth));
        QVERIFY(contains(importError(file(onnx_io::maxGraphDepth + 1)).text(), "nested more than"));
    }
};

QL_TEST(TestOnnxBodies)
#include "tst_onnx_bodies.moc"
