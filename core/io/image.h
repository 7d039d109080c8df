#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ql {

/// Pixels of height x width x channels, rows from the top, channels interleaved. 8-bit images keep their bytes (as in
/// the programs used for training); a step that needs fractions converts them to float32, 0..255.
struct Image
{
    int width = 0;
    int height = 0;
    int channels = 3; ///< 1 grey, 3 red green blue (or blue green red after the step bgr)
    bool floating = false;
    std::vector<std::uint8_t> bytes; ///< the pixels while floating is false
    std::vector<float> values;       ///< the pixels while floating is true

    std::size_t size() const { return std::size_t(width) * std::size_t(height) * std::size_t(channels); }
    void toFloat();
};

/// Decodes JPEG (libjpeg), PNG (libpng), BMP or PNM by content. Grey images have one channel; alpha is dropped, 16 bits
/// are truncated to 8, CMYK becomes RGB, and the EXIF orientation of a JPEG is applied. file is for messages.
/// @throws Error (BadData) for another format, a truncated file, or more than 100 million pixels (before memory is
/// allocated)
Image decodeImage(std::string_view bytes, const std::string &file);
/// An image of numbers, one channel: grey values as stored, without scaling them to 255, and the indices of a palette
/// instead of its colours. 65535 becomes 255. @throws Error (BadData) as decodeImage, for colours, and for numbers
/// above 255
Image decodeNumbers(std::string_view bytes, const std::string &file);

} // namespace ql
