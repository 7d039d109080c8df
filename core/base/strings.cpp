#include "core/base/strings.h"

#include "core/base/edit_distance.h"
#include "core/base/error.h"

#include <algorithm>
#include <cctype>
#include <fnmatch.h>

namespace ql {

static bool isSameLetter(char a, char b)
{
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

std::optional<std::string> nearestName(std::string_view name, const std::vector<std::string> &candidates)
{
    const std::string *best = nullptr;
    std::size_t bestDistance = std::max<std::size_t>(2, name.size() / 3) + 1;
    for (const std::string &candidate : candidates) {
        const std::size_t distance = editDistance<std::string_view>(name, candidate, isSameLetter);
        if (distance < bestDistance) {
            bestDistance = distance;
            best = &candidate;
        }
    }
    if (!best) return std::nullopt;
    return *best;
}

/// Synonyms of names used here.
static const char *ownNameOf(const std::string &name)
{
    static constexpr std::pair<const char *, const char *> names[] = {
        {"tensorrt", "TRT_INT8"}, {"ort", "ONNXRUNTIME"}, {"entropy", "kl"},   {"quantise", "run"},
        {"analyze", "analyses"},  {"qdq", "onnx_qdq"},    {"histogram", "kl"}, {"max", "minmax"},
    };
    for (const auto &[other, own] : names)
        if (name == other) return own;
    return nullptr;
}

Text suggestion(std::string_view name, const std::vector<std::string> &candidates)
{
    const auto meant = [](const Text &names) { return QL_TEXT("Did you mean %1?").with(names); };
    const auto quoted = [](const std::string &word) { return "'" + word + "'"; };
    if (const char *own = ownNameOf(lower(name)); own && std::count(candidates.begin(), candidates.end(), own) > 0)
        return meant(quoted(own));
    if (const auto nearest = nearestName(name, candidates)) return meant(quoted(*nearest));
    // A longer word: "--calibration" for --calib.
    for (const std::string &candidate : candidates)
        if (candidate.size() >= 5 && name.starts_with(candidate)) return meant(quoted(candidate));
    // Part of a name: "TRT" for TRT_INT8. Prefix matches come first; more than three do not help.
    if (name.size() < 3) return {};
    const std::string part = lower(name);
    std::vector<std::string> first, other;
    for (const std::string &candidate : candidates) {
        const std::size_t at = lower(candidate).find(part);
        if (at != std::string::npos) (at == 0 ? first : other).push_back(quoted(candidate));
    }
    if (first.empty()) first = std::move(other);
    if (first.empty() || first.size() > 3) return {};
    return meant(Text::list(first, Text::Join::Or));
}

std::size_t wordIndex(const std::vector<std::string> &words, const std::string &text, const char *what)
{
    const auto it = std::find(words.begin(), words.end(), text);
    if (it == words.end())
        throw Error(ErrorKind::BadConfig,
                    Text::sentences({QL_TEXT("unknown %1 '%2'.").with(what, text), suggestion(text, words)}))
            .withRemedy(knownNames(words));
    return std::size_t(it - words.begin());
}

Text knownNames(const std::vector<std::string> &names)
{
    return QL_TEXT("Known: %1.").with(Text::list(names));
}

bool globMatch(std::string_view pattern, std::string_view text)
{
    return fnmatch(std::string(pattern).c_str(), std::string(text).c_str(), 0) == 0;
}

std::string globEscaped(std::string_view text)
{
    std::string pattern;
    for (const char c : text) {
        if (c == '\\')
            pattern += "\\\\";
        else if (c == '*' || c == '?' || c == '[')
            pattern += {'[', c, ']'};
        else
            pattern += c;
    }
    return pattern;
}

std::vector<std::string> split(std::string_view text, char separator)
{
    std::vector<std::string> parts;
    while (true) {
        const std::size_t at = text.find(separator);
        parts.emplace_back(text.substr(0, at));
        if (at == std::string_view::npos) return parts;
        text.remove_prefix(at + 1);
    }
}

std::string_view trim(std::string_view text)
{
    const auto isSpace = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
    while (!text.empty() && isSpace(text.front())) text.remove_prefix(1);
    while (!text.empty() && isSpace(text.back())) text.remove_suffix(1);
    return text;
}

std::string join(const std::vector<std::string> &parts, std::string_view separator)
{
    std::string out;
    for (const std::string &part : parts) {
        if (!out.empty()) out += separator;
        out += part;
    }
    return out;
}

std::string lower(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return out;
}

std::string sizesText(std::span<const std::int64_t> sizes)
{
    std::string out;
    for (const std::int64_t size : sizes) out += (out.empty() ? "" : "x") + std::to_string(size);
    return out.empty() ? "scalar" : out;
}

} // namespace ql
