#pragma once

#include "core/api/params.h"
#include "core/api/recipe.h"
#include "core/base/job.h"
#include "core/exec/executor.h"
#include "core/io/dataset.h"
#include "core/platform/definition.h"
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

/// One link of the chain of stages: what it is, the hash of everything it depends on, whether it came from the cache.
struct StageRecord
{
    std::string id;
    std::string key;
    bool cached = false;
    double seconds = 0;
};

/// A run between its stages.
struct RunState
{
    api::Recipe recipe; ///< complete
    RunOptions options;
    const PlatformDefinition *platform = nullptr;
    QuantModel model;
    nlohmann::json modelFacts; ///< the report's "model"
    /// Of the graph outputs when --input-shape or the model fixes every shape; the graph keeps what the model declares.
    std::map<VarId, TensorType> outputTypes;
    bool computes = true;         ///< false: only looked at, which needs no device
    bool hasOtherData = false;    ///< that it is run on, beside calibration and evaluation: types may stay unknown
    bool tracesOpenBatch = false; ///< shapes of a model that leaves the batch open are wanted without data
    std::shared_ptr<Dataset> calibration, evaluation;
    std::uint64_t inputsNumber = 0;      ///< PreparedInputs::number; 0: not kept
    std::unique_lock<std::mutex> caches; ///< of options.recent; not held while another run uses them
    std::vector<StageRecord> stages;
    /// Of what files and definitions hold that results depend on, whatever their names are; set with the first configs.
    std::string inputsKey;
    nlohmann::json passes = nlohmann::json::array(); ///< the report's "passes"
    std::vector<api::Problem> problems;
    std::vector<std::pair<api::Rule, api::Problem>> ineffective; ///< overrides of the recipe

    std::function<void(api::Problem)> reporter();
    /// Key of the stage that follows the last one with this id and these inputs.
    std::string nextKey(const std::string &id, const std::string &inputs) const;
    /// Appends the record of a stage. inputs: what its result depends on besides the stages before.
    void record(const std::string &id, const std::string &inputs, double seconds);
    /// Times work, appends the record.
    void stage(const std::string &id, const std::string &inputs, const std::function<void()> &work);
    ExecOptions exec() const;
    std::string where() const; ///< device and threads, which the last bits of results depend on
    /// What results in memory belong to: the kept inputs and where programs run. Empty: nothing may be taken over.
    std::string cacheKey() const;
    std::filesystem::path resolve(const std::string &path) const;
};

/// Problems as the cache keeps them. @throws nlohmann::json::exception for an entry that is no list of problems
nlohmann::json toJson(const std::vector<api::Problem> &problems);
std::vector<api::Problem> problemsFromJson(const nlohmann::json &list);

/// A run before its first stage. computes: it needs the recipe's device.
/// @throws Error (BadConfig) as completeRecipe, and for a device that is not there.
RunState startRun(const api::Recipe &recipe, const RunOptions &options, bool computes = true);
/// Import and formatting: fills model.graph and modelFacts. The data, if any, is opened in between, because shapes that
/// the file leaves open come from it.
void importStages(RunState &state, const JobContext &job, bool withData);
/// Dispatch with the manual table: fills model.dispatch.
void dispatchStage(RunState &state);
/// Float passes, types of all tensors, first configs with overrides.
void configureStages(RunState &state, const JobContext &job);
/// The scales that the recipe fixes, as calibration will leave them: for an inspection, which goes no further.
/// @throws Error (BadConfig) as applyScaleOverrides()
void fixKnownScales(RunState &state);
/// Every quantization pass, from the longest prefix that the cache knows.
void quantizeStages(RunState &state, const JobContext &job);
/// Tells which operations of the quantized model run on the CPU although the recipe names another device.
void reportHostOperations(RunState &state, const JobContext &job);

} // namespace ql
