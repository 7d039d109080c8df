#pragma once

#include "core/ir/graph.h"

namespace ql {

/// Rewrites ai.onnx operations so that each means in opset target the same as in its own opset: attributes that became
/// inputs, defaults that changed, the matrix form of old Softmax, sizes of pools that are rounded up; in bodies of If,
/// Loop and Scan too. Sets op.opset and graph.opsets. Values do not change. target: 13 to 21. Operations newer than
/// target keep their version and raise the result's.
/// @returns the version of the resulting graph. @throws Error (UnsupportedOp) for a form that has no successor.
std::int64_t raiseOpset(Graph &graph, std::int64_t target);

} // namespace ql
