#pragma once

#include "core/ir/subgraphs.h"

#include <map>
#include <string>
#include <vector>

namespace ql {

/// What recipes, locks and analyses may call an operation in a body, first the name in reports (namesInBodies), then
/// its path if that is another one: 'loop/body/add', the names of the operations and attributes that contain it,
/// outermost first.
using OperationNames = std::map<OpId, std::vector<std::string>>;

/// Of the operations in all bodies, those in bodies included.
std::map<BodyPath, OperationNames> namesOfBodies(const Graph &graph);
/// The body at a path; graph if that is empty.
const Graph &bodyAt(const Graph &graph, const BodyPath &path);
/// What reports call an operation: the first of its names, or its own name if it has none.
const std::string &shownName(const Graph &graph, OpId id, const OperationNames &names);
/// Whether a pattern matches what op is called: one of its names, or its own name if it has none. An empty pattern
/// matches all.
bool isCalled(const std::string &pattern, const Operation &op, const OperationNames &names);

} // namespace ql
