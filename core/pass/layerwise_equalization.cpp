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
#include "core/pass/channel_groups.h"
#include "core/pass/equalization.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace ql {

std::set<OpId> equalizableOperations(const Graph &graph)
{
    LayerValues layers(graph);
    std::set<OpId> found;
    for (const ChannelGroup &group : findChannelGroups(graph, layers, defaultGroupLevel, {}))
        for (const auto *ops : {&group.up, &group.down, &group.relays}) found.insert(ops->begin(), ops->end());
    return found;
}

class LayerwiseEqualization final : public Pass
{
public:
    explicit LayerwiseEqualization(const nlohmann::json &params)
        : m_iterations(params["iterations"]), m_level(params["optimize_level"]), m_threshold(params["value_threshold"]),
          m_range(params), m_interested(params["interested_layers"].get<std::vector<std::string>>())
    {}

    std::string_view id() const override { return "layerwise_equalization"; }

    int run(QuantModel &model, const PassContext &context) const override
    {
        LayerValues layers(model.graph);
        const std::vector<ChannelGroup> groups = findChannelGroups(model.graph, layers, m_level, m_interested);
        LargestActivations activations = m_range.collect(model, groups, layers, context);
        std::set<OpId> changed;
        for (int i = 0; i < m_iterations; ++i) {
            context.job.checkpoint(double(i) / m_iterations, QL_TEXT("layerwise equalization"));
            for (const ChannelGroup &group : groups) equalize(group, layers, activations, &changed);
        }
        layers.write(&model.graph);
        return int(changed.size());
    }

private:
    void equalize(const ChannelGroup &group, LayerValues &layers, LargestActivations &activations,
                  std::set<OpId> *changed) const
    {
        const std::vector<float> up = m_range.upper(group, layers, activations), down = lowerRanges(group, layers);
        std::vector<float> factors(up.size(), 1.f);
        bool any = false;
        for (std::size_t c = 0; c < up.size(); ++c) {
            const float ratio = std::sqrt(down[c] / up[c]); // not a number for a channel without any weight
            if (!(up[c] + down[c] >= m_threshold) || std::isnan(ratio)) continue;
            factors[c] = std::clamp(ratio, 0.1f, 10.f);
            any = any || factors[c] != 1.f;
        }
        if (!any) return;
        scaleChannels(group, layers, factors, &activations);
        changed->insert(group.up.begin(), group.up.end());
        changed->insert(group.down.begin(), group.down.end());
    }

    int m_iterations, m_level;
    float m_threshold;
    RangeOptions m_range;
    std::vector<std::string> m_interested;
};

static std::vector<api::ParamSpec> layerwiseEqualizationParams()
{
    return paramsOf({{.name = "iterations",
                      .type = "int",
                      .fallback = 10,
                      .meaning = QL_TEXT("Number of passes over all pairs; neighbouring pairs affect each other."),
                      .min = 1,
                      .max = 1000},
                     {.name = "value_threshold",
                      .type = "float",
                      .fallback = 0.5,
                      .meaning = QL_TEXT(
                          "Channels are skipped if their largest weights before and after add up to less than this."),
                      .min = 0}},
                    channelGroupParams(), rangeParams());
}

static const PassRegistrar layerwiseEqualizationRegistrar{
    {.info = {.id = "layerwise_equalization",
              .title = QL_TEXT("Layerwise equalization"),
              .meaning = QL_TEXT(
                  "Before: neighbouring layers whose channels have very different ranges. After: ranges are balanced "
                  "between them, so one scale per tensor fits all channels; the float result is the same."),
              .params = layerwiseEqualizationParams()},
     .traits = {.kind = PassKind::Float, .writes = {PassAspect::ChannelRanges}},
     .make = makePassOf<LayerwiseEqualization>}};

} // namespace ql
