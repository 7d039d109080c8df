#pragma once

#include <cstdint>

namespace ql {

/// Bytes that can be taken now without swapping or killing (Linux: MemAvailable); a guess of 4 GiB where the system
/// does not say.
std::int64_t availableMemory();

} // namespace ql
