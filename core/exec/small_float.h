#pragma once

#include <ATen/core/Tensor.h>
#include <cstdint>

namespace ql {

/// Whether a number of TensorProto.DataType is one of the 8-bit floats (17 to 20), which are held as float32.
bool isSmallFloat(std::int64_t code);

/// float32 values rounded to an 8-bit float type: 17 E4M3FN, 18 E4M3FNUZ, 19 E5M2, 20 E5M2FNUZ. Half to even.
/// saturate: larger values and infinities become the largest value; otherwise NaN, or infinity for E5M2. Source: ONNX,
/// "Float stored in 8 bits".
at::Tensor roundedToSmallFloat(const at::Tensor &x, std::int64_t code, bool saturate);

} // namespace ql
