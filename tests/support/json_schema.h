#pragma once

#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

namespace ql::test {

/// Checks a document against a JSON Schema, with the keywords used by our schemas (draft 2020-12): type, const, enum,
/// required, properties, additionalProperties, items, minItems, maxItems, minimum, maximum, exclusiveMinimum,
/// minLength, minProperties, pattern, anyOf, not, dependentRequired, $ref to #/$defs/. Any other keyword is an error.
class JsonSchema
{
public:
    using json = nlohmann::json;

    explicit JsonSchema(json schema) : m_schema(std::move(schema)) {}

    /// The errors, each with its place; empty if the document is valid.
    std::vector<std::string> mistakes(const json &document) const
    {
        std::vector<std::string> out;
        check(m_schema, document, "", out);
        return out;
    }

private:
    static bool hasType(const json &value, const std::string &type)
    {
        if (type == "object") return value.is_object();
        if (type == "array") return value.is_array();
        if (type == "string") return value.is_string();
        if (type == "boolean") return value.is_boolean();
        if (type == "null") return value.is_null();
        if (type == "integer") return value.is_number_integer();
        return type == "number" && value.is_number();
    }
    bool fits(const json &schema, const json &value) const
    {
        std::vector<std::string> out;
        check(schema, value, "", out);
        return out.empty();
    }
    void check(const json &schema, const json &value, const std::string &at, std::vector<std::string> &out) const
    {
        const auto bad = [&](const std::string &why) { out.push_back((at.empty() ? "/" : at) + ": " + why); };
        for (const auto &[word, rule] : schema.items()) {
            if (word == "$schema" || word == "title" || word == "description" || word == "default" || word == "$defs" ||
                word == "uniqueItems")
                continue;
            if (word == "$ref") {
                check(m_schema.at("$defs").at(rule.get<std::string>().substr(8)), value, at, out);
            } else if (word == "type") {
                bool good = false;
                for (const json &type : rule.is_array() ? rule : json::array({rule}))
                    good = good || hasType(value, type);
                if (!good) bad("expected " + rule.dump() + ", is " + value.dump().substr(0, 60));
            } else if (word == "const") {
                if (value != rule) bad("expected " + rule.dump());
            } else if (word == "enum") {
                if (std::find(rule.begin(), rule.end(), value) == rule.end()) bad("expected one of " + rule.dump());
            } else if (word == "required") {
                for (const json &key : rule)
                    if (value.is_object() && !value.contains(key.get<std::string>())) bad("lacks " + key.dump());
            } else if (word == "properties") {
                for (const auto &[key, sub] : rule.items())
                    if (value.is_object() && value.contains(key)) check(sub, value[key], at + "/" + key, out);
            } else if (word == "additionalProperties") {
                if (!value.is_object()) continue;
                for (const auto &[key, member] : value.items()) {
                    if (schema.contains("properties") && schema["properties"].contains(key)) continue;
                    if (rule.is_boolean() && !rule.get<bool>()) bad("has the unknown key '" + key + "'");
                    if (rule.is_object()) check(rule, member, at + "/" + key, out);
                }
            } else if (word == "items") {
                for (std::size_t i = 0; value.is_array() && i < value.size(); ++i)
                    check(rule, value[i], at + "/" + std::to_string(i), out);
            } else if (word == "minItems") {
                if (value.is_array() && value.size() < rule.get<std::size_t>()) bad("has too few items");
            } else if (word == "maxItems") {
                if (value.is_array() && value.size() > rule.get<std::size_t>()) bad("has too many items");
            } else if (word == "minProperties") {
                if (value.is_object() && value.size() < rule.get<std::size_t>()) bad("has too few members");
            } else if (word == "minimum") {
                if (value.is_number() && value.get<double>() < rule.get<double>()) bad("is below " + rule.dump());
            } else if (word == "exclusiveMinimum") {
                if (value.is_number() && value.get<double>() <= rule.get<double>()) bad("is not above " + rule.dump());
            } else if (word == "maximum") {
                if (value.is_number() && value.get<double>() > rule.get<double>()) bad("is above " + rule.dump());
            } else if (word == "minLength") {
                if (value.is_string() && value.get<std::string>().size() < rule.get<std::size_t>()) bad("is too short");
            } else if (word == "pattern") {
                if (value.is_string() &&
                    !std::regex_search(value.get<std::string>(), std::regex(rule.get<std::string>())))
                    bad("does not match " + rule.dump());
            } else if (word == "anyOf") {
                bool any = false;
                for (const json &sub : rule) any = any || fits(sub, value);
                if (!any) bad("fits none of the forms: " + value.dump().substr(0, 60));
            } else if (word == "not") {
                if (fits(rule, value)) bad("must not be " + value.dump().substr(0, 60));
            } else if (word == "dependentRequired") {
                for (const auto &[key, needs] : rule.items())
                    for (const json &other : needs)
                        if (value.is_object() && value.contains(key) && !value.contains(other.get<std::string>()))
                            bad("'" + key + "' needs " + other.dump());
            } else {
                bad("the schema uses an unknown word '" + word + "'");
            }
        }
    }

    json m_schema;
};

} // namespace ql::test
