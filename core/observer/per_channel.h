#pragma once

#include "core/observer/observer.h"

namespace ql {

/// Serves a config with one scale per channel by an observer of whole tensors for each of the channels.
/// make: what makes such an observer. @throws what make throws
std::unique_ptr<Observer>
makePerChannel(const TensorQuantConfig &config,
               const std::function<std::unique_ptr<Observer>(const TensorQuantConfig &)> &make);

} // namespace ql
