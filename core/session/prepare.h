#pragma once

#include "core/api/params.h"
#include "core/api/recipe.h"
#include "core/api/run_report.h"
#include "core/base/job.h"
#include "core/exec/executor.h"
#include "core/io/dataset.h"
#include "core/platform/recipe_platforms.h"
#include "core/quant/quant_plan.h"
#include "core/session/run.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace ql {

struct MetricSource;

/// The state of a run between its stages.
struct RunState
{
    api::Recipe recipe; ///< complete
    RunOptions options;
    std::shared_ptr<const RecipePlatforms> platforms;
    QuantModel model;
    api::ModelFacts modelFacts;
    /// Of the graph outputs if --input-shape or the model fixes every shape; the graph keeps the declared ones.
    std::map<VarId, TensorType> outputTypes;
    bool computes = true;         ///< false: only inspected, which needs no device
    bool hasOtherData = false;    ///< the data of a run, besides calibration and evaluation: types may remain unknown
    bool tracesOpenBatch = false; ///< shapes of a model with an open batch are needed without data
    std::shared_ptr<Dataset> calibration, evaluation;
    std::shared_ptr<const MetricSource> metric; ///< of the evaluation data; nullptr: top-1, if it has classes
    std::uint64_t inputsNumber = 0;             ///< PreparedInputs::number; 0: not kept
    std::unique_lock<std::mutex> caches;        ///< of options.recent; not held while another run uses them
    std::vector<api::StageRow> stages;
    /// Of the content of files and definitions that results depend on, regardless of their names; set with the first
    /// configs.
    std::string inputsKey;
    std::vector<api::PassRow> passes;
    std::vector<api::Problem> problems;
    std::vector<std::pair<api::Rule, api::Problem>> ineffective; ///< overrides of the recipe

    const PlatformDefinition &platform() const { return platforms->main(); }
    PlatformLookup findPlatform() const;
    std::function<void(api::Problem)> reporter();
    /// Key of the stage that follows the last one with this id and these inputs.
    std::string nextKey(const std::string &id, const std::string &inputs) const;
    /// Appends the record of a stage. inputs: everything its result depends on besides earlier stages.
    void record(const std::string &id, const std::string &inputs, double seconds);
    /// Times work, appends the record.
    void stage(const std::string &id, const std::string &inputs, const std::function<void()> &work);
    ExecOptions exec() const;
    std::string where() const; ///< device and threads, which affect the last bits of results
    /// The key of results in memory: the prepared inputs and the device. Empty: nothing may be reused.
    std::string cacheKey() const;
    std::filesystem::path resolve(const std::string &path) const;
};

/// A run before its first stage. computes: it needs the recipe's device.
/// @throws Error (BadConfig) as completeRecipe, and for a device that does not exist.
RunState startRun(const api::Recipe &recipe, const RunOptions &options, bool computes = true);
/// The element type in words: "float32", "string", "unknown".
std::string elementTypeName(const Variable &variable, const TensorType &type);
/// The recipe's passes of a kind, without those that are off.
std::vector<const api::StepRequest *> enabledPasses(const api::Recipe &recipe, api::PassKind kind);
/// Import and formatting: fills model.graph and modelFacts. The data, if any, is opened in between, because it
/// determines open shapes.
void importStages(RunState &state, const JobContext &job, bool withData);
/// Dispatch with the manual table: fills model.dispatch.
void dispatchStage(RunState &state);
/// Float passes, types of all tensors, first configs with overrides.
void configureStages(RunState &state, const JobContext &job);
/// The scales that the recipe fixes, as they will be after calibration: for an inspection, which stops here.
/// @throws Error (BadConfig) as applyScaleOverrides()
void fixKnownScales(RunState &state);
/// Every quantization pass, starting after the longest cached prefix.
void quantizeStages(RunState &state, const JobContext &job);
/// Reports LSTM, GRU and RNN that the platform does not quantize.
void reportRecurrentOperations(RunState &state);
/// Reports which operations of the quantized model run on the CPU although the recipe names another device.
void reportHostOperations(RunState &state, const JobContext &job);

} // namespace ql
