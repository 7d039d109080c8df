#pragma once

#include "core/analysis/error_measure.h"
#include "core/quant/quant_plan.h"

#include <map>
#include <string>

namespace ql {

/// What the last layerwise analysis of a process measured, for the next one: the error of an operation quantized alone
/// is the same as long as it is quantized the same, whatever became of others. Used by one run at a time.
struct LayerwiseMemory
{
    std::string key; ///< of the graph, the data, what is measured and where programs run; empty: nothing is known
    QuantPlan plan;
    std::map<OpId, std::map<VarId, ErrorMeasure>> measures; ///< by operation and graph output
};

} // namespace ql
