#pragma once

#include "core/analysis/error_measure.h"
#include "core/exec/prefix.h"

#include <map>
#include <string>
#include <vector>

namespace ql {

/// What the last graphwise analysis of a process measured, for the next one: the errors ahead of an edit stay, and the
/// float and the quantized network start at a cut before it. Used by one run at a time.
struct GraphwiseMemory
{
    std::string key; ///< of the graph, the data and where programs run; empty: nothing is known
    QuantPlan plan;
    KeptCuts floating, quantized; ///< the same cuts
    std::map<Slot, ErrorMeasure> measures;
    std::vector<std::int64_t> samples; ///< of each batch
};

} // namespace ql
