// Before: conv1 -> Relu -> conv2        After: conv1, output channel c times s[c] -> Relu -> conv2, input channel c by
// s[c]
//
// Brings the largest |output| of the channels of a layer closer to their mean, with the groups and conditions of
// layerwise_equalization: in each iteration, channels above the mean are divided by step, the others multiplied by it,
// and the layers after the group compensate. Activations are collected once, before the first iteration. A channel that
// would pass the mean stays where it is. One that is always 0 stays as it is, and no channel is scaled by more than
// limit in total. (PPQ 0.6.6, ActivationEqualizationPass, which scales also channels that are already at the mean,
// and by 1.1^iterations without a limit.)
//
// Measured on PPL_DSP_INT8 with 8 samples, SQNR of the output: squeezenet1.1 28.86 dB to 27.61 dB, mobilenetv2_backbone
// 5.49 dB to 5.28 dB: even activations may cost more in the weights than they gain.
#include "core/pass/calibration_data.h"
#include "core/pass/channel_groups.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace ql {

class ActivationEqualization final : public Pass
{
public:
    explicit ActivationEqualization(const nlohmann::json &params)
        : m_iterations(params["iterations"]), m_level(params["optimize_level"]), m_step(params["step"]),
          m_limit(params["limit"]), m_interested(params["interested_layers"].get<std::vector<std::string>>())
    {}

    std::string_view id() const override { return "activation_equalization"; }

    int run(QuantModel &model, const PassContext &context) const override
    {
        LayerValues layers(model.graph);
        const std::vector<ChannelGroup> groups = findChannelGroups(model.graph, layers, m_level, m_interested);
        if (groups.empty()) return 0;
        requireCalibration(context, QL_TEXT("activation equalization"));
        LargestActivations activations = largestActivations(model.graph, groups, layers, context);
        std::set<OpId> changed;
        for (const ChannelGroup &group : groups) {
            const std::vector<float> factors = factorsOf(group, activations);
            if (std::all_of(factors.begin(), factors.end(), [](float f) { return f == 1; })) continue;
            scaleChannels(group, layers, factors, &activations);
            changed.insert(group.up.begin(), group.up.end());
            changed.insert(group.down.begin(), group.down.end());
        }
        layers.write(&model.graph);
        return int(changed.size());
    }

private:
    std::vector<float> factorsOf(const ChannelGroup &group, const LargestActivations &activations) const
    {
        std::vector<float> ranges;
        for (const OpId op : group.up) {
            const std::vector<float> &seen = activations.at(op);
            ranges.resize(seen.size(), 0.f);
            for (std::size_t c = 0; c < seen.size(); ++c) ranges[c] = std::max(ranges[c], seen[c]);
        }
        std::vector<float> factors(ranges.size(), 1.f);
        for (int i = 0; i < m_iterations; ++i) {
            const double mean = std::accumulate(ranges.begin(), ranges.end(), 0.0) / double(ranges.size());
            for (std::size_t c = 0; c < ranges.size(); ++c) {
                if (ranges[c] == 0 || !std::isfinite(ranges[c])) continue;
                const bool isLarge = ranges[c] > mean;
                const float by = isLarge ? 1 / m_step : m_step, next = factors[c] * by;
                if ((ranges[c] * by > mean) != isLarge || next > m_limit || next < 1 / m_limit) continue;
                factors[c] = next;
                ranges[c] *= by;
            }
        }
        return factors;
    }

    int m_iterations, m_level;
    float m_step, m_limit;
    std::vector<std::string> m_interested;
};

static std::vector<api::ParamSpec> activationEqualizationParams()
{
    return paramsOf(
        {{.name = "iterations",
          .type = "int",
          .fallback = 10,
          .meaning = QL_TEXT("Number of iterations, each of which moves the channels of a group one step closer."),
          .min = 1,
          .max = 1000},
         {.name = "step",
          .type = "float",
          .fallback = 1.1,
          .meaning = QL_TEXT("Factor by which a channel is scaled in each iteration."),
          .min = 1.001,
          .max = 2},
         {.name = "limit",
          .type = "float",
          .fallback = 4,
          .meaning = QL_TEXT("Largest factor by which a channel is scaled in total."),
          .min = 1,
          .max = 1000}},
        channelGroupParams());
}

static const PassRegistrar activationEqualizationRegistrar{
    {.info = {.id = "activation_equalization",
              .title = QL_TEXT("Activation equalization"),
              .meaning = QL_TEXT(
                  "Before: activations whose channels have very different ranges. After: the layers before and after "
                  "them scale each channel towards the mean range; the float result is the same."),
              .params = activationEqualizationParams()},
     .traits = {.kind = PassKind::Float},
     .make = makePassOf<ActivationEqualization>}};

} // namespace ql
