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
        return tr(
            "Finds the range of the tensor another way: mse instead of what is set, or instead of mse kl (minmax where "
            "there is a zero point).");
    return {};
}

json withRemedy(const Document &document, const QString &id, const QString &operation, const QString &variable)
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
        // Of the tensor that it is about, else of the output
        const ConfigInfo *about = nullptr;
        for (const int i : document.configsOf(operation)) {
            const ConfigInfo &config = document.configs()[i];
            if (config.variable == variable) about = &config;
            if (!about && config.role == QLatin1String("output")) about = &config;
        }
        if (!about) return nullptr;
        const auto withOther = [&](const json &from, const ConfigInfo &config) {
            scope.operations = QStringList{config.operation};
            scope.role = config.role;
            scope.index = config.index;
            const char *instead = config.isSymmetric ? "kl" : "minmax"; // kl knows no zero point
            return withOverride(from, scope, {{"observer", config.observer == QLatin1String("mse") ? instead : "mse"}});
        };
        if (about->state != QLatin1String("overlapped")) return withOther(recipe, *about);
        // Another slot rounds in its place: what is observed are the outputs that share the scale
        json edited = recipe;
        for (const ConfigInfo &config : document.configs())
            if (config.role == QLatin1String("output") && config.state != QLatin1String("overlapped") &&
                !config.isFloat() && config.scaleGroup() == about->scaleGroup())
                edited = withOther(edited, config);
        return edited == recipe ? withOther(recipe, *about) : edited;
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

void applyRemedy(Document &document, const QString &id, const QString &operation, const QString &variable)
{
    const json recipe = withRemedy(document, id, operation, variable);
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
