#pragma once

#include <nlohmann/json.hpp>

/// Defines the functions that QL_HAS_JSON declares for an enumeration: its word, by toString() and fromString().
#define QL_JSON_OF_WORDS(Type, fromString)                                                                             \
    void to_json(nlohmann::json &written, const Type &value)                                                           \
    {                                                                                                                  \
        written = toString(value);                                                                                     \
    }                                                                                                                  \
    void from_json(const nlohmann::json &written, Type &value)                                                         \
    {                                                                                                                  \
        value = fromString(written.get_ref<const std::string &>());                                                    \
    }
