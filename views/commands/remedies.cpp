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

/// Of all rules of a remedy; empty if they have several.
static QString observerOf(const api::Action &action)
{
    std::string observer;
    for (const api::Rule &rule : action.overrides) {
        const std::string of = rule.set.observer.value_or(std::string());
        if (!observer.empty() && of != observer) return {};
        observer = of;
    }
    return QString::fromStdString(observer);
}

QString remedyTitle(const api::Action &action)
{
    const std::string &id = action.id;
    const QString observer = observerOf(action);
    if (id == api::remedy::toFloat) return tr("Run in FP32");
    if (id == api::remedy::perChannel) return tr("Per-channel weights");
    if (id == api::remedy::perChannelInputs) return tr("Per-channel inputs");
    if (id == api::remedy::equalize) return tr("Equalize layers");
    if (id == api::remedy::observer && !observer.isEmpty()) return tr("Observer %1").arg(observer);
    if (id == api::remedy::observer) return tr("Change observer");
    if (id == api::remedy::consumersToFloat) return tr("Run consumers in FP32");
    if (id == api::remedy::allObservers) return tr("Observer %1 for all tensors").arg(observer);
    if (id == api::remedy::correctBiases) return tr("Correct biases");
    if (id == api::remedy::splitRecurrent) return tr("Split GRU and LSTM");
    if (id == api::remedy::dropOverride) return tr("Remove the override");
    if (id == api::remedy::worstToFloat) return tr("Run these in FP32");
    if (id == api::remedy::fewerSamples) return tr("Fewer samples");
    if (id == api::remedy::fewerOperations) return tr("Only operations with weights");
    if (id == api::remedy::allOperations) return tr("Measure all operations");
    return QString::fromStdString(id);
}

QString remedyMeaning(const std::string &id)
{
    if (id == api::remedy::toFloat)
        return tr("The operation runs in float32: it adds no error, but is slower, and the runtime must support it.");
    if (id == api::remedy::perChannel)
        return tr("One scale per output channel of the weight. Costs nothing on targets that support it.");
    if (id == api::remedy::perChannelInputs)
        return tr("One scale per channel at the inputs of all depthwise convolutions, which the platform allows.");
    if (id == api::remedy::equalize)
        return tr("Balances the weights of neighbouring layers channel by channel before quantizing; the float result "
                  "does not change.");
    if (id == api::remedy::observer)
        return tr("Uses another observer for this tensor: if mse, kl and minmax were tried, the best of them.");
    if (id == api::remedy::consumersToFloat)
        return tr(
            "The operations that read and round this tensor run in float32: slower, and the runtime must support it.");
    if (id == api::remedy::allObservers)
        return tr("Uses another observer for all activations: if mse, kl and minmax were tried, the best of them.");
    if (id == api::remedy::correctBiases)
        return tr(
            "Compensates in the biases for the shift of the mean that rounding causes; uses the calibration data.");
    if (id == api::remedy::splitRecurrent)
        return tr("Replaces GRU and LSTM by Gemm, Sigmoid, Tanh, Mul and Add of each step, which the platform can "
                  "quantize; the float result does not change.");
    if (id == api::remedy::dropOverride) return tr("Removes the rule from the recipe; nothing else changes.");
    if (id == api::remedy::worstToFloat)
        return tr("The operations that add the most noise run in float32: slower, and the runtime must support it.");
    if (id == api::remedy::fewerSamples)
        return tr("Measures layerwise error on fewer samples: faster, and enough to rank the operations.");
    if (id == api::remedy::fewerOperations)
        return tr("Measures layerwise errors of operations with weights only, where most of the error starts.");
    if (id == api::remedy::allOperations)
        return tr("Measures layerwise errors of operations without weights, too: takes several times as long.");
    return {};
}

/// The position for a pass that is not in the list: first, or, if it needs an aspect, before passes that finish all
/// others (biases are corrected before they are rounded).
static std::ptrdiff_t placeOf(const std::string &id, const std::vector<api::StepRequest> &list,
                              const api::PassCatalogue &passes)
{
    const auto own = passes.find(id);
    if (own == passes.end() || own->second.needs.empty()) return 0;
    const auto place = std::find_if(list.begin(), list.end(), [&](const api::StepRequest &step) {
        const auto other = passes.find(step.id);
        return other != passes.end() &&
               std::any_of(other->second.finishes.begin(), other->second.finishes.end(),
                           [&](api::PassAspect aspect) { return own->second.doesWrite(aspect); });
    });
    return place - list.begin();
}

/// Turned on if the platform has it, otherwise inserted; unchanged if it is on.
static api::Recipe withPass(const Document &document, const std::string &id)
{
    const auto &passes = document.recipe().passes ? document.recipe().passes : document.completeRecipe().passes;
    api::Recipe edited = document.recipe();
    std::vector<api::StepRequest> list = passes.value_or(std::vector<api::StepRequest>());
    bool isKnown = false;
    for (api::StepRequest &step : list) {
        if (step.id != id) continue;
        if (step.enabled) return edited;
        isKnown = step.enabled = true;
    }
    if (!isKnown) {
        const api::PassCatalogue known = api::passTraitsOf(document.requests().known().passes);
        api::StepRequest step;
        step.id = id;
        list.insert(list.begin() + placeOf(id, list, known), step);
    }
    edited.passes = std::move(list);
    return edited;
}

api::Recipe withRemedy(const Document &document, const api::Action &action)
{
    if (!action.pass.empty()) return withPass(document, action.pass);
    api::Recipe recipe = document.recipe();
    if (action.dropOverride) std::erase(recipe.overrides, *action.dropOverride);
    for (const auto &[path, value] : action.fields) recipe = api::withField(recipe, path, value.dump());
    return withOverrides(withDispatchRules(std::move(recipe), action.dispatch), action.overrides);
}

/// Of the last run with the remedy.
static std::optional<RemedyGain> gainOfRuns(const Document &document, const api::Action &action, const RunData &now)
{
    if (document.history().runs().size() < 2 || !now.outputSqnr()) return std::nullopt;
    QString hash;
    try {
        hash = Document::resultHashOf(document.recipeFrom(withRemedy(document, action), document.folder()));
    } catch (const Error &) {
        return std::nullopt; // refused when requested
    }
    std::optional<RemedyGain> gain;
    for (const RunRecord &run : document.history().runs()) {
        if (run.data->recipeHash == now.recipeHash && run.data->inputsKey != now.inputsKey)
            gain.reset(); // model or data were different until here
        if (run.data->recipeHash == hash && hash != now.recipeHash)
            if (const auto after = run.data->outputSqnr()) gain = RemedyGain{*after - *now.outputSqnr()};
    }
    return gain;
}

std::optional<RemedyGain> measuredGain(const Document &document, const api::Action &action)
{
    const RunPtr &now = document.history().shown();
    if (document.history().isStale() || !now) return std::nullopt;
    if (const auto gain = gainOfRuns(document, action, *now)) return gain;
    if (action.gainDb) return RemedyGain{*action.gainDb};
    if (action.gainPoints) return RemedyGain{*action.gainPoints, false};
    return std::nullopt;
}

void applyRemedy(Document &document, const api::Action &action, const QString &operation)
{
    const api::Recipe recipe = withRemedy(document, action);
    if (recipe == document.recipe()) {
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
