#pragma once

#include "core/api/recipe.h"
#include "core/base/job.h"
#include "core/ir/subgraphs.h"
#include "core/quant/quant_plan.h"
#include "core/session/prepare.h"

#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace ql {

/// What a rule changes in the configs of slots.
using SlotSettings = std::map<Slot, api::RuleSet>;

/// The slots of each tensor that has a config and may be rounded.
std::map<VarId, std::vector<Slot>> slotsOfTensors(const QuantModel &model);

/// One rule for each tensor of which all these slots have equal settings, otherwise one per slot that has some.
std::vector<api::Rule> rulesOf(const Graph &graph, const std::map<VarId, std::vector<Slot>> &slots,
                               const SlotSettings &settings);
/// One rule per slot: in a body, because tensors of other graphs have the same names. names: of the body
std::vector<api::Rule> rulesOfBody(const Graph &body, const OperationNames &names, const SlotSettings &settings);

/// The settings in the model's graph (empty path) and in bodies of If, Loop and Scan.
using ModelSettings = std::map<BodyPath, SlotSettings>;

/// What a file says about a graph: the recipe's dispatch rules and the settings.
struct FileSettings
{
    std::vector<api::Rule> dispatch;
    ModelSettings settings;
};

/// fixed is a recipe for a file that this program wrote. If isSame accepts the model that the platform's passes
/// quantize with the scales of the file, the result is a recipe with these passes, otherwise nothing. settingsFor: of
/// the graph after the platform's float passes, which may change operations. imported: as below
/// @throws Error as the stages of a run up to quantization, Cancelled
std::optional<api::Recipe> asPlatformWrites(const api::Recipe &fixed, const RunState &imported,
                                            const std::function<FileSettings(const Graph &)> &settingsFor,
                                            const std::function<bool(const QuantModel &)> &isSame,
                                            const JobContext &job);

/// fixed is a recipe with a rule for every slot, without passes that join slots. If the platform's passes round each
/// tensor in the same way once the scales of settings are fixed, the result is a recipe with these passes, whose plan
/// has the platform's states; otherwise nothing. imported: after importStages() of a recipe with the same model
/// @throws Error as the stages of a run up to quantization, Cancelled
std::optional<api::Recipe> asPlatformRounds(const api::Recipe &fixed, const ModelSettings &settings,
                                            const RunState &imported, const JobContext &job);

} // namespace ql
