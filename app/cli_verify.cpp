// The commands `verify` and `runtimes`.
#include "app/cli_commands.h"
#include "app/cli_recipe.h"
#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/base/strings.h"
#include "core/report/report_format.h"
#include "core/session/cache.h"
#include "core/session/verify.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace ql::cli {

using nlohmann::json;

namespace {

struct VerifyCommand
{
    RecipeOptions recipe;
    std::string file, runtime, python, jsonFile;
    std::vector<std::string> options;
    double within = 0.9999, seconds = 600;
    std::int64_t memory = 0; ///< MiB
    bool outputsOnly = false, noCache = false, quiet = false;

    int run(Console &console) const;
};

/// NAME=VALUE pairs; values are JSON, or text that is not.
json optionsOf(const std::vector<std::string> &pairs)
{
    json out = json::object();
    for (const std::string &pair : pairs) {
        const std::size_t equals = pair.find('=');
        if (equals == std::string::npos || equals == 0)
            throw Error(ErrorKind::BadConfig, "--runtime-option: expected NAME=VALUE, got '" + pair + "'");
        const std::string text = pair.substr(equals + 1);
        const json value = json::parse(text, nullptr, false);
        out[pair.substr(0, equals)] = value.is_discarded() ? json(text) : value;
    }
    return out;
}

/// isEqual: of the runtime and the simulator; without a number, the runtime's values are not finite if they differ
std::string sqnr(const std::optional<double> &db, bool isEqual = true)
{
    return db ? report::decibelText(*db) : isEqual ? "exact" : "undefined";
}

std::string share(double value)
{
    return report::decimalText(100 * value, 4) + " %";
}

std::string tableOf(const std::vector<api::TensorAgreement> &rows, const char *title)
{
    std::vector<std::vector<std::string>> cells;
    for (const api::TensorAgreement &row : rows) {
        std::string local;
        if (row.local)
            local = std::to_string(row.local->differing) + " differ, " + std::to_string(row.local->ties) + " ties";
        cells.push_back({report::visibleText(row.name, 48), share(row.equal),
                         share(row.withinOneStep) + (row.step ? "" : " (tolerance)"),
                         row.worstSteps ? report::decimalText(*row.worstSteps, 1) : "-",
                         sqnr(row.sqnrRuntimeSimulator, row.equal == 1), sqnr(row.sqnrRuntimeFloat, row.equal == 1),
                         sqnr(row.sqnrSimulatorFloat), local});
    }
    return table({title, "equal", "within one step", "worst steps", "runtime/simulator", "runtime/float",
                  "simulator/float", "from equal inputs"},
                 cells);
}

std::string summaryOf(const api::VerifyReport &report, const Language *language)
{
    std::string facts;
    for (const auto &[name, value] : report.runtime.facts)
        if (!value.empty()) facts += ", " + name + " " + value;
    std::string out = report.runtime.id + " " + report.runtime.version + facts + "; " +
                      report::plural(std::size_t(report.samples), "sample") + "\n\n" +
                      tableOf(report.outputs, "output");
    std::vector<api::TensorAgreement> differing;
    for (const api::TensorAgreement &row : report.tensors)
        if (row.equal < 1) differing.push_back(row);
    constexpr std::size_t most = 20;
    if (differing.size() > most) differing.resize(most);
    if (!report.tensors.empty())
        out += "\n" + report::plural(report.tensors.size(), "inner tensor") + " (" + report.how + "), " +
               std::to_string(std::count_if(report.tensors.begin(), report.tensors.end(),
                                            [](const auto &row) { return row.equal == 1; })) +
               " equal\n";
    if (!differing.empty()) out += tableOf(differing, "tensor");
    if (report.firstDivergence)
        out += "\nFirst divergence: tensor '" + report::visibleText(report.firstDivergence->tensor) + "', operation '" +
               report::visibleText(report.firstDivergence->op) + "'\n  cause: " + report.firstDivergence->cause + "\n" +
               wrapped(report.firstDivergence->evidence.in(language), 98, 2);
    out += "\n" + std::string(report.good ? "Agreed: every" : "Not agreed: not every") + " output has " +
           share(report.within) + " of its elements within one step.\n";
    return out;
}

int VerifyCommand::run(Console &console) const
{
    console.setQuiet(quiet);
    const LoadedRecipe loaded = recipe.load();
    if (!loaded.fromRecipe)
        throw Error(ErrorKind::BadConfig, "--against: expected a recipe, not a model")
            .inFile(loaded.recipe.model)
            .withRemedy("Write the recipe together with the file: run ... --export FORMAT:FILE --save-recipe RECIPE.");
    auto inputs = loaded.inputs();
    inputs.emplace_back(file);
    if (!jsonFile.empty()) checkWritable(jsonFile, inputs);
    VerifyRequest request;
    request.file = file;
    request.runtime = runtime;
    request.options = optionsOf(options);
    request.place = runtimePlace(python);
    if (runtime.ends_with(".json")) {
        request.runtime = commandRuntime;
        request.place.command = runtime;
    }
    request.place.limits = {.seconds = seconds, .memory = memory << 20};
    request.within = within;
    request.intermediate = !outputsOnly;
    RunOptions runOptions;
    runOptions.base = loaded.base;
    runOptions.recipeFile = loaded.file;
    std::unique_ptr<StageCache> cache;
    if (!noCache) {
        CacheOptions cacheOptions;
        cacheOptions.folder = StageCache::defaultFolder();
        cacheOptions.note = [&console](const Text &text) { console.notes({text}); };
        cache = std::make_unique<StageCache>(std::move(cacheOptions));
    }
    runOptions.cache = cache.get();
    const api::VerifyReport report =
        aboutModel(loaded, [&] { return verifyExport(loaded.recipe, request, runOptions, console.startJob()); });
    console.endProgress();
    console.notes(report.notes);
    if (!jsonFile.empty()) console.writeJson(jsonFile, json(report));
    if (jsonFile == "-")
        console.note(summaryOf(report, console.language()));
    else if (!quiet)
        console.print(summaryOf(report, console.language()));
    if (!jsonFile.empty()) console.written(jsonFile);
    return report.good ? ExitCode::Good : ExitCode::ConditionHeld;
}

struct RuntimesCommand
{
    std::vector<std::string> words; ///< as given: none, ID, or install ID
    std::string id, python, jsonFile, installed;

