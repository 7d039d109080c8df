#pragma once

#include "core/api/catalogue.h"

namespace ql {

/// The passes of a platform without the parameters that follow members of it (its lists of activations and passive
/// types), as declared in the catalogue: they follow other lists then.
std::vector<api::StepRequest> withoutFollowing(std::vector<api::StepRequest> passes,
                                               const std::vector<api::PassItem> &known);

/// The same platform, written as changes of another one ("extends", docs/platform-format.md). Members inherited so far
/// become its own, and those equal to the other's are omitted. Rules of the other one that it does not start with come
/// before its own.
/// @param before definition that it has extended so far, null for none @param base the other one, null for none
api::PlatformFile extending(api::PlatformFile file, const api::PlatformDefinition *before,
                            const api::PlatformDefinition *base, const std::vector<api::PassItem> &known);

} // namespace ql
