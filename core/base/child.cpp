#include "core/base/child.h"

#include "core/base/error.h"
#include "core/base/watcher.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <poll.h>
#include <set>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace ql {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t keptOutput = 64 << 10;
/// A log that grows beyond it is emptied but for its end: a program may write messages until the disk is full.
constexpr std::int64_t mostOutput = 16 << 20;
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
[[noreturn]] void startInChild(char **arguments, char **environment, const char *folder, int output, int messages,
                               int failure, const ChildLimits &limits, pid_t parent)
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
    ::dup2(messages, STDERR_FILENO);
    if (::chdir(folder) == 0) ::execvpe(arguments[0], arguments, environment);
    const int code = errno;
    [[maybe_unused]] const ssize_t written = ::write(failure, &code, sizeof code);
    ::_exit(127);
}

std::int64_t sizeOf(int file)
{
    struct stat about
    {};
    return ::fstat(file, &about) == 0 ? about.st_size : 0;
}

std::string lastPart(int file)
{
    const std::int64_t size = sizeOf(file), begin = std::max<std::int64_t>(0, size - keptOutput);
    std::string text(std::size_t(size - begin), '\0');
    const ssize_t count = ::pread(file, text.data(), text.size(), begin);
    text.resize(std::size_t(std::max<ssize_t>(0, count)));
    return text;
}

/// What a program writes to its log; the end of it is kept.
class Messages
{
public:
    explicit Messages(int file) : m_file(file) {}
    /// @returns whether the log could be shortened, if it was too long
    bool limit()
    {
        if (sizeOf(m_file) <= mostOutput) return true;
        m_before = lastPart(m_file);
        return ::ftruncate(m_file, 0) == 0;
    }
    std::string last() const
    {
        const std::string text = m_before + lastPart(m_file);
        return text.size() > std::size_t(keptOutput) ? text.substr(text.size() - std::size_t(keptOutput)) : text;
    }

private:
    int m_file;
    std::string m_before; ///< the end of what was removed
};

/// Unique among programs that run: a variable of that name marks a program and all that it starts.
std::string newMark()
{
    static std::atomic<unsigned> count{0};
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    return watchedMark() + std::to_string(now) + "_" + std::to_string(++count);
}

/// Those of this user: others cannot be read.
std::vector<pid_t> processesWith(const std::string &mark)
{
    std::vector<pid_t> found;
    std::error_code code;
    for (fs::directory_iterator it("/proc", code), end; !code && it != end; it.increment(code)) {
        const std::string name = it->path().filename().string();
        pid_t process = 0;
        const auto [last, failure] = std::from_chars(name.data(), name.data() + name.size(), process);
        if (failure != std::errc() || last != name.data() + name.size()) continue;
        std::ifstream in(it->path() / "environ", std::ios::binary);
        const std::string variables{std::istreambuf_iterator<char>(in), {}};
        if (('\0' + variables).find('\0' + mark + '=') != std::string::npos) found.push_back(process);
    }
    return found;
}

/// Until no new one appears: one of them may start another meanwhile.
void killProcessesWith(const std::string &mark)
{
    std::set<pid_t> killed;
    for (bool isAnyNew = true; isAnyNew;) {
        isAnyNew = false;
        for (const pid_t process : processesWith(mark)) {
            ::kill(process, SIGKILL);
            isAnyNew = killed.insert(process).second || isAnyNew;
        }
    }
}

/// A file descriptor that is closed at the end of its scope.
class OwnedFile
{
public:
    explicit OwnedFile(int file = -1) : m_file(file) {}
    ~OwnedFile() { close(); }
    OwnedFile(const OwnedFile &) = delete;
    OwnedFile &operator=(const OwnedFile &) = delete;
    int get() const { return m_file; }
    void set(int file)
    {
        close();
        m_file = file;
    }
    void close()
    {
        if (m_file >= 0) ::close(m_file);
        m_file = -1;
    }

private:
    int m_file;
};

/// @returns whether they were made
bool makePipe(OwnedFile &readEnd, OwnedFile &writeEnd)
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    readEnd.set(ends[0]);
    writeEnd.set(ends[1]);
    return true;
}

enum class Read { Nothing, Some, Progress, Enough, End };

