#include "core/session/diagnosis.h"

#include "core/pass/equalization.h"
#include "core/session/report.h"
#include "core/session/report_format.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace ql {

using nlohmann::json;
using report::list;
using report::number;
using report::numberText;
using report::text;

namespace {

enum class Action { Fp32, PerChannel, Equalize, Observer };

/// An action as the window knows it and as an option of the command line.
json toJson(Action action, const std::string &op)
{
    std::string name = json(op).dump(-1, ' ', false, json::error_handler_t::replace);
    for (std::size_t at = 0; (at = name.find('\'', at)) != std::string::npos; at += 4) name.replace(at, 1, "'\\''");
    switch (action) {
    case Action::Fp32:
        return {{"id", "fp32"}, {"option", "--set 'dispatch=[{\"op\":" + name + ",\"platform\":\"FP32\"}]'"}};
    case Action::PerChannel:
        return {{"id", "per_channel"},
                {"option", "--set 'overrides=[{\"match\":{\"op\":" + name +
                               ",\"role\":\"weight\"},\"set\":{\"granularity\":\"output_channel\","
                               "\"observer\":\"minmax\"}}]'"}};
    case Action::Equalize: return {{"id", "equalize"}, {"option", "--set passes.layerwise_equalization.enabled=true"}};
    case Action::Observer:
        return {{"id", "observer"},
                {"option", "--set 'overrides=[{\"match\":{\"op\":" + name +
                               ",\"role\":\"output\"},\"set\":{\"observer\":\"mse\"}}]'"}};
    }
    return {};
}

json problem(const char *severity, const std::string &op, const std::string &variable, const std::string &message,
             const std::string &remedy, const std::vector<Action> &actions = {})
{
    json row = {{"severity", severity}, {"op", op}, {"variable", variable}, {"message", message}, {"remedy", remedy}};
    for (const Action action : actions) row["actions"].push_back(toJson(action, op));
    return row;
}

json withValues(json row, const std::vector<double> &values, const char *meaning)
{
    row["values"] = values;
    row["values_meaning"] = meaning;
    return row;
}

std::string percent(double ratio)
{
    return numberText(100 * ratio, 3);
}

double numberOr(const json &object, const char *key, double otherwise)
{
    return number(object, key).value_or(otherwise);
}

/// Largest |value| of each channel; empty when the row has no channels.
std::vector<double> channelSizes(const json &row)
{
    std::vector<double> sizes;
    const auto channels = row.find("channels");
    if (channels == row.end()) return sizes;
    const json &low = list(*channels, "min"), &high = list(*channels, "max");
    for (std::size_t i = 0; i < low.size() && i < high.size(); ++i)
        if (low[i].is_number() && high[i].is_number())
            sizes.push_back(std::max(std::abs(low[i].get<double>()), std::abs(high[i].get<double>())));
    return sizes;
}

/// The largest channel over the median one; nothing for few channels, or where most are zero.
std::optional<double> unevenness(std::vector<double> sizes)
{
    if (sizes.size() < 4) return std::nullopt;
    std::sort(sizes.begin(), sizes.end());
    const double median = sizes[sizes.size() / 2];
    return median > 0 ? std::optional(sizes.back() / median) : std::nullopt;
}

/// The worst of one kind, worst first.
class Ranking
{
public:
    void add(double weight, json row) { m_found.emplace_back(weight, std::move(row)); }
    void appendTo(json &problems)
    {
        std::stable_sort(m_found.begin(), m_found.end(),
                         [](const auto &a, const auto &b) { return a.first > b.first; });
        for (std::size_t i = 0; i < std::min(m_found.size(), mostOfAKind); ++i)
            problems.push_back(std::move(m_found[i].second));
    }

private:
    std::vector<std::pair<double, json>> m_found;
};

/// What the model allows: which tensors have one scale for all channels, and which operations can be equalized.
class Possible
{
public:
    explicit Possible(const json &facts)
    {
        for (const json &row : list(facts, "configs")) {
            const bool isShared = row.value("channel_axis", json()).is_null() &&
                                  numberOr(row, "exponent_bits", 0) == 0 && numberOr(row, "bits", 32) <= 8;
            m_shared.try_emplace({text(row, "op"), text(row, "variable")}, isShared);
            if (isShared && text(row, "role") == "parameter") m_coarse.insert(text(row, "op"));
        }
        for (const json &op : list(facts, "equalizable")) m_equalizable.insert(op.get<std::string>());
    }
    bool isShared(const std::string &op, const std::string &variable) const
    {
        const auto it = m_shared.find({op, variable});
        return it != m_shared.end() && it->second;
    }
    /// Its weight has one scale for all channels.
    bool isCoarse(const std::string &op) const { return m_coarse.contains(op); }
    bool isEqualizable(const std::string &op) const { return m_equalizable.contains(op); }

private:
    std::map<std::pair<std::string, std::string>, bool> m_shared;
    std::set<std::string> m_coarse, m_equalizable;
};

/// What helps an operation whose own error is large.
json costlyRow(const std::string &op, const std::string &variable, const std::string &message, bool isCoarse,
               bool isEqualizable)
{
    const auto row = [&](const char *remedy, const std::vector<Action> &actions) {
        return problem("warning", op, variable, message, remedy, actions);
    };
    if (isCoarse && isEqualizable)
        return row("Send it to FP32, use per-channel weights, equalize it with its neighbour, or try another observer.",
                   {Action::Fp32, Action::PerChannel, Action::Equalize, Action::Observer});
    if (isCoarse)
        return row("Send it to FP32, use per-channel weights, or try another observer.",
                   {Action::Fp32, Action::PerChannel, Action::Observer});
    if (isEqualizable)
        return row("Send it to FP32, equalize it with its neighbour, or try another observer.",
                   {Action::Fp32, Action::Equalize, Action::Observer});
    return row("Send it to FP32, or try another observer.", {Action::Fp32, Action::Observer});
}

void addErrors(const json &facts, const Possible &possible, json &problems)
{
    Ranking costly;
    const json &layerwise = list(facts, "layerwise");
    for (const json &row : layerwise) {
        const double noise = numberOr(row, "noise_ratio", 0);
        if (noise <= costlyNoise) continue;
        const std::string op = text(row, "op");
        costly.add(noise, costlyRow(op, text(row, "variable"),
                                    "Quantized alone, it makes " + percent(noise) + " % noise at the output (" +
                                        report::decibelText(-10 * std::log10(noise)) + ").",
                                    possible.isCoarse(op), possible.isEqualizable(op)));
    }
    const std::size_t before = problems.size();
    costly.appendTo(problems);
    if (problems.size() > before || layerwise.empty()) return;
    std::optional<double> worst;
    for (const json &row : list(facts, "outputs"))
        if (const auto sqnr = number(row, "sqnr_db"); sqnr && (!worst || *sqnr < *worst)) worst = sqnr;
    if (worst && *worst < poorSqnrDb)
        problems.push_back(problem("warning", "", "",
                                   "The output has " + report::decibelText(*worst) +
                                       " only, though no operation costs much by itself: the errors add up.",
                                   "Try another observer, layerwise equalization, bias correction, or a platform with "
                                   "more bits."));
}

struct Remedies
{
    std::string text;
    std::vector<Action> actions;
};

/// Where channels of sizes (part of op: "weight", "output") differ too much for the one scale that they share.
void addUneven(Ranking &uneven, const std::string &op, const std::string &variable, const std::string &part,
               const std::vector<double> &sizes, const Remedies &remedies)
{
    const auto ratio = unevenness(sizes);
    if (!ratio || *ratio < unevenChannels) return;
    const std::string message = "The largest channel of its " + part + " is " + numberText(*ratio, 3) +
                                " times the median one, but all " + std::to_string(sizes.size()) + " share one scale.";
    uneven.add(*ratio, withValues(problem("warning", op, variable, message, remedies.text, remedies.actions), sizes,
                                  "largest |value| of each channel"));
}

void addWeights(const json &facts, const Possible &possible, json &problems)
{
    Ranking uneven;
    for (const json &row : list(facts, "parameters")) {
        const std::string op = text(row, "op"), variable = text(row, "variable");
        const Remedies remedies = possible.isEqualizable(op)
                                      ? Remedies{"Quantize the weight per channel, or turn on layerwise equalization.",
                                                 {Action::PerChannel, Action::Equalize, Action::Fp32}}
                                      : Remedies{"Quantize the weight per channel, or send the operation to FP32.",
                                                 {Action::PerChannel, Action::Fp32}};
        if (possible.isShared(op, variable)) addUneven(uneven, op, variable, "weight", channelSizes(row), remedies);
    }
    uneven.appendTo(problems);
}

void addActivations(const json &ranges, const Possible &possible, json &problems)
{
    Ranking broken, clipped, uneven, joins, dead;
    for (const json &row : list(ranges, "tensors")) {
        const std::string op = text(row, "op"), variable = text(row, "variable");
        const double elements = std::max(1.0, numberOr(row, "elements", 0)), low = numberOr(row, "min", 0),
                     high = numberOr(row, "max", 0);
        if (const double bad = numberOr(row, "not_finite", 0); bad > 0)
            broken.add(bad, problem("error", op, variable,
                                    numberText(bad, 6) + " of its " + numberText(elements, 6) +
                                        " float values are NaN or infinite.",
                                    "Look at the data and at what computes it; nothing behind it can be right.",
                                    {Action::Fp32}));
        const double outside = numberOr(row, "clipped", 0) / elements;
        if (const json &clip = list(row, "clip"); outside > muchClipped && clip.size() == 2) {
            const double from = clip[0].get<double>(), to = clip[1].get<double>();
            clipped.add(outside,
                        withValues(problem("warning", op, variable,
                                           percent(outside) + " % of its values are clipped: they reach from " +
                                               numberText(low, 3) + " to " + numberText(high, 3) + ", its scale from " +
                                               numberText(from, 3) + " to " + numberText(to, 3) + ".",
                                           "Try another observer, or set the limits of its range.",
                                           {Action::Observer, Action::Fp32}),
                                   {high - low, to - from}, "range of the values, range of the scale"));
        }
        const std::vector<double> sizes = channelSizes(row);
        if (sizes.size() < 2) continue;
        const json &channels = row["channels"];
        std::size_t still = 0;
        for (std::size_t c = 0; c < sizes.size(); ++c) still += channels["min"][c] == channels["max"][c] ? 1 : 0;
        if (still > 0)
            dead.add(double(still) / double(sizes.size()),
                     withValues(problem("info", op, variable,
                                        std::to_string(still) + " of its " + std::to_string(sizes.size()) +
                                            " channels never change on these samples.",
                                        "They carry nothing and could be pruned; more samples would tell whether they "
                                        "ever do."),
                                sizes, "largest |value| of each channel"));
        const Remedies remedies =
            possible.isEqualizable(op)
                ? Remedies{"Equalize it with its neighbours, try another observer, or send it to FP32.",
                           {Action::Equalize, Action::Observer, Action::Fp32}}
                : Remedies{"Try another observer, or send it to FP32.", {Action::Observer, Action::Fp32}};
        if (possible.isShared(op, variable)) addUneven(uneven, op, variable, "output", sizes, remedies);
    }
    for (const json &row : list(ranges, "joins")) {
        std::vector<double> sizes;
        for (const json &input : list(row, "inputs"))
            sizes.push_back(std::max(std::abs(numberOr(input, "min", 0)), std::abs(numberOr(input, "max", 0))));
        if (sizes.size() < 2) continue;
        const double least = *std::min_element(sizes.begin(), sizes.end()),
                     most = *std::max_element(sizes.begin(), sizes.end());
        if (least <= 0 || most / least < unevenOperands || !row.value("one_scale", false)) continue;
        joins.add(most / least,
                  withValues(problem("warning", text(row, "op"), "",
                                     "Its operands share one scale but reach " + numberText(most, 3) + " and " +
                                         numberText(least, 3) + ": the smaller one has about " +
                                         std::to_string(std::max(1, int(256 * least / most))) + " of 256 codes.",
                                     "Let its operands keep scales of their own, or send it to FP32.", {Action::Fp32}),
                             sizes, "largest |value| of each operand"));
    }
    for (Ranking *kind : {&broken, &clipped, &uneven, &joins, &dead}) kind->appendTo(problems);
}

} // namespace

json diagnose(const json &facts)
{
    json problems = json::array();
    const Possible possible(facts);
    addErrors(facts, possible, problems);
    addWeights(facts, possible, problems);
    if (const auto ranges = facts.find("ranges"); ranges != facts.end()) addActivations(*ranges, possible, problems);
    return problems;
}

json diagnose(json facts, const QuantModel &model)
{
    if (!facts.contains("configs")) facts["configs"] = configRows(model);
    facts["equalizable"] = json::array();
    for (const OpId op : equalizableOperations(model.graph))
        facts["equalizable"].push_back(model.graph.operation(op).name);
    return diagnose(facts);
}

} // namespace ql
