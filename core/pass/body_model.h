#pragma once

#include "core/pass/pass.h"

#include <string>
#include <vector>

namespace ql {

/// A body of an If, Loop or Scan as a network of its own: captured parameters have their values, other captured tensors
/// are inputs.
struct BodyModel
{
    QuantModel model;
    BodyRequest request;
    std::vector<VarId> formal; ///< the inputs that the body has itself
};

/// The body that attribute name of operation id of outer has. path: of outer, if that is a body itself. origin: of what
/// the network decides about it.
BodyModel bodyModel(const QuantModel &outer, const BodyPath &path, OpId id, const std::string &name,
                    const Origin &origin);

/// Quantizes the body by context.quantizeBody, and makes it part of outer's plan if it rounds anything.
/// @returns how many slots it rounds
int quantizeBodyModel(QuantModel &outer, OpId id, const std::string &name, BodyModel body, const PassContext &context);

std::string quantizeBodiesPassId();
/// The pass that takes its place if overrides fix all scales.
std::string fixedBodiesPassId();

/// Operations with bodies for which the network rounds a captured tensor.
std::vector<OpId> quantizedWithBodies(const QuantModel &model);

} // namespace ql
