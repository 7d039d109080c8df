#include "core/base/utf8.h"

namespace ql {

std::optional<char32_t> nextCodePoint(std::string_view text, std::size_t &at)
{
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const std::size_t begin = at++;
    const unsigned lead = byte(begin);
    if (lead < 0x80) return lead;
    const std::size_t length = lead >= 0xf0 && lead <= 0xf4  ? 4
                               : lead >= 0xe0 && lead < 0xf0 ? 3
                               : lead >= 0xc2 && lead < 0xe0 ? 2
                                                             : 0;
    if (length == 0) return std::nullopt;
    char32_t code = lead & (0x7fu >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(begin + i) & 0xc0u) != 0x80u) return std::nullopt;
        code = (code << 6) | (byte(begin + i) & 0x3fu);
    }
    const bool isOverlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    if (isOverlong || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return std::nullopt;
    at = begin + length;
    return code;
}

std::string printable(std::string_view text, std::string_view kept)
{
    static constexpr char digits[] = "0123456789abcdef";
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        const auto code = nextCodePoint(text, at);
        const auto byte = static_cast<unsigned char>(text[begin]);
        const bool isControl = byte < 0x20 || byte == 0x7f;
        if (code && (!isControl || kept.find(text[begin]) != std::string_view::npos))
            out.append(text, begin, at - begin);
        else
            out += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    }
    return out;
}

} // namespace ql
