#pragma once

#include "core/io/image.h"

namespace ql {

/// Bilinear and bicubic widen their kernel when they shrink (no aliasing).
enum class Filter { Nearest, Bilinear, Bicubic };

/// Scales an image to width x height by two one-dimensional convolutions, horizontal first. Output pixel i is centred
/// at c = (i + 0.5) * in / out; source pixel j has weight filter((j + 0.5 - c) / s), s = max(1, in / out), with weights
/// normalized to 1. 8-bit images are rounded to 8 bits after each convolution, with weights in 22-bit fixed point: the
/// same arithmetic, and the same bytes, as Pillow's resize. @pre width, height >= 1
Image resample(const Image &image, int width, int height, Filter filter);

} // namespace ql
