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
    /// Told once about a folder that cannot be used, and about each damaged entry. Sentences.
    std::function<void(const Text &)> note = [](const Text &) {};
};

/// Makes the folder unless it is there. @returns why it cannot be used; 0: it can.
std::error_code makeCacheFolder(const std::filesystem::path &folder);

/// Results of stages by their key: in memory, and in a folder that survives the process. Nothing here can fail a run: a
/// folder that cannot be written or an entry that is damaged counts as "not known", with a note. Entries carry their
/// key, size and SHA-256 and are renamed into place, so several processes may share the folder. When it grows above its
/// limit, the entries that were not used for the longest time go. Thread-safe.
class StageCache
{
public:
    explicit StageCache(CacheOptions options = {});
    ~StageCache();

    /// The bytes that were put under key, or nothing.
    std::optional<std::string> get(const std::string &key);
    void put(const std::string &key, std::string_view bytes);

    /// $XDG_CACHE_HOME/quantloupe, else ~/.cache/quantloupe; empty when neither is known.
    static std::filesystem::path defaultFolder();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace ql
