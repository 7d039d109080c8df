// Ranges of all activations: clipped values, channels that never change, values that are not finite, and operands that
// do not fit one scale. Those in quantized bodies of If, Loop and Scan are measured in each run of their body.
#include "core/analysis/analyser.h"
#include "core/analysis/channel_ranges.h"
#include "core/analysis/error_measure.h"
#include "core/exec/lanes.h"
#include "core/ir/op_traits.h"
#include "core/quant/networks.h"

#include <ATen/ops/amax.h>
#include <ATen/ops/amin.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>

namespace ql {

namespace {

/// Statistics of one float tensor over all batches.
struct ActivationRange
{
    double min = INFINITY, max = -INFINITY;
    std::int64_t elements = 0, notFinite = 0, clipped = 0;
    std::optional<FeatureChannels> features;
    std::vector<double> low, high; ///< per channel, infinite if a value is not finite; empty without channels
    double clipLow = -INFINITY, clipHigh = INFINITY;

    void add(const at::Tensor &value)
    {
        const at::Tensor x = value.contiguous();
        const float *data = x.data_ptr<float>();
        const std::int64_t count = x.numel();
        std::int64_t outside = 0, bad = 0;
        double least = min, most = max;
        for (std::int64_t i = 0; i < count; ++i) {
            const double v = data[i];
            if (!std::isfinite(v)) {
                ++bad;
                continue;
            }
            least = std::min(least, v);
            most = std::max(most, v);
            outside += v < clipLow || v > clipHigh ? 1 : 0;
        }
        min = least;
        max = most;
        elements += count;
        notFinite += bad;
        clipped += outside;
        if (!features || x.dim() < 3) return; // one value per sample is not a range
        if (features->axis < 0) features->axis += x.dim();
        const std::int64_t axis = features->axis;
        if (axis >= x.dim() || x.size(axis) < 2) return;
        const at::Tensor rows = x.transpose(0, axis).reshape({x.size(axis), -1});
        const at::Tensor l = rows.amin({1}).contiguous(), h = rows.amax({1}).contiguous();
        const auto channels = std::size_t(l.numel());
        if (low.empty()) {
            low.assign(channels, INFINITY);
            high.assign(channels, -INFINITY);
        }
        if (low.size() != channels) return;
        for (std::size_t c = 0; c < channels; ++c) {
            const double from = l.data_ptr<float>()[c], to = h.data_ptr<float>()[c];
            const bool isFinite = std::isfinite(from) && std::isfinite(to); // a NaN propagates through amin and amax
            low[c] = isFinite ? std::min(low[c], from) : -INFINITY;
            high[c] = isFinite ? std::max(high[c], to) : INFINITY;
        }
    }
};

/// Representable range of an applied linear config with one scale.
void setClip(ActivationRange &activation, const QuantPlan &plan, Slot slot)
{
    // A fused tensor is rounded after the activation, which clips the values anyway
    const TensorQuantConfig *config = plan.simulated(slot);
    if (!config || config->isFloating() || config->dynamic || plan.scale(slot).size() != 1) return;
    const double scale = plan.scale(slot).front(),
                 zero = plan.zeroPoint(slot).empty() ? 0 : plan.zeroPoint(slot).front();
    // Values up to half a step beyond the last code are still rounded to it
    activation.clipLow = (double(config->quantMin) - zero - 0.5) * scale;
    activation.clipHigh = (double(config->quantMax) - zero + 0.5) * scale;
}

/// Whether channels must be reported separately: some are dead, or one is much larger than most.
bool isUneven(const std::vector<double> &low, const std::vector<double> &high, bool isLearned)
{
    std::vector<double> sizes;
    for (std::size_t c = 0; c < low.size(); ++c) {
        if (!std::isfinite(low[c]) || !std::isfinite(high[c])) continue;
        if (isLearned && low[c] == high[c]) return true;
        sizes.push_back(std::max(std::abs(low[c]), std::abs(high[c])));
    }
    if (sizes.size() < 4) return false;
    std::sort(sizes.begin(), sizes.end());
    return sizes.back() > 4 * sizes[sizes.size() / 2];
}

/// Unset if a channel has a value that is not finite.
std::vector<std::optional<double>> endsOf(const std::vector<double> &channels)
{
    std::vector<std::optional<double>> ends;
    for (const double end : channels) ends.push_back(ifFinite(end));
    return ends;
}

api::RangeRow rowOf(const Network &network, VarId id, Slot slot, const ActivationRange &a, std::int64_t samples)
{
    const Variable &variable = network.graph().variable(id);
    const bool isGiven = variable.producer == noOp; // an input of the network: reported for its consumer
    api::RangeRow row;
    row.op = network.nameOf(isGiven ? slot.op : variable.producer);
    row.variable = variable.name;
    row.role = isGiven ? api::SlotRole::Input : api::SlotRole::Output;
    row.min = ifFinite(a.min);
    row.max = ifFinite(a.max);
    row.elements = a.elements;
    row.notFinite = a.notFinite;
    row.clipped = a.clipped;
    row.samples = samples;
    if (std::isfinite(a.clipLow)) row.clip = {a.clipLow, a.clipHigh};
    if (a.features && isUneven(a.low, a.high, a.features->isLearned)) {
        row.channels.emplace();
        row.channels->axis = a.features->axis;
        row.channels->min = endsOf(a.low);
        row.channels->max = endsOf(a.high);
        row.channels->learned = a.features->isLearned;
    }
    return row;
}

/// The activations of one network.
struct NetworkRanges
{
    const Network &network;
    std::map<VarId, ActivationRange> found;
    std::map<VarId, Slot> slots; ///< where the tensor is probed
    std::vector<VarId> order;

