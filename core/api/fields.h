#pragma once

#include "core/api/text_json.h"
#include "core/base/error.h"

#include <array>
#include <concepts>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ql::api {

// Conversion between plain structs and JSON objects. A struct names its members once, in a function that both
// directions call:
//
//     template <class Codec> void fields(Codec &codec, Same<Row> auto &row)
//     {
//         codec.member("op", row.op);
//         codec.optional("clip", row.clip);   // omitted if it equals the fallback
//         codec.text("message", row.message); // a Text: its English, and the Text itself if it has arguments
//     }
//
// Reading is strict: missing members, unknown members and members of another type are errors. A header declares the
// conversions of a struct with QL_HAS_JSON (json_pair.h), one .cpp file defines them with QL_JSON_PAIR. The fields() of
// a struct that is a member of others is in a header NAME_fields.h.

/// Row or const Row: fields() reads into a Row and writes a const Row.
template <class T, class Row>
concept Same = std::same_as<std::remove_const_t<T>, Row>;

class FieldWriter;
class FieldReader;

/// A struct with a fields() function.
template <class T>
concept HasFields = requires(FieldWriter &codec, const T &value)
{
    fields(codec, value);
};

/// The path of a value, for error messages: a chain that is formatted only if there is an error.
struct JsonPlace
{
    const char *key = "";
    const JsonPlace *parent = nullptr;

    std::string text() const { return parent ? parent->text() + "." + key : key; }
    [[noreturn]] void fail(const Text &why) const;
    [[noreturn]] void failType(const char *wanted, const std::string &found) const;
};

/// Bytes, stored unchanged in CBOR.
using JsonBytes = nlohmann::json::binary_t;

/// @throws Error (BadData) for a value that is not of type T
template <class T>
void readValue(const nlohmann::json &value, const JsonPlace &place, T &to);
template <class T>
nlohmann::json writtenValue(const T &value);

class FieldWriter
{
public:
    explicit FieldWriter(nlohmann::json &object) : m_object(object) {}

    template <class T>
    void member(const char *key, const T &value)
    {
        m_object[key] = writtenValue(value);
    }
    /// Omitted if it equals the fallback.
    template <class T>
    void optional(const char *key, const T &value, const T &fallback = T())
    {
        if (value != fallback) member(key, value);
    }
    /// Omitted if empty.
    template <class T>
    void list(const char *key, const std::vector<T> &values)
    {
        if (!values.empty()) member(key, values);
    }
    /// Omitted if unset.
    template <class T>
    void part(const char *key, const std::optional<T> &value)
    {
        if (value) member(key, *value);
    }
    void text(const char *key, const Text &value) { putText(m_object, key, value); }
    /// Omitted if empty.
    void optionalText(const char *key, const Text &value)
    {
        if (!value.isEmpty()) text(key, value);
    }
    void texts(const char *key, const std::vector<Text> &values) { putTexts(m_object, key, values); }
    /// Identifies the kind of document or message.
    void constant(const char *key, const char *value) { m_object[key] = value; }

private:
    nlohmann::json &m_object;
};

class FieldReader
{
public:
    FieldReader(const nlohmann::json &object, const JsonPlace &place);

    template <class T>
    void member(const char *key, T &value)
    {
        readValue(take(key), JsonPlace{key, &m_place}, value);
    }
    template <class T>
    void optional(const char *key, T &value, const T &fallback = T())
    {
        if (m_object.contains(key))
            member(key, value);
        else
            value = fallback;
    }
    template <class T>
    void list(const char *key, std::vector<T> &values)
    {
        values.clear();
        if (m_object.contains(key)) member(key, values);
    }
    template <class T>
    void part(const char *key, std::optional<T> &value)
    {
        value.reset();
        if (m_object.contains(key)) member(key, value.emplace());
    }
    void text(const char *key, Text &value);
    void optionalText(const char *key, Text &value)
    {
        value = {};
        if (m_object.contains(key)) text(key, value);
    }
    void texts(const char *key, std::vector<Text> &values);
    void constant(const char *key, const char *value);
    /// @throws Error (BadData) that names the member
    [[noreturn]] void fail(const char *key, const Text &why) const { JsonPlace{key, &m_place}.fail(why); }
    /// After the last field. @throws Error (BadData) if the object has others
    void finish() const
    {
        if (m_read != m_object.size()) failUnknown();
    }

private:
    struct Key
    {
        const char *name;
        bool isText; ///< the object may also have it with the suffix "_text"
    };
    const nlohmann::json &take(const char *key, bool isText = false);
    [[noreturn]] void failUnknown() const;

    const nlohmann::json &m_object;
    const JsonPlace &m_place;
    std::array<Key, 48> m_keys; ///< found so far
    std::size_t m_known = 0, m_read = 0;
};

