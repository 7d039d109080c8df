#pragma once

#include <filesystem>

namespace ql {

/// A folder in the system's folder for temporary files, removed with its contents; if this process is killed, by
/// removeAbandonedFolders() in another one.
class ScratchFolder
{
public:
    ScratchFolder(); ///< @throws Error (Io)
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder &) = delete;
    ScratchFolder &operator=(const ScratchFolder &) = delete;
    const std::filesystem::path &path() const { return m_path; }

private:
    std::filesystem::path m_path;
    int m_lock = -1; ///< the open folder; locked, so that others know that its process lives
};

/// Removes the folders of processes that were killed: those of this user that no process has locked.
void removeAbandonedFolders() noexcept;

} // namespace ql