    /// only: names of tensors; empty: all
    NetworkRanges(const Network &measured, const std::set<std::string> &only) : network(measured)
    {
        const Graph &graph = network.graph();
        const QuantPlan &plan = network.model->plan;
        const std::vector<OpId> ids = graph.topological();
        for (const OpId id : ids) {
            if (!network.model->isQuantized(id)) continue;
            const Operation &op = graph.operation(id);
            for (const Slot slot : slotsOf(op)) {
                const VarId variable = variableOf(op, slot);
                if (variable == noVar) continue;
                if (slot.output || graph.variable(variable).type.dtype == at::kFloat) want(variable, slot, only);
            }
        }
        // The config that rounds a tensor: its producer's, or that of its root
        for (const OpId id : ids) {
            const Operation &op = graph.operation(id);
            for (std::size_t o = 0; o < op.outputs.size(); ++o)
                if (const auto it = found.find(op.outputs[o]); it != found.end())
                    setClip(it->second, plan, outputSlot(id, o));
            for (std::size_t i = 0; i < op.inputs.size(); ++i) {
                const auto it = op.inputs[i] == noVar ? found.end() : found.find(op.inputs[i]);
                if (it != found.end() && std::isinf(it->second.clipLow)) setClip(it->second, plan, inputSlot(id, i));
            }
        }
        for (const auto &[id, features] : featureChannels(graph))
            if (const auto it = found.find(id); it != found.end()) it->second.features = features;
        for (auto &[id, activation] : found)
            if (!only.empty() && !activation.features) activation.features = FeatureChannels{};
    }

