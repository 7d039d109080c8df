#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

/// Files of the repository's resources/ folder, compiled into the program by cmake/embed.cmake: an installed program
/// needs no data folder, and a report can be written without reading files. Names are paths below resources/ with '/'.
namespace ql::resources {

struct Entry
{
    std::string_view path;
    std::string_view content;
};
struct Table
{
    const Entry *entries;
    std::size_t count;
};

/// The content of one file, e.g. "report/report.css", valid for the life of the program. @throws Error (Internal) if
/// it does not exist.
std::string_view resource(std::string_view path);
/// The names that start with prefix ("platforms/"), sorted.
std::vector<std::string_view> resourceNames(std::string_view prefix);

/// Generated: the engine's texts in the languages of translations/.
extern const Table translations;
/// Generated: lint, platforms, presets, report, runtimes, schema and settings below resources, sorted by path.
extern const Table embedded;

} // namespace ql::resources
