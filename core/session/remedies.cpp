#include "core/session/remedies.h"

#include "core/api/remedy_words.h"
#include "core/base/strings.h"
#include "core/pass/recurrent_split.h"
#include "core/platform/dispatcher.h"

#include <algorithm>

namespace ql {

using api::Action;
using api::ConfigRow;
using api::Rule;
using api::RuleKind;
using api::SlotRole;
using nlohmann::json;

namespace {

/// Sets a field of the recipe on the command line, quoted for the shell.
std::string setOption(const char *field, const json &value)
{
    std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
    for (std::size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 4) text.replace(at, 1, "'\\''");
    return std::string("--set '") + field + "=" + text + "'";
}

Action overriding(const char *id, std::vector<Rule> rules)
{
    const std::string option = setOption("overrides", api::toJson(rules, api::RuleKind::Override));
    return {.id = id, .overrides = std::move(rules), .option = option};
}

Action turningOn(const char *id, const std::string &pass)
{
    return {.id = id, .pass = pass, .option = "--set passes." + pass + ".enabled=true"};
}

Rule observerRule(api::RuleMatch match, const std::string &observer)
{
    return {.match = std::move(match), .set = {.observer = observer}};
}

bool isShared(const ConfigRow &row)
{
    return !row.scheme.channelAxis && row.scheme.exponentBits == 0 && row.scheme.bits <= 8;
}

/// Slots of the same group have one scale.
const api::SlotName &groupOf(const ConfigRow &row)
{
    return row.root ? *row.root : row.slot;
}

} // namespace

void keepRules(Action &action, const std::vector<Rule> &dispatch, const std::vector<Rule> &overrides)
{
    std::string option;
    const auto extend = [&](const char *field, std::vector<Rule> rules, const std::vector<Rule> &added, RuleKind kind) {
        if (added.empty()) return;
        rules.insert(rules.end(), added.begin(), added.end());
        option += (option.empty() ? "" : " ") + setOption(field, api::toJson(rules, kind));
    };
    extend("dispatch", dispatch, action.dispatch, RuleKind::Dispatch);
    extend("overrides", overrides, action.overrides, RuleKind::Override);
    if (!option.empty()) action.option = option;
}

Action toFloat(const char *id, const std::set<std::string> &operations)
{
    Action action{.id = id};
    for (const std::string &op : operations)
        action.dispatch.push_back({.match = {.op = globEscaped(op)}, .set = {.platform = fp32Platform}});
    action.option = setOption("dispatch", api::toJson(action.dispatch, api::RuleKind::Dispatch));
    return action;
}

Action perChannel(const std::string &op)
{
    const api::Granularity granularity{api::Granularity::Kind::OutputChannel, 0};
    return overriding(api::remedy::perChannel, {{.match = {.op = globEscaped(op), .roles = {api::SlotRole::Weight}},
                                                 .set = {.granularity = granularity, .observer = "minmax"}}});
}

Action perChannelInputs()
{
    Action action;
    action.id = api::remedy::perChannelInputs;
    action.fields["platform_params.depthwise_per_channel"] = true;
    action.option = "--platform-param depthwise_per_channel=true";
    return action;
}

Action measureAllOperations()
{
    Action action;
    action.id = api::remedy::allOperations;
    action.fields["analyses.layerwise.operations"] = "all";
    action.option = "--set analyses.layerwise.operations=all";
    return action;
}

Action equalizeLayers()
{
    return turningOn(api::remedy::equalize, passThatWrites(PassAspect::ChannelRanges));
}

Action splitRecurrences()
{
    return turningOn(api::remedy::splitRecurrent, recurrentSplitPass);
}

AvailableRemedies::AvailableRemedies(const std::vector<ConfigRow> &configs, const std::vector<api::StepRequest> &passes,
                                     const std::set<std::string> &equalizable, bool hasBiases)
    : m_hasBiases(hasBiases)
{
    for (const api::StepRequest &step : passes) {
        const PassEntry *pass = Registry<PassEntry>::instance().find(step.id);
        if (!step.enabled || !pass) continue;
        m_written.insert(pass->traits.writes.begin(), pass->traits.writes.end());
        // It replaces the observer of every config
        for (const api::ParamSpec &spec : pass->info.params)
            m_isObserverFixed |= spec.type == "observer" && pass->traits.doesWrite(PassAspect::ActivationScales) &&
                                 api::paramOf(step.params, spec) != json("");
    }
    for (const ConfigRow &row : configs) {
        if (row.scheme.state == QuantState::Off) continue;
        const std::string &op = row.slot.op;
        if (row.slot.role == SlotRole::Parameter) {
            if (isShared(row)) {
                m_coarse.insert(op);
                m_sharedWeights.emplace(op, row.variable);
            }
            continue;
        }
        m_rounding[row.variable].push_back(&row);
        m_slots[op].push_back(&row);
        m_groups[groupOf(row)].push_back(&row);
    }
    if (!m_written.contains(PassAspect::ChannelRanges)) m_equalizable = equalizable;
}

bool AvailableRemedies::isSharedWeight(const std::string &op, const std::string &variable) const
{
    return m_sharedWeights.contains({op, variable});
}

bool AvailableRemedies::isSharedActivation(const std::string &op, const std::string &variable) const
{
    const auto it = m_rounding.find(variable);
    // All of its slots are fused: the rounded tensor is the result of its activation
    if (it == m_rounding.end() || std::all_of(it->second.begin(), it->second.end(), [](const ConfigRow *row) {
            return row->scheme.state == QuantState::Overlapped;
        }))
        return false;
    const Rows rows = roundersOf(op, variable);
    return std::all_of(rows.begin(), rows.end(), [](const ConfigRow *row) { return isShared(*row); });
}

bool AvailableRemedies::roundsResults(const std::string &op) const
{
    const auto it = m_slots.find(op);
    return it != m_slots.end() && std::any_of(it->second.begin(), it->second.end(),
                                              [](const ConfigRow *row) { return row->slot.role == SlotRole::Output; });
}

std::vector<Action> AvailableRemedies::observersOfTensor(const std::string &op, const std::string &variable) const
{
    return observersOf(roundersOf(op, variable));
}

std::vector<Action> AvailableRemedies::observersOfOperation(const std::string &op) const
{
    const auto it = m_slots.find(op);
    if (it == m_slots.end()) return {};
    Rows rows = it->second;
    if (roundsResults(op)) std::erase_if(rows, [](const ConfigRow *row) { return row->slot.role != SlotRole::Output; });
    return observersOf(rows);
}

std::vector<Action> AvailableRemedies::observersOfAll() const
{
    std::set<SlotRole> roles;
    Rows all;
    for (const auto &[op, rows] : m_slots)
        for (const ConfigRow *row : rows)
            if (isObserved(*row)) {
                roles.insert(row->slot.role);
                all.push_back(row);
            }
    std::vector<Action> actions;
    for (const std::string &observer : otherObservers(all)) {
        std::vector<Rule> rules;
        for (const SlotRole role : roles) rules.push_back(observerRule({.op = "*", .roles = {role}}, observer));
        actions.push_back(overriding(api::remedy::allObservers, std::move(rules)));
    }
    return actions;
}

std::optional<Action> AvailableRemedies::biasCorrection() const
{
    if (!m_hasBiases || m_written.contains(PassAspect::BiasValues)) return std::nullopt;
    return turningOn(api::remedy::correctBiases, passThatWrites(PassAspect::BiasValues));
}

std::optional<Action> AvailableRemedies::equalization() const
{
    if (m_equalizable.empty()) return std::nullopt;
    return equalizeLayers();
}

Action AvailableRemedies::toFloatOf(const std::string &op, const std::string &variable) const
{
    std::set<std::string> operations;
    for (const ConfigRow *row : roundersOf(op, variable)) operations.insert(row->slot.op);
    return operations.empty() || operations.contains(op) ? toFloat(api::remedy::toFloat, {op})
                                                         : toFloat(api::remedy::consumersToFloat, operations);
}

Action AvailableRemedies::consumersToFloat(const std::string &op, const std::string &variable,
                                           const std::set<std::string> &readers) const
{
    Action action = toFloat(api::remedy::consumersToFloat, readers);
    for (const ConfigRow *row : roundersOf(op, variable))
        if (!readers.contains(row->slot.op))
            action.overrides.push_back(
                {.match = {.op = globEscaped(row->slot.op), .roles = {row->slot.role}, .index = row->slot.index},
                 .set = {.state = QuantState::Off}});
    keepRules(action, {}, {});
    return action;
}

/// Its own observer determines its scale.
bool AvailableRemedies::isObserved(const ConfigRow &row) const
{
    const api::QuantScheme &scheme = row.scheme;
    if (m_isObserverFixed || scheme.dynamic || scheme.exponentBits > 0 || scheme.state == QuantState::Overlapped ||
        scheme.state == QuantState::Passive)
        return false;
    const auto who = scheme.setBy.find(toString(ConfigField::Scale));
    return who == scheme.setBy.end() || !who->second.isOverride();
}

/// The slots that round a tensor: those of op itself, or those of its consumers.
AvailableRemedies::Rows AvailableRemedies::roundersOf(const std::string &op, const std::string &variable) const
{
    const auto it = m_rounding.find(variable);
    if (it == m_rounding.end()) return {};
    Rows own;
    for (const ConfigRow *row : it->second)
        if (row->slot.op == op) own.push_back(row);
    return own.empty() ? it->second : own;
}

/// Those that serve all rows and are not the observer of all of them.
std::vector<std::string> AvailableRemedies::otherObservers(const Rows &rows)
{
    const auto all = [&](const auto &is) { return std::all_of(rows.begin(), rows.end(), is); };
    std::vector<std::string> ids;
    if (rows.empty()) return ids;
    // mse and kl need a histogram bin per code, kl has no zero point
    if (!all([](const ConfigRow *row) { return row->scheme.bits <= 8; }))
        ids = {"percentile"};
    else if (all([](const ConfigRow *row) { return row->scheme.symmetric; }))
        ids = {"mse", "kl"};
    else
        ids = {"mse"};
    ids.emplace_back("minmax");
    std::erase_if(ids, [&](const std::string &id) {
        return all([&](const ConfigRow *row) { return row->scheme.observer == id; });
    });
    return ids;
}

std::vector<Action> AvailableRemedies::observersOf(const Rows &rows) const
{
    Rows observed;
    const auto add = [&](const ConfigRow *row) {
        if (!isObserved(*row)) return false;
        if (std::find(observed.begin(), observed.end(), row) == observed.end()) observed.push_back(row);
        return true;
    };
    for (const ConfigRow *row : rows) {
        if (add(row)) continue;
        // Another slot rounds instead: the observed tensors are the outputs that share the scale, otherwise its root
        const Rows &group = m_groups.at(groupOf(*row));
        bool isFound = false;
        for (const ConfigRow *other : group)
            if (other->slot.role == SlotRole::Output) isFound |= add(other);
        for (const ConfigRow *other : group)
            if (!isFound && !other->root) add(other);
    }
    std::vector<Action> actions;
    for (const std::string &observer : otherObservers(observed)) {
        std::vector<Rule> rules;
        for (const ConfigRow *row : observed)
            if (row->scheme.observer != observer)
                rules.push_back(observerRule(
                    {.op = globEscaped(row->slot.op), .roles = {row->slot.role}, .index = row->slot.index}, observer));
        actions.push_back(overriding(api::remedy::observer, std::move(rules)));
    }
    return actions;
}

} // namespace ql
