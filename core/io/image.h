#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ql {

/// Pixels of height x width x channels, rows from the top, channels interleaved. 8-bit pictures keep their bytes (as
/// the programs do that models are trained with); a step that needs fractions turns them into float32, 0..255.
struct Picture
{
    int width = 0;
    int height = 0;
    int channels = 3; ///< 1 grey, 3 red green blue (or blue green red after a step that says so)
    bool floating = false;
    std::vector<std::uint8_t> bytes; ///< the pixels while floating is false
    std::vector<float> values;       ///< the pixels while floating is true

    std::size_t size() const { return std::size_t(width) * std::size_t(height) * std::size_t(channels); }
    void toFloat();
};

/// Decodes JPEG (libjpeg), PNG, BMP or PNM by content. Grey pictures have one channel; alpha is dropped, 16 bits are
/// cut to 8, CMYK becomes RGB; orientation tags are ignored (as Pillow does). file is for messages.
/// @throws Error (BadData) for another format, a truncated file, or more than 100 million pixels (before memory is
/// taken)
Picture decodeImage(std::string_view bytes, const std::string &file);

} // namespace ql
