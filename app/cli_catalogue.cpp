#include "app/cli_commands.h"
#include "core/analysis/analyser.h"
#include "core/api/catalogue.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/language.h"
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

Text versionsOf(const api::OperatorItem &item)
{
    return QL_TEXT("%1 to %2").with(item.minVersion, item.maxVersion);
}

Text statusOf(const api::OperatorItem &item)
{
    return item.limits.empty() ? QL_TEXT("complete") : QL_TEXT("partial: %1").with(item.limits);
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
        item.meaning = QL_TEXT("%1, versions %2, %3").with(item.domain, versionsOf(item), statusOf(item));
        items.push_back(std::move(item));
    }
    return items;
}

// And how it is printed

/// Names and values that only items of one kind have.
using Facts = std::vector<std::pair<Text, Text>>;

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

Text yesNo(bool value)
{
    return value ? QL_TEXT("yes") : QL_TEXT("no");
}

Facts platformFacts(const api::PlatformItem &item)
{
    const api::PlatformDefinition &definition = item.definition;
    std::vector<Text> passes, rules;
    for (const api::StepRequest &pass : definition.passes)
        passes.push_back(pass.enabled ? Text(pass.id) : QL_TEXT("%1 (off)").with(pass.id));
    for (const api::Rule &rule : definition.rules)
        rules.push_back(Text::list({Text(rules.size()), Text::ofTemplate(rule.name.c_str())}, Text::Join::Space));
    return Facts{{QL_TEXT("other names"), Text::list(definition.aliases)},
                 {QL_TEXT("quantized types"), Text::list(definition.quantizable)},
                 {QL_TEXT("dispatcher"), definition.dispatcher},
                 {QL_TEXT("rules"), Text::list(std::move(rules), Text::Join::Semicolon)},
                 {QL_TEXT("passes"), Text::list(std::move(passes))},
                 {QL_TEXT("fused activations"), Text::list(definition.fuseActivations)},
                 {QL_TEXT("exporters"), Text::list(definition.exporters)}};
}

Text editedBy(api::PassKind kind)
{
    switch (kind) {
    case api::PassKind::Format: return QL_TEXT("the form of an imported model; always runs");
    case api::PassKind::Float: return QL_TEXT("the float network, before it is quantized");
    case api::PassKind::Quant: return QL_TEXT("how tensors are quantized");
    }
    return {};
}

Facts passFacts(const api::PassItem &item)
{
    return Facts{{QL_TEXT("edits"), editedBy(item.traits.kind)}, {QL_TEXT("needs data"), yesNo(item.traits.needsData)}};
}

Facts observerFacts(const api::ObserverItem &item)
{
    return Facts{{QL_TEXT("per channel"), yesNo(item.perChannel)},
                 {QL_TEXT("asymmetric"), yesNo(item.asymmetric)},
                 {QL_TEXT("integer formats"), yesNo(item.integer)},
                 {QL_TEXT("floating formats"), yesNo(item.floating)}};
}

Facts exporterFacts(const api::ExporterItem &item)
{
    return Facts{{QL_TEXT("files"), Text::list(item.extensions)}};
}

Facts importerFacts(const api::ImporterItem &item)
{
    Facts facts{{QL_TEXT("files"), Text::list(item.extensions)},
                {QL_TEXT("takes --weights"), yesNo(item.takesWeights)}};
    if (item.types)
        for (const api::ImportedTypeRow &row : *item.types)
            facts.emplace_back(row.type + ": " + row.becomes, row.notes.empty() ? " " : row.notes);
    return facts;
}

Facts analysisFacts(const api::AnalysisItem &item)
{
    return Facts{{QL_TEXT("needs data"), yesNo(item.needsData)}};
}

Facts operatorFacts(const api::OperatorItem &item)
{
    return Facts{{QL_TEXT("family"), item.family},
                 {QL_TEXT("domain"), item.domain},
                 {QL_TEXT("versions"), versionsOf(item)},
                 {QL_TEXT("status"), statusOf(item)}};
}

Facts noFacts(const api::CatalogueItem &)
{
    return {};
}

struct Command
{
    const char *name;
    const char *member; ///< of the JSON
    std::string help;
    std::string example; ///< an id of it
    Items (*items)();
};

const std::vector<Command> &commands()
{
    static const std::vector<Command> list{
        {"platforms", "platforms", QL_TEXT("List deployment targets").source(), "TRT_INT8",
         [] { return shown(platformItems(), platformFacts); }},
        {"passes", "passes", QL_TEXT("List passes, which edit the graph or its quantization").source(),
         passThatWrites(PassAspect::ChannelRanges), [] { return shown(passItems(), passFacts); }},
        {"observers", "observers", QL_TEXT("List observers, which determine ranges during calibration").source(),
         "percentile", [] { return shown(observerItems(), observerFacts); }},
        {"exporters", "exporters", QL_TEXT("List export formats").source(), "onnx_qdq",
         [] { return shown(exporterItems(), exporterFacts); }},
        {"importers", "importers", QL_TEXT("List import formats").source(), "onnx",
         [] { return shown(importerItems(), importerFacts); }},
        {"ops", "ops", QL_TEXT("List supported operators").source(), "Conv",
         [] { return shown(operatorItems(), operatorFacts); }},
        {"dispatchers", "dispatchers", QL_TEXT("List dispatchers, which decide what is quantized").source(),
         "conservative", [] { return shown(dispatcherCatalogue(), noFacts); }},
        {"metrics", "metrics", QL_TEXT("List metrics, for --metric").source(), "ap50",
         [] { return shown(metricCatalogue(), noFacts); }},
        {"analyses", "analyses", QL_TEXT("List analyses, for --analyse").source(), "layerwise",
         [] { return shown(analysisItems(), analysisFacts); }},
        {"preprocess", "steps", QL_TEXT("List preprocessing steps, for --preprocess").source(), "letterbox",
         [] { return shown(Preprocess::catalogue(), noFacts); }},
        {"preprocess-presets", "presets", QL_TEXT("List common preprocessing pipelines, for --preprocess").source(),
         "imagenet", [] { return shown(Preprocess::presets(), noFacts); }},
        {"presets", "presets", QL_TEXT("List preset pipelines, for --preset").source(), "dsp",
         [] { return shown(presetItems(), noFacts); }},
    };
    return list;
}

