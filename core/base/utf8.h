#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ql {

/// Reads one code point of UTF-8 at text[at] and moves at past it. Nothing for a byte that starts none, of which only
/// that byte is passed: overlong forms, surrogates and code points above U+10FFFF are invalid (Unicode, table 3-7).
/// @pre at < text.size()
std::optional<char32_t> nextCodePoint(std::string_view text, std::size_t &at);

/// text for terminals and JSON: names from damaged files may contain anything. Control characters except those in kept,
/// and bytes that are not UTF-8, become \x1b.
std::string printable(std::string_view text, std::string_view kept = {});

} // namespace ql
