#include "core/api/text_json.h"

#include "core/base/error.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ql::api {

using nlohmann::json;

namespace {

/// In the order of Text::Join.
constexpr std::array<const char *, 5> joins = {"comma", "or", "space", "semicolon", "line"};

json listOf(const std::vector<Text> &texts)
{
    json out = json::array();
    for (const Text &text : texts) out.push_back(api::toJson(text));
    return out;
}

std::vector<Text> textsOf(const json &list)
{
    std::vector<Text> out;
    for (const json &value : list) out.push_back(textFromJson(value));
    return out;
}

} // namespace

json toJson(const Text &text)
{
    switch (text.kind()) {
    case Text::Kind::Verbatim: return text.source();
    case Text::Kind::Option: return {{"option", text.source()}};
    case Text::Kind::Template: return {{"text", text.source()}, {"args", listOf(text.args())}};
    case Text::Kind::Integer: return text.integer();
    case Text::Kind::Number:
        if (!std::isfinite(text.number())) return text.english(); // JSON has no such number
        return {{"number", text.number()}, {"digits", text.digits()}};
    case Text::Kind::List: return {{"list", listOf(text.args())}, {"join", joins[std::size_t(text.join())]}};
    }
    return nullptr;
}

Text textFromJson(const json &value)
{
    try {
        if (value.is_string()) return value.get<std::string>();
        if (value.is_number_integer()) return value.get<std::int64_t>();
        if (value.contains("number")) return Text::number(value.at("number"), value.at("digits"));
        if (value.contains("option")) return Text::option(value.at("option").get<std::string>());
        if (value.contains("list")) {
            const auto join = std::find(joins.begin(), joins.end(), value.at("join").get<std::string>());
            if (join != joins.end()) return Text::list(textsOf(value.at("list")), Text::Join(join - joins.begin()));
        }
        if (value.contains("text"))
            return Text::ofTemplate(value.at("text").get_ref<const std::string &>().c_str())
                .withArguments(textsOf(value.at("args")));
    } catch (const json::exception &) {
    }
    throw Error(ErrorKind::BadData, QL_TEXT("not a valid text: %1").with(value.dump()));
}

void putText(json &object, const std::string &key, const Text &text)
{
    object[key] = text.english();
    if (!text.args().empty()) object[key + "_text"] = toJson(text);
}

Text textAt(const json &object, const std::string &key)
{
    if (const auto whole = object.find(key + "_text"); whole != object.end()) return textFromJson(*whole);
    const auto english = object.find(key);
    if (english == object.end()) return {};
    if (!english->is_string()) throw Error(ErrorKind::BadData, QL_TEXT("'%1' is not a string").with(key));
    const auto &source = english->get_ref<const std::string &>();
    return source.empty() ? Text() : Text::ofTemplate(source.c_str());
}

void putTexts(json &object, const std::string &key, const std::vector<Text> &texts)
{
    object[key] = json::array();
    for (const Text &text : texts) object[key].push_back(text.english());
    if (std::any_of(texts.begin(), texts.end(), [](const Text &text) { return !text.args().empty(); }))
        object[key + "_text"] = listOf(texts);
}

std::vector<Text> textsAt(const json &object, const std::string &key)
{
    if (const auto whole = object.find(key + "_text"); whole != object.end()) return textsOf(*whole);
    std::vector<Text> out;
    for (const std::string &source : object.value(key, std::vector<std::string>()))
        out.push_back(Text::ofTemplate(source.c_str()));
    return out;
}

} // namespace ql::api
