#include "core/verify/child.h"

#include "core/base/error.h"
#include "core/base/file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace ql {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t keptOutput = 64 << 10;
constexpr auto pollInterval = std::chrono::milliseconds(10);

/// "NAME=VALUE" of this process and the added ones, which replace others of the same name.
std::vector<std::string> environmentWith(const std::map<std::string, std::string> &added)
{
    std::vector<std::string> out;
    for (char **entry = environ; *entry; ++entry) {
        const std::string text = *entry;
        if (!added.contains(text.substr(0, text.find('=')))) out.push_back(text);
    }
    for (const auto &[name, value] : added) out.push_back(name + "=" + value);
    return out;
}

std::vector<char *> pointersTo(std::vector<std::string> &texts)
{
    std::vector<char *> out;
    for (std::string &text : texts) out.push_back(text.data());
    out.push_back(nullptr);
    return out;
}

/// All that happens between fork and exec: only functions that are allowed there. The error goes through a pipe.
[[noreturn]] void startInChild(char **arguments, char **environment, const char *folder, int output, int failure,
                               const ChildLimits &limits, pid_t parent)
{
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(127); // it ended before prctl
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    const rlimit noCore{0, 0};
    ::setrlimit(RLIMIT_CORE, &noCore);
    if (limits.memory > 0) {
        const rlimit space{rlim_t(limits.memory), rlim_t(limits.memory)};
        ::setrlimit(RLIMIT_AS, &space);
    }
    const int null = ::open("/dev/null", O_RDONLY);
    ::dup2(null, STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(output, STDERR_FILENO);
    if (::chdir(folder) == 0) ::execvpe(arguments[0], arguments, environment);
    const int code = errno;
    [[maybe_unused]] const ssize_t written = ::write(failure, &code, sizeof code);
    ::_exit(127);
}

std::string lastPart(const fs::path &file)
{
    std::string text = readFile(file);
    if (text.size() > keptOutput) text.erase(0, text.size() - keptOutput);
    return text;
}

/// Ends the whole group, and waits for its leader.
void kill(pid_t child)
{
    ::kill(-child, SIGKILL);
    while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
}

} // namespace

ScratchFolder::ScratchFolder()
{
    std::error_code code;
    fs::path base = fs::temp_directory_path(code);
    if (code) base = "/tmp";
    std::string pattern = (base / "quantloupe-XXXXXX").string();
    if (!::mkdtemp(pattern.data()))
        throw Error(ErrorKind::Io,
                    QL_TEXT("cannot create a temporary folder: %1").with(std::generic_category().message(errno)))
            .inFile(base.string());
    m_path = pattern;
}

ScratchFolder::~ScratchFolder()
{
    std::error_code code;
    fs::remove_all(m_path, code);
}

ChildResult runChild(const std::vector<std::string> &command, const std::map<std::string, std::string> &environment,
                     const fs::path &folder, const fs::path &log, const ChildLimits &limits, const JobContext &job)
{
    const auto cannotStart = [&](int code) {
        return Error(ErrorKind::Io,
                     QL_TEXT("cannot start '%1': %2").with(command.at(0), std::generic_category().message(code)));
    };
    std::vector<std::string> arguments = command, variables = environmentWith(environment);
    const std::vector<char *> argv = pointersTo(arguments), envp = pointersTo(variables);
    const int output = ::open(log.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    std::array<int, 2> failure{};
    if (output < 0 || ::pipe2(failure.data(), O_CLOEXEC) != 0) throw cannotStart(errno);
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child == 0)
        startInChild(const_cast<char **>(argv.data()), const_cast<char **>(envp.data()), folder.c_str(), output,
                     failure[1], limits, parent);
    const int forkError = errno;
    ::close(output);
    ::close(failure[1]);
    int code = child < 0 ? forkError : 0;
    if (child > 0 && ::read(failure[0], &code, sizeof code) != ssize_t(sizeof code)) code = 0;
    ::close(failure[0]);
    if (code != 0) {
        if (child > 0) kill(child);
        throw cannotStart(code);
    }

    ChildResult result;
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(limits.seconds);
    int status = 0;
    while (true) {
        const pid_t ended = ::waitpid(child, &status, WNOHANG);
        if (ended == child) break;
        if (ended < 0 && errno != EINTR) throw cannotStart(errno);
        if (job.isCancelled()) {
            kill(child);
            throw Cancelled{};
        }
        if (std::chrono::steady_clock::now() > end) {
            kill(child);
            result.timedOut = true;
            result.output = lastPart(log);
            return result;
        }
        std::this_thread::sleep_for(pollInterval);
    }
    ::kill(-child, SIGKILL); // its own children
    if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
    if (WIFEXITED(status)) result.exitCode = WEXITSTATUS(status);
    result.output = lastPart(log);
    return result;
}

} // namespace ql
