#pragma once

#include <cstdint>

namespace ql {

/// The newest version of ai.onnx whose operators are known: that of ONNX 1.23. A kernel follows its operator up to here
/// unless its entry says otherwise; versions 22 to 28 mostly add types.
inline constexpr std::int64_t newestOpset = 28;

} // namespace ql
