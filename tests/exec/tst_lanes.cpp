// Several concurrent batches: results are collected in batch order, and errors are those of the first batch that fails.
#include "core/base/error.h"
#include "core/exec/kernel.h"
#include "core/exec/lanes.h"
#include "core/exec/threads.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"

#include <ATen/Parallel.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <QtTest>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

using namespace ql;
using namespace ql::test;

namespace {

constexpr std::size_t batches = 40;

/// Lets threads wait for each other's events, so that each order of them is made and not hoped for.
class Events
{
public:
    void note(std::size_t event)
    {
        const std::lock_guard lock(m_mutex);
        m_seen.insert(event);
        m_changed.notify_all();
    }
    /// @returns false when it does not come within a minute
    bool waitFor(std::size_t event)
    {
        std::unique_lock lock(m_mutex);
        return m_changed.wait_for(lock, std::chrono::milliseconds(patienceMs), [&] { return m_seen.contains(event); });
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::set<std::size_t> m_seen;
};

} // namespace

class TestLanes : public QObject
{
    Q_OBJECT

    SmallGraph m_net{18};

private Q_SLOTS:
    void initTestCase()
    {
        m_net.input("x", {1, 8, 16, 16});
        m_net.parameter("w", at::randn({8, 8, 3, 3}));
        m_net.op("Conv", "conv", {"x", "w"}, {"c"}, {{"pads", std::vector<std::int64_t>{1, 1, 1, 1}}});
        m_net.op("Sigmoid", "sigmoid", {"c"}, {"y"});
        m_net.output("y");
    }

    void batchesAreSeenInOrder()
    {
        const Executor executor(m_net.graph, {"cpu", 4});
        Lanes lanes(executor, batches);
        std::vector<std::size_t> first, second;
        std::set<std::thread::id> threads;
        std::mutex mutex;
        for (const std::size_t begin : {std::size_t{0}, std::size_t{17}}) {
            first.clear();
            second.clear();
            Events begun;
            std::atomic<bool> isAlone{false};
            lanes.run(begin, batches, [&](std::size_t batch) {
                begun.note(batch);
                // Every other batch gets there only after the next one has begun
                if (batch % 2 == 0 && batch + 1 < batches && !begun.waitFor(batch + 1)) isAlone = true;
                lanes.inOrder(0, batch, [&] { first.push_back(batch); });
                if (batch % 5 != 0) // a place that some of them do not come to
                    lanes.inOrder(1, batch, [&] { second.push_back(batch); });
                const std::lock_guard lock(mutex);
                threads.insert(std::this_thread::get_id());
            });
            std::vector<std::size_t> all, some;
            for (std::size_t i = begin; i < batches; ++i) {
                all.push_back(i);
                if (i % 5 != 0) some.push_back(i);
            }
            QVERIFY(!isAlone);
            QCOMPARE(first, all);
            QCOMPARE(second, some);
        }
        QVERIFY(threads.size() > 1);
    }

    void eachLaneHasItsShareOfTheThreads()
    {
        const Executor executor(m_net.graph, {"cpu", 4});
        std::atomic<int> most{0};
        Lanes(executor, 2).run(0, 2, [&](std::size_t) {
            useThreads(4); // as programs do
            most = std::max(most.load(), at::get_num_threads());
        });
        QCOMPARE(most.load(), 2);
        useThreads(4);
        QCOMPARE(at::get_num_threads(), 4); // the caller's again
    }

    void theFirstFailureIsReported()
    {
        const Executor executor(m_net.graph, {"cpu", 4});
        Lanes lanes(executor, batches);
        for (int round = 0; round < 20; ++round) {
            std::atomic<std::size_t> begun{0};
            std::size_t seen = 0;
            Events failing;
            try {
                lanes.run(0, batches, [&](std::size_t batch) {
                    ++begun;
                    if (batch == 8) failing.note(batch); // it is first
                    if (batch == 7) failing.waitFor(8);
                    if (batch == 7 || batch == 8) throw Error(ErrorKind::BadData, "batch " + std::to_string(batch));
                    lanes.inOrder(0, batch, [&] { seen = batch + 1; });
                });
                QFAIL("no error");
            } catch (const Error &error) {
                QCOMPARE(QString(error.what()), QString("batch 7"));
            }
            QCOMPARE(seen, std::size_t{7}); // nothing after it was collected
            QVERIFY(begun < 13);            // as many as were under way
        }
    }