    int list(Console &console) const;
    int install(Console &console) const;
};

/// Why the runtime cannot be used, and how to get it.
Text missingText(const api::RuntimeItem &item)
{
    if (item.packages.empty()) return item.missing;
    return QL_TEXT("%1; to install it: %2").with(item.missing, "quantloupe-cli runtimes install " + item.id);
}

std::string detailOf(const api::RuntimeItem &item, const Language *language)
{
    std::string out = item.id + ": " + item.title.in(language) + "\n\n" + wrapped(item.meaning.in(language), 98, 2);
    const auto add = [&](const Text &heading, const Text &words) {
        out += "\n  " + heading.in(language) + "\n" + wrapped(words.in(language), 96, 4);
    };
    if (item.found)
        add(QL_TEXT("found"), QL_TEXT("version %1, %2").with(item.version, item.place));
    else
        add(QL_TEXT("not found"), missingText(item));
    if (!item.extensions.empty()) add(QL_TEXT("files"), Text::list(item.extensions));
    if (!item.packages.empty()) add(QL_TEXT("packages"), Text::list(item.packages));
    if (!item.params.empty()) out += "\n  " + QL_TEXT("options").in(language) + "\n";
    for (const api::ParamSpec &spec : item.params) out += paramText(spec, language);
    return out;
}

int RuntimesCommand::list(Console &console) const
{
    const Language *texts = console.language();
    if (!jsonFile.empty()) checkWritable(jsonFile);
    const auto &registry = Registry<RuntimeEntry>::instance();
    if (!id.empty()) registry.at(id, QL_TEXT("runtime"));
    const RuntimePlace place = runtimePlace(python);
    const JobContext job = console.startJob();
    const std::vector<api::RuntimeItem> items =
        id.empty() ? findRuntimes(place, job)
                   : std::vector<api::RuntimeItem>{registry.at(id, QL_TEXT("runtime")).find(place, job)};
    console.endProgress();
    if (!jsonFile.empty()) {
        console.writeJson(jsonFile, id.empty() ? json(api::RuntimeList{items}) : json(items.front()));
        return ExitCode::Good;
    }
    if (!id.empty()) {
        console.print(detailOf(items.front(), texts));
        return ExitCode::Good;
    }
    std::vector<std::vector<std::string>> rows;
    for (const api::RuntimeItem &item : items)
        rows.push_back({item.id, item.title.in(texts), item.found ? item.version : "-",
                        item.extensions.empty() ? QL_TEXT("any").in(texts) : join(item.extensions, ", "),
                        item.found ? item.place : missingText(item).in(texts)});
    console.print(table({"id", QL_TEXT("runtime").in(texts), QL_TEXT("version").in(texts), QL_TEXT("files").in(texts),
                         QL_TEXT("place").in(texts)},
                        rows));
    return ExitCode::Good;
}

int RuntimesCommand::install(Console &console) const
{
    const api::RuntimeItem item = installRuntime(installed, runtimePlace({}), console.startJob());
    console.endProgress();
    console.note(QL_TEXT("installed %1 %2: %3").with(installed, item.version, item.place));
    return ExitCode::Good;
}

} // namespace

