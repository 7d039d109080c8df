#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>

namespace ql {

/// XXH3-128 of a file's bytes as 32 lower-case hexadecimal digits: tells whether data are the same as before, ten times
/// faster than SHA-256. Not against forgery: what a file is called by, and what is published, has a SHA-256.
/// @throws Error (Io) when the file cannot be read.
std::string fingerprintOfFile(const std::filesystem::path &file);

/// Fingerprints of files that several ask for in one go, each read once. Thread-safe.
class Fingerprints
{
public:
    /// @throws Error (Io), Cancelled after stop()
    std::string of(const std::filesystem::path &file);
    /// Nobody wants them any more: reading ends.
    void stop() { m_isStopped = true; }

private:
    std::atomic_bool m_isStopped = false;
    std::mutex m_mutex;
    std::map<std::filesystem::path, std::string> m_known;
};

} // namespace ql
