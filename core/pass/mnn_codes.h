#pragma once

#include "core/ir/graph.h"
#include "core/quant/quant_plan.h"

#include <vector>

// Which operations MNN computes on codes: scales are given for inputs and results of Conv only; MNN passes them on to
// the tensors around and computes an operation on codes if all its tensors have one (Pipeline.cpp, CPUBackend.cpp).
namespace ql {

/// A Conv that MNN computes on codes: one or two spatial axes, and one group or a group for each channel. Its converter
/// makes a float Conv of each group of others.
bool isConvOnCodes(const Graph &graph, const Operation &op);

/// Add, Sub, Mul, Div, Min or Max of two operands, which MNN can compute on codes.
bool isElementwise(const Operation &op);

/// Whether op moves values: MNN makes one Raster of all such operations between two others. A Gather only with constant
/// indices.
bool isRaster(const Graph &graph, const Operation &op);

/// The tensors whose values a tensor holds after Reshape, Slice, Concat and the like, without parameters; itself if
/// none of them wrote it.
std::vector<VarId> rootsOf(const Graph &graph, VarId tensor);

/// The tensor and all that hold values of it after such operations, and after a Relu or Clip if throughActivations.
std::vector<VarId> movedFrom(const Graph &graph, VarId tensor, bool throughActivations = false);

/// Conv that MNN computes in float32 are not quantized. @returns their number
int keepGroupsInFloat(QuantModel &model);

/// Quantizes element-wise operations and means that MNN computes on codes, and the slots that read codes in MNN.
/// @pre tensors that pools and Resize read or write are as the pass mnn_format_float leaves them
/// @returns the number of changed slots
int quantizeAsMnn(QuantModel &model);

} // namespace ql
