#include "core/io/image.h"

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/io/exif.h"

#include <algorithm>
#include <cctype>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <memory>

#include <jerror.h>
#include <jpeglib.h>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_ONLY_BMP
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#include <stb/stb_image.h>

namespace ql {

static constexpr std::int64_t largestImage = 100'000'000;

void Image::toFloat()
{
    if (floating) return;
    values.assign(bytes.begin(), bytes.end());
    bytes.clear();
    floating = true;
}

static Error badImage(const std::string &file, const Text &why)
{
    return Error(ErrorKind::BadData, why)
        .inFile(file)
        .withRemedy(QL_TEXT("Convert it to PNG or JPEG, or remove it from the data."));
}

static void checkSize(std::int64_t width, std::int64_t height, const std::string &file)
{
    if (width < 1 || height < 1 || width * height > largestImage)
        throw badImage(file, QL_TEXT("expected an image of at most 100 million pixels, got %1x%2").with(width, height));
}

namespace {

/// libjpeg reports errors by a call that must not return.
struct JpegError
{
    jpeg_error_mgr manager; // first: libjpeg uses only this part
    std::jmp_buf jump;
    char message[JMSG_LENGTH_MAX];
    bool truncated;
};

void jpegFail(j_common_ptr info)
{
    auto *error = reinterpret_cast<JpegError *>(info->err);
    info->err->format_message(info, error->message);
    std::longjmp(error->jump, 1);
}

void jpegMessage(j_common_ptr info, int level)
{
    auto *error = reinterpret_cast<JpegError *>(info->err);
    if (level < 0 && info->err->msg_code == JWRN_JPEG_EOF) error->truncated = true;
}

/// The part between setjmp and longjmp: it has no objects with destructors.
/// @returns false if libjpeg failed; error.message has the reason
bool jpegHeader(jpeg_decompress_struct &info, JpegError &error, std::string_view bytes)
{
    if (setjmp(error.jump)) return false;
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, reinterpret_cast<const unsigned char *>(bytes.data()),
                 static_cast<unsigned long>(bytes.size()));
    jpeg_save_markers(&info, JPEG_APP0 + 1, 0xffff); // EXIF
    jpeg_read_header(&info, TRUE);
    if (info.jpeg_color_space == JCS_YCCK || info.jpeg_color_space == JCS_CMYK)
        info.out_color_space = JCS_CMYK;
    else
        info.out_color_space = info.num_components == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_calc_output_dimensions(&info);
    return true;
}

bool jpegPixels(jpeg_decompress_struct &info, JpegError &error, std::uint8_t *out)
{
    if (setjmp(error.jump)) return false;
    jpeg_start_decompress(&info);
    const std::size_t row = std::size_t(info.output_width) * std::size_t(info.output_components);
    while (info.output_scanline < info.output_height) {
        JSAMPROW line = out + row * info.output_scanline;
        jpeg_read_scanlines(&info, &line, 1);
    }
    jpeg_finish_decompress(&info);
    return true;
}

int orientationOf(const jpeg_decompress_struct &info)
{
    for (jpeg_saved_marker_ptr marker = info.marker_list; marker; marker = marker->next)
        if (const int orientation =
                exifOrientation({reinterpret_cast<const char *>(marker->data), marker->data_length});
            orientation != 1)
            return orientation;
    return 1;
}

} // namespace

static Image decodeJpeg(std::string_view bytes, const std::string &file)
{
    jpeg_decompress_struct info{};
    JpegError error{};
    info.err = jpeg_std_error(&error.manager);
    error.manager.error_exit = jpegFail;
    error.manager.emit_message = jpegMessage;
    const std::unique_ptr<jpeg_decompress_struct, void (*)(jpeg_decompress_struct *)> guard(
        &info, [](jpeg_decompress_struct *i) { jpeg_destroy_decompress(i); });

    if (!jpegHeader(info, error, bytes)) throw badImage(file, QL_TEXT("damaged JPEG: %1").with(error.message));
    checkSize(info.output_width, info.output_height, file);
    Image out;
    out.width = int(info.output_width);
    out.height = int(info.output_height);
    const auto components = std::size_t(info.output_components);
    std::vector<std::uint8_t> raw(std::size_t(out.width) * std::size_t(out.height) * components);
    const int orientation = orientationOf(info); // the end of decompression frees the markers
    if (!jpegPixels(info, error, raw.data())) throw badImage(file, QL_TEXT("damaged JPEG: %1").with(error.message));
    if (error.truncated) throw badImage(file, QL_TEXT("the JPEG is truncated"));
    if (components != 4) {
        out.channels = int(components);
        out.bytes = std::move(raw);
        orient(out, orientation);
        return out;
    }
    // Adobe's programs write inverted ink: 255 is no ink.
    out.bytes.resize(out.size());
    const int flip = info.saw_Adobe_marker ? 0 : 255;
    for (std::size_t i = 0; i < raw.size() / 4; ++i)
        for (std::size_t c = 0; c < 3; ++c) {
            const int light = std::abs(flip - raw[4 * i + c]), black = std::abs(flip - raw[4 * i + 3]);
            out.bytes[3 * i + c] = std::uint8_t((light * black + 127) / 255);
        }
    orient(out, orientation);
    return out;
}

