#include "views/commands/remedies.h"

#include "views/bridge/translate.h"
#include "views/commands/recipe_command.h"

namespace ql {

using nlohmann::json;

QString remedyTitle(const QString &id)
{
    if (id == QLatin1String("fp32")) return tr("Send to FP32");
    if (id == QLatin1String("per_channel")) return tr("Weights per channel");
    if (id == QLatin1String("equalize")) return tr("Equalize layers");
    if (id == QLatin1String("observer")) return tr("Other observer");
    return id;
}

QString remedyMeaning(const QString &id)
{
    if (id == QLatin1String("fp32"))
        return tr("The operation computes in float: no error of its own, but slower, and the runtime must allow it.");
    if (id == QLatin1String("per_channel"))
        return tr("One scale for each output channel of the weight. Free where the runtime can do it.");
    if (id == QLatin1String("equalize"))
        return tr("Scales the channels of neighbouring layers against each other before quantizing; the float network "
                  "computes the same.");
    if (id == QLatin1String("observer"))
        return tr("Finds the range of the output another way: mse instead of what is set, or kl instead of mse.");
    return {};
}

json withRemedy(const Document &document, const QString &id, const QString &operation)
{
    const json recipe = document.recipeJson();
    OverrideScope scope;
    scope.operations = QStringList{operation};
    if (id == QLatin1String("fp32")) return withDispatch(recipe, {operation}, QStringLiteral("FP32"));
    if (id == QLatin1String("per_channel")) {
        scope.role = QStringLiteral("weight");
        return withOverride(recipe, scope, {{"granularity", "output_channel"}, {"observer", "minmax"}});
    }
    if (id == QLatin1String("observer")) {
        QString now;
        for (const int i : document.configsOf(operation))
            if (const ConfigInfo &config = document.configs()[i]; config.role == QLatin1String("output"))
                now = config.observer;
        scope.role = QStringLiteral("output");
        return withOverride(recipe, scope, {{"observer", now == QLatin1String("mse") ? "kl" : "mse"}});
    }
    if (id == QLatin1String("equalize")) {
        const auto &passes = document.recipe().passes ? document.recipe().passes : document.completeRecipe().passes;
        json list = json::array(), edited = recipe;
        bool found = false;
        for (const api::StepRequest &step : passes.value_or(std::vector<api::StepRequest>())) {
            const bool isIt = step.id == "layerwise_equalization";
            if (isIt && step.enabled) return nullptr;
            found |= isIt;
            list.push_back({{"id", step.id}, {"enabled", step.enabled || isIt}, {"params", step.params}});
        }
        if (!found)
            list.insert(list.begin(),
                        json{{"id", "layerwise_equalization"}, {"enabled", true}, {"params", json::object()}});
        edited["passes"] = list;
        return edited;
    }
    return nullptr;
}

void applyRemedy(Document &document, const QString &id, const QString &operation)
{
    const json recipe = withRemedy(document, id, operation);
    if (recipe.is_null() || recipe == document.recipeJson()) {
        Q_EMIT document.note(tr("“%1” is set already.").arg(remedyTitle(id)));
        return;
    }
    const QString text = tr("%1: %2").arg(remedyTitle(id), operation);
    const QString before = document.resultHash();
    const std::optional<double> sqnr = document.result() ? document.result()->outputSqnr() : std::nullopt;
    replaceRecipe(document, text, recipe);
    if (document.resultHash() != before && sqnr) document.expectGain(operation, text, *sqnr);
}

} // namespace ql
