// Distributions of tensors in float and quantized: statistics (every slot of quantized operations, those in bodies
// included), variables (by name), parameters (weights; no data needed).
#include "core/analysis/analyser.h"
#include "core/analysis/channel_ranges.h"
#include "core/analysis/distribution.h"
#include "core/analysis/tensor_pairs.h"
#include "core/base/strings.h"
#include "core/ir/op_traits.h"
#include "core/quant/networks.h"
#include "core/quant/quantize.h"

#include <algorithm>
#include <map>
#include <set>

namespace ql {

namespace {

/// A slot of one of the networks of the model.
struct Place
{
    const Network *network;
    Slot slot;

    const Graph &graph() const { return network->graph(); }
    VarId variable() const { return variableOf(graph(), slot); }
};

api::DistributionRow rowHead(const Place &place)
{
    const Operation &op = place.graph().operation(place.slot.op);
    api::DistributionRow row;
    row.op = place.network->nameOf(op.id);
    row.type = op.type;
    row.variable = place.graph().variable(place.variable()).name;
    row.role = roleOf(place.graph(), place.slot);
    row.index = place.slot.index;
    return row;
}

/// A parameter is the same in every batch: its values are counted once, and no number of samples is reported.
api::DistributionRow parameterRow(const Place &place, bool isFine)
{
    const at::Tensor fp = place.graph().variable(place.variable()).value;
    const at::Tensor q = simulatedParameter(place.graph(), place.network->model->plan, place.slot);
    TensorDistributions distributions(isFine);
    for (int phase = 0; phase < 2; ++phase) distributions.add(phase, fp, q, 1);
    api::DistributionRow row = rowHead(place);
    distributions.fill(row);
    row.samples.reset();
    return row;
}

/// Float and quantized values of the slots, those of activations batch by batch, in two passes over the data.
std::vector<api::DistributionRow> distributionsOf(const AnalysisContext &context, const std::vector<Place> &places,
                                                  bool isFine, const Text &what)
{
    std::map<BodySlot, TensorDistributions> result;
    std::vector<BodySlot> activations;
    for (const Place &place : places) {
        const BodySlot slot = place.network->place(place.slot);
        if (!place.graph().isParameter(place.variable()) && result.emplace(slot, isFine).second)
            activations.push_back(slot);
    }
    for (int phase = 0; phase < 2; ++phase) {
        AnalysisContext half = context;
        half.job = context.job.part(0.5 * phase, 0.5 * (phase + 1));
        forEachTensorPair(half, activations, what,
                          [&](const BodySlot &slot, const at::Tensor &fp, const at::Tensor &q, std::int64_t samples) {
                              result.at(slot).add(phase, fp, q, rowsOf(q, samples));
                          });
    }
    std::vector<api::DistributionRow> rows;
    for (const Place &place : places) {
        const auto it = result.find(place.network->place(place.slot));
        if (it == result.end()) {
            const at::Tensor &value = place.graph().variable(place.variable()).value;
            if (value.scalar_type() == at::kFloat && value.numel() > 0) rows.push_back(parameterRow(place, isFine));
            continue;
        }
        if (it->second.original.empty()) continue; // integer tensors have no distribution to compare
        rows.push_back(rowHead(place));
        it->second.fill(rows.back());
    }
    return rows;
}

/// operations: names or patterns; empty means all quantized operations that do arithmetic.
api::Measures statistics(const AnalysisContext &context, const nlohmann::json &params)
{
    const auto patterns = params.at("operations").get<std::vector<std::string>>();
    const std::vector<Network> networks = networksOf(context.model);
    std::vector<Place> places;
    for (const Network &network : networks)
        for (const OpId id : network.graph().topological()) {
            const Operation &op = network.graph().operation(id);
            // If named explicitly, an FP32 operation is included: its inputs have errors
            const bool isWanted =
                patterns.empty() ? network.model->isQuantized(id) && !isPassive(op) : network.isNamed(patterns, id);
            if (!isWanted) continue;
            for (const Slot slot : slotsOf(op)) {
                const VarId variable = variableOf(op, slot);
                if (variable == noVar) continue;
                if (slot.output || network.graph().variable(variable).type.dtype == at::kFloat)
                    places.push_back({&network, slot});
            }
        }
    api::Measures result;
    result.statistics = distributionsOf(context, places, params.at("fine"), "statistics");
    return result;
}

api::Measures variables(const AnalysisContext &context, const nlohmann::json &params)
{
    const Graph &graph = context.model.graph;
    auto names = params.at("names").get<std::vector<std::string>>();
    if (names.empty())
        for (const VarId id : graph.outputs()) names.push_back(graph.variable(id).name);
    const std::vector<Network> networks = networksOf(context.model);
    std::vector<Place> places; // of the model's own network
    for (const std::string &name : names) {
        bool found = false;
        for (const VarId id : graph.variables()) {
            const Variable &variable = graph.variable(id);
            if (variable.name != name && !globMatch(name, variable.name)) continue;
            found = true;
            if (variable.producer != noOp)
                places.push_back(
                    {&networks.front(), outputSlot(variable.producer, std::size_t(variable.producerIndex))});
            else if (!variable.uses.empty())
                places.push_back(
                    {&networks.front(), inputSlot(variable.uses[0].op, std::size_t(variable.uses[0].index))});
        }
        if (found) continue;
        std::vector<std::string> known;
        for (const VarId id : graph.variables()) known.push_back(graph.variable(id).name);
        throw Error(ErrorKind::BadConfig,
                    Text::sentences({QL_TEXT("analysis 'variables': no tensor is called '%1'.").with(name),
                                     suggestion(name, known)}));
    }
    api::Measures result;
    result.variables = distributionsOf(context, places, params.at("fine"), "variables");
    return result;
}

api::Measures parameters(const AnalysisContext &context, const nlohmann::json &params)
{
    const auto patterns = params.at("operations").get<std::vector<std::string>>();
    std::vector<api::DistributionRow> rows;
    for (const Network &network : networksOf(context.model))
        for (const OpId id : network.graph().topological()) {
            const Graph &graph = network.graph();
            const Operation &op = graph.operation(id);
            if (patterns.empty() ? !network.model->isQuantized(id) : !network.isNamed(patterns, id)) continue;
            for (std::size_t i = 0; i < op.inputs.size(); ++i) {
                if (!graph.isParameter(op.inputs[i])) continue;
                const at::Tensor fp = graph.variable(op.inputs[i]).value;
                if (fp.scalar_type() != at::kFloat || fp.numel() < 2) continue;
                context.job.checkpoint();
                const Slot slot = inputSlot(id, i);
                api::DistributionRow row = parameterRow({&network, slot}, params.at("fine"));
                const std::int64_t axis = channelAxis(*network.model, slot);
                if (fp.dim() > 1 && axis < fp.dim()) row.channels = channelRanges(fp, axis);
                rows.push_back(std::move(row));
            }
        }
    api::Measures result;
    result.parameters = std::move(rows);
    return result;
}

const api::ParamSpec fineParam{.name = "fine",
                               .type = "bool",
                               .fallback = false,
                               .meaning = QL_TEXT("Histograms of 512 bins instead of 64, the number of zeros, and "
                                                  "every distinct value if there are at most 256.")};

const AnalyserRegistrar statisticsEntry{
    "statistics",
    {.info =
         {.id = "statistics",
          .title = QL_TEXT("Tensor statistics"),
          .meaning = QL_TEXT(
              "Distribution of float, quantized and noise values of every input and output of quantized operations."),
          .params = {{.name = "operations",
                      .type = "strings",
                      .fallback = nlohmann::json::array(),
                      .meaning =
                          QL_TEXT("Names or patterns of the operations to inspect; empty: all that do arithmetic.")},
                     fineParam}},
     .run = statistics}};

const AnalyserRegistrar variablesEntry{
    "variables",
    {.info = {.id = "variables",
              .title = QL_TEXT("Variables"),
              .meaning = QL_TEXT("Distribution of selected tensors."),
              .params = {{.name = "names",
                          .type = "strings",
                          .fallback = nlohmann::json::array(),
                          .meaning = QL_TEXT("Names or patterns of tensors; empty: the graph outputs.")},
                         fineParam}},
     .run = variables}};

const AnalyserRegistrar parametersEntry{
    "parameters",
    {.info = {.id = "parameters",
              .title = QL_TEXT("Parameters"),
              .meaning = QL_TEXT("Distribution of float and quantized weights, with the range of every channel."),
              .params = {{.name = "operations",
                          .type = "strings",
                          .fallback = nlohmann::json::array(),
                          .meaning = QL_TEXT("Names or patterns of the operations to inspect; empty: all.")},
                         fineParam}},
     .needsData = false,
     .run = parameters}};

} // namespace

} // namespace ql
