#pragma once

#include "core/verify/local.h"

#include <optional>

namespace ql {

/// Whether the runtime adds pairs of 8-bit products in 16 bits, which saturates: kernels for x86 without VNNI
/// instructions do (vpmaddubsw). Only for a Conv of one group, two-dimensional.
std::optional<api::FirstDivergence> saturatingSums(const LocalContext &context, std::size_t index);

} // namespace ql
