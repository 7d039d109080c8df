#include "core/base/resources.h"

#include "core/base/error.h"
#include "core/base/strings.h"

#include <algorithm>
#include <string>

namespace ql::resources {

std::string_view resource(std::string_view path)
{
    const Entry *end = embedded.entries + embedded.count;
    const Entry *found = std::find_if(embedded.entries, end, [&](const Entry &entry) { return entry.path == path; });
    if (found != end) return found->content;
    std::vector<std::string> names;
    for (const std::string_view name : resourceNames({})) names.emplace_back(name);
    throw Error(ErrorKind::Internal, Text::sentences({QL_TEXT("there is no embedded resource '%1'.").with(path),
                                                      suggestion(path, names)})); // an internal error
}

std::vector<std::string_view> resourceNames(std::string_view prefix)
{
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < embedded.count; ++i) {
        if (embedded.entries[i].path.starts_with(prefix)) names.push_back(embedded.entries[i].path);
    }
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace ql::resources
