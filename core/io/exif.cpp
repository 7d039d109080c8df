// EXIF 2.3 (CIPA DC-008): "Exif\0\0", then a TIFF file, whose first directory may have the tag Orientation: which sides
// of the scene the first row and the first column of the stored pixels show.
#include "core/io/exif.h"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace ql {

int exifOrientation(std::string_view segment)
{
    using namespace std::string_view_literals;
    constexpr std::uint32_t orientationTag = 0x0112, shortType = 3;
    constexpr std::size_t entrySize = 12;
    if (!segment.starts_with("Exif\0\0"sv)) return 1;
    const std::string_view tiff = segment.substr(6);
    const bool isLittle = tiff.starts_with("II*\0"sv);
    if (!isLittle && !tiff.starts_with("MM\0*"sv)) return 1;
    const auto number = [&](std::size_t at, std::size_t bytes) { // 0 outside of the segment: no tag, or no entries
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < bytes && at + bytes <= tiff.size(); ++i)
            value = value << 8 | static_cast<unsigned char>(tiff[at + (isLittle ? bytes - 1 - i : i)]);
        return value;
    };
    const std::size_t directory = number(4, 4), entries = number(directory, 2);
    for (std::size_t i = 0; i < entries; ++i) {
        const std::size_t entry = directory + 2 + i * entrySize;
        if (number(entry, 2) != orientationTag || number(entry + 2, 2) != shortType) continue;
        const std::uint32_t value = number(entry + 8, 2);
        return value >= 1 && value <= 8 ? int(value) : 1;
    }
    return 1;
}

void orient(Image &image, int orientation)
{
    if (orientation <= 1 || orientation > 8) return;
    const bool isTransposed = orientation >= 5;
    const bool fromRight = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    const bool fromBottom = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    const auto turned = [&](const auto &from) {
        const auto width = std::size_t(image.width), height = std::size_t(image.height);
        const auto channels = std::size_t(image.channels);
        auto to = from;
        std::size_t out = 0;
        for (std::size_t row = 0; row < (isTransposed ? width : height); ++row)
            for (std::size_t column = 0; column < (isTransposed ? height : width); ++column) {
                const std::size_t across = isTransposed ? row : column, down = isTransposed ? column : row;
                const std::size_t x = fromRight ? width - 1 - across : across;
                const std::size_t y = fromBottom ? height - 1 - down : down;
                for (std::size_t c = 0; c < channels; ++c) to[out++] = from[(y * width + x) * channels + c];
            }
        return to;
    };
    if (image.floating)
        image.values = turned(image.values);
    else
        image.bytes = turned(image.bytes);
    if (isTransposed) std::swap(image.width, image.height);
}

} // namespace ql
