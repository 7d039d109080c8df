#include "core/serve/engine.h"

#include "core/analysis/analyser.h"
#include "core/analysis/channel_ranges.h"
#include "core/api/data_words.h"
#include "core/api/recipe_ids.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/language.h"
#include "core/base/plugin.h"
#include "core/base/scratch_folder.h"
#include "core/base/sha256.h"
#include "core/base/strings.h"
#include "core/base/trust.h"
#include "core/export/exporter.h"
#include "core/export/lint.h"
#include "core/io/dataset.h"
#include "core/platform/definition.h"
#include "core/report/html_report.h"
#include "core/session/data_preview.h"
#include "core/session/diagnosis.h"
#include "core/session/plugins.h"
#include "core/session/prepare.h"
#include "core/session/recipe_files.h"
#include "core/session/report.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
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

/// Of everything the quantized model depends on.
static std::string modelHash(const api::RecipeRequest &request)
{
    api::Recipe plain = completeRecipe(request.recipe);
    plain.sha256.clear();
    plain.analyses.clear();
    plain.exports.clear();
    plain.evaluation = {};
    const std::filesystem::path base = request.base;
    std::string text = request.base + "\n" + api::recipeHash(plain) + pluginsKey();
    for (const std::string &file : {request.recipe.model, request.recipe.weights, request.recipe.calibration.path})
        if (!file.empty()) text += fileStamp((base / file).lexically_normal());
    for (const PlatformDefinition *known : platforms())
        if (!known->isBuiltIn()) text += api::toJson(*known).dump();
    return sha256(text);
}

/// The path for writing a file of that name. format: of an export, which also writes files next to it; empty: none
/// @throws Error (BadConfig) if the recipe reads one of these files
static std::filesystem::path outputOf(const api::RecipeRequest &request, const std::string &path,
                                      const std::string &format = {})
{
    const std::filesystem::path base = request.base, file = (base / path).lexically_normal();
    const std::vector<std::filesystem::path> inputs = filesRead(request.recipe, base);
    for (const std::filesystem::path &each : format.empty() ? std::vector{file} : exportedFiles(format, file))
        refuseInput(each, inputs);
    return file;
}

Engine::Engine(const ServeOptions &options, std::function<void(const Text &)> note) : m_catalogue(options.catalogue)
{
    if (!options.cache) return;
    CacheOptions cache;
    cache.folder = options.cacheFolder.empty() ? StageCache::defaultFolder() : options.cacheFolder;
    cache.note = std::move(note);
    m_cacheFolder = cache.folder;
    m_cache = std::make_unique<StageCache>(std::move(cache));
}

RunOptions Engine::optionsOf(const api::RecipeRequest &request)
{
    RunOptions options;
    options.base = request.base;
    options.cache = m_cache.get();
    options.recent = &m_recent;
    return options;
}

struct Engine::Handler
{
    api::Method method;
    std::function<json(Engine &engine, const json &params, const Outlet &outlet)> answer;

    template <class Request, class Answer>
    Handler(const api::MethodOf<Request, Answer> &asked,
            Answer (Engine::*function)(const Request &request, const Outlet &outlet))
        : method(asked), answer([function](Engine &engine, const json &params, const Outlet &outlet) {
              return json((engine.*function)(params.get<Request>(), outlet));
          })
    {}
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
        {api::method::runtimes, &Engine::runtimes},
        {api::method::runtimeInstall, &Engine::installRuntime},
        {api::method::verify, &Engine::verify},
        {api::method::tune, &Engine::tune},
        {api::method::plugins, &Engine::plugins},
        {api::method::programs, &Engine::programs},
        {api::method::allow, &Engine::allow},
        {api::method::importEncodings, &Engine::importEncodings},
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
    std::string base;
    const json *recipe = api::recipeIn(params, base);
    if (recipe && method != api::method::programs.name) useRecipePlugins(*recipe, base);
    for (const Handler &handler : handlers())
        if (handler.method.name == method) return handler.answer(*this, params, outlet);
    throw Error(ErrorKind::BadConfig,
                Text::sentences({QL_TEXT("unknown request '%1'.").with(method), suggestion(method, methods())}))
        .withRemedy(QL_TEXT("Window and engine versions differ."));
}

api::Catalogue Engine::catalogue(const api::CatalogueRequest &, const Outlet &)
{
    return m_catalogue();
}

api::PlatformChecked Engine::checkPlatform(const api::PlatformCheckRequest &request, const Outlet &)
{
    return {platformFromText(request.text, "definition")};
}

