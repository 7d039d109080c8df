#include "core/session/prepare.h"

#include "core/api/data_words.h"
#include "core/base/build_id.h"
#include "core/base/error.h"
#include "core/base/plugin.h"
#include "core/base/sha256.h"
#include "core/export/exporter.h"
#include "core/io/importer.h"
#include "core/pass/format_pipeline.h"
#include "core/pass/pass.h"
#include "core/platform/config_override.h"
#include "core/platform/dispatcher.h"
#include "core/platform/quantizer.h"
#include "core/session/cut_points.h"
#include "core/session/kept_passes.h"
#include "core/session/quantize_body.h"
#include "core/session/recent_inputs.h"
#include "core/session/recipe_files.h"
#include "core/session/run_checks.h"
#include "core/session/trace_types.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <variant>

namespace ql {

using nlohmann::json;

/// Part of every key: results of another build are not reused, as a pass or kernel may have changed.
static const std::string &engineBuild()
{
    static const std::string build = "quantloupe-engine " QL_VERSION " " + buildId();
    return build;
}

std::vector<const api::StepRequest *> enabledPasses(const api::Recipe &recipe, PassKind kind)
{
    std::vector<const api::StepRequest *> steps;
    for (const api::StepRequest &step : *recipe.passes)
        if (step.enabled && passTraits(step.id).kind == kind) steps.push_back(&step);
    return steps;
}

std::function<void(api::Problem)> RunState::reporter()
{
    return [this](api::Problem problem) { problems.push_back(std::move(problem)); };
}

PlatformLookup RunState::findPlatform() const
{
    return [known = platforms](std::string_view id) { return known->find(id); };
}

ExecOptions RunState::exec() const
{
    return {computes ? recipe.device : "cpu", int(recipe.threads)};
}

std::string RunState::where() const
{
    return recipe.device + ":" + std::to_string(recipe.threads);
}

std::string RunState::cacheKey() const
{
    // The device of an operation depends on that of its inputs: no cuts between devices.
    if (!caches.owns_lock() || inputsNumber == 0 || recipe.device != "cpu") return {};
    std::string key = std::to_string(inputsNumber) + " " + where();
    // A float pass may change the graph, depending on the dispatch
    if (const auto steps = enabledPasses(recipe, PassKind::Float); !steps.empty()) {
        const auto last = std::find_if(stages.rbegin(), stages.rend(),
                                       [&](const api::StageRow &stage) { return stage.id == steps.back()->id; });
        if (last == stages.rend()) return {};
        key += " " + last->key;
    }
    return key;
}

std::filesystem::path RunState::resolve(const std::string &path) const
{
    return api::dataPath(path, options.base);
}

std::string RunState::nextKey(const std::string &id, const std::string &inputs) const
{
    const std::string before = stages.empty() ? engineBuild() : stages.back().key;
    return sha256(before + "\n" + id + "\n" + inputs);
}

static double secondsOf(const std::function<void()> &work)
{
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void RunState::record(const std::string &id, const std::string &inputs, double seconds)
{
    stages.push_back({id, nextKey(id, inputs), false, seconds});
}

void RunState::stage(const std::string &id, const std::string &inputs, const std::function<void()> &work)
{
    record(id, inputs, secondsOf(work));
}

std::string elementTypeName(const Variable &variable, const TensorType &type)
{
    constexpr int strings = 8; // TensorProto.STRING
    return type.dtype == at::ScalarType::Undefined && variable.fileType == strings ? "string" : dtypeName(type.dtype);
}

namespace {

api::PortRow portRow(const Variable &variable, const TensorType &type)
{
    api::PortRow row{variable.name, elementTypeName(variable, type), std::nullopt};
    if (!type.shape) return row;
    row.shape.emplace();
    for (const Dim &d : *type.shape)
        row.shape->push_back({d.size, d.size >= 0 ? "" : d.symbol.empty() ? "?" : d.symbol});
    return row;
}

api::ModelFacts modelFacts(const RunState &state, const Graph &graph)
{
    api::ModelFacts facts;
    facts.path = state.recipe.model;
    facts.format = importerFor(state.resolve(state.recipe.model)).info.id;
    facts.producer = graph.producerName;
    if (const auto opset = graph.opsets.find(""); opset != graph.opsets.end()) facts.opset = opset->second;
    facts.opsets = graph.opsets;
    facts.irVersion = graph.irVersion;
    for (const VarId id : graph.inputs()) facts.inputs.push_back(portRow(graph.variable(id), graph.variable(id).type));
    for (const VarId id : graph.outputs())
        facts.outputs.push_back(portRow(graph.variable(id), graph.variable(id).type));
    api::ModelCounts &counts = facts.counts;
    counts.operations = graph.operationCount();
    for (const VarId id : graph.variables())
        if (graph.isParameter(id)) {
            counts.weights += graph.variable(id).value.numel();
            ++counts.parameters;
        }
    for (const OpId id : graph.operations()) { // some tools write weights as Constant nodes
        const Operation &op = graph.operation(id);
        ++counts.types[op.type];
        const auto value = op.attributes.find("value");
        const at::Tensor *tensor =
            op.type == "Constant" && value != op.attributes.end() ? std::get_if<at::Tensor>(&value->second) : nullptr;
        if (!tensor) continue;
        counts.weights += tensor->numel();
        ++counts.parameters;
    }
    return facts;
}

/// Starts the fingerprints of the recipe's arrays, which are needed as soon as the data is open, in parallel with the
/// import.
std::future<void> beginFingerprints(const RunState &state, std::shared_ptr<Fingerprints> fingerprints)
{
    std::vector<std::filesystem::path> files;
    for (const std::string &path : {state.recipe.calibration.path, state.recipe.evaluation.path})
        if (!path.empty() && isArrayFile(state.resolve(path))) files.push_back(state.resolve(path));
    return std::async(std::launch::async, [files = std::move(files), fingerprints = std::move(fingerprints)] {
        for (const std::filesystem::path &file : files) {
            try {
                fingerprints->of(file);
            } catch (const Error &) { // reported when the data is opened
            } catch (const Cancelled &) {
                return;
            }
        }
    });
}

void openData(RunState &state, const std::shared_ptr<Fingerprints> &fingerprints, const JobContext &job)
{
    const auto open = [&](const api::DataRequest &request) {
        DatasetOptions options = datasetOptions(request);
        options.fingerprints = fingerprints;
        options.job = job;
        if (state.options.recent) options.keptBytes = state.options.recent->samplesLimit();
        return Dataset::open(state.resolve(request.path), state.model.graph, options);
    };
    const api::Recipe &recipe = state.recipe;
    if (!recipe.calibration.path.empty()) state.calibration = open(recipe.calibration);
    if (!recipe.evaluation.path.empty()) {
        try {
            state.evaluation = open(recipe.evaluation);
        } catch (Error &error) { // the calibration data may be in the same folder, with other steps
            if (state.calibration) error.message = QL_TEXT("evaluation data: %1").with(error.message);
            throw;
        }
    } else if (state.calibration) {
        api::DataRequest same = api::evaluationData(recipe);
        // The default number is not a request: fewer samples are reported only once, as calibration data.
        if (!same.isExplicit && same.samples == api::Recipe().evaluation.samples)
            same.samples = std::min(same.samples, std::int64_t(state.calibration->sampleCount()));
        state.evaluation = open(same);
    }
    checkImages(state);
}

PassContext passContext(RunState &state, const JobContext &job)
{
    PassContext context;
    context.job = job;
    context.calibration = state.calibration.get();
    context.calibrationSteps = state.calibration ? state.calibration->size() : 0;
    context.exec = state.exec();
    context.memory = state.options.memory;
    context.report = state.reporter();
    context.quantizeBody = std::bind_front(quantizeBody, std::cref(state));
    if (const auto &section = state.options.section)
        context.training = [&section](const api::TrainingEvent &event) {
            section({.graph = {}, .configs = {}, .passes = {}, .measures = {}, .training = event});
        };
    return context;
}

void recordPass(RunState &state, const PassReport &report, const std::vector<api::TrainedBlock> &blocks = {})
{
    state.passes.push_back({report.id, report.changed, report.seconds, blocks});
}

/// An error about a rule is attributed to the recipe's file.
template <class Work>
void aboutRules(const RunState &state, Work &&work)
{
    try {
        work();
    } catch (Error &error) {
        if (error.file.empty()) error.file = state.options.recipeFile;
        throw;
    }
}

/// importStages() uses only this, and the named files, of the data.
std::string keyOfInputs(const RunState &state)
{
    api::Recipe plain;
    plain.model = state.recipe.model;
    plain.weights = state.recipe.weights;
    plain.inputShapes = state.recipe.inputShapes;
    plain.cut = state.recipe.cut;
    plain.calibration = state.recipe.calibration;
    plain.evaluation = state.recipe.evaluation;
    plain.passes.emplace();
    for (const api::StepRequest *step : enabledPasses(state.recipe, PassKind::Format)) plain.passes->push_back(*step);
    return state.options.base.string() + "\n" + api::toJson(plain).dump() + pluginsKey();
}

/// Reuses what the last run of the process prepared. @returns false if it was something different
bool recallInputs(RunState &state, const std::string &key)
{
    const auto known = state.options.recent->find(key);
    const std::string &wanted = state.recipe.sha256;
    if (!known || (!wanted.empty() && wanted != known->sha256)) return false;
    state.inputsNumber = known->number;
    state.model = known->model;
    state.recipe.sha256 = known->sha256;
    state.modelFacts = known->modelFacts;
    state.outputTypes = known->outputTypes;
    state.calibration = known->calibration;
    state.evaluation = known->evaluation;
    for (api::StageRow stage : known->stages) {
        stage.cached = true;
        stage.seconds = 0;
        state.stages.push_back(std::move(stage));
    }
    state.passes = known->passes;
    state.problems.insert(state.problems.end(), known->problems.begin(), known->problems.end());
    return true;
}

void keepInputs(RunState &state, std::string key, RecentInputs::Stamps stamps, std::size_t problemsBefore)
{
    auto inputs = std::make_shared<PreparedInputs>();
    inputs->model = state.model;
    inputs->sha256 = state.recipe.sha256;
    inputs->modelFacts = state.modelFacts;
    inputs->outputTypes = state.outputTypes;
    inputs->calibration = state.calibration;
    inputs->evaluation = state.evaluation;
    inputs->stages = state.stages;
    inputs->passes = state.passes;
    inputs->problems.assign(state.problems.begin() + std::ptrdiff_t(problemsBefore), state.problems.end());
    state.inputsNumber = state.options.recent->keep(std::move(key), std::move(stamps), std::move(inputs));
}

/// Of the model's file and its side files, such as weights: results depend on their content.
struct ModelHashes
{
    std::string model, others;
    std::vector<std::filesystem::path> otherFiles;
};

ModelHashes hashModel(const ImportRequest &request)
{
    ModelHashes hashes;
    hashes.model = sha256OfFile(request.file);
    hashes.otherFiles = otherFilesOf(request);
    for (const std::filesystem::path &other : hashes.otherFiles)
        if (std::filesystem::exists(other)) hashes.others += sha256OfFile(other);
    return hashes;
}

/// Traces types, and runs the passes that leave only what quantization supports.
void formatGraph(RunState &state, const JobContext &job)
{
    const Graph &graph = state.model.graph;
    traceTypes(state, job);
    for (std::size_t i = 0; i < graph.outputs().size(); ++i)
        if (const auto known = state.outputTypes.find(graph.outputs()[i]); known != state.outputTypes.end())
            state.modelFacts.outputs[i] = portRow(graph.variable(known->first), known->second);
    const PassContext context = passContext(state, job);
    for (const std::string &id : defaultFormatPipeline()) {
        job.checkpoint(0.01, passTitle(id));
        recordPass(state, runPass(*makePass(id, {}), state.model, context));
    }
    for (const api::StepRequest *step : enabledPasses(state.recipe, PassKind::Format))
        recordPass(state, runPass(*makePass(step->id, step->params), state.model, context));
}

} // namespace

void importStages(RunState &state, const JobContext &job, bool withData)
{
    api::Recipe &recipe = state.recipe;
    if (recipe.model.empty())
        throw Error(ErrorKind::BadConfig, QL_TEXT("the recipe specifies no model"))
            .withRemedy(QL_TEXT("Set model.path."));
    const std::filesystem::path file = state.resolve(recipe.model);
    job.checkpoint(0, QL_TEXT("import"));
    // Without data, types are determined differently for a run and for an inspection
    const bool hasData = withData && !(recipe.calibration.path.empty() && recipe.evaluation.path.empty());
    std::string key;
    RecentInputs::Stamps stamps;
    if (state.options.recent && hasData) {
        key = keyOfInputs(state);
        if (recallInputs(state, key)) return;
        stamps = RecentInputs::stampsOf(filesRead(recipe, state.options.base));
    }
    const std::size_t problemsBefore = state.problems.size();
    Graph &graph = state.model.graph;
    ImportRequest request;
    request.file = file;
    if (!recipe.weights.empty()) request.weights = state.resolve(recipe.weights);
    std::map<std::string, std::vector<std::int64_t>> shapesOfCuts; // of inputs that the file does not have
    for (const auto &[name, shape] : recipe.inputShapes)
        (std::count(recipe.cut.inputs.begin(), recipe.cut.inputs.end(), name) > 0 ? shapesOfCuts
                                                                                  : request.inputShapes)[name] = shape;
    request.report = state.reporter();
    const auto fingerprints = std::make_shared<Fingerprints>();
    const std::future<void> begun = withData ? beginFingerprints(state, fingerprints) : std::future<void>();
    // In the background: it takes longer than the import
    std::future<ModelHashes> hashing = std::async(std::launch::async, hashModel, request);
    const auto checkedHashes = [&] {
        ModelHashes hashes = hashing.get();
        if (!recipe.sha256.empty() && recipe.sha256 != hashes.model)
            throw Error(ErrorKind::BadData,
                        QL_TEXT("the model file is not the one that the recipe was made for (its sha256 differs)"))
                .inFile(file.string())
                .withFix(Fix::AcceptModel)
                .withRemedy(QL_TEXT("Use the original file, or clear model.sha256 in the recipe."));
        return hashes;
    };
    double importSeconds = 0, formatSeconds = 0;
    ModelHashes hashes;
    try {
        importSeconds = secondsOf([&] {
            graph = importModel(request);
            cutGraph(graph, recipe.cut, file.string(), state.reporter());
            if (!recipe.cut.inputs.empty()) applyInputShapes(graph, shapesOfCuts, state.reporter());
            state.modelFacts = modelFacts(state, graph);
        });
        if (withData) {
            refuseUnsupported(graph); // before anything waits for data
            openData(state, fingerprints, job.part(0, 0.02));
        }
        formatSeconds = secondsOf([&] {
            formatGraph(state, job);
            hashes = checkedHashes();
        });
    } catch (const Error &) {
        fingerprints->stop();
        if (hashing.valid()) checkedHashes(); // a replaced file explains other problems
        throw;
    } catch (...) { // cancelled
        fingerprints->stop();
        throw;
    }
    recipe.sha256 = state.modelFacts.sha256 = hashes.model;
    for (const std::filesystem::path &other : hashes.otherFiles)
        state.modelFacts.files.push_back(other.lexically_proximate(file.parent_path()).string());
    state.record("import",
                 pluginsKey() + hashes.model + json(recipe.inputShapes).dump() + toJson(recipe.cut).dump() +
                     hashes.others,
                 importSeconds);
    state.record("format", state.calibration ? state.calibration->contentHash() : std::string(), formatSeconds);
    for (const api::StepRequest *step : enabledPasses(recipe, PassKind::Format)) // they change the graph
        state.record(step->id, step->params.dump(), 0);
    if (!key.empty()) keepInputs(state, std::move(key), std::move(stamps), problemsBefore);
}

void dispatchStage(RunState &state)
{
    const api::Recipe &recipe = state.recipe;
    checkQuantizedAlready(state);
    state.stage("dispatch",
                recipe.platform + api::toJson(state.platform()).dump() + state.platform().values.dump() +
                    recipe.dispatcher + toJson(recipe.dispatch, api::RuleKind::Dispatch).dump(),
                [&] {
                    state.model.dispatch =
                        dispatch(state.model.graph, recipe.dispatcher, dispatchRequest(state.platform()));
                    aboutRules(state, [&] {
                        applyDispatchOverrides(state.model.dispatch, state.model.graph, recipe.dispatch,
                                               state.reporter(), state.findPlatform());
                    });
                });
}

/// Definitions of the platforms, other than the recipe's, to which operations were assigned.
static std::string otherPlatforms(const RunState &state)
{
    std::set<std::string> ids;
    for (const OpId id : state.model.graph.operations()) ids.insert(state.model.platformOf(id));
    std::string text;
    for (const std::string &id : ids)
        if (const PlatformDefinition *other = state.platforms->find(id); other && id != state.platform().id)
            text += api::toJson(*other).dump();
    return text;
}

void configureStages(RunState &state, const JobContext &job)
{
    PassContext context = passContext(state, job);
    context.configure = [&state](QuantModel &model) {
        const auto ignore = [](const api::Problem &) {};
        configure(model, state.platform(), state.findPlatform());
        applySchemeOverrides(model, state.recipe.overrides, ignore);
        applyScaleOverrides(model, state.recipe.overrides, ignore);
    };
    const auto notify = [&](const std::string &id) {
        if (state.options.passDone) state.options.passDone(id, state.stages.back().key, state.model);
    };
    notify({});
    for (const api::StepRequest *step : enabledPasses(state.recipe, PassKind::Float)) {
        state.stage(step->id, step->params.dump(), [&] {
            job.checkpoint(0.02, passTitle(step->id));
            recordPass(state, runPass(*makePass(step->id, step->params), state.model, context));
        });
        notify(step->id);
    }
    state.stage(
        "configure", toJson(state.recipe.overrides, api::RuleKind::Override).dump() + otherPlatforms(state), [&] {
            if (!typesAreKnown(state.model.graph)) traceTypes(state, job);
            configure(state.model, state.platform(), state.findPlatform());
            checkFloatTypes(state);
            checkComputedWeights(state);
            checkAnythingQuantized(state);
            checkOperatorTypes(state);
            aboutRules(state, [&] { applySchemeOverrides(state.model, state.recipe.overrides, state.reporter()); });
        });
    notify("configure");
    state.inputsKey = sha256(state.stages.back().key + (state.evaluation ? state.evaluation->contentHash() : ""));
}

void fixKnownScales(RunState &state)
{
    // The run reports overrides that cannot fix a scale, because it knows which slots share scales
    aboutRules(state, [&] { applyScaleOverrides(state.model, state.recipe.overrides, [](const api::Problem &) {}); });
}

namespace {

/// Whether finding the plan after a pass in the cache is faster than running the pass: a plan is large.
bool isWorthKeeping(const api::PassTraits &traits)
{
    return traits.needsData || traits.doesWrite(PassAspect::ParameterScales);
}

/// Without calibration data, a run leaves out optional passes that need it; if it only exports uncalibrated files, the
/// others as well.
std::vector<const api::StepRequest *> passesToRun(RunState &state)
{
    std::vector<const api::StepRequest *> steps = enabledPasses(state.recipe, PassKind::Quant);
    if (state.calibration) return steps;
    const bool areAllOptional = exportsUncalibrated(state.recipe);
    std::erase_if(steps, [&](const api::StepRequest *step) {
        const api::PassTraits &traits = passTraits(step->id);
        if (!traits.needsData || !(traits.isOptional || areAllOptional)) return false;
        state.problems.push_back(
            {.severity = api::Severity::Warning,
             .message = QL_TEXT("pass '%1' is left out: there is no calibration data").with(step->id)});
        return true;
    });
    return steps;
}

} // namespace

void quantizeStages(RunState &state, const JobContext &job)
{
    if (!state.calibration) requireCalibrationData(state.recipe);
    checkPassOrder(state);
    const auto steps = passesToRun(state);
    // Scales fixed by the user apply before parameters and biases are derived from them, so they follow calibration.
    const auto overrides = state.recipe.overrides;
    const bool fixesScales =
        std::any_of(overrides.begin(), overrides.end(), [](const api::Rule &o) { return o.set.fixesScale(); });
    const std::string data = state.calibration ? state.calibration->contentHash() : std::string();
    const std::string where = state.where();

    std::vector<api::StageRow> records;
    std::string key = state.stages.back().key;
    for (const api::StepRequest *step : steps) {
        const bool needsData = passTraits(step->id).needsData;
        key = sha256(key + "\n" + step->id + "\n" + step->params.dump() + (needsData ? data + where : std::string()));
        records.push_back({step->id, key, false, 0});
    }
    const std::string cacheKey = state.cacheKey();
    // For progress: a pass over data takes longer than all others together
    const auto weightOf = [&](const api::StepRequest *step) { return passTraits(step->id).needsData ? 1.0 : 0.02; };
    double all = 0, done = 0;
    for (const api::StepRequest *step : steps) all += weightOf(step);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const double before = done / all;
        done += weightOf(steps[i]);
        const JobContext part = job.part(before, done / all);
        part.checkpoint(0, passTitle(steps[i]->id));
        const api::PassTraits &traits = passTraits(steps[i]->id);
        StageCache *cache = isWorthKeeping(traits) ? state.options.cache : nullptr;
        if (std::optional<CachedPass> known = recallPass(state.model.graph, cache, records[i].key)) {
            records[i].cached = true;
            state.model.plan = std::move(known->plan);
            state.passes.push_back(std::move(known->row));
            state.problems.insert(state.problems.end(), known->problems.begin(), known->problems.end());
            state.stages.push_back(records[i]);
            if (state.options.passDone) state.options.passDone(records[i].id, records[i].key, state.model);
            continue;
        }
        const std::size_t problemsBefore = state.problems.size();
        PassContext context = passContext(state, part);
        if (!cacheKey.empty()) {
            context.cache = &state.options.recent->calibration;
            context.rounding = &state.options.recent->rounding;
            context.cacheKey = cacheKey;
        }
        if (fixesScales) context.fixedScales = slotsWithFixedScale(state.model, overrides);
        std::vector<api::TrainedBlock> blocks;
        context.trained = [&](const api::TrainedBlock &block) { blocks.push_back(block); };
        const auto problems = [&] {
            return std::vector(state.problems.begin() + std::ptrdiff_t(problemsBefore), state.problems.end());
        };
        UnfinishedTraining unfinished(traits.doesWrite(PassAspect::TrainedValues) ? cache : nullptr, records[i].key,
                                      state.model.graph);
        state.problems.insert(state.problems.end(), unfinished.problems().begin(), unfinished.problems().end());
        context.trainingStart = unfinished.start();
        context.keepTraining = [&](const TrainingState &reached) { unfinished.keep(reached, problems()); };
        const PassReport report = runPass(*makePass(steps[i]->id, steps[i]->params), state.model, context);
        if (fixesScales && traits.doesWrite(PassAspect::ParameterScales))
            aboutRules(state, [&] { applyParameterScaleOverrides(state.model, overrides); });
        if (fixesScales && traits.doesWrite(PassAspect::ActivationScales))
            aboutRules(state, [&] { applyScaleOverrides(state.model, overrides, state.reporter()); });
        recordPass(state, report, blocks);
        records[i].seconds = report.seconds;
        rememberPass(cache, records[i].key, {state.model.plan, state.passes.back(), problems()});
        unfinished.forget();
        state.stages.push_back(records[i]);
        if (state.options.passDone) state.options.passDone(records[i].id, records[i].key, state.model);
    }
    checkPlan(state);
}

} // namespace ql
