#include "core/api/report_fields.h"

#include <algorithm>

namespace ql::api {

nlohmann::json toJson(const Origin &origin)
{
    return writtenValue(origin);
}

Origin originFromJson(const nlohmann::json &json)
{
    Origin origin;
    readValue(json, JsonPlace{"an origin"}, origin);
    return origin;
}

nlohmann::json originsToJson(const std::map<std::string, Origin> &setBy)
{
    std::vector<FieldsOrigin> entries;
    for (const auto &entry : setBy) { // no structured binding: clang 14 has none in lambdas
        auto it = std::find_if(entries.begin(), entries.end(),
                               [&](const auto &known) { return known.origin == entry.second; });
        if (it == entries.end()) it = entries.insert(it, {entry.second, {}});
        it->names.push_back(entry.first);
    }
    return writtenValue(entries);
}

/// fail: called with the reason if a config has no such field
static void checkField(const std::string &field, const auto &fail)
{
    try {
        configFieldFromString(field);
    } catch (const Error &error) {
        fail(error.message);
    }
}

std::map<std::string, Origin> originsFromJson(const nlohmann::json &list)
{
    std::map<std::string, Origin> setBy;
    if (list.is_null()) return setBy;
    std::vector<FieldsOrigin> entries;
    readValue(list, JsonPlace{"origins"}, entries);
    const auto fail = [](const Text &why) { JsonPlace{"origins"}.fail(why); };
    for (const FieldsOrigin &entry : entries)
        for (const std::string &field : entry.names) {
            checkField(field, fail);
            if (!setBy.emplace(field, entry.origin).second) fail(QL_TEXT("field '%1' has two origins").with(field));
        }
    return setBy;
}

void setByFields(FieldReader &codec, std::map<std::string, Origin> &setBy)
{
    std::map<std::string, std::string> words;
    nlohmann::json origins;
    codec.member("set_by", words);
    codec.optional("origins", origins);
    setBy = originsFromJson(origins);
    const auto fail = [&](const Text &why) { codec.fail("set_by", why); };
    for (const auto &word : words) {
        checkField(word.first, fail);
        if (!origins.is_null() && !setBy.contains(word.first))
            fail(QL_TEXT("field '%1' has no origin").with(word.first));
    }
    for (const auto &origin : setBy)
        if (!words.contains(origin.first)) fail(QL_TEXT("field '%1' is missing").with(origin.first));
}

QL_JSON_PAIR(ConfigRow, "a row of configs")
QL_JSON_PAIR(ShortConfigRow, "a row of configs")
QL_JSON_PAIR(QuantScheme, "a scheme")
QL_JSON_PAIR(ErrorRow, "a row of errors")
QL_JSON_PAIR(OutputRow, "a row of outputs")
QL_JSON_PAIR(ChannelRanges, "channels")
QL_JSON_PAIR(WeightRow, "a row of parameters")
QL_JSON_PAIR(Ranges, "ranges")

} // namespace ql::api
