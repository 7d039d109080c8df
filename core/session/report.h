#pragma once

#include "core/api/run_report.h"
#include "core/session/prepare.h"

#include <vector>

namespace ql {

/// The report of a finished run.
api::Report makeReport(const RunState &state, api::Measures measures, std::vector<api::ExportRow> exports,
                       double seconds);
/// The inspection of an imported and dispatched model.
api::Inspection makeInspection(const RunState &state);
/// A row for each slot that has a config, in execution order.
std::vector<api::ConfigRow> configRows(const QuantModel &model);
/// The same for a window, a fifth of the size.
api::ShortConfigs shortConfigRows(const QuantModel &model);

} // namespace ql
