#pragma once

#include "core/base/text.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ql {

/// The candidate with the smallest edit distance to name, if close enough; for "did you mean".
std::optional<std::string> nearestName(std::string_view name, const std::vector<std::string> &candidates);
/// "Did you mean 'x'?" for the nearest candidate, or empty.
Text suggestion(std::string_view name, const std::vector<std::string> &candidates);
/// The index of text in words, the words of an enumeration. what: the enumeration, for the message.
/// @throws Error (BadConfig) naming the nearest word, with all words as the remedy
std::size_t wordIndex(const std::vector<std::string> &words, const std::string &text, const char *what);
/// "Known: a, b, c."
Text knownNames(const std::vector<std::string> &names);
/// Shell pattern: * any run, ? one character, [abc] a set. Matches the whole of text, case-sensitive.
bool globMatch(std::string_view pattern, std::string_view text);
/// The pattern that matches only text.
std::string globEscaped(std::string_view text);
std::vector<std::string> split(std::string_view text, char separator);
std::string_view trim(std::string_view text);
std::string join(const std::vector<std::string> &parts, std::string_view separator);
std::string lower(std::string_view text);
/// "1x3x224x224"; "scalar" without sizes.
std::string sizesText(std::span<const std::int64_t> sizes);

} // namespace ql
