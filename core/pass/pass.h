#pragma once

#include "core/api/params.h"
#include "core/api/pass_traits.h"
#include "core/base/job.h"
#include "core/base/registry.h"
#include "core/exec/executor.h"
#include "core/quant/quant_plan.h"

#include <functional>
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

struct CalibrationMemory;
struct PlatformDefinition;

/// What a pass may use besides the model.
struct PassContext
{
    JobContext job;
    const BatchSource *calibration = nullptr; ///< nullptr while no data is attached
    std::size_t calibrationSteps = 32;        ///< batches to use; the source is repeated when it has fewer
    ExecOptions exec;
    CalibrationMemory *memory = nullptr; ///< of earlier runs, core/pass/calibration_memory.h; nullptr: none
    std::set<Slot> fixedScales;          ///< slots whose scale the recipe gives: nothing is observed for them
    std::string memoryKey;               ///< differs for another graph, data or device
    /// For things that deserve attention (a skipped fusion, a missing scale). Never null inside run().
    std::function<void(api::Problem)> report = [](api::Problem) {};
};

/// One step that edits a QuantModel. Stateless apart from its parameters; the same input gives the same output.
class Pass
{
public:
    virtual ~Pass() = default;
    virtual std::string_view id() const = 0; ///< file, class and id agree
    /// @returns how many slots or operations changed.
    virtual int run(QuantModel &model, const PassContext &context) const = 0;
};

/// A pass in the catalogue: what it is for people, what it declares to the rest of the engine, and how it is made.
struct PassEntry
{
    static constexpr const char *kindName = "pass";
    api::CatalogueItem info; ///< its parameters with default, range and meaning
    api::PassTraits traits = {};
    /// params are complete and checked against info.params.
    std::function<std::unique_ptr<Pass>(const nlohmann::json &params)> make = {};
    /// Defaults that a platform gives to the parameters that follow it (ParamSpec::follows); those that stay at the
    /// pass's own default are left out.
    std::function<nlohmann::json(const PlatformDefinition &)> valuesFrom = {};
};

/// Enters a pass in the registry under info.id.
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

/// What a pass declares. @throws Error (BadConfig) for an unknown id.
const api::PassTraits &passTraits(const std::string &id);
/// What all passes declare, by id.
api::PassCatalogue passCatalogue();
/// The pass that writes aspect, for remedies and messages; empty where no such pass is built in.
std::string passThatWrites(PassAspect aspect);

/// Makes a pass from {"id": ..., parameters}. @throws Error (BadConfig) for unknown ids or parameters.
std::unique_ptr<Pass> makePass(const std::string &id, const nlohmann::json &params);

struct PassReport
{
    std::string id;
    int changed = 0;
    double seconds = 0;
};
/// Runs one pass with the checks that every pass gets: cancel, timing, verify of graph and plan; an exception names the
/// pass.
PassReport runPass(const Pass &pass, QuantModel &model, const PassContext &context);

} // namespace ql
