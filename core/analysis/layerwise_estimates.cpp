#include "core/analysis/layerwise_estimates.h"

#include "core/analysis/slot_noise.h"
#include "core/analysis/work_estimate.h"
#include "core/quant/networks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>

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
    // Exact measurements that take as long as the estimate by one sample, with the choice of the sample. The backward
    // pass cannot use the fused kernels.
    constexpr double share = 0.03, passesPerSample = 20;
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

api::ErrorRow layerwiseRow(const Graph &graph, OpId id)
{
    const Operation &op = graph.operation(id);
    api::ErrorRow row;
    row.op = op.name;
    row.type = op.type;
    const auto named = std::find_if(op.outputs.begin(), op.outputs.end(), [](VarId v) { return v != noVar; });
    if (named != op.outputs.end()) row.variable = graph.variable(*named).name;
    return row;
}

api::ErrorRow estimatedRow(api::ErrorRow row, const Graph &graph, const std::vector<VarId> &outputs, double noise)
{
    row.noiseRatio = ifFinite(noise);
    if (noise > 0) row.sqnrDb = ifFinite(-10 * std::log10(noise));
    row.isEstimated = true;
    if (!outputs.empty()) row.output = graph.variable(outputs.front()).name;
    return row;
}

void estimateUnmeasured(const QuantModel &model, const nlohmann::json &params, api::Measures &measures)
{
    if (!measures.layerwise || !measures.noise || !params.at("outputs").empty()) return;
    std::map<std::string, double> noises; // by operation
    const auto add = [&](const std::string &op, std::optional<double> noise) {
        noises[op] += noise.value_or(std::numeric_limits<double>::infinity());
    };
    for (const api::NoiseRow &row : *measures.noise) {
        if (row.parts.empty()) add(row.slot.op, row.noiseRatio);
        for (const api::NoisePart &part : row.parts) add(part.op, part.noiseRatio);
    }
    std::map<std::string, api::ErrorRow> measured;
    for (api::ErrorRow &row : *measures.layerwise) measured.emplace(row.op, std::move(row));
    const std::vector<VarId> outputs = measuredOutputs(model.graph);
    std::vector<api::ErrorRow> rows;
    for (const Network &network : networksOf(model))
        for (const OpId id : network.graph().topological()) {
            const std::string &name = network.nameOf(id);
            if (const auto known = measured.find(name); known != measured.end()) {
                rows.push_back(std::move(known->second));
            } else if (const auto noise = noises.find(name); noise != noises.end() && noise->second > 0) {
                api::ErrorRow row = layerwiseRow(network.graph(), id);
                row.op = name;
                rows.push_back(estimatedRow(std::move(row), model.graph, outputs, noise->second));
            }
        }
    measures.layerwise = std::move(rows);
}

} // namespace ql
