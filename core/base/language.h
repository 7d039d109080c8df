#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ql {

struct Error;

/// The engine's texts in one language besides English, from the files in translations/.
class Language
{
public:
    /// For a locale such as "zh_CN.UTF-8" or "zh"; nullptr: it has no translation, so English.
    static const Language *of(std::string_view locale);
    /// That of the user's environment: LC_ALL, LC_MESSAGES, LANG, the first that is set.
    static const Language *ofEnvironment();
    /// "en" and those that have a translation: "zh_CN".
    static std::vector<std::string> names();

    /// texts: messages in Qt's format for translations, with <source> and <translation>.
    explicit Language(std::string_view texts);
    /// The translation of a template or word; itself if there is none.
    const std::string &translated(const std::string &source) const;

private:
    std::map<std::string, std::string> m_texts;
};

/// Error::text() in a language; nullptr: in English.
std::string errorText(const Error &error, const Language *language);

} // namespace ql
