#include "app/cli_cache.h"
#include "app/cli_commands.h"
#include "app/cli_recipe.h"
#include "core/base/error.h"
#include "core/platform/recipe_platforms.h"
#include "core/report/ci_report.h"
#include "core/report/fail_if.h"
#include "core/report/html_report.h"
#include "core/report/report_format.h"
#include "core/report/table_text.h"
#include "core/session/run.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>

namespace ql::cli {

namespace {

struct RunCommand
{
    RecipeOptions recipe;
    std::string jsonFile, reportFile, recipeFile, baselineFile, junitFile, markdownFile;
    std::int64_t memory = 0; ///< MiB
    StageCacheOptions cache;
    bool quiet = false;
    std::vector<std::string> conditions;

    int run(Console &console) const;

private:
    /// @returns whether none of the conditions holds
    bool check(Console &console, const std::vector<FailIf> &failIfs, const api::Report &report,
               const api::Report *baseline) const;
};

void needAnalysis(api::Recipe &recipe, const std::string &id)
{
    const auto &list = recipe.analyses;
    if (id.empty() || std::any_of(list.begin(), list.end(), [&](const auto &step) { return step.id == id; })) return;
    api::StepRequest step;
    step.id = id;
    recipe.analyses.push_back(step);
}

/// The tensors that add most noise, the intervals and metrics of outputs.
std::string outputSummary(const api::Measures &measures, const Language *language)
{
    std::string out;
    if (measures.noise && !measures.noise->empty()) {
        out += "\n" + QL_TEXT("Tensors that add most noise to the outputs (~ estimated)").in(language) + "\n";
        constexpr std::size_t most = 5;
        for (std::size_t i = 0; i < std::min(most, measures.noise->size()); ++i) {
            const api::NoiseRow &row = (*measures.noise)[i];
            const Text noise = row.noiseRatio ? Text(report::percentText(*row.noiseRatio)) : QL_TEXT("undefined");
            out += "  " +
                   QL_TEXT("'%1' of '%2': %3")
                       .with(report::visibleText(row.variable), report::visibleText(row.slot.op),
                             row.isEstimated ? Text("~" + noise.in(language)) : noise)
                       .in(language) +
                   "\n";
        }
    }
    if (measures.explanation)
        for (const api::Confidence &row : measures.explanation->outputs)
            if (row.sqnrLow && row.sqnrHigh)
                out += "\n" +
                       QL_TEXT("SQNR of '%1' is between %2 and %3 (95 %, bootstrap over %4 samples); worst sample: %5")
                           .with(report::visibleText(row.variable), report::decibelText(*row.sqnrLow),
                                 report::decibelText(*row.sqnrHigh), measures.explanation->samples.size(),
                                 report::visibleText(row.worstSample))
                           .in(language) +
                       "\n";
    for (const report::ErrorRow &row : report::errorRows(measures.outputs))
        if (const auto &metric = row.metric)
            out += "\n" +
                   QL_TEXT("%1 of '%2': float %3, quantized %4 (%5)")
                       .with(metric->name, report::visibleText(row.variable), report::fp32Text(*metric),
                             report::quantizedText(*metric), report::changeText(*metric, language))
                       .in(language) +
                   "\n";
    return out;
}

std::string summary(const api::Report &report, const Language *language)
{
    const api::Measures &measures = report.measures;
    std::string out = errorTable(QL_TEXT("Output error"), report::errorRows(measures.outputs), 10, language);
    const auto add = [&](const Text &title, const std::vector<report::ErrorRow> &rows) {
        if (!rows.empty()) out += "\n" + errorTable(title, rows, 10, language);
    };
    add(QL_TEXT("Layerwise error"), report::errorRows(measures.layerwise));
    add(QL_TEXT("Graphwise error"), report::errorRows(measures.graphwise));
    out += outputSummary(measures, language);
    const auto &stages = report.stages;
    const auto cached = std::count_if(stages.begin(), stages.end(), [](const auto &stage) { return stage.cached; });
    const std::size_t count = report.operations.size();
    const Text operations =
        count == 1 ? QL_TEXT("1 operation") : QL_TEXT("%1 operations").with(report::countText(std::int64_t(count)));
    const Text counts = QL_TEXT("%1, %2 stages (%3 from the cache), %4 s, %5 MiB")
                            .with(operations, stages.size(), cached, report::decimalText(report.seconds, 2),
                                  report::decimalText(report.peakRssMib, 0));
    return out + "\n" + counts.in(language) + "\n";
}

/// @throws Error (Io) if one of outputs cannot be written, (BadConfig) if it is an input or another output. The saved
/// recipe may replace the one that was read.
void checkOutputs(const LoadedRecipe &loaded, std::vector<std::string> outputs, const std::string &savedRecipe)
{
    namespace fs = std::filesystem;
    if (!savedRecipe.empty()) outputs.push_back(savedRecipe);
    for (const api::StepRequest &step : loaded.recipe.exports) {
        std::set<std::string> files; // two of one export with the same name are refused when they are written
        for (const fs::path &file : exportedFiles(step.id, loaded.base / step.path)) files.insert(file.string());
        outputs.insert(outputs.end(), files.begin(), files.end());
    }
    const std::vector<fs::path> inputs = loaded.inputs();
    std::set<fs::path> taken;
    for (const std::string &output : outputs) {
        if (output.empty()) continue;
        std::error_code code;
        if (output != savedRecipe || !fs::equivalent(output, loaded.file, code)) checkWritable(output, inputs);
        const bool isStream = fs::exists(output, code) && !fs::is_regular_file(output, code); // a pipe, /dev/null
        if (output == "-" || isStream) continue;
        if (!taken.insert(fs::weakly_canonical(fs::absolute(output))).second)
            throw Error(ErrorKind::BadConfig, "the output would overwrite another output")
                .inFile(output)
                .withRemedy("Choose another path.");
    }
}

/// The exported files and their notes.
void reportFiles(Console &console, const api::Report &report)
{
    for (const api::ExportRow &entry : report.exports) {
        for (const api::ExportRow::File &file : entry.files) console.written(file.path, entry.format);
        console.notes(entry.notes);
    }
}

int RunCommand::run(Console &console) const
{
    console.setQuiet(quiet);
    LoadedRecipe loaded = recipe.load();
    if (!recipe.metricFile().empty())
        throw Error(ErrorKind::BadConfig, "--metric: a program judges outputs in `tune` only")
            .withRemedy("Name a metric such as ap50 or miou, with --labels PATH.");
    console.problems(loaded.notes);
    std::vector<FailIf> failIfs;
    for (const std::string &text : conditions) {
        failIfs.push_back(FailIf::parse(text));
        needAnalysis(loaded.recipe, failIfs.back().analysis());
    }
    loaded.recipe = completeRecipe(loaded.recipe);
    // Outputs that cannot be written are refused before the run, not after.
    const std::vector<std::string> files{jsonFile, reportFile, recipeFile, junitFile, markdownFile};
    if (std::count(files.begin(), files.end(), "-") > 1)
        throw Error(ErrorKind::BadConfig,
                    "only one of --json, --report, --save-recipe, --junit and --markdown can go to standard output");
    checkOutputs(loaded, {jsonFile, reportFile, junitFile, markdownFile}, recipeFile);
    std::optional<api::Report> baseline;
    if (!baselineFile.empty()) baseline = loadReport(baselineFile);
    for (const FailIf &condition : failIfs)
        if (condition.isAboutBaseline() && !baseline) condition.evaluate({}); // says what is missing

    const std::unique_ptr<StageCache> stages = cache.open(console);
    RunOptions options;
    options.base = loaded.base;
    options.recipeFile = loaded.file;
    options.cache = stages.get();
    options.distributions = !reportFile.empty();
    options.memory = std::size_t(memory) << 20;
    const RunResult result = aboutModel(loaded, [&] { return runRecipe(loaded.recipe, options, console.startJob()); });
    console.endProgress();

    if (!recipeFile.empty()) {
        const auto folder =
            recipeFile == "-" ? std::filesystem::path(".") : std::filesystem::path(recipeFile).parent_path();
        console.writeJson(recipeFile, api::toJson(withPlatforms(api::movedTo(result.recipe, loaded.base, folder))));
    }
    if (!jsonFile.empty()) console.writeReport(jsonFile, result.report);
    if (!reportFile.empty()) {
        api::Report shown = result.report;
        if (!shown.measures.statistics) shown.measures.statistics = result.distributions;
        console.write(reportFile, htmlReport(shown, console.language()));
    }
    console.problems(result.report.problems);
    // Tables go to standard output, unless a document goes there.
    const bool isTaken = std::count(files.begin(), files.end(), "-") > 0;
    if (isTaken)
        console.note(summary(result.report, console.language()));
    else if (!quiet)
        console.print(summary(result.report, console.language()));
    reportFiles(console, result.report);
    for (const std::string &file : {jsonFile, reportFile, recipeFile})
        if (!file.empty()) console.written(file);

    return check(console, failIfs, result.report, baseline ? &*baseline : nullptr) ? ExitCode::Good
                                                                                   : ExitCode::ConditionHeld;
}

bool RunCommand::check(Console &console, const std::vector<FailIf> &failIfs, const api::Report &report,
                       const api::Report *baseline) const
{
    std::vector<CheckOutcome> outcomes;
    std::optional<Error> failed; // the first one; files of an earlier run must not remain
    bool isGood = true;
    const std::string other = baseline ? noteOnBaseline(report, *baseline) : "";
    if (!other.empty()) console.notes({"--baseline: " + other + "."});
    const auto about = [&](const FailIf &condition) {
        return condition.isAboutBaseline() && !other.empty() ? "; " + other : std::string();
    };
    for (const FailIf &condition : failIfs) {
        FailIf::Result outcome;
        try {
            outcome = condition.evaluate(report, baseline);
        } catch (const Error &error) {
            outcomes.push_back({condition.text(), false, error.message.english() + about(condition), true});
            if (!failed) failed = error;
            continue;
        }
        outcomes.push_back({condition.text(), outcome.held, outcome.message + about(condition)});
        if (outcome.held) {
            console.fail("--fail-if: " + outcome.message);
            isGood = false;
        } else {
            console.note("--fail-if, passed: " + outcome.message);
        }
    }
    if (!junitFile.empty()) console.write(junitFile, junitReport(outcomes, report));
    if (!markdownFile.empty()) console.write(markdownFile, markdownSummary(outcomes, report, baseline));
    for (const std::string &file : {junitFile, markdownFile})
        if (!file.empty()) console.written(file);
    if (failed) throw Error(*failed);
    return isGood;
}

} // namespace

void addRun(CLI::App &app, Action &action)
{
    CLI::App *command = app.add_subcommand("run", "Quantize a model, measure the error, write reports and files");
    command->alias("quantize");
    const auto self = std::make_shared<RunCommand>();
    self->recipe.addSource(*command);
    self->recipe.addTarget(*command);
    self->recipe.addData(*command);
    self->recipe.addResults(*command);
    self->recipe.addDevice(*command);
    command->add_option("--json", self->jsonFile, "Write the report as JSON (- for standard output)")
        ->type_name("FILE")
        ->group("Results");
    command->add_option("--report", self->reportFile, "Write the report as a single HTML file")
        ->type_name("FILE.html")
        ->check(htmlFile())
        ->group("Results");
    command->add_option("--save-recipe", self->recipeFile, "Write the recipe as run, with all defaults")
        ->type_name("FILE")
        ->check(recipeFile())
        ->group("Results");
    command
        ->add_option("--fail-if", self->conditions,
                     "Exit with code 1 if this holds: output.sqnr_db<20, any.graphwise.noise_ratio>0.1, metric.drop>1% "
                     "(points) (repeatable)")
        ->type_name("EXPR")
        ->allow_extra_args(false)
        ->group("Results");
    command
        ->add_option("--baseline", self->baselineFile,
                     "JSON report of another run to compare with: --fail-if \"regression>0.5%\"")
        ->type_name("REPORT.json")
        ->group("Results");
    command->add_option("--junit", self->junitFile, "Write the outcome of each --fail-if as JUnit XML, for CI systems")
        ->type_name("FILE.xml")
        ->group("Results");
    command->add_option("--markdown", self->markdownFile, "Write a summary as Markdown, for a pull request")
        ->type_name("FILE.md")
        ->group("Results");
    command
        ->add_option("--memory", self->memory,
                     "Memory limit in MiB for activations: the layerwise analysis recomputes those that do not fit, "
                     "training keeps them in a temporary file (default: half of the free memory; training: a quarter)")
        ->type_name("MIB")
        ->check(integerInRange(1, 1 << 24))
        ->group("Program");
    self->cache.addTo(*command);
    command->add_flag("-q,--quiet", self->quiet, "Print errors only: no progress, results or notes")->group("Program");
    command->footer(
        "Examples:\n"
        "  quantloupe-cli run model.onnx --platform TRT_INT8 --calib photos \\\n"
        "      --preprocess \"rgb; resize 256 short; crop 224; scale 1/255; mean .485,.456,.406; std .229,.224,.225\" "
        "\\\n"
        "      --json report.json --report report.html --export onnx_qdq:model_int8.onnx\n"
        "  quantloupe-cli run model.onnx --calib data.npz --save-recipe model.quantloupe\n"
        "  quantloupe-cli run model.quantloupe --observer kl --fail-if \"output.sqnr_db<20\"\n"
        "\n"
        "Exit codes: 0 success; 1 a --fail-if condition held; 2 bad input or usage; 3 internal error; 130 cancelled.");
    command->callback([self, &action] { action = [self](Console &console) { return self->run(console); }; });
}

} // namespace ql::cli
