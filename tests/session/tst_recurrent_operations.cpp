// LSTM and GRU that a platform computes in float32 are reported with what quantizes them.
#include "core/api/remedy_words.h"
#include "core/session/prepare.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"

#include <ATen/ops/ones.h>

#include <QtTest>

using namespace ql;
using namespace ql::test;

class TestRecurrentOperations : public QObject
{
    Q_OBJECT

    static std::vector<api::Problem> problemsOf(const SmallGraph &g, const std::string &platform,
                                                bool recurrent = false)
    {
        api::Recipe recipe;
        recipe.platform = platform;
        if (recurrent) recipe.platformParams["recurrent"] = true;
        RunState state = startRun(recipe, {}, false);
        state.model.graph = g.graph;
        reportRecurrentOperations(state);
        return state.problems;
    }
    /// x [steps, 2, 3] -> LSTM with 4 states
    static SmallGraph net(std::int64_t steps)
    {
        SmallGraph g(14);
        g.input("x", {steps, 2, 3});
        g.parameter("w", at::ones({1, 16, 3}));
        g.parameter("r", at::ones({1, 16, 4}));
        g.op("LSTM", "rnn", {"x", "w", "r"}, {"y"}, {{"hidden_size", std::int64_t{4}}});
        g.output("y");
        return g;
    }

private Q_SLOTS:
    void offersTheSplit()
    {
        const std::vector<api::Problem> problems = problemsOf(net(3), "TRT_INT8");
        QCOMPARE(problems.size(), std::size_t(1));
        QCOMPARE(problems[0].op, std::string("rnn"));
        QVERIFY(problems[0].message.english().find("TRT_INT8 computes in float32: 1 (rnn)") != std::string::npos);
        QCOMPARE(problems[0].actions.size(), std::size_t(1));
        QCOMPARE(problems[0].actions[0].id, std::string(api::remedy::splitRecurrent));
        QCOMPARE(problems[0].actions[0].option, std::string("--set passes.recurrent_split.enabled=true"));
    }

    void saysWhyItCannotBeSplit()
    {
        const std::vector<api::Problem> problems = problemsOf(net(17), "OPENVINO_INT8");
        QCOMPARE(problems.size(), std::size_t(1));
        QVERIFY(problems[0].actions.empty());
        QVERIFY(problems[0].remedy.english().find("17 steps, more than max_steps (16)") != std::string::npos);
    }

    void silentWhereTheyAreQuantized() { QVERIFY(problemsOf(net(3), "ONNXRUNTIME", true).empty()); }
};

QL_TEST(TestRecurrentOperations)
#include "tst_recurrent_operations.moc"
