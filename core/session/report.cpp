#include "core/session/report.h"

#include "core/analysis/error_measure.h"
#include "core/exec/executor.h"
#include "core/exec/threads.h"
#include "core/io/native.h"
#include "core/ir/input_names.h"
#include "core/ir/op_traits.h"
#include "core/ir/subgraphs.h"
#include "core/platform/dispatcher.h"
#include "core/platform/quantizer.h"
#include "core/platform/rule.h"
#include "core/quant/networks.h"
#include "core/session/run_checks.h"

#include <torch/version.h>

#include <algorithm>
#include <fstream>
#include <map>

namespace ql {

using nlohmann::json;

namespace {

/// Names of the tensors; empty for an omitted one.
std::vector<std::string> namesOf(const Graph &graph, const std::vector<VarId> &ids)
{
    std::vector<std::string> names;
    for (const VarId id : ids) names.push_back(id == noVar ? std::string() : graph.variable(id).name);
    return names;
}

/// Whether a run rounds, or with waits will round, a tensor of the operation. Without configs: by its dispatch.
bool isRounded(const QuantModel &model, OpId id, bool waits)
{
    const std::string where = model.platformOf(id);
    if (where.empty() || where == fp32Platform || where == soiPlatform) return false;
    if (model.plan.configs().empty()) return true;
    const std::vector<Slot> slots = model.plan.slotsOf(id);
    return std::any_of(slots.begin(), slots.end(), [&](Slot slot) {
        // An output that a later operation rounds (a Conv before its Relu) is not rounded by this one
        const Slot root = slot.output ? slot : model.plan.root(slot);
        return model.plan.simulated(root) || (waits && model.plan.find(root)->state == QuantState::Initial);
    });
}

void fillOperation(api::OperationRow &row, const QuantModel &model, OpId id, bool waits)
{
    const Graph &graph = model.graph;
    const Operation &op = graph.operation(id);
    row.name = op.name;
    row.type = op.type;
    row.domain = op.domain;
    row.quantized = isRounded(model, id, waits);
    row.inputs = namesOf(graph, op.inputs);
    row.outputs = namesOf(graph, op.outputs);
    if (const auto dispatched = model.dispatch.find(id); dispatched != model.dispatch.end()) {
        row.platform = dispatched->second.platform;
        row.reason = dispatched->second.reason;
        if (dispatched->second.setBy.isOverride()) row.setBy = dispatched->second.setBy;
    }
    const TargetKernel::Result result = model.plan.kernelOf(id).result;
    if (result == TargetKernel::Result::Rounded) return;
    const Text note =
        result == TargetKernel::Result::Exact
            ? QL_TEXT("Its output is not rounded by the runtime, which computes its reader in the same kernel.")
            : QL_TEXT("Its output is only limited to the range of its codes by the runtime, not rounded.");
    row.reason = row.reason.isEmpty() ? note : Text::sentences({row.reason, note});
}

/// The readable form of an attribute; tensors and subgraphs are described by their size.
json attributeValue(const Attribute &attribute)
{
    if (const auto *v = std::get_if<std::int64_t>(&attribute)) return *v;
    if (const auto *v = std::get_if<float>(&attribute)) return *v;
    if (const auto *v = std::get_if<std::string>(&attribute)) return *v;
    if (const auto *v = std::get_if<std::vector<std::int64_t>>(&attribute)) return *v;
    if (const auto *v = std::get_if<std::vector<float>>(&attribute)) return *v;
    if (const auto *v = std::get_if<std::vector<std::string>>(&attribute)) return *v;
    if (const auto *v = std::get_if<at::Tensor>(&attribute)) {
        return api::toJson(QL_TEXT("tensor %1 %2").with(sizesText(v->sizes()), dtypeName(v->scalar_type())));
    }
    if (const auto *v = std::get_if<std::shared_ptr<const Graph>>(&attribute))
        return api::toJson(QL_TEXT("subgraph of %1 operations").with(*v ? (*v)->operationCount() : 0));
    return kindName(attribute);
}

json attributesOf(const Operation &op)
{
    json attributes = json::object();
    for (const auto &[name, value] : op.attributes)
        if (name != capturesAttribute) attributes[name] = attributeValue(value); // an input that is not in the file
    return attributes;
}

api::TensorRow tensorRow(const Variable &variable, const TensorType &type)
{
    return {variable.name, elementTypeName(variable, type), toString(type), variable.isParameter(), {}};
}

using BodyNames = std::map<std::pair<BodyPath, OpId>, std::string>;
std::vector<api::BodyRow> bodyRows(const Operation &op, const BodyPath &path, const BodyNames &names);

/// Operator facts for the window. path: of op, if it is in a body. names: of all operations in bodies
void fillFacts(api::OperatorFacts &facts, const Graph &graph, const Operation &op, const BodyPath &path,
               const BodyNames &names)
{
    facts.attributes = attributesOf(op);
    facts.bodies = bodyRows(op, path, names);
    const OpTraits &traits = traitsOf(op);
    facts.activation = traits.activation != Activation::None;
    if (!traits.weights) return;
    api::WeightInputs &weights = facts.weights.emplace();
    weights.input = traits.weights->weight;
    weights.bias = traits.weights->bias;
    const auto input = std::size_t(weights.input);
    if (!isLayer(op) || !op.hasInput(input) || !graph.variable(op.inputs[input]).type.isStatic()) return;
    const std::vector<std::int64_t> sizes = graph.variable(op.inputs[input]).type.sizes();
    weights.channels = {inputChannelCount(op, sizes), outputChannelCount(op, sizes)};
}

/// The graphs inside an operation (branches of If, bodies of Loop and Scan), with the graphs inside them.
std::vector<api::BodyRow> bodyRows(const Operation &op, const BodyPath &path, const BodyNames &names)
{
    std::vector<api::BodyRow> rows;
    for (const auto &[attribute, value] : op.attributes) {
        const auto *body = std::get_if<std::shared_ptr<const Graph>>(&value);
        if (!body || !*body) continue;
        const Graph &graph = **body;
        api::BodyRow &row = rows.emplace_back();
        BodyPath inside = path;
        inside.emplace_back(op.id, attribute);
        row.attribute = attribute;
        row.inputs = namesOf(graph, graph.inputs());
        row.outputs = namesOf(graph, graph.outputs());
        for (const OpId id : graph.topological()) {
            const Operation &inner = graph.operation(id);
            api::BodyOperation &operation = row.operations.emplace_back();
            operation.name = names.at({inside, id});
            operation.type = inner.type;
            operation.domain = inner.domain;
            operation.inputs = namesOf(graph, inner.inputs);
            operation.outputs = namesOf(graph, inner.outputs);
            fillFacts(operation, graph, inner, inside, names);
        }
        for (const VarId id : graph.variables())
            row.tensors.push_back(tensorRow(graph.variable(id), graph.variable(id).type));
    }
    return rows;
}

} // namespace

/// The config shown in a row: with the effective scale, whoever owns it, and its origin.
static TensorQuantConfig shownOf(const QuantPlan &plan, const Slot &slot, const TensorQuantConfig &config)
{
    TensorQuantConfig shown = config;
    shown.parent.reset();
    shown.scale = plan.scale(slot);
    shown.zeroPoint = plan.zeroPoint(slot);
    if (config.parent)
        if (const TensorQuantConfig *shared = plan.find(plan.root(slot)))
            shown.setBy[std::size_t(ConfigField::Scale)] = shared->setBy[std::size_t(ConfigField::Scale)];
    return shown;
}

static api::QuantScheme schemeOf(const TensorQuantConfig &config, const QuantPlan &plan)
{
    api::QuantScheme scheme;
    scheme.state = config.state;
    scheme.bits = config.bits;
    scheme.exponentBits = config.exponentBits;
    scheme.quantMin = config.quantMin;
    scheme.quantMax = config.quantMax;
    scheme.symmetric = config.symmetric;
    scheme.powerOfTwo = config.powerOfTwo;
    scheme.dynamic = config.dynamic;
    scheme.channelAxis = config.channelAxis;
    scheme.groupSize = config.groupSize;
    scheme.scaleFormat = config.scaleFormat;
    scheme.codebook = config.codebook;
    scheme.rounding = config.rounding;
    scheme.observer = config.observer;
    scheme.percentile = config.percentile;
    scheme.percentileOver = config.percentileOver;
    scheme.minScale = config.minScale;
    scheme.histogramBins = config.histogramBins;
    scheme.isotoneAxis = config.isotoneAxis;
    scheme.visibility = config.visibility;
    scheme.scale = config.scale;
    scheme.zeroPoint = config.zeroPoint;
    for (std::size_t f = 0; f < std::size_t(ConfigField::Count); ++f)
        scheme.setBy[toString(ConfigField(f))] = plan.origin(config, ConfigField(f));
    return scheme;
}

/// forEachSlot() of one graph. nameOfOperation: of its operations
template <class Row, class Take, class Name>
static void forEachSlotOf(const QuantModel &model, const Name &nameOfOperation, const Take &take)
{
    const Graph &graph = model.graph;
    const auto nameOf = [&](const Slot &slot) {
        return api::SlotName{nameOfOperation(slot.op), roleOf(graph, slot), slot.index};
    };
    for (const OpId id : graph.topological()) {
        for (const Slot slot : model.plan.slotsOf(id)) {
            const Operation &op = graph.operation(id);
            const VarId variable = variableOf(op, slot);
            if (variable == noVar) continue;
            Row row;
            row.slot = nameOf(slot);
            row.variable = graph.variable(variable).name;
            row.quantizable = !neverQuantizedReason(graph, op, slot);
            if (hasOutputChannels(graph, op, slot))
                if (const auto axis = outputChannelAxis(graph, op, slot)) row.outputChannelAxis = int(*axis);
            if (const Slot root = model.plan.root(slot); root != slot) row.root = nameOf(root);
            take(std::move(row), model.plan, shownOf(model.plan, slot, *model.plan.find(slot)));
        }
    }
}

/// Calls take(row, plan, config) for each slot that has a config, in execution order, and then for those in bodies.
/// Row: api::ConfigRow or api::ShortConfigRow, with the fields of the slot; config: as returned by shownOf().
template <class Row, class Take>
static void forEachSlot(const QuantModel &model, const Take &take)
{
    for (const Network &network : networksOf(model))
        forEachSlotOf<Row>(
            *network.model, [&](OpId id) { return network.nameOf(id); }, take);
}

std::vector<api::ConfigRow> configRows(const QuantModel &model)
{
    std::vector<api::ConfigRow> rows;
    forEachSlot<api::ConfigRow>(model, [&](api::ConfigRow row, const QuantPlan &plan, const TensorQuantConfig &config) {
        row.scheme = schemeOf(config, plan);
        rows.push_back(std::move(row));
    });
    return rows;
}

api::ShortConfigs shortConfigRows(const QuantModel &model)
{
    api::ShortConfigs configs;
    std::map<const QuantPlan *, std::map<TensorQuantConfig, std::size_t>> known; // origins belong to a plan
    forEachSlot<api::ShortConfigRow>(
        model, [&](api::ShortConfigRow row, const QuantPlan &plan, TensorQuantConfig config) {
            const auto [place, isNew] = known[&plan].try_emplace(std::move(config), configs.schemes.size());
            if (isNew) configs.schemes.push_back(schemeOf(place->first, plan));
            row.scheme = place->second;
            configs.rows.push_back(std::move(row));
        });
    return configs;
}

namespace {

/// The common part of two problems that say the same about two tensors: the sentence without its numbers.
std::string kindOf(const api::Problem &problem)
{
    return toString(problem.severity) + ("\n" + problem.message.source() + "\n" + problem.remedy.source());
}

/// The worst first. A sentence about more than three tensors is reported once, with some of their names.
std::vector<api::Problem> problemRows(const std::vector<api::Problem> &problems)
{
    constexpr std::size_t most = 3;
    std::map<std::string, std::vector<const api::Problem *>> kinds;
    const auto isNamed = [](const api::Problem &problem) { return !problem.variable.empty() || !problem.op.empty(); };
    for (const api::Problem &problem : problems)
        if (isNamed(problem)) kinds[kindOf(problem)].push_back(&problem);
    std::vector<api::Problem> rows;
    for (const auto severity : {api::Severity::Error, api::Severity::Warning, api::Severity::Info})
        for (const api::Problem &problem : problems) {
            if (problem.severity != severity) continue;
            if (!isNamed(problem) || kinds.at(kindOf(problem)).size() <= most) {
                rows.push_back(problem);
                continue;
            }
            const auto &same = kinds.at(kindOf(problem));
            if (same.front() != &problem) continue;
            api::Problem group = problem;
            std::vector<Text> names;
            for (std::size_t i = 1; i <= most; ++i)
                names.push_back("'" + (same[i]->variable.empty() ? same[i]->op : same[i]->variable) + "'");
            if (same.size() > most + 1) names.push_back("...");
            group.message = QL_TEXT("%1; also %2 more: %3").with(problem.message, same.size() - 1, Text::list(names));
            rows.push_back(std::move(group));
        }
    return rows;
}

/// The peak resident size of this program. Not ru_maxrss: that starts with the size of the parent process.
double peakMebibytes()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:")) return double(std::stoll(line.substr(6))) / 1024.0;
    return 0;
}

api::Tool toolOf(const api::Recipe &recipe)
{
    return {"quantloupe", QL_VERSION, TORCH_VERSION, recipe.device, threadsFor(recipe.threads)};
}

/// The operations of bodies that have no plan. quantized: the other networks
void addFloatBodies(std::vector<api::OperationRow> &rows, const Graph &graph, const std::vector<Network> &quantized)
{
    for (const auto &[path, names] : namesOfBodies(graph)) {
        if (std::any_of(quantized.begin(), quantized.end(), [&](const Network &n) { return n.path == path; })) continue;
        const Graph &body = bodyAt(graph, path);
        for (const OpId id : body.topological()) {
            const Operation &op = body.operation(id);
            rows.push_back({.name = shownName(body, id, names),
                            .type = op.type,
                            .domain = op.domain,
                            .platform = fp32Platform,
                            .inputs = namesOf(body, op.inputs),
                            .outputs = namesOf(body, op.outputs),
                            .reason = QL_TEXT("in a body without quantized operations")});
        }
    }
}

} // namespace

