#pragma once

#include "core/exec/prefix.h"
#include "core/pass/observation.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ql {

/// An observation, and the config that it was made for.
struct KeptObservation
{
    TensorQuantConfig config;
    std::shared_ptr<const Observation> observation;
};

/// The observations of a process's last calibrations, for the next one: an edit of one operation leaves everything
/// observed upstream of it unchanged, and another observer changes no tensor. Used by one run at a time.
struct CalibrationCache
{
    /// Observations of a tensor that are kept, the latest ones.
    static constexpr std::size_t mostOfTensor = 8;
    /// A tensor, and whether its producer quantizes it.
    using Key = std::pair<VarId, bool>;

    std::string key; ///< of the graph, the data and the device of programs
    QuantPlan plan;  ///< as calibration found it
    KeptCuts kept;
    std::map<Key, std::vector<KeptObservation>> observations;
};

} // namespace ql
