#pragma once

#include "core/analysis/analyser.h"
#include "core/analysis/only_operation.h"

#include <ATen/core/Tensor.h>
#include <cstddef>
#include <map>
#include <vector>

namespace ql {

/// The noise / signal that rounding each slot alone, of an activation or a parameter, adds to the outputs, to first
/// order. Sum over the outputs (outputsOf()), mean over the batches. Slots that are not rounded are left
/// out.
///
/// With J the derivative of the outputs by a tensor and e its rounding error in the float network, the noise is
/// |J e|^2. For random signs v, E (v' J e)^2 = |J e|^2, and one backward pass through the float program gives v' J for
/// every tensor at once. The sum over the elements is squared separately for each channel: errors of different channels
/// are hardly correlated, and the mean over the channels of a tensor replaces that over many v. An estimate, which
/// takes clipping into account only as far as the network is linear. Iterations of a body are taken as uncorrelated.
struct SlotNoise
{
    std::map<Slot, double> slots;
    std::map<BodySlot, double> inBodies; ///< of quantized bodies of If, Loop and Scan
};
/// batches: those of the data to use. @returns nothing if an operation in between has no gradient. @throws Cancelled
SlotNoise slotNoise(const AnalysisContext &context, const std::vector<std::size_t> &batches);
/// Of the first batches. The noise in the bodies of an operation counts for the first parameter that it rounds.
std::map<Slot, double> slotNoise(const AnalysisContext &context);

/// Batches for an estimate: those with most noise.
struct NoisyBatches
{
    std::vector<std::size_t> indices;
    std::vector<std::vector<at::Tensor>> originals; ///< the float outputs (outputsOf()) of each
    /// All batches that were tried, in relation to these: the mean noise, as the sum over the outputs, and that of the
    /// worst output alone. A mean over these batches, times this, is one over all.
    double sumOfAll = 1, worstOfAll = 1;
};
/// Of twice as many batches, spread evenly over those of the context, those with most noise / signal at the outputs.
NoisyBatches noisiestBatches(const AnalysisContext &context, std::size_t count);
/// Parameters of the analysis "noise" for a run that does not ask for it: it adds at most about 7 % to the passes
/// over one batch that the run takes anyway, or a few tenths of a second, or as little as it can.
nlohmann::json rankingParams(const Graph &graph, double passes);
/// The sum over the slots that share a scale, by the slot that owns it (QuantPlan::root).
std::map<Slot, double> noiseOfScales(const QuantPlan &plan, const std::map<Slot, double> &noise);
/// The share of all noise that the weights of operations add; 0 without any noise.
double shareOfWeights(const Graph &graph, const std::map<Slot, double> &noise);
/// The sum over the slots of each operation, and over those in its bodies.
std::map<OpId, double> noiseOfOperations(const SlotNoise &noise);
/// The same of the operations in bodies.
std::map<BodyOperation, double> noiseInBodies(const SlotNoise &noise);

} // namespace ql
