#pragma once

#include "core/base/text.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace ql {

struct CacheOptions
{
    std::filesystem::path folder;                        ///< empty: in memory only
    std::uint64_t diskLimit = std::uint64_t(2) << 30;    ///< bytes of all entries of all processes
    std::uint64_t memoryLimit = std::uint64_t(64) << 20; ///< bytes of this process
    /// Called once for an unusable folder, and for each damaged entry. Sentences.
    std::function<void(const Text &)> note = [](const Text &) {};
};

/// Creates the folder if necessary. @returns why it cannot be used; 0: it can.
std::error_code makeCacheFolder(const std::filesystem::path &folder);

/// Results of stages by their key: in memory, and in a folder that survives the process. Nothing here can fail a run: a
/// folder that cannot be written or a damaged entry counts as "not known", with a note. Entries contain their key, size
/// and SHA-256 and are renamed into place, so several processes may share the folder. When it exceeds its limit, the
/// least recently used entries are removed. Thread-safe.
class StageCache
{
public:
    explicit StageCache(CacheOptions options = {});
    ~StageCache();

    /// The bytes stored under key, or nothing.
    std::optional<std::string> get(const std::string &key);
    void put(const std::string &key, std::string_view bytes);

    /// $XDG_CACHE_HOME/quantloupe, otherwise ~/.cache/quantloupe; empty if neither is known.
    static std::filesystem::path defaultFolder();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace ql
