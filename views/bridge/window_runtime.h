#pragma once

#include <malloc.h>

namespace ql {

/// What a window wants of its whole process, as Runtime (core/exec/runtime.h) is what the engine does: a program that
/// shows one makes it at the beginning of main(); nothing else of the window changes the process.
class WindowRuntime
{
public:
    /// Small freed blocks are joined with their neighbours one by one. By default the heap collects them and joins all
    /// of them together, which took 100 ms after a large answer, in which the window's thread waited for the heap's
    /// lock.
    WindowRuntime()
    {
#ifdef __GLIBC__
        mallopt(M_MXFAST, 0);
#endif
    }
    WindowRuntime(const WindowRuntime &) = delete;
    WindowRuntime &operator=(const WindowRuntime &) = delete;
};

} // namespace ql
