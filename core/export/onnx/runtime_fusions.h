#pragma once

#include "core/ir/graph.h"

namespace ql {

/// A Sum of one tensor: the identity, which ONNX Runtime's optimizer keeps, unlike an Identity.
/// @returns its result, named after read and suffix
VarId sumOf(Graph &graph, VarId read, const char *suffix);

/// Rewrites operations that ONNX Runtime's optimizer (version 1.31) would replace by others that compute something
/// else: a Pad with zeros before a MaxPool, which pads with the lowest number instead, so that results differ where all
/// values of a window are negative; and an Add before a normalization or inside of one, which becomes a kernel with
/// other sums. An Add is written as a Sum.
void preventFusions(Graph &graph);

/// Separates, by a Max with the lowest number, which OpenVINO does not optimize away, what version 2026.4 would apply
/// to codes: an AveragePool that counts its padding, its own or that of a Pad before it, and in a model with open
/// shapes a Pad that adds channels (padded with 0, whatever the zero point is); and a Concat along another axis than
/// the last ahead of a MatMul (its scale, one per entry of that axis, does not fit the product: the model is not
/// loaded).
void separateForOpenVino(Graph &graph, bool hasOpenShapes);

/// Tensors that are computed from constants and then rounded, such as normalized weights, become parameters with the
/// simulator's values: a runtime's kernels add in another order, and would round some to other codes.
/// @param asCodes  store the codes without a QuantizeLinear: OpenVINO 2026.4 does not load a model in which an Add or
///                 Mul reads a rounded constant
void storeRoundedConstants(Graph &graph, bool asCodes);

} // namespace ql
