#include "core/exec/lanes.h"

#include "core/exec/threads.h"

#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <thread>
#include <vector>

namespace ql {

static constexpr std::size_t maxActivations = std::size_t{2} << 30;
static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

namespace {

/// An earlier batch has failed: this one is not needed.
struct Abandoned
{};

} // namespace

/// For one batch. More than are alive together, and less if types are not known.
static std::size_t activationBytes(const Graph &graph)
{
    std::size_t bytes = 0;
    for (const VarId id : graph.variables())
        if (!graph.isParameter(id)) bytes += graph.variable(id).type.bytes();
    return bytes;
}

Lanes::Lanes(const Executor &executor, std::size_t batches)
{
    const Graph &graph = executor.graph();
    m_activations = activationBytes(graph);
    m_typedInputs = graph.tracedInputBytes;
    if (m_typedInputs == 0)
        for (const VarId id : graph.inputs()) m_typedInputs += graph.variable(id).type.bytes();
    const int threads = executor.threads();
    if (!executor.isOnCpu() || threads < 2 || batches < 2) return;
    const std::size_t fitting = maxActivations / std::max<std::size_t>(m_activations, 1);
    m_count = std::clamp<std::size_t>(fitting, 1, std::min(std::size_t(threads), batches));
    m_threads = threads / int(m_count);
    // Not by the number of lanes, which would change the last bits
    m_room = std::min(maxActivations, std::size_t(executor.freeMemory() / 2));
}

void Lanes::prepare(const Program &program) const
{
    if (m_count == 1) return;
    std::atomic<std::size_t> next = 0;
    const auto some = [&] {
        const ThreadLimit limit(m_threads);
        while (program.prepare(next++)) {
        }
    };
    std::vector<std::jthread> others;
    for (std::size_t lane = 1; lane < m_count; ++lane) others.emplace_back(some);
    some();
}

void Lanes::run(std::size_t first, std::size_t last, const std::function<void(std::size_t)> &work)
{
    m_begun = first;
    m_places.clear();
    m_open.clear();
    m_admitted.clear();
    m_failed = none;
    m_error = nullptr;
    if (m_count == 1) {
        for (std::size_t batch = first; batch < last; ++batch) work(batch);
        return;
    }
    {
        std::vector<std::jthread> others;
        const bool noGradients = c10::InferenceMode::is_enabled();
        const std::size_t count = std::min(m_count, last - first);
        for (std::size_t lane = 1; lane < count; ++lane)
            others.emplace_back([&] {
                const c10::InferenceMode mode(noGradients);
                this->work(last, work);
            });
        this->work(last, work);
    }
    if (m_error) std::rethrow_exception(m_error);
}

void Lanes::work(std::size_t last, const std::function<void(std::size_t)> &work)
{
    const ThreadLimit limit(m_threads);
    for (;;) {
        std::size_t batch = 0;
        {
            const std::lock_guard lock(m_mutex);
            if (m_begun >= last || m_failed != none) return;
            batch = m_begun++;
            m_open.insert(batch);
        }
        std::exception_ptr error;
        try {
            work(batch);
        } catch (const Abandoned &) {
        } catch (...) {
            error = std::current_exception();
        }
        const std::lock_guard lock(m_mutex);
        m_open.erase(batch);
        m_admitted.erase(batch);
        if (error && batch < m_failed) {
            m_failed = batch;
            m_error = error;
        }
        m_passed.notify_all();
    }
}

double Lanes::share(const Feed &feed)
{
    const std::size_t bytes = bytesOf(feed);
    const std::lock_guard lock(m_mutex);
    if (m_typedInputs == 0) m_typedInputs = bytes;
    return m_typedInputs > 0 ? double(bytes) / double(m_typedInputs) : 1;
}

void Lanes::admit(std::size_t batch, double share)
{
    if (m_count == 1) return;
    const auto bytes = std::size_t(double(m_activations) * share);
    std::unique_lock lock(m_mutex);
    m_passed.wait(lock, [&] {
        if (m_failed < batch || *m_open.begin() == batch) return true;
        std::size_t all = bytes;
        for (const auto &[other, taken] : m_admitted) all += taken;
        // One after the other: an earlier batch, which a later one may have to wait for, gets the memory that it needs
        const bool isNext = std::all_of(m_open.begin(), m_open.find(batch),
                                        [&](std::size_t earlier) { return m_admitted.contains(earlier); });
        return isNext && all <= m_room;
    });
    if (m_failed < batch) throw Abandoned{};
    m_admitted[batch] = bytes;
    m_passed.notify_all();
}

void Lanes::inOrder(std::size_t place, std::size_t batch, const std::function<void()> &act)
{
    if (m_count == 1) return act();
    {
        std::unique_lock lock(m_mutex);
        m_passed.wait(lock, [&] {
            if (m_failed < batch) return true;
            const auto turn = m_places.find(place);
            return (turn != m_places.end() && turn->second == batch) || *m_open.begin() == batch;
        });
        if (m_failed < batch) throw Abandoned{};
    }
    act();
    const std::lock_guard lock(m_mutex);
    m_places[place] = batch + 1;
    m_passed.notify_all();
}

} // namespace ql
