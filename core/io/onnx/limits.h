#pragma once

#include <cstdint>

namespace ql::onnx_io {

// Limits of an ONNX file. Far above every real network, low enough that a hostile file cannot exhaust the machine.
inline constexpr std::int64_t maxModelBytes = 2147483647; ///< protobuf's own limit for one message
inline constexpr std::int64_t maxRecords = 4'000'000;     ///< messages and strings in one file (each costs ~200 bytes)
inline constexpr int maxGraphDepth = 16;                  ///< nested graphs (If in Loop in If ...)
inline constexpr int maxFunctionDepth = 16;               ///< functions that call functions
inline constexpr std::int64_t maxNodes = 1'000'000;       ///< all graphs, functions expanded
inline constexpr std::int64_t maxInputElements = std::int64_t(1) << 32; ///< elements of one graph input
inline constexpr std::int64_t maxSparseBytes = std::int64_t(1) << 28;   ///< a sparse tensor stored densely

inline constexpr std::int64_t minIrVersion = 3, maxIrVersion = 14;
inline constexpr std::int64_t minOpset = 6; ///< up to newestOpset (core/ir/opset.h)

} // namespace ql::onnx_io
