#pragma once

#include "core/verify/local.h"

#include <optional>

namespace ql {

/// Whether the runtime adds pairs of 8-bit products in 16 bits, which saturates (PairSaturation): computed so, the
/// simulator gives the values of the runtime.
std::optional<api::FirstDivergence> saturatingSums(const LocalContext &context, std::size_t index);

} // namespace ql
