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
/// The same for a window, a fifth of the size: a row says which slot it is and whose scale it shares, and "scheme" is
/// the place of the rest in schemes, which takes each of the few that differ once.
nlohmann::json shortConfigRows(const QuantModel &model, nlohmann::json &schemes);

} // namespace ql
