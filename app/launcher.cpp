// quantloupe-cli: sets variables that the OpenMP runtime reads once, when it is loaded, then loads the command line. It
// provides _exit(), which a library that is loaded later could not replace.
//
// Loading takes some tenths of a second: until the command line can handle signals, a signal ends the program here with
// the same exit code. Nothing is written yet.
#include "core/exec/runtime.h"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <initializer_list>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

/// What the command line does about a call of _exit(); nullptr: it is not loaded yet.
std::atomic<int (*)(int)> exitCodeFor{nullptr};

constexpr int cancelledCode = 130; // ExitCode::Cancelled

void endCancelled(int)
{
    constexpr char text[] = "cancelled\n";
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text, sizeof text - 1);
    ::_exit(cancelledCode);
}

void endCancelledOnSignals()
{
    struct sigaction action
    {};
    action.sa_handler = endCancelled;
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction old
        {};
        ::sigaction(number, nullptr, &old);
        if (old.sa_handler != SIG_IGN) ::sigaction(number, &action, nullptr); // nohup and background jobs stay ignored
    }
}

} // namespace

/// In place of the C library's function, for all libraries of the process: it would end a job of a plug-in without a
/// word, and with any exit code.
extern "C" [[noreturn]] __attribute__((visibility("default"))) void _exit(int code)
{
    const auto codeFor = exitCodeFor.load();
    for (;;) ::syscall(SYS_exit_group, codeFor ? codeFor(code) : code);
}

extern "C" [[noreturn]] __attribute__((visibility("default"))) void _Exit(int code) noexcept
{
    ::_exit(code);
}

int main(int argc, char **argv)
{
    endCancelledOnSignals();
    ql::Runtime::prepareEnvironment();
    void *library = ::dlopen("libquantloupe-cli.so", RTLD_NOW | RTLD_GLOBAL);
    void *entry = library ? ::dlsym(library, "quantloupeCli") : nullptr;
    if (!entry) {
        std::fprintf(stderr, "internal error: %s. Install quantloupe again.\n", ::dlerror());
        return 3;
    }
    exitCodeFor = reinterpret_cast<int (*)(int)>(::dlsym(library, "quantloupeExitCode"));
    return reinterpret_cast<int (*)(int, char **)>(entry)(argc, argv);
}
