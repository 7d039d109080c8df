#include "views/commands/remedies.h"

#include "core/api/pass_traits.h"
#include "core/api/recipe.h"
#include "core/api/remedy_words.h"
#include "core/base/error.h"
#include "views/bridge/engine_requests.h"
#include "views/bridge/problem_list.h"
#include "views/bridge/run_history.h"
#include "views/bridge/translate.h"
#include "views/commands/recipe_command.h"

#include <algorithm>

namespace ql {

using nlohmann::json;

/// Of all rules of a remedy; empty where they have several.
static QString observerOf(const ProblemAction &action)
{
    QString observer;
    for (const json &rule : memberOf(action.edit, "overrides")) {
        const QString of = textOf(memberOf(rule, "set"), "observer");
        if (!observer.isEmpty() && of != observer) return {};
        observer = of;
    }
    return observer;
}

QString remedyTitle(const ProblemAction &action)
{
    const QString &id = action.id, observer = observerOf(action);

    if (id == QLatin1String(api::remedy::toFloat)) return tr("Run in FP32");
    if (id == QLatin1String(api::remedy::perChannel)) return tr("Per-channel weights");
    if (id == QLatin1String(api::remedy::equalize)) return tr("Equalize layers");
    if (id == QLatin1String(api::remedy::observer) && !observer.isEmpty()) return tr("Observer %1").arg(observer);
    if (id == QLatin1String(api::remedy::observer)) return tr("Change observer");
    if (id == QLatin1String(api::remedy::readersToFloat)) return tr("Run consumers in FP32");
    if (id == QLatin1String(api::remedy::allObservers)) return tr("Observer %1 for all tensors").arg(observer);
    if (id == QLatin1String(api::remedy::correctBiases)) return tr("Correct biases");
    if (id == QLatin1String(api::remedy::dropOverride)) return tr("Remove the override");
    if (id == QLatin1String(api::remedy::worstToFloat)) return tr("Run these in FP32");
    if (id == QLatin1String(api::remedy::fewerSamples)) return tr("Fewer samples");
    if (id == QLatin1String(api::remedy::fewerOperations)) return tr("Only operations with weights");
    if (id == QLatin1String(api::remedy::allOperations)) return tr("Measure all operations");
    if (id == QLatin1String(api::remedy::fewerOperations)) return tr("Only operations with weights");
    if (id == QLatin1String(api::remedy::allOperations)) return tr("Measure all operations");
    return id;
}

QString remedyMeaning(const QString &id)
{
    if (id == QLatin1String(api::remedy::toFloat))
        return tr("The operation runs in float32: it adds no error, but is slower, and the runtime must support it.");
    if (id == QLatin1String(api::remedy::perChannel))
        return tr("One scale per output channel of the weight. Costs nothing on targets that support it.");
    if (id == QLatin1String(api::remedy::equalize))
        return tr("Balances the weights of neighbouring layers channel by channel before quantizing; the float result "
                  "does not change.");
    if (id == QLatin1String(api::remedy::observer))
        return tr(
            "Uses another observer for this tensor: mse, or if mse is set, kl (minmax if there is a zero point).");
    if (id == QLatin1String(api::remedy::readersToFloat))
        return tr(
            "The operations that read and round this tensor run in float32: slower, and the runtime must support it.");
    if (id == QLatin1String(api::remedy::allObservers))
        return tr(
            "Uses another observer for all activations: mse, or if mse is set, kl (minmax if there is a zero point).");
    if (id == QLatin1String(api::remedy::correctBiases))
        return tr(
            "Compensates in the biases for the shift of the mean that rounding causes; uses the calibration data.");
    if (id == QLatin1String(api::remedy::dropOverride))
        return tr("Removes the rule from the recipe; nothing else changes.");
    if (id == QLatin1String(api::remedy::worstToFloat))
        return tr("The operations that add the most noise run in float32: slower, and the runtime must support it.");
    if (id == QLatin1String(api::remedy::fewerSamples))
        return tr("Measures layerwise error on fewer samples: faster, and enough to rank the operations.");
    if (id == QLatin1String(api::remedy::fewerOperations))
        return tr("Measures layerwise errors of operations with weights only, where most of the error starts.");
    if (id == QLatin1String(api::remedy::allOperations))
        return tr("Measures layerwise errors of operations without weights, too: takes several times as long.");
    return {};
}

/// Where a pass that the list does not have belongs: first, or, if it needs something found, before what works on the
/// result of all others (biases are corrected before they are rounded).
static std::ptrdiff_t placeOf(const std::string &id, const json &list, const json &catalogue)
{
    const api::PassCatalogue passes = api::passCatalogueFromJson(memberOf(catalogue, "passes"));
    const auto own = passes.find(id);
    if (own == passes.end() || own->second.needs.empty()) return 0;
    const auto place = std::find_if(list.begin(), list.end(), [&](const json &step) {
        const auto other = passes.find(step["id"].get<std::string>());
        return other != passes.end() &&
               std::any_of(other->second.finishes.begin(), other->second.finishes.end(),
                           [&](api::PassAspect aspect) { return own->second.doesWrite(aspect); });
    });
    return place - list.begin();
}

/// Turned on where the platform has it, else put where it belongs; as it was when it is on.
static json withPass(const Document &document, const std::string &id)
{
    const auto &passes = document.recipe().passes ? document.recipe().passes : document.completeRecipe().passes;
    json list = json::array(), edited = document.recipeJson();
    bool isKnown = false;
    for (const api::StepRequest &step : passes.value_or(std::vector<api::StepRequest>())) {
        const bool isIt = step.id == id;
        if (isIt && step.enabled) return edited;
        isKnown |= isIt;
        list.push_back({{"id", step.id}, {"enabled", step.enabled || isIt}, {"params", step.params}});
    }
    if (!isKnown) {
        const auto place =
            list.begin() +
            placeOf(id, list, document.requests().catalogue() ? *document.requests().catalogue() : json());
        list.insert(place, json{{"id", id}, {"enabled", true}, {"params", json::object()}});
    }
    edited["passes"] = list;
    return edited;
}

json withRemedy(const Document &document, const ProblemAction &action)
{
    const json &edit = action.edit;
    if (const QString pass = textOf(edit, "pass"); !pass.isEmpty()) return withPass(document, pass.toStdString());
    if (const json &dropped = memberOf(edit, "drop_override"); !dropped.is_null()) {
        json recipe = document.recipeJson();
        auto &overrides = recipe["overrides"].get_ref<json::array_t &>();
        std::erase(overrides, dropped);
        return recipe;
    }
    if (const json &fields = memberOf(edit, "fields"); fields.is_object() && !fields.empty()) {
        api::Recipe changed = document.recipe();
        for (const auto &[path, value] : fields.items()) changed = api::withField(changed, path, value.dump());
        return api::toJson(changed);
    }
    json recipe = withDispatchRules(document.recipeJson(), memberOf(edit, "dispatch"));
    return withOverrides(std::move(recipe), memberOf(edit, "overrides"));
}

std::optional<double> measuredGain(const Document &document, const ProblemAction &action)
{
    const RunPtr &now = document.history().shown();
    if (document.history().runs().size() < 2 || document.history().isStale() || !now || !now->outputSqnr())
        return std::nullopt;
    QString hash;
    try {
        hash = Document::resultHashOf(document.recipeFrom(withRemedy(document, action), document.folder()));
    } catch (const Error &) {
        return std::nullopt; // is refused when it is asked for
    }
    std::optional<double> gain;
    for (const RunRecord &run : document.history().runs()) {
        if (run.data->recipeHash == now->recipeHash && run.data->inputsKey != now->inputsKey)
            gain.reset(); // model or data were others up to here
        if (run.data->recipeHash == hash && hash != now->recipeHash)
            if (const auto after = run.data->outputSqnr()) gain = *after - *now->outputSqnr();
    }
    return gain;
}

void applyRemedy(Document &document, const ProblemAction &action, const QString &operation)
{
    const json recipe = withRemedy(document, action);
    if (recipe == document.recipeJson()) {
        Q_EMIT document.note(tr("“%1” is already set.").arg(remedyTitle(action)));
        return;
    }
    const QString text = operation.isEmpty() ? remedyTitle(action) : tr("%1: %2").arg(remedyTitle(action), operation);
    const QString before = document.resultHash();
    const std::optional<double> sqnr =
        document.history().shown() ? document.history().shown()->outputSqnr() : std::nullopt;
    replaceRecipe(document, text, recipe);
    if (document.resultHash() != before && sqnr) document.problems().expectGain(operation, text, *sqnr);
}

} // namespace ql
