#pragma once

#include "core/api/params.h"
#include "core/ir/graph.h"

#include <functional>
#include <string>
#include <vector>

namespace ql {

/// Parameters of passes that work on blocks of operations (findBlocks()): "interested_layers" and "block_size".
std::vector<api::ParamSpec> blockParams();

/// @throws Error (BadConfig) for a pattern of "interested_layers" that is the name of no operation, or of none that
/// `counts`: a misspelled name must not look like a layer that needed no change
void requireLayers(const Graph &graph, const std::vector<std::string> &patterns,
                   const std::function<bool(const Operation &)> &counts = {});

} // namespace ql
