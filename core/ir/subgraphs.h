#pragma once

#include "core/ir/graph.h"

#include <compare>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ql {

/// Bodies of If, Loop and Scan read tensors of the outer graph. The importer makes these reads visible: each such
/// tensor is an input of the operation, appended after its formal inputs, so that edits of the outer graph keep it
/// alive and follow renames. This attribute (strings) lists, in the same order, their names in the bodies: in a body a
/// captured tensor is a variable without producer and value that is not among inputs(). A body need not use all of
/// them (the branches of If share one list), and a nested body captures from its own outer graph.
inline constexpr std::string_view capturesAttribute = "quantloupe.captures";

/// Names of the captured tensors; entry k is the name of input number formalInputCount(op) + k in the bodies.
std::vector<std::string> captureNames(const Operation &op);
/// The tensor of a body that stands for the captured tensor of this name; noVar: another body of the operation reads
/// it.
VarId capturedTensor(const Graph &body, const std::string &name);
/// Number of inputs in the operator's specification.
std::size_t formalInputCount(const Operation &op);
/// The bodies of op, in order of attribute names. Empty for almost every operation.
std::vector<std::shared_ptr<const Graph>> bodies(const Operation &op);

/// An operation in a body, nested ones included, that reads a captured tensor.
struct BodyReader
{
    std::shared_ptr<const Graph> body;
    Slot slot;
};
/// The operations in bodies of op that read its captured input number index, first to last. Operations with bodies of
/// their own are not among them, but their readers are.
std::vector<BodyReader> bodyReaders(const Operation &op, std::size_t index);

/// The captured inputs of op that are parameters of graph and that an operation in its bodies multiplies by.
std::vector<std::size_t> weightsOfBodies(const Graph &graph, const Operation &op);
/// Removes captured inputs of an operation that none of its bodies reads.
void dropUnusedCaptures(Graph &graph, OpId id);

/// Where a body is: the operations with bodies that contain it, each with its attribute, outermost first.
using BodyPath = std::vector<std::pair<OpId, std::string>>;
/// A slot of an operation in a body.
struct BodySlot
{
    BodyPath path;
    Slot slot;

    friend auto operator<=>(const BodySlot &, const BodySlot &) = default;
};
/// Names of the operations in bodies that are unique in the model: their own, or if others have it, with the names of
/// operation and attribute: 'loop/body/add'.
std::map<std::pair<BodyPath, OpId>, std::string> namesInBodies(const Graph &graph);

/// Applies edit to every body of every operation, innermost first, then to graph itself. A body is copied before it is
/// edited, and replaced only if edit changed it.
/// @returns the sum of the results of edit
int editAllGraphs(Graph &graph, const std::function<int(Graph &)> &edit);

} // namespace ql
