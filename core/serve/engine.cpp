#include "core/serve/engine.h"

#include "core/analysis/analyser.h"
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
#include <random>

namespace ql {

using nlohmann::json;

/// Samples that a distribution is taken from: enough for its shape, few enough to answer at once. As many for the
/// ranges of all activations, so that both tell the same share of clipped values.
static constexpr std::size_t samplesOfDistribution = 8;
/// Of the text files that an export would write, so much is shown.
static constexpr std::size_t shownText = 4096;

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
    /// Of what the quantized model depends on.
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
            if (!known->isBuiltIn()) text += definitionToJson(*known).dump();
        return sha256(text);
    }
    /// Where a file of that name is written. @throws Error (BadConfig) when the recipe reads what is there
    std::filesystem::path output(const std::string &path) const
    {
        const std::filesystem::path file = (base / path).lexically_normal();
        refuseInput(file, filesRead(recipe, base));
        return file;
    }
};

Engine::Engine(const ServeOptions &options, std::function<void(const std::string &)> note)
    : m_catalogue(options.catalogue)
{
    if (!options.cache) return;
    CacheOptions cache;
    cache.folder = options.cacheFolder.empty() ? StageCache::defaultFolder() : options.cacheFolder;
    cache.note = std::move(note);
    m_cache = std::make_unique<StageCache>(std::move(cache));
}

bool Engine::isQuick(const std::string &method)
{
    static const std::vector<std::string> quick{"open",           "inspect",       "catalogue",      "preview",
                                                "platform_check", "platform_save", "platform_remove"};
    return std::find(quick.begin(), quick.end(), method) != quick.end();
}

Engine::Request Engine::read(const json &params) const
{
    Request request;
    request.recipe = api::recipeFromJson(api::JsonText::wrap(params.value("recipe", json::object()), "recipe"));
    request.base = params.value("base", ".");
    return request;
}

namespace {

/// {"text"} as a definition: every field, nothing inherited.
json checkPlatform(const json &params)
{
    const PlatformDefinition definition = platformFromText(params.value("text", ""), "definition");
    return {{"definition", definitionToJson(definition)}};
}

/// Writes {"text"} into the user's folder under its own id, from where every engine reads it. {"replaces"}: the own
/// platform that it was before, whose file goes if it has another id; without it the id must be new.
json savePlatform(const json &params, const std::function<json()> &catalogue)
{
    const std::string text = params.value("text", "");
    const PlatformDefinition definition = platformFromText(text, "definition");
    const std::filesystem::path folder = userPlatformFolder();
    if (folder.empty())
        throw Error(ErrorKind::Io, "the folder of a user's platforms is not known")
            .withRemedy("Set XDG_DATA_HOME or HOME.");
    for (const PlatformDefinition *known : platforms())
        if (known->id == definition.id && known->isBuiltIn())
            throw Error(ErrorKind::BadConfig, "'" + definition.id + "' is a built-in platform")
                .withRemedy("Choose another id; \"extends\" takes over what it has.");
    const std::string replaced = params.value("replaces", "");
    const bool isOther = replaced != definition.id;
    const bool isRenamed = isOther && !replaced.empty();
    if (isOther && findPlatform(definition.id))
        throw Error(ErrorKind::BadConfig, "there is a platform '" + definition.id + "' already")
            .withRemedy("Choose another id.");
    if (isRenamed) removablePlatformFile(replaced); // refused before anything is written
    std::filesystem::create_directories(folder);
    // It stays in the file that it came from, whatever that is called
    const PlatformDefinition *before = isOther ? nullptr : findPlatform(definition.id);
    const std::filesystem::path file =
        before ? std::filesystem::path(before->file) : folder / (definition.id + ".json");
    if (!before && std::filesystem::exists(file))
        throw Error(ErrorKind::BadConfig,
                    "there is a file of this name already, of another platform or with a mistake in it")
            .inFile(file.string())
            .withRemedy("Choose another id, or move the file away.");
    writeFileAtomically(file, text);
    loadPlatformFile(file);
    if (isRenamed) removePlatform(replaced);
    return {{"file", file.string()}, {"id", definition.id}, {"catalogue", catalogue()}};
}

/// Removes the own platform {"id"} and its file.
json dropPlatform(const json &params, const std::function<json()> &catalogue)
{
    const std::string id = params.value("id", "");
    removePlatform(id);
    return {{"id", id}, {"catalogue", catalogue()}};
}

} // namespace

