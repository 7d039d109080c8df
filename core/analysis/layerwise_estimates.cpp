#include "core/analysis/layerwise_estimates.h"

#include "core/analysis/slot_noise.h"
#include "core/analysis/work_estimate.h"

#include <algorithm>

namespace ql {

std::optional<double> LayerwiseEstimates::of(OpId op, const std::optional<BodyOperation> &inside) const
{
    const auto in = [](const auto &all, const auto &key) {
        const auto found = all.find(key);
        return found == all.end() ? std::nullopt : std::optional(found->second);
    };
    return inside ? in(inBodies, *inside) : in(operations, op);
}

LayerwiseEstimates estimatedErrors(const AnalysisContext &context, const std::vector<OpId> &operations)
{
    constexpr double share = 0.03, passesPerSample = 7; // of the fused float network
    constexpr double fewest = 4, most = 16;
    const std::size_t batches = std::min(context.batches, context.data->size());
    const double passes = passesFrom(context.model.graph, {operations.begin(), operations.end()}) * double(batches);
    const auto count = std::size_t(std::clamp(share * passes / passesPerSample, fewest, most));
    const NoisyBatches noisiest = noisiestBatches(context, count);
    const SlotNoise noise = slotNoise(context, noisiest.indices);
    LayerwiseEstimates estimates{noiseOfOperations(noise), noiseInBodies(noise)};
    for (auto &[id, value] : estimates.operations) value *= noisiest.worstOfAll;
    for (auto &[place, value] : estimates.inBodies) value *= noisiest.worstOfAll;
    return estimates;
}

} // namespace ql
