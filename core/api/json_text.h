#pragma once

#include "core/base/text.h"

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ql::api {

/// A JSON document that remembers the line of every key and element, so that semantic errors (an unknown key, a number
/// out of range) are reported with their line, like syntax errors.
class JsonText
{
public:
    /// @throws Error (BadConfig) with file, line and column: not JSON, a duplicate key in one object, or more than 200
    /// levels.
    static JsonText parse(std::string_view text, std::string file);
    /// A value that did not come from a text: no lines, messages have only the path.
    static JsonText wrap(nlohmann::json value, std::string file = {});

    const nlohmann::json &value() const { return m_value; }
    const std::string &file() const { return m_file; }
    /// Line (from 1) of the value at this JSON pointer ("/rules/2/set"), or of its nearest ancestor; 0 if unknown.
    int line(std::string pointer) const;

private:
    nlohmann::json m_value;
    std::string m_file;
    std::map<std::string, int> m_lines;
};

/// A value inside a JsonText that knows its place. Reading is checked: errors are thrown as Error (BadConfig) "line 12:
/// rules[2].set.bits: must be ..." with the file. The JsonText must outlive it.
class JsonNode
{
public:
    explicit JsonNode(const JsonText &text) : m_text(&text), m_value(&text.value()) {}

    const nlohmann::json &value() const { return *m_value; }
    [[noreturn]] void fail(const Text &message, const Text &remedy = {}) const;
    /// An object without other keys than these; others are refused with the nearest known one.
    void expectKeys(const std::vector<std::string> &known) const;
    bool isObject() const { return m_value->is_object(); }
    bool has(const std::string &key) const { return m_value->is_object() && m_value->contains(key); }
    std::optional<JsonNode> find(const std::string &key) const;
    JsonNode at(const std::string &key) const; ///< refuses a missing key
    std::vector<JsonNode> elements() const;    ///< of an array
    std::vector<std::pair<std::string, JsonNode>> members() const;
    std::string string() const;
    bool boolean() const;
    std::int64_t integer(std::int64_t min, std::int64_t max) const;
    double number(double min, double max) const;
    std::vector<std::string> strings() const;
    /// One of these words.
    std::string choice(const std::vector<std::string> &words) const;

private:
    JsonNode(const JsonText &text, const nlohmann::json &value, std::string pointer)
        : m_text(&text), m_value(&value), m_pointer(std::move(pointer))
    {}
    JsonNode child(const std::string &key, const nlohmann::json &value) const;

    const JsonText *m_text;
    const nlohmann::json *m_value;
    std::string m_pointer;
};

} // namespace ql::api
