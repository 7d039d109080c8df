#include "core/api/fields.h"

#include <algorithm>

namespace ql::api {

void JsonPlace::fail(const Text &why) const
{
    throw Error(ErrorKind::BadData, QL_TEXT("%1: %2").with(text(), why));
}

void JsonPlace::failType(const char *wanted, const std::string &found) const
{
    throw Error(ErrorKind::BadData, QL_TEXT("%1 must be %2, got %3").with(text(), wanted, found));
}

FieldReader::FieldReader(const nlohmann::json &object, const JsonPlace &place) : m_object(object), m_place(place)
{
    if (!object.is_object()) throw Error(ErrorKind::BadData, QL_TEXT("%1 must be an object").with(place.text()));
}

const nlohmann::json &FieldReader::take(const char *key, bool isText)
{
    const auto it = m_object.find(key);
    if (it == m_object.end()) throw Error(ErrorKind::BadData, QL_TEXT("%1 has no '%2'").with(m_place.text(), key));
    m_keys.at(m_known++) = {key, isText};
    ++m_read;
    return *it;
}

void FieldReader::text(const char *key, Text &value)
{
    std::string english;
    readValue(take(key, true), JsonPlace{key, &m_place}, english);
    if (m_object.contains(std::string(key) + "_text")) ++m_read;
    value = textAt(m_object, key);
}

void FieldReader::texts(const char *key, std::vector<Text> &values)
{
    std::vector<std::string> english;
    readValue(take(key, true), JsonPlace{key, &m_place}, english);
    if (m_object.contains(std::string(key) + "_text")) ++m_read;
    values = textsAt(m_object, key);
}

void FieldReader::constant(const char *key, const char *value)
{
    std::string found;
    member(key, found);
    if (found != value) JsonPlace{key, &m_place}.failType(value, found);
}

void FieldReader::failUnknown() const
{
    for (const auto &member : m_object.items()) {
        const std::string &key = member.key();
        const bool isKnown =
            std::any_of(m_keys.begin(), m_keys.begin() + std::ptrdiff_t(m_known), [&](const Key &known) {
                return key == known.name || (known.isText && key == std::string(known.name) + "_text");
            });
        if (!isKnown)
            throw Error(ErrorKind::BadData, QL_TEXT("%1 has an unknown member '%2'").with(m_place.text(), key));
    }
    throw Error(ErrorKind::Internal, m_place.text() + " is read twice");
}

} // namespace ql::api
