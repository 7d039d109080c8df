#include "core/io/png.h"

#include "core/io/image_error.h"

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstring>

#include <png.h>

namespace ql {

bool isPng(std::string_view bytes)
{
    return bytes.starts_with("\x89PNG\r\n\x1a\n");
}

namespace {

constexpr std::size_t longestMessage = 200;

struct PngSource
{
    std::string_view unread;
    bool truncated = false;
    char message[longestMessage] = {};
};

void readPng(png_structp png, png_bytep out, std::size_t size)
{
    auto *source = static_cast<PngSource *>(png_get_io_ptr(png));
    if (size > source->unread.size()) {
        source->truncated = true;
        png_error(png, "end of file");
    }
    std::memcpy(out, source->unread.data(), size);
    source->unread.remove_prefix(size);
}

/// libpng reports errors by a call that must not return.
[[noreturn]] void pngFail(png_structp png, png_const_charp message)
{
    std::snprintf(static_cast<PngSource *>(png_get_error_ptr(png))->message, longestMessage, "%s", message);
    png_longjmp(png, 1);
}

void ignoreWarning(png_structp, png_const_charp) {}

class PngReader
{
public:
    PngReader(PngSource &source, const std::string &file)
        : m_png(png_create_read_struct(PNG_LIBPNG_VER_STRING, &source, pngFail, ignoreWarning)), m_source(source),
          m_file(file)
    {
        m_info = m_png ? png_create_info_struct(m_png) : nullptr;
        if (!m_info) {
            png_destroy_read_struct(&m_png, nullptr, nullptr);
            throw badImage(file, QL_TEXT("damaged PNG: %1").with("libpng"));
        }
        png_set_read_fn(m_png, &source, readPng);
        png_set_user_limits(m_png, PNG_UINT_31_MAX, PNG_UINT_31_MAX); // checkImageSize() has ours
    }
    ~PngReader() { png_destroy_read_struct(&m_png, &m_info, nullptr); }
    PngReader(const PngReader &) = delete;
    PngReader &operator=(const PngReader &) = delete;

    void check(bool isGood) const
    {
        if (isGood) return;
        throw badImage(m_file, m_source.truncated ? QL_TEXT("the image is truncated")
                                                  : QL_TEXT("damaged PNG: %1").with(m_source.message));
    }

    // The parts between setjmp and longjmp: they have no objects with destructors. False: libpng failed.
    bool header()
    {
        if (setjmp(png_jmpbuf(m_png))) return false;
        png_read_info(m_png, m_info);
        return true;
    }
    bool transform(PngPixels pixels)
    {
        if (setjmp(png_jmpbuf(m_png))) return false;
        if (pixels == PngPixels::Numbers) {
            png_set_packing(m_png); // a byte for each pixel, not scaled
        } else {
            png_set_expand(m_png); // palettes to colours, fewer than 8 bits to 8
            png_set_strip_16(m_png);
        }
        png_set_strip_alpha(m_png);
        png_set_interlace_handling(m_png);
        png_read_update_info(m_png, m_info);
        return true;
    }
    bool read(png_bytepp rows)
    {
        if (setjmp(png_jmpbuf(m_png))) return false;
        png_read_image(m_png, rows);
        png_read_end(m_png, nullptr);
        return true;
    }

    std::int64_t width() const { return png_get_image_width(m_png, m_info); }
    std::int64_t height() const { return png_get_image_height(m_png, m_info); }
    int channels() const { return png_get_channels(m_png, m_info); }
    int depth() const { return png_get_bit_depth(m_png, m_info); }

private:
    png_structp m_png;
    png_infop m_info = nullptr;
    PngSource &m_source;
    const std::string &m_file;
};

/// Big-endian values of 16 bits; 65535 becomes 255.
std::vector<std::uint8_t> narrowed(const std::vector<std::uint8_t> &wide, const std::string &file)
{
    constexpr int largest = 65535;
    std::vector<std::uint8_t> out(wide.size() / 2);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const int value = wide[2 * i] << 8 | wide[2 * i + 1];
        if (value > 255 && value != largest) throw largeNumber(value, file);
        out[i] = std::uint8_t(std::min(value, 255));
    }
    return out;
}

} // namespace

Image decodePng(std::string_view bytes, const std::string &file, PngPixels pixels)
{
    PngSource source{bytes};
    PngReader reader(source, file);
    reader.check(reader.header());
    checkImageSize(reader.width(), reader.height(), file);
    reader.check(reader.transform(pixels));
    Image out;
    out.width = int(reader.width());
    out.height = int(reader.height());
    out.channels = reader.channels();
    if (pixels == PngPixels::Numbers && out.channels != 1) throw notNumbers(file);
    const bool isWide = reader.depth() == 16;
    out.bytes.resize(out.size() * (isWide ? 2 : 1));
    std::vector<png_bytep> rows;
    const std::size_t row = out.bytes.size() / std::size_t(out.height);
    for (std::size_t y = 0; y < std::size_t(out.height); ++y) rows.push_back(out.bytes.data() + y * row);
    reader.check(reader.read(rows.data()));
    if (isWide) out.bytes = narrowed(out.bytes, file);
    return out;
}

std::string encodePng(const Image &image)
{
    png_image header{};
    header.version = PNG_IMAGE_VERSION;
    header.width = png_uint_32(image.width);
    header.height = png_uint_32(image.height);
    header.format = image.channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(header);
    std::string bytes(size, '\0');
    if (!png_image_write_to_memory(&header, bytes.data(), &size, 0, image.bytes.data(), 0, nullptr))
        throw Error(ErrorKind::Internal, QL_TEXT("cannot write a PNG: %1").with(header.message));
    bytes.resize(size);
    return bytes;
}

} // namespace ql
