#pragma once

#include "core/base/text.h"

#include <cstdint>
#include <filesystem>
#include <istream>
#include <optional>

namespace ql {

/// Bytes that can be allocated now without swapping or being killed (Linux: MemAvailable, or less if a control group,
/// such as a container's, has a limit); 4 GiB if the system provides no number.
std::int64_t availableMemory();

/// The remedy of an Error (OutOfMemory) about a job.
Text memoryRemedy();

/// Bytes that the control groups of a process leave it: the minimum over its group and all parents, counting cached
/// files as free. Nothing if none has a limit. For both versions of Linux control groups.
/// @param root their mount point, usually /sys/fs/cgroup
/// @param membership lines as in /proc/self/cgroup
std::optional<std::int64_t> memoryLeftInGroups(const std::filesystem::path &root, std::istream &membership);

} // namespace ql
