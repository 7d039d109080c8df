#pragma once

#include "core/api/run_report.h"

#include <iosfwd>

namespace ql::api {

/// The text of json(report), indented by 1, row by row: as JSON values, the rows of a large network take six times the
/// memory of the text.
void writeReport(std::ostream &out, const Report &report);

} // namespace ql::api
