#include "core/pass/channel_groups.h"

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/ir/op_traits.h"
#include "core/pass/block_params.h"
#include "core/pass/observation.h"
#include "core/pass/slots.h"
#include "gpu/reduce.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <utility>

namespace ql {

namespace {

/// Operations that pass scaled channels on.
bool isRelay(const Operation &op, int level)
{
    const OpTraits &traits = traitsOf(op);
    return traits.isHomogeneous || (level >= 2 && traits.alignment == Alignment::Elementwise);
}

/// Inputs through which channels flow.
std::size_t dataInputs(const Operation &op)
{
    return traitsOf(op).alignment == Alignment::Elementwise ? op.inputs.size() : 1;
}

/// Everything that is tied to the output channels of start, or nullopt if some of it cannot be scaled.
std::optional<ChannelGroup> findGroup(const Graph &graph, OpId start, int level)
{
    std::set<OpId> up, down, relays;
    std::set<VarId> seen;
    std::vector<VarId> open;
    const auto visit = [&](VarId id) {
        if (seen.insert(id).second) open.push_back(id);
    };
    visit(graph.operation(start).outputs[0]);
    while (!open.empty()) {
        const VarId id = open.back();
        open.pop_back();
        const Variable &tensor = graph.variable(id);
        if (graph.isGraphOutput(id) || tensor.producer == noOp || tensor.producerIndex != 0) return std::nullopt;
        const Operation &producer = graph.operation(tensor.producer);
        if (isLayer(producer)) {
            up.insert(producer.id);
        } else if (isRelay(producer, level)) {
            relays.insert(producer.id);
            for (std::size_t i = 0; i < dataInputs(producer); ++i) {
                if (!producer.hasInput(i)) return std::nullopt;
                visit(producer.inputs[i]);
            }
        } else {
            return std::nullopt;
        }
        for (const Use &use : tensor.uses) {
            const Operation &reader = graph.operation(use.op);
            if (isLayer(reader) && use.index == 0)
                down.insert(reader.id);
            else if (isRelay(reader, level) && std::size_t(use.index) < dataInputs(reader))
                visit(reader.outputs[0]);
            else
                return std::nullopt;
        }
    }
    if (down.empty()) return std::nullopt;
    return ChannelGroup{{up.begin(), up.end()}, {down.begin(), down.end()}, {relays.begin(), relays.end()}};
}

/// All layers can be scaled and have the same channels, on the same axis of the tensor between them.
bool fits(const Graph &graph, const ChannelGroup &group, LayerValues &layers)
{
    // Channels of a matrix and of a convolution are on different axes, counted from the end
    const auto isMatrix = [&](const LayerWeights &layer) { return graph.variable(layer.weight).value.dim() == 2; };
    std::optional<bool> matrix;
    std::int64_t channels = -1;
    for (const auto &[ops, upper] : {std::pair{&group.up, true}, std::pair{&group.down, false}})
        for (const OpId op : *ops) {
            const LayerWeights *layer = layers.find(op);
            if (!layer || matrix.value_or(isMatrix(*layer)) != isMatrix(*layer)) return false;
            matrix = isMatrix(*layer);
            const std::int64_t own = upper ? layer->outputChannels : layer->inputChannels;
            if (channels >= 0 && own != channels) return false;
            channels = own;
        }
    return true;
}

void widenByWeight(const at::Tensor &weight, const std::vector<std::int32_t> &channelOf, std::int64_t run,
                   std::vector<float> *largest)
{
    const float *w = weight.data_ptr<float>();
    for (std::size_t r = 0; r < channelOf.size(); ++r, w += run) {
        float &most = (*largest)[std::size_t(channelOf[r])];
        for (std::int64_t i = 0; i < run; ++i) most = std::max(most, std::abs(w[i]));
    }
}

void scaleWeight(const at::Tensor &weight, const std::vector<std::int32_t> &channelOf, std::int64_t run,
                 const std::vector<float> &factors, bool divide)
{
    float *w = weight.data_ptr<float>();
    for (std::size_t r = 0; r < channelOf.size(); ++r, w += run) {
        const float factor = factors[std::size_t(channelOf[r])];
        for (std::int64_t i = 0; i < run; ++i) w[i] = divide ? w[i] / factor : w[i] * factor;
    }
}

/// One value per output channel.
std::size_t outputChannels(LayerValues &layers, OpId op)
{
    return std::size_t(layers.find(op)->outputChannels);
}

} // namespace

const LayerWeights *LayerValues::find(OpId op)
{
    const auto [it, isNew] = m_layers.try_emplace(op);
    if (isNew) it->second = layerWeights(m_graph, op);
    return it->second ? &*it->second : nullptr;
}

at::Tensor &LayerValues::value(VarId id)
{
    const auto [it, isNew] = m_values.try_emplace(id);
    if (isNew) it->second = m_graph.variable(id).value.contiguous().clone();
    return it->second;
}

void LayerValues::write(Graph *graph) const
{
    for (const auto &[id, value] : m_values)
        if (!value.equal(graph->variable(id).value)) graph->setValue(id, value);
}

std::vector<float> LayerValues::largestOfOutputs(OpId op)
{
    const LayerWeights &layer = *find(op);
    std::vector<float> largest(std::size_t(layer.outputChannels), 0.f);
    widenByWeight(value(layer.weight), layer.outputOfRuns(), layer.run, &largest);
    return largest;
}

std::vector<float> LayerValues::largestOfInputs(OpId op)
{
    const LayerWeights &layer = *find(op);
    std::vector<float> largest(std::size_t(layer.inputChannels), 0.f);
    widenByWeight(value(layer.weight), layer.inputOfRuns(), layer.run, &largest);
    return largest;
}

void LayerValues::scaleOutputs(OpId op, const std::vector<float> &factors)
{
    const LayerWeights &layer = *find(op);
    scaleWeight(value(layer.weight), layer.outputOfRuns(), layer.run, factors, false);
    if (layer.bias == noVar) return;
    float *bias = value(layer.bias).data_ptr<float>();
    for (std::size_t c = 0; c < factors.size(); ++c) bias[c] *= factors[c];
}

void LayerValues::scaleInputs(OpId op, const std::vector<float> &factors)
{
    const LayerWeights &layer = *find(op);
    scaleWeight(value(layer.weight), layer.inputOfRuns(), layer.run, factors, true);
}

std::vector<ChannelGroup> findChannelGroups(const Graph &graph, LayerValues &layers, int level,
                                            const std::vector<std::string> &interested)
{
    requireLayers(graph, interested);
    std::vector<ChannelGroup> groups;
    std::set<OpId> visited;
    for (const OpId id : graph.operations()) {
        const Operation &op = graph.operation(id);
        const bool interesting =
            interested.empty() || std::any_of(interested.begin(), interested.end(),
                                              [&](const std::string &p) { return globMatch(p, op.name); });
        if (!isLayer(op) || !interesting || visited.contains(id)) continue;
        auto group = findGroup(graph, id, level);
        if (!group) continue;
        visited.insert(group->up.begin(), group->up.end());
        if (fits(graph, *group, layers)) groups.push_back(std::move(*group));
    }
    return groups;
}

RangeOptions::RangeOptions(const nlohmann::json &params)
    : m_bias(params["including_bias"]), m_biasMultiplier(params["bias_multiplier"]), m_act(params["including_act"]),
      m_actMultiplier(params["act_multiplier"])
{}

LargestActivations RangeOptions::collect(const QuantModel &model, const std::vector<ChannelGroup> &groups,
                                         LayerValues &layers, const PassContext &context) const
{
    if (!m_act) return {};
    if (!context.calibration || context.calibration->size() == 0)
        throw Error(ErrorKind::BadData, QL_TEXT("including_act needs calibration data, and none was given"))
            .withFix(Fix::ChooseData)
            .withRemedy(
                QL_TEXT("Give calibration data (%1), or set including_act to false.").with(Text::option("--calib")));
    return largestActivations(model.graph, groups, layers, context);
}

std::vector<float> RangeOptions::upper(const ChannelGroup &group, LayerValues &layers,
                                       const LargestActivations &activations) const
{
    std::vector<float> largest(outputChannels(layers, group.up[0]), 0.f);
    const auto widen = [&](std::size_t c, float by) { largest[c] = std::max(largest[c], by); };
    for (const OpId op : group.up) {
        const std::vector<float> weights = layers.largestOfOutputs(op);
        for (std::size_t c = 0; c < weights.size(); ++c) widen(c, weights[c]);
        if (const VarId id = layers.find(op)->bias; m_bias && id != noVar) {
            const float *bias = layers.value(id).data_ptr<float>();
            for (std::size_t c = 0; c < largest.size(); ++c) widen(c, std::abs(bias[c]) * m_biasMultiplier);
        }
        if (const auto seen = activations.find(op); seen != activations.end())
            for (std::size_t c = 0; c < largest.size(); ++c) widen(c, seen->second[c] * m_actMultiplier);
    }
    return largest;
}

std::vector<float> lowerRanges(const ChannelGroup &group, LayerValues &layers)
{
    std::vector<float> largest(outputChannels(layers, group.up[0]), 0.f);
    for (const OpId op : group.down) {
        const std::vector<float> weights = layers.largestOfInputs(op);
        for (std::size_t c = 0; c < weights.size(); ++c) largest[c] = std::max(largest[c], weights[c]);
    }
    return largest;
}

void scaleChannels(const ChannelGroup &group, LayerValues &layers, const std::vector<float> &factors,
                   LargestActivations *activations)
{
    for (const OpId op : group.up) {
        layers.scaleOutputs(op, factors);
        if (const auto seen = activations->find(op); seen != activations->end())
            for (std::size_t c = 0; c < factors.size(); ++c) seen->second[c] *= factors[c];
    }
    for (const OpId op : group.down) layers.scaleInputs(op, factors);
}

LargestActivations largestActivations(const Graph &graph, const std::vector<ChannelGroup> &groups, LayerValues &layers,
                                      const PassContext &context)
{
    struct Range
    {
        std::vector<float> mins, maxs;
    };
    std::map<OpId, Range> ranges;
    for (const ChannelGroup &group : groups)
        for (const OpId op : group.up) {
            const std::size_t channels = outputChannels(layers, op);
            ranges[op] = {std::vector<float>(channels, std::numeric_limits<float>::infinity()),
                          std::vector<float>(channels, -std::numeric_limits<float>::infinity())};
        }
    if (ranges.empty()) return {};
    ProgramSpec spec;
    for (auto &[op, range] : ranges)
        spec.probes.push_back({outputSlot(op), ProbePoint::Raw, [&r = range](const at::Tensor &t, std::size_t) {
                                   if (t.scalar_type() != at::kFloat || t.dim() < 2 ||
                                       std::size_t(t.size(1)) != r.mins.size())
                                       return;
                                   at::Tensor copy;
                                   const TensorView view = viewOf(t, 1, &copy);
                                   gpu::minMaxChannelCpu(view.data, view.size, view.channels, view.channelStride,
                                                         r.mins.data(), r.maxs.data());
                               }});
    const Executor executor(graph, context.exec);
    const Program program = executor.compile(spec);
    for (std::size_t i = 0; i < context.calibrationSteps; ++i) {
        context.job.checkpoint(double(i) / double(context.calibrationSteps), QL_TEXT("activation ranges"));
        const std::size_t index = i % context.calibration->size();
        program.run(context.calibration->batch(index), context.job, context.calibration->name(index));
    }
    LargestActivations largest;
    for (const auto &[op, range] : ranges)
        for (std::size_t c = 0; c < range.mins.size(); ++c)
            largest[op].push_back(std::max({0.f, -range.mins[c], range.maxs[c]}));
    return largest;
}

std::vector<api::ParamSpec> channelGroupParams()
{
    return {{.name = "optimize_level",
             .type = "int",
             .fallback = defaultGroupLevel,
             .meaning = QL_TEXT("1: across activations and poolings. 2: also across Add and Sub."),
             .min = 1,
             .max = 2},
            {.name = "interested_layers",
             .type = "strings",
             .fallback = nlohmann::json::array(),
             .meaning = QL_TEXT("Only pairs whose first layer is one of these (names, * and ? allowed); empty: all.")}};
}

std::vector<api::ParamSpec> rangeParams()
{
    return {{.name = "including_bias",
             .type = "bool",
             .fallback = false,
             .meaning = QL_TEXT("Include biases in the range of a channel.")},
            {.name = "bias_multiplier",
             .type = "float",
             .fallback = 0.5,
             .meaning = QL_TEXT("Weight of biases if they are included."),
             .min = 0},
            {.name = "including_act",
             .type = "bool",
             .fallback = false,
             .meaning = QL_TEXT("Include activations in the range of a channel; needs calibration data.")},
            {.name = "act_multiplier",
             .type = "float",
             .fallback = 0.5,
             .meaning = QL_TEXT("Weight of activations if they are included."),
             .min = 0}};
}

} // namespace ql
