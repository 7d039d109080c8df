#pragma once

#include "core/ir/graph.h"
#include "core/quant/quant_plan.h"

#include <vector>

// Which operations MNN computes on codes: scales are given for inputs and results of Conv only; MNN passes them on to
// the tensors around and computes an operation on codes if all its tensors have one (Pipeline.cpp, CPUBackend.cpp).
namespace ql {

/// Add, Sub, Mul, Div, Min or Max of two operands, which MNN can compute on codes.
bool isElementwise(const Operation &op);

/// Whether op moves values: MNN makes one Raster of all such operations between two others.
bool isRaster(const Operation &op);

/// Whether op moves values or is a Relu or Clip: what it reads and what it writes have one scale in MNN.
bool passesScalesOn(const Operation &op);

/// The tensors whose values a tensor holds after Reshape, Slice, Concat and the like, without parameters; itself if
/// none of them wrote it.
std::vector<VarId> rootsOf(const Graph &graph, VarId tensor);

/// Quantizes element-wise operations and means that MNN computes on codes, and the slots that read codes in MNN.
/// @pre tensors that pools and Resize read or write are as the pass mnn_format_float leaves them
/// @returns the number of changed slots
int quantizeAsMnn(QuantModel &model);

} // namespace ql
