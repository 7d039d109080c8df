#pragma once

#include "core/analysis/error_measure.h"
#include "core/quant/quant_plan.h"

#include <map>
#include <string>

namespace ql {

/// Results of a process's last layerwise analysis, for the next one: the error with only one operation quantized is the
/// same as long as that operation is quantized the same, regardless of others. Used by one run at a time.
struct LayerwiseCache
{
    std::string key; ///< of the graph, the data, the measured outputs and the device of programs; empty: no results
    QuantPlan plan;
    std::map<OpId, std::map<VarId, ErrorMeasure>> measures; ///< by operation and graph output
};

} // namespace ql
