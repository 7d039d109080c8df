#pragma once

#include <string_view>

namespace ql {

/// Where the steps of a preprocessing put the pixels of an image: pixel (x, y) of the image is at (x * scaleX + left, y
/// * scaleY + top) of the input.
struct Placement
{
    double scaleX = 1, scaleY = 1, left = 0, top = 0;
    int width = 0, height = 0;           ///< of the input
    int shownWidth = 0, shownHeight = 0; ///< of the image in it, including what is cropped
};

/// Of an image of width x height. @throws Error (BadConfig) for a step that turns or mirrors the image
Placement placementOf(std::string_view preprocess, int width, int height);

} // namespace ql
