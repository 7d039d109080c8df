#include "core/base/scratch_folder.h"

#include "core/base/error.h"
#include "core/base/file.h"

#include <cerrno>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace ql {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view scratchPrefix = "quantloupe-scratch.";
constexpr std::size_t randomLetters = 6; // of mkdtemp()

fs::path temporaryFolder()
{
    std::error_code code;
    const fs::path base = fs::temp_directory_path(code);
    return code ? fs::path("/tmp") : base;
}

/// The folder itself, not a link to one; -1: it cannot be opened.
int openFolder(const fs::path &path)
{
    return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/// Whether the path is still that of the open folder.
bool isStillAt(int folder, const fs::path &path)
{
    struct stat open
    {
    }, named{};
    return ::fstat(folder, &open) == 0 && ::lstat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
           open.st_ino == named.st_ino;
}

bool isOurs(int folder)
{
    struct stat about
    {};
    return ::fstat(folder, &about) == 0 && about.st_uid == ::geteuid();
}

/// Unless a process has locked it.
void removeIfAbandoned(const fs::path &path)
{
    const int folder = openFolder(path);
    if (folder < 0) return;
    if (isOurs(folder) && ::flock(folder, LOCK_EX | LOCK_NB) == 0 && isStillAt(folder, path)) {
        std::error_code code;
        fs::remove_all(path, code);
    }
    ::close(folder);
}

} // namespace

void removeAbandonedFolders() noexcept
{
    try {
        std::error_code code;
        for (fs::directory_iterator it(temporaryFolder(), code), end; !code && it != end; it.increment(code)) {
            const std::string name = it->path().filename().string();
            if (name.size() == scratchPrefix.size() + randomLetters && name.starts_with(scratchPrefix))
                removeIfAbandoned(it->path());
        }
    } catch (const std::exception &) { // no memory for names
    }
}

ScratchFolder::ScratchFolder()
{
    const fs::path base = temporaryFolder();
    for (;;) {
        std::string pattern = (base / scratchPrefix).string() + std::string(randomLetters, 'X');
        const bool isMade = ::mkdtemp(pattern.data()) != nullptr;
        m_lock = isMade ? openFolder(pattern) : -1;
        if (m_lock < 0) {
            const int failure = errno;
            if (isMade && failure == ENOENT) continue; // removed as below
            if (isMade) ::rmdir(pattern.c_str());
            throw Error(ErrorKind::Io,
                        QL_TEXT("cannot create a temporary folder: %1").with(std::generic_category().message(failure)))
                .inFile(base.string());
        }
        m_path = pattern;
        while (::flock(m_lock, LOCK_EX) != 0 && errno == EINTR) {
        }
        if (isStillAt(m_lock, m_path)) break;
        ::close(m_lock); // another process took it for an abandoned one before it was locked, and removed it
    }
    noteUnfinished(m_path);
}

ScratchFolder::~ScratchFolder()
{
    std::error_code code;
    fs::remove_all(m_path, code);
    ::close(m_lock);
    forgetUnfinished(m_path);
}

} // namespace ql
