#pragma once

#include "core/observer/observer.h"

namespace ql {

/// solveRange for an observed range. @throws Error (Numeric) if nothing was observed (min > max) or the range is
/// infinite, saying which.
ScaleZero solveObserved(double min, double max, const TensorQuantConfig &config);

/// Parameters of several observers, for the catalogue; names are those of platform files and overrides.
api::ParamSpec minScaleParam();

/// Entry of the catalogue for Type(config); saves each file the factory.
template <class Type>
ObserverEntry observerEntry(std::string id, Text title, Text meaning, std::vector<api::ParamSpec> params)
{
    ObserverEntry entry;
    entry.info = {std::move(id), std::move(title), std::move(meaning), std::move(params)};
    entry.make = [](const TensorQuantConfig &config) { return std::make_unique<Type>(config); };
    return entry;
}

/// The same for a whole-tensor observer that also serves channels separately.
template <class Type>
ObserverEntry channelwiseEntry(std::string id, Text title, Text meaning, std::vector<api::ParamSpec> params)
{
    ObserverEntry entry = observerEntry<Type>(std::move(id), std::move(title), std::move(meaning), std::move(params));
    entry.perChannel = entry.channelByChannel = true;
    return entry;
}

} // namespace ql
