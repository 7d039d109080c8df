#pragma once

#include "core/ir/body_names.h"
#include "core/pass/pass.h"
#include "core/session/prepare.h"

namespace ql {

/// Its first step: which operations of a body are quantized, by the recipe's dispatcher. definition: of
/// request.platform; names: of the body
void dispatchBody(const RunState &state, const PlatformDefinition &definition, QuantModel &body,
                  const BodyRequest &request, const OperationNames &names);
/// Of the operation with the body.
const PlatformDefinition &platformOfBody(const RunState &state, const BodyRequest &request);

/// PassContext::quantizeBody: dispatches, configures and quantizes a body by the recipe's dispatcher, overrides and
/// passes, except those that round or train weights, which belong to the network. Every operation with weights is
/// quantized, because the edges of a body are not those of the network. States of a loop stay in float32: they are
/// accumulated from one iteration to the next.
void quantizeBody(const RunState &state, QuantModel &body, const BodyRequest &request, const PassContext &context);

} // namespace ql