    void aCancelledJobEnds()
    {
        const Executor executor(m_net.graph, {"cpu", 4});
        const Program program = executor.compile({});
        const Feed feed{{"x", at::randn({1, 8, 16, 16})}};
        Lanes lanes(executor, batches);
        const JobContext job;
        QVERIFY_EXCEPTION_THROWN(lanes.run(0, batches,
                                           [&](std::size_t batch) {
                                               if (batch == 5) job.cancel();
                                               program.run(feed, job);
                                               lanes.inOrder(0, batch, [] {});
                                           }),
                                 Cancelled);
    }

    /// One program in many threads, also the first time, when its kernels are prepared.
    void programsRunInSeveralThreads()
    {
        const Feed feed{{"x", at::randn({1, 8, 16, 16})}};
        const at::Tensor want = Executor(m_net.graph, {"cpu", 1}).compile({}).run(feed, {})[0];
        for (int round = 0; round < 10; ++round) {
            const Executor executor(m_net.graph, {"cpu", 4});
            const Program program = executor.compile({});
            std::atomic<int> wrong{0};
            Lanes(executor, batches).run(0, batches, [&](std::size_t batch) {
                if (!at::equal(program.run(feed, {}, {}, batch)[0], want)) ++wrong;
            });
            QCOMPARE(wrong.load(), 0);
        }
    }

    /// Where sizes are open, the types are of one batch, and the others may be larger.
    void largerBatchesWaitForRoom()
    {
        SmallGraph net{18};
        net.input("x", {1, 3, -1, -1});
        net.op("Relu", "relu", {"x"}, {"y"});
        net.output("y");
        const VarId y = net.graph.findVariable("y");
        net.graph.edit(y).type = net.graph.variable(net.graph.inputs()[0]).type;
        net.graph.edit(y).type.shape = {{1, {}}, {3, {}}, {1000, {}}, {1000, {}}};
        net.graph.tracedInputBytes = std::size_t{12} * 1000 * 1000;
        const Executor executor(net.graph, {"cpu", 4});
        for (const double share : {1.0, 100.0, 1000.0}) { // 12 MB, 1.2 GB: two together do not fit, 12 GB
            Lanes lanes(executor, batches);
            std::atomic<int> now{0}, most{0};
            Events asking, admitted;
            lanes.run(0, batches, [&](std::size_t batch) {
                asking.note(batch);
                lanes.admit(batch, share);
                admitted.note(batch);
                const int running = ++now;
                int seen = most;
                while (running > seen && !most.compare_exchange_weak(seen, running)) {
                }
                // Another one asks meanwhile, and is let in where there is room for it
                if (batch + 1 < batches) asking.waitFor(batch + 1);
                if (batch == 0 && share == 1.0) admitted.waitFor(1);
                --now;
            });
            if (share > 1)
                QCOMPARE(most.load(), 1);
            else
                QVERIFY(most > 1);
        }
        Lanes lanes(executor, 2);
        QCOMPARE(lanes.share({{"x", at::zeros({1, 3, 2000, 1000})}}), 2.0);
    }

    void largeActivationsAreComputedOneByOne()
    {
        SmallGraph net{18};
        net.input("x", {1, 3, 20000, 20000});
        net.op("Relu", "relu", {"x"}, {"y"});
        net.output("y");
        const Executor executor(net.graph, {"cpu", 4});
        std::set<std::thread::id> threads;
        Lanes(executor, batches).run(0, batches, [&](std::size_t) {
            threads.insert(std::this_thread::get_id()); // no lock: there is one
        });
        QCOMPARE(threads.size(), std::size_t{1});
    }
};

QL_TEST(TestLanes)
#include "tst_lanes.moc"
