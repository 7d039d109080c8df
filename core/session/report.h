#pragma once

#include "core/api/report.h"
#include "core/session/prepare.h"

#include <nlohmann/json.hpp>
#include <vector>

namespace ql {

/// The report "quantloupe-report/1" of a finished run; measured contains graphwise, layerwise, outputs, exports ...
nlohmann::json makeReport(const RunState &state, const nlohmann::json &measured, double seconds);
/// The inspection of an imported and dispatched model ("quantloupe-inspection/1").
nlohmann::json makeInspection(const RunState &state);
/// The report's "configs": a row for each slot that has a config, in execution order.
std::vector<api::ConfigRow> configRows(const QuantModel &model);
/// The same for a window, a fifth of the size.
struct ShortConfigs
{
    std::vector<api::ShortConfigRow> rows;
    std::vector<api::QuantScheme> schemes; ///< the few distinct ones
};
ShortConfigs shortConfigRows(const QuantModel &model);

} // namespace ql
