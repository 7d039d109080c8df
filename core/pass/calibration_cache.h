#pragma once

#include "core/exec/prefix.h"
#include "core/pass/observation.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ql {

/// The observations of a process's last calibration, for the next one: an edit of one operation leaves everything
/// observed upstream of it unchanged. Used by one run at a time.
struct CalibrationCache
{
    std::string key; ///< of the graph, the data and the device of programs
    QuantPlan plan;  ///< as calibration found it
    KeptCuts kept;
    std::map<Slot, std::shared_ptr<const Observation>> observations; ///< by the observed slot
};

} // namespace ql
