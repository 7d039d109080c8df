#pragma once

#include "core/io/image.h"

#include <string>
#include <string_view>

namespace ql {

enum class PngPixels {
    Colours, ///< as decodeImage()
    Numbers, ///< as decodeNumbers()
};

bool isPng(std::string_view bytes);

/// Decodes a PNG with libpng. file is for messages. @throws Error (BadData) as decodeImage() and decodeNumbers()
Image decodePng(std::string_view bytes, const std::string &file, PngPixels pixels);

/// image: 8-bit, not floating. @throws Error (Internal) without memory
std::string encodePng(const Image &image);

} // namespace ql