/// Writes a definition into the user's folder under its own id. If it replaces a user platform and has another id, the
/// previous file is removed; otherwise the id must be new.
api::PlatformSaved Engine::savePlatform(const api::PlatformSaveRequest &request, const Outlet &)
{
    const std::string &text = request.text, &replaced = request.replaces;
    const PlatformDefinition definition = platformFromText(text, "definition");
    const std::filesystem::path folder = userPlatformFolder();
    if (folder.empty())
        throw Error(ErrorKind::Io, QL_TEXT("the user's platform folder is unknown"))
            .withRemedy(QL_TEXT("Set XDG_DATA_HOME or HOME."));
    for (const PlatformDefinition *known : platforms())
        if (known->id == definition.id && known->isBuiltIn())
            throw Error(ErrorKind::BadConfig, QL_TEXT("'%1' is a built-in platform").with(definition.id))
                .withRemedy(QL_TEXT("Choose another id; \"extends\" inherits its settings."));
    const bool isOther = replaced != definition.id;
    const bool isRenamed = isOther && !replaced.empty();
    if (isOther && findPlatform(definition.id))
        throw Error(ErrorKind::BadConfig, QL_TEXT("platform '%1' already exists").with(definition.id))
            .withRemedy(QL_TEXT("Choose another id."));
    if (isRenamed) removablePlatformFile(replaced); // refused before anything is written
    std::filesystem::create_directories(folder);
    // It stays in its file, whatever that is called
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
    return {file.string(), definition.id, m_catalogue()};
}

api::PlatformRemoved Engine::dropPlatform(const api::PlatformRemoveRequest &request, const Outlet &)
{
    removePlatform(request.id);
    return {request.id, m_catalogue()};
}

