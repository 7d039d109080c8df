#pragma once

#include "core/api/params.h"

#include <vector>

namespace ql {

/// Parameters of passes that work on blocks of operations (findBlocks()): "interested_layers" and "block_size".
std::vector<api::ParamSpec> blockParams();

} // namespace ql
