#pragma once

#include "core/exec/kernel.h"

namespace ql {

/// round(x) + zero, saturated at the limits of type (int32 holds uint16). x: codes before rounding, floating point;
/// zero may be undefined and broadcasts to x. @throws Error (UnsupportedOp) for a type without codes.
at::Tensor toCodes(const at::Tensor &x, const at::Tensor &zero, at::ScalarType type, const Operation &op);
/// (codes - zero) * scale in float32; scale and zero broadcast to codes, zero may be undefined.
at::Tensor realValues(const at::Tensor &codes, const at::Tensor &scale, const at::Tensor &zero);
/// uint8 codes of the range of x, extended to hold 0, as by DynamicQuantizeLinear. op: for errors. @returns codes,
/// scale, zero point
std::vector<at::Tensor> codesOfOwnRange(const at::Tensor &x, const Operation &op);
/// The result of DynamicQuantizeLinear followed by DequantizeLinear: x rounded to uint8 codes of the range of x. op:
/// for errors.
at::Tensor roundedToOwnRange(const at::Tensor &x, const Operation &op);

} // namespace ql
