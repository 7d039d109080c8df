#pragma once

#include "core/session/prepare.h"

#include <nlohmann/json.hpp>

namespace ql {

/// The report "quantloupe-report/1" of a finished run; measured holds graphwise, layerwise, outputs, exports ...
nlohmann::json makeReport(const RunState &state, const nlohmann::json &measured, double seconds);
/// The inspection of a model that was imported and dispatched ("quantloupe-inspection/1").
nlohmann::json makeInspection(const RunState &state);
/// The report's "configs": a row for each slot that has a config.
nlohmann::json configRows(const QuantModel &model);
/// The same for a window, a third of the size: members that are null are left out, and "set_by" is a place in origins,
/// which takes each of the few that differ once.
nlohmann::json shortConfigRows(const QuantModel &model, nlohmann::json &origins);

} // namespace ql
