#pragma once

#include <cstdint>

namespace ql {

/// The newest supported version of ai.onnx: that of ONNX 1.23. A kernel follows its operator up to here unless its
/// entry differs; versions 22 to 28 mostly add types.
inline constexpr std::int64_t newestOpset = 28;

} // namespace ql
