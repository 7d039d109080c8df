#include "app/cli_output.h"

#include "core/base/error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace ql::cli {

int StandardOutput::s_descriptor = -1;

void StandardOutput::take()
{
    s_descriptor = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (::dup2(STDERR_FILENO, STDOUT_FILENO) >= 0) return;
    if (const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC); nowhere >= 0) {
        ::dup2(nowhere, STDOUT_FILENO); // there is no standard error
        ::close(nowhere);
    }
}

void StandardOutput::write(std::string_view text)
{
    while (!text.empty()) {
        const ssize_t count = ::write(s_descriptor, text.data(), text.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0)
            throw Error(ErrorKind::Io, std::string("cannot write to standard output: ") + std::strerror(errno));
        text.remove_prefix(std::size_t(count));
    }
}

std::string StandardOutput::argument(const std::string &text)
{
    if (s_descriptor < 0) return text;
    for (const std::string_view path : {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
        if (!text.ends_with(path)) continue;
        const std::string before = text.substr(0, text.size() - path.size());
        if (before.empty() || before.ends_with('=') || before.ends_with(':'))
            return before + "/dev/fd/" + std::to_string(s_descriptor);
    }
    return text;
}

} // namespace ql::cli
