#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace ql {

/// One self-contained HTML file for a report ("quantloupe-report/1"): no network (a content security policy forbids
/// it), readable on a phone and on paper, light and dark, complete without JavaScript, which adds only search, sorting
/// and copying. Equal reports give equal bytes. Names in the report come from a model and are treated as hostile:
/// everything is escaped, control characters and direction overrides are made visible.
///
/// Every section may be missing; fields of an unexpected type count as missing. Measures that are null show as
/// "undefined", or as "exact" if noise_ratio is 0 (then the SQNR is infinite).
///
/// statistics[], parameters[] and variables[] have entries of this shape; the worst by noise_ratio are plotted:
///
///     {"op": "conv1", "variable": "x", "role": "input"|"parameter"|"output", "index": 0, "noise_ratio": 0.01,
///      "float":     {"mean", "std", "skewness", "kurtosis", "min", "max", "histogram": {"min", "max", "counts":
///      [n...]}}, "quantized": {the same}, "noise": {the same, of quantized - float}}
///
/// with std unbiased, kurtosis in excess of the normal distribution's, and equal bins between the histogram's min and
/// max (at most some hundred bins: they are drawn one by one). An entry of a tensor that is not quantized has only
/// "float".
std::string htmlReport(const nlohmann::json &report);

} // namespace ql
