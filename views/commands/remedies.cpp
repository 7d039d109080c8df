#include "views/commands/remedies.h"

#include "views/bridge/translate.h"
#include "views/commands/recipe_command.h"

#include <algorithm>

namespace ql {

using nlohmann::json;

QString remedyTitle(const QString &id)
{
    if (id == QLatin1String("fp32")) return tr("Send to FP32");
    if (id == QLatin1String("per_channel")) return tr("Weights per channel");
    if (id == QLatin1String("equalize")) return tr("Equalize layers");
    if (id == QLatin1String("observer")) return tr("Other observer");
    if (id == QLatin1String("fp32_readers")) return tr("Send readers to FP32");
    if (id == QLatin1String("observers")) return tr("Other observer for all");
    if (id == QLatin1String("bias_correction")) return tr("Correct biases");
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
    if (id == QLatin1String("fp32_readers"))
        return tr("The operations that read this tensor and round it compute in float: slower, and the runtime must "
                  "allow it.");
    if (id == QLatin1String("observers"))
        return tr("Finds the ranges of all activations another way: mse instead of what is set, or instead of mse kl "
                  "(minmax where there is a zero point).");
    if (id == QLatin1String("bias_correction"))
        return tr("Takes the shift of the mean that rounding causes out of the biases, with the calibration data.");
    return {};
}

/// Those that round a tensor: of operation itself, else of what reads it.
static QVector<const ConfigInfo *> roundersOf(const Document &document, const QString &operation,
                                              const QString &variable)
{
    QVector<const ConfigInfo *> own, others;
    for (const ConfigInfo &config : document.configs())
        if (config.variable == variable && !config.isFloat() && config.role != QLatin1String("parameter"))
            (config.operation == operation ? own : others).append(&config);
    return own.isEmpty() ? others : own;
}

/// Its own observer finds its scale.
static bool isObserved(const ConfigInfo &config)
{
    return !config.isFloat() && !config.isDynamic && config.exponentBits == 0 &&
           config.role != QLatin1String("parameter") && config.state != QLatin1String("overlapped") &&
           config.state != QLatin1String("passive");
}

static const char *otherObserver(const QVector<const ConfigInfo *> &configs)
{
    const auto all = [&](const auto &is) { return std::all_of(configs.begin(), configs.end(), is); };
    const auto allHave = [&](const char *id) {
        return all([id](const ConfigInfo *config) { return config->observer == QLatin1String(id); });
    };
    // Only minmax tells channels apart; mse and kl take a bin of a histogram for each code, kl knows no zero point
    if (!all([](const ConfigInfo *config) { return !config->channelAxis; })) return "minmax";
    if (!all([](const ConfigInfo *config) { return config->bits <= 8; }))
        return allHave("percentile") ? "minmax" : "percentile";
    if (!allHave("mse")) return "mse";
    return all([](const ConfigInfo *config) { return config->isSymmetric; }) ? "kl" : "minmax";
}

/// Of the tensor that the problem is about, else of the operation's output, else of its inputs.
static json withOtherObserver(const Document &document, const QString &operation, const QString &variable)
{
    QVector<const ConfigInfo *> about = roundersOf(document, operation, variable);
    for (const auto role : {QLatin1String("output"), QLatin1String("input")})
        for (const int i : about.isEmpty() ? document.configsOf(operation) : QVector<int>())
            if (const ConfigInfo &config = document.configs()[i]; config.role == role && !config.isFloat())
                about.append(&config);
    QVector<const ConfigInfo *> observed;
    const auto add = [&](const ConfigInfo &config) {
        if (isObserved(config) && !observed.contains(&config)) observed.append(&config);
    };
    for (const ConfigInfo *config : about) {
        if (isObserved(*config)) {
            add(*config);
            continue;
        }
        // Another slot rounds in its place: what is observed are the outputs that share the scale, or else its root
        QVector<const ConfigInfo *> outputs, roots;
        for (const ConfigInfo &other : document.configs()) {
            if (!isObserved(other) || other.scaleGroup() != config->scaleGroup()) continue;
            if (other.role == QLatin1String("output")) outputs.append(&other);
            if (other.rootOperation.isEmpty()) roots.append(&other);
        }
        for (const ConfigInfo *other : outputs.isEmpty() ? roots : outputs) add(*other);
    }
    if (observed.isEmpty()) return nullptr;
    json edited = document.recipeJson();
    for (const ConfigInfo *config : observed) {
        OverrideScope scope;
        scope.operations = QStringList{config->operation};
        scope.role = config->role;
        scope.index = config->index;
        edited = withOverride(edited, scope, {{"observer", otherObserver({config})}});
    }
    return edited;
}

/// The same for all activations.
static json withOtherObservers(const Document &document)
{
    QVector<const ConfigInfo *> observed;
    for (const ConfigInfo &config : document.configs())
        if (isObserved(config)) observed.append(&config);
    if (observed.isEmpty()) return nullptr;
    json edited = document.recipeJson();
    for (const auto role : {QLatin1String("input"), QLatin1String("output")}) {
        if (std::none_of(observed.begin(), observed.end(), [&](const ConfigInfo *c) { return c->role == role; }))
            continue;
        OverrideScope scope;
        scope.kind = OverrideScope::Kind::Pattern;
        scope.text = QStringLiteral("*");
        scope.role = role;
        edited = withOverride(edited, scope, {{"observer", otherObserver(observed)}});
    }
    return edited;
}

/// Turned on where the platform has it, else put where it belongs; null when it is on.
static json withPass(const Document &document, const std::string &id)
{
    const auto &passes = document.recipe().passes ? document.recipe().passes : document.completeRecipe().passes;
    json list = json::array(), edited = document.recipeJson();
    bool isKnown = false;
    for (const api::StepRequest &step : passes.value_or(std::vector<api::StepRequest>())) {
        const bool isIt = step.id == id;
        if (isIt && step.enabled) return nullptr;
        isKnown |= isIt;
        list.push_back({{"id", step.id}, {"enabled", step.enabled || isIt}, {"params", step.params}});
    }
    auto place = list.begin();
    if (id == "bias_correction") // it needs scales, and comes before biases are rounded
        place = std::find_if(list.begin(), list.end(),
                             [](const json &step) { return step["id"] == "round_biases" || step["id"] == "bake"; });
    if (!isKnown) list.insert(place, json{{"id", id}, {"enabled", true}, {"params", json::object()}});
    edited["passes"] = list;
    return edited;
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
    if (id == QLatin1String("fp32_readers")) {
        QStringList readers;
        for (const ConfigInfo *config : roundersOf(document, operation, variable)) readers.append(config->operation);
        readers.removeDuplicates();
        return readers.isEmpty() ? json() : withDispatch(recipe, readers, QStringLiteral("FP32"));
    }
    if (id == QLatin1String("observer")) return withOtherObserver(document, operation, variable);
    if (id == QLatin1String("observers")) return withOtherObservers(document);
    if (id == QLatin1String("equalize")) return withPass(document, "layerwise_equalization");
    if (id == QLatin1String("bias_correction")) return withPass(document, "bias_correction");
    return nullptr;
}

void applyRemedy(Document &document, const QString &id, const QString &operation, const QString &variable)
{
    const json recipe = withRemedy(document, id, operation, variable);
    if (recipe.is_null() || recipe == document.recipeJson()) {
        Q_EMIT document.note(tr("“%1” is set already.").arg(remedyTitle(id)));
        return;
    }
    const QString text = operation.isEmpty() ? remedyTitle(id) : tr("%1: %2").arg(remedyTitle(id), operation);
    const QString before = document.resultHash();
    const std::optional<double> sqnr = document.result() ? document.result()->outputSqnr() : std::nullopt;
    replaceRecipe(document, text, recipe);
    if (document.resultHash() != before && sqnr) document.expectGain(operation, text, *sqnr);
}

} // namespace ql
