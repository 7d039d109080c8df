#include "core/api/json_pointer.h"

namespace ql::api {

std::string pointerTo(std::string_view pointer, std::string_view key)
{
    std::string out(pointer);
    out += '/';
    for (const char c : key) {
        if (c == '~')
            out += "~0";
        else if (c == '/')
            out += "~1";
        else
            out += c;
    }
    return out;
}

std::vector<std::string> pointerParts(std::string_view pointer)
{
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < pointer.size(); ++i) {
        if (pointer[i] == '/')
            parts.emplace_back();
        else if (parts.empty())
            return parts; // not a pointer
        else if (pointer[i] == '~' && i + 1 < pointer.size())
            parts.back() += pointer[++i] == '1' ? '/' : '~';
        else
            parts.back() += pointer[i];
    }
    return parts;
}

} // namespace ql::api
