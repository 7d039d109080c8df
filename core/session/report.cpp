#include "core/session/report.h"

#include "core/analysis/error_measure.h"
#include "core/api/text_json.h"
#include "core/base/strings.h"
#include "core/exec/executor.h"
#include "core/exec/threads.h"
#include "core/io/native.h"
#include "core/ir/input_names.h"
#include "core/ir/op_traits.h"
#include "core/ir/subgraphs.h"
#include "core/platform/dispatcher.h"
#include "core/platform/quantizer.h"
#include "core/platform/rule.h"
#include "core/session/run_checks.h"

#include <torch/version.h>

#include <algorithm>
#include <fstream>
#include <map>

namespace ql {

using nlohmann::json;

namespace {

json nameOf(const Graph &graph, VarId id)
{
    return id == noVar ? json("") : json(graph.variable(id).name);
}

/// Whether a run rounds, or with waits will round, something at the operation. Without configs: by its dispatch.
bool isRounded(const QuantModel &model, OpId id, bool waits)
{
    const std::string where = model.platformOf(id);
    if (where.empty() || where == fp32Platform || where == soiPlatform) return false;
    if (model.plan.configs().empty()) return true;
    const std::vector<Slot> slots = model.plan.slotsOf(id);
    return std::any_of(slots.begin(), slots.end(), [&](Slot slot) {
        const Slot root = model.plan.root(slot);
        return model.plan.simulated(root) || (waits && model.plan.find(root)->state == QuantState::Initial);
    });
}

json operationRow(const RunState &state, OpId id, bool waits)
{
    const Graph &graph = state.model.graph;
    const Operation &op = graph.operation(id);
    json inputs = json::array(), outputs = json::array();
    for (const VarId input : op.inputs) inputs.push_back(nameOf(graph, input));
    for (const VarId output : op.outputs) outputs.push_back(nameOf(graph, output));
    const auto dispatched = state.model.dispatch.find(id);
    const std::string where = dispatched == state.model.dispatch.end() ? std::string() : dispatched->second.platform;
    json row = {{"name", op.name},
                {"type", op.type},
                {"domain", op.domain},
                {"platform", where},
                {"quantized", isRounded(state.model, id, waits)},
                {"inputs", inputs},
                {"outputs", outputs}};
    api::putText(row, "reason", dispatched == state.model.dispatch.end() ? Text() : dispatched->second.reason);
    if (dispatched != state.model.dispatch.end() && dispatched->second.setBy.isOverride())
        row["set_by"] = api::toJson(dispatched->second.setBy);
    return row;
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

/// Operator facts for the window: which inputs are weights and bias, the number of channels of a layer, and whether it
/// is an activation.
void addOperatorFacts(json &row, const Graph &graph, const Operation &op)
{
    const OpTraits &traits = traitsOf(op);
    if (traits.activation != Activation::None) row["activation"] = true;
    if (!traits.weights) return;
    json weights = {{"input", traits.weights->weight}};
    if (traits.weights->bias >= 0) weights["bias"] = traits.weights->bias;
    const auto input = std::size_t(traits.weights->weight);
    if (isLayer(op) && op.hasInput(input) && graph.variable(op.inputs[input]).type.isStatic()) {
        const std::vector<std::int64_t> sizes = graph.variable(op.inputs[input]).type.sizes();
        weights["channels"] = {inputChannelCount(op, sizes), outputChannelCount(op, sizes)};
    }
    row["weights"] = std::move(weights);
}

/// The graphs inside an operation (branches of If, bodies of Loop and Scan), with the graphs inside them. Names are
/// those of the body; a tensor without producer in the body that is not one of its inputs comes from the outer graph.
json bodyRows(const Operation &op)
{
    json rows = json::array();
    for (const auto &[attribute, value] : op.attributes) {
        const auto *body = std::get_if<std::shared_ptr<const Graph>>(&value);
        if (!body || !*body) continue;
        const Graph &graph = **body;
        json row = {{"attribute", attribute},
                    {"inputs", json::array()},
                    {"outputs", json::array()},
                    {"operations", json::array()},
                    {"tensors", json::array()}};
        for (const VarId id : graph.inputs()) row["inputs"].push_back(nameOf(graph, id));
        for (const VarId id : graph.outputs()) row["outputs"].push_back(nameOf(graph, id));
        for (const OpId id : graph.topological()) {
            const Operation &inner = graph.operation(id);
            json inputs = json::array(), outputs = json::array();
            for (const VarId input : inner.inputs) inputs.push_back(nameOf(graph, input));
            for (const VarId output : inner.outputs) outputs.push_back(nameOf(graph, output));
            json operation = {{"name", inner.name},
                              {"type", inner.type},
                              {"domain", inner.domain},
                              {"inputs", std::move(inputs)},
                              {"outputs", std::move(outputs)},
                              {"attributes", attributesOf(inner)}};
            addOperatorFacts(operation, graph, inner);
            if (json deeper = bodyRows(inner); !deeper.empty()) operation["bodies"] = std::move(deeper);
            row["operations"].push_back(std::move(operation));
        }
        for (const VarId id : graph.variables()) {
            const Variable &v = graph.variable(id);
            row["tensors"].push_back({{"name", v.name},
                                      {"type", dtypeName(v.type.dtype)},
                                      {"shape", toString(v.type)},
                                      {"parameter", v.isParameter()}});
        }
        rows.push_back(std::move(row));
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
    scheme.state = toString(config.state);
    scheme.bits = config.bits;
    scheme.exponentBits = config.exponentBits;
    scheme.quantMin = config.quantMin;
    scheme.quantMax = config.quantMax;
    scheme.symmetric = config.symmetric;
    scheme.powerOfTwo = config.powerOfTwo;
    scheme.dynamic = config.dynamic;
    scheme.channelAxis = config.channelAxis;
    scheme.rounding = toString(config.rounding);
    scheme.observer = config.observer;
    scheme.percentile = config.percentile;
    if (config.percentileOver) scheme.percentileOver = toString(*config.percentileOver);
    scheme.minScale = config.minScale;
    scheme.histogramBins = config.histogramBins;
    scheme.isotoneAxis = config.isotoneAxis;
    scheme.visibility = int(config.visibility);
    scheme.scale = config.scale;
    scheme.zeroPoint = config.zeroPoint;
    for (std::size_t f = 0; f < std::size_t(ConfigField::Count); ++f)
        scheme.setBy[toString(ConfigField(f))] = plan.origin(config, ConfigField(f));
    return scheme;
}

/// Calls take(row, config) for each slot that has a config, in execution order. Row: api::ConfigRow or
/// api::ShortConfigRow, with the fields of the slot; config: as returned by shownOf().
template <class Row, class Take>
static void forEachSlot(const QuantModel &model, const Take &take)
{
    const Graph &graph = model.graph;
    const auto nameOf = [&](const Slot &slot) {
        return api::SlotName{graph.operation(slot.op).name, roleOf(graph, slot), slot.index};
    };
    for (const OpId id : graph.topological()) {
        for (const Slot slot : model.plan.slotsOf(id)) {
            const Operation &op = graph.operation(id);
            const VarId variable = variableOf(op, slot);
            if (variable == noVar) continue;
            Row row;
            row.slot = nameOf(slot);
            row.variable = graph.variable(variable).name;
            row.quantizable = !whyNeverQuantized(graph, op, slot);
            if (hasOutputChannels(graph, op, slot))
                if (const auto axis = outputChannelAxis(graph, op, slot)) row.outputChannelAxis = int(*axis);
            if (const Slot root = model.plan.root(slot); root != slot) row.root = nameOf(root);
            take(std::move(row), shownOf(model.plan, slot, *model.plan.find(slot)));
        }
    }
}

std::vector<api::ConfigRow> configRows(const QuantModel &model)
{
    std::vector<api::ConfigRow> rows;
    forEachSlot<api::ConfigRow>(model, [&](api::ConfigRow row, const TensorQuantConfig &config) {
        row.scheme = schemeOf(config, model.plan);
        rows.push_back(std::move(row));
    });
    return rows;
}

ShortConfigs shortConfigRows(const QuantModel &model)
{
    ShortConfigs configs;
    std::map<TensorQuantConfig, std::size_t> known;
    forEachSlot<api::ShortConfigRow>(model, [&](api::ShortConfigRow row, TensorQuantConfig config) {
        const auto [place, isNew] = known.try_emplace(std::move(config), configs.schemes.size());
        if (isNew) configs.schemes.push_back(schemeOf(place->first, model.plan));
        row.scheme = place->second;
        configs.rows.push_back(std::move(row));
    });
    return configs;
}

namespace {

/// The common part of two problems that say the same about two tensors: the sentence without its numbers.
std::string kindOf(const api::Problem &problem)
{
    return problem.severity + "\n" + problem.message.source() + "\n" + problem.remedy.source();
}

/// The worst first. A sentence about more than three tensors is reported once, with some of their names.
json problemRows(const std::vector<api::Problem> &problems)
{
    constexpr std::size_t most = 3;
    std::map<std::string, std::vector<const api::Problem *>> kinds;
    for (const api::Problem &problem : problems) kinds[kindOf(problem)].push_back(&problem);
    json rows = json::array();
    for (const char *severity : {"error", "warning", "info"})
        for (const api::Problem &problem : problems) {
            if (problem.severity != severity) continue;
            const auto &same = kinds.at(kindOf(problem));
            if (same.size() <= most) {
                rows.push_back(api::toJson(problem));
                continue;
            }
            if (same.front() != &problem) continue;
            api::Problem group = problem;
            std::vector<Text> names;
            for (std::size_t i = 1; i <= most; ++i)
                names.push_back("'" + (same[i]->variable.empty() ? same[i]->op : same[i]->variable) + "'");
            if (same.size() > most + 1) names.push_back("...");
            group.message = QL_TEXT("%1; also %2 more: %3").with(problem.message, same.size() - 1, Text::list(names));
            rows.push_back(api::toJson(group));
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

json tool(const api::Recipe &recipe)
{
    const int threads = threadsFor(recipe.threads);
    return {{"name", "quantloupe"},
            {"version", QL_VERSION},
            {"libtorch", TORCH_VERSION},
            {"device", recipe.device},
            {"threads", threads}};
}

} // namespace

json makeReport(const RunState &state, const json &measured, double seconds)
{
    json operations = json::array();
    for (const OpId id : state.model.graph.topological()) operations.push_back(operationRow(state, id, false));
    json stages = json::array();
    for (const StageRecord &stage : state.stages)
        stages.push_back({{"id", stage.id}, {"key", stage.key}, {"cached", stage.cached}, {"seconds", stage.seconds}});
    json report = {{"schema", "quantloupe-report/1"},
                   {"tool", tool(state.recipe)},
                   {"model", state.modelFacts},
                   {"inputs_key", state.inputsKey},
                   {"recipe", api::toJson(state.recipe)},
                   {"operations", std::move(operations)},
                   {"configs", configRows(state.model)},
                   {"graphwise", json::array()},
                   {"layerwise", json::array()},
                   {"outputs", json::array()},
                   {"passes", state.passes},
                   {"stages", std::move(stages)},
                   {"exports", json::array()},
                   {"problems", problemRows(state.problems)},
                   {"seconds", seconds},
                   {"peak_rss_mib", peakMebibytes()}};
    report.update(measured);
    return report;
}

/// The values of a small parameter; otherwise nothing.
static json smallValue(const Variable &variable)
{
    constexpr std::int64_t most = 32;
    json values = json::array();
    if (!variable.isParameter() || !variable.value.defined() || variable.value.numel() > most) return values;
    const at::Tensor flat = variable.value.to(at::kDouble).contiguous();
    for (std::int64_t i = 0; i < flat.numel(); ++i) values.push_back(finiteOrNull(flat.data_ptr<double>()[i]));
    return values;
}

/// {type: names}: the input names of the graph's operators, as specified. For a type with any number of inputs, those
/// of the operation with the most.
static json namesOfInputs(const Graph &graph)
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

json makeInspection(const RunState &state)
{
    const Graph &graph = state.model.graph;
    json operations = json::array(), tensors = json::array(), unsupported = json::array();
    for (const OpId id : graph.topological()) {
        operations.push_back(operationRow(state, id, true));
        operations.back()["attributes"] = attributesOf(graph.operation(id));
        addOperatorFacts(operations.back(), graph, graph.operation(id));
        if (json inside = bodyRows(graph.operation(id)); !inside.empty())
            operations.back()["bodies"] = std::move(inside);
    }
    for (const VarId id : graph.variables()) {
        const Variable &v = graph.variable(id);
        const auto known = state.outputTypes.find(id);
        const TensorType &type = known == state.outputTypes.end() ? v.type : known->second;
        tensors.push_back({{"name", v.name},
                           {"type", dtypeName(type.dtype)},
                           {"shape", toString(type)},
                           {"parameter", v.isParameter()}});
        if (json values = smallValue(v); !values.empty()) tensors.back()["values"] = std::move(values);
    }
    for (const UnsupportedOp &op : unsupportedOps(graph)) {
        json row = {{"op", op.op}, {"type", op.type}, {"domain", op.domain}, {"opset", op.opset}};
        api::putText(row, "why", op.why);
        api::putText(row, "remedy", unsupportedRemedy(op));
        unsupported.push_back(std::move(row));
    }
    return {{"schema", "quantloupe-inspection/1"},
            {"tool", tool(state.recipe)},
            {"model", state.modelFacts},
            {"inputs_key", state.inputsKey},
            {"platform", state.recipe.platform},
            {"dispatcher", state.recipe.dispatcher},
            {"operations", std::move(operations)},
            {"input_names", namesOfInputs(graph)},
            {"tensors", std::move(tensors)},
            {"unsupported", std::move(unsupported)},
            {"problems", problemRows(state.problems)}};
}

} // namespace ql
