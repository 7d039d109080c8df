#pragma once

#include "core/quant/quant_plan.h"

#include <vector>

namespace ql {

/// Layers with a float bias that ONNX Runtime's optimizer rounds to int32 codes, in steps of input scale x weight
/// scale, because input and weight are quantized and only Relu or Clip are before the next QuantizeLinear, although
/// the simulation does not: without the pass round_biases, the bias is not on that grid.
std::vector<OpId> layersWithRoundedBias(const QuantModel &model);

} // namespace ql
