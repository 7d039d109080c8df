// Before: conv1 -> Relu -> conv2        After: conv1, output channel c times s[c] -> Relu -> conv2, input channel c by
// s[c]
//
// One scale for a whole tensor wastes codes on channels with small weights. If only operations that commute with a
// positive factor are between two layers, channels can be given weights of similar size on both sides without changing
// the result of the network:  s = clamp(sqrt(down / up), 0.1, 10), with up[c] and down[c] the largest |weight| of the
// channel over all layers before and after; 1 if up + down is below value_threshold. (Nagel et al., "Data-Free
// Quantization through Weight Equalization and Bias Correction", section 4.1.)
//
// Conditions: between the layers only Relu, LeakyRelu, PRelu, MaxPool, GlobalMaxPool, AveragePool, GlobalAveragePool
// and Identity (level 1), also Add and Sub of two such tensors (level 2). Clip is not one of them: its limit does not
// scale. Every operation that reads or writes a tensor in between must be one of these or such a layer, none of the
// tensors may be a graph output, and weights and biases must belong to one operation; otherwise the group is skipped.
#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/ir/op_traits.h"
#include "core/pass/equalization.h"
#include "core/pass/layer_weights.h"
#include "core/pass/observation.h"
#include "core/pass/slots.h"
#include "gpu/reduce.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace ql {

namespace {

/// Layers that write and layers that read the same channels, and the operations that pass these on.
struct Group
{
    std::vector<OpId> up, down, relays;
};

/// Default of optimize_level.
constexpr int defaultLevel = 1;

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
std::optional<Group> findGroup(const Graph &graph, OpId start, int level)
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
    return Group{{up.begin(), up.end()}, {down.begin(), down.end()}, {relays.begin(), relays.end()}};
}

/// Weights and biases during scaling; the graph is updated at the end.
class Layers
{
public:
    explicit Layers(const Graph &graph) : m_graph(graph) {}

    /// nullptr if the channels of op cannot be scaled.
    const LayerWeights *find(OpId op)
    {
        const auto [it, isNew] = m_layers.try_emplace(op);
        if (isNew) it->second = layerWeights(m_graph, op);
        return it->second ? &*it->second : nullptr;
    }
    at::Tensor &value(VarId id)
    {
        const auto [it, isNew] = m_values.try_emplace(id);
        if (isNew) it->second = m_graph.variable(id).value.contiguous().clone();
        return it->second;
    }
    const std::map<VarId, at::Tensor> &values() const { return m_values; }

private:
    const Graph &m_graph;
    std::map<OpId, std::optional<LayerWeights>> m_layers;
    std::map<VarId, at::Tensor> m_values;
};

/// All layers can be scaled and have the same channels, on the same axis of the tensor between them.
bool fits(const Graph &graph, const Group &group, Layers &layers)
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

/// interested: names (* and ? allowed), one of which an upper layer must match; empty: all groups.
std::vector<Group> findGroups(const Graph &graph, Layers &layers, int level, const std::vector<std::string> &interested)
{
    std::vector<Group> groups;
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

} // namespace

std::set<OpId> equalizableOperations(const Graph &graph)
{
    Layers layers(graph);
    std::set<OpId> found;
    for (const Group &group : findGroups(graph, layers, defaultLevel, {}))
        for (const auto *ops : {&group.up, &group.down, &group.relays}) found.insert(ops->begin(), ops->end());
    return found;
}

class LayerwiseEqualization final : public Pass
{
public:
    explicit LayerwiseEqualization(const nlohmann::json &params)
        : m_iterations(params["iterations"]), m_level(params["optimize_level"]), m_threshold(params["value_threshold"]),
          m_includingBias(params["including_bias"]), m_biasMultiplier(params["bias_multiplier"]),
          m_includingAct(params["including_act"]), m_actMultiplier(params["act_multiplier"]),
          m_interested(params["interested_layers"].get<std::vector<std::string>>())
    {}

    std::string_view id() const override { return "layerwise_equalization"; }