static Error largeNumber(std::int64_t value, const std::string &file)
{
    return Error(ErrorKind::BadData, QL_TEXT("a pixel is %1, numbers of classes are at most 255").with(value))
        .inFile(file);
}

/// PPM and PGM (netpbm's ppm(5), pgm(5)): "P6 width height maximum" in text with comments, one white space, raw bytes.
/// areNumbers: they are not scaled.
static Image decodePnm(std::string_view bytes, const std::string &file, bool areNumbers)
{
    std::size_t at = 2;
    const auto isSpace = [&] { return std::isspace(static_cast<unsigned char>(bytes[at])); };
    const auto number = [&] {
        while (at < bytes.size() && (isSpace() || bytes[at] == '#'))
            if (bytes[at] == '#')
                at = std::min(bytes.find('\n', at), bytes.size());
            else
                ++at;
        std::int64_t value = -1;
        for (; at < bytes.size() && bytes[at] >= '0' && bytes[at] <= '9' && value < 1'000'000'000; ++at)
            value = std::max<std::int64_t>(value, 0) * 10 + (bytes[at] - '0');
        return value;
    };
    Image out;
    out.channels = bytes[1] == '6' ? 3 : 1;
    const std::int64_t width = number(), height = number(), maximum = number();
    if (width < 1 || height < 1 || maximum < 1 || maximum > 65535 || at >= bytes.size() || !isSpace())
        throw badImage(file, QL_TEXT("damaged header of a PPM or PGM image"));
    ++at;
    checkSize(width, height, file);
    out.width = int(width);
    out.height = int(height);
    const std::size_t each = maximum > 255 ? 2 : 1;
    if (bytes.size() - at < out.size() * each) throw badImage(file, QL_TEXT("the image is truncated"));
    out.bytes.resize(out.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const auto byte = [&](std::size_t k) {
            return std::int64_t(static_cast<unsigned char>(bytes[at + i * each + k]));
        };
        const std::int64_t value = each == 1 ? byte(0) : byte(0) << 8 | byte(1);
        if (areNumbers && value > 255) throw largeNumber(value, file);
        const bool isStored = areNumbers || maximum == 255;
        out.bytes[i] = std::uint8_t(std::min<std::int64_t>(255, isStored ? value : value * 255 / maximum));
    }
    return out;
}

/// stb reads zeros past the end of a BMP; the sizes in its header show whether the rows are complete.
static bool isTruncatedBmp(std::string_view bytes)
{
    if (bytes.size() < 54) return true;
    const auto number = [&](std::size_t at) {
        std::uint32_t value = 0;
        std::memcpy(&value, bytes.data() + at, 4);
        return value;
    };
    const std::uint64_t width = number(18), height = std::uint64_t(std::abs(std::int64_t(std::int32_t(number(22)))));
    const std::uint64_t bits = number(28) & 0xffff, row = (width * bits + 31) / 32 * 4;
    return bytes.size() < number(10) + row * height;
}

static Image decodeOther(std::string_view bytes, const std::string &file)
{
    const auto *data = reinterpret_cast<const stbi_uc *>(bytes.data());
    int width = 0, height = 0, channels = 0;
    if (bytes.starts_with("\x89PNG") && bytes.size() >= 24) { // IHDR: the sizes, most significant byte first
        const auto number = [&](std::size_t at) {
            std::int64_t value = 0;
            for (std::size_t i = 0; i < 4; ++i) value = value << 8 | data[at + i];
            return value;
        };
        checkSize(number(16), number(20), file);
    }
    if (bytes.size() > std::size_t(1) << 30 ||
        !stbi_info_from_memory(data, int(bytes.size()), &width, &height, &channels))
        throw badImage(file, QL_TEXT("expected an image (JPEG, PNG, BMP, PPM or PGM), found other content"));
    checkSize(width, height, file);
    if (bytes.starts_with("BM") && isTruncatedBmp(bytes)) throw badImage(file, QL_TEXT("the image is truncated"));
    Image out;
    out.channels = channels < 3 ? 1 : 3;
    const std::unique_ptr<stbi_uc, void (*)(void *)> pixels(
        stbi_load_from_memory(data, int(bytes.size()), &width, &height, &channels, out.channels), stbi_image_free);
    if (!pixels) throw badImage(file, QL_TEXT("damaged image: %1").with(stbi_failure_reason()));
    out.width = width;
    out.height = height;
    out.bytes.assign(pixels.get(), pixels.get() + out.size());
    return out;
}

Image decodeImage(std::string_view bytes, const std::string &file)
{
    if (bytes.empty()) throw badImage(file, QL_TEXT("the image file is empty"));
    const bool jpeg = bytes.size() > 2 && std::memcmp(bytes.data(), "\xff\xd8", 2) == 0;
    if (jpeg) return decodeJpeg(bytes, file);
    if (bytes.starts_with("P5") || bytes.starts_with("P6")) return decodePnm(bytes, file, false);
    return decodeOther(bytes, file);
}

/// Fields of a PNG's header. (PNG specification, section 11.2.2)
static constexpr std::size_t pngDepth = 24, pngColour = 25;
static constexpr char greyColour = 0, paletteColour = 3;

/// A PNG with a palette as a grey one, whose values are the indices.
static std::string withoutPalette(std::string_view png)
{
    constexpr std::size_t signature = 8, around = 12; // length, type and checksum, which stb does not read
    std::string grey(png.substr(0, signature));
    for (std::size_t at = signature; at + around <= png.size();) {
        std::uint64_t length = 0;
        for (std::size_t i = 0; i < 4; ++i) length = length << 8 | static_cast<unsigned char>(png[at + i]);
        const std::string_view chunk = png.substr(at, around + length), type = chunk.substr(4, 4);
        if (type != "PLTE" && type != "tRNS") grey += chunk;
        at += chunk.size();
    }
    if (grey.size() > pngColour) grey[pngColour] = greyColour;
    return grey;
}

/// A grey PNG of 16 bits.
static Image decodeWideNumbers(std::string_view png, const std::string &file)
{
    constexpr std::uint16_t largest = 65535;
    Image out = decodeOther(png, file); // reports what is wrong with it
    int width = 0, height = 0, channels = 0;
    const std::unique_ptr<stbi_us, void (*)(void *)> pixels(
        stbi_load_16_from_memory(reinterpret_cast<const stbi_uc *>(png.data()), int(png.size()), &width, &height,
                                 &channels, 1),
        stbi_image_free);
    for (std::size_t i = 0; pixels && i < out.size(); ++i) {
        const std::uint16_t value = pixels.get()[i];
        if (value > 255 && value != largest) throw largeNumber(value, file);
        out.bytes[i] = std::uint8_t(std::min<std::uint16_t>(value, 255));
    }
    return out;
}

Image decodeNumbers(std::string_view bytes, const std::string &file)
{
    if (bytes.starts_with("P5")) return decodePnm(bytes, file, true);
    const bool isPng = bytes.starts_with("\x89PNG") && bytes.size() > pngColour;
    const int depth = isPng ? bytes[pngDepth] : 8;
    const bool isGrey = isPng && bytes[pngColour] == greyColour,
               hasPalette = isPng && bytes[pngColour] == paletteColour;
    if (isGrey && depth == 16) return decodeWideNumbers(bytes, file);
    Image out = decodeImage(hasPalette ? withoutPalette(bytes) : bytes, file);
    if (out.channels != 1)
        throw Error(ErrorKind::BadData, QL_TEXT("a mask must be a grey image of class numbers, or have a palette"))
            .inFile(file)
            .withRemedy(QL_TEXT("Replace its colors by the numbers of classes."));
    if ((isGrey || hasPalette) && depth < 8) { // stb makes the largest one 255
        const int step = 255 / ((1 << depth) - 1);
        for (std::uint8_t &byte : out.bytes) byte = std::uint8_t(byte / step);
    }
    return out;
}

} // namespace ql
