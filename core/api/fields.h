#pragma once

#include "core/base/error.h"

#include <concepts>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

namespace ql::api {

// How plain structs become JSON objects and back. A struct names its members once, in a function that both directions
// call:
//
//     template <class Codec> void fields(Codec &codec, Same<Row> auto &row)
//     {
//         codec.member("op", row.op);
//         codec.optional("clip", row.clip); // left out where it has the fallback
//     }
//
// Reading is strict: a missing member, one of another type and one that nobody asked for are errors.

/// Row, const or not: what fields() takes for writing and for reading.
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

/// Where a value is, for messages: a chain that costs nothing until one is written.
struct JsonPlace
{
    const char *key = "";
    const JsonPlace *parent = nullptr;

    std::string text() const { return parent ? parent->text() + "." + key : key; }
};

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
    /// Left out where it is the fallback.
    template <class T>
    void optional(const char *key, const T &value, const T &fallback = T())
    {
        if (value != fallback) member(key, value);
    }

private:
    nlohmann::json &m_object;
};

class FieldReader
{
public:
    FieldReader(const nlohmann::json &object, const JsonPlace &place) : m_object(object), m_place(place)
    {
        if (!object.is_object()) throw Error(ErrorKind::BadData, QL_TEXT("%1 must be an object").with(place.text()));
    }

    template <class T>
    void member(const char *key, T &value)
    {
        const auto it = m_object.find(key);
        if (it == m_object.end()) throw Error(ErrorKind::BadData, QL_TEXT("%1 has no '%2'").with(m_place.text(), key));
        ++m_read;
        readValue(*it, JsonPlace{key, &m_place}, value);
    }
    template <class T>
    void optional(const char *key, T &value, const T &fallback = T())
    {
        if (m_object.contains(key))
            member(key, value);
        else
            value = fallback;
    }
    /// After the last field. @throws Error (BadData) where the object has others
    void finish() const
    {
        if (m_read != m_object.size())
            throw Error(ErrorKind::BadData,
                        QL_TEXT("%1 has %2 unknown member(s)").with(m_place.text(), m_object.size() - m_read));
    }

private:
    const nlohmann::json &m_object;
    const JsonPlace &m_place;
    std::size_t m_read = 0;
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

} // namespace detail

template <class T>
nlohmann::json writtenValue(const T &value)
{
    if constexpr (detail::isOptional<T>) {
        return value ? writtenValue(*value) : nlohmann::json();
    } else if constexpr (detail::isVector<T>) {
        nlohmann::json list = nlohmann::json::array();
        for (const auto &element : value) list.push_back(writtenValue(element));
        return list;
    } else if constexpr (HasFields<T>) {
        nlohmann::json object = nlohmann::json::object();
        FieldWriter writer(object);
        fields(writer, value);
        return object;
    } else {
        return value;
    }
}

template <class T>
void readValue(const nlohmann::json &value, const JsonPlace &place, T &to)
{
    const auto require = [&](bool is, const char *type) {
        if (!is)
            throw Error(ErrorKind::BadData,
                        QL_TEXT("%1 must be %2, got %3").with(place.text(), type, value.type_name()));
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
    } else if constexpr (HasFields<T>) {
        FieldReader reader(value, place);
        fields(reader, to);
        reader.finish();
    } else if constexpr (std::same_as<T, bool>) {
        require(value.is_boolean(), "a boolean");
        to = value.get<bool>();
    } else if constexpr (std::integral<T>) {
        require(value.is_number_integer(), "an integer");
        to = value.get<T>();
    } else if constexpr (std::floating_point<T>) {
        require(value.is_number(), "a number");
        to = value.get<T>();
    } else if constexpr (std::same_as<T, std::string>) {
        require(value.is_string(), "a string");
        to = value.get<std::string>();
    } else if constexpr (std::same_as<T, nlohmann::json>) {
        to = value;
    } else {
        static_assert(std::same_as<T, std::map<std::string, std::string>>);
        require(value.is_object(), "an object");
        to.clear();
        for (const auto &[key, entry] : value.items()) readValue(entry, JsonPlace{key.c_str(), &place}, to[key]);
    }
}

} // namespace ql::api
