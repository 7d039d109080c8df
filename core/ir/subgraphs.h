#pragma once

#include "core/ir/graph.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ql {

/// Bodies of If, Loop and Scan read tensors of the graph around them. The importer makes these reads visible: each such
/// tensor is an input of the operation, appended behind its formal inputs, so that edits of the outer graph keep it
/// alive and follow renames. This attribute (strings) holds, in the same order, the names under which the bodies know
/// them: in a body a captured tensor is a variable without producer and value that is not among inputs(). A body need
/// not know all of them (the branches of If share one list), and a body inside a body captures from its own outer
/// graph.
inline constexpr std::string_view capturesAttribute = "quantloupe.captures";

/// Names of the captured tensors; entry k is what input number formalInputCount(op) + k is called in the bodies.
std::vector<std::string> captureNames(const Operation &op);
/// Number of inputs that the operator's specification knows.
std::size_t formalInputCount(const Operation &op);
/// The bodies of op, in order of attribute names. Empty for almost every operation.
std::vector<std::shared_ptr<const Graph>> bodies(const Operation &op);

/// Applies edit to every body of every operation, innermost first, then to graph itself. A body is copied before it is
/// edited, and replaced only when edit changed it.
/// @returns the sum of what edit returned
int editAllGraphs(Graph &graph, const std::function<int(Graph &)> &edit);

} // namespace ql
