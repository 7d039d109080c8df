#include "core/base/watcher.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <fcntl.h>
#include <mutex>
#include <spawn.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>

namespace ql {

namespace {

std::atomic<int> connection{-1}; // -1: no shell

/// A name per line; an empty line: the process ends with its own words. The argument is the mark of its programs; one
/// of them may start another while they are searched.
constexpr const char *script = R"(trap '' INT TERM HUP
while read -r line; do
    names="$names${names:+, }$line"
    [ -n "$line" ] || exec 2>/dev/null
done
[ -z "$names" ] ||
    echo "internal error: the program was killed, or a system call ended it. Loaded plug-ins: $names" >&2
exec 2>/dev/null
for search in 1 2 3; do
    kill -9 $(grep -lz "^$1" /proc/[0-9]*/environ | cut -d / -f 3)
done
)";

std::string markOf(pid_t process)
{
    return "QUANTLOUPE_CHILD_" + std::to_string(process) + "_";
}

void send(int to, std::string_view text)
{
    [[maybe_unused]] const ssize_t count = ::send(to, text.data(), text.size(), MSG_NOSIGNAL);
}

/// @returns the connection to it; -1: it could not be started, and an end without words stays one
int startShell()
{
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return -1;
    posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_adddup2(&files, ends[1], STDIN_FILENO);
    ::posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_t attributes; // a group of its own, which lives on if that of this process is killed
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    std::string shell = "sh", option = "-c", text = script, mark = markOf(::getpid());
    std::array<char *, 6> arguments{shell.data(), option.data(), text.data(), shell.data(), mark.data(), nullptr};
    pid_t process = 0;
    const int failure = ::posix_spawn(&process, "/bin/sh", &files, &attributes, arguments.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&files);
    ::close(ends[1]);
    if (failure == 0) return ends[0];
    ::close(ends[0]);
    return -1;
}

void ensureShell()
{
    static std::mutex mutex; // programs are started by several threads
    const std::lock_guard lock(mutex);
    if (connection < 0) connection = startShell();
}

} // namespace

void watchProcess(const std::string &name)
{
    ensureShell();
    std::string line = name;
    std::replace(line.begin(), line.end(), '\n', '?');
    if (const int to = connection; to >= 0) send(to, line + "\n");
}

std::string watchedMark()
{
    ensureShell();
    return markOf(::getpid());
}

void dismissWatcher()
{
    if (const int to = connection.exchange(-1); to >= 0) send(to, "\n");
}

} // namespace ql
