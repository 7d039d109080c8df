#pragma once

#include <string>

namespace ql {

/// A shell that is started with the first name and says, if this process ends without dismissWatcher(), that it was
/// killed, and the names: nothing in the process could write that. Names are of plug-ins.
void watchProcess(const std::string &name);
/// May be called by a signal handler.
void dismissWatcher();

} // namespace ql
