#pragma once

#include "core/analysis/analyser.h"

namespace ql {

/// Reports the nulls of rows (of the report's section): one problem for errors of zero, whose SQNR is infinite, and one
/// for errors that are undefined.
void reportNulls(const AnalysisContext &context, const nlohmann::json &rows, const std::string &section);

/// Reports where NaN and infinite values of the quantized model begin that the float32 model does not have, such as
/// behind a Log whose input was rounded to zero. batch: one in which they were seen; it is run once more.
void reportOrigin(const AnalysisContext &context, std::size_t batch);

} // namespace ql
