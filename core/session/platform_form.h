#pragma once

#include "core/api/recipe.h"
#include "core/base/job.h"
#include "core/ir/subgraphs.h"
#include "core/quant/quant_plan.h"
#include "core/session/prepare.h"

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

/// fixed is a recipe with a rule for every slot, without passes that join slots. If the platform's passes round each
/// tensor in the same way once the scales of settings are fixed, the result is a recipe with these passes, whose plan
/// has the platform's states; otherwise nothing. imported: after importStages() of a recipe with the same model
/// @throws Error as the stages of a run up to quantization, Cancelled
std::optional<api::Recipe> asPlatformRounds(const api::Recipe &fixed, const ModelSettings &settings,
                                            const RunState &imported, const JobContext &job);

} // namespace ql
