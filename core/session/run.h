#pragma once

#include "core/api/params.h"
#include "core/api/recipe.h"
#include "core/api/requests.h"
#include "core/base/job.h"
#include "core/exec/executor.h"
#include "core/quant/quant_plan.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace ql {

class RecentInputs;
class StageCache;

/// Inputs of a run besides the recipe.
struct RunOptions
{
    std::filesystem::path base = "."; ///< folder that relative paths of the recipe start from
    std::string recipeFile;           ///< source of the recipe, for messages; empty: none
    StageCache *cache = nullptr;      ///< nullptr: everything is computed
    RecentInputs *recent = nullptr;   ///< nullptr: model and data are read again
    std::size_t memory = 0;           ///< bytes for cached activations, see AnalysisContext; does not affect results
    bool distributions = false;       ///< also measure the tensors of the worst operations, for the HTML report
    bool configs = false;             ///< inspectModel: with the first config of every slot, before calibration
    /// Receives parts of the report as soon as they are available, on the run's thread: graph, configs, passes, then
    /// the results of each analysis.
    std::function<void(const api::RunPart &part)> section;
    /// Called with the model before the first float pass (empty id) and after each float and quantization pass,
    /// computed or recalled; key: of everything the model depends on.
    std::function<void(const std::string &id, const std::string &key, const QuantModel &model)> passDone;
    /// Receives the quantized model and the complete recipe before any analysis.
    std::function<void(const QuantModel &model, const api::Recipe &recipe)> quantized;
};

struct RunResult
{
    QuantModel model;   ///< the quantized model
    api::Recipe recipe; ///< as run: passes and parameters complete, hash of the model filled in
    api::Report report;
    /// Statistics of the worst operations, if requested.
    std::optional<std::vector<api::DistributionRow>> distributions;
};

/// The recipe with the platform's dispatcher and passes filled in and all parameters.
/// @throws Error (BadConfig) for unknown platforms, passes, analyses, exporters or parameters.
api::Recipe completeRecipe(api::Recipe recipe);

/// Import, format, dispatch, float passes, configuration, quantization passes, overrides, analyses, exports. The same
/// recipe, model and data give the same report except for times, with or without cache.
/// @throws Error, Cancelled; finished exports stay, nothing is half-written.
RunResult runRecipe(const api::Recipe &recipe, const RunOptions &options, const JobContext &job);

/// The model as seen by the dispatcher, without data: graph, shapes, parameters, dispatch with reasons, unsupported
/// operations. Never throws for those: they are listed.
api::Inspection inspectModel(const api::Recipe &recipe, const RunOptions &options, const JobContext &job);

/// The effect of each enabled float and quantization pass of the recipe, in execution order.
/// @throws as runRecipe
std::vector<api::PassHistoryRow> passHistory(const api::Recipe &recipe, const RunOptions &options,
                                             const JobContext &job);

/// Forward passes over data: an array per requested tensor, samples along the leading axis. A tensor whose axis 0 has
/// an entry per sample of a batch is concatenated along it; any other gets a leading axis.
struct InferRequest
{
    std::filesystem::path input; ///< data path as for calibration
    std::string preprocess;
    std::vector<std::string> tensors;                 ///< names; empty: the graph outputs
    bool fp32 = true;                                 ///< false: quantize by the recipe first
    std::function<void(const api::Problem &)> report; ///< problems found on the way; may be empty
};
std::vector<std::pair<std::string, at::Tensor>> infer(const api::Recipe &recipe, const InferRequest &request,
                                                      const RunOptions &options, const JobContext &job);

} // namespace ql
