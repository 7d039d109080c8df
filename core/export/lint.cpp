#include "core/export/lint.h"

#include "core/base/resources.h"
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
    const auto &shape = graph.variable(variableOf(graph, slot)).type.shape;
    if (!rule.ranks.empty())
        return !shape ||
               std::find(rule.ranks.begin(), rule.ranks.end(), std::int64_t(shape->size())) != rule.ranks.end();
    return std::any_of(rule.allow.begin(), rule.allow.end(),
                       [&](const api::RuleSet &set) { return hasValues(config, set); });
}

static void lintRule(const api::LintTable &table, const api::LintRule &rule, const QuantModel &model,
                     std::vector<api::Problem> &problems)
{
    const Graph &graph = model.graph;
    std::set<OpId> operations;
    Slot first{};
    for (const auto &entry : model.plan.configs()) {
        const Slot slot = entry.first;
        const TensorQuantConfig &config = entry.second;
        const Operation &op = graph.operation(slot.op);
        if (variableOf(op, slot) == noVar || !model.plan.simulated(slot) || config.visibility == Visibility::Internal)
            continue;
        const auto isMatched = [&](const api::RuleMatch &match) { return matches(match, graph, op, slot, config); };
        if (!isMatched(rule.match) || std::any_of(rule.except.begin(), rule.except.end(), isMatched)) continue;
        if (isAccepted(rule, graph, slot, config)) continue;
        if (operations.empty()) first = slot;
        operations.insert(op.id);
    }
    if (operations.empty()) return;
    const Operation &op = graph.operation(first.op);
    problems.push_back(
        {.severity = rule.severity,
         .op = op.name,
         .variable = graph.variable(variableOf(op, first)).name,
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
