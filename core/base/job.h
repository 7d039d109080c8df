#pragma once

#include "core/base/error.h"
#include "core/base/text.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace ql {

/// One report of progress. fraction is of the whole job, 0..1; etaSeconds is negative while unknown.
struct Progress
{
    double fraction = 0;
    Text what;          ///< the step
    std::string detail; ///< details of the step, such as the name of an operation; may be empty
    double etaSeconds = -1;
};

/// Thrown by JobContext::iteration(). Not an Error: only the creator of the context catches it.
struct IterationLimitReached
{};

/// Thrown by checkpoints after the end of a time limit. What ends a job passes through passes and analyses unchanged.
struct TimeLimitReached : Cancelled
{};

/// The end of a time limit, which may be moved meanwhile; time_point::max(): there is none.
using TimeLimit = std::atomic<std::chrono::steady_clock::time_point>;

/// The connection of a piece of work to its job: progress and cancellation. Copies share the job; part() narrows the
/// range of the progress bar for a sub-task. Cheap to copy, safe to use from several threads.
class JobContext
{
public:
    using Sink = std::function<void(const Progress &)>;

    JobContext();
    explicit JobContext(Sink sink);

    /// Reports progress (fraction of this part, 0..1) at most 20 times a second and when the text changes.
    /// @throws Cancelled if cancel() was called, TimeLimitReached
    void checkpoint(double fraction, const Text &what, std::string_view detail = {}) const;
    /// Only tests for cancellation, for inner loops. @throws Cancelled, TimeLimitReached
    void checkpoint() const;
    /// A context for a trial run whose loops might never end: iteration() throws IterationLimitReached after this many
    /// calls.
    JobContext withIterationLimit(std::int64_t most) const;
    /// A context without progress whose checkpoints throw TimeLimitReached after the end of limit.
    JobContext withTimeLimit(std::shared_ptr<const TimeLimit> limit) const;
    /// One iteration of a loop. @throws Cancelled, IterationLimitReached
    void iteration() const;
    /// A context whose 0..1 is from..to of this one.
    JobContext part(double from, double to) const;
    /// Requests cancellation; may be called from any thread or from a signal handler.
    void cancel() const noexcept;
    bool isCancelled() const noexcept;

private:
    struct Shared;
    std::shared_ptr<Shared> m_shared;
    std::shared_ptr<std::atomic<std::int64_t>> m_iterationsLeft; ///< iterations left; null: unlimited
    std::shared_ptr<const TimeLimit> m_limit;                    ///< null: unlimited
    double m_from = 0;
    double m_to = 1;
};

} // namespace ql
