#pragma once

#include <string>

namespace ql {

// A shell that outlives this process: what happens after a SIGKILL, nothing in the process could do.

/// If this process ends without dismissWatcher(), the shell says that it was killed, and the names. Names are of
/// plug-ins.
void watchProcess(const std::string &name);
/// This process ends with its own words. May be called by a signal handler.
void dismissWatcher();
/// Programs with an environment variable whose name starts so, and all that they start, end with this process at the
/// latest: the shell kills them.
std::string watchedMark();

} // namespace ql
