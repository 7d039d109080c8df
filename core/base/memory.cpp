#include "core/base/memory.h"

#include <algorithm>
#include <fstream>
#include <string>

namespace ql {

namespace fs = std::filesystem;

namespace {

/// From a file with one number; nothing for "max", or if the file does not exist.
std::optional<std::int64_t> numberIn(const fs::path &file)
{
    std::ifstream in(file);
    std::int64_t value = 0;
    return in >> value ? std::optional(value) : std::nullopt;
}

/// The value of name in lines of "name value"; 0 if there is none.
std::int64_t entryIn(const fs::path &file, const std::string &name)
{
    std::ifstream in(file);
    std::string key;
    for (std::int64_t value = 0; in >> key >> value;)
        if (key == name) return value;
    return 0;
}

struct Names
{
    const char *limit, *used, *cached;
};
constexpr Names version2{"memory.max", "memory.current", "inactive_file"};
constexpr Names version1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};

std::optional<std::int64_t> leftIn(const fs::path &group, const Names &names)
{
    const auto limit = numberIn(group / names.limit), used = numberIn(group / names.used);
    if (!limit || !used) return std::nullopt;
    return std::max<std::int64_t>(*limit - (*used - entryIn(group / "memory.stat", names.cached)), 0);
}

} // namespace

std::optional<std::int64_t> memoryLeftInGroups(const fs::path &root, std::istream &membership)
{
    std::optional<std::int64_t> least;
    for (std::string line; std::getline(membership, line);) { // "4:memory:/a/b", of version 2 "0::/a/b"
        const auto first = line.find(':'), second = line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
        const bool isVersion2 = controllers == ",,";
        if (!isVersion2 && controllers.find(",memory,") == std::string::npos) continue;
        const fs::path mount = isVersion2 ? root : root / "memory";
        // In a container the path may be that of the host, which does not exist here: then the mount itself is the
        // group
        for (fs::path below = fs::path(line.substr(second + 1)).relative_path();; below = below.parent_path()) {
            if (const auto left = leftIn(mount / below, isVersion2 ? version2 : version1))
                least = std::min(least.value_or(*left), *left);
            if (below.empty()) break;
        }
    }
    return least;
}

Text memoryRemedy()
{
    return QL_TEXT("Use a smaller %1, a smaller batch or fewer tensors, or a machine with more memory.")
        .with(Text::option("--input-shape"));
}

std::int64_t availableMemory()
{
    std::ifstream in("/proc/meminfo"), membership("/proc/self/cgroup");
    std::int64_t available = std::int64_t{4} << 30;
    std::string name, unit;
    for (std::int64_t value = 0; in >> name >> value; std::getline(in, unit))
        if (name == "MemAvailable:") available = value * 1024;
    return std::min(available, memoryLeftInGroups("/sys/fs/cgroup", membership).value_or(available));
}

} // namespace ql
