#pragma once

#include "core/base/text.h"
#include "core/report/report_format.h"

#include <cstddef>
#include <string>
#include <vector>

namespace ql {

/// A section of a report as a table for a terminal, worst first:
///
///     Layerwise error |0.001 %   0.1 %    10 %  |
///     conv2  Conv     |███████████▍             | 0.191 %  27.2 dB
///
/// The bars are on the same logarithmic scale of noise from 0.001 % to 100 % as in the HTML report, so that tables can
/// be compared; undefined errors come first with a bar of question marks, exact ones have none, estimates have a "~".
/// @param most maximum number of rows, 0 for all; a last line shows how many were omitted. Empty without rows.
/// @param language nullptr: English
std::string errorTable(const Text &title, const std::vector<report::ErrorRow> &section, std::size_t most = 20,
                       const Language *language = nullptr);

} // namespace ql
