#include "core/io/image.h"

#include "core/base/strings.h"
#include "core/io/exif.h"
#include "core/io/image_error.h"
#include "core/io/png.h"

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
#define STBI_ONLY_BMP
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#include <stb/stb_image.h>

namespace ql {

void Image::toFloat()
{
    if (floating) return;
    values.assign(bytes.begin(), bytes.end());
    bytes.clear();
    floating = true;
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
    checkImageSize(info.output_width, info.output_height, file);
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
    checkImageSize(width, height, file);
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

static Image decodeBmp(std::string_view bytes, const std::string &file)
{
    const auto *data = reinterpret_cast<const stbi_uc *>(bytes.data());
    int width = 0, height = 0, channels = 0;
    if (bytes.size() > std::size_t(1) << 30 ||
        !stbi_info_from_memory(data, int(bytes.size()), &width, &height, &channels))
        throw badImage(file, QL_TEXT("expected an image (JPEG, PNG, BMP, PPM or PGM), found other content"));
    checkImageSize(width, height, file);
    if (isTruncatedBmp(bytes)) throw badImage(file, QL_TEXT("the image is truncated"));
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
    if (bytes.size() > 2 && bytes.starts_with("\xff\xd8")) return decodeJpeg(bytes, file);
    if (isPng(bytes)) return decodePng(bytes, file, PngPixels::Colours);
    if (bytes.starts_with("P5") || bytes.starts_with("P6")) return decodePnm(bytes, file, false);
    return decodeBmp(bytes, file);
}

Image decodeNumbers(std::string_view bytes, const std::string &file)
{
    if (isPng(bytes)) return decodePng(bytes, file, PngPixels::Numbers);
    Image out = bytes.starts_with("P5") ? decodePnm(bytes, file, true) : decodeImage(bytes, file);
    if (out.channels != 1) throw notNumbers(file);
    return out;
}

} // namespace ql
