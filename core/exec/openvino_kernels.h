#pragma once

#include "core/exec/kernel.h"
#include "core/quant/integer_arithmetic.h"

#include <memory>

// Kernels of OpenVINO on x86. An Add of two tensors of 8 bits is computed on codes (OpenVINO:
// low_precision_transformations, add.cpp and eltwise_base_transformation.cpp; CPU plug-in: graph_optimizer.cpp,
// dnnl_postops_composer.cpp). One addend is converted to steps of the other, which is added as codes. With unsigned
// codes a and b, scales sa and sb, zero points za and zb, all results float32:
//   c = sa / sb, z = za + sb * zb / sa
//   sum = c * (a - z) + b
// and the range of the codes of the result is divided by sb.
namespace ql {

/// Whether sizes of graph inputs are open in the file; then OpenVINO makes no Subgraph.
bool hasOpenShapes(const Graph &graph);
/// Whether op passes all of its input on, so that OpenVINO removes it. Then version 2026.4 crashes at two equal pairs
/// in a row after a Concat.
bool keepsAll(const Graph &graph, const Operation &op);
/// Whether files for OpenVINO have signed codes of the tensor: the result of a Concat that an operation rounds again
/// per channel, with which version 2026.4 crashes if they are unsigned. All others per tensor are unsigned: it loses
/// the scales of signed ones in models with a Concat, and does not round what a Pad with several readers moves.
bool hasSignedCodes(const Graph &graph, const QuantPlan &plan, VarId tensor);
/// The scale of signed codes, per tensor or of a channel, that OpenVINO computes again from their range.
float scaleOfRange(float scale);
/// The scale, of a slot with one, by which OpenVINO multiplies the codes that it reads.
float scaleOfReadCodes(const Graph &graph, const QuantPlan &plan, Slot slot);

/// The Conv, or the Clip after one, whose result add reads only clamped, not rounded: add runs in the Conv's kernel.
/// noOp: none; both addends are rounded, as they are if another activation is between (CPU plug-in: conv.cpp, "one
/// special residual pattern"). applied: the configs of the exported file
OpId addedWithoutRounding(const Graph &graph, const QuantPlan &plan, const Operation &add,
                          const AppliedConfig &applied);

/// Whether OpenVINO computes op in the kernel of a layer: a layer but ConvTranspose, the function of an activation that
/// reads its unrounded result, an Add in the kernel of a Conv.
bool runsInLayer(const Graph &graph, const QuantPlan &plan, const Operation &op, const AppliedConfig &applied);

/// What a sum of 1 in each of the output channels of a depthwise Conv is worth, whose input has a scale per channel.
/// weight: its scales, one or one per output channel
std::vector<float> stepsOfDepthwise(const QuantPlan &plan, Slot input, std::vector<float> weight, std::size_t outputs);

/// What OpenVINO multiplies the sums of a Conv without bias by, one number or one per channel, if its result is rounded
/// in slot, with or without a Relu between: the range that it rounds to is divided by them (LPT: fake_quantize.cpp,
/// fuseElementwise). Empty: something other than such a Conv
std::vector<float> stepsOfSums(const Graph &graph, const QuantPlan &plan, Slot slot, const AppliedConfig &applied);

/// What OpenVINO adds to the unsigned codes of slot, the result of a layer, before it rounds them: if an Add that
/// converts them has equal scales and is their only reader, the conversion only moves codes by an integer, and becomes
/// part of the sum that is rounded (CPU plug-in: fake_quantize.cpp, updateOptimizedFormula). Ties of float32 fall
/// differently then. 0: nothing
float shiftBeforeRounding(const Graph &graph, const QuantPlan &plan, Slot slot, const AppliedConfig &applied);

/// nullptr: not an Add of this kind. applied: as in a program of plan
std::shared_ptr<PreparedKernel> openVinoAdd(const Graph &graph, const QuantPlan &plan, const Operation &op,
                                            const AppliedConfig &applied);

} // namespace ql
