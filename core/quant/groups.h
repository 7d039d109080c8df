#pragma once

#include "core/quant/tensor_quant_config.h"

#include <ATen/core/Tensor.h>

namespace ql {

// One scale per group: config.groupSize consecutive entries along config.channelAxis, separately for each entry of
// every other axis; the last group of an axis may be smaller. Scales are row-major in the shape of the tensor with that
// axis divided by the group size, rounded up: the scale of ONNX's QuantizeLinear-21 with block_size.

/// The shape of the scales of a tensor of this shape, and their number. @throws Error (BadConfig) if it has no such
/// axis.
std::vector<std::int64_t> groupShape(at::IntArrayRef sizes, const TensorQuantConfig &config);
std::size_t groupCount(at::IntArrayRef sizes, const TensorQuantConfig &config);
/// x as one contiguous row per group, in the order of the scales; a smaller group is filled with its last entry.
at::Tensor groupRows(const at::Tensor &x, const TensorQuantConfig &config);
/// The tensor of this shape whose groups are rows: the inverse of groupRows.
at::Tensor fromGroupRows(const at::Tensor &rows, at::IntArrayRef sizes, const TensorQuantConfig &config);
/// The config of rows: one scale per row.
TensorQuantConfig rowConfig(const TensorQuantConfig &config);
/// Scales of a config, one for each element of a tensor of this shape: broadcasts to it, also for per-tensor and
/// per-channel configs.
at::Tensor scaleOfElements(const at::Tensor &scale, at::IntArrayRef sizes, const TensorQuantConfig &config);

/// The values of a codebook, ascending. @pre codebook is not None
const std::vector<float> &codebookValues(Codebook codebook);
/// x with each value / scale replaced by the nearest of codebookValues, times scale; on ties the smaller value. NaN
/// stays. scale: broadcasts to x.
at::Tensor codebookQuant(const at::Tensor &x, const at::Tensor &scale, Codebook codebook);

/// The value of each code of a codebook, or of a float format of 8 bits or fewer, in scales. Codes of a float are sign,
/// exponent, mantissa, as in the OCP formats, but all of them are numbers, limited to the range of the config.
/// @pre config.isFloating()
std::vector<float> codeValues(const TensorQuantConfig &config);
/// Codes of 2, 4 or 8 bits that are packed into bytes, the lowest bits first: [..., bytes] -> [..., bytes * 8 / bits],
/// int32.
at::Tensor unpackedCodes(const at::Tensor &bytes, std::int64_t bits);
/// The codes of such values, which may be NaN (the largest number): uint8, same shape.
at::Tensor codesOfValues(const at::Tensor &values, const TensorQuantConfig &config);

} // namespace ql
