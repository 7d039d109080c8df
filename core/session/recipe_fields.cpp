#include "core/session/recipe_fields.h"

#include "core/observer/observer.h"
#include "core/pass/pass.h"
#include "core/platform/recipe_platforms.h"

#include <algorithm>

namespace ql {

std::vector<api::PassItem> passItems()
{
    std::vector<api::PassItem> items;
    for (const std::string &id : Registry<PassEntry>::instance().ids()) {
        const PassEntry &entry = *Registry<PassEntry>::instance().find(id);
        items.push_back({entry.info, entry.traits});
        for (api::ParamSpec &spec : items.back().params)
            if (spec.type == "observer") spec.choices = Registry<ObserverEntry>::instance().ids();
    }
    return items;
}

std::vector<api::StepRequest> platformPasses(const api::Recipe &recipe)
{
    return RecipePlatforms(recipe).main().passes;
}

const api::StepRequest *requestOf(const api::Recipe &recipe, std::string_view analysis)
{
    const auto found = std::find_if(recipe.analyses.begin(), recipe.analyses.end(),
                                    [&](const api::StepRequest &step) { return step.id == analysis; });
    return found == recipe.analyses.end() ? nullptr : &*found;
}

void setRecipeField(api::Recipe &recipe, const std::string &path, const std::string &value)
{
    api::setRecipeField(recipe, path, value, passItems(), platformPasses(recipe));
}

} // namespace ql
