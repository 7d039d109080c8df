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

/// Conv, ConvTranspose (by op.type; every other type is taken as Conv) through LibTorch, with op's attributes. x, w as
/// for convGeometry; bias: [O] or undefined. Any element type that LibTorch convolves. @throws Error (Kernel)
at::Tensor convolve(const Operation &op, at::Tensor x, const at::Tensor &w, const at::Tensor &bias);

/// oneDNN's convolution with prepacked weights and a fused epilogue, for constant float32 weights of rank 3 and 4 on
/// the CPU; nullptr where it does not apply.
std::unique_ptr<PreparedKernel> prepareDnnlConvolution(const KernelContext &context, Inputs constants,
                                                       const Epilogue &epilogue);

/// Conv of 3x3 with stride 1 and many channels, for which there is Winograd's minimal filtering on the CPU. Rounding
/// errors are about -119 dB of the result instead of -124, which is nothing beside a model's own, but would move values
/// that lie on the border of two codes: what is quantized is convolved directly.
bool fitsMinimalFiltering(const Operation &op, Inputs constants);
/// Where it fits and context asks for it; else nullptr.
std::unique_ptr<PreparedKernel> prepareWinogradConvolution(const KernelContext &context, Inputs constants,
                                                           const Epilogue &epilogue);

/// ConvTranspose with constant weights [C, O, k...] whose kernel equals its stride, with neither padding nor groups, as
/// a matrix product and a reorder; nullptr where it does not apply.
std::unique_ptr<PreparedKernel> preparePatchConvolution(const KernelContext &context, Inputs constants,
                                                        const Epilogue &epilogue);

} // namespace ql
