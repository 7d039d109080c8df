#pragma once

#include "core/api/params.h"
#include "core/api/recipe.h"
#include "core/ir/graph.h"

#include <functional>
#include <string>

namespace ql {

/// Leaves only the operations between the tensors of cut: its inputs become graph inputs, its outputs the graph
/// outputs. Graph inputs that the outputs need besides them are kept. If it ends before unsupported operations, the
/// tensors that the removed operations would read become outputs, except for sizes computed from shapes. Types of new
/// inputs that the file does not declare are found by running the operations before them on zeros.
/// @param file for errors
/// @param report receives what was left out
/// @throws Error (BadConfig) for a tensor that does not exist, with the nearest names, is constant, or is not needed
/// for the outputs; (UnsupportedOp) if nothing is left before the first unsupported operation
void cutGraph(Graph &graph, const api::CutPoints &cut, const std::string &file,
              const std::function<void(api::Problem)> &report);

} // namespace ql
