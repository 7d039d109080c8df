#pragma once

#include "core/exec/kernel.h"

#include <cstdint>
#include <vector>

namespace ql {

/// Attributes of Conv and ConvTranspose with all defaults resolved for one input. Spatial axes in order (H, W).
/// Source: ONNX operators Conv, ConvTranspose.
struct ConvGeometry
{
    std::vector<std::int64_t> strides, dilations, padBegin, padEnd;
    std::vector<std::int64_t> outputPadding; ///< ConvTranspose only
    std::int64_t group = 1;
};
/// inputSizes: [N, C, spatial...], weightSizes: [O, C / group, k...] (Conv) or [C, O / group, k...] (ConvTranspose).
/// Resolves auto_pad and output_shape. @throws Error (Kernel) when ranks, channels or kernel_shape do not fit.
ConvGeometry convGeometry(const Operation &op, at::IntArrayRef inputSizes, at::IntArrayRef weightSizes);
/// Sizes of the result. @throws Error (Kernel) when it would be empty or negative.
std::vector<std::int64_t> convOutputSizes(const Operation &op, const ConvGeometry &geometry, at::IntArrayRef inputSizes,
                                          at::IntArrayRef weightSizes);

/// Conv or ConvTranspose (by op.type; any other type is treated as Conv) through LibTorch, with op's attributes. x, w
/// as for convGeometry; bias: [O] or undefined. Any element type that LibTorch convolves. @throws Error (Kernel)
at::Tensor convolve(const Operation &op, at::Tensor x, const at::Tensor &w, const at::Tensor &bias);

/// oneDNN's convolution with prepacked weights and a fused epilogue, for constant float32 weights of rank 3 and 4 on
/// the CPU; otherwise nullptr.
std::unique_ptr<PreparedKernel> prepareDnnlConvolution(const KernelContext &context, Inputs constants,
                                                       const Epilogue &epilogue);

/// 3x3 Conv with stride 1 and many channels, computed by Winograd's minimal filtering on the CPU. Rounding errors are
/// about -119 dB of the result instead of -124: negligible compared with a model's own, but enough to move values
/// across the border between two codes, so quantized layers are convolved directly.
bool fitsMinimalFiltering(const Operation &op, Inputs constants);
/// If applicable and requested by context; otherwise nullptr.
std::unique_ptr<PreparedKernel> prepareWinogradConvolution(const KernelContext &context, Inputs constants,
                                                           const Epilogue &epilogue);

/// ConvTranspose with constant weights [C, O, k...] whose kernel equals its stride, without padding and groups, as a
/// matrix product and a reorder; otherwise nullptr.
std::unique_ptr<PreparedKernel> preparePatchConvolution(const KernelContext &context, Inputs constants,
                                                        const Epilogue &epilogue);

} // namespace ql