api::Inspection Engine::inspect(const api::RecipeRequest &request, const Outlet &outlet)
{
    RunOptions options = optionsOf(request);
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

api::RunAnswer Engine::run(const api::RunRequest &request, const Outlet &outlet)
{
    api::Recipe recipe = request.recipe;
    if (request.goal != api::Goal::All) recipe.exports.clear();
    if (request.goal == api::Goal::Calibrate) recipe.analyses.clear();
    RunOptions options = optionsOf(request);
    options.section = outlet.section;
    const std::string hash = modelHash(request);
    Quantizing quantizing(*this, hash);
    options.quantized = [&](const QuantModel &model, const api::Recipe &complete) {
        keep({hash, model, complete, {}});
        quantizing.end();
    };
    RunResult result = runRecipe(recipe, options, outlet.job);
    keep({hash, std::move(result.model), result.recipe,
          result.report.measures.outputs.value_or(std::vector<api::OutputRow>())});
    return {std::move(result.report), std::move(result.recipe)};
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

Engine::KeptPtr Engine::quantized(const api::RecipeRequest &request, const Outlet &outlet)
{
    const std::string hash = modelHash(request);
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
    api::RunRequest plain{request, api::Goal::Calibrate};
    plain.recipe.evaluation.samples = 1; // the output error is not requested
    run(plain, silent);
    lock.lock();
    return findKept(hash);
}

api::AnalysisAnswer Engine::analysis(const api::AnalysisRequest &request, const Outlet &outlet)
{
    const KeptPtr kept = quantized(request, outlet);
    const api::Measures found = analyseKept(kept, request, request.id, request.params, outlet);
    // Anomalies inside are judged by the result
    Facts facts = factsOf(kept->model, kept->recipe);
    facts.outputs = found.outputs.value_or(kept->outputs);
    facts.layerwise = found.layerwise.value_or(std::vector<api::ErrorRow>());
    if (found.parameters) facts.weights = sharedScaleWeights(kept->model);
    facts.ranges = found.ranges;
    return {found, diagnose(facts)};
}

api::Measures Engine::analyseKept(const KeptPtr &kept, const api::RecipeRequest &request, const std::string &id,
                                  const json &params, const Outlet &outlet, PendingQuestions *questions) const
{
    AnalysisContext context(kept->model);
    std::shared_ptr<Dataset> data;
    const api::DataRequest from = api::evaluationData(request.recipe);
    if (!from.path.empty()) {
        DatasetOptions options = datasetOptions(from);
        options.job = outlet.job;
        if (id == "statistics" || id == "variables" || id == "details" || id == "ranges")
            options.samples = options.samples == 0 ? samplesOfDistribution // all
                                                   : std::min(options.samples, samplesOfDistribution);
        const std::filesystem::path path = api::dataPath(from.path, request.base);
        const std::string key = kept->hash + "\n" + path.string() + "\n" + fileStamp(path) + "\n" + from.preprocess +
                                "\n" + std::to_string(options.samples) + " " + api::toString(options.sampling) + " " +
                                std::to_string(options.seed);
        if (questions && questions->kept == kept && questions->key == key) {
            data = questions->data;
        } else {
            if (questions) options.keptBytes = m_recent.samplesLimit();
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
        context.picture = [&](std::size_t sample) { return imageOfSample(*data, sample); };
    }
    context.exec = {request.recipe.device, int(request.recipe.threads)};
    context.job = outlet.job;
    return analyse(id, context, params);
}

/// Appends the rows of op. Compared literally: a name may contain pattern characters.
template <class Row>
static void takeRowsOf(const std::string &op, const std::optional<std::vector<Row>> &rows, std::vector<Row> &into)
{
    std::copy_if(rows.value().begin(), rows.value().end(), std::back_inserter(into),
                 [&](const Row &row) { return row.op == op; });
}

api::Distributions Engine::distribution(const api::DistributionRequest &request, const Outlet &outlet)
{
    const std::string &op = request.op;
    const KeptPtr kept = quantized(request, outlet);
    const auto take = [&](const char *id, bool isFine) {
        return analyseKept(kept, request, id, paramsOfOperations({op}, isFine), outlet, &m_questions);
    };
    api::Distributions out;
    out.op = op;
    // Statistics also have rows for parameters, but need data
    if (!request.recipe.evaluation.path.empty() || !request.recipe.calibration.path.empty())
        takeRowsOf(op, take("statistics", true).statistics, out.rows);
    else
        takeRowsOf(op, take("parameters", true).parameters, out.parameters);
    takeRowsOf(op, take("details", false).details, out.details);
    return out;
}

ExportResult Engine::exportKept(const api::ExportRequest &request, const std::filesystem::path &file,
                                std::vector<api::Problem> &problems, const Outlet &outlet)
{
    const KeptPtr kept = quantized(request, outlet);
    outlet.job.checkpoint(0.9, QL_TEXT("export %1").with(request.format));
    const ExporterEntry &entry = Registry<ExporterEntry>::instance().at(request.format, QL_TEXT("export format"));
    const json complete =
        api::completeParams(entry.info.params, request.params, QL_TEXT("export '%1'").with(request.format));
    problems = lintExport(request.format, request.recipe.platform, kept->model);
    api::Measures errors;
    if (entry.errorsFrom && !api::evaluationData(request.recipe).path.empty()) {
        std::string analysis;
        try {
            analysis = entry.errorsFrom(complete);
        } catch (...) {
            throwNamed<ExporterEntry>(QL_TEXT("export '%1'").with(request.format), request.format);
        }
        errors = analyseKept(kept, request, analysis, json::object(), outlet);
    }
    return exportModel(
        request.format, kept->model, file, complete, [&](const api::Problem &problem) { problems.push_back(problem); },
        errors);
}

api::Exported Engine::exportFile(const api::ExportRequest &request, const Outlet &outlet)
{
    const std::filesystem::path file = outputOf(request, request.path, request.format);
    api::Exported answer;
    answer.format = request.format;
    ExportResult result = exportKept(request, file, answer.problems, outlet);
    for (const std::filesystem::path &written : result.files)
        answer.files.push_back({written.string(), std::filesystem::file_size(written)});
    answer.notes = std::move(result.notes);
    return answer;
}

/// The beginning of a text file; empty for a binary one.
static std::string beginningOf(const std::filesystem::path &file)
{
    const std::string beginning = readFile(file).substr(0, shownText);
    const bool isText = std::none_of(beginning.begin(), beginning.end(), [](char c) { return c >= 0 && c < 9; });
    return isText ? beginning : std::string();
}

api::ExportPreview Engine::previewExport(const api::ExportPreviewRequest &request, const Outlet &outlet)
{
    const std::filesystem::path target =
        outputOf(request, request.path.empty() ? "model" : request.path, request.format);
    checkExportTarget(target);
    const ScratchFolder folder;
    api::ExportPreview answer;
    answer.format = request.format;
    ExportResult result = exportKept(request, folder.path() / target.filename(), answer.problems, outlet);
    for (const std::filesystem::path &file : result.files) {
        const std::filesystem::path name = file.lexically_relative(folder.path());
        answer.files.push_back({name.string(), std::filesystem::file_size(file),
                                std::filesystem::exists(target.parent_path() / name), beginningOf(file)});
    }
    answer.notes = std::move(result.notes);
    answer.operations = std::move(result.operations);
    return answer;
}

api::Exported Engine::writeReport(const api::ReportRequest &request, const Outlet &outlet)
{
    const std::filesystem::path file = outputOf(request, request.path);
    RunOptions options = optionsOf(request);
    options.distributions = true;
    api::Recipe recipe = request.recipe;
    recipe.exports.clear();
    RunResult result = runRecipe(recipe, options, outlet.job);
    if (result.distributions) result.report.measures.statistics = std::move(result.distributions);
    writeFileAtomically(file, htmlReport(result.report, Language::of(request.language)));
    api::Exported written;
    written.format = "html";
    written.files = {{file.string(), std::filesystem::file_size(file)}};
    return written;
}

api::PassHistory Engine::passes(const api::PassesRequest &request, const Outlet &outlet)
{
    return {passHistory(request.recipe, optionsOf(request), outlet.job)};
}

api::PluginList Engine::plugins(const api::PluginsRequest &, const Outlet &)
{
    return pluginList();
}

api::ProgramList Engine::programs(const api::ProgramsRequest &request, const Outlet &)
{
    return programsOf(request);
}

api::Allowed Engine::allow(const api::AllowRequest &request, const Outlet &)
{
    allowProgramsOf(request.file, request.key);
    return {request.file};
}

api::Preview Engine::preview(const api::PreviewRequest &request, const Outlet &outlet)
{
    RunOptions options = optionsOf(request);
    options.cache = nullptr;
    return previewData(request, options, outlet.job);
}

} // namespace ql
