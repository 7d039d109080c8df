#include "core/session/plugins.h"

#include "core/analysis/analyser.h"
#include "core/api/data_program.h"
#include "core/api/data_words.h"
#include "core/api/recipe_ids.h"
#include "core/base/file.h"
#include "core/base/plugin.h"
#include "core/base/registry.h"
#include "core/base/strings.h"
#include "core/base/trust.h"
#include "core/export/exporter.h"
#include "core/ir/op_traits.h"
#include "core/observer/observer.h"
#include "core/pass/pass.h"
#include "core/platform/definition.h"
#include "core/platform/dispatcher.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ql {

namespace fs = std::filesystem;
using nlohmann::json;

static const Text pluginWords = QL_TEXT("it is a plug-in");

template <class Entry>
static void addUnknown(const std::vector<std::string> &ids, std::vector<std::string> &unknown)
{
    for (const std::string &id : ids)
        if (!Registry<Entry>::instance().find(id)) unknown.push_back(std::string(Entry::kindName) + " '" + id + "'");
}

/// What the recipe names and nobody has registered.
static std::vector<std::string> unknownIds(const api::RecipeIds &ids)
{
    std::vector<std::string> unknown;
    addUnknown<PassEntry>(ids.passes, unknown);
    addUnknown<AnalyserEntry>(ids.analyses, unknown);
    addUnknown<ExporterEntry>(ids.exporters, unknown);
    addUnknown<ObserverEntry>(ids.observers, unknown);
    addUnknown<DispatcherEntry>(ids.dispatchers, unknown);
    for (const std::string &id : ids.platforms)
        if (id != fp32Platform && id != soiPlatform && !findPlatform(id)) unknown.push_back("platform '" + id + "'");
    return unknown;
}

bool hasMovedPlugin(const fs::path &file)
{
    std::error_code code;
    const std::vector<LoadedPlugin> loaded = loadedPlugins();
    return !fs::exists(file, code) && std::any_of(loaded.begin(), loaded.end(), [&](const LoadedPlugin &plugin) {
        return plugin.file.filename() == file.filename();
    });
}

void useRecipePlugins(const json &recipe, const fs::path &base)
{
    const api::RecipeIds ids = api::idsIn(recipe);
    for (const std::string &plugin : ids.plugins) {
        const fs::path file = (base / plugin).lexically_normal();
        if (isPluginLoaded(file) || hasMovedPlugin(file)) continue;
        try {
            checkRegularFile(file);
            requirePrograms(file, pluginWords);
            loadPlugin(file);
        } catch (Error &error) {
            const std::vector<std::string> unknown = unknownIds(ids);
            if (unknown.empty()) throw;
            const Error whole(error.kind, QL_TEXT("without this plug-in, the recipe's %1 cannot be used: %2")
                                              .with(join(unknown, ", "), error.message));
            throw Error(whole).inFile(file.string()).withFix(error.fix).withRemedy(error.remedy);
        }
    }
}

api::PluginList pluginList()
{
    api::PluginList list;
    for (const LoadedPlugin &plugin : loadedPlugins()) {
        api::PluginItem &item = list.plugins.emplace_back(
            api::PluginItem{plugin.file.string(), plugin.name, plugin.version, plugin.meaning, {}});
        for (const Registration &known : plugin.registrations)
            if (known.kind != OpTraits::kindName)
                item.registrations.push_back({known.kind, known.id}); // its kernel is listed
    }
    for (const Error &error : refusedUserPlugins())
        list.problems.push_back({.severity = api::Severity::Warning,
                                 .message = QL_TEXT("%1: %2").with(error.file, error.message),
                                 .remedy = error.remedy});
    return list;
}

api::ProgramList programsOf(const api::RecipeRequest &request)
{
    api::ProgramList list;
    const auto add = [&](const fs::path &file, const Text &what, const std::vector<std::string> &command) {
        const auto isSame = [&](const api::ProgramItem &item) { return item.file == file.string(); };
        if (std::any_of(list.programs.begin(), list.programs.end(), isSame)) return;
        list.programs.push_back({file.string(), what, programKey(file, command), areProgramsAllowed(file, command)});
    };
    std::error_code code;
    const fs::path base = request.base;
    for (const std::string &plugin : request.recipe.plugins)
        if (const fs::path file = (base / plugin).lexically_normal(); fs::is_regular_file(file, code))
            add(file, pluginWords, {});
    for (const std::string &path : {request.recipe.calibration.path, request.recipe.evaluation.path}) {
        const fs::path file = api::dataPath(path, base);
        if (path.empty() || lower(file.extension().string()) != ".json" || !fs::is_regular_file(file, code)) continue;
        const json manifest = json::parse(readFile(file), nullptr, false);
        try {
            const std::vector<std::string> command = manifest.get<api::DataProgram>().command;
            add(file, join(command, " "), command);
        } catch (const Error &) { // another kind of manifest
        }
    }
    return list;
}

} // namespace ql