/// Also a text that a file contains, such as the title of a platform, which is no template.
std::string shownText(const Text &text, const Language *language)
{
    const bool isFromFile = language && text.kind() == Text::Kind::Verbatim;
    return isFromFile ? language->translated(text.source()) : text.in(language);
}

} // namespace

std::string paramText(const api::ParamSpec &spec, const Language *language)
{
    const std::string type = spec.type + (spec.unit.empty() ? "" : ", " + spec.unit);
    Text line = QL_TEXT("%1 (%2), default %3").with(spec.name, type, spec.fallback.dump());
    if (!spec.min.is_null() && !spec.max.is_null())
        line = QL_TEXT("%1, from %2 to %3").with(line, spec.min.dump(), spec.max.dump());
    else if (!spec.min.is_null())
        line = QL_TEXT("%1, from %2").with(line, spec.min.dump());
    else if (!spec.max.is_null())
        line = QL_TEXT("%1, to %2").with(line, spec.max.dump());
    if (!spec.choices.empty()) line = QL_TEXT("%1: %2").with(line, Text::list(spec.choices));
    return wrapped(line.in(language), 100, 4) + wrapped(shownText(spec.meaning, language), 100, 8);
}

namespace {

std::string detailText(const Item &item, const Language *language)
{
    const std::string title = shownText(item.info.title, language);
    std::string out = item.info.id + (title.empty() || title == item.info.id ? "" : ": " + title) + "\n\n";
    out += wrapped(shownText(item.info.meaning, language), 100, 2);
    const auto heading = [&](const Text &words) { return "\n  " + words.in(language) + "\n"; };
    if (!item.info.example.empty()) out += heading(QL_TEXT("example")) + wrapped(item.info.example, 100, 4);
    for (const auto &[name, value] : item.facts)
        if (!value.isEmpty()) out += heading(name) + wrapped(value.in(language), 100, 4);
    if (!item.info.params.empty()) out += heading(QL_TEXT("parameters"));
    for (const api::ParamSpec &spec : item.info.params) out += paramText(spec, language);
    return out;
}

/// A step as it is written, and below it what it does.
std::string stepsText(const Items &items, const Language *language)
{
    std::string out;
    for (const Item &item : items)
        out += item.info.title.english() + "\n" + wrapped(shownText(item.info.meaning, language), 98, 4);
    return out;
}

/// The first sentence, for passes also the second; the rest is on the page of the entry.
std::string firstPart(const Text &meaning, const Language *language)
{
    std::string text = shownText(meaning, language);
    const auto end = [&](std::string_view english, std::string_view chinese, std::size_t from) {
        return std::min(text.find(english, from), text.find(chinese, from));
    };
    const std::size_t after = end(" After: ", "之后：", 0);
    const std::size_t start = after == text.npos ? 0 : after;
    if (const std::size_t dot = end(". ", "。", start); dot != text.npos)
        text.resize(dot + (text[dot] == '.' ? 1 : std::string_view("。").size()));
    return text;
}

std::string listText(const Items &items, const Language *language)
{
    std::vector<std::vector<std::string>> rows;
    for (const Item &item : items) {
        const std::string title = shownText(item.info.title, language);
        rows.push_back({item.info.id, title == item.info.id ? "" : title, firstPart(item.info.meaning, language)});
    }
    return table({}, rows);
}

struct Arguments
{
    std::string id, jsonFile;
};

int show(Console &console, const Command &command, const Arguments &arguments)
{
    const auto &[id, jsonFile] = arguments;
    const Language *language = console.language();
    if (!jsonFile.empty()) checkWritable(jsonFile);
    const Items items = command.items();
    if (command.name == std::string("platforms")) console.problems(platformProblems());
    if (id.empty()) {
        json list = json::array();
        for (const Item &item : items) list.push_back(item.whole);
        if (jsonFile.empty())
            console.print(command.name == std::string("preprocess") ? stepsText(items, language)
                                                                    : listText(items, language));
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
        console.print(detailText(*at, language));
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
        const auto arguments = std::make_shared<Arguments>();
        CLI::App *command = app.add_subcommand(entry.name, entry.help)->group("Catalogues");
        command->add_option("ID", arguments->id, "Show this entry with its parameters");
        command->add_option("--json", arguments->jsonFile, "Write JSON to FILE (- for standard output)")
            ->type_name("FILE");
        command->footer(std::string("Examples:\n  quantloupe-cli ") + entry.name + "\n  quantloupe-cli " + entry.name +
                        " " + entry.example + "\n  quantloupe-cli " + entry.name + " --json -");
        command->callback([arguments, &entry, &action] {
            action = [arguments, &entry](Console &console) { return show(console, entry, *arguments); };
        });
    }
}

} // namespace ql::cli
