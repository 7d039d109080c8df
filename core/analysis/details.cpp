// The data for plots of one operation in addition to its distributions: pairs of float and quantized values, and the
// spread of every channel. Reduced here, so that no tensor leaves the engine.
#include "core/analysis/analyser.h"
#include "core/analysis/channel_ranges.h"
#include "core/analysis/error_measure.h"
#include "core/analysis/tensor_pairs.h"
#include "core/base/strings.h"
#include "core/ir/op_traits.h"
#include "core/quant/networks.h"
#include "core/quant/quantize.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace ql {

namespace {

/// Maximum number of values for the quartiles of a channel: evenly sampled over all of its elements.
constexpr std::size_t valuesPerChannel = 2048;

/// Evenly sampled values, the same for the same tensors in any layout.
struct ChannelSpread
{
    std::vector<std::vector<float>> values; ///< per channel
    std::vector<double> low, high;          ///< exact, over every element

    /// rows: float32 [channels, elements], contiguous.
    void add(const at::Tensor &rows, std::size_t mostValues)
    {
        const auto channels = std::size_t(rows.size(0)), elements = std::size_t(rows.size(1));
        if (values.empty()) {
            values.resize(channels);
            low.assign(channels, INFINITY);
            high.assign(channels, -INFINITY);
        }
        if (values.size() != channels || elements == 0) return;
        const std::size_t step = std::max<std::size_t>(1, elements / std::max<std::size_t>(1, mostValues));
        const float *data = rows.data_ptr<float>();
        for (std::size_t c = 0; c < channels; ++c)
            for (std::size_t i = 0; i < elements; ++i) {
                const float value = data[c * elements + i];
                if (!std::isfinite(value)) continue;
                low[c] = std::min(low[c], double(value));
                high[c] = std::max(high[c], double(value));
                if (i % step == 0 && values[c].size() < 2 * valuesPerChannel) values[c].push_back(value);
            }
    }

    api::ChannelSpread summary(std::int64_t axis)
    {
        api::ChannelSpread out;
        out.axis = axis;
        for (std::size_t c = 0; c < values.size(); ++c) {
            std::vector<float> &own = values[c];
            std::sort(own.begin(), own.end());
            const auto at = [&](double part) -> std::optional<double> {
                if (own.empty()) return std::nullopt;
                return own[std::size_t(std::lround(part * double(own.size() - 1)))];
            };
            out.min.push_back(own.empty() ? std::nullopt : std::optional(low[c]));
            out.q1.push_back(at(0.25));
            out.median.push_back(at(0.5));
            out.q3.push_back(at(0.75));
            out.max.push_back(own.empty() ? std::nullopt : std::optional(high[c]));
        }
        return out;
    }
};

struct SlotDetails
{
    api::ValuePairs pairs;
    ChannelSpread spread;
    std::int64_t axis = -1;

