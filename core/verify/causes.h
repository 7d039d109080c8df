#pragma once

#include "core/verify/local.h"

namespace ql {

/// Why tensor number index of the context differs: the first hypothesis of the closed list that the values prove.
api::FirstDivergence causeOf(const LocalContext &context, std::size_t index, const api::LocalAgreement &local);
/// If the runtime rounds a float tensor as the simulator rounds it after operations that only move values (it moves
/// QuantizeLinear over them): no numbers change.
std::optional<api::FirstDivergence> movedRounding(const LocalContext &context, std::size_t index);
/// If the simulator's values of a float tensor agree with the runtime's, but lie on the other side of a border of two
/// codes where an operation rounds them.
std::optional<api::FirstDivergence> tieAtConsumer(const LocalContext &context, std::size_t index);

} // namespace ql
