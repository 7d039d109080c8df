#pragma once

#include "core/base/job.h"

namespace ql::cli {

/// Ctrl+C (SIGINT, and SIGTERM and SIGHUP alike): asks the job to stop; 150 ms later, or at a second Ctrl+C, the
/// process ends by force, part files of writes under way removed. So it ends within 200 ms whatever a kernel is doing,
/// and nothing is half-written.
class Interrupt
{
public:
    /// Installs the handlers and the thread behind them; once, at the start of main.
    static void install();
    /// The job that a signal cancels; replaces the former one.
    static void cancels(const JobContext &job);
    static bool happened();
};

} // namespace ql::cli
