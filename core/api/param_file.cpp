#include "core/api/param_file.h"

#include "core/base/error.h"

#include <algorithm>

namespace ql::api {

using nlohmann::json;

static json limit(const JsonNode &node)
{
    node.number(-1e18, 1e18);
    return node.value();
}

static ParamSpec paramFromJson(const JsonNode &node)
{
    node.expectKeys({"name", "type", "default", "min", "max", "choices", "unit", "meaning"});
    ParamSpec spec;
    spec.name = node.at("name").string();
    const bool isWord =
        !spec.name.empty() && spec.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
    if (!isWord)
        node.at("name").fail(
            QL_TEXT("the name of a parameter has only lower-case letters, digits and '_', got '%1'").with(spec.name));
    spec.type = node.at("type").choice({"bool", "int", "float", "string", "enum", "strings"});
    spec.fallback = node.at("default").value();
    if (const auto n = node.find("min")) spec.min = limit(*n);
    if (const auto n = node.find("max")) spec.max = limit(*n);
    if (const auto n = node.find("choices")) spec.choices = n->strings();
    if (const auto n = node.find("unit")) spec.unit = n->string();
    if (const auto n = node.find("meaning")) spec.meaning = n->string();
    if (spec.type == "enum" && spec.choices.empty()) node.fail(QL_TEXT("the key '%1' is missing").with("choices"));
    const Text refusal = QL_TEXT("not a legal value of the parameter '%1'").with(spec.name);
    if (spec.fallback.is_null()) node.at("default").fail(refusal);
    try {
        completeParams({spec}, {{spec.name, spec.fallback}}, {});
    } catch (const Error &error) {
        node.at("default").fail(refusal, error.remedy);
    }
    return spec;
}

std::vector<ParamSpec> paramsFromJson(const JsonNode &list)
{
    std::vector<ParamSpec> specs;
    for (const JsonNode &element : list.elements()) {
        ParamSpec spec = paramFromJson(element);
        if (std::any_of(specs.begin(), specs.end(), [&](const ParamSpec &other) { return other.name == spec.name; }))
            element.at("name").fail(QL_TEXT("'%1' is listed twice").with(spec.name));
        specs.push_back(std::move(spec));
    }
    return specs;
}

json paramsToJson(const std::vector<ParamSpec> &specs)
{
    json list = json::array();
    for (const ParamSpec &spec : specs) {
        json row = {{"name", spec.name}, {"type", spec.type}, {"default", spec.fallback}};
        if (!spec.min.is_null()) row["min"] = spec.min;
        if (!spec.max.is_null()) row["max"] = spec.max;
        if (!spec.choices.empty()) row["choices"] = spec.choices;
        if (!spec.unit.empty()) row["unit"] = spec.unit;
        if (!spec.meaning.isEmpty()) row["meaning"] = spec.meaning.english();
        list.push_back(std::move(row));
    }
    return list;
}

} // namespace ql::api