json Engine::answer(const std::string &method, const json &params, const Outlet &outlet)
{
    refreshPlatforms(); // the user may write them in an editor while the engine runs
    if (method == "catalogue") return m_catalogue();
    static const std::vector<std::string> methods{
        "open",           "inspect", "run",    "analysis", "catalogue",      "distribution",  "export",
        "export_preview", "report",  "passes", "preview",  "platform_check", "platform_save", "platform_remove"};
    if (std::find(methods.begin(), methods.end(), method) == methods.end())
        throw Error(ErrorKind::BadConfig, "unknown request '" + method + "'." + didYouMean(method, methods))
            .withRemedy("Window and engine are of different versions.");
    if (method == "platform_check") return checkPlatform(params);
    if (method == "platform_save") return savePlatform(params, m_catalogue);
    if (method == "platform_remove") return dropPlatform(params, m_catalogue);
    const Request request = read(params);
    if (method == "open" || method == "inspect") return inspect(request, outlet);
    if (method == "run") return run(request, params.value("goal", "all"), outlet);
    if (method == "distribution") return distribution(request, params.value("op", ""), outlet);
    if (method == "passes") return passes(request, outlet);
    if (method == "preview") return preview(request, params, outlet);
    if (method == "report") return writeReport(request, params.value("path", ""), outlet);
    if (method == "export_preview") return previewExport(request, params, outlet);
    if (method == "analysis") {
        json found = analysis(request, params.value("id", ""), params.value("params", json::object()), outlet);
        const Kept &kept = quantized(request, outlet);
        json facts = found;
        // What looks odd inside is judged by the result
        if (!facts.contains("outputs")) facts["outputs"] = kept.result.report.value("outputs", json::array());
        facts["recipe"] = api::toJson(kept.result.recipe);
        found["problems"] = diagnose(std::move(facts), kept.result.model);
        return found;
    }
    return exportFile(request, params, outlet);
}

json Engine::inspect(const Request &request, const Outlet &outlet)
{
    RunOptions options = request.options(m_cache.get(), m_recent);
    options.configs = true;
    return inspectModel(request.recipe, options, outlet.job);
}

json Engine::run(const Request &request, const std::string &goal, const Outlet &outlet)
{
    Request wanted = request;
    if (goal != "all") wanted.recipe.exports.clear();
    if (goal == "calibrate") wanted.recipe.analyses.clear();
    RunOptions options = wanted.options(m_cache.get(), m_recent);
    options.section = outlet.section;
    auto kept = std::make_unique<Kept>();
    kept->hash = request.modelHash();
    kept->base = request.base;
    kept->result = runRecipe(wanted.recipe, options, outlet.job);
    m_kept = std::move(kept);
    json report = json::object();
    for (const auto &[key, value] : m_kept->result.report.items())
        // Large, and told already: as a section, and by the inspection
        if (!outlet.section || (key != "configs" && key != "operations")) report[key] = value;
    return {{"report", std::move(report)}, {"recipe", api::toJson(m_kept->result.recipe)}};
}

const Engine::Kept &Engine::quantized(const Request &request, const Outlet &outlet)
{
    if (const std::string hash = request.modelHash(); !m_kept || m_kept->hash != hash) {
        Outlet silent = outlet;
        silent.section = nullptr;
        Request plain = request;
        plain.recipe.evaluation.samples = 1; // the error of the outputs is not asked for
        run(plain, "calibrate", silent);
        m_kept->hash = hash;
    }
    return *m_kept;
}

