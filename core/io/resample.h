#pragma once

#include "core/io/image.h"

namespace ql {

/// Bilinear and bicubic widen their kernel when they shrink (no aliasing).
enum class Filter { Nearest, Bilinear, Bicubic };

/// Scales picture to width x height by two one-dimensional convolutions, horizontal first. An output pixel at i looks
/// at c = (i + 0.5) * in / out; a source pixel at j weighs filter((j + 0.5 - c) / s), s = max(1, in / out), weights
/// normalised to 1. 8-bit pictures are rounded to 8 bits after each convolution, with weights in 22-bit fixed point:
/// the arithmetic of Pillow's resize, whose bytes come out. @pre width, height >= 1
Picture resample(const Picture &picture, int width, int height, Filter filter);

} // namespace ql
