#pragma once

#include "core/analysis/analyser.h"

#include <map>

namespace ql {

/// The noise / signal that rounding the activations of each scale alone adds to the outputs, to first order, by the
/// slot that owns the scale (QuantPlan::root). Sum over the graph outputs (measuredOutputs()), mean
/// over the samples.
///
/// With J the derivative of the outputs by a tensor and e its rounding error in the float network, the noise is
/// |J e|^2. For random signs v, E (v' J e)^2 = |J e|^2, and one backward pass through the float program gives v' J for
/// every tensor at once. draws: backward passes per batch. An estimate: its standard deviation is about sqrt(2 / (draws
/// x batches)) of the value, and clipping is not linear.
/// @throws Error (UnsupportedOp) if an operation in between has no gradient; Cancelled
std::map<Slot, double> slotNoise(const AnalysisContext &context, int draws);

} // namespace ql
