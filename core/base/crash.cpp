// The plug-in is found by the addresses on the stack, so that no call of one needs a guard. What runs after a signal
// allocates nothing and takes no lock of ours.
#include "core/base/crash.h"

#include "core/base/file.h"
#include "core/base/watcher.h"

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <execinfo.h>
#include <link.h>
#include <ucontext.h>
#include <unistd.h>

namespace ql {

namespace {

/// Where a plug-in is in memory; never freed: a handler may read it.
struct PluginCode
{
    std::uintptr_t begin = 0, end = 0;
    std::string name, file;
    const PluginCode *next = nullptr;
};

std::atomic<const PluginCode *> pluginCode{nullptr};
std::atomic<const std::string *> loading{nullptr};
std::atomic<bool> isOver{false};
int codeOfExit = 1;
pid_t reportingProcess = 0;
#ifdef __SANITIZE_ADDRESS__
constexpr bool isSanitized = true;
#else
constexpr bool isSanitized = false;
#endif

void write(const char *text)
{
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text, std::strlen(text));
}

const PluginCode *pluginAt(std::uintptr_t address)
{
    for (const PluginCode *code = pluginCode; code; code = code->next)
        if (address >= code->begin && address < code->end) return code;
    return nullptr;
}

/// The innermost plug-in on the stack of this thread.
const PluginCode *runningPlugin()
{
    std::array<void *, 256> frames{};
    const int count = ::backtrace(frames.data(), int(frames.size()));
    for (int i = 0; i < count; ++i)
        // A return address: the call may be the last instruction of its function
        if (const PluginCode *code = pluginAt(reinterpret_cast<std::uintptr_t>(frames[std::size_t(i)]) - 1))
            return code;
    return nullptr;
}

/// The caller of a function pointer that leads nowhere, which no stack walk passes; 0: it was something else.
std::uintptr_t callerOfNothing([[maybe_unused]] const ucontext_t &context)
{
    constexpr std::uintptr_t firstPage = 4096;
#if defined(__x86_64__)
    if (std::uintptr_t(context.uc_mcontext.gregs[REG_RIP]) >= firstPage) return 0;
    return *reinterpret_cast<const std::uintptr_t *>(context.uc_mcontext.gregs[REG_RSP]) - 1;
#elif defined(__aarch64__)
    return context.uc_mcontext.pc >= firstPage ? 0 : std::uintptr_t(context.uc_mcontext.regs[30]) - 1;
#else
    return 0;
#endif
}

/// "internal error: the plug-in 'toolbox' (toolbox.so) ended the program: SIGSEGV (invalid address)"
void blame(const PluginCode *plugin, const char *what)
{
    if (::isatty(STDERR_FILENO)) write("\n"); // after a progress bar
    const std::string *file = loading;
    write("internal error: ");
    if (plugin) {
        write("the plug-in '");
        write(plugin->name.c_str());
        write("' (");
        write(plugin->file.c_str());
        write(") ended the program: ");
    } else if (file) {
        write("the plug-in ");
        write(file->c_str());
        write(" ended the program while it was loaded: ");
    } else {
        write("the program crashed: ");
    }
    write(what);
    write("\n");
}

constexpr struct
{
    int number;
    const char *meaning;
} fatalSignals[] = {
    {SIGSEGV, "SIGSEGV (invalid address)"},
    {SIGBUS, "SIGBUS (invalid address)"},
    {SIGABRT, "SIGABRT (abort(), or uncaught exception)"},
    {SIGFPE, "SIGFPE (integer division by zero)"},
    {SIGILL, "SIGILL (invalid instruction)"},
    {SIGPIPE, "SIGPIPE (write to a pipe or socket that nobody reads)"},
};

/// Its action is the default again: after the return the signal ends the process.
void onFatalSignal(int number, siginfo_t *, void *context)
{
    if (isOver.exchange(true)) return;
    dismissWatcher();
    const PluginCode *plugin = pluginAt(callerOfNothing(*static_cast<const ucontext_t *>(context)));
    if (!plugin) plugin = runningPlugin();
    const bool isRegular = number == SIGPIPE && !plugin; // whoever reads the results has ended, as in `... | head`
    for (const auto &known : fatalSignals)
        if (known.number == number && !isRegular) blame(plugin, known.meaning);
    if (number == SIGABRT) return; // abort() raises it again
    std::signal(number, SIG_DFL);
    ::raise(number); // also one that was sent, not caused
}

void endOnExit(const char *how)
{
    if (isOver.exchange(true)) return;
    dismissWatcher();
    blame(runningPlugin(), how);
    discardUnfinishedWrites();
    std::fflush(nullptr);
    ::_exit(codeOfExit);
}

} // namespace

void reportCrashes(int exitCode)
{
    codeOfExit = exitCode;
    reportingProcess = ::getpid();
    std::atexit([] { endOnExit("it called exit()"); });
    std::at_quick_exit([] { endOnExit("it called quick_exit()"); });
    if (isSanitized) return;
    std::array<void *, 1> frame{};
    ::backtrace(frame.data(), 1);            // loads what it needs now, not after a signal
    static std::array<char, 64 << 10> stack; // the thread's own may be what overflowed
    const stack_t other{.ss_sp = stack.data(), .ss_flags = 0, .ss_size = stack.size()};
    ::sigaltstack(&other, nullptr);
    struct sigaction action
    {};
    action.sa_sigaction = onFatalSignal;
    action.sa_flags = int(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND);
    for (const auto &known : fatalSignals) ::sigaction(known.number, &action, nullptr);
}

void endRegularly()
{
    isOver = true;
    dismissWatcher();
}

int codeAtExit(int code)
{
    if (isOver || ::getpid() != reportingProcess) return code; // a child may end as it likes
    dismissWatcher();
    const PluginCode *plugin = runningPlugin();
    if (!plugin && !loading.load()) return code;
    isOver = true;
    blame(plugin, "it called _exit()");
    discardUnfinishedWrites();
    std::fflush(nullptr);
    return codeOfExit;
}

LoadingLibrary::LoadingLibrary(const std::string &file)
{
    loading = new std::string(file);
}

LoadingLibrary::~LoadingLibrary()
{
    delete loading.exchange(nullptr);
}

void notePluginCode(const void *address, const std::string &name, const std::string &file)
{
    PluginCode found{.begin = reinterpret_cast<std::uintptr_t>(address), .end = 0, .name = name, .file = file};
    ::dl_iterate_phdr(
        [](dl_phdr_info *library, std::size_t, void *data) {
            PluginCode &code = *static_cast<PluginCode *>(data);
            for (int i = 0; i < library->dlpi_phnum; ++i) {
                const ElfW(Phdr) &part = library->dlpi_phdr[i];
                const std::uintptr_t begin = library->dlpi_addr + part.p_vaddr, end = begin + part.p_memsz;
                if (part.p_type != PT_LOAD || code.begin < begin || code.begin >= end) continue;
                code.begin = begin;
                code.end = end;
                return 1;
            }
            return 0;
        },
        &found);
    if (found.end == 0) return;
    found.next = pluginCode;
    pluginCode = new PluginCode(found); // plug-ins are loaded one after the other
    if (::getpid() == reportingProcess) watchProcess("'" + name + "' (" + file + ")");
}

} // namespace ql
