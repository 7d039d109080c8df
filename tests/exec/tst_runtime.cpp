// The engine's effect on its process: none, unless that process creates a Runtime.
#include "core/exec/executor.h"
#include "core/exec/runtime.h"
#include "core/exec/threads.h"
#include "tests/support/test_main.h"
#include "tests/support/toy_model.h"

#include <ATen/Parallel.h>
#include <QtTest>
#include <cstdlib>
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ql;

namespace {

/// Whether glibc maps a block separately. By default it does so for all above 32 MiB.
bool isMappedAlone()
{
    const std::size_t before = mallinfo2().hblks;
    void *block = std::malloc(std::size_t{64} << 20);
    *static_cast<volatile char *>(block) = 1; // else the compiler leaves it out
    const bool isMapped = mallinfo2().hblks > before;
    std::free(block);
    return isMapped;
}

} // namespace

class TestRuntime : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void programsGiveThreadsBack_data()
    {
        QTest::addColumn<int>("threads");
        QTest::newRow("one") << 1;
        QTest::newRow("three") << 3;
        QTest::newRow("as the caller") << callersThreads;
    }
    void programsGiveThreadsBack()
    {
        QFETCH(int, threads);
        const ThreadScope own(2);
        const Graph graph = test::toyGraph();
        const Executor executor(graph, {"cpu", threads});
        QCOMPARE(at::get_num_threads(), 2);
        int seen = 0;
        ProgramSpec spec;
        spec.probes.push_back({outputSlot(graph.findOperation("relu1")), ProbePoint::Raw,
                               [&](const at::Tensor &, std::size_t) { seen = at::get_num_threads(); }});
        const Program program = executor.compile(spec);
        QCOMPARE(at::get_num_threads(), 2);
        program.run({{"x", test::spread({1, 3, 8, 8})}}, {});
        QCOMPARE(seen, threads == callersThreads ? 2 : threads);
        QCOMPARE(at::get_num_threads(), 2);
    }

    void scopesNest()
    {
        const ThreadScope two(2);
        {
            const ThreadScope three(3), none(0);
            QCOMPARE(at::get_num_threads(), 3);
            const ThreadLimit one(1);
            const ThreadScope four(4);
            QCOMPARE(at::get_num_threads(), 1);
        }
        QCOMPARE(at::get_num_threads(), 2);
    }

    void allocatorStaysAsItIsWithoutOne()
    {
#ifndef __GLIBC__
        QSKIP("another allocator");
#endif
        const Graph graph = test::toyGraph();
        const Executor executor(graph, {"cpu", 1});
        executor.compile({}).run({{"x", test::spread({1, 3, 8, 8})}}, {});
        if (!isMappedAlone()) QSKIP("another allocator, or one that was told otherwise");
        // In a separate process, because nothing restores it
        const pid_t child = ::fork();
        if (child == 0) {
            const Runtime runtime;
            ::_exit(isMappedAlone() ? 1 : 0);
        }
        int status = -1;
        QCOMPARE(::waitpid(child, &status, 0), child);
        QVERIFY(WIFEXITED(status));
        QCOMPARE(WEXITSTATUS(status), 0);
    }

    void environmentOfTheUserStays()
    {
        qunsetenv("GOMP_SPINCOUNT");
        qputenv("OMP_WAIT_POLICY", "PASSIVE");
        Runtime::prepareEnvironment();
        QVERIFY(!qEnvironmentVariableIsSet("GOMP_SPINCOUNT"));
        qunsetenv("OMP_WAIT_POLICY");
        Runtime::prepareEnvironment();
        QCOMPARE(qgetenv("GOMP_SPINCOUNT"), QByteArray("3000"));
        qputenv("GOMP_SPINCOUNT", "7");
        Runtime::prepareEnvironment();
        QCOMPARE(qgetenv("GOMP_SPINCOUNT"), QByteArray("7"));
    }
};

QL_TEST(TestRuntime)
#include "tst_runtime.moc"
