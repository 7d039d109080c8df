#pragma once

#include "core/pass/layer_weights.h"
#include "core/pass/pass.h"

#include <ATen/core/Tensor.h>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ql {

// Shared by passes that change channels between layers without changing the function of the network.

/// Layers that write and layers that read the same channels, and the operations that pass these on.
struct ChannelGroup
{
    std::vector<OpId> up, down, relays;
};
/// Default of optimize_level.
inline constexpr int defaultGroupLevel = 1;

/// Weights and biases of layers while a pass changes them.
class LayerValues
{
public:
    explicit LayerValues(const Graph &graph) : m_graph(graph) {}

    /// nullptr if the channels of op cannot be changed.
    const LayerWeights *find(OpId op);
    /// The present value of a weight or bias.
    at::Tensor &value(VarId id);
    const std::map<VarId, at::Tensor> &values() const { return m_values; }
    /// Writes all changed values.
    void write(Graph *graph) const;

    /// Largest |weight| by output or input channel. @pre find(op)
    std::vector<float> largestOfOutputs(OpId op);
    std::vector<float> largestOfInputs(OpId op);
    /// Multiplies weight and bias by the factor of their output channel. @pre find(op)
    void scaleOutputs(OpId op, const std::vector<float> &factors);
    /// Divides the weight by the factor of its input channel. @pre find(op)
    void scaleInputs(OpId op, const std::vector<float> &factors);

private:
    const Graph &m_graph;
    std::map<OpId, std::optional<LayerWeights>> m_layers;
    std::map<VarId, at::Tensor> m_values;
};

/// interested: names (* and ? allowed), one of which an upper layer must match; empty: all groups. level:
/// optimize_level. Every operation that reads or writes a tensor of a group is a layer or a relay of it, none of the
/// tensors is a graph output, and all layers have the same number of channels.
std::vector<ChannelGroup> findChannelGroups(const Graph &graph, LayerValues &layers, int level,
                                            const std::vector<std::string> &interested);

/// Largest |output| per channel by layer.
using LargestActivations = std::map<OpId, std::vector<float>>;
/// Of every upper layer over the calibration batches. @pre there is calibration data
LargestActivations largestActivations(const Graph &graph, const std::vector<ChannelGroup> &groups, LayerValues &layers,
                                      const PassContext &context);

/// What contributes to the range of a channel: the parameters rangeParams() of a pass.
class RangeOptions
{
public:
    explicit RangeOptions(const nlohmann::json &params);
    /// The activations, if they contribute. @throws Error (BadData) without calibration data
    LargestActivations collect(const QuantModel &model, const std::vector<ChannelGroup> &groups, LayerValues &layers,
                               const PassContext &context) const;
    /// Range per channel of the layers before.
    std::vector<float> upper(const ChannelGroup &group, LayerValues &layers,
                             const LargestActivations &activations) const;

private:
    bool m_bias;
    float m_biasMultiplier;
    bool m_act;
    float m_actMultiplier;
};
/// Largest |weight| per channel of the layers after.
std::vector<float> lowerRanges(const ChannelGroup &group, LayerValues &layers);
/// Multiplies the channels of the layers before, and their activations, and divides those of the layers after.
void scaleChannels(const ChannelGroup &group, LayerValues &layers, const std::vector<float> &factors,
                   LargestActivations *activations);

/// optimize_level and interested_layers.
std::vector<api::ParamSpec> channelGroupParams();
/// What RangeOptions reads.
std::vector<api::ParamSpec> rangeParams();
/// The lists of parameters, one after the other.
template <class... Lists>
std::vector<api::ParamSpec> paramsOf(std::vector<api::ParamSpec> first, const Lists &...others)
{
    (first.insert(first.end(), others.begin(), others.end()), ...);
    return first;
}

} // namespace ql
