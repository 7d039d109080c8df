#pragma once

#include <cstdint>

namespace ql::caffe_io {

// Limits of a Caffe file: far above every real network, low enough that a hostile file cannot exhaust the machine.
inline constexpr std::int64_t maxFileBytes = 2147483647;               ///< protobuf's own limit for one message
inline constexpr std::int64_t maxTextBytes = std::int64_t(256) << 20;  ///< a text file, weights included
inline constexpr int maxTextDepth = 24;                                ///< nested messages in a text file
inline constexpr std::int64_t maxLayers = 100'000;                     ///< of one net
inline constexpr std::int64_t maxTops = 1'000'000;                     ///< names of bottoms and tops, all layers
inline constexpr std::int64_t maxRecords = 4'000'000;                  ///< length-delimited fields of a binary file
inline constexpr std::int64_t maxRank = 32;                            ///< axes of a blob
inline constexpr std::int64_t maxElements = std::int64_t(1) << 32;     ///< of a blob that the net computes
inline constexpr std::int64_t maxMadeElements = std::int64_t(1) << 26; ///< of a constant that the importer computes

} // namespace ql::caffe_io
