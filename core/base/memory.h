#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <optional>

namespace ql {

/// Bytes that can be taken now without swapping or killing (Linux: MemAvailable, or less where a control group, as of a
/// container, has a limit); a guess of 4 GiB where the system does not say.
std::int64_t availableMemory();

/// What the control groups of a process leave it, bytes: the least over its group and all above it, counting cached
/// files as free. Nothing where none has a limit. Of both versions of Linux' control groups.
/// @param root where they are mounted, usually /sys/fs/cgroup
/// @param membership lines as of /proc/self/cgroup
std::optional<std::int64_t> memoryLeftInGroups(const std::filesystem::path &root, std::istream &membership);

} // namespace ql
