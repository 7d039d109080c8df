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

} // namespace ql
