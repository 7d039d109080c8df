#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ql {

class Language;

/// A sentence of the engine, written once, in English, in the code that emits it: a template with arguments that any
/// user interface can translate.
///
///     QL_TEXT("channel %1 of %2 never changes").with(channel, channels)
///
/// A template is a string literal inside QL_TEXT, which scripts/translations extracts; %1 to %9 are its arguments. An
/// argument is an integer, a number, a string that is shown verbatim (a tensor name, a path, a message of another
/// library), another Text or a list of them.
class Text
{
public:
    enum class Kind {
        Verbatim, ///< source, verbatim; never translated
        Option,   ///< source is an option of the command line; a window names its corresponding setting instead
        Template, ///< source with args inserted for %1 ... %9
        Integer,  ///< integer()
        Number,   ///< number() with at most digits() significant digits
        List      ///< args, joined according to join
    };
    /// How a list is joined: "a, b, c"; "a, b or c"; "a b c" (sentences); "a; b; c"; one per line.
    enum class Join { Comma, Or, Space, Semicolon, Line };

    Text() = default; ///< empty
    Text(std::string verbatim) : m_source(std::move(verbatim)) {}
    Text(const char *verbatim) : m_source(verbatim) {}
    Text(std::string_view verbatim) : m_source(verbatim) {}
    template <class Value>
    requires(std::integral<Value> && !std::same_as<Value, bool> && !std::same_as<Value, char>) Text(Value value)
        : m_kind(Kind::Integer), m_integer(std::int64_t(value))
    {}

    /// A number with at most digits significant digits: "0.0412", "12.3", "1.2e-07".
    static Text number(double value, int digits = 4);
    /// An option of the command line, as typed: "--input-shape NAME=SIZES".
    static Text option(std::string words);
    static Text list(std::vector<Text> parts, Join join = Join::Comma);
    static Text list(const std::vector<std::string> &names, Join join = Join::Comma);
    /// The first names: "a, b and 5 more"; all of them if there are at most so many.
    static Text firstOf(const std::vector<std::string> &names, std::size_t most);
    /// The non-empty sentences, in order.
    static Text sentences(std::vector<Text> parts) { return list(std::move(parts), Join::Space); }
    /// Use QL_TEXT. source: a string literal with %1 ... %9.
    static Text ofTemplate(const char *source);

    /// A copy of this template with the arguments of %1, %2 ...
    template <class... Args>
    Text with(Args &&...args) const
    {
        return withArguments({Text(std::forward<Args>(args))...});
    }
    Text withArguments(std::vector<Text> args) const;

    bool isEmpty() const { return m_kind == Kind::Verbatim && m_source.empty(); }
    /// The whole text in English: what logs and most of the command line show.
    std::string english() const { return in(nullptr); }
    /// The whole text in a language; nullptr: in English.
    std::string in(const Language *language) const;

    Kind kind() const { return m_kind; }
    const std::string &source() const { return m_source; } ///< of a Verbatim or Template
    const std::vector<Text> &args() const { return m_args; }
    std::int64_t integer() const { return m_integer; } ///< of an Integer
    double number() const { return m_number; }         ///< of a Number
    int digits() const { return m_digits; }            ///< of a Number
    Join join() const { return m_join; }               ///< of a List

    friend bool operator==(const Text &, const Text &) = default;

private:
    Kind m_kind = Kind::Verbatim;
    Join m_join = Join::Comma;
    int m_digits = 0;
    std::int64_t m_integer = 0;
    double m_number = 0;
    std::string m_source;
    std::vector<Text> m_args;
};

/// Marks a string literal as the template of a Text, for scripts/translations.
#define QL_TEXT(source) ::ql::Text::ofTemplate(source)

/// At most digits significant digits, without a locale: "0.0412", "1.2e-07"; "NaN" and "∞" for those.
std::string numberText(double value, int digits = 4);

} // namespace ql
