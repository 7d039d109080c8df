#include "core/serve/engine.h"

#include "core/analysis/analyser.h"
#include "core/analysis/channel_ranges.h"
#include "core/api/text_json.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/sha256.h"
#include "core/base/strings.h"
#include "core/export/exporter.h"
#include "core/io/dataset.h"
#include "core/platform/definition.h"
#include "core/session/data_preview.h"
#include "core/session/diagnosis.h"
#include "core/session/html_report.h"
#include "core/session/prepare.h"
#include "core/session/recipe_files.h"
#include "core/session/report.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <utility>

namespace ql {

using nlohmann::json;

/// Number of samples for a distribution: enough for its shape, few enough to answer immediately. The same number for
/// the ranges of all activations, so that both report the same fraction of clipped values.
static constexpr std::size_t samplesOfDistribution = 8;
/// Length of the previews of text files.
static constexpr std::size_t shownText = 4096;
/// Number of cached quantized models: that of a run, and those of requests about other recipes.
static constexpr std::size_t keptModels = 2;
/// How often a request that waits for a model checks whether it was cancelled.
static constexpr auto cancelInterval = std::chrono::milliseconds(20);

struct Engine::Request
{
    api::Recipe recipe;
    std::filesystem::path base;

    RunOptions options(StageCache *cache, RecentInputs &recent) const
    {
        RunOptions options;
        options.base = base;
        options.cache = cache;
        options.recent = &recent;
        return options;
    }
    /// Of everything the quantized model depends on.
    std::string modelHash() const
    {
        api::Recipe plain = completeRecipe(recipe);
        plain.sha256.clear();
        plain.analyses.clear();
        plain.exports.clear();
        plain.evaluation = {};
        std::string text = base.string() + "\n" + api::recipeHash(plain);
        for (const std::string &file : {recipe.model, recipe.weights, recipe.calibration.path})
            if (!file.empty()) text += fileStamp((base / file).lexically_normal());
        for (const PlatformDefinition *known : platforms())
            if (!known->isBuiltIn()) text += api::toJson(*known).dump();
        return sha256(text);
    }
    /// The path for writing a file of that name. @throws Error (BadConfig) if the recipe reads that file
    std::filesystem::path output(const std::string &path) const
    {
        const std::filesystem::path file = (base / path).lexically_normal();
        refuseInput(file, filesRead(recipe, base));
        return file;
    }
};

Engine::Engine(const ServeOptions &options, std::function<void(const Text &)> note) : m_catalogue(options.catalogue)
{
    if (!options.cache) return;
    CacheOptions cache;
    cache.folder = options.cacheFolder.empty() ? StageCache::defaultFolder() : options.cacheFolder;
    cache.note = std::move(note);
    m_cache = std::make_unique<StageCache>(std::move(cache));
}

struct Engine::Handler
{
    api::Method method;
    json (Engine::*answer)(const json &params, const Outlet &outlet);
};

const std::vector<Engine::Handler> &Engine::handlers()
{
    static const std::vector<Handler> table{
        {api::method::catalogue, &Engine::catalogue},
        {api::method::inspect, &Engine::inspect},
        {api::method::preview, &Engine::preview},
        {api::method::platformCheck, &Engine::checkPlatform},
        {api::method::platformSave, &Engine::savePlatform},
        {api::method::platformRemove, &Engine::dropPlatform},
        {api::method::distribution, &Engine::distribution},
        {api::method::exportFile, &Engine::exportFile},
        {api::method::exportPreview, &Engine::previewExport},
        {api::method::run, &Engine::run},
        {api::method::analysis, &Engine::analysis},
        {api::method::passes, &Engine::passes},
        {api::method::report, &Engine::writeReport},
    };
    return table;
}

std::vector<std::string> Engine::methods()
{
    std::vector<std::string> names;
    for (const Handler &handler : handlers()) names.emplace_back(handler.method.name);
    return names;
}

api::Lane Engine::laneOf(const std::string &method)
{
    for (const Handler &handler : handlers())
        if (handler.method.name == method) return handler.method.lane;
    return api::Lane::Quick;
}

json Engine::answer(const std::string &method, const json &params, const Outlet &outlet)
{
    refreshPlatforms(); // the user may create them in an editor while the engine runs
    for (const Handler &handler : handlers())
        if (handler.method.name == method) return (this->*handler.answer)(params, outlet);
    throw Error(ErrorKind::BadConfig,
                Text::sentences({QL_TEXT("unknown request '%1'.").with(method), suggestion(method, methods())}))
        .withRemedy(QL_TEXT("Window and engine versions differ."));
}

Engine::Request Engine::read(const json &params) const
{
    Request request;
    request.recipe = api::recipeFromJson(api::JsonText::wrap(params.value("recipe", json::object()), "recipe"));
    request.base = params.value("base", ".");
    return request;
}

json Engine::catalogue(const json &, const Outlet &)
{
    return m_catalogue();
}

/// {"text"} as a definition: every field, nothing inherited.
json Engine::checkPlatform(const json &params, const Outlet &)
{
    const PlatformDefinition definition = platformFromText(params.value("text", ""), "definition");
    return {{"definition", api::toJson(definition)}};
}

/// Writes {"text"} into the user's folder under its own id, where every engine reads it. {"replaces"}: its previous id,
/// whose file is removed if the id changed; without it the id must be new.
json Engine::savePlatform(const json &params, const Outlet &)
{
    const std::string text = params.value("text", "");
    const PlatformDefinition definition = platformFromText(text, "definition");
    const std::filesystem::path folder = userPlatformFolder();
    if (folder.empty())
        throw Error(ErrorKind::Io, QL_TEXT("the user's platform folder is unknown"))
            .withRemedy(QL_TEXT("Set XDG_DATA_HOME or HOME."));
    for (const PlatformDefinition *known : platforms())
        if (known->id == definition.id && known->isBuiltIn())
            throw Error(ErrorKind::BadConfig, QL_TEXT("'%1' is a built-in platform").with(definition.id))
                .withRemedy(QL_TEXT("Choose another id; \"extends\" inherits its settings."));
    const std::string replaced = params.value("replaces", "");
    const bool isOther = replaced != definition.id;
    const bool isRenamed = isOther && !replaced.empty();
    if (isOther && findPlatform(definition.id))
        throw Error(ErrorKind::BadConfig, QL_TEXT("platform '%1' already exists").with(definition.id))
            .withRemedy(QL_TEXT("Choose another id."));
    if (isRenamed) removablePlatformFile(replaced); // refused before anything is written
    std::filesystem::create_directories(folder);
    // It stays in its file, whatever the name
    const PlatformDefinition *before = isOther ? nullptr : findPlatform(definition.id);
    const std::filesystem::path file =
        before ? std::filesystem::path(before->file) : folder / (definition.id + ".json");
    if (!before && std::filesystem::exists(file))
        throw Error(ErrorKind::BadConfig,
                    QL_TEXT("a file of this name already exists; it belongs to another platform or is invalid"))
            .inFile(file.string())
            .withRemedy(QL_TEXT("Choose another id, or move the file away."));
    writeFileAtomically(file, text);
    loadPlatformFile(file);
    if (isRenamed) removePlatform(replaced);
    return {{"file", file.string()}, {"id", definition.id}, {"catalogue", m_catalogue()}};
}

/// Removes the user platform {"id"} and its file.
json Engine::dropPlatform(const json &params, const Outlet &)
{
    const std::string id = params.value("id", "");
    removePlatform(id);
    return {{"id", id}, {"catalogue", m_catalogue()}};
}

json Engine::inspect(const json &params, const Outlet &outlet)
{
    const Request request = read(params);
    RunOptions options = request.options(m_cache.get(), m_recent);
    options.configs = true;
    return inspectModel(request.recipe, options, outlet.job);
}

/// Marks the model of a run as being quantized until it is available or has failed.
class Engine::Quantizing
{
public:
    Quantizing(Engine &engine, const std::string &hash) : m_engine(engine)
    {
        const std::lock_guard lock(m_engine.m_mutex);
        m_isMine = m_engine.m_quantizing.empty();
        if (m_isMine) m_engine.m_quantizing = hash;
    }
    ~Quantizing() { end(); }
    Quantizing(const Quantizing &) = delete;
    Quantizing &operator=(const Quantizing &) = delete;
    void end()
    {
        const std::lock_guard lock(m_engine.m_mutex);
        if (std::exchange(m_isMine, false)) m_engine.m_quantizing.clear();
        m_engine.m_changed.notify_all();
    }

private:
    Engine &m_engine;
    bool m_isMine = false;
};

json Engine::run(const json &params, const Outlet &outlet)
{
    return runGoal(read(params), params.value("goal", "all"), outlet);
}

json Engine::runGoal(const Request &request, const std::string &goal, const Outlet &outlet)
{
    Request wanted = request;
    if (goal != "all") wanted.recipe.exports.clear();
    if (goal == "calibrate") wanted.recipe.analyses.clear();
    RunOptions options = wanted.options(m_cache.get(), m_recent);
    options.section = outlet.section;
    const std::string hash = request.modelHash();
    Quantizing quantizing(*this, hash);
    options.quantized = [&](const QuantModel &model, const api::Recipe &recipe) {
        keep({hash, model, recipe});
        quantizing.end();
    };
    RunResult result = runRecipe(wanted.recipe, options, outlet.job);
    json report = json::object();
    for (const auto &[key, value] : result.report.items())
        // Large, and already sent: as a section, and by the inspection
        if (!outlet.section || (key != "configs" && key != "operations")) report[key] = value;
    json answer = {{"report", std::move(report)}, {"recipe", api::toJson(result.recipe)}};
    keep({hash, std::move(result.model), std::move(result.recipe), result.report.value("outputs", json::array())});
    return answer;
}

Engine::KeptPtr Engine::findKept(const std::string &hash) const
{
    const auto found =
        std::find_if(m_kept.begin(), m_kept.end(), [&](const KeptPtr &kept) { return kept->hash == hash; });
    return found == m_kept.end() ? nullptr : *found;
}

void Engine::keep(Kept kept)
{
    const std::lock_guard lock(m_mutex);
    std::erase_if(m_kept, [&](const KeptPtr &old) { return old->hash == kept.hash; });
    m_kept.push_front(std::make_shared<const Kept>(std::move(kept)));
    if (m_kept.size() > keptModels) m_kept.pop_back();
}

Engine::KeptPtr Engine::quantized(const Request &request, const Outlet &outlet)
{
    const std::string hash = request.modelHash();
    std::unique_lock lock(m_mutex);
    for (;;) {
        if (KeptPtr kept = findKept(hash)) return kept;
        if (m_quantizing != hash) break;
        m_changed.wait_for(lock, cancelInterval);
        outlet.job.checkpoint();
    }
    lock.unlock();
    Outlet silent = outlet;
    silent.section = nullptr;
    Request plain = request;
    plain.recipe.evaluation.samples = 1; // the output error is not requested
    runGoal(plain, "calibrate", silent);
    lock.lock();
    return findKept(hash);
}

json Engine::analysis(const json &params, const Outlet &outlet)
{
    const Request request = read(params);
    const KeptPtr kept = quantized(request, outlet);
    json found = analyseKept(kept, request, params.value("id", ""), params.value("params", json::object()), outlet);
    // Anomalies inside are judged by the result
    Facts facts = factsOf(kept->model, kept->recipe);
    (found.contains("outputs") ? found["outputs"] : kept->outputs).get_to(facts.outputs);
    if (found.contains("layerwise")) found["layerwise"].get_to(facts.layerwise);
    if (found.contains("parameters")) facts.weights = sharedScaleWeights(kept->model);
    if (found.contains("ranges")) facts.ranges = found["ranges"].get<api::Ranges>();
    found["problems"] = json::array();
    for (const api::Problem &problem : diagnose(facts)) found["problems"].push_back(api::toJson(problem));
    return found;
}

json Engine::analyseKept(const KeptPtr &kept, const Request &request, const std::string &id, const json &params,
                         const Outlet &outlet, Questions *questions) const
{
    AnalysisContext context(kept->model);
    std::shared_ptr<Dataset> data;
    const api::DataRequest from = api::evaluationData(request.recipe);
    if (!from.path.empty()) {
        DatasetOptions options = datasetOptions(from);
        if (id == "statistics" || id == "variables" || id == "details" || id == "ranges")
            options.samples = options.samples == 0 ? samplesOfDistribution // all
                                                   : std::min(options.samples, samplesOfDistribution);
        const std::filesystem::path path = std::filesystem::path(request.base / from.path).lexically_normal();
        const std::string key = kept->hash + "\n" + path.string() + "\n" + fileStamp(path) + "\n" + from.preprocess +
                                "\n" + std::to_string(options.samples) + " " + api::toString(options.sampling) + " " +
                                std::to_string(options.seed);
        if (questions && questions->kept == kept && questions->key == key) {
            data = questions->data;
        } else {
            if (questions) options.keptBytes = RecentInputs::samplesLimit();
            data = Dataset::open(path, kept->model.graph, options);
            if (questions) {
                questions->pairs = {}; // before the graph that it refers to
                questions->kept = kept;
                questions->key = key;
                questions->data = data;
            }
        }
        if (questions) {
            context.pairs = &questions->pairs;
            context.cacheKey = key;
        }
        context.data = data.get();
        context.batches = data->size();
        context.labels = data->labels();
    }
    context.exec = {request.recipe.device, int(request.recipe.threads)};
    context.job = outlet.job;
    return analyse(id, context, params);
}

json Engine::distribution(const json &params, const Outlet &outlet)
{
    const Request request = read(params);
    const std::string op = params.value("op", "");
    json out = {{"op", op}, {"rows", json::array()}, {"parameters", json::array()}, {"details", json::array()}};
    const KeptPtr kept = quantized(request, outlet);
    const bool hasData = !request.recipe.evaluation.path.empty() || !request.recipe.calibration.path.empty();
    const auto take = [&](const char *id, json wanted, const char *as) {
        wanted["operations"] = {op};
        json answer = analyseKept(kept, request, id, wanted, outlet, &m_questions);
        for (json &row : answer[id]) // a name may contain pattern characters
            if (row["op"] == op) out[as].push_back(std::move(row));
    };
    // Statistics also have rows for parameters, but need data
    if (hasData)
        take("statistics", {{"fine", true}}, "rows");
    else
        take("parameters", {{"fine", true}}, "parameters");
    take("details", json::object(), "details");
    return out;
}

json Engine::exportFile(const json &params, const Outlet &outlet)
{
    const Request request = read(params);
    const std::string format = params.value("format", "");
    const std::filesystem::path file = request.output(params.value("path", ""));
    const KeptPtr kept = quantized(request, outlet);
    outlet.job.checkpoint(0.9, QL_TEXT("export %1").with(format));
    const json complete =
        api::completeParams(Registry<ExporterEntry>::instance().at(format, "export format").info.params,
                            params.value("params", json::object()), QL_TEXT("export '%1'").with(format));
    json problems = json::array(), files = json::array();
    const ExportResult result = exportModel(format, kept->model, file, complete, [&](const api::Problem &problem) {
        problems.push_back(api::toJson(problem));
    });
    for (const std::filesystem::path &written : result.files)
        files.push_back({{"path", written.string()}, {"bytes", std::filesystem::file_size(written)}});
    json answer = {{"format", format}, {"files", files}, {"problems", problems}};
    api::putTexts(answer, "notes", result.notes);
    return answer;
}

json Engine::previewExport(const json &params, const Outlet &outlet)
{
    const Request request = read(params);
    const std::filesystem::path target = request.output(params.value("path", "model"));
    checkExportTarget(target);
    const KeptPtr kept = quantized(request, outlet);
    const std::string format = params.value("format", "");
    const std::string name = target.filename().string();
    outlet.job.checkpoint(0.9, QL_TEXT("preview of %1").with(format));
    const json complete =
        api::completeParams(Registry<ExporterEntry>::instance().at(format, "export format").info.params,
                            params.value("params", json::object()), QL_TEXT("export '%1'").with(format));
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("quantloupe-preview-" + std::to_string(std::random_device{}()));
    std::filesystem::create_directories(folder);
    const auto remove = [&] {
        std::error_code ignored;
        std::filesystem::remove_all(folder, ignored);
    };
    json problems = json::array(), files = json::array();
    try {
        const ExportResult result =
            exportModel(format, kept->model, folder / name, complete,
                        [&](const api::Problem &problem) { problems.push_back(api::toJson(problem)); });
        for (const std::filesystem::path &file : result.files) {
            json row = {{"name", file.lexically_relative(folder).string()},
                        {"bytes", std::filesystem::file_size(file)},
                        {"exists", std::filesystem::exists(target.parent_path() / file.lexically_relative(folder))}};
            const std::string bytes = readFile(file);
            const bool isText =
                std::none_of(bytes.begin(), bytes.begin() + std::ptrdiff_t(std::min(bytes.size(), shownText)),
                             [](char c) { return c >= 0 && c < 9; });
            if (isText && !bytes.empty()) row["text"] = bytes.substr(0, shownText);
            files.push_back(std::move(row));
        }
        remove();
        json answer = {{"format", format}, {"files", files}, {"problems", problems}};
        api::putTexts(answer, "notes", result.notes);
        return answer;
    } catch (...) {
        remove();
        throw;
    }
}

json Engine::writeReport(const json &params, const Outlet &outlet)
{
    const Request request = read(params);
    const std::filesystem::path file = request.output(params.value("path", ""));
    RunOptions options = request.options(m_cache.get(), m_recent);
    options.distributions = true;
    api::Recipe recipe = request.recipe;
    recipe.exports.clear();
    const RunResult result = runRecipe(recipe, options, outlet.job);
    json report = result.report;
    if (result.distributions.is_array()) report["statistics"] = result.distributions;
    writeFileAtomically(file, htmlReport(report));
    return {{"format", "html"},
            {"files", {{{"path", file.string()}, {"bytes", std::filesystem::file_size(file)}}}},
            {"notes", json::array()},
            {"problems", json::array()}};
}

json Engine::passes(const json &params, const Outlet &outlet)
{
    const Request request = read(params);
    return {{"passes", passHistory(request.recipe, request.options(m_cache.get(), m_recent), outlet.job)}};
}

json Engine::preview(const json &params, const Outlet &outlet)
{
    const Request request = read(params);
    PreviewRequest wanted;
    const json data = params.value("data", json::object());
    wanted.data.path = data.value("path", "");
    wanted.data.samples = data.value("samples", std::int64_t(0));
    wanted.data.preprocess = data.value("preprocess", "");
    if (data.value("sampling", "even") == "first") wanted.data.sampling = api::Sampling::First;
    wanted.data.seed = data.value("seed", std::int64_t(0));
    wanted.sample = params.value("sample", std::size_t(0));
    wanted.input = params.value("input", std::size_t(0));
    return previewData(request.recipe, wanted, request.options(nullptr, m_recent), outlet.job);
}

} // namespace ql
