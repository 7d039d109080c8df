#pragma once

#include "core/observer/observer.h"

namespace ql {

/// Implements per-channel observation with one whole-tensor observer per channel. make: creates such an observer.
/// @throws what make throws
std::unique_ptr<Observer>
makePerChannel(const TensorQuantConfig &config,
               const std::function<std::unique_ptr<Observer>(const TensorQuantConfig &)> &make);

} // namespace ql
