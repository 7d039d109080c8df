#include "core/session/prepare.h"

#include "core/base/error.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/io/importer.h"
#include "core/io/native.h"
#include "core/pass/format_pipeline.h"
#include "core/pass/pass.h"
#include "core/platform/config_override.h"
#include "core/platform/dispatcher.h"
#include "core/platform/quantizer.h"
#include "core/session/cache.h"

#include <ATen/ops/zeros.h>

#include <chrono>

namespace ql {

using nlohmann::json;

/// Part of every key: results of another version of the engine are not reused.
static constexpr const char *engineVersion = "quantloupe-engine/1";

std::function<void(api::Problem)> RunState::reporter()
{
    return [this](api::Problem problem) { problems.push_back(std::move(problem)); };
}

ExecOptions RunState::exec() const
{
    return {recipe.device, int(recipe.threads)};
}

std::filesystem::path RunState::resolve(const std::string &path) const
{
    const std::filesystem::path p(path);
    return p.is_absolute() ? p : (options.base / p).lexically_normal();
}

std::string RunState::nextKey(const std::string &id, const std::string &inputs) const
{
    const std::string before = stages.empty() ? std::string(engineVersion) : stages.back().key;
    return sha256(before + "\n" + id + "\n" + inputs);
}

void RunState::stage(const std::string &id, const std::string &inputs, const std::function<void()> &work)
{
    StageRecord record{id, nextKey(id, inputs), false, 0};
    const auto start = std::chrono::steady_clock::now();
    work();
    record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    stages.push_back(std::move(record));
}

void refuseUnsupported(const Graph &graph)
{
    const std::vector<UnsupportedOp> missing = unsupportedOps(graph);
    if (missing.empty()) return;
    std::string list, remedy = "Export the model without them, or cut them off before importing.";
    for (const UnsupportedOp &op : missing)
        if (op.why.starts_with("implemented for opset")) // an operator that we know, of a version that we do not
            remedy = "Export the model with opset 21 or older, and without operators that are not implemented.";
    for (const UnsupportedOp &op : missing)
        list += "\n  '" + op.op + "' (" + (op.domain.empty() ? "" : op.domain + ".") + op.type + ", opset " +
                std::to_string(op.opset) + "): " + op.why;
    throw Error(ErrorKind::UnsupportedOp, std::to_string(missing.size()) + " operation(s) cannot be executed:" + list,
                missing.front().op)
        .withRemedy(remedy);
}

namespace {

/// A batch to find out types and shapes with: the first one of the data, or zeros where all shapes are known.
std::optional<Feed> traceFeed(const RunState &state)
{
    if (state.calibration && state.calibration->size() > 0) return state.calibration->batch(0);
    if (state.evaluation && state.evaluation->size() > 0) return state.evaluation->batch(0);
    Feed feed;
    for (const VarId id : state.model.graph.inputs()) {
        const Variable &input = state.model.graph.variable(id);
        if (!input.type.isStatic() || input.type.dtype == at::ScalarType::Undefined) return std::nullopt;
        feed.emplace(input.name, at::zeros(input.type.sizes(), at::TensorOptions(input.type.dtype)));
    }
    return feed;
}

/// Fills in the types of computed tensors. What the model declares of its inputs and outputs stays as it is.
void traceTypes(RunState &state, const JobContext &job)
{
    Graph &graph = state.model.graph;
    if (!unsupportedOps(graph).empty()) return;
    const auto feed = traceFeed(state);
    if (!feed) return;
    for (const auto &[id, type] : Executor(graph, state.exec()).traceTypes(*feed, job)) {
        Variable &variable = graph.edit(id);
        const bool declared = graph.isGraphInput(id) || graph.isGraphOutput(id);
        if (!declared || !variable.type.shape || variable.type.dtype == at::ScalarType::Undefined) variable.type = type;
    }
}

json typeRow(const Variable &variable)
{
    json shape;
    if (variable.type.shape) {
        shape = json::array();
        for (const Dim &d : *variable.type.shape)
            shape.push_back(d.size >= 0 ? json(d.size) : d.symbol.empty() ? json("?") : json(d.symbol));
    }
    return {{"name", variable.name}, {"type", dtypeName(variable.type.dtype)}, {"shape", shape}};
}

json modelFacts(const RunState &state, const Graph &graph)
{
    std::int64_t parameters = 0;
    std::size_t parameterCount = 0;
    for (const VarId id : graph.variables())
        if (graph.isParameter(id)) {
            parameters += graph.variable(id).value.numel();
            ++parameterCount;
        }
    json inputs = json::array(), outputs = json::array();
    for (const VarId id : graph.inputs()) inputs.push_back(typeRow(graph.variable(id)));
    for (const VarId id : graph.outputs()) outputs.push_back(typeRow(graph.variable(id)));
    std::map<std::string, int> types;
    for (const OpId id : graph.operations()) ++types[graph.operation(id).type];
    const auto opset = graph.opsets.find("");
    return {{"path", state.recipe.model},
            {"sha256", state.recipe.sha256},
            {"format", importerFor(state.resolve(state.recipe.model)).info.id},
            {"opset", opset == graph.opsets.end() ? json() : json(opset->second)},
            {"opsets", graph.opsets},
            {"ir_version", graph.irVersion},
            {"producer", graph.producerName},
            {"inputs", inputs},
            {"outputs", outputs},
            {"counts",
             {{"operations", graph.operationCount()},
              {"parameters", parameterCount},
              {"weights", parameters},
              {"types", types}}}};
}

void openData(RunState &state)
{
    const auto open = [&](const api::DataRequest &request) {
        DatasetOptions options;
        options.preprocess = request.preprocess;
        options.samples = std::size_t(request.samples);
        return Dataset::open(state.resolve(request.path), state.model.graph, options);
    };
    const api::Recipe &recipe = state.recipe;
    if (!recipe.calibration.path.empty()) state.calibration = open(recipe.calibration);
    if (!recipe.evaluation.path.empty()) {
        state.evaluation = open(recipe.evaluation);
    } else if (state.calibration) {
        api::DataRequest same = recipe.calibration;
        same.samples = recipe.evaluation.samples;
        if (!recipe.evaluation.preprocess.empty()) same.preprocess = recipe.evaluation.preprocess;
        state.evaluation = open(same);
    }
}

PassContext passContext(RunState &state, const JobContext &job)
{
    PassContext context;
    context.job = job;
    context.calibration = state.calibration.get();
    context.calibrationSteps = state.calibration ? state.calibration->size() : 0;
    context.exec = state.exec();
    context.report = state.reporter();
    return context;
}

void recordPass(RunState &state, const PassReport &report)
{
    state.passes.push_back({{"id", report.id}, {"changed", report.changed}, {"seconds", report.seconds}});
}

std::vector<const api::StepRequest *> enabledPasses(const api::Recipe &recipe, PassKind kind)
{
    std::vector<const api::StepRequest *> steps;
    for (const api::StepRequest &step : *recipe.passes)
        if (step.enabled && Registry<PassEntry>::instance().at(step.id, "pass").kind == kind) steps.push_back(&step);
    return steps;
}

template <class T, class From>
std::vector<T> rulesFrom(const json &list, const char *what, From from)
{
    const api::JsonText text = api::JsonText::wrap(list, what);
    std::vector<T> rules;
    for (const api::JsonNode &node : api::JsonNode(text).elements()) rules.push_back(from(node));
    return rules;
}

} // namespace

void importStages(RunState &state, const JobContext &job, bool withData)
{
    api::Recipe &recipe = state.recipe;
    if (recipe.model.empty())
        throw Error(ErrorKind::BadConfig, "the recipe names no model").withRemedy("Set model.path.");
    const std::filesystem::path file = state.resolve(recipe.model);
    job.checkpoint(0, "import");
    const std::string hash = sha256OfFile(file);
    if (!recipe.sha256.empty() && recipe.sha256 != hash)
        throw Error(ErrorKind::BadData,
                    "the model file is not the one that the recipe was made for (its sha256 differs)")
            .inFile(file.string())
            .withRemedy("Use the original file, or clear model.sha256 in the recipe.");
    recipe.sha256 = hash;
    Graph &graph = state.model.graph;
    ImportRequest request;
    request.file = file;
    if (!recipe.weights.empty()) request.weights = state.resolve(recipe.weights);
    request.inputShapes = recipe.inputShapes;
    request.report = state.reporter();
    std::string others; // weights beside the model, say: results belong to what is in them
    if (const ImporterEntry &importer = importerFor(file); importer.otherFiles)
        for (const std::filesystem::path &other : importer.otherFiles(request))
            if (std::filesystem::exists(other)) others += sha256OfFile(other);
    state.stage("import", hash + json(recipe.inputShapes).dump() + recipe.weights + others, [&] {
        graph = importModel(request);
        state.modelFacts = modelFacts(state, graph);
    });
    if (withData) {
        refuseUnsupported(graph); // before anybody waits for data
        openData(state);
    }
    state.stage("format", state.calibration ? state.calibration->contentHash() : std::string(), [&] {
        traceTypes(state, job);
        const PassContext context = passContext(state, job);
        for (const std::string &id : defaultFormatPipeline()) {
            job.checkpoint(0.01, id);
            recordPass(state, runPass(*makePass(id, {}), state.model, context));
        }
        for (const api::StepRequest *step : enabledPasses(recipe, PassKind::Format))
            recordPass(state, runPass(*makePass(step->id, step->params), state.model, context));
    });
}

void dispatchStage(RunState &state)
{
    const api::Recipe &recipe = state.recipe;
    state.stage(
        "dispatch",
        recipe.platform + definitionToJson(*state.platform).dump() + recipe.dispatcher + recipe.dispatch.dump(), [&] {
            state.model.dispatch = dispatch(state.model.graph, recipe.dispatcher, dispatchRequest(*state.platform));
            const auto overrides =
                rulesFrom<DispatchOverride>(recipe.dispatch, "recipe: dispatch", dispatchOverrideFromJson);
            applyDispatchOverrides(state.model.dispatch, state.model.graph, overrides, state.reporter());
        });
}

void configureStages(RunState &state, const JobContext &job)
{
    const PassContext context = passContext(state, job);
    for (const api::StepRequest *step : enabledPasses(state.recipe, PassKind::Float))
        state.stage(step->id, step->params.dump(), [&] {
            job.checkpoint(0.02, step->id);
            recordPass(state, runPass(*makePass(step->id, step->params), state.model, context));
        });
    state.stage("configure", state.recipe.overrides.dump(), [&] {
        traceTypes(state, job);
        configure(state.model, *state.platform);
        const auto overrides =
            rulesFrom<ConfigOverride>(state.recipe.overrides, "recipe: overrides", configOverrideFromJson);
        applySchemeOverrides(state.model, overrides, state.reporter());
    });
}

namespace {

json toJson(const std::vector<api::Problem> &problems)
{
    json list = json::array();
    for (const api::Problem &problem : problems) list.push_back(api::toJson(problem));
    return list;
}

/// What the cache keeps of a quantization pass: the plan after it, its row of the report, and what it reported.
std::string toBytes(const RunState &state, const json &row, std::size_t problemsBefore)
{
    const std::vector<api::Problem> own(state.problems.begin() + std::ptrdiff_t(problemsBefore), state.problems.end());
    std::string bytes;
    json::to_cbor({{"plan", planToJson(state.model.plan)}, {"pass", row}, {"problems", toJson(own)}},
                  nlohmann::detail::output_adapter<char>(bytes));
    return bytes;
}

struct CachedPass
{
    QuantPlan plan;
    json row;
    std::vector<api::Problem> problems;
};

std::optional<CachedPass> fromBytes(const std::string &bytes, const Graph &graph)
{
    try {
        const json entry = json::from_cbor(bytes);
        CachedPass pass;
        pass.plan = planFromJson(entry.at("plan"));
        pass.plan.verify(graph);
        pass.row = entry.at("pass");
        for (const json &p : entry.at("problems"))
            pass.problems.push_back({p.at("severity"), p.at("op"), p.at("variable"), p.at("message"), p.at("remedy")});
        return pass;
    } catch (const std::exception &) {
        return std::nullopt; // damaged, or of another version: computed again
    }
}

} // namespace

void quantizeStages(RunState &state, const JobContext &job)
{
    const auto steps = enabledPasses(state.recipe, PassKind::Quant);
    // Scales that the user fixes hold before parameters and biases are derived from them, so they follow calibration.
    const auto overrides =
        rulesFrom<ConfigOverride>(state.recipe.overrides, "recipe: overrides", configOverrideFromJson);
    const bool fixesScales =
        std::any_of(overrides.begin(), overrides.end(), [](const ConfigOverride &o) { return o.set.fixesScale(); });
    const std::string data = state.calibration ? state.calibration->contentHash() : std::string();
    const std::string where = state.recipe.device + ":" + std::to_string(state.recipe.threads);

    std::vector<StageRecord> records;
    std::string key = state.stages.back().key;
    for (const api::StepRequest *step : steps) {
        const bool needsData = Registry<PassEntry>::instance().at(step->id, "pass").needsData;
        key = sha256(key + "\n" + step->id + "\n" + step->params.dump() + (needsData ? data + where : std::string()));
        records.push_back({step->id, key, false, 0});
    }
    std::size_t first = 0; // the first pass that must run
    std::vector<CachedPass> known;
    if (state.options.cache)
        for (; first < steps.size(); ++first) {
            const auto bytes = state.options.cache->get(records[first].key);
            auto entry = bytes ? fromBytes(*bytes, state.model.graph) : std::nullopt;
            if (!entry) break;
            known.push_back(std::move(*entry));
        }
    for (std::size_t i = 0; i < first; ++i) {
        records[i].cached = true;
        state.passes.push_back(known[i].row);
        state.problems.insert(state.problems.end(), known[i].problems.begin(), known[i].problems.end());
        state.stages.push_back(records[i]);
    }
    if (first > 0) state.model.plan = std::move(known[first - 1].plan);
    for (std::size_t i = first; i < steps.size(); ++i) {
        const JobContext part = job.part(double(i) / double(steps.size()), double(i + 1) / double(steps.size()));
        part.checkpoint(0, steps[i]->id);
        if (Registry<PassEntry>::instance().at(steps[i]->id, "pass").needsData && !state.calibration)
            throw Error(ErrorKind::BadData, "pass '" + steps[i]->id + "' needs calibration data and there is none")
                .withRemedy("Give data with --calib PATH (a folder of pictures, .npz, .npy ...).");
        const std::size_t problemsBefore = state.problems.size();
        const PassReport report =
            runPass(*makePass(steps[i]->id, steps[i]->params), state.model, passContext(state, part));
        if (fixesScales && steps[i]->id == "calibrate") applyScaleOverrides(state.model, overrides, state.reporter());
        recordPass(state, report);
        records[i].seconds = report.seconds;
        if (state.options.cache)
            state.options.cache->put(records[i].key, toBytes(state, state.passes.back(), problemsBefore));
        state.stages.push_back(records[i]);
    }
}

} // namespace ql
