#pragma once

#include "core/analysis/analyser.h"
#include "core/analysis/only_operation.h"

#include <map>
#include <optional>
#include <vector>

namespace ql {

/// Estimated errors of operations, in relation to the worst output, as they are measured.
struct LayerwiseEstimates
{
    std::map<OpId, double> operations;
    std::map<BodyOperation, double> inBodies;

    bool empty() const { return operations.empty(); }
    /// inside: the operation in a body of op; unset: op itself. Nothing if nothing of it is rounded.
    std::optional<double> of(OpId op, const std::optional<BodyOperation> &inside) const;
};

/// The errors of operations by one backward pass for each of some samples; empty if an operation has no gradient. As
/// many as take about 3 % of the time of measuring. Those with most noise decide a mean over samples, so they rank
/// better than others (docs/tune.md).
LayerwiseEstimates estimatedErrors(const AnalysisContext &context, const std::vector<OpId> &operations);

/// A row of "layerwise" with the names of an operation and no numbers.
api::ErrorRow layerwiseRow(const Graph &graph, OpId id);
/// The row with an estimate. outputs: tensors of graph; the first one is named.
api::ErrorRow estimatedRow(api::ErrorRow row, const Graph &graph, const std::vector<VarId> &outputs, double noise);

/// Adds a row to "layerwise" for each operation that adds noise and was not measured, such as pooling: what "noise"
/// estimates for its tensors. Rows are in execution order, those in bodies last. Does nothing without
/// rows of both, or if layerwise measured at other tensors than the graph outputs. params: of layerwise.
void estimateUnmeasured(const QuantModel &model, const nlohmann::json &params, api::Measures &measures);

} // namespace ql
