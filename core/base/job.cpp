#include "core/base/job.h"

#include <mutex>

namespace ql {

using Clock = std::chrono::steady_clock;

struct JobContext::Shared
{
    Sink sink;
    std::atomic<bool> cancelled{false};
    std::mutex mutex;
    Clock::time_point start = Clock::now();
    Clock::time_point last{};
    Text lastStep;
    std::string lastDetail;
    double lastFraction = 0;
};

JobContext::JobContext() : JobContext(Sink()) {}

JobContext::JobContext(Sink sink) : m_shared(std::make_shared<Shared>())
{
    m_shared->sink = std::move(sink);
}

void JobContext::checkpoint() const
{
    if (isCancelled()) throw Cancelled{};
    if (m_limit && Clock::now() > m_limit->load(std::memory_order_relaxed)) throw TimeLimitReached{};
}

void JobContext::checkpoint(double fraction, const Text &what, std::string_view detail) const
{
    checkpoint();
    if (!m_shared->sink || m_limit) return;
    const std::lock_guard lock(m_shared->mutex);
    const auto now = Clock::now();
    Progress progress;
    progress.fraction = m_from + (m_to - m_from) * fraction;
    // Threads that work on adjacent samples may report in either order
    const bool isBehind = progress.fraction < m_shared->lastFraction;
    if (m_shared->lastStep == what && m_shared->lastDetail == detail &&
        (isBehind || now - m_shared->last < std::chrono::milliseconds(50)))
        return;
    m_shared->last = now;
    m_shared->lastStep = what;
    m_shared->lastDetail = detail;
    m_shared->lastFraction = progress.fraction;
    progress.what = what;
    progress.detail = detail;
    const std::chrono::duration<double> elapsed = now - m_shared->start;
    if (progress.fraction > 0.02) progress.etaSeconds = elapsed.count() * (1 - progress.fraction) / progress.fraction;
    m_shared->sink(progress);
}

JobContext JobContext::withIterationLimit(std::int64_t most) const
{
    JobContext limited = *this;
    limited.m_iterationsLeft = std::make_shared<std::atomic<std::int64_t>>(most);
    return limited;
}

JobContext JobContext::withTimeLimit(std::shared_ptr<const TimeLimit> limit) const
{
    JobContext limited = *this;
    limited.m_limit = std::move(limit);
    return limited;
}

void JobContext::iteration() const
{
    checkpoint();
    if (m_iterationsLeft && (*m_iterationsLeft)-- <= 0) throw IterationLimitReached{};
}

JobContext JobContext::part(double from, double to) const
{
    JobContext sub = *this;
    sub.m_from = m_from + (m_to - m_from) * from;
    sub.m_to = m_from + (m_to - m_from) * to;
    return sub;
}

void JobContext::cancel() const noexcept
{
    m_shared->cancelled.store(true, std::memory_order_relaxed);
}

bool JobContext::isCancelled() const noexcept
{
    return m_shared->cancelled.load(std::memory_order_relaxed);
}

} // namespace ql
