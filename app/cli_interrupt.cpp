#include "app/cli_interrupt.h"

#include "app/cli_console.h"
#include "core/base/file.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <mutex>
#include <optional>
#include <poll.h>
#include <thread>
#include <unistd.h>

namespace ql::cli {

namespace {

constexpr int patienceMs = 150;

int pipeEnds[2] = {-1, -1};
std::atomic<bool> interrupted{false};
std::mutex jobMutex;
std::optional<JobContext> currentJob;

/// The only thing that a handler may do here: a byte wakes the thread.
void onSignal(int)
{
    const int saved = errno;
    const char byte = 1;
    [[maybe_unused]] const ssize_t written = ::write(pipeEnds[1], &byte, 1);
    errno = saved;
}

void readByte()
{
    char byte = 0;
    while (::read(pipeEnds[0], &byte, 1) < 0 && errno == EINTR) {
    }
}

void watch()
{
    readByte();
    interrupted = true;
    {
        const std::lock_guard lock(jobMutex);
        if (currentJob) currentJob->cancel();
    }
    pollfd again{pipeEnds[0], POLLIN, 0};
    while (::poll(&again, 1, patienceMs) < 0 && errno == EINTR) {
    }
    discardUnfinishedWrites();
    constexpr char text[] = "cancelled\n";
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text, sizeof text - 1);
    ::_exit(ExitCode::Cancelled);
}

} // namespace

void Interrupt::install()
{
    if (::pipe2(pipeEnds, O_CLOEXEC) != 0) return;
    // The thread takes no signals itself: handlers run in the main thread, which a kernel may keep busy for long.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread(watch).detach();
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    std::signal(SIGXFSZ, SIG_IGN); // a file that must not grow is reported by the writing code
    struct sigaction action
    {};
    action.sa_handler = onSignal;
    action.sa_flags = SA_RESTART;
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction old
        {};
        sigaction(number, nullptr, &old);
        if (old.sa_handler != SIG_IGN) sigaction(number, &action, nullptr); // nohup and background jobs stay ignored
    }
}

void Interrupt::cancels(const JobContext &job)
{
    const std::lock_guard lock(jobMutex);
    currentJob = job;
    if (interrupted) job.cancel();
}

bool Interrupt::happened()
{
    return interrupted;
}

} // namespace ql::cli
