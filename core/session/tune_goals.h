#pragma once

#include "core/quant/quant_plan.h"
#include "core/report/fail_if.h"

#include <string>
#include <vector>

namespace ql {

/// The inner tensors of graph that goals are about: those that name no output. hasTimes: as in FailIf::refuseMissing().
/// @throws Error (BadConfig) for a goal that nothing can be measured for
std::vector<std::string> goalTensors(const std::vector<FailIf> &goals, const Graph &graph, bool hasTimes);
/// The model with these tensors as further outputs; its plan does not change. @throws Error (BadConfig) for one that
/// the model does not have
QuantModel withTensors(QuantModel model, const std::vector<std::string> &tensors);

} // namespace ql
