#pragma once

#include "core/base/job.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ql {

/// What a child process may use.
struct ChildLimits
{
    double seconds = 600;    ///< for all of its work; if its output is read: without progress
    std::int64_t memory = 0; ///< bytes of address space; 0: unlimited
};

/// How a child process ended.
struct ChildResult
{
    int exitCode = -1;      ///< if it ended itself
    int signal = 0;         ///< that ended it; 0: none
    bool timedOut = false;  ///< ended after ChildLimits::seconds
    bool wasEnough = false; ///< ended because the reader had enough
    std::string output;     ///< the last 64 KiB of its two streams; if its output is read: of standard error
};

/// What a reader made of the bytes. Progress: they completed something, which restarts the time limit.
enum class OutputUse { More, Progress, Enough };
/// Reads the standard output of a program as it comes.
using OutputReader = std::function<OutputUse(std::string_view bytes)>;

/// Runs a program in a process group of its own. When the time is over, when job is cancelled, and when the program has
/// ended, everything that it started is killed: the group, and processes with its mark in their environment, which a
/// new session or group inherits; also when this process ends, even if it is killed. command: the program (searched in
/// PATH) and its arguments; environment: added variables; folder: its current folder; log: the file for its output.
/// read: if set, log only gets standard error.
/// @throws Error (Io) if the program cannot be started; Cancelled
ChildResult runChild(const std::vector<std::string> &command, const std::map<std::string, std::string> &environment,
                     const std::filesystem::path &folder, const std::filesystem::path &log, const ChildLimits &limits,
                     const JobContext &job, const OutputReader &read = {});

} // namespace ql
