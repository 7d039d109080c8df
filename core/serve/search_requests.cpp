// Requests for a better recipe.
#include "core/base/sha256.h"
#include "core/serve/engine.h"
#include "core/session/tune.h"
#include "core/tune/front.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

namespace ql {

/// The journal of a search, named by everything but its limits. Empty: it has none.
static std::filesystem::path journalOf(const api::TuneRequest &request, const std::filesystem::path &cacheFolder)
{
    if (cacheFolder.empty()) return {};
    api::TuneRequest unlimited = request;
    unlimited.seconds = 0;
    unlimited.trials = 0;
    unlimited.resume = true;
    unlimited.allowCommands = false;
    const std::filesystem::path folder = cacheFolder / "searches";
    std::error_code code;
    std::filesystem::create_directories(folder, code);
    if (code) return {}; // as results: they are not kept
    return folder / (sha256(nlohmann::json(unlimited).dump()) + ".journal");
}

api::TuneReport Engine::tune(const api::TuneRequest &request, const Outlet &outlet)
{
    TuneOptions options;
    options.goals = request.goals;
    options.locks = request.locks;
    options.seconds = request.seconds;
    options.trials = std::size_t(std::max<std::int64_t>(0, request.trials));
    options.seed = std::uint64_t(request.recipe.evaluation.seed);
    options.journal = journalOf(request, m_cacheFolder);
    options.resume = request.resume;
    options.metric = request.metric;
    options.allowCommands = request.allowCommands;
    std::vector<api::TuneTrial> trials;
    options.tried = [&](const api::TuneTrial &trial, const api::Recipe &recipe) {
        trials.push_back(trial);
        if (outlet.step) outlet.step({trial, recipe, paretoFront(trials)});
    };
    return tuneRecipe(searchedRecipe(request.recipe), options, optionsOf(request), outlet.job);
}

} // namespace ql
