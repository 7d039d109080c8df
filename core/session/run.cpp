#include "core/session/run.h"

#include "core/analysis/analyser.h"
#include "core/analysis/channel_ranges.h"
#include "core/analysis/error_measure.h"
#include "core/analysis/layerwise_estimates.h"
#include "core/analysis/slot_noise.h"
#include "core/api/remedy_words.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/sha256.h"
#include "core/base/strings.h"
#include "core/exec/opaque.h"
#include "core/exec/threads.h"
#include "core/export/exporter.h"
#include "core/export/lint.h"
#include "core/io/native.h"
#include "core/metric/metric.h"
#include "core/observer/observer.h"
#include "core/pass/pass.h"
#include "core/platform/dispatcher.h"
#include "core/quant/device.h"
#include "core/session/cache_entries.h"
#include "core/session/data_preview.h"
#include "core/session/diagnosis.h"
#include "core/session/output_errors.h"
#include "core/session/plugins.h"
#include "core/session/prepare.h"
#include "core/session/recent_inputs.h"
#include "core/session/recipe_fields.h"
#include "core/session/report.h"
#include "core/session/run_checks.h"
#include "core/session/schedule.h"
#include "core/session/tried_remedies.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/stack.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <set>

namespace ql {

using nlohmann::json;

api::Recipe completeRecipe(api::Recipe recipe)
{
    const RecipePlatforms platforms(recipe);
    const PlatformDefinition &definition = platforms.main();
    recipe.platform = definition.id; // which may have been an alias
    recipe.platformParams = definition.values;
    for (api::Rule &rule : recipe.dispatch)
        if (const PlatformDefinition *target = platforms.find(rule.set.platform)) rule.set.platform = target->id;
    if (recipe.dispatcher.empty()) recipe.dispatcher = definition.dispatcher;
    dispatcherNamed(recipe.dispatcher); // before any work, not after the import
    parseDevice(recipe.device);
    if (!recipe.passes) recipe.passes = definition.passes;
    for (api::StepRequest &step : *recipe.passes) {
        const auto &specs = Registry<PassEntry>::instance().at(step.id, QL_TEXT("pass")).info.params;
        step.params = api::completeParams(specs, step.params, QL_TEXT("pass '%1'").with(step.id));
        for (const api::ParamSpec &spec : specs)
            if (spec.type == "observer")
                if (const auto id = step.params.at(spec.name).get<std::string>(); !id.empty())
                    Registry<ObserverEntry>::instance().at(lower(id), QL_TEXT("observer"));
    }
    if (const std::string &id = recipe.metric.id; !id.empty())
        api::completeParams(Registry<MetricEntry>::instance().at(id, QL_TEXT("metric")).info.params,
                            recipe.metric.params, QL_TEXT("metric '%1'").with(id));
    for (api::StepRequest &step : recipe.analyses)
        step.params =
            api::completeParams(Registry<AnalyserEntry>::instance().at(step.id, QL_TEXT("analysis")).info.params,
                                step.params, QL_TEXT("analysis '%1'").with(step.id));
    for (api::StepRequest &step : recipe.exports)
        step.params =
            api::completeParams(Registry<ExporterEntry>::instance().at(step.id, QL_TEXT("export format")).info.params,
                                step.params, QL_TEXT("export '%1'").with(step.id));
    return recipe;
}

RunState startRun(const api::Recipe &recipe, const RunOptions &options, bool computes)
{
    if (!recipe.plugins.empty()) useRecipePlugins(recipe, options.base);
    RunState state;
    state.recipe = completeRecipe(recipe);
    state.computes = computes;
    if (computes) requireDevice(state.recipe.device);
    state.options = options;
    if (computes && options.recent) state.caches = options.recent->claimCaches();
    state.platforms = std::make_shared<const RecipePlatforms>(state.recipe);
    for (const api::Problem &problem : platformProblems()) state.problems.push_back(problem);
    return state;
}

namespace {

/// Runs or recalls one analysis.
/// samples: maximum number of evaluation samples
api::Measures analyseStage(RunState &state, const std::string &id, const json &params, const JobContext &job,
                           std::size_t samples = std::numeric_limits<std::size_t>::max())
{
    const bool needsData = Registry<AnalyserEntry>::instance().at(id, QL_TEXT("analysis")).needsData;
    std::string inputs = params.dump() + state.where();
    if (state.evaluation && samples < state.evaluation->size()) inputs += " first " + std::to_string(samples);
    if (needsData && state.evaluation) inputs += state.evaluation->contentHash();
    if (state.metric) inputs += state.metric->key;
    api::StageRow stage{"analysis " + id, sha256(planKey(state) + "\nanalysis " + id + "\n" + inputs), false, 0};
    const auto begin = std::chrono::steady_clock::now();
    auto entry = recall<KeptAnalysis>(state.options.cache, stage.key);
    stage.cached = entry.has_value();
    if (!entry) {
        entry.emplace();
        AnalysisContext context(state.model);
        context.data = state.evaluation.get();
        context.batches = state.evaluation ? std::min(samples, state.evaluation->size()) : 0;
        if (const Dataset *data = state.evaluation.get()) {
            context.labels = data->labels();
            context.picture = [data](std::size_t sample) { return imageOfSample(*data, sample); };
        }
        context.metric = state.metric;
        context.exec = state.exec();
        context.memory = state.options.memory;
        context.cacheKey = state.cacheKey();
        if (!context.cacheKey.empty()) {
            context.graphwise = &state.options.recent->graphwise;
            context.layerwise = &state.options.recent->layerwise;
        }
        context.job = job;
        context.report = [&](const api::Problem &problem) { entry->problems.push_back(problem); };
        entry->result = analyse(id, context, params);
        remember(state.options.cache, stage.key, *entry);
    }
    state.problems.insert(state.problems.end(), entry->problems.begin(), entry->problems.end());
    if (state.options.section) {
        api::RunPart part;
        part.measures = entry->result;
        state.options.section(part);
    }
    stage.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    state.stages.push_back(std::move(stage));
    return std::move(entry->result);
}

/// Names of the operations with the largest error, layerwise if that was measured.
std::vector<std::string> worstOperations(const api::Measures &measures, std::size_t count)
{
    const auto &measured = measures.layerwise && !measures.layerwise->empty() ? measures.layerwise : measures.graphwise;
    std::vector<std::pair<double, std::string>> rows;
    if (measured)
        for (const api::ErrorRow &row : *measured) rows.emplace_back(row.noiseRatio.value_or(1e30), row.op);
    std::stable_sort(rows.begin(), rows.end(), [](const auto &a, const auto &b) { return a.first > b.first; });
    std::vector<std::string> names;
    for (const auto &[noise, name] : rows)
        if (names.size() < count && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    return names;
}

/// What the tools that read the exported files, or the usual file of the platform, do not accept.
void lintExports(RunState &state)
{
    std::set<std::string> formats;
    for (const api::StepRequest &step : state.recipe.exports) formats.insert(step.id);
    const std::vector<std::string> &suited = state.platform().exporters;
    if (formats.empty() && !suited.empty()) formats.insert(suited.front());
    for (const std::string &format : formats)
        for (api::Problem &problem : lintExport(format, state.recipe.platform, state.model))
            state.problems.push_back(std::move(problem));
}

void exportStage(RunState &state, std::vector<api::ExportRow> &exports, const api::StepRequest &step,
                 const api::Measures &measures)
{
    const std::vector<std::string> &suited = state.platform().exporters;
    const bool isForAll = Registry<ExporterEntry>::instance().at(step.id, QL_TEXT("export format")).isForAllPlatforms;
    if (!isForAll && !suited.empty() && std::find(suited.begin(), suited.end(), step.id) == suited.end())
        state.problems.push_back(
            {.severity = api::Severity::Warning,
             .message = QL_TEXT("export '%1' is not a format for %2: its runtime may not read the file, or "
                                "may not compute what was simulated")
                            .with(step.id, state.recipe.platform),
             .remedy = QL_TEXT("Formats for this platform: %1.").with(Text::list(suited))});
    state.stage("export " + step.id, step.path + step.params.dump(), [&] {
        const ExportResult result =
            exportModel(step.id, state.model, state.resolve(step.path), step.params, state.reporter(), measures);
        api::ExportRow &row = exports.emplace_back();
        row.format = step.id;
        for (const std::filesystem::path &file : result.files) row.files.push_back({file.string(), sha256OfFile(file)});
        row.notes = result.notes;
    });
}

/// The channels of tensors that depthwise convolutions read, on few samples: a factor between channels is hardly a
/// matter of samples.
std::vector<api::RangeRow> depthwiseInputs(const RunState &state, const std::set<std::string> &tensors,
                                           const JobContext &job)
{
    constexpr std::size_t enough = 2;
    if (tensors.empty() || !state.evaluation) return {};
    std::string key = state.cacheKey();
    const bool isKept = !key.empty();
    for (const std::string &name : tensors) key += "\n" + name;
    if (isKept && state.options.recent->channels.key == key) return state.options.recent->channels.rows;
    AnalysisContext context(state.model);
    context.data = state.evaluation.get();
    context.batches = std::min(enough, state.evaluation->size());
    context.exec = state.exec();
    context.job = job.part(0, 0);
    std::vector<api::RangeRow> rows = rangesOf(context, tensors);
    if (isKept) state.options.recent->channels = {key, rows};
    return rows;
}

/// Problems found in the numbers. Their remedies are tried and listed by their gain. passes: Schedule::passes().
std::vector<api::Problem> diagnosed(RunState &state, const api::Measures &measures, double passes,
                                    const JobContext &job)
{
    Facts facts = factsOf(state.model, state.recipe);
    facts.layerwise = measures.layerwise.value_or(std::vector<api::ErrorRow>());
    facts.outputs = measures.outputs.value_or(std::vector<api::OutputRow>());
    facts.weights = sharedScaleWeights(state.model);
    facts.ranges = measures.ranges;
    facts.noise = measures.noise.value_or(std::vector<api::NoiseRow>());
    std::set<std::string> outputs;
    for (const VarId id : measuredOutputs(state.model.graph)) outputs.insert(state.model.graph.variable(id).name);
    // Measured at a tensor of the user's choice: noise inside of the network is not that of an output
    std::erase_if(facts.layerwise, [&](const api::ErrorRow &row) { return !outputs.contains(row.output); });
    facts.depthwiseInputs = depthwiseInputs(state, missingRanges(facts), job);
    const bool triesThem = triesRemedies(state.recipe);
    facts.listsAlternatives = triesThem;
    std::vector<api::Problem> problems = diagnose(facts);
    facts.listsAlternatives = false;
    const api::StepRequest *request = remedyTrials(state.recipe);
    const bool isWorthwhile = request || std::any_of(problems.begin(), problems.end(),
                                                     [](const auto &p) { return p.severity != api::Severity::Info; });
    if (!triesThem || !isWorthwhile) return triesThem ? diagnose(facts) : problems;
    RemedyTrials trials;
    state.stage("analysis remedies", request ? request->params.dump() : std::string(),
                [&] { trials = tryRemedies(state, problems, facts.outputs, passes, job); });
    const auto notice = request ? std::nullopt : untriedNotice(trials);
    facts.tried = std::move(trials.tried);
    problems = diagnose(facts);
    if (notice) problems.push_back(*notice);
    return problems;
}

/// Problems after those reported by the stages.
void addProblems(api::Report &report, const RunState &state, std::vector<api::Problem> found)
{
    for (const auto &[override, problem] : state.ineffective) {
        api::Problem &row = report.problems.emplace_back(problem);
        row.actions.push_back({.id = api::remedy::dropOverride, .dropOverride = override});
    }
    for (api::Problem &problem : found) report.problems.push_back(std::move(problem));
}

/// Known facts about the values of the data: from this run, or from an earlier one that read more of them.
std::vector<api::Problem> valueProblemsOf(const Dataset &data, StageCache *cache)
{
    std::vector<api::Problem> problems = data.valueProblems();
    if (!cache) return problems;
    const std::string key = sha256("values of data\n" + data.contentHash());
    const std::size_t examined = data.examinedBatches();
    if (const auto known = recall<KeptValues>(cache, key); known && known->examined >= examined) return known->problems;
    remember(cache, key, KeptValues{examined, problems});
    return problems;
}

/// Errors on data that the scales were calibrated on are lower than on other data.
void reportOverlap(const RunState &state, std::vector<api::Problem> &problems)
{
    if (!state.calibration || !state.evaluation || state.recipe.analyses.empty()) return; // nothing is measured
    const auto &configs = state.model.plan.configs();
    if (std::none_of(configs.begin(), configs.end(),
                     [&](const auto &entry) { return state.model.plan.simulated(entry.first); }))
        return;
    const std::string &calibration = state.recipe.calibration.path, &evaluation = state.recipe.evaluation.path;
    const bool areTwoArrays = !evaluation.empty() && evaluation != calibration && isArrayFile(calibration) &&
                              isArrayFile(evaluation); // which may hold parts of the same data
    const auto keysOf = [&](const Dataset &data) { return areTwoArrays ? data.valueKeys() : data.sampleKeys(); };
    const std::vector<std::string> calibrated = keysOf(*state.calibration), keys = keysOf(*state.evaluation);
    const std::set<std::string> known(calibrated.begin(), calibrated.end());
    const auto common =
        std::count_if(keys.begin(), keys.end(), [&](const std::string &key) { return known.contains(key); });
    if (common == 0) return;
    problems.push_back(
        {.severity = evaluation.empty() ? api::Severity::Info : api::Severity::Warning,
         .message = QL_TEXT("%1 of %2 evaluation samples were also used for calibration").with(common, keys.size()),
         .remedy = QL_TEXT("Measure errors on other data (%1): errors on calibration samples are too low.")
                       .with(Text::option("--eval"))});
}

bool evaluatesCalibrationFile(const RunState &state)
{
    const std::string &evaluation = state.recipe.evaluation.path;
    return evaluation.empty() || state.resolve(evaluation) == state.resolve(state.recipe.calibration.path);
}

/// Problems of the data come before their consequences.
void putDataProblemsFirst(RunState &state)
{
    std::vector<api::Problem> first;
    for (const auto *data : {state.calibration.get(), state.evaluation.get()}) {
        if (!data) continue;
        std::vector<api::Problem> problems = data->openingProblems();
        const std::vector<api::Problem> values = valueProblemsOf(*data, state.options.cache);
        problems.insert(problems.end(), values.begin(), values.end());
        // Of one file, both may have read different samples: the input is reported once, as what served calibration
        const bool isSameFile = data != state.calibration.get() && evaluatesCalibrationFile(state);
        const auto isKnown = [&](const api::Problem &problem) {
            return std::any_of(first.begin(), first.end(), [&](const api::Problem &known) {
                return known.variable == problem.variable &&
                       (known.message == problem.message || (isSameFile && !problem.variable.empty()));
            });
        };
        for (const api::Problem &problem : problems)
            if (!isKnown(problem)) first.push_back(problem);
    }
    reportOverlap(state, first);
    state.problems.insert(state.problems.begin(), first.begin(), first.end());
}

/// Shown before anything is measured.
void sendConfigs(const RunState &state)
{
    if (!state.options.section) return;
    api::RunPart part;
    part.configs = shortConfigRows(state.model);
    part.passes = state.passes;
    state.options.section(part);
}

} // namespace

RunResult runRecipe(const api::Recipe &recipe, const RunOptions &options, const JobContext &job)
{
    const auto begin = std::chrono::steady_clock::now();
    const ThreadScope threads(threadsFor(recipe.threads));
    RecentInputs own(RecentInputs::fewSamples); // of this run, for its trials of remedies
    RunState state = startRun(recipe, options);
    if (triesRemedies(state.recipe) && !options.recent) state.options.recent = &own;
    if (std::filesystem::exists(state.resolve(state.recipe.model))) // otherwise the import says so
        requireCalibrationData(state.recipe);
    state.metric = openMetric(state.recipe, options.base);
    state.tracesOpenBatch = true;
    importStages(state, job.part(0, 0.05), true);
    dispatchStage(state);
    configureStages(state, job.part(0.05, 0.1));
    if (options.section) {
        api::RunPart part;
        part.graph = makeInspection(state);
        options.section(part);
    }
    const Schedule schedule(state);
    quantizeStages(state, schedule.calibration(job));
    for (const api::StepRequest &step : state.recipe.exports) checkCalibrated(step.id, state.model, step.params);
    lintExports(state);
    reportRecurrentOperations(state);
    reportHostOperations(state, schedule.calibration(job).part(1, 1));
    if (options.quantized) options.quantized(state.model, state.recipe);
    sendConfigs(state);

    RunResult result;
    api::Measures measures;
    std::vector<api::ExportRow> exports;
    std::vector<api::Problem> found;
    const bool graphwise = requestOf(state.recipe, "graphwise") != nullptr;
    const std::size_t analyses = state.recipe.analyses.size();
    std::size_t trials = analyses; // their position among the analyses
    if (state.evaluation) {
        for (std::size_t i = 0; i < analyses; ++i) {
            const api::StepRequest &step = state.recipe.analyses[i];
            if (&step == remedyTrials(state.recipe))
                trials = i;
            else
                measures.update(analyseStage(state, step.id, step.params, schedule.analysis(job, i)));
        }
        if (requestOf(state.recipe, "layerwise") && !requestOf(state.recipe, "noise"))
            measures.update(analyseStage(state, "noise", rankingParams(state.model.graph, schedule.passes()),
                                         schedule.rest(job, 0, 0)));
        // With graphwise they are measured anyway; without any analysis nothing is
        if (!graphwise && analyses > 0)
            measures.update(analyseStage(state, "outputs", json::object(), schedule.rest(job, 0, 0.5)));
        const bool isLast = graphwise && trials + 1 == analyses; // otherwise progress would go back
        found = diagnosed(state, measures, schedule.passes(),
                          isLast ? schedule.analysis(job, trials) : schedule.rest(job, 0.5, 0.5));
        if (const api::StepRequest *step = requestOf(state.recipe, "layerwise"))
            estimateUnmeasured(state.model, step->params, measures);
        if (options.distributions) {
            constexpr std::size_t enough = 32; // for a plot; the report shows how many there were
            const json params = paramsOfOperations(worstOperations(measures, 6));
            result.distributions =
                analyseStage(state, "statistics", params, schedule.rest(job, 0.5, 0.9), enough).statistics;
        }
    }
    if (!state.evaluation && analyses > 0)
        state.problems.push_back({.severity = api::Severity::Info,
                                  .message = QL_TEXT("no errors were measured: there is no evaluation data"),
                                  .remedy = QL_TEXT("Give data with %1.").with(Text::option("--eval PATH"))});
    for (const api::StepRequest &step : state.recipe.exports) {
        schedule.rest(job, 0.9, 1).checkpoint(0, QL_TEXT("export %1").with(step.id));
        exportStage(state, exports, step, measures);
    }
    putDataProblemsFirst(state);
    result.report = makeReport(state, std::move(measures), std::move(exports),
                               std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    addProblems(result.report, state, std::move(found));
    result.recipe = std::move(state.recipe);
    result.model = std::move(state.model);
    return result;
}

api::Inspection inspectModel(const api::Recipe &recipe, const RunOptions &options, const JobContext &job)
{
    const ThreadScope threads(threadsFor(recipe.threads));
    RunState state = startRun(recipe, options, false);
    state.tracesOpenBatch = true;
    if (!options.configs) {
        importStages(state, job, false);
        dispatchStage(state);
        return makeInspection(state);
    }
    try {
        // Shapes that the model leaves open are taken from the data
        importStages(state, job, true);
    } catch (const Error &error) {
        state = startRun(recipe, options, false);
        state.tracesOpenBatch = true;
        importStages(state, job, false);
        if (error.kind != ErrorKind::UnsupportedOp) // those are listed anyway
            state.problems.push_back(
                {api::Severity::Error, error.op, error.variable,
                 error.file.empty() ? error.message : QL_TEXT("%1: %2").with(error.file, error.message), error.remedy});
    }
    dispatchStage(state);
    api::Inspection inspection = makeInspection(state);
    const std::size_t before = state.problems.size();
    inspection.configs.emplace();
    inspection.recipe = state.recipe;
    try {
        configureStages(state, job);
        inspection.inputsKey = state.inputsKey;
        fixKnownScales(state);
        inspection.configs = shortConfigRows(state.model);
    } catch (const Error &error) {
        // The graph can still be inspected
        state.problems.push_back({api::Severity::Error, error.op, error.variable, error.message, error.remedy});
    }
    inspection.problems.insert(inspection.problems.end(), state.problems.begin() + std::ptrdiff_t(before),
                               state.problems.end());
    return inspection;
}

/// The results of all batches as one array, samples along axis 0. isStacked: each batch becomes an entry of a new
/// leading axis. Otherwise only if axis 0 does not have an entry per sample of the batch, such as the state (2, 1, 128)
/// of an LSTM: (4, 2, 1, 128) for 4 samples; the others are concatenated along axis 0.
/// @throws Error (BadData) if the shapes differ, which one array cannot hold
static at::Tensor samplesAlongAxis0(const std::vector<at::Tensor> &parts, bool isStacked, std::int64_t batchSize,
                                    const std::string &name)
{
    const bool isBatch = !isStacked && std::all_of(parts.begin(), parts.end(), [&](const at::Tensor &part) {
        return part.dim() > 0 && part.size(0) == batchSize;
    });
    const auto other = std::find_if(parts.begin(), parts.end(),
                                    [&](const at::Tensor &part) { return part.sizes() != parts.front().sizes(); });
    if (other == parts.end()) return isBatch ? at::cat(parts, 0) : at::stack(parts, 0);
    throw Error(ErrorKind::BadData,
                QL_TEXT("the tensor is %1 for the first sample and %2 for sample %3: one array cannot hold both")
                    .with(sizesText(parts.front().sizes()), sizesText(other->sizes()), other - parts.begin()),
                {}, name)
        .withRemedy(QL_TEXT("Give one sample at a time, or select other tensors with --tensors."));
}

/// The tensors by name; item i of a sequence s is s[i]. @throws Error (BadData) for values that no array can hold
static std::vector<std::pair<std::string, at::Tensor>> withoutSequences(const std::vector<std::string> &names,
                                                                        const std::vector<at::Tensor> &values)
{
    std::vector<std::pair<std::string, at::Tensor>> out;
    const std::function<void(const std::string &, const at::Tensor &)> add = [&](const std::string &name,
                                                                                 const at::Tensor &value) {
        if (isStrings(value) || isNone(value))
            throw Error(ErrorKind::BadData,
                        isNone(value) ? QL_TEXT("the optional value is empty: there is no array to write")
                                      : QL_TEXT("the tensor holds strings, which cannot be written"),
                        {}, name)
                .withRemedy(QL_TEXT("Select other tensors with --tensors."));
        if (!isSequence(value)) {
            out.emplace_back(name, value);
            return;
        }
        const std::vector<at::Tensor> &items = sequenceOf(value);
        for (std::size_t i = 0; i < items.size(); ++i) add(name + "[" + std::to_string(i) + "]", items[i]);
    };
    for (std::size_t i = 0; i < names.size(); ++i) add(names[i], values[i]);
    return out;
}

std::vector<std::pair<std::string, at::Tensor>> infer(const api::Recipe &recipe, const InferRequest &request,
                                                      const RunOptions &options, const JobContext &job)
{
    const ThreadScope threads(threadsFor(recipe.threads));
    RunState state = startRun(recipe, options);
    state.hasOtherData = true;
    // A native file contains its plan; with calibration data it is treated as a float graph to quantize, like any
    // other.
    const bool hasPlan = !request.fp32 && state.recipe.calibration.path.empty() && hasNativeName(state.recipe.model);
    if (!request.fp32 && !hasPlan) requireCalibrationData(state.recipe);
    state.tracesOpenBatch = !request.fp32;
    importStages(state, job.part(0, 0.1), !request.fp32 && !hasPlan);
    refuseUnsupported(state.model.graph);
    if (hasPlan) {
        state.model = modelFromBytes(readFile(state.resolve(state.recipe.model)));
    } else if (!request.fp32) {
        dispatchStage(state);
        configureStages(state, job.part(0.1, 0.15));
        quantizeStages(state, job.part(0.15, 0.5));
    }
    const Graph &graph = state.model.graph;
    ProgramSpec spec;
    if (!request.fp32) spec.plan = &state.model.plan;
    std::vector<std::string> names;
    if (request.tensors.empty()) {
        for (const VarId id : graph.outputs()) names.push_back(graph.variable(id).name);
    } else {
        for (const std::string &name : request.tensors) {
            const VarId id = graph.findVariable(name);
            if (id == noVar) {
                std::vector<std::string> known;
                for (const VarId v : graph.variables())
                    if (!graph.isParameter(v)) known.push_back(graph.variable(v).name);
                throw Error(ErrorKind::BadConfig, Text::sentences({QL_TEXT("the model has no tensor '%1'.").with(name),
                                                                   suggestion(name, known)}))
                    .inFile(state.resolve(state.recipe.model).string())
                    .withRemedy(tensorsHelp(known));
            }
            spec.outputs.push_back(id);
            names.push_back(name);
        }
    }
    DatasetOptions dataOptions;
    dataOptions.preprocess = request.preprocess;
    dataOptions.job = job;
    const auto data = Dataset::open(request.input, graph, dataOptions);
    const Executor executor(graph, state.exec());
    const Program program = executor.compile(spec);
    std::vector<std::vector<at::Tensor>> parts;
    for (std::size_t i = 0; i < data->size(); ++i) {
        job.checkpoint(0.5 + 0.5 * double(i) / double(data->size()), QL_TEXT("infer"));
        const auto outputs = withoutSequences(names, program.run(data->batch(i), job, data->name(i)));
        if (i > 0 && outputs.size() != parts.size())
            throw Error(ErrorKind::BadData, QL_TEXT("the sequences of sample %1 differ in length from those of the "
                                                    "first sample: arrays cannot hold both")
                                                .with(i))
                .withRemedy(QL_TEXT("Give one sample at a time, or select other tensors with --tensors."));
        parts.resize(outputs.size());
        for (std::size_t o = 0; o < outputs.size(); ++o) parts[o].push_back(outputs[o].second.contiguous());
        if (i + 1 < data->size()) continue;
        names.clear();
        for (const auto &[name, value] : outputs) names.push_back(name);
    }
    // One batch in the shapes of the inputs gives the outputs in theirs: the leading axis need not be that of the batch
    const bool isOneBatch = data->isOneFeed() || (data->size() == 1 && data->batchSize() > 1);
    // Outputs mirror the inputs: (20, 1, 257, 2) for an input (1, 257, 2) has a separate sample axis.
    const bool isStacked = isArrayFile(request.input) && data->samplesHaveFullRank();
    std::vector<std::pair<std::string, at::Tensor>> result;
    for (std::size_t o = 0; o < names.size(); ++o)
        result.emplace_back(
            names[o], isOneBatch ? parts[o].front()
                                 : samplesAlongAxis0(parts[o], isStacked, std::int64_t(data->batchSize()), names[o]));
    if (request.report) {
        for (const api::Problem &problem : data->problems()) request.report(problem);
        for (const api::Problem &problem : state.problems) request.report(problem);
    }
    return result;
}

} // namespace ql
