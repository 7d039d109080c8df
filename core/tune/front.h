#pragma once

#include "core/api/tune.h"

#include <vector>

namespace ql {

/// The trials of which none is both cheaper (the time by the user's table, otherwise the mean bits of a multiplication)
/// and better (noise at the outputs), the cheapest first; of equal ones the earliest.
std::vector<std::int64_t> paretoFront(const std::vector<api::TuneTrial> &trials);

} // namespace ql
