#include "core/base/text.h"

#include "core/base/language.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>

namespace ql {

Text Text::number(double value, int digits)
{
    Text text;
    text.m_kind = Kind::Number;
    text.m_number = value + 0.0; // no "-0"
    text.m_digits = digits;
    return text;
}

Text Text::option(std::string words)
{
    Text text(std::move(words));
    text.m_kind = Kind::Option;
    return text;
}

Text Text::list(std::vector<Text> parts, Join join)
{
    std::erase_if(parts, [](const Text &part) { return part.isEmpty(); });
    if (parts.empty()) return {};
    if (parts.size() == 1) return std::move(parts.front());
    Text text;
    text.m_kind = Kind::List;
    text.m_join = join;
    text.m_args = std::move(parts);
    return text;
}

Text Text::list(const std::vector<std::string> &names, Join join)
{
    return list(std::vector<Text>(names.begin(), names.end()), join);
}

Text Text::firstOf(const std::vector<std::string> &names, std::size_t most)
{
    if (names.size() <= most) return list(names);
    const auto end = names.begin() + std::ptrdiff_t(most);
    return QL_TEXT("%1 and %2 more").with(list(std::vector<std::string>(names.begin(), end)), names.size() - most);
}

Text Text::ofTemplate(const char *source)
{
    Text text;
    text.m_kind = Kind::Template;
    text.m_source = source;
    return text;
}

Text Text::withArguments(std::vector<Text> args) const
{
    Text filled = *this;
    filled.m_args = std::move(args);
    return filled;
}

namespace {

/// Two neighbours in a list.
Text pairOf(Text::Join join, bool isLast)
{
    switch (join) {
    case Text::Join::Comma: break;
    case Text::Join::Or:
        if (isLast) return QL_TEXT("%1 or %2");
        break;
    case Text::Join::Space: return QL_TEXT("%1 %2");
    case Text::Join::Semicolon: return QL_TEXT("%1; %2");
    case Text::Join::Line: return Text::ofTemplate("%1\n%2");
    }
    return QL_TEXT("%1, %2");
}

std::string joined(const std::vector<Text> &parts, Text::Join join, const Language *language)
{
    std::string out;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i > 0) out += pairOf(join, i + 1 == parts.size()).with("", "").in(language); // what is between the two
        out += parts[i].in(language);
    }
    return out;
}

std::string filled(const std::string &source, const std::vector<Text> &args, const Language *language)
{
    std::string out;
    for (std::size_t i = 0; i < source.size(); ++i) {
        const bool isPlace = source[i] == '%' && i + 1 < source.size() && source[i + 1] >= '1' && source[i + 1] <= '9';
        const std::size_t index = isPlace ? std::size_t(source[i + 1] - '1') : 0;
        if (!isPlace || index >= args.size()) {
            out += source[i];
            continue;
        }
        out += args[index].in(language);
        ++i;
    }
    return out;
}

} // namespace

std::string Text::in(const Language *language) const
{
    switch (m_kind) {
    case Kind::Verbatim:
    case Kind::Option: return m_source;
    case Kind::Template: return filled(language ? language->translated(m_source) : m_source, m_args, language);
    case Kind::Integer: return std::to_string(m_integer);
    case Kind::Number: return numberText(m_number, m_digits);
    case Kind::List: return joined(m_args, m_join, language);
    }
    return {};
}

std::string numberText(double value, int digits)
{
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
    std::array<char, 64> buffer;
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, digits);
    return {buffer.data(), end.ptr};
}

} // namespace ql
