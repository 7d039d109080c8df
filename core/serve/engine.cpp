#include "core/serve/engine.h"

#include "core/analysis/analyser.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/export/exporter.h"
#include "core/io/dataset.h"
#include "core/session/prepare.h"

#include <algorithm>

namespace ql {

using nlohmann::json;

/// Batches that a distribution is taken from: enough for its shape, few enough to answer at once.
static constexpr std::size_t distributionBatches = 8;

struct Engine::Request
{
    api::Recipe recipe;
    std::filesystem::path base;

    RunOptions options(StageCache *cache) const
    {
        RunOptions options;
        options.base = base;
        options.cache = cache;
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
        return base.string() + "\n" + api::recipeHash(plain);
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
    return method == "open" || method == "inspect" || method == "catalogue";
}

Engine::Request Engine::read(const json &params) const
{
    Request request;
    request.recipe = api::recipeFromJson(api::JsonText::wrap(params.value("recipe", json::object()), "recipe"));
    request.base = params.value("base", ".");
    return request;
}

json Engine::answer(const std::string &method, const json &params, const Outlet &outlet)
{
    if (method == "catalogue") return m_catalogue();
    static const std::vector<std::string> methods{"open",      "inspect",      "run",   "analysis",
                                                  "catalogue", "distribution", "export"};
    if (std::find(methods.begin(), methods.end(), method) == methods.end())
        throw Error(ErrorKind::BadConfig, "unknown request '" + method + "'." + didYouMean(method, methods))
            .withRemedy("Window and engine are of different versions.");
    const Request request = read(params);
    if (method == "open" || method == "inspect") return inspect(request, outlet);
    if (method == "run") return run(request, params.value("goal", "all"), outlet);
    if (method == "distribution") return distribution(request, params.value("op", ""), outlet);
    if (method == "analysis")
        return analysis(request, params.value("id", ""), params.value("params", json::object()), outlet);
    return exportFile(request, params, outlet);
}

json Engine::inspect(const Request &request, const Outlet &outlet)
{
    RunOptions options = request.options(m_cache.get());
    options.configs = true;
    return inspectModel(request.recipe, options, outlet.job);
}

json Engine::run(const Request &request, const std::string &goal, const Outlet &outlet)
{
    Request wanted = request;
    if (goal != "all") wanted.recipe.exports.clear();
    if (goal == "calibrate") wanted.recipe.analyses.clear();
    RunOptions options = wanted.options(m_cache.get());
    options.section = outlet.section;
    auto kept = std::make_unique<Kept>();
    kept->hash = request.modelHash();
    kept->base = request.base;
    kept->result = runRecipe(wanted.recipe, options, outlet.job);
    m_kept = std::move(kept);
    return {{"report", m_kept->result.report}, {"recipe", api::toJson(m_kept->result.recipe)}};
}

const Engine::Kept &Engine::quantized(const Request &request, const Outlet &outlet)
{
    if (!m_kept || m_kept->hash != request.modelHash()) {
        Outlet silent = outlet;
        silent.section = nullptr;
        Request plain = request;
        plain.recipe.evaluation.samples = 1; // the error of the outputs is not asked for
        run(plain, "calibrate", silent);
        m_kept->hash = request.modelHash();
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
        if (id == "statistics" || id == "variables") options.samples = std::min(options.samples, distributionBatches);
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
        json answer = analysis(request, "statistics", {{"operations", {op}}}, outlet);
        for (json &row : answer["statistics"])
            if (row["op"] == op) out["rows"].push_back(std::move(row));
    }
    json answer = analysis(request, "parameters", json::object(), outlet);
    for (json &row : answer["parameters"])
        if (row["op"] == op) out["parameters"].push_back(std::move(row));
    return out;
}

json Engine::exportFile(const Request &request, const json &params, const Outlet &outlet)
{
    const Kept &kept = quantized(request, outlet);
    const std::string format = params.value("format", ""), path = params.value("path", "");
    outlet.job.checkpoint(0.9, "export " + format);
    const json complete =
        api::completeParams(Registry<ExporterEntry>::instance().at(format, "export format").info.params,
                            params.value("params", json::object()), "export '" + format + "'");
    json problems = json::array(), files = json::array();
    const ExportResult result =
        exportModel(format, kept.result.model, std::filesystem::path(kept.base / path).lexically_normal(), complete,
                    [&](const api::Problem &problem) { problems.push_back(api::toJson(problem)); });
    for (const std::filesystem::path &file : result.files)
        files.push_back({{"path", file.string()}, {"bytes", std::filesystem::file_size(file)}});
    return {{"format", format}, {"files", files}, {"notes", result.notes}, {"problems", problems}};
}

} // namespace ql
