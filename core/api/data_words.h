#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ql::api {

/// Data that is made up instead of read: "random:32,seed=1" where a path would be.
inline bool isGenerated(std::string_view path)
{
    return path.starts_with("random:");
}

/// The data of a recipe in folder base, as it is opened.
inline std::filesystem::path dataPath(const std::string &path, const std::filesystem::path &base)
{
    return isGenerated(path) ? std::filesystem::path(path) : (base / path).lexically_normal();
}

} // namespace ql::api
