#include "app/cli_commands.h"
#include "core/analysis/analyser.h"
#include "core/api/catalogue.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/resources.h"
#include "core/base/strings.h"
#include "core/exec/kernel.h"
#include "core/export/exporter.h"
#include "core/io/importer.h"
#include "core/io/preprocess.h"
#include "core/metric/metric.h"
#include "core/observer/observer.h"
#include "core/pass/pass.h"
#include "core/platform/definition.h"
#include "core/platform/dispatcher.h"
#include "core/quant/device.h"
#include "core/session/preset.h"
#include "core/session/recipe_fields.h"

#include <algorithm>
#include <memory>

namespace ql::cli {

using nlohmann::json;

namespace {

// What the engine has, by kind

std::vector<api::PlatformItem> platformItems()
{
    std::vector<api::PlatformItem> items;
    for (const PlatformDefinition *definition : platforms()) {
        api::PlatformItem item{{definition->id, definition->title, definition->description, definition->params},
                               *definition};
        item.builtIn = definition->isBuiltIn();
        if (!item.builtIn) item.file = definition->file;
        try { // as written, if shorter than the complete definition
            const std::string text =
                item.builtIn ? std::string(resources::resource(definition->file)) : readFile(definition->file);
            if (!item.builtIn ||
                !api::platformFileFromJson(api::JsonText::parse(text, definition->file)).extends.empty())
                item.text = text;
        } catch (const Error &) {
            // removed or changed since it was listed
        }
        items.push_back(std::move(item));
    }
    return items;
}

std::vector<api::ObserverItem> observerItems()
{
    std::vector<api::ObserverItem> items;
    for (const std::string &id : Registry<ObserverEntry>::instance().ids()) {
        const ObserverEntry &entry = *Registry<ObserverEntry>::instance().find(id);
        items.push_back({entry.info, entry.perChannel, entry.asymmetric, entry.integer, entry.floating});
    }
    return items;
}

std::vector<api::ExporterItem> exporterItems()
{
    std::vector<api::ExporterItem> items;
    for (const std::string &id : Registry<ExporterEntry>::instance().ids()) {
        const ExporterEntry &entry = *Registry<ExporterEntry>::instance().find(id);
        items.push_back({entry.info, entry.extensions});
    }
    return items;
}

std::vector<api::ImporterItem> importerItems()
{
    std::vector<api::ImporterItem> items;
    for (const std::string &id : Registry<ImporterEntry>::instance().ids()) {
        const ImporterEntry &entry = *Registry<ImporterEntry>::instance().find(id);
        items.push_back({entry.info, entry.extensions, entry.takesWeights});
        if (!entry.types) continue;
        auto &rows = items.back().types.emplace();
        for (const ImportedType &type : entry.types()) rows.push_back({type.type, type.becomes, type.notes});
    }
    return items;
}

std::vector<api::AnalysisItem> analysisItems()
{
    std::vector<api::AnalysisItem> items;
    for (const std::string &id : Registry<AnalyserEntry>::instance().ids()) {
        const AnalyserEntry &entry = *Registry<AnalyserEntry>::instance().find(id);
        items.push_back({entry.info, entry.needsData});
    }
    return items;
}

std::vector<api::CatalogueItem> presetItems()
{
    return {presetCatalogue().begin(), presetCatalogue().end()};
}

std::string versionsOf(const api::OperatorItem &item)
{
    return std::to_string(item.minVersion) + " to " + std::to_string(item.maxVersion);
}

std::string statusOf(const api::OperatorItem &item)
{
    return item.limits.empty() ? item.status : item.status + ": " + item.limits;
}

std::vector<api::OperatorItem> operatorItems()
{
    std::vector<api::OperatorItem> items;
    for (const std::string &id : Registry<KernelEntry>::instance().ids()) {
        const KernelEntry &entry = *Registry<KernelEntry>::instance().find(id);
        const std::size_t colon = id.rfind(':');
        api::OperatorItem item;
        item.id = id;
        item.title = item.family = entry.family;
        item.domain = colon == std::string::npos ? "ai.onnx" : id.substr(0, colon);
        item.type = colon == std::string::npos ? id : id.substr(colon + 1);
        item.minVersion = entry.minOpset;
        item.maxVersion = entry.maxOpset;
        item.status = entry.limits.empty() ? "complete" : "partial";
        item.limits = entry.limits;
        item.meaning = item.domain + ", versions " + versionsOf(item) + ", " + statusOf(item);
        items.push_back(std::move(item));
    }
    return items;
}

// And how it is printed

/// Names and values that only items of one kind have.
using Facts = std::vector<std::pair<std::string, std::string>>;

struct Item
{
    api::CatalogueItem info;
    Facts facts;
    json whole;
};
using Items = std::vector<Item>;

template <class T>
Items shown(const std::vector<T> &list, Facts (*factsOf)(const T &item))
{
    Items items;
    for (const T &item : list) items.push_back({item, factsOf(item), item});
    return items;
}

std::string yesNo(bool value)
{
    return value ? "yes" : "no";
}

Facts platformFacts(const api::PlatformItem &item)
{
    const api::PlatformDefinition &definition = item.definition;
    std::vector<std::string> passes, rules;
    for (const api::StepRequest &pass : definition.passes) passes.push_back(pass.id + (pass.enabled ? "" : " (off)"));
    for (const api::Rule &rule : definition.rules) rules.push_back(std::to_string(rules.size()) + " " + rule.name);
    return Facts{{"other names", join(definition.aliases, ", ")},
                 {"quantized types", join(definition.quantizable, ", ")},
                 {"dispatcher", definition.dispatcher},
                 {"rules", join(rules, "; ")},
                 {"passes", join(passes, ", ")},
                 {"fused activations", join(definition.fuseActivations, ", ")},
                 {"exporters", join(definition.exporters, ", ")}};
}

Facts passFacts(const api::PassItem &item)
{
    return Facts{{"kind", toString(item.traits.kind)}, {"needs data", yesNo(item.traits.needsData)}};
}

Facts observerFacts(const api::ObserverItem &item)
{
    return Facts{{"per channel", yesNo(item.perChannel)},
                 {"asymmetric", yesNo(item.asymmetric)},
                 {"integer formats", yesNo(item.integer)},
                 {"floating formats", yesNo(item.floating)}};
}

Facts exporterFacts(const api::ExporterItem &item)
{
    return Facts{{"files", join(item.extensions, ", ")}};
}

Facts importerFacts(const api::ImporterItem &item)
{
    Facts facts{{"files", join(item.extensions, ", ")}, {"takes --weights", yesNo(item.takesWeights)}};
    if (item.types)
        for (const api::ImportedTypeRow &row : *item.types)
            facts.emplace_back(row.type + ": " + row.becomes, row.notes.empty() ? " " : row.notes);
    return facts;
}

Facts analysisFacts(const api::AnalysisItem &item)
{
    return Facts{{"needs data", yesNo(item.needsData)}};
}

Facts operatorFacts(const api::OperatorItem &item)
{
    return Facts{
        {"family", item.family}, {"domain", item.domain}, {"versions", versionsOf(item)}, {"status", statusOf(item)}};
}

Facts noFacts(const api::CatalogueItem &)
{
    return {};
}

struct Command
{
    const char *name;
    const char *member; ///< of the JSON
    const char *help;
    std::string example; ///< an id of it
    Items (*items)();
};

const std::vector<Command> &commands()
{
    static const std::vector<Command> list{
        {"platforms", "platforms", "List deployment targets", "TRT_INT8",
         [] { return shown(platformItems(), platformFacts); }},
        {"passes", "passes", "List passes, which edit the graph or its quantization",
         passThatWrites(PassAspect::ChannelRanges), [] { return shown(passItems(), passFacts); }},
        {"observers", "observers", "List observers, which determine ranges during calibration", "percentile",
         [] { return shown(observerItems(), observerFacts); }},
        {"exporters", "exporters", "List export formats", "onnx_qdq",
         [] { return shown(exporterItems(), exporterFacts); }},
        {"importers", "importers", "List import formats", "onnx", [] { return shown(importerItems(), importerFacts); }},
        {"ops", "ops", "List supported operators", "Conv", [] { return shown(operatorItems(), operatorFacts); }},
        {"dispatchers", "dispatchers", "List dispatchers, which decide what is quantized", "conservative",
         [] { return shown(dispatcherCatalogue(), noFacts); }},
        {"metrics", "metrics", "List metrics, for --metric", "ap50", [] { return shown(metricCatalogue(), noFacts); }},
        {"analyses", "analyses", "List analyses, for --analyse", "layerwise",
         [] { return shown(analysisItems(), analysisFacts); }},
        {"preprocess", "steps", "List preprocessing steps, for --preprocess", "letterbox",
         [] { return shown(Preprocess::catalogue(), noFacts); }},
        {"preprocess-presets", "presets", "List common preprocessing pipelines, for --preprocess", "imagenet",
         [] { return shown(Preprocess::presets(), noFacts); }},
        {"presets", "presets", "List preset pipelines, for --preset", "dsp",
         [] { return shown(presetItems(), noFacts); }},
    };
    return list;
}

std::string detailText(const Item &item)
{
    const std::string title = item.info.title.english();
    std::string out = item.info.id + (title.empty() || title == item.info.id ? "" : ": " + title) + "\n\n";
    out += wrapped(item.info.meaning.english(), 100, 2);
    if (!item.info.example.empty()) out += "\n  example\n" + wrapped(item.info.example, 100, 4);
    for (const auto &[name, value] : item.facts)
        if (!value.empty()) out += "\n  " + name + "\n" + wrapped(value, 100, 4);
    if (!item.info.params.empty()) out += "\n  parameters\n";
    for (const api::ParamSpec &spec : item.info.params) {
        std::string line = spec.name + " (" + spec.type + (spec.unit.empty() ? "" : ", " + spec.unit) + "), default " +
                           spec.fallback.dump();
        if (!spec.min.is_null() || !spec.max.is_null())
            line += ", " + (spec.min.is_null() ? "" : "from " + spec.min.dump() + " ") +
                    (spec.max.is_null() ? "" : "to " + spec.max.dump());
        if (!spec.choices.empty()) line += ": " + join(spec.choices, ", ");
        out += wrapped(line, 100, 4) + wrapped(spec.meaning.english(), 100, 8);
    }
    return out;
}

/// A step as it is written, and below it what it does.
std::string stepsText(const Items &items)
{
    std::string out;
    for (const Item &item : items)
        out += item.info.title.english() + "\n" + wrapped(item.info.meaning.english(), 98, 4);
    return out;
}

std::string listText(const Items &items)
{
    std::vector<std::vector<std::string>> rows;
    for (const Item &item : items) {
        // The first sentence, for passes also the second; the rest is on the page of the entry
        std::string meaning = item.info.meaning.english();
        const std::size_t from = std::min(meaning.find(" After: "), meaning.size());
        const std::size_t start = from == meaning.size() ? 0 : from;
        if (const std::size_t dot = meaning.find(". ", start); dot != std::string::npos) meaning.resize(dot + 1);
        const std::string title = item.info.title.english();
        rows.push_back({item.info.id, title == item.info.id ? "" : title, meaning});
    }
    return table({}, rows);
}

int show(Console &console, const Command &command, const std::string &id, const std::string &jsonFile)
{
    if (!jsonFile.empty()) checkWritable(jsonFile);
    const Items items = command.items();
    if (command.name == std::string("platforms"))
        for (const api::Problem &problem : platformProblems())
            console.note(std::string(toString(problem.severity)) + ": " + problem.message.english());
    if (id.empty()) {
        json list = json::array();
        for (const Item &item : items) list.push_back(item.whole);
        if (jsonFile.empty())
            console.print(command.name == std::string("preprocess") ? stepsText(items) : listText(items));
        else
            console.writeJson(jsonFile, json::object({{command.member, std::move(list)}}));
        return ExitCode::Good;
    }
    std::vector<std::string> ids;
    for (const Item &item : items) ids.push_back(item.info.id);
    const bool isPlatform = command.name == std::string("platforms");
    const PlatformDefinition *platform = isPlatform ? findPlatform(id) : nullptr; // by another name, too
    const auto at = std::find_if(items.begin(), items.end(),
                                 [&](const Item &item) { return item.info.id == (platform ? platform->id : id); });
    if (at == items.end())
        throw Error(ErrorKind::BadConfig,
                    Text::sentences({QL_TEXT("%1: unknown id '%2'.").with(command.name, id), suggestion(id, ids)}))
            .withRemedy("`quantloupe-cli " + std::string(command.name) + "` lists them.");
    if (jsonFile.empty())
        console.print(detailText(*at));
    else
        console.writeJson(jsonFile, at->whole);
    return ExitCode::Good;
}

} // namespace

api::Catalogue wholeCatalogue()
{
    return {.platforms = platformItems(),
            .passes = passItems(),
            .observers = observerItems(),
            .exporters = exporterItems(),
            .importers = importerItems(),
            .ops = operatorItems(),
            .dispatchers = dispatcherCatalogue(),
            .analyses = analysisItems(),
            .steps = Preprocess::catalogue(),
            .presets = Preprocess::presets(),
            .metrics = metricCatalogue(),
            .recipePresets = presetCatalogue(),
            .devices = availableDevices()};
}

void addCatalogues(CLI::App &app, Action &action)
{
    for (const Command &entry : commands()) {
        struct Arguments
        {
            std::string id, jsonFile;
        };
        const auto arguments = std::make_shared<Arguments>();
        CLI::App *command = app.add_subcommand(entry.name, entry.help)->group("Catalogues");
        command->add_option("ID", arguments->id, "Show this entry with its parameters");
        command->add_option("--json", arguments->jsonFile, "Write JSON to FILE (- for standard output)")
            ->type_name("FILE");
        command->footer(std::string("Examples:\n  quantloupe-cli ") + entry.name + "\n  quantloupe-cli " + entry.name +
                        " " + entry.example + "\n  quantloupe-cli " + entry.name + " --json -");
        command->callback([arguments, &entry, &action] {
            action = [arguments, &entry](Console &console) {
                return show(console, entry, arguments->id, arguments->jsonFile);
            };
        });
    }
}

} // namespace ql::cli
