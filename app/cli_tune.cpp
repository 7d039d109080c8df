#include "app/cli_cache.h"
#include "app/cli_commands.h"
#include "app/cli_recipe.h"
#include "core/base/error.h"
#include "core/platform/recipe_platforms.h"
#include "core/report/html_report.h"
#include "core/report/report_format.h"
#include "core/session/run.h"
#include "core/session/tune.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>

namespace ql::cli {

namespace {

using nlohmann::json;

struct TuneCommand
{
    RecipeOptions recipe;
    std::vector<std::string> goals, locks;
    std::string budget = "10min", jsonFile, reportFile, recipeFile, journalFile, timesFile;
    std::size_t trials = 0;
    StageCacheOptions cache; ///< of the run for the report
    bool resume = false, quiet = false;

    int run(Console &console) const;

private:
    void write(Console &console, const LoadedRecipe &loaded, const api::Recipe &best) const;
    void noteSaved(Console &console, bool canResume) const;
};

/// 90, 90s, 15min, 2h in seconds. @throws Error (BadConfig)
double secondsOf(const std::string &text)
{
    double number = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string unit(end, text.data() + text.size());
    const double factor = unit.empty() || unit == "s" ? 1 : unit == "min" || unit == "m" ? 60 : unit == "h" ? 3600 : 0;
    if (code != std::errc() || factor == 0 || !(number >= 0) || std::isinf(number))
        throw Error(ErrorKind::BadConfig, "--budget: expected a time, got '" + text + "'")
            .withRemedy("Write it like 90s, 15min or 2h.");
    return number * factor;
}

void TuneCommand::write(Console &console, const LoadedRecipe &loaded, const api::Recipe &best) const
{
    if (recipeFile.empty() || recipeFile == "-") return;
    const auto folder = std::filesystem::path(recipeFile).parent_path();
    console.writeJson(recipeFile, api::toJson(withPlatforms(api::movedTo(best, loaded.base, folder))));
}

void TuneCommand::noteSaved(Console &console, bool canResume) const
{
    console.notes({(canResume ? QL_TEXT("%1 has the best recipe so far; --resume continues the search.")
                              : QL_TEXT("%1 has the best recipe so far."))
                       .with(recipeFile)});
}

/// Of a goal, with its unit.
std::string valueText(const api::TuneGoal &goal, const std::optional<double> &value)
{
    if (!value) return "-";
    return goal.expr.ends_with('%') ? numberText(100 * *value, 4) + " %" : numberText(*value, 4);
}

/// Without unit. Undefined: the outputs contain NaN or infinite values. Not measured: the budget ended before.
Text sqnrText(const api::TuneScore &score)
{
    if (score.sqnrDb) return report::decimalText(*score.sqnrDb, 2);
    if (score.samples == 0) return QL_TEXT("not measured");
    return score.noiseRatio == 0.0 ? QL_TEXT("exact") : QL_TEXT("undefined");
}

Text scoreText(const api::TuneScore &score)
{
    std::vector<Text> parts{score.sqnrDb ? QL_TEXT("%1 dB").with(sqnrText(score))
                                         : QL_TEXT("SQNR %1").with(sqnrText(score))};
    if (score.divergence) parts.push_back(QL_TEXT("classes diverge by %1 nats").with(numberText(*score.divergence, 3)));
    if (score.metric)
        parts.push_back(QL_TEXT("metric %1 % (float %2 %)")
                            .with(report::decimalText(100 * *score.metric, 2),
                                  report::decimalText(100 * score.fp32.value_or(0), 2)));
    return Text::list(std::move(parts));
}

/// The tensors that add most noise.
std::string causesText(const std::vector<api::TuneCause> &causes, const Language *language)
{
    constexpr std::size_t most = 3;
    std::string out = QL_TEXT("Tensors that cause most of the noise:").in(language) + "\n";
    for (std::size_t i = 0; i < std::min(causes.size(), most); ++i)
        out += "  " +
               QL_TEXT("'%1' of '%2': %3")
                   .with(report::visibleText(causes[i].tensor), report::visibleText(causes[i].op),
                         report::percentText(causes[i].noiseRatio))
                   .in(language) +
               "\n";
    return out + "\n";
}

std::string summaryOf(const api::TuneReport &report, const Language *language)
{
    const api::TuneTrial &first = report.trials.front(), &best = report.trials[std::size_t(report.bestTrial)];
    std::string out = QL_TEXT("Start: %1").with(scoreText(first.search)).in(language) + "\n";
    const Text score =
        best.confirm ? QL_TEXT("%1; confirmed on other data: %2").with(scoreText(best.search), scoreText(*best.confirm))
                     : scoreText(best.search);
    out += QL_TEXT("Best:  %1").with(score).in(language) + "\n\n";
    std::vector<std::vector<std::string>> rows;
    for (const api::TuneTrial &trial : report.trials)
        if (trial.kept)
            rows.push_back({std::to_string(trial.id), trial.move.in(language), sqnrText(trial.search).in(language),
                            trial.cost ? report::decimalText(100 * trial.cost->int8Macs, 1) + " %" : "-"});
    if (!report.causes.empty()) out += causesText(report.causes, language);
    out += table({QL_TEXT("trial").in(language), QL_TEXT("kept change").in(language), "SQNR dB", "INT8 MACs"}, rows) +
           "\n";
    rows.clear();
    for (const api::TuneGoal &goal : report.goals)
        rows.push_back({goal.expr, (goal.met ? QL_TEXT("met") : QL_TEXT("not met")).in(language),
                        valueText(goal, goal.value), valueText(goal, goal.confirmed)});
    if (!rows.empty())
        out += table({QL_TEXT("goal").in(language), "", QL_TEXT("searched").in(language),
                      QL_TEXT("confirmed").in(language)},
                     rows) +
               "\n";
    return out +
           QL_TEXT("%1 trials, %2 s").with(report.trials.size(), report::decimalText(report.seconds, 1)).in(language) +
           "\n";
}

int TuneCommand::run(Console &console) const
{
    console.setQuiet(quiet);
    LoadedRecipe loaded = recipe.load();
    console.problems(loaded.notes);
    loaded.recipe = searchedRecipe(std::move(loaded.recipe));
    const std::vector<std::string> files{jsonFile, reportFile, recipeFile};
    if (std::count(files.begin(), files.end(), "-") > 1)
        throw Error(ErrorKind::BadConfig, "only one of --json, --report and --save-recipe can go to standard output");
    for (const std::string &file : files)
        if (!file.empty()) checkWritable(file, loaded.inputs());
    TuneOptions options;
    options.goals = goals;
    options.locks = locks;
    options.seconds = secondsOf(budget);
    options.trials = trials;
    options.seed = std::uint64_t(loaded.recipe.evaluation.seed);
    options.resume = resume;
    options.metric = recipe.metricFile();
    options.journal = journalFile;
    options.times = timesFile;
    if (journalFile.empty() && !recipeFile.empty() && recipeFile != "-") options.journal = recipeFile + ".journal";
    if (resume && options.journal.empty())
        throw Error(ErrorKind::BadConfig, "--resume needs the journal of the search")
            .withRemedy("Give the same --save-recipe FILE (its journal is FILE.journal), or --journal FILE.");
    bool isSaved = false;
    options.improved = [&](const api::Recipe &best) {
        write(console, loaded, best);
        isSaved = !recipeFile.empty() && recipeFile != "-";
    };
    options.ended = [&](const api::TuneReport &soFar) {
        console.endProgress();
        if (!jsonFile.empty()) console.writeJson(jsonFile, json(soFar));
    };
    RunOptions runOptions;
    runOptions.base = loaded.base;
    runOptions.recipeFile = loaded.file;
    const api::TuneReport found = aboutModel(loaded, [&] {
        try {
            return tuneRecipe(loaded.recipe, options, runOptions, console.startJob());
        } catch (const Error &error) {
            console.endProgress();
            const bool isRefused = error.kind == ErrorKind::BadConfig; // the same search would be refused again
            if (isSaved) noteSaved(console, !isRefused);
            throw;
        } catch (...) { // cancelled
            console.endProgress();
            if (isSaved) noteSaved(console, true);
            throw;
        }
    });
    if (!reportFile.empty()) {
        const std::unique_ptr<StageCache> stages = cache.open(console);
        runOptions.cache = stages.get();
        runOptions.distributions = true;
        const RunResult result =
            aboutModel(loaded, [&] { return runRecipe(found.best, runOptions, console.startJob()); });
        api::Report shown = result.report;
        if (!shown.measures.statistics) shown.measures.statistics = result.distributions;
        console.write(reportFile, htmlReport(shown, console.language()));
    }
    console.endProgress();
    write(console, loaded, found.best);
    if (recipeFile == "-") console.writeJson(recipeFile, api::toJson(withPlatforms(found.best)));
    if (!jsonFile.empty()) console.writeJson(jsonFile, json(found));
    console.notes(found.notes);
    if (std::count(files.begin(), files.end(), "-") > 0)
        console.note(summaryOf(found, console.language()));
    else if (!quiet)
        console.print(summaryOf(found, console.language()));
    for (const std::string &file : files)
        if (!file.empty()) console.written(file);
    return found.meetsAllGoals() ? ExitCode::Good : ExitCode::ConditionHeld;
}

} // namespace

void addTune(CLI::App &app, Action &action)
{
    CLI::App *command = app.add_subcommand("tune", "Search for a recipe that meets goals of accuracy and cost");
    const auto self = std::make_shared<TuneCommand>();
    self->recipe.addSource(*command);
    self->recipe.addTarget(*command);
    self->recipe.addData(*command);
    self->recipe.addEvaluation(*command);
    self->recipe.addDevice(*command);
    command
        ->add_option("--goal", self->goals,
                     "A condition to meet, the most important first: metric.drop<1%, output.sqnr_db>30, int8.macs>90%, "
                     "cost.mac_bits<10 (repeatable)")
        ->type_name("EXPR")
        ->allow_extra_args(false)
        ->required()
        ->group("Search");
    command->add_option("--budget", self->budget, "Time for the search: 90s, 15min, 2h (default 10min)")
        ->type_name("TIME")
        ->group("Search");
    command->add_option("--trials", self->trials, "Try at most N recipes: a budget that does not depend on the machine")
        ->type_name("N")
        ->check(integerInRange(1))
        ->group("Search");
    command
        ->add_option("--lock", self->locks,
                     "What may not change: 'head_*=int8' stays quantized, =float runs in float32, =keep is left as it "
                     "is (repeatable)")
        ->type_name("GLOB=WHAT")
        ->allow_extra_args(false)
        ->group("Search");
    command
        ->add_flag("--resume", self->resume, "Continue an interrupted search from its journal, with the same options")
        ->group("Search");
    command
        ->add_option("--journal", self->journalFile,
                     "File of the measurements, for --resume (default: that of --save-recipe, with .journal)")
        ->type_name("FILE")
        ->group("Search");
    command
        ->add_option("--times", self->timesFile,
                     "JSON file with the times of operations on the target, for goals about cost.time and the front: "
                     "{\"types\": {\"Conv\": {\"int8\": 0.2, \"float\": 0.7}}, \"operations\": {\"conv1\": 0.4}}")
        ->type_name("FILE.json")
        ->group("Search");
    command->add_option("--save-recipe", self->recipeFile, "Write the best recipe; also while the search runs")
        ->type_name("FILE")
        ->check(recipeFile())
        ->group("Results");
    command
        ->add_option("--json", self->jsonFile,
                     "Write goals, trials and the best recipe as JSON (- for standard output)")
        ->type_name("FILE")
        ->group("Results");
    self->cache.addTo(*command);
    command->add_option("--report", self->reportFile, "Run the best recipe and write its report as HTML")
        ->type_name("FILE.html")
        ->check(htmlFile())
        ->group("Results");
    command->add_flag("-q,--quiet", self->quiet, "Print errors only: no progress, results or notes")->group("Program");
    command->footer(
        "The evaluation data is split in two by --seed: one part is searched, the best recipe is confirmed on the "
        "other.\n"
        "Example:\n"
        "  quantloupe-cli tune model.quantloupe --goal \"metric.drop<1%\" --goal \"int8.macs>90%\" --budget 10min \\\n"
        "      --save-recipe best.quantloupe --json search.json\n"
        "\n"
        "Exit codes: 0 goals met; 1 not met (the best recipe is written all the same); 2 bad input or usage; 3 "
        "internal "
        "error; 130 cancelled.");
    command->callback([self, &action] { action = [self](Console &console) { return self->run(console); }; });
}

} // namespace ql::cli