api::Report makeReport(const RunState &state, api::Measures measures, std::vector<api::ExportRow> exports,
                       double seconds)
{
    api::Report report;
    report.tool = toolOf(state.recipe);
    report.model = state.modelFacts;
    report.inputsKey = state.inputsKey;
    report.recipe = state.recipe;
    report.measures = std::move(measures);
    report.passes = state.passes;
    report.stages = state.stages;
    report.exports = std::move(exports);
    report.problems = problemRows(state.problems);
    report.seconds = seconds;
    report.peakRssMib = peakMebibytes();
    const std::vector<Network> networks = networksOf(state.model);
    for (const Network &network : networks)
        for (const OpId id : network.graph().topological()) {
            api::OperationRow &row = report.operations.emplace_back();
            fillOperation(row, *network.model, id, false);
            row.name = network.nameOf(id);
        }
    addFloatBodies(report.operations, state.model.graph, networks);
    report.configs = configRows(state.model);
    return report;
}

/// The values of a small parameter; otherwise nothing.
static std::vector<std::optional<double>> smallValue(const Variable &variable)
{
    constexpr std::int64_t most = 32;
    std::vector<std::optional<double>> values;
    if (!variable.isParameter() || !variable.value.defined() || variable.value.numel() > most) return values;
    const at::Tensor flat = variable.value.to(at::kDouble).contiguous();
    for (std::int64_t i = 0; i < flat.numel(); ++i) values.push_back(ifFinite(flat.data_ptr<double>()[i]));
    return values;
}

