#pragma once

#include "core/verify/local.h"

namespace ql {

/// Why tensor number index of the context differs: the first hypothesis of the closed list that the values prove.
api::FirstDivergence causeOf(const LocalContext &context, std::size_t index, const api::LocalAgreement &local);

} // namespace ql