    int run(QuantModel &model, const PassContext &context) const override
    {
        Layers layers(model.graph);
        const std::vector<Group> groups = findGroups(model.graph, layers, m_level, m_interested);
        std::map<OpId, std::vector<float>> activations;
        if (m_includingAct) activations = collectActivations(model, groups, layers, context);
        std::set<OpId> changed;
        for (int i = 0; i < m_iterations; ++i) {
            context.job.checkpoint(double(i) / m_iterations, QL_TEXT("layerwise equalization"));
            for (const Group &group : groups) equalize(group, layers, activations, &changed);
        }
        for (const auto &[id, value] : layers.values())
            if (!value.equal(model.graph.variable(id).value)) model.graph.setValue(id, value);
        return int(changed.size());
    }

private:
    void equalize(const Group &group, Layers &layers, std::map<OpId, std::vector<float>> &activations,
                  std::set<OpId> *changed) const
    {
        const std::size_t channels = std::size_t(layers.find(group.up[0])->outputChannels);
        std::vector<float> up(channels, 0.f), down(channels, 0.f), factors(channels, 1.f);
        for (const OpId op : group.up) {
            const LayerWeights &layer = *layers.find(op);
            widenByWeight(layers.value(layer.weight), layer.outputOfRuns(), layer.run, &up);
            if (m_includingBias && layer.bias != noVar) {
                const float *bias = layers.value(layer.bias).data_ptr<float>();
                for (std::size_t c = 0; c < channels; ++c)
                    up[c] = std::max(up[c], std::abs(bias[c]) * m_biasMultiplier);
            }
            if (const auto seen = activations.find(op); seen != activations.end())
                for (std::size_t c = 0; c < channels; ++c) up[c] = std::max(up[c], seen->second[c] * m_actMultiplier);
        }
        for (const OpId op : group.down) {
            const LayerWeights &layer = *layers.find(op);
            widenByWeight(layers.value(layer.weight), layer.inputOfRuns(), layer.run, &down);
        }
        bool any = false;
        for (std::size_t c = 0; c < channels; ++c) {
            const float ratio = std::sqrt(down[c] / up[c]); // not a number for a channel without any weight
            if (!(up[c] + down[c] >= m_threshold) || std::isnan(ratio)) continue;
            factors[c] = std::clamp(ratio, 0.1f, 10.f);
            any = any || factors[c] != 1.f;
        }
        if (!any) return;
        for (const OpId op : group.up) {
            const LayerWeights &layer = *layers.find(op);
            scaleWeight(layers.value(layer.weight), layer.outputOfRuns(), layer.run, factors, false);
            if (layer.bias != noVar) {
                float *bias = layers.value(layer.bias).data_ptr<float>();
                for (std::size_t c = 0; c < channels; ++c) bias[c] *= factors[c];
            }
            if (const auto seen = activations.find(op); seen != activations.end())
                for (std::size_t c = 0; c < channels; ++c) seen->second[c] *= factors[c];
            changed->insert(op);
        }
        for (const OpId op : group.down) {
            const LayerWeights &layer = *layers.find(op);
            scaleWeight(layers.value(layer.weight), layer.inputOfRuns(), layer.run, factors, true);
            changed->insert(op);
        }
    }

    /// Largest |output| per channel of every upper layer over the calibration batches.
    static std::map<OpId, std::vector<float>> collectActivations(const QuantModel &model,
                                                                 const std::vector<Group> &groups, Layers &layers,
                                                                 const PassContext &context)
    {
        if (!context.calibration || context.calibration->size() == 0)
            throw Error(ErrorKind::BadData, QL_TEXT("including_act needs calibration data, and none was given"))
                .withFix(Fix::ChooseData)
                .withRemedy(QL_TEXT("Give calibration data (%1), or set including_act to false.")
                                .with(Text::option("--calib")));
        struct Range
        {
            std::vector<float> mins, maxs;
        };
        std::map<OpId, Range> ranges;
        for (const Group &group : groups)
            for (const OpId op : group.up) {
                const std::size_t channels = std::size_t(layers.find(op)->outputChannels);
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
        const Executor executor(model.graph, context.exec);
        const Program program = executor.compile(spec);
        for (std::size_t i = 0; i < context.calibrationSteps; ++i) {
            context.job.checkpoint(double(i) / double(context.calibrationSteps), QL_TEXT("activation ranges"));
            const std::size_t index = i % context.calibration->size();
            program.run(context.calibration->batch(index), context.job, context.calibration->name(index));
        }
        std::map<OpId, std::vector<float>> largest;
        for (const auto &[op, range] : ranges)
            for (std::size_t c = 0; c < range.mins.size(); ++c)
                largest[op].push_back(std::max({0.f, -range.mins[c], range.maxs[c]}));
        return largest;
    }

    int m_iterations, m_level;
    float m_threshold;
    bool m_includingBias;
    float m_biasMultiplier;
    bool m_includingAct;
    float m_actMultiplier;
    std::vector<std::string> m_interested;
};

static const PassRegistrar layerwiseEqualizationRegistrar{
    {.info =
         {.id = "layerwise_equalization",
          .title = QL_TEXT("Layerwise equalization"),
          .meaning = QL_TEXT(
              "Before: neighbouring layers whose channels have very different ranges. After: ranges are balanced "
              "between them, so one scale per tensor fits all channels; the float result is the same."),
          .params = {{.name = "iterations",
                      .type = "int",
                      .fallback = 10,
                      .meaning = QL_TEXT("How often all pairs are processed; consecutive pairs influence each other."),
                      .min = 1,
                      .max = 1000},
                     {.name = "optimize_level",
                      .type = "int",
                      .fallback = defaultLevel,
                      .meaning = QL_TEXT("1: across activations and poolings. 2: also across Add and Sub."),
                      .min = 1,
                      .max = 2},
                     {.name = "value_threshold",
                      .type = "float",
                      .fallback = 0.5,
                      .meaning = QL_TEXT(
                          "Channels are skipped if their largest weights before and after add up to less than this."),
                      .min = 0},
                     {.name = "including_bias",
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
                      .min = 0},
                     {.name = "interested_layers",
                      .type = "strings",
                      .fallback = nlohmann::json::array(),
                      .meaning = QL_TEXT(
                          "Only pairs whose first layer is one of these (names, * and ? allowed); empty: all.")}}},
     .traits = {.kind = PassKind::Float, .writes = {PassAspect::ChannelRanges}},
     .make = makePassOf<LayerwiseEqualization>}};

} // namespace ql
