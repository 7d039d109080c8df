#pragma once

#include "core/api/json_pair.h"
#include "core/api/problem.h"
#include "core/api/requests.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// Plug-ins of the engine, and programs that a recipe starts, which the user has to allow.
namespace ql::api {

struct PluginItem
{
    struct Registration
    {
        std::string kind, id; ///< "pass", "observer" ...
    };
    std::string file, name, version, meaning;
    std::vector<Registration> registrations;
};

struct PluginsRequest
{};
/// What is loaded, and what was refused.
struct PluginList
{
    std::vector<PluginItem> plugins;
    std::vector<Problem> problems;
};

/// A file that makes the engine start something.
struct ProgramItem
{
    std::string file;
    Text what;            ///< the command, or that it is a plug-in
    std::string key;      ///< of its content (core/base/trust.h)
    bool allowed = false; ///< by the user
};

/// What a recipe starts.
struct ProgramsRequest : RecipeRequest
{};
struct ProgramList
{
    std::vector<ProgramItem> programs;
};

/// The user agrees to a program as it was listed.
struct AllowRequest
{
    std::string file, key;
};
struct Allowed
{
    std::string file;
};

QL_HAS_JSON(PluginItem)
QL_HAS_JSON(PluginsRequest)
QL_HAS_JSON(PluginList)
QL_HAS_JSON(ProgramsRequest)
QL_HAS_JSON(ProgramList)
QL_HAS_JSON(AllowRequest)
QL_HAS_JSON(Allowed)

} // namespace ql::api
