#pragma once

#include <string>
#include <vector>

namespace ql {

/// Ids of the formatting passes for every imported model, in order. After them: no Constant, every parameter is read
/// by one slot, biases are part of their operations, no BatchNormalization that can be expressed otherwise, and Slice,
/// Clip, Pad and Resize have their operands as inputs. Outputs keep names, order and values.
std::vector<std::string> defaultFormatPipeline();

} // namespace ql