/// By type, the input names of the graph's operators, as specified. For a type with any number of inputs, those of the
/// operation with the most.
static std::map<std::string, std::vector<std::string>> namesOfInputs(const Graph &graph)
{
    std::map<std::string, std::vector<std::string>> names;
    for (const OpId id : graph.topological()) {
        const Operation &op = graph.operation(id);
        std::vector<std::string> &known = names[op.type];
        if (known.size() < op.inputs.size())
            if (std::vector<std::string> own = inputNames(op); own.size() > known.size()) known = std::move(own);
    }
    std::erase_if(names, [](const auto &entry) { return entry.second.empty(); });
    return names;
}

api::Inspection makeInspection(const RunState &state)
{
    const Graph &graph = state.model.graph;
    api::Inspection inspection;
    inspection.tool = toolOf(state.recipe);
    inspection.model = state.modelFacts;
    inspection.inputsKey = state.inputsKey;
    inspection.platform = state.recipe.platform;
    inspection.dispatcher = state.recipe.dispatcher;
    const BodyNames names = namesInBodies(graph);
    for (const OpId id : graph.topological()) {
        api::InspectedOperation &row = inspection.operations.emplace_back();
        fillOperation(row, state.model, id, true);
        fillFacts(row, graph, graph.operation(id), {}, names);
    }
    inspection.inputNames = namesOfInputs(graph);
    for (const VarId id : graph.variables()) {
        const Variable &v = graph.variable(id);
        const auto known = state.outputTypes.find(id);
        inspection.tensors.push_back(tensorRow(v, known == state.outputTypes.end() ? v.type : known->second));
        inspection.tensors.back().values = smallValue(v);
    }
    for (const UnsupportedOp &op : unsupportedOps(graph))
        inspection.unsupported.push_back({op.op, op.type, op.domain, op.opset, op.why, unsupportedRemedy(op)});
    inspection.problems = problemRows(state.problems);
    return inspection;
}

} // namespace ql
