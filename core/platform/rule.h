#pragma once

#include "core/api/rule.h"
#include "core/ir/body_names.h"
#include "core/ir/graph.h"
#include "core/quant/quant_plan.h"

#include <optional>
#include <string>

namespace ql {

/// Whether an operation has the name and type of a match. names: of a body that graph is.
bool matchesOperation(const api::RuleMatch &match, const Operation &op, const OperationNames &names = {});
/// The same of an operation in any body of graph.
bool matchesInBodies(const api::RuleMatch &match, const Graph &graph);
/// @param config the slot's config so far (its state is tested). names: of a body that graph is.
bool matches(const api::RuleMatch &match, const Graph &graph, const Operation &op, Slot slot,
             const TensorQuantConfig &config, const OperationNames &names = {});
/// For hints: of operations as rules may call them, those in bodies included.
std::vector<std::string> knownNames(const Graph &graph);
/// Writes everything except scale, zero point and range into config and records origin for it.
/// @throws Error (BadConfig) naming op and tensor if the granularity has no meaning for the slot.
void applyScheme(const api::RuleSet &set, const Graph &graph, const Operation &op, Slot slot, QuantPlan &plan,
                 TensorQuantConfig &config, const Origin &origin);
/// As above but without a graph, to check a single rule: OutputChannel counts as axis 0.
void applyScheme(const api::RuleSet &set, TensorQuantConfig &config);

/// Whether the axis of output channels is defined for a slot's tensor.
bool hasOutputChannels(const Graph &graph, const Operation &op, Slot slot);
/// The axis of output channels: of a weight (Conv 0, ConvTranspose 1, Gemm 0 with transB and 1 without, MatMul the
/// last), of a bias (its last), of an output (1; the last for MatMul). Unset if it has none: a tensor of rank 0, or the
/// vector operand of a MatMul. @throws Error (BadConfig) for a slot whose axis is undefined.
std::optional<int> outputChannelAxis(const Graph &graph, const Operation &op, Slot slot);
/// The axis of the input channels of a constant weight, or of an activation that MatMul, Gemm, or Conv without groups
/// multiplies: the axis of the sum, along which it is divided into groups; nothing for a scalar.
/// @throws Error (BadConfig) for other slots.
std::optional<int> inputChannelAxis(const Graph &graph, const Operation &op, Slot slot);

} // namespace ql
