#pragma once

#include <nlohmann/json_fwd.hpp>

/// Declares how a struct of core/api is written as JSON, json(value), and read, json.get<Type>(), for vectors of it,
/// too. Reading is strict: a member that is missing, unknown or of another type is an Error (BadData) that names the
/// place.
/// @throws Error
#define QL_HAS_JSON(Type)                                                                                              \
    void to_json(nlohmann::json &json, const Type &value);                                                             \
    void from_json(const nlohmann::json &json, Type &value);
