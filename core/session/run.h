#pragma once

#include "core/api/params.h"
#include "core/api/recipe.h"
#include "core/base/job.h"
#include "core/exec/executor.h"
#include "core/quant/quant_plan.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

namespace ql {

class RecentInputs;
class StageCache;

/// What a run needs besides the recipe.
struct RunOptions
{
    std::filesystem::path base = "."; ///< folder that relative paths of the recipe start from
    std::string recipeFile;           ///< where the recipe comes from, for messages; empty: from nowhere
    StageCache *cache = nullptr;      ///< nullptr: everything is computed
    RecentInputs *recent = nullptr;   ///< nullptr: model and data are read anew
    std::size_t memory = 0;     ///< bytes for activations that are kept, see AnalysisContext; no result depends on it
    bool distributions = false; ///< also measure the tensors of the worst operations, for the HTML report
    bool configs = false;       ///< inspectModel: with the first config of every slot, before calibration
    /// Told about parts of the report as soon as they are there, on the thread of the run: "graph" (an inspection of
    /// the graph that is quantized), "configs", "passes", then the members that each analysis gives.
    std::function<void(const std::string &name, const nlohmann::json &data)> section;
    /// Told of the model before the first float pass (empty id) and after each float and quantization pass, computed or
    /// recalled; key: of everything that the model depends on.
    std::function<void(const std::string &id, const std::string &key, const QuantModel &model)> passDone;
    /// Receives the quantized model and the complete recipe before anything is analysed.
    std::function<void(const QuantModel &model, const api::Recipe &recipe)> quantized;
};

struct RunResult
{
    QuantModel model;             ///< the quantized model
    api::Recipe recipe;           ///< as run: passes and parameters complete, hash of the model filled in
    nlohmann::json report;        ///< "quantloupe-report/1"
    nlohmann::json distributions; ///< statistics of the worst operations when asked for, else null
};

/// The recipe with the platform's dispatcher and passes filled in and every parameter spelled out.
/// @throws Error (BadConfig) for unknown platforms, passes, analyses, exporters or parameters.
api::Recipe completeRecipe(api::Recipe recipe);

/// Import, format, dispatch, float passes, configuration, quantization passes, overrides, analyses, exports. The same
/// recipe, model and data give the same report but for times, with or without cache.
/// @throws Error, Cancelled; what was exported before stays, nothing is half-written.
RunResult runRecipe(const api::Recipe &recipe, const RunOptions &options, const JobContext &job);

/// The model as the dispatcher sees it, without data: graph, shapes, parameters, dispatch with reasons, unsupported
/// operations. Never throws for those: they are listed.
nlohmann::json inspectModel(const api::Recipe &recipe, const RunOptions &options, const JobContext &job);

/// What each enabled float and quantization pass of the recipe did, in the order in which they ran: {"id", "changed",
/// "seconds", "operations": [{"op", "slots": [{"role", "index", "variable", "fields": [...]}]}], "outputs": the error
/// of the graph outputs with what is quantized so far, as in a report; null while nothing is}. The first entry, with an
/// empty id, is the configured model before any of them.
/// @throws as runRecipe
nlohmann::json passHistory(const api::Recipe &recipe, const RunOptions &options, const JobContext &job);

/// Forward passes over data: an array per wanted tensor, samples along the leading axis. A tensor whose axis 0 has an
/// entry for each sample of a batch is joined along it; any other gets a leading axis.
struct InferRequest
{
    std::filesystem::path input; ///< data path as for calibration
    std::string preprocess;
    std::vector<std::string> tensors;                 ///< names; empty: the graph outputs
    bool fp32 = true;                                 ///< false: quantize by the recipe first
    std::function<void(const api::Problem &)> report; ///< what was found on the way; may be empty
};
std::vector<std::pair<std::string, at::Tensor>> infer(const api::Recipe &recipe, const InferRequest &request,
                                                      const RunOptions &options, const JobContext &job);

} // namespace ql
