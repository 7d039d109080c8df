#pragma once

#include "core/exec/prefix.h"
#include "core/pass/observation.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ql {

/// What the last calibration of a process saw, for the next one: an edit of one operation leaves what was observed
/// before it as it is. Used by one run at a time.
struct CalibrationMemory
{
    std::string key; ///< of the graph, the data and where programs run
    QuantPlan plan;  ///< as calibration found it
    KeptCuts kept;
    std::map<Slot, std::shared_ptr<const Observation>> observations; ///< by the slot that was looked at
};

} // namespace ql
