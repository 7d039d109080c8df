#pragma once

#include "core/analysis/body_errors.h"
#include "core/analysis/error_measure.h"
#include "core/exec/prefix.h"

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ql {

/// Results of a process's last graphwise analysis, or analysis of outputs, for the next one: the errors upstream of an
/// edit stay, and the float and the quantized network start at a cut before it. Used by one run at a time.
struct GraphwiseCache
{
    std::string key; ///< of the graph, the data and the device of programs; empty: no results
    QuantPlan plan;
    KeptCuts floating, quantized; ///< the same cuts
    std::map<Slot, ErrorMeasure> measures;
    BodyMeasures bodies;
    std::vector<std::int64_t> samples; ///< of each batch
    /// The float network's outputs for each batch, if only these are measured and they are small: the float network
    /// need not run again.
    std::vector<std::vector<at::Tensor>> floatOutputs;
};

} // namespace ql
