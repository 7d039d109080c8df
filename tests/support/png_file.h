#pragma once

#include <string>
#include <vector>

#include <zlib.h>

/// A part of a PNG with its length and checksum. (PNG specification, section 5.3)
inline std::string pngChunk(const std::string &type, const std::string &data)
{
    const auto number = [](std::size_t value) {
        std::string bytes;
        for (int shift = 24; shift >= 0; shift -= 8) bytes += char(value >> shift & 255);
        return bytes;
    };
    const std::string checked = type + data;
    const auto sum = crc32(0, reinterpret_cast<const Bytef *>(checked.data()), uInt(checked.size()));
    return number(data.size()) + checked + number(sum);
}

inline std::string pngHeader(unsigned width, unsigned height, int depth, int colour)
{
    std::string sizes;
    for (const unsigned size : {width, height})
        for (int shift = 24; shift >= 0; shift -= 8) sizes += char(size >> shift & 255);
    return "\x89PNG\r\n\x1a\n" + pngChunk("IHDR", sizes + char(depth) + char(colour) + std::string(3, 0));
}

/// Of 2 x 3 pixels, packed into rows of whole bytes. colour: 0 grey, 2 red green blue, 3 palette, 4 grey and alpha, 6
/// all. The palette's colour i is (10 i, 10 i + 1, 10 i + 2), its first one transparent.
inline std::string smallPng(int depth, int colour, const std::string &pixels)
{
    std::string rows; // each after the number of its filter
    for (std::size_t i = 0; i < pixels.size(); ++i)
        rows += (i % (pixels.size() / 3) == 0 ? std::string(1, 0) : "") + pixels[i];
    std::vector<Bytef> packed(compressBound(uLong(rows.size())));
    uLongf size = uLongf(packed.size());
    compress(packed.data(), &size, reinterpret_cast<const Bytef *>(rows.data()), uLong(rows.size()));
    std::string palette;
    for (int i = 0; i < 3; ++i) palette += {char(10 * i), char(10 * i + 1), char(10 * i + 2)};
    return pngHeader(2, 3, depth, colour) + (colour == 3 ? pngChunk("PLTE", palette) + pngChunk("tRNS", "\x01") : "") +
           pngChunk("IDAT", std::string(packed.begin(), packed.begin() + std::ptrdiff_t(size))) + pngChunk("IEND", "");
}
