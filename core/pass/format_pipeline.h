#pragma once

#include <string>
#include <vector>

namespace ql {

/// Ids of the formatting passes that every imported model goes through, in order. After them: no Constant, every
/// parameter is read by one slot, biases are in their operations, no BatchNormalization where it could be expressed
/// otherwise, and Slice, Clip, Pad and Resize have their operands as inputs. Outputs keep names, order and values.
std::vector<std::string> defaultFormatPipeline();

} // namespace ql
