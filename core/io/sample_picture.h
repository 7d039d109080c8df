#pragma once

#include "core/io/image.h"

#include <ATen/core/Tensor.h>
#include <cmath>
#include <cstdint>
#include <optional>

namespace ql {

/// Smallest and largest finite value.
struct Range
{
    double min = INFINITY, max = -INFINITY;
};
/// x: float32, contiguous.
Range rangeOf(const at::Tensor &x);

/// The channel axis of a sample [C, H, W] or [H, W, C], -1 if it does not look like an image.
std::int64_t imageAxis(const at::Tensor &sample);

/// The sample as 8-bit RGB, reduced by nearest pixels until no side is longer than `side`. Values from 0 to 255 or to 1
/// keep their brightness; others are stretched between minimum and maximum. An axis of 1 before those of an image is
/// dropped. @returns nothing if the sample does not look like an image or has no finite values
std::optional<Image> pictureOf(const at::Tensor &sample, int side);

} // namespace ql
