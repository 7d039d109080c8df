#pragma once

#include "core/base/strings.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace ql {

/// A step could not be read: the caller adds which one and where.
struct InvalidStep
{
    Text why;
};

/// The words of one step after its name, read one after the other.
class StepWords
{
public:
    explicit StepWords(std::vector<std::string> words) : m_words(std::move(words)) {}

    bool done() const { return m_at == m_words.size(); }
    bool accept(std::string_view word)
    {
        if (done() || m_words[m_at] != word) return false;
        ++m_at;
        return true;
    }
    std::string next(const Text &expected)
    {
        if (done()) throw InvalidStep{QL_TEXT("expected %1").with(expected)};
        return m_words[m_at++];
    }
    std::string oneOf(const std::vector<std::string> &choices)
    {
        const std::string word = next(QL_TEXT("one of %1").with(Text::list(choices)));
        if (std::find(choices.begin(), choices.end(), word) == choices.end())
            throw InvalidStep{Text::sentences(
                {QL_TEXT("expected one of %1, got '%2'.").with(Text::list(choices), word), suggestion(word, choices)})};
        return word;
    }
    int integer(const Text &expected, int low = 1, int high = 65536)
    {
        const std::string word = next(expected);
        int value = 0;
        const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (code != std::errc() || end != word.data() + word.size() || value < low || value > high)
            throw InvalidStep{QL_TEXT("expected %1 from %2 to %3, got '%4'").with(expected, low, high, word)};
        return value;
    }
    /// "224" or "320x240" (width x height).
    std::pair<int, int> size()
    {
        const std::string word = next(QL_TEXT("a size such as 224 or 320x240 (width x height)"));
        const auto parts = split(word, 'x');
        if (parts.size() > 2)
            throw InvalidStep{QL_TEXT("expected a size such as 224 or 320x240 (width x height), got '%1'").with(word)};
        StepWords sides(parts);
        const int width = sides.integer(QL_TEXT("a size in pixels"));
        return {width, parts.size() == 2 ? sides.integer(QL_TEXT("a size in pixels")) : width};
    }
    /// One number, or one for each of three channels.
    std::vector<float> perChannel()
    {
        const std::string word = next(QL_TEXT("a number, or three with commas"));
        std::vector<float> out;
        for (const std::string &part : split(word, ',')) out.push_back(float(number(part)));
        if (out.size() != 1 && out.size() != 3)
            throw InvalidStep{QL_TEXT("expected 1 or 3 numbers, got %1 in '%2'").with(out.size(), word)};
        return out;
    }
    double number() { return number(next(QL_TEXT("a number"))); }
    static double number(const std::string &text)
    {
        double value = 0;
        const char *begin = text.data() + (text.starts_with('+') ? 1 : 0);
        const auto [end, code] = std::from_chars(begin, text.data() + text.size(), value);
        if (code != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
            throw InvalidStep{QL_TEXT("expected a number, got '%1'").with(text)};
        return value;
    }

private:
    std::vector<std::string> m_words;
    std::size_t m_at = 0;
};

} // namespace ql
