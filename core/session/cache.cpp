#include "core/session/cache.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/sha256.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <list>
#include <map>
#include <mutex>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace ql {

namespace fs = std::filesystem;
using Clock = fs::file_time_type::clock;

// An entry: signature, 8 bytes of length, 64 hexadecimal digits over key and bytes, the bytes.
static constexpr std::string_view signature = "QLSTAGE1";
static constexpr std::size_t headSize = signature.size() + 8 + 64;

static std::string checksum(const std::string &key, std::string_view bytes)
{
    Sha256 hash;
    hash.add(key).add("\n").add(bytes);
    return hash.hex();
}

struct StageCache::Impl
{
    CacheOptions options;
    fs::path folder; ///< of the entries; empty without a disk cache
    std::mutex mutex;
    std::list<std::pair<std::string, std::string>> memory; ///< most recent first
    std::map<std::string, std::list<std::pair<std::string, std::string>>::iterator> byKey;
    std::uint64_t memorySize = 0;
    std::optional<std::uint64_t>
        diskSize; ///< unset: not counted yet; other processes' entries are counted at a recount

    void prepareFolder();
    fs::path fileOf(const std::string &key) const;
    void remember(const std::string &key, std::string_view bytes);
    std::optional<std::string> readEntry(const std::string &key);
    void writeEntry(const std::string &key, std::string_view bytes);
    void shrink();
};

void StageCache::Impl::prepareFolder()
{
    if (options.folder.empty()) return;
    folder = options.folder / "stages-1";
    std::error_code code = makeCacheFolder(folder);
    if (code) {
        options.note(QL_TEXT("the cache folder %1 cannot be used (%2); results are not kept for the next run")
                         .with(options.folder.string(), code.message()));
        folder.clear();
        return;
    }
    // https://bford.info/cachedir/: backup programs skip such folders.
    const fs::path tag = options.folder / "CACHEDIR.TAG";
    if (fs::exists(tag, code)) return;
    try {
        writeFileAtomically(tag, "Signature: 8a477f597d28d172789f06886806bc55\n");
    } catch (const Error &) {
        // a convenience only
    }
}

fs::path StageCache::Impl::fileOf(const std::string &key) const
{
    const std::string name = sha256(key); // keys may contain anything
    return folder / name.substr(0, 2) / name.substr(2);
}

void StageCache::Impl::remember(const std::string &key, std::string_view bytes)
{
    if (const auto at = byKey.find(key); at != byKey.end()) {
        memorySize -= at->second->second.size();
        memory.erase(at->second);
        byKey.erase(at);
    }
    if (bytes.size() > options.memoryLimit) return;
    memory.emplace_front(key, bytes);
    byKey[key] = memory.begin();
    memorySize += bytes.size();
    while (memorySize > options.memoryLimit) {
        memorySize -= memory.back().second.size();
        byKey.erase(memory.back().first);
        memory.pop_back();
    }
}

std::optional<std::string> StageCache::Impl::readEntry(const std::string &key)
{
    const fs::path file = fileOf(key);
    std::error_code code;
    if (!fs::exists(file, code)) return std::nullopt;
    std::string content;
    try {
        content = readFile(file);
    } catch (const Error &) {
        return std::nullopt; // another process has just removed it
    }
    std::uint64_t size = 0;
    const bool headed = content.size() >= headSize && content.starts_with(signature);
    if (headed) std::memcpy(&size, content.data() + signature.size(), sizeof size);
    const std::string_view bytes = std::string_view(content).substr(std::min(headSize, content.size()));
    if (!headed || size != bytes.size() || content.compare(signature.size() + 8, 64, checksum(key, bytes)) != 0) {
        fs::remove(file, code);
        options.note(QL_TEXT("removed a damaged cache entry (%1); its stage is recomputed").with(file.string()));
        return std::nullopt;
    }
    fs::last_write_time(file, Clock::now(), code); // used now: the last one to be removed
    return content.substr(headSize);
}

