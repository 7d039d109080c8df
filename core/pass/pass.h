#pragma once

#include "core/api/params.h"
#include "core/base/job.h"
#include "core/base/registry.h"
#include "core/exec/executor.h"
#include "core/quant/quant_plan.h"

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace ql {

/// When a pass runs. Format: right after import, on every model (graph only). Float: after dispatch, on the float graph
/// (equalization ...). Quant: after the Quantizer, on the plan; must not change the graph.
enum class PassKind { Format, Float, Quant };
const char *toString(PassKind kind);

struct CalibrationMemory;

/// What a pass may use besides the model.
struct PassContext
{
    JobContext job;
    const BatchSource *calibration = nullptr; ///< nullptr while no data is attached
    std::size_t calibrationSteps = 32;        ///< batches to use; the source is repeated when it has fewer
    ExecOptions exec;
    CalibrationMemory *memory = nullptr; ///< of earlier runs, core/pass/calibration_memory.h; nullptr: none
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

/// A pass in the catalogue. info.params describe its parameters with default, range and meaning.
struct PassEntry
{
    PassKind kind = PassKind::Quant;
    api::CatalogueItem info;
    /// params are complete and checked against info.params.
    std::function<std::unique_ptr<Pass>(const nlohmann::json &params)> make;
    bool needsData = false;
};
using PassRegistrar = Registrar<PassEntry>;

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
