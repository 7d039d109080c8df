#include "core/export/lint.h"

#include "core/base/resources.h"
#include "core/platform/dispatcher.h"
#include "core/platform/rule.h"

#include <algorithm>
#include <set>

namespace ql {

const std::vector<api::LintTable> &lintTables()
{
    static const std::vector<api::LintTable> tables = [] {
        std::vector<api::LintTable> read;
        for (const std::string_view name : resources::resourceNames("lint/"))
            read.push_back(api::lintTableFromJson(api::JsonText::parse(resources::resource(name), std::string(name))));
        return read;
    }();
    return tables;
}

static bool isListed(const std::vector<std::string> &list, const std::string &word)
{
    return std::find(list.begin(), list.end(), word) != list.end();
}

/// Whether scales per channel are those of output channels, if set asks for them.
static bool isOfOutputChannels(const api::RuleSet &set, const Graph &graph, Slot slot, const TensorQuantConfig &config)
{
    if (!set.granularity || set.granularity->kind != api::Granularity::Kind::OutputChannel) return true;
    const Operation &op = graph.operation(slot.op);
    return !hasOutputChannels(graph, op, slot) || outputChannelAxis(graph, op, slot) == config.channelAxis;
}

/// Whether config has every value of set: writing it changes nothing.
static bool hasValues(const TensorQuantConfig &config, const api::RuleSet &set)
{
    TensorQuantConfig written = config;
    applyScheme(set, written);
    if (!set.quantMin) written.quantMin = config.quantMin; // which the bits imply
    if (!set.quantMax) written.quantMax = config.quantMax;
    const bool hasAxis = config.isPerChannel() == written.isPerChannel(); // output channels are on various axes
    written.channelAxis = config.channelAxis;
    return hasAxis && written == config;
}

static bool isAccepted(const api::LintRule &rule, const Graph &graph, Slot slot, const TensorQuantConfig &config)
{
    if (!rule.ranks.empty()) {
        const auto &shape = graph.variable(variableOf(graph, slot)).type.shape;
        return !shape ||
               std::find(rule.ranks.begin(), rule.ranks.end(), std::int64_t(shape->size())) != rule.ranks.end();
    }
    return std::any_of(rule.allow.begin(), rule.allow.end(), [&](const api::RuleSet &set) {
        return hasValues(config, set) && isOfOutputChannels(set, graph, slot, config);
    });
}

static bool isViolated(const api::LintRule &rule, const Graph &graph, Slot slot, const TensorQuantConfig &config)
{
    const Operation &op = graph.operation(slot.op);
    const auto isMatched = [&](const api::RuleMatch &match) { return matches(match, graph, op, slot, config); };
    return isMatched(rule.match) && std::none_of(rule.except.begin(), rule.except.end(), isMatched) &&
           !isAccepted(rule, graph, slot, config);
}

/// Operations that tools do not compute before they run the model: others compute shapes or indices, or from constants.
static std::vector<OpId> runOperations(const QuantModel &model)
{
    std::vector<OpId> run;
    std::set<VarId> constants{noVar};
    const auto isConstant = [&](VarId id) { return constants.contains(id) || model.graph.isParameter(id); };
    for (const OpId id : model.graph.topological()) {
        const Operation &op = model.graph.operation(id);
        if (std::all_of(op.inputs.begin(), op.inputs.end(), isConstant))
            constants.insert(op.outputs.begin(), op.outputs.end());
        else if (model.platformOf(id) != soiPlatform)
            run.push_back(id);
    }
    return run;
}

/// Slots that violate the rule; if it is about operations, one of each.
static std::vector<Slot> violations(const api::LintRule &rule, const QuantModel &model)
{
    const Graph &graph = model.graph;
    std::vector<Slot> found;
    if (rule.ofOperations) {
        for (const OpId id : runOperations(model)) {
            const Slot slot = inputSlot(id, std::size_t(rule.match.index.value_or(0)));
            if (variableOf(graph, slot) != noVar && isViolated(rule, graph, slot, {})) found.push_back(slot);
        }
        return found;
    }
    for (const auto &[slot, config] : model.plan.configs())
        if (variableOf(graph, slot) != noVar && model.plan.simulated(slot) &&
            config.visibility != Visibility::Internal && isViolated(rule, graph, slot, config))
            found.push_back(slot);
    return found;
}

static void lintRule(const api::LintTable &table, const api::LintRule &rule, const QuantModel &model,
                     std::vector<api::Problem> &problems)
{
    const std::vector<Slot> found = violations(rule, model);
    if (found.empty()) return;
    std::set<OpId> operations;
    for (const Slot slot : found) operations.insert(slot.op);
    const Operation &op = model.graph.operation(found.front().op);
    problems.push_back(
        {.severity = rule.severity,
         .op = op.name,
         .variable = model.graph.variable(variableOf(op, found.front())).name,
         .message = QL_TEXT("%1: %2; operations that differ: %3 (%4, \"%5\")")
                        .with(table.title, rule.meaning, operations.size(), table.document, rule.section),
         .remedy = rule.remedy});
}

std::vector<api::Problem> lintExport(const std::string &format, const std::string &platform, const QuantModel &model)
{
    std::vector<api::Problem> problems;
    for (const api::LintTable &table : lintTables()) {
        const auto platforms = table.formats.find(format);
        if (platforms == table.formats.end()) continue;
        if (!platforms->second.empty() && !isListed(platforms->second, platform)) continue;
        for (const api::LintRule &rule : table.rules) lintRule(table, rule, model, problems);
    }
    return problems;
}

} // namespace ql
