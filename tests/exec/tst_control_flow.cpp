#include "core/base/error.h"
#include "core/exec/executor.h"
#include "core/ir/subgraphs.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"

#include <ATen/ops/full.h>
#include <QtTest>
#include <latch>
#include <thread>

using namespace ql;
using namespace ql::test;

namespace {

at::Tensor truth(bool value)
{
    return at::full({}, value, at::TensorOptions(at::kBool));
}

at::Tensor integerInRange(std::int64_t value)
{
    return at::full({}, value, at::TensorOptions(at::kLong));
}

std::shared_ptr<const Graph> shared(SmallGraph &&net)
{
    return std::make_shared<Graph>(std::move(net.graph));
}

/// state -> state + step, where step is captured; continues while the condition is true.
std::shared_ptr<const Graph> addingBody()
{
    SmallGraph body;
    body.input("i", {}, at::kLong);
    body.input("condition", {}, at::kBool);
    body.input("state");
    body.op("Add", "add", {"state", "step"}, {"next"});
    body.op("Identity", "again", {"condition"}, {"goOn"});
    body.output("goOn");
    body.output("next");
    return shared(std::move(body));
}

Attribute captures(std::vector<std::string> names)
{
    return names;
}

/// y = x + 0 + 0 ..., as long as go, which is never false.
SmallGraph endlessLoop()
{
    SmallGraph net;
    net.input("x");
    net.parameter("step", floats({1}, {0}));
    net.parameter("go", truth(true));
    net.op("Loop", "loop", {"", "go", "x", "step"}, {"y"},
           {{"body", addingBody()}, {std::string(capturesAttribute), captures({"step"})}});
    net.output("y");
    return net;
}

} // namespace