/// What the pipe contains, waiting a short time for it.
Read readPipe(int pipe, const OutputReader &read)
{
    pollfd event{pipe, POLLIN, 0};
    if (::poll(&event, 1, int(pollInterval.count())) <= 0) return Read::Nothing;
    static thread_local std::array<char, 1 << 16> buffer;
    const ssize_t count = ::read(pipe, buffer.data(), buffer.size());
    if (count < 0) return errno == EINTR || errno == EAGAIN ? Read::Nothing : Read::End;
    if (count == 0) return Read::End;
    switch (read(std::string_view(buffer.data(), std::size_t(count)))) {
    case OutputUse::More: return Read::Some;
    case OutputUse::Progress: return Read::Progress;
    case OutputUse::Enough: break;
    }
    return Read::Enough;
}

/// A started program; it is killed unless it was waited for.
class Child
{
public:
    Child(pid_t pid, std::string mark) : m_pid(pid), m_mark(std::move(mark)) {}
    ~Child() { end(); }
    Child(const Child &) = delete;
    Child &operator=(const Child &) = delete;
    void end()
    {
        if (m_pid == 0) return;
        ::kill(-m_pid, SIGKILL);
        while (::waitpid(m_pid, nullptr, 0) < 0 && errno == EINTR) {
        }
        m_pid = 0;
        killProcessesWith(m_mark);
    }
    /// @returns whether it has ended; then its own children are ended, too
    bool hasEnded(int &status)
    {
        if (::waitpid(m_pid, &status, WNOHANG) != m_pid) return false;
        ::kill(-m_pid, SIGKILL);
        m_pid = 0;
        killProcessesWith(m_mark);
        return true;
    }

private:
    pid_t m_pid;
    std::string m_mark;
};

} // namespace

ChildResult runChild(const std::vector<std::string> &command, const std::map<std::string, std::string> &environment,
                     const fs::path &folder, const fs::path &log, const ChildLimits &limits, const JobContext &job,
                     const OutputReader &read)
{
    const auto cannotStart = [&](int code) {
        return Error(ErrorKind::Io,
                     QL_TEXT("cannot start '%1': %2").with(command.at(0), std::generic_category().message(code)));
    };
    const std::string mark = newMark();
    std::vector<std::string> arguments = command, variables = environmentWith(environment);
    variables.push_back(mark + "=1");
    const std::vector<char *> argv = pointersTo(arguments), envp = pointersTo(variables);
    OwnedFile messages(::open(log.c_str(), O_CREAT | O_TRUNC | O_RDWR | O_APPEND | O_CLOEXEC, 0600));
    OwnedFile failure, failureEnd, output, outputEnd;
    if (messages.get() < 0 || !makePipe(failure, failureEnd) || (read && !makePipe(output, outputEnd)))
        throw cannotStart(errno);
    const pid_t parent = ::getpid();
    const pid_t pid = ::fork();
    if (pid == 0)
        startInChild(const_cast<char **>(argv.data()), const_cast<char **>(envp.data()), folder.c_str(),
                     read ? outputEnd.get() : messages.get(), messages.get(), failureEnd.get(), limits, parent);
    if (pid < 0) throw cannotStart(errno);
    Child child(pid, mark);
    failureEnd.close();
    outputEnd.close();
    if (int code = 0; ::read(failure.get(), &code, sizeof code) == ssize_t(sizeof code)) throw cannotStart(code);

    ChildResult result;
    Messages written(messages.get());
    constexpr double longest = 1e9; // 30 years; the clock's numbers end after 300
    const auto limit = std::chrono::duration_cast<std::chrono::steady_clock::duration>(
        std::chrono::duration<double>(std::min(limits.seconds, longest)));
    auto end = std::chrono::steady_clock::now() + limit;
    int status = 0;
    bool isOpen = bool(read), hasEnded = false;
    while (isOpen || !hasEnded) {
        hasEnded = hasEnded || child.hasEnded(status);
        if (job.isCancelled()) throw Cancelled{};
        if (!written.limit()) throw cannotStart(errno);
        const Read got = isOpen ? readPipe(output.get(), read) : Read::Nothing;
        if (got == Read::Progress) end = std::chrono::steady_clock::now() + limit;
        // A process that it left in another group may keep the pipe open
        if (got == Read::End || (hasEnded && got == Read::Nothing)) isOpen = false;
        result.wasEnough = got == Read::Enough;
        result.timedOut = !result.wasEnough && std::chrono::steady_clock::now() > end;
        if (result.wasEnough || result.timedOut) {
            child.end();
            result.output = written.last();
            return result;
        }
        if (!isOpen && !hasEnded) std::this_thread::sleep_for(pollInterval);
    }
    if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
    if (WIFEXITED(status)) result.exitCode = WEXITSTATUS(status);
    result.output = written.last();
    return result;
}

} // namespace ql