namespace detail {

template <class T>
inline constexpr bool isOptional = false;
template <class T>
inline constexpr bool isOptional<std::optional<T>> = true;
template <class T>
inline constexpr bool isVector = false;
template <class T>
inline constexpr bool isVector<std::vector<T>> = true;
template <class T>
inline constexpr bool isArray = false;
template <class T, std::size_t size>
inline constexpr bool isArray<std::array<T, size>> = true;
template <class T>
inline constexpr bool isMap = false;
template <class T>
inline constexpr bool isMap<std::map<std::string, T>> = true;

} // namespace detail

template <class T>
nlohmann::json writtenFields(const T &value)
{
    nlohmann::json object = nlohmann::json::object();
    FieldWriter writer(object);
    fields(writer, value);
    return object;
}

template <class T>
void readFields(const nlohmann::json &value, const JsonPlace &place, T &to)
{
    FieldReader reader(value, place);
    fields(reader, to);
    reader.finish();
}

template <class T>
nlohmann::json writtenValue(const T &value)
{
    if constexpr (detail::isOptional<T>) {
        return value ? writtenValue(*value) : nlohmann::json();
    } else if constexpr (detail::isVector<T> || detail::isArray<T>) {
        nlohmann::json list = nlohmann::json::array();
        for (const auto &element : value) list.push_back(writtenValue(element));
        return list;
    } else if constexpr (detail::isMap<T>) {
        nlohmann::json object = nlohmann::json::object();
        for (const auto &[key, entry] : value) object[key] = writtenValue(entry);
        return object;
    } else if constexpr (HasFields<T>) {
        return writtenFields(value);
    } else if constexpr (std::same_as<T, JsonBytes>) {
        return nlohmann::json::binary(value);
    } else {
        return value;
    }
}

template <class T>
void readValue(const nlohmann::json &value, const JsonPlace &place, T &to)
{
    const auto require = [&](bool is, const char *type) {
        if (!is) place.failType(type, value.type_name());
    };
    if constexpr (detail::isOptional<T>) {
        if (value.is_null())
            to.reset();
        else
            readValue(value, place, to.emplace());
    } else if constexpr (detail::isVector<T>) {
        require(value.is_array(), "an array");
        to.clear();
        to.reserve(value.size());
        for (const auto &element : value) readValue(element, place, to.emplace_back());
    } else if constexpr (detail::isArray<T>) {
        require(value.is_array() && value.size() == to.size(), "an array of another size");
        for (std::size_t i = 0; i < to.size(); ++i) readValue(value[i], place, to[i]);
    } else if constexpr (detail::isMap<T>) {
        require(value.is_object(), "an object");
        to.clear();
        for (const auto &[key, entry] : value.items()) readValue(entry, JsonPlace{key.c_str(), &place}, to[key]);
    } else if constexpr (HasFields<T>) {
        readFields(value, place, to);
    } else if constexpr (std::same_as<T, bool>) {
        require(value.is_boolean(), "a boolean");
        to = value.get<bool>();
    } else if constexpr (std::integral<T>) {
        require(value.is_number_integer(), "an integer");
        const bool fits = value.is_number_unsigned() ? std::in_range<T>(value.get<std::uint64_t>())
                                                     : std::in_range<T>(value.get<std::int64_t>());
        require(fits, "an integer of fewer digits");
        to = value.get<T>();
    } else if constexpr (std::floating_point<T>) {
        require(value.is_number(), "a number");
        to = value.get<T>();
    } else if constexpr (std::same_as<T, std::string>) {
        require(value.is_string(), "a string");
        to = value.get_ref<const std::string &>();
    } else if constexpr (std::same_as<T, nlohmann::json>) {
        to = value;
    } else if constexpr (std::same_as<T, JsonBytes>) {
        require(value.is_binary(), "bytes");
        to = value.get_binary();
    } else if constexpr (std::is_enum_v<T>) { // a word
        require(value.is_string(), "a string");
        try {
            value.get_to(to);
        } catch (const Error &error) {
            place.fail(error.message);
        }
    } else { // has its own to_json() and from_json()
        try {
            value.get_to(to);
        } catch (const nlohmann::json::exception &) {
            place.failType("another value", value.type_name());
        }
    }
}

/// Defines the functions declared by QL_HAS_JSON; name: of the value in error messages. Calls fields() directly:
/// writtenValue() and readValue() would call these functions again for a type whose fields() was not visible at their
/// first use in the translation unit.
#define QL_JSON_PAIR(Type, name)                                                                                       \
    void to_json(nlohmann::json &written, const Type &value)                                                           \
    {                                                                                                                  \
        written = ql::api::writtenFields(value);                                                                       \
    }                                                                                                                  \
    void from_json(const nlohmann::json &written, Type &value)                                                         \
    {                                                                                                                  \
        ql::api::readFields(written, ql::api::JsonPlace{name}, value);                                                 \
    }

} // namespace ql::api