    /// Operations that add or concatenate, with the ranges of their operands, and whether they share one scale.
    void addJoins(std::vector<api::JoinRow> &joins) const
    {
        const Graph &graph = network.graph();
        const QuantPlan &plan = network.model->plan;
        for (const OpId id : graph.topological()) {
            const Operation &op = graph.operation(id);
            const Alignment alignment = traitsOf(op).alignment;
            const bool joinsInputs = alignment == Alignment::Elementwise || alignment == Alignment::Concat;
            if (!network.model->isQuantized(id) || !joinsInputs) continue;
            api::JoinRow join{network.nameOf(id), op.type, {}, false};
            std::set<Slot> roots;
            for (std::size_t i = 0; i < op.inputs.size(); ++i) {
                const auto it = op.inputs[i] == noVar ? found.end() : found.find(op.inputs[i]);
                if (it == found.end() || it->second.elements == 0) continue;
                const Slot slot = inputSlot(id, i);
                if (plan.find(slot)) roots.insert(plan.root(slot));
                join.inputs.push_back(
                    {graph.variable(op.inputs[i]).name, ifFinite(it->second.min), ifFinite(it->second.max)});
            }
            join.oneScale = roots.size() == 1;
            if (join.inputs.size() > 1) joins.push_back(std::move(join));
        }
    }

private:
    void want(VarId variable, Slot slot, const std::set<std::string> &only)
    {
        const Graph &graph = network.graph();
        if (graph.isParameter(variable) || slots.contains(variable)) return;
        if (!only.empty() && !only.contains(graph.variable(variable).name)) return;
        slots[variable] = slot;
        order.push_back(variable);
        found[variable];
    }
};

/// networks: of the model. only: names of tensors; empty: all
api::Ranges measured(const AnalysisContext &context, const std::vector<Network> &networks,
                     const std::set<std::string> &only)
{
    std::deque<NetworkRanges> parts;
    for (const Network &network : networks) parts.emplace_back(network, only);
    const Executor executor(context.model.graph, context.exec);
    const std::size_t batches = std::min(context.batches, context.data->size());
    Lanes lanes(executor, batches);
    std::mutex mutex; // a body may run several times in a batch
    ProgramSpec floating;
    const auto isMeasured = [](const at::Tensor &t) { return t.scalar_type() == at::kFloat && t.numel() > 0; };
    for (NetworkRanges &part : parts)
        for (const VarId id : part.order) {
            const Slot slot = part.slots[id];
            ActivationRange &seen = part.found[id];
            if (!part.network.path.empty())
                floating.bodySlotProbes.push_back(
                    {part.network.place(slot), [&seen, &mutex, isMeasured](const at::Tensor &t, std::size_t) {
                         const std::lock_guard lock(mutex);
                         if (isMeasured(t)) seen.add(t);
                     }});
            else
                floating.probes.push_back({slot, ProbePoint::Raw,
                                           [&lanes, &seen, isMeasured,
                                            place = floating.probes.size()](const at::Tensor &t, std::size_t batch) {
                                               if (isMeasured(t)) lanes.inOrder(place, batch, [&] { seen.add(t); });
                                           }});
        }
    const Program program = executor.compile(floating);
    lanes.prepare(program);
    std::vector<std::int64_t> samplesOf(batches, 0);
    lanes.run(0, batches, [&](std::size_t i) {
        context.job.checkpoint(double(i) / double(batches), QL_TEXT("ranges"));
        const Feed feed = context.data->batch(i);
        samplesOf[i] = samplesPerBatch(feed);
        lanes.admit(i, lanes.share(feed));
        program.run(feed, context.job, context.data->name(i), i);
    });
    const std::int64_t samples = std::accumulate(samplesOf.begin(), samplesOf.end(), std::int64_t(0));
    api::Ranges result;
    for (NetworkRanges &part : parts) {
        if (only.empty()) part.addJoins(result.joins);
        for (const VarId id : part.order)
            if (part.found[id].elements > 0)
                result.tensors.push_back(rowOf(part.network, id, part.slots[id], part.found[id], samples));
    }
    return result;
}

api::Measures ranges(const AnalysisContext &context, const nlohmann::json &)
{
    api::Measures result;
    result.ranges = measured(context, networksOf(context.model), {});
    return result;
}

const AnalyserRegistrar rangesEntry{
    "ranges",
    {.info = {.id = "ranges",
              .title = QL_TEXT("Ranges of activations"),
              .meaning = QL_TEXT(
                  "Smallest and largest float value of every activation, the share of values that are outside the "
                  "quantized "
                  "range or not finite, channels that never change, and operands of Add and Concat side by side.")},
     .run = ranges}};

} // namespace

std::vector<api::RangeRow> rangesOf(const AnalysisContext &context, const std::set<std::string> &tensors)
{
    return measured(context, {networksOf(context.model).front()}, tensors).tensors;
}

} // namespace ql
