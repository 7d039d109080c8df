#pragma once

#include <cstdint>

namespace ql::winograd {

// Minimal filtering F(4x4, 3x3): 16 results of a 3x3 convolution from a tile of 6x6 values with 36 products per pair
// of channels instead of 144 (Lavin and Gray 2015, "Fast Algorithms for Convolutional Neural Networks"). The
// interpolation points are 0, 5/8, -5/8, 3/2, -3/2 and infinity: with those of the paper (1 and 2) rounding errors are
// 7 dB larger. Entry t = 6 i + j of a transformed tile, i down and j across, is at t * stride.

inline constexpr std::int64_t tile = 6;    ///< rows and columns of values that a tile reads
inline constexpr std::int64_t results = 4; ///< rows and columns of its results
inline constexpr std::int64_t products = tile * tile;
inline constexpr std::int64_t lanes = 16; ///< numbers of channels are multiples of this

/// weights: 9 rows of count values, row 3 y + x. out: 36 rows of count values. Computed in double precision.
void transformWeights(const float *weights, std::int64_t count, float *out);
/// values: 36 pixels of the tile, row by row, each with this many channels.
void transformTile(const float *const *values, std::int64_t channels, float *out, std::int64_t stride);
/// pixels: destinations of the 16 results, row by row; nullptr: skip. bias: one per channel. Results are clamped to
/// [low, high]; NaN stays NaN.
void transformBack(const float *in, std::int64_t stride, std::int64_t channels, const float *bias, float low,
                   float high, float *const *pixels);

} // namespace ql::winograd