void StageCache::Impl::writeEntry(const std::string &key, std::string_view bytes)
{
    if (bytes.size() + headSize > options.diskLimit) return;
    const fs::path file = fileOf(key);
    std::error_code code;
    fs::create_directories(file.parent_path(), code);
    try {
        writeFileAtomically(file, [&](std::ostream &out) {
            const std::uint64_t size = bytes.size();
            char length[sizeof size];
            std::memcpy(length, &size, sizeof size);
            out.write(signature.data(), std::streamsize(signature.size()));
            out.write(length, sizeof length);
            out << checksum(key, bytes);
            out.write(bytes.data(), std::streamsize(bytes.size()));
        });
    } catch (const Error &error) {
        options.note(QL_TEXT("cannot write the cache (%1); results are not kept for the next run").with(error.message));
        folder.clear();
        return;
    }
    if (diskSize) *diskSize += bytes.size() + headSize;
    if (!diskSize || *diskSize > options.diskLimit) shrink();
}

/// Counts the entries, and removes the oldest ones down to nine tenths of the limit if there are too many.
void StageCache::Impl::shrink()
{
    // One process cleans up; for the others the folder may briefly be too large.
    const fs::path lockFile = folder / "lock";
    const int lock = ::open(lockFile.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock < 0) return;
    if (::flock(lock, LOCK_EX | LOCK_NB) != 0) {
        ::close(lock);
        return;
    }
    struct Entry
    {
        fs::path file;
        fs::file_time_type used;
        std::uint64_t size = 0;
    };
    std::vector<Entry> entries;
    std::uint64_t total = 0;
    std::error_code code;
    for (fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, code), end;
         !code && at != end; at.increment(code)) {
        std::error_code ignored;
        if (!at->is_regular_file(ignored) || at->path() == lockFile) continue;
        Entry entry{at->path(), at->last_write_time(ignored), at->file_size(ignored)};
        if (ignored) continue; // gone meanwhile
        // Left by a process that was killed while writing
        if (entry.file.extension() == ".part") {
            if (entry.used < Clock::now() - std::chrono::hours(1)) fs::remove(entry.file, ignored);
            continue;
        }
        total += entry.size;
        entries.push_back(std::move(entry));
    }
    if (total > options.diskLimit) {
        std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) { return a.used < b.used; });
        for (const Entry &entry : entries) {
            if (total <= options.diskLimit / 10 * 9) break;
            std::error_code ignored;
            fs::remove(entry.file, ignored);
            total -= entry.size;
        }
    }
    diskSize = total;
    ::close(lock); // unlocks
}

std::error_code makeCacheFolder(const fs::path &folder)
{
    std::error_code code;
    fs::create_directories(folder, code);
    if (!code && ::access(folder.c_str(), W_OK | X_OK) != 0) code = {errno, std::generic_category()};
    return code;
}

StageCache::StageCache(CacheOptions options) : m_impl(std::make_unique<Impl>())
{
    m_impl->options = std::move(options);
    m_impl->prepareFolder();
}

StageCache::~StageCache() = default;

std::optional<std::string> StageCache::get(const std::string &key)
{
    Impl &impl = *m_impl;
    const std::lock_guard lock(impl.mutex);
    if (const auto at = impl.byKey.find(key); at != impl.byKey.end()) {
        impl.memory.splice(impl.memory.begin(), impl.memory, at->second);
        return at->second->second;
    }
    if (impl.folder.empty()) return std::nullopt;
    std::optional<std::string> bytes = impl.readEntry(key);
    if (bytes) impl.remember(key, *bytes);
    return bytes;
}

void StageCache::put(const std::string &key, std::string_view bytes)
{
    Impl &impl = *m_impl;
    const std::lock_guard lock(impl.mutex);
    impl.remember(key, bytes);
    if (!impl.folder.empty()) impl.writeEntry(key, bytes);
}

fs::path StageCache::defaultFolder()
{
    if (const char *cache = std::getenv("XDG_CACHE_HOME"); cache && *cache == '/')
        return fs::path(cache) / "quantloupe";
    if (const char *home = std::getenv("HOME"); home && *home) return fs::path(home) / ".cache" / "quantloupe";
    return {};
}

} // namespace ql
