#pragma once

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
    std::string detail; ///< what of it: the name of an operation, say; may be empty
    double etaSeconds = -1;
};

/// Thrown by JobContext::turn(). No error: only who made the context catches it.
struct OutOfTurns
{};

/// What a piece of work needs to know about the job it is part of: where to report, and whether to stop.
/// Copies share the job; part() narrows the range of the bar for a sub-task. Cheap to copy, safe to use from several
/// threads.
class JobContext
{
public:
    using Sink = std::function<void(const Progress &)>;

    JobContext();
    explicit JobContext(Sink sink);

    /// Reports progress (fraction of this part, 0..1) at most 20 times a second and when the text changes.
    /// @throws Cancelled when cancel() was called.
    void checkpoint(double fraction, const Text &what, std::string_view detail = {}) const;
    /// Only the cancel test, for inner loops. @throws Cancelled
    void checkpoint() const;
    /// A context for a trial whose loops would perhaps never end: turn() throws OutOfTurns behind so many of them.
    JobContext withTurns(std::int64_t most) const;
    /// One turn of a loop. @throws Cancelled, OutOfTurns
    void turn() const;
    /// A context whose 0..1 is from..to of this one.
    JobContext part(double from, double to) const;
    /// Asks the job to stop; may be called from any thread or from a signal handler.
    void cancel() const noexcept;
    bool isCancelled() const noexcept;

private:
    struct Shared;
    std::shared_ptr<Shared> m_shared;
    std::shared_ptr<std::atomic<std::int64_t>> m_turns; ///< that are left; null: as many as it takes
    double m_from = 0;
    double m_to = 1;
};

} // namespace ql
