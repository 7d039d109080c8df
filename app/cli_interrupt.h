#pragma once

#include "core/base/job.h"

namespace ql::cli {

/// Ctrl+C (also SIGINT, SIGTERM and SIGHUP): cancels the job; after 150 ms, or at a second Ctrl+C, the process is
/// terminated, and part files of writes in progress are removed. So it ends within 200 ms whatever a kernel is doing,
/// and nothing is half-written.
class Interrupt
{
public:
    /// Installs the handlers and their thread; once, at the start of main.
    static void install();
    /// The job that a signal cancels; replaces the previous one.
    static void cancels(const JobContext &job);
    static bool happened();
};

} // namespace ql::cli
