#include "core/base/watcher.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <fcntl.h>
#include <spawn.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>

namespace ql {

namespace {

std::atomic<int> connection{-1}; // -1: no shell

/// A name per line; an empty line: the process ends with its own words.
constexpr const char *script = R"(trap '' INT TERM HUP
while read -r line; do
    [ -n "$line" ] || exit 0
    names="$names${names:+, }$line"
done
echo "internal error: the program was killed, or a system call ended it. Loaded plug-ins: $names" >&2
)";

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
    std::string shell = "sh", option = "-c", text = script;
    std::array<char *, 4> arguments{shell.data(), option.data(), text.data(), nullptr};
    pid_t process = 0;
    const int failure = ::posix_spawn(&process, "/bin/sh", &files, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&files);
    ::close(ends[1]);
    if (failure == 0) return ends[0];
    ::close(ends[0]);
    return -1;
}

} // namespace

void watchProcess(const std::string &name)
{
    if (connection < 0) connection = startShell();
    std::string line = name;
    std::replace(line.begin(), line.end(), '\n', '?');
    if (const int to = connection; to >= 0) send(to, line + "\n");
}

void dismissWatcher()
{
    if (const int to = connection.exchange(-1); to >= 0) send(to, "\n");
}

} // namespace ql
