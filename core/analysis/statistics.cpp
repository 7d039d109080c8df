// Distributions of tensors in float and quantized: statistics (every slot of quantized operations), variables (by
// name), parameters (weights; no data needed).
#include "core/analysis/analyser.h"
#include "core/analysis/channel_ranges.h"
#include "core/analysis/distribution.h"
#include "core/analysis/tensor_pairs.h"
#include "core/base/strings.h"
#include "core/ir/op_traits.h"
#include "core/quant/quantize.h"

#include <algorithm>
#include <map>
#include <set>

namespace ql {

namespace {

api::DistributionRow rowHead(const Graph &graph, Slot slot)
{
    const Operation &op = graph.operation(slot.op);
    api::DistributionRow row;
    row.op = op.name;
    row.type = op.type;
    row.variable = graph.variable(variableOf(graph, slot)).name;
    row.role = roleOf(graph, slot);
    row.index = slot.index;
    return row;
}

/// A parameter is the same in every batch: its values are counted once, and no number of samples is reported.
api::DistributionRow parameterRow(const QuantModel &model, Slot slot, bool isFine)
{
    const VarId id = variableOf(model.graph, slot);
    const at::Tensor fp = model.graph.variable(id).value;
    const at::Tensor q = simulatedParameter(model.graph, model.plan, slot);
    TensorDistributions distributions(isFine);
    for (int phase = 0; phase < 2; ++phase) distributions.add(phase, fp, q, 1);
    api::DistributionRow row = rowHead(model.graph, slot);
    distributions.fill(row);
    row.samples.reset();
    return row;
}

/// Float and quantized values of the slots, those of activations batch by batch, in two passes over the data.
std::vector<api::DistributionRow> distributionsOf(const AnalysisContext &context, const std::vector<Slot> &slots,
                                                  bool isFine, const Text &what)
{
    const Graph &graph = context.model.graph;
    std::map<Slot, TensorDistributions> result;
    std::vector<Slot> activations;
    for (const Slot slot : slots)
        if (!graph.isParameter(variableOf(graph, slot)) && result.emplace(slot, isFine).second)
            activations.push_back(slot);
    for (int phase = 0; phase < 2; ++phase) {
        AnalysisContext half = context;
        half.job = context.job.part(0.5 * phase, 0.5 * (phase + 1));
        forEachTensorPair(half, activations, what,
                          [&](Slot slot, const at::Tensor &fp, const at::Tensor &q, std::int64_t samples) {
                              result.at(slot).add(phase, fp, q, rowsOf(q, samples));
                          });
    }
    std::vector<api::DistributionRow> rows;
    for (const Slot slot : slots) {
        const auto it = result.find(slot);
        if (it == result.end()) {
            const at::Tensor &value = graph.variable(variableOf(graph, slot)).value;
            if (value.scalar_type() == at::kFloat && value.numel() > 0)
                rows.push_back(parameterRow(context.model, slot, isFine));
            continue;
        }
        if (it->second.original.empty()) continue; // integer tensors have no distribution to compare
        rows.push_back(rowHead(graph, slot));
        it->second.fill(rows.back());
    }
    return rows;
}

/// operations: names or patterns; empty means all quantized operations that do arithmetic.
api::Measures statistics(const AnalysisContext &context, const nlohmann::json &params)
{
    const Graph &graph = context.model.graph;
    const auto patterns = params.at("operations").get<std::vector<std::string>>();
    std::vector<Slot> slots;
    for (const OpId id : graph.topological()) {
        const Operation &op = graph.operation(id);
        // If named explicitly, an FP32 operation is included: its inputs have errors
        const bool isWanted =
            patterns.empty() ? context.model.isQuantized(id) && !isPassive(op) : isNamed(patterns, op.name);
        if (!isWanted) continue;
        for (const Slot slot : slotsOf(op)) {
            const VarId variable = variableOf(op, slot);
            if (variable == noVar) continue;
            if (slot.output || graph.variable(variable).type.dtype == at::kFloat) slots.push_back(slot);
        }
    }
    api::Measures result;
    result.statistics = distributionsOf(context, slots, params.at("fine"), "statistics");
    return result;
}

api::Measures variables(const AnalysisContext &context, const nlohmann::json &params)
{
    const Graph &graph = context.model.graph;
    auto names = params.at("names").get<std::vector<std::string>>();
    if (names.empty())
        for (const VarId id : graph.outputs()) names.push_back(graph.variable(id).name);
    std::vector<Slot> slots;
    for (const std::string &name : names) {
        bool found = false;
        for (const VarId id : graph.variables()) {
            const Variable &variable = graph.variable(id);
            if (variable.name != name && !globMatch(name, variable.name)) continue;
            found = true;
            if (variable.producer != noOp)
                slots.push_back(outputSlot(variable.producer, std::size_t(variable.producerIndex)));
            else if (!variable.uses.empty())
                slots.push_back(inputSlot(variable.uses[0].op, std::size_t(variable.uses[0].index)));
        }
        if (found) continue;
        std::vector<std::string> known;
        for (const VarId id : graph.variables()) known.push_back(graph.variable(id).name);
        throw Error(ErrorKind::BadConfig,
                    Text::sentences({QL_TEXT("analysis 'variables': no tensor is called '%1'.").with(name),
                                     suggestion(name, known)}));
    }
    api::Measures result;
    result.variables = distributionsOf(context, slots, params.at("fine"), "variables");
    return result;
}

api::Measures parameters(const AnalysisContext &context, const nlohmann::json &params)
{
    const Graph &graph = context.model.graph;
    const auto patterns = params.at("operations").get<std::vector<std::string>>();
    std::vector<api::DistributionRow> rows;
    for (const OpId id : graph.topological()) {
        const Operation &op = graph.operation(id);
        if (patterns.empty() ? !context.model.isQuantized(id) : !isNamed(patterns, op.name)) continue;
        for (std::size_t i = 0; i < op.inputs.size(); ++i) {
            if (!graph.isParameter(op.inputs[i])) continue;
            const at::Tensor fp = graph.variable(op.inputs[i]).value;
            if (fp.scalar_type() != at::kFloat || fp.numel() < 2) continue;
            context.job.checkpoint();
            const Slot slot = inputSlot(id, i);
            api::DistributionRow row = parameterRow(context.model, slot, params.at("fine"));
            const std::int64_t axis = channelAxis(context.model, slot);
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
