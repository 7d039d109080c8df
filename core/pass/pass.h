#pragma once

#include "core/api/params.h"
#include "core/api/pass_traits.h"
#include "core/api/training.h"
#include "core/base/job.h"
#include "core/base/registry.h"
#include "core/exec/executor.h"
#include "core/quant/quant_plan.h"

#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ql {

using api::PassAspect;
using api::PassKind;

struct CalibrationCache;
struct RoundingCache;
struct TrainingState;
struct PlatformDefinition;

/// What the network around a body determines about it.
struct BodyRequest
{
    BodyPath path;
    std::string platform;      ///< of the operation with the body
    Origin origin;             ///< of what it decides
    std::vector<VarId> states; ///< results that the next iteration reads
    /// Captured tensors that the network rounds, with their scales.
    std::map<VarId, TensorQuantConfig> rounded;
    std::vector<VarId> unrounded; ///< captured weights that it leaves in float32
};

/// Data available to a pass besides the model.
struct PassContext
{
    JobContext job;
    BodyPath path;                            ///< of the body that the model is; empty: the network itself
    const BatchSource *calibration = nullptr; ///< nullptr if no data is attached
    std::size_t calibrationSteps = 32;        ///< number of batches; the source is repeated if it has fewer
    ExecOptions exec;
    CalibrationCache *cache = nullptr; ///< of earlier runs, core/pass/calibration_cache.h; nullptr: none
    RoundingCache *rounding = nullptr; ///< the same, core/pass/rounding_cache.h
    std::set<Slot> fixedScales;        ///< slots whose scale the recipe fixes: they are not observed
    std::string cacheKey;              ///< differs for another graph, data or device
    std::size_t memory = 0;            ///< bytes for collected activations; 0: the pass's choice
    /// For problems (a skipped fusion, a missing scale). Never null inside run().
    std::function<void(api::Problem)> report = [](api::Problem) {};
    /// Gives the model the plan that the quantizer will give it, for float passes that measure quantization errors.
    /// Never null inside run().
    std::function<void(QuantModel &)> configure = [](QuantModel &) {};
    /// Quantizes a body of an operation as the recipe does with a network, calibrated on the data of the given context.
    /// Never null inside run().
    std::function<void(QuantModel &body, const BodyRequest &, const PassContext &)> quantizeBody =
        [](QuantModel &, const BodyRequest &, const PassContext &) {};
    /// For the blocks of a training pass. Never null inside run().
    std::function<void(const api::TrainedBlock &)> trained = [](const api::TrainedBlock &) {};
    /// While such a pass runs, at most some 20 times a second besides the tests and ends of blocks. Never null inside
    /// run().
    std::function<void(const api::TrainingEvent &)> training = [](const api::TrainingEvent &) {};
    /// Where such a pass was when an earlier run of it was stopped; nullptr: it starts.
    const TrainingState *trainingStart = nullptr;
    /// After blocks of such a pass. Never null inside run().
    std::function<void(const TrainingState &)> keepTraining = [](const TrainingState &) {};
};

/// One step that edits a QuantModel. Stateless apart from its parameters; deterministic.
class Pass
{
public:
    virtual ~Pass() = default;
    virtual std::string_view id() const = 0; ///< file, class and id agree
    /// @returns how many slots or operations changed.
    virtual int run(QuantModel &model, const PassContext &context) const = 0;
};

/// A pass in the catalogue: its description, its declarations for the rest of the engine, and its factory.
struct PassEntry
{
    static constexpr const char *kindName = "pass";
    api::CatalogueItem info; ///< its parameters with default, range and meaning
    api::PassTraits traits = {};
    /// params are complete and checked against info.params.
    std::function<std::unique_ptr<Pass>(const nlohmann::json &params)> make = {};
    /// Defaults that a platform gives to parameters that follow it (ParamSpec::follows); those equal to the pass's own
    /// default are omitted.
    std::function<nlohmann::json(const PlatformDefinition &)> valuesFrom = {};
};

/// Registers a pass under info.id.
struct PassRegistrar
{
    PassRegistrar(PassEntry entry);
};

/// PassEntry::make for a class whose constructor takes its parameters, or nothing.
template <class Type>
std::unique_ptr<Pass> makePassOf(const nlohmann::json &params)
{
    if constexpr (std::is_constructible_v<Type, const nlohmann::json &>)
        return std::make_unique<Type>(params);
    else
        return std::make_unique<Type>();
}

/// The declarations of a pass. @throws Error (BadConfig) for an unknown id.
const api::PassTraits &passTraits(const std::string &id);
/// The declarations of all passes, by id.
api::PassCatalogue passCatalogue();
/// The pass that writes aspect, for remedies and messages; empty if there is none.
std::string passThatWrites(PassAspect aspect);

/// Creates a pass from {"id": ..., parameters}. @throws Error (BadConfig) for unknown ids or parameters.
std::unique_ptr<Pass> makePass(const std::string &id, const nlohmann::json &params);

struct PassReport
{
    std::string id;
    int changed = 0;
    double seconds = 0;
};
/// The title of a registered pass, for progress; otherwise its id.
Text passTitle(const std::string &id);
/// Runs one pass with the checks for every pass: cancellation, timing, verification of graph and plan; an exception
/// names the pass.
PassReport runPass(const Pass &pass, QuantModel &model, const PassContext &context);

} // namespace ql