void addVerify(CLI::App &app, Action &action)
{
    CLI::App *command =
        app.add_subcommand("verify", "Run an exported file in its runtime and compare it with the simulation");
    const auto self = std::make_shared<VerifyCommand>();
    command->add_option("EXPORTED", self->file, "The exported file")->required();
    self->recipe.addAgainst(*command);
    command
        ->add_option("--runtime", self->runtime,
                     "The runtime, see `runtimes`, or a JSON file {\"command\": [...]} (default: the command of the "
                     "recipe if it has one, otherwise onnxruntime)")
        ->type_name("ID");
    command->add_option("--runtime-option", self->options, "Option of the runtime, see `runtimes ID` (repeatable)")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
    command->add_option("--within", self->within, "Required share of elements within one step (default 0.9999)")
        ->type_name("SHARE")
        ->check(numberInRange(0, 1));
    command->add_flag("--outputs-only", self->outputsOnly, "Compare the outputs only, no inner tensors");
    command->add_option("--json", self->jsonFile, "Write the result as JSON (- for standard output)")
        ->type_name("FILE");
    command->add_option("--python", self->python, "Python interpreter that has the runtime")->type_name("FILE");
    command->add_option("--time-limit", self->seconds, "Seconds for one start of the runtime (default 600)")
        ->type_name("S")
        ->check(numberInRange(0.001, 1e6));
    command->add_option("--memory-limit", self->memory, "Address space of the runtime (default: unlimited)")
        ->type_name("MIB")
        ->check(integerInRange(0, 1 << 24));
    self->recipe.addDevice(*command);
    command->add_flag("--no-cache", self->noCache, "Do not use the stage cache")->group("Program");
    command->add_flag("-q,--quiet", self->quiet, "Print errors only: no progress, no notes")->group("Program");
    command->footer(
        "Exit codes: 0 all outputs agree; 1 they do not; 2 bad input, or the runtime is missing; 3 internal "
        "error; 130 cancelled.\n"
        "Example:\n"
        "  quantloupe-cli run model.onnx --calib data.npz --platform ONNXRUNTIME \\\n"
        "      --export onnx_qdq:int8.onnx --save-recipe r.quantloupe\n"
        "  quantloupe-cli verify int8.onnx --against r.quantloupe");
    command->callback([self, &action] { action = [self](Console &console) { return self->run(console); }; });
}

void addRuntimes(CLI::App &app, Action &action)
{
    CLI::App *command =
        app.add_subcommand("runtimes", "List the runtimes that `verify` can use, or install one")->group("Catalogues");
    const auto self = std::make_shared<RuntimesCommand>();
    command->add_option("ID", self->words, "Show this runtime with its options; or: install ID")->type_name("");
    command->add_option("--python", self->python, "Python interpreter to search")->type_name("FILE");
    command->add_option("--json", self->jsonFile, "Write JSON to FILE (- for standard output)")->type_name("FILE");
    command->footer("Examples:\n  quantloupe-cli runtimes\n  quantloupe-cli runtimes onnxruntime\n"
                    "  quantloupe-cli runtimes install onnxruntime     into the user's cache folder, with pip");
    command->callback([self, &action] {
        const std::vector<std::string> &words = self->words;
        if (!words.empty()) self->id = words[0];
        if (words.size() > 1) self->installed = words[1];
        if (self->id == "install" && self->installed.empty())
            throw CLI::ValidationError("install", "name the runtime: runtimes install ID.");
        if (words.size() > 2 || (self->id != "install" && !self->installed.empty()))
            throw CLI::ValidationError("ID", "expected one ID, or: install ID.");
        action = [self](Console &console) {
            return self->id == "install" ? self->install(console) : self->list(console);
        };
    });
}

} // namespace ql::cli