    /// most: of these tensors; no more than mostPairs in all.
    void addPairs(const at::Tensor &fp, const at::Tensor &q, std::size_t most, std::size_t mostPairs)
    {
        most = std::min(most, mostPairs - std::min(mostPairs, pairs.original.size()));
        if (most == 0 || fp.sizes() != q.sizes()) return;
        const at::Tensor x = fp.contiguous(), y = q.contiguous();
        const auto count = std::size_t(x.numel());
        const std::size_t step = std::max<std::size_t>(1, (count + most - 1) / most);
        for (std::size_t i = 0; i < count; i += step) {
            pairs.original.push_back(ifFinite(x.data_ptr<float>()[i]));
            pairs.quantized.push_back(ifFinite(y.data_ptr<float>()[i]));
        }
    }
    void addChannels(const at::Tensor &value, std::size_t mostValues)
    {
        if (axis < 0 || axis >= value.dim() || value.dim() < 2) return;
        spread.add(value.transpose(0, axis).reshape({value.size(axis), -1}).contiguous(), mostValues);
    }
};

api::DetailRow rowOf(const Network &network, Slot slot, SlotDetails &found)
{
    const Graph &graph = network.graph();
    api::DetailRow row{network.nameOf(slot.op), graph.variable(variableOf(graph, slot)).name,
                       roleOf(graph, slot),     slot.index,
                       std::move(found.pairs),  std::nullopt};
    if (!found.spread.values.empty()) row.channels = found.spread.summary(found.axis);
    return row;
}

using Found = std::map<BodySlot, SlotDetails>;

/// Details of parameters, and places for those of activations, which are listed.
void addOperation(const Network &network, const Operation &op, std::size_t mostPairs, Found &found,
                  std::vector<BodySlot> &activations)
{
    const Graph &graph = network.graph();
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
        if (op.inputs[i] == noVar || graph.variable(op.inputs[i]).type.dtype != at::kFloat) continue;
        const Slot slot = inputSlot(op.id, i);
        SlotDetails &own = found[network.place(slot)];
        own.axis = channelAxis(*network.model, slot);
        if (!graph.isParameter(op.inputs[i])) {
            activations.push_back(network.place(slot));
            continue;
        }
        const at::Tensor fp = graph.variable(op.inputs[i]).value;
        if (fp.scalar_type() != at::kFloat) continue;
        own.addPairs(fp, simulatedParameter(graph, network.model->plan, slot), mostPairs, mostPairs);
        own.addChannels(fp, valuesPerChannel);
    }
    for (std::size_t o = 0; o < op.outputs.size(); ++o) {
        if (op.outputs[o] == noVar) continue;
        const Slot slot = outputSlot(op.id, o);
        found[network.place(slot)].axis = channelAxis(*network.model, slot);
        activations.push_back(network.place(slot));
    }
}

api::Measures details(const AnalysisContext &context, const nlohmann::json &params)
{
    const auto names = params.at("operations").get<std::vector<std::string>>();
    if (names.empty())
        context.report({.severity = api::Severity::Warning,
                        .message = QL_TEXT("analysis 'details': no operations are listed"),
                        .remedy = QL_TEXT("List operations: --set 'analyses.details.operations=[\"stem\"]'.")});
    const auto mostPairs = params.at("pairs").get<std::size_t>();
    const std::vector<Network> networks = networksOf(context.model);
    Found found;
    std::vector<BodySlot> activations;
    for (const Network &network : networks)
        for (const OpId id : network.graph().topological())
            if (network.isNamed(names, id))
                addOperation(network, network.graph().operation(id), mostPairs, found, activations);
    if (const std::size_t batches = context.data ? std::min(context.batches, context.data->size()) : 0; batches > 0)
        forEachTensorPair(context, activations, "details",
                          [&](const BodySlot &place, const at::Tensor &fp, const at::Tensor &q, std::int64_t) {
                              SlotDetails &own = found.at(place);
                              own.addChannels(fp, valuesPerChannel / batches);
                              own.addPairs(fp, q, mostPairs / batches, mostPairs); // a body may run often
                          });
    api::Measures result;
    result.details.emplace();
    for (const Network &network : networks)
        for (auto &[place, own] : found)
            if (place.path == network.path && (!own.pairs.original.empty() || !own.spread.values.empty()))
                result.details->push_back(rowOf(network, place.slot, own));
    return result;
}

const AnalyserRegistrar detailsEntry{
    "details",
    {.info = {.id = "details",
              .title = QL_TEXT("Values and channels of operations"),
              .meaning = QL_TEXT(
                  "Evenly sampled pairs of float and quantized values, and minimum, quartiles and maximum of every "
                  "channel, for each input, parameter and output of the selected operations."),
              .params = {{.name = "operations",
                          .type = "strings",
                          .fallback = nlohmann::json::array(),
                          .meaning = QL_TEXT("Names or patterns of the operations.")},
                         {.name = "pairs",
                          .type = "int",
                          .fallback = 2000,
                          .meaning = QL_TEXT("Maximum number of value pairs per tensor."),
                          .min = 0,
                          .max = 100000}}},
     .needsData = false,
     .run = details}};

} // namespace

} // namespace ql
