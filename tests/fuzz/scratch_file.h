#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace ql::fuzz {

/// A file for the bytes of one input: importers read files. In memory where /dev/shm is; removed with the process.
class ScratchFile
{
public:
    explicit ScratchFile(const std::string &ending)
    {
        const bool inMemory = std::filesystem::is_directory("/dev/shm");
        m_path = std::filesystem::path(inMemory ? "/dev/shm" : "/tmp") /
                 ("quantloupe-fuzz-" + std::to_string(::getpid()) + ending);
    }
    ~ScratchFile()
    {
        std::error_code code;
        std::filesystem::remove(m_path, code);
    }
    ScratchFile(const ScratchFile &) = delete;
    ScratchFile &operator=(const ScratchFile &) = delete;

    const std::filesystem::path &write(const void *data, std::size_t size) const
    {
        std::FILE *const file = std::fopen(m_path.c_str(), "wb");
        if (!file || (size > 0 && std::fwrite(data, 1, size, file) != size) || std::fclose(file) != 0) std::abort();
        return m_path;
    }

private:
    std::filesystem::path m_path;
};

} // namespace ql::fuzz