json Engine::analysis(const Request &request, const std::string &id, const json &params, const Outlet &outlet)
{
    const Kept &kept = quantized(request, outlet);
    AnalysisContext context(kept.result.model);
    std::shared_ptr<Dataset> data;
    const api::DataRequest &from =
        request.recipe.evaluation.path.empty() ? request.recipe.calibration : request.recipe.evaluation;
    if (!from.path.empty()) {
        DatasetOptions options;
        options.preprocess = from.preprocess;
        options.samples = std::size_t(request.recipe.evaluation.samples);
        if (id == "statistics" || id == "variables" || id == "details" || id == "ranges")
            options.samples = options.samples == 0 ? samplesOfDistribution // all
                                                   : std::min(options.samples, samplesOfDistribution);
        data = Dataset::open(std::filesystem::path(kept.base / from.path).lexically_normal(), kept.result.model.graph,
                             options);
        context.data = data.get();
        context.batches = data->size();
        context.labels = data->labels();
    }
    context.exec = {request.recipe.device, int(request.recipe.threads)};
    context.job = outlet.job;
    return analyse(id, context, params);
}

json Engine::distribution(const Request &request, const std::string &op, const Outlet &outlet)
{
    json out = {{"op", op}, {"rows", json::array()}, {"parameters", json::array()}};
    const bool hasData = !request.recipe.evaluation.path.empty() || !request.recipe.calibration.path.empty();
    if (hasData) {
        // A name may hold the characters of a pattern
        json answer = analysis(request, "statistics", {{"operations", {op}}, {"fine", true}}, outlet);
        for (json &row : answer["statistics"])
            if (row["op"] == op) out["rows"].push_back(std::move(row));
    }
    json answer = analysis(request, "parameters", {{"operations", {op}}, {"fine", true}}, outlet);
    for (json &row : answer["parameters"])
        if (row["op"] == op) out["parameters"].push_back(std::move(row));
    json more = analysis(request, "details", {{"operations", {op}}}, outlet);
    out["details"] = json::array();
    for (json &row : more["details"])
        if (row["op"] == op) out["details"].push_back(std::move(row));
    return out;
}

json Engine::exportFile(const Request &request, const json &params, const Outlet &outlet)
{
    const std::string format = params.value("format", "");
    const std::filesystem::path file = request.output(params.value("path", ""));
    const Kept &kept = quantized(request, outlet);
    outlet.job.checkpoint(0.9, "export " + format);
    const json complete =
        api::completeParams(Registry<ExporterEntry>::instance().at(format, "export format").info.params,
                            params.value("params", json::object()), "export '" + format + "'");
    json problems = json::array(), files = json::array();
    const ExportResult result =
        exportModel(format, kept.result.model, file, complete,
                    [&](const api::Problem &problem) { problems.push_back(api::toJson(problem)); });
    for (const std::filesystem::path &written : result.files)
        files.push_back({{"path", written.string()}, {"bytes", std::filesystem::file_size(written)}});
    return {{"format", format}, {"files", files}, {"notes", result.notes}, {"problems", problems}};
}

json Engine::previewExport(const Request &request, const json &params, const Outlet &outlet)
{
    const std::filesystem::path target = request.output(params.value("path", "model"));
    checkExportTarget(target);
    const Kept &kept = quantized(request, outlet);
    const std::string format = params.value("format", "");
    const std::string name = target.filename().string();
    outlet.job.checkpoint(0.9, "preview of " + format);
    const json complete =
        api::completeParams(Registry<ExporterEntry>::instance().at(format, "export format").info.params,
                            params.value("params", json::object()), "export '" + format + "'");
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
            exportModel(format, kept.result.model, folder / name, complete,
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
        return {{"format", format}, {"files", files}, {"notes", result.notes}, {"problems", problems}};
    } catch (...) {
        remove();
        throw;
    }
}

json Engine::writeReport(const Request &request, const std::string &path, const Outlet &outlet)
{
    const std::filesystem::path file = request.output(path);
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

json Engine::passes(const Request &request, const Outlet &outlet)
{
    return {{"passes", passHistory(request.recipe, request.options(m_cache.get(), m_recent), outlet.job)}};
}

json Engine::preview(const Request &request, const json &params, const Outlet &outlet)
{
    PreviewRequest wanted;
    const json data = params.value("data", json::object());
    wanted.data.path = data.value("path", "");
    wanted.data.samples = data.value("samples", std::int64_t(0));
    wanted.data.preprocess = data.value("preprocess", "");
    wanted.sample = params.value("sample", std::size_t(0));
    wanted.input = params.value("input", std::size_t(0));
    return previewData(request.recipe, wanted, request.options(nullptr, m_recent), outlet.job);
}

} // namespace ql
