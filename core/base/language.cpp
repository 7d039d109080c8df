#include "core/base/language.h"

#include "core/base/resources.h"

#include <array>
#include <cstdlib>
#include <memory>
#include <utility>

namespace ql {

namespace {

/// The text between two marks; empty if there is none.
std::string_view between(std::string_view text, std::string_view begin, std::string_view end)
{
    const std::size_t from = text.find(begin);
    if (from == text.npos) return {};
    text.remove_prefix(from + begin.size());
    const std::size_t last = text.find(end);
    return last == text.npos ? std::string_view() : text.substr(0, last);
}

/// Without the entities of XML that lupdate writes.
std::string plain(std::string_view xml)
{
    constexpr std::array<std::pair<std::string_view, char>, 5> entities{
        {{"&apos;", '\''}, {"&quot;", '"'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}}};
    std::string out;
    for (std::size_t i = 0; i < xml.size();) {
        std::size_t length = 1;
        char c = xml[i];
        for (const auto &[entity, meaning] : entities)
            if (xml.substr(i).starts_with(entity)) {
                length = entity.size();
                c = meaning;
                break;
            }
        out += c;
        i += length;
    }
    return out;
}

/// By name, made once.
const std::map<std::string, std::unique_ptr<const Language>> &languages()
{
    static const auto all = [] {
        std::map<std::string, std::unique_ptr<const Language>> made;
        for (std::size_t i = 0; i < resources::translations.count; ++i) {
            const auto [path, content] = resources::translations.entries[i];
            const std::size_t name = path.rfind('/') + 1;
            made.emplace(path.substr(name, path.rfind('.') - name), std::make_unique<const Language>(content));
        }
        return made;
    }();
    return all;
}

} // namespace

Language::Language(std::string_view texts)
{
    constexpr std::string_view mark = "<source>";
    for (std::size_t at = texts.find(mark); at != texts.npos;) {
        const std::size_t next = texts.find(mark, at + 1);
        const std::string_view message = texts.substr(at, next == texts.npos ? next : next - at);
        const std::string_view translation = between(message, "<translation>", "</translation>");
        if (!translation.empty()) m_texts.emplace(plain(between(message, mark, "</source>")), plain(translation));
        at = next;
    }
}

const std::string &Language::translated(const std::string &source) const
{
    const auto found = m_texts.find(source);
    return found == m_texts.end() ? source : found->second;
}

const Language *Language::of(std::string_view locale)
{
    const std::string_view language = locale.substr(0, locale.find_first_of("_.@-"));
    for (const auto &[name, made] : languages())
        if (name.substr(0, name.find('_')) == language) return made.get();
    return nullptr;
}

const Language *Language::ofEnvironment()
{
    for (const char *name : {"LC_ALL", "LC_MESSAGES", "LANG"})
        if (const char *value = std::getenv(name); value && *value) return of(value);
    return nullptr;
}

std::vector<std::string> Language::names()
{
    std::vector<std::string> names{"en"};
    for (const auto &[name, made] : languages()) names.push_back(name);
    return names;
}

} // namespace ql
