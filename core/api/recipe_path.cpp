#include "core/api/recipe_path.h"

#include "core/api/pass_order.h"
#include "core/base/strings.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace ql::api {

using Steps = std::vector<StepRequest>;

/// How many passes of the list have no or an unexpected effect.
static std::ptrdiff_t misplaced(const Steps &steps, const PassCatalogue &passes)
{
    std::ptrdiff_t count = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) count += passOrderProblem(steps, i, passes) ? 1 : 0;
    return count;
}

/// Whether a listed pass writes what an added one does, and finishes more: then it builds on the added one's results.
static bool buildsOn(const PassTraits &listed, const PassTraits &added)
{
    const auto isShared = [&](PassAspect aspect) { return listed.doesWrite(aspect); };
    const auto isFinished = [&](PassAspect aspect) {
        return std::find(listed.finishes.begin(), listed.finishes.end(), aspect) != listed.finishes.end();
    };
    return std::any_of(added.writes.begin(), added.writes.end(), isShared) &&
           std::all_of(added.finishes.begin(), added.finishes.end(), isFinished) &&
           listed.finishes.size() > added.finishes.size();
}

static std::size_t placeOf(const StepRequest &step, PassKind kind, const Steps &steps,
                           const std::vector<PassItem> &known)
{
    if (kind != PassKind::Quant) {
        const auto later = std::find_if(steps.begin(), steps.end(), [&](const StepRequest &other) {
            const PassItem *item = findItem(known, other.id);
            return item && item->traits.kind != kind;
        });
        return std::size_t(later - steps.begin());
    }
    const PassCatalogue passes = passTraitsOf(known);
    const auto isBuiltOn = [&](const StepRequest &other) {
        const PassItem *listed = findItem(known, other.id), *added = findItem(known, step.id);
        return listed && added && buildsOn(listed->traits, added->traits);
    };
    std::size_t best = steps.size();
    std::optional<std::pair<std::ptrdiff_t, std::ptrdiff_t>> fewest; // problems, and passes before it that build on it
    for (std::size_t place = steps.size() + 1; place-- > 0;) {
        Steps tried = steps;
        tried.insert(tried.begin() + std::ptrdiff_t(place), step)->enabled = true;
        const std::pair found{misplaced(tried, passes),
                              std::count_if(steps.begin(), steps.begin() + std::ptrdiff_t(place), isBuiltOn)};
        if (fewest && found >= *fewest) continue;
        fewest = found;
        best = place;
    }
    return best;
}

static void complete(StepRequest &step, const std::vector<PassItem> &known)
{
    if (const PassItem *item = findItem(known, step.id))
        step.params = completeParams(item->params, step.params, QL_TEXT("pass '%1'").with(step.id));
}

static void listPass(Steps &steps, const std::string &id, const std::vector<PassItem> &known)
{
    if (std::any_of(steps.begin(), steps.end(), [&](const StepRequest &step) { return step.id == id; })) return;
    const PassItem *item = findItem(known, id);
    if (!item) return; // withField() suggests the nearest one
    StepRequest added;
    added.id = id;
    added.enabled = false;
    complete(added, known);
    steps.insert(steps.begin() + std::ptrdiff_t(placeOf(added, item->traits.kind, steps, known)), added);
}

std::string passOfField(const std::string &path)
{
    const std::vector<std::string> keys = split(path, '.');
    return keys.size() > 1 && keys[0] == "passes" ? keys[1] : std::string();
}

void setRecipeField(Recipe &recipe, const std::string &path, const std::string &value,
                    const std::vector<PassItem> &known, const std::vector<StepRequest> &usual)
{
    if (const std::string id = passOfField(path); !id.empty()) {
        if (!recipe.passes) {
            recipe.passes = usual;
            for (StepRequest &step : *recipe.passes) complete(step, known);
        }
        listPass(*recipe.passes, id, known);
    }
    recipe = withField(recipe, path, value);
}

} // namespace ql::api