class TestControlFlow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void loopFeedsItsCaptures_data()
    {
        QTest::addColumn<bool>("constant");
        QTest::newRow("a constant") << true;
        QTest::newRow("a value of the run") << false;
    }

    void loopFeedsItsCaptures()
    {
        QFETCH(bool, constant);
        SmallGraph net;
        net.input("x");
        net.parameter("count", integerInRange(4));
        net.parameter("go", truth(true));
        Feed feed{{"x", floats({2}, {1, 2})}};
        if (constant) {
            net.parameter("outer", floats({1}, {3}));
        } else {
            net.input("outer");
            feed["outer"] = floats({1}, {3});
        }
        net.op("Loop", "loop", {"count", "go", "x", "outer"}, {"y"},
               {{"body", addingBody()}, {std::string(capturesAttribute), captures({"step"})}});
        net.output("y");
        const Executor executor(net.graph, {"cpu", 1});
        const Program program = executor.compile({});
        for (int run = 0; run < 2; ++run) QCOMPARE(values(program.run(feed, {})[0]), (std::vector<double>{13, 14}));
    }

    void anEndlessLoopCanBeCancelled()
    {
        const SmallGraph net = endlessLoop();
        const Executor executor(net.graph, {"cpu", 1});
        const Program program = executor.compile({});
        const JobContext job;
        std::latch begins{1};
        std::thread other([&] {
            begins.wait();
            job.cancel();
        });
        bool cancelled = false;
        try {
            begins.count_down();
            program.run(Feed{{"x", floats({1}, {1})}}, job);
        } catch (const Cancelled &) {
            cancelled = true;
        }
        other.join();
        QVERIFY(cancelled);
    }

    /// The synthetic input used for tracing without data may keep a loop running forever.
    void aTrialEnds()
    {
        const SmallGraph net = endlessLoop();
        const Program program = Executor(net.graph, {"cpu", 1}).compile({});
        QVERIFY_EXCEPTION_THROWN(program.run(Feed{{"x", floats({1}, {1})}}, JobContext().withIterationLimit(100)),
                                 IterationLimitReached);
    }

    void anEndlessLoopOfConstantsIsNotRunWhileCompiling()
    {
        SmallGraph net;
        net.parameter("x", floats({1}, {1}));
        net.parameter("step", floats({1}, {0}));
        net.parameter("go", truth(true));
        net.op("Loop", "loop", {"", "go", "x", "step"}, {"y"},
               {{"body", addingBody()}, {std::string(capturesAttribute), captures({"step"})}});
        net.output("y");
        Executor(net.graph, {"cpu", 1}).compile({}); // comes back
    }

    void scanOutputsAreLimited()
    {
        SmallGraph body;
        body.input("i", {}, at::kLong);
        body.input("condition", {}, at::kBool);
        body.parameter("shape", ints({1 << 15, 1 << 15}));
        body.parameter("zero", floats({1}, {0}));
        body.op("Identity", "again", {"condition"}, {"goOn"});
        body.op("Expand", "expand", {"zero", "shape"}, {"wide"});
        body.output("goOn");
        body.output("wide");
        SmallGraph net;
        net.parameter("count", integerInRange(1000000));
        net.input("go", {}, at::kBool);
        net.op("Loop", "loop", {"count", "go"}, {"y"}, {{"body", shared(std::move(body))}});
        net.output("y");
        try {
            Executor(net.graph, {"cpu", 1}).compile({}).run(Feed{{"go", truth(true)}}, {});
            QFAIL("nothing was refused");
        } catch (const Error &error) {
            QVERIFY2(error.kind == ErrorKind::OutOfMemory, error.what());
            QCOMPARE(error.op, std::string("loop"));
        }
    }

    void unsupportedOperationsOfBodiesAreListedToo()
    {
        SmallGraph then;
        then.op("NoSuchOp", "inner", {"outer"}, {"a"});
        then.output("a");
        SmallGraph otherwise;
        otherwise.op("NeitherThis", "inner", {"outer"}, {"b"});
        otherwise.output("b");
        SmallGraph net;
        net.input("x");
        net.input("go", {}, at::kBool);
        net.op("If", "choice", {"go", "x"}, {"c"},
               {{"then_branch", shared(std::move(then))},
                {"else_branch", shared(std::move(otherwise))},
                {std::string(capturesAttribute), captures({"outer"})}});
        net.op("NorThat", "last", {"c"}, {"y"});
        net.output("y");
        QCOMPARE(unsupportedOps(net.graph).size(), std::size_t(3));
        try {
            Executor(net.graph, {"cpu", 1}).compile({});
            QFAIL("nothing was refused");
        } catch (const Error &error) {
            QCOMPARE(error.kind, ErrorKind::UnsupportedOp);
            for (const char *type : {"NoSuchOp", "NeitherThis", "NorThat", "choice/inner"})
                QVERIFY2(std::string(error.what()).find(type) != std::string::npos, error.what());
        }
    }

    void anErrorInABodyNamesBoth()
    {
        SmallGraph net;
        net.input("x");
        net.input("outer");
        net.parameter("count", integerInRange(1));
        net.op("Loop", "loop", {"count", "", "x", "outer"}, {"y"},
               {{"body", addingBody()}, {std::string(capturesAttribute), captures({"step"})}});
        net.output("y");
        try {
            Executor(net.graph, {"cpu", 1})
                .compile({})
                .run(Feed{{"x", floats({2}, {1, 2})}, {"outer", floats({3}, {1, 2, 3})}}, {});
            QFAIL("shapes 2 and 3 were added");
        } catch (const Error &error) {
            QCOMPARE(error.op, std::string("loop/body/add"));
        }
    }

    void activationAfterAnIfIsApplied()
    {
        const auto branch = [](const char *type) {
            SmallGraph net;
            net.op(type, "inner", {"outer"}, {"r"});
            net.output("r");
            return shared(std::move(net));
        };
        SmallGraph net;
        net.input("x");
        net.input("go", {}, at::kBool);
        net.op("If", "choice", {"go", "x"}, {"c"},
               {{"then_branch", branch("Neg")},
                {"else_branch", branch("Identity")},
                {std::string(capturesAttribute), captures({"outer"})}});
        net.op("Relu", "relu", {"c"}, {"y"});
        net.output("y");
        const Executor executor(net.graph, {"cpu", 1});
        const Program program = executor.compile({});
        const at::Tensor x = floats({2}, {-1, 2});
        QCOMPARE(values(program.run(Feed{{"x", x}, {"go", truth(true)}}, {})[0]), (std::vector<double>{1, 0}));
        QCOMPARE(values(program.run(Feed{{"x", x}, {"go", truth(false)}}, {})[0]), (std::vector<double>{0, 2}));
    }
};

QL_TEST(TestControlFlow)
#include "tst_control_flow.moc"
