#pragma once

#include "core/io/image.h"

#include <string_view>

namespace ql {

/// The tag Orientation (EXIF 2.3, 4.6.4 A) in the payload of a JPEG's APP1 segment. @returns 1 (as stored) to 8; 1 if
/// the segment holds none, or is damaged
int exifOrientation(std::string_view segment);

/// Turns and mirrors an image that was stored in this orientation, so that its first row is the visual top.
void orient(Image &image, int orientation);

} // namespace ql
