#include "app/cli_commands.h"
#include "core/analysis/analyser.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/resources.h"
#include "core/base/strings.h"
#include "core/exec/kernel.h"
#include "core/export/exporter.h"
#include "core/io/importer.h"
#include "core/io/preprocess.h"
#include "core/observer/observer.h"
#include "core/pass/pass.h"
#include "core/platform/definition.h"
#include "core/platform/dispatcher.h"
#include "core/quant/device.h"

#include <algorithm>
#include <memory>

namespace ql::cli {

using nlohmann::json;

namespace {

/// One entry of a catalogue: common fields, and facts of its kind.
struct Item
{
    api::CatalogueItem info;
    std::vector<std::pair<std::string, std::string>> facts;
    json extra = json::object(); ///< more members of its JSON
};

using Items = std::vector<Item>;

std::string yesNo(bool value)
{
    return value ? "yes" : "no";
}

Items platformItems()
{
    Items items;
    for (const PlatformDefinition *definition : platforms()) {
        Item item{{definition->id, definition->title, definition->description, {}}, {}, {}};
        std::vector<std::string> passes, rules;
        for (const PlatformPass &pass : definition->passes) passes.push_back(pass.id + (pass.enabled ? "" : " (off)"));
        for (std::size_t i = 0; i < definition->rules.size(); ++i)
            rules.push_back(std::to_string(i) + " " + definition->rules[i].name);
        item.facts = {{"quantized types", join(definition->quantizable, ", ")},
                      {"dispatcher", definition->dispatcher},
                      {"rules", join(rules, "; ")},
                      {"passes", join(passes, ", ")},
                      {"fused activations", join(definition->fuseActivations, ", ")},
                      {"exporters", join(definition->exporters, ", ")}};
        item.extra = {{"definition", definitionToJson(*definition)}, {"built_in", definition->isBuiltIn()}};
        if (!definition->isBuiltIn()) item.extra["file"] = definition->file;
        try { // as written, if shorter than the complete definition
            const std::string text = definition->isBuiltIn() ? std::string(resources::resource(definition->file))
                                                             : readFile(definition->file);
            if (!definition->isBuiltIn() || json::parse(text).contains("extends")) item.extra["text"] = text;
        } catch (const Error &) {
            // removed since it was listed
        }
        items.push_back(std::move(item));
    }
    return items;
}

Items passItems()
{
    Items items;
    for (const std::string &id : Registry<PassEntry>::instance().ids()) {
        const PassEntry &entry = *Registry<PassEntry>::instance().find(id);
        api::CatalogueItem info = entry.info;
        for (api::ParamSpec &spec : info.params)
            if (spec.type == "observer") spec.choices = Registry<ObserverEntry>::instance().ids();
        items.push_back({std::move(info),
                         {{"kind", toString(entry.traits.kind)}, {"needs data", yesNo(entry.traits.needsData)}},
                         api::toJson(entry.traits)});
    }
    return items;
}

Items observerItems()
{
    Items items;
    for (const std::string &id : Registry<ObserverEntry>::instance().ids()) {
        const ObserverEntry &entry = *Registry<ObserverEntry>::instance().find(id);
        items.push_back(
            {entry.info,
             {{"per channel", yesNo(entry.perChannel)},
              {"asymmetric", yesNo(entry.asymmetric)},
              {"floating formats only", yesNo(entry.floating)}},
             {{"per_channel", entry.perChannel}, {"asymmetric", entry.asymmetric}, {"floating", entry.floating}}});
    }
    return items;
}

Items exporterItems()
{
    Items items;
    for (const std::string &id : Registry<ExporterEntry>::instance().ids()) {
        const ExporterEntry &entry = *Registry<ExporterEntry>::instance().find(id);
        items.push_back({entry.info, {{"files", join(entry.extensions, ", ")}}, {{"extensions", entry.extensions}}});
    }
    return items;
}

Items importerItems()
{
    Items items;
    for (const std::string &id : Registry<ImporterEntry>::instance().ids()) {
        const ImporterEntry &entry = *Registry<ImporterEntry>::instance().find(id);
        Item item{entry.info,
                  {{"files", join(entry.extensions, ", ")}, {"takes --weights", yesNo(entry.takesWeights)}},
                  {{"extensions", entry.extensions}, {"takes_weights", entry.takesWeights}}};
        if (entry.types) {
            json &types = item.extra["types"] = json::array();
            for (const ImportedType &type : entry.types()) {
                item.facts.emplace_back(type.type + ": " + type.becomes, type.notes.empty() ? " " : type.notes);
                types.push_back({{"type", type.type}, {"becomes", type.becomes}, {"notes", type.notes}});
            }
        }
        items.push_back(std::move(item));
    }
    return items;
}

Items analysisItems()
{
    Items items;
    for (const std::string &id : Registry<AnalyserEntry>::instance().ids()) {
        const AnalyserEntry &entry = *Registry<AnalyserEntry>::instance().find(id);
        items.push_back({entry.info, {{"needs data", yesNo(entry.needsData)}}, {{"needs_data", entry.needsData}}});
    }
    return items;
}

Items opItems()
{
    Items items;
    for (const std::string &id : Registry<KernelEntry>::instance().ids()) {
        const KernelEntry &entry = *Registry<KernelEntry>::instance().find(id);
        const std::size_t colon = id.rfind(':');
        const std::string domain = colon == std::string::npos ? "ai.onnx" : id.substr(0, colon);
        const std::string versions = std::to_string(entry.minOpset) + " to " + std::to_string(entry.maxOpset);
        const std::string status = entry.limits.empty() ? "complete" : "partial";
        const std::string statusText = entry.limits.empty() ? status : status + ": " + entry.limits;
        items.push_back({{id, entry.family, domain + ", versions " + versions + ", " + statusText, {}},
                         {{"family", entry.family}, {"domain", domain}, {"versions", versions}, {"status", statusText}},
                         {{"family", entry.family},
                          {"domain", domain},
                          {"type", colon == std::string::npos ? id : id.substr(colon + 1)},
                          {"min_version", entry.minOpset},
                          {"max_version", entry.maxOpset},
                          {"status", status},
                          {"limits", entry.limits}}});
    }
    return items;
}

Items plain(const std::vector<api::CatalogueItem> &list)
{
    Items items;
    for (const api::CatalogueItem &info : list) items.push_back({info, {}, {}});
    return items;
}

struct Catalogue
{
    const char *command;
    const char *member; ///< of the JSON
    const char *help;
    std::string example; ///< an id of it
    Items (*items)();
};

const std::vector<Catalogue> &catalogues()
{
    static const std::vector<Catalogue> list{
        {"platforms", "platforms", "List deployment targets", "TRT_INT8", platformItems},
        {"passes", "passes", "List passes, which edit the graph or its quantization",
         passThatWrites(PassAspect::ChannelRanges), passItems},
        {"observers", "observers", "List observers, which determine ranges during calibration", "percentile",
         observerItems},
        {"exporters", "exporters", "List export formats", "onnx_qdq", exporterItems},
        {"importers", "importers", "List import formats", "onnx", importerItems},
        {"ops", "ops", "List supported operators", "Conv", opItems},
        {"dispatchers", "dispatchers", "List dispatchers, which decide what is quantized", "conservative",
         [] { return plain(dispatcherCatalogue()); }},
        {"analyses", "analyses", "List analyses, for --analyse", "layerwise", analysisItems},
        {"preprocess", "steps", "List preprocessing steps, for --preprocess", "letterbox",
         [] { return plain(Preprocess::catalogue()); }},
        {"presets", "presets", "List preprocessing presets, for --preprocess", "imagenet",
         [] { return plain(Preprocess::presets()); }},
    };
    return list;
}

json itemJson(const Item &item)
{
    json out = api::toJson(item.info);
    if (item.extra.is_object()) out.update(item.extra);
    return out;
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

int show(Console &console, const Catalogue &catalogue, const std::string &id, const std::string &jsonFile)
{
    if (!jsonFile.empty()) checkWritable(jsonFile);
    const Items items = catalogue.items();
    if (catalogue.command == std::string("platforms"))
        for (const api::Problem &problem : platformProblems())
            console.note(problem.severity + ": " + problem.message.english());
    if (id.empty()) {
        json list = json::array();
        for (const Item &item : items) list.push_back(itemJson(item));
        if (jsonFile.empty())
            console.print(listText(items));
        else
            console.writeJson(jsonFile, {{catalogue.member, std::move(list)}});
        return ExitCode::Good;
    }
    std::vector<std::string> ids;
    for (const Item &item : items) ids.push_back(item.info.id);
    const auto at = std::find_if(items.begin(), items.end(), [&](const Item &item) { return item.info.id == id; });
    if (at == items.end())
        throw Error(ErrorKind::BadConfig,
                    Text::sentences({QL_TEXT("%1: unknown id '%2'.").with(catalogue.command, id), suggestion(id, ids)}))
            .withRemedy("`quantloupe-cli " + std::string(catalogue.command) + "` lists them.");
    if (jsonFile.empty())
        console.print(detailText(*at));
    else
        console.writeJson(jsonFile, itemJson(*at));
    return ExitCode::Good;
}

} // namespace

json wholeCatalogue()
{
    json whole = json::object();
    for (const Catalogue &catalogue : catalogues()) {
        json &list = whole[catalogue.member] = json::array();
        for (const Item &item : catalogue.items()) list.push_back(itemJson(item));
    }
    whole["devices"] = availableDevices();
    return whole;
}

void addCatalogues(CLI::App &app, Action &action)
{
    for (const Catalogue &catalogue : catalogues()) {
        struct Arguments
        {
            std::string id, jsonFile;
        };
        const auto arguments = std::make_shared<Arguments>();
        CLI::App *command = app.add_subcommand(catalogue.command, catalogue.help)->group("Catalogues");
        command->add_option("ID", arguments->id, "Show this entry with its parameters");
        command->add_option("--json", arguments->jsonFile, "Write JSON to FILE (- for standard output)")
            ->type_name("FILE");
        command->footer(std::string("Examples:\n  quantloupe-cli ") + catalogue.command + "\n  quantloupe-cli " +
                        catalogue.command + " " + catalogue.example + "\n  quantloupe-cli " + catalogue.command +
                        " --json -");
        command->callback([arguments, &catalogue, &action] {
            action = [arguments, &catalogue](Console &console) {
                return show(console, catalogue, arguments->id, arguments->jsonFile);
            };
        });
    }
}

} // namespace ql::cli
