#pragma once

#include "core/analysis/analyser.h"
#include "core/api/report.h"

#include <string>
#include <vector>

namespace ql {

/// Reports the measures of rows (of the report's section) that are unset: one problem for operations whose error is
/// zero (infinite SQNR), and one for errors that are undefined. If nothing is quantized, zero errors are not reported.
/// hasOrigin: reportOrigin() found why errors are undefined.
void reportUnset(const AnalysisContext &context, const std::vector<api::ErrorRow> &rows, const std::string &section,
                 bool hasOrigin = false);

/// Reports where NaN and infinite values of the quantized model start that the float32 model does not have, such as
/// after a Log whose input was rounded to zero. batch: one in which they occurred; it is run once more.
/// @returns whether there are such values.
bool reportOrigin(const AnalysisContext &context, std::size_t batch);

} // namespace ql
