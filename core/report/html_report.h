#pragma once

#include "core/api/run_report.h"
#include "core/base/language.h"

#include <string>

namespace ql {

/// One self-contained HTML file for a report ("quantloupe-report/1"): no network (a content security policy forbids
/// it), readable on a phone and on paper, light and dark, complete without JavaScript, which adds only search, sorting
/// and copying. Equal reports give equal bytes. Names in the report come from a model and are treated as hostile:
/// everything is escaped, control characters and direction overrides are made visible.
///
/// Measures that are unset show as "undefined", or as "exact" if noise_ratio is 0 (then the SQNR is infinite). Of
/// statistics, parameters and variables the worst by noise_ratio are drawn.
/// @param language of all texts, without names and words of the JSON such as states; nullptr: English
std::string htmlReport(const api::Report &report, const Language *language = nullptr);

} // namespace ql
