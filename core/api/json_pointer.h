#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ql::api {

/// The JSON pointer (RFC 6901) of a member of the value at pointer: "/rules" and "a/b" give "/rules/a~1b".
std::string pointerTo(std::string_view pointer, std::string_view key);
/// The keys and indices of a JSON pointer, unescaped: {"rules", "a/b"}; none for the document itself.
std::vector<std::string> pointerParts(std::string_view pointer);

} // namespace ql::api
