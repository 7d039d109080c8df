#include "core/session/diagnosis.h"

#include "core/api/remedy_words.h"
#include "core/base/strings.h"
#include "core/ir/op_traits.h"
#include "core/pass/equalization.h"
#include "core/pass/layer_weights.h"
#include "core/pass/pass.h"
#include "core/session/report.h"
#include "core/session/report_format.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace ql {

using nlohmann::json;
using report::list;
using report::number;
using report::text;

namespace {

/// Sets a field of the recipe on the command line, quoted for the shell.
std::string setOption(const char *field, const json &value)
{
    std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
    for (std::size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 4) text.replace(at, 1, "'\\''");
    return std::string("--set '") + field + "=" + text + "'";
}

/// What one click does: rules for the recipe, and the option of the command line that says the same.
json action(const char *id, const char *field, const json &rules)
{
    return {{"id", id}, {field, rules}, {"option", setOption(field, rules)}};
}

/// The same for a pass that is turned on.
json turnOn(const char *id, const std::string &pass)
{
    return {{"id", id}, {"pass", pass}, {"option", "--set passes." + pass + ".enabled=true"}};
}

json toFloat(const char *id, const std::set<std::string> &operations)
{
    json rules = json::array();
    for (const std::string &op : operations) rules.push_back({{"op", globEscaped(op)}, {"platform", "FP32"}});
    return action(id, "dispatch", rules);
}

json toFloat(const std::string &op)
{
    return toFloat(api::remedy::toFloat, {op});
}

json perChannel(const std::string &op)
{
    const json rule = {{"match", {{"op", globEscaped(op)}, {"role", "weight"}}},
                       {"set", {{"granularity", "output_channel"}, {"observer", "minmax"}}}};
    return action(api::remedy::perChannel, "overrides", json::array({rule}));
}

json equalize()
{
    return turnOn(api::remedy::equalize, passThatWrites(PassAspect::ChannelRanges));
}

json problem(const char *severity, const std::string &op, const std::string &variable, const std::string &message,
             const std::string &remedy, const json &actions = json::array())
{
    json row = {{"severity", severity}, {"op", op}, {"variable", variable}, {"message", message}, {"remedy", remedy}};
    if (!actions.empty()) row["actions"] = actions;
    return row;
}

/// What can be tried, in words and as actions.
class Remedies
{
public:
    void say(const char *words) { m_words.emplace_back(words); }
    void offer(json action) { m_actions.push_back(std::move(action)); }
    /// Both, where there is such an action at all (not null).
    void add(const char *words, json action)
    {
        if (action.is_null()) return;
        say(words);
        offer(std::move(action));
    }
    /// "Send it to FP32, use per-channel weights, or try another observer."
    std::string sentence() const
    {
        std::string out;
        for (std::size_t i = 0; i < m_words.size(); ++i)
            out += (i == 0 ? "" : i + 1 == m_words.size() ? ", or " : ", ") + m_words[i];
        if (out.empty()) return out;
        out[0] = char(std::toupper(static_cast<unsigned char>(out[0])));
        return out + ".";
    }
    const json &actions() const { return m_actions; }

private:
    std::vector<std::string> m_words;
    json m_actions = json::array();
};

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

/// Largest |value| of each channel, 0 for one that is not finite; empty when the row has no channels.
std::vector<double> channelSizes(const json &row)
{
    std::vector<double> sizes;
    const auto channels = row.find("channels");
    if (channels == row.end()) return sizes;
    const json &low = list(*channels, "min"), &high = list(*channels, "max");
    for (std::size_t i = 0; i < low.size() && i < high.size(); ++i)
        sizes.push_back(low[i].is_number() && high[i].is_number()
                            ? std::max(std::abs(low[i].get<double>()), std::abs(high[i].get<double>()))
                            : 0);
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

/// What the model and the recipe allow: which tensors have one scale for all channels, whose observer decides about a
/// tensor, and which passes have something to do.
class Possible
{
public:
    explicit Possible(const json &facts)
    {
        if (const auto recipe = facts.find("recipe"); recipe != facts.end())
            for (const json &step : list(*recipe, "passes")) {
                if (!step.value("enabled", true)) continue;
                const PassEntry *pass = Registry<PassEntry>::instance().find(text(step, "id"));
                if (!pass) continue;
                m_written.insert(pass->traits.writes.begin(), pass->traits.writes.end());
                // It takes the place of every config's own
                const auto params = step.find("params");
                if (pass->traits.doesWrite(PassAspect::ActivationScales) && params != step.end())
                    m_isObserverFixed |= !text(*params, "observer").empty();
            }
        for (const json &row : list(facts, "configs")) {
            if (text(row, "state") == "fp32") continue;
            const std::string op = text(row, "op");
            if (text(row, "role") == "parameter") {
                if (isShared(row)) {
                    m_coarse.insert(op);
                    m_sharedWeights.emplace(op, text(row, "variable"));
                }
                continue;
            }
            m_rounding[text(row, "variable")].push_back(&row);
            m_slots[op].push_back(&row);
            m_groups[groupOf(row)].push_back(&row);
        }
        if (!m_written.contains(PassAspect::ChannelRanges))
            for (const json &op : list(facts, "equalizable")) m_equalizable.insert(op.get<std::string>());
        m_hasBiases = facts.value("has_biases", false);
    }
    /// A weight that has one scale for all channels.
    bool isSharedWeight(const std::string &op, const std::string &variable) const
    {
        return m_sharedWeights.contains({op, variable});
    }
    /// An activation that is rounded, and with one scale for all channels wherever it is.
    bool isSharedActivation(const std::string &op, const std::string &variable) const
    {
        const auto it = m_rounding.find(variable);
        // Fused away at all of its slots: what is rounded is the tensor behind its activation
        if (it == m_rounding.end() || std::all_of(it->second.begin(), it->second.end(),
                                                  [](const json *row) { return text(*row, "state") == "overlapped"; }))
            return false;
        const Rows rows = roundersOf(op, variable);
        return std::all_of(rows.begin(), rows.end(), [](const json *row) { return isShared(*row); });
    }
    /// Its weight has one scale for all channels.
    bool isCoarse(const std::string &op) const { return m_coarse.contains(op); }
    bool isEqualizable(const std::string &op) const { return m_equalizable.contains(op); }

    /// Another observer where the tensor is rounded; null where none decides.
    json observerOfTensor(const std::string &op, const std::string &variable) const
    {
        return observerOf(roundersOf(op, variable));
    }
    /// The same for an operation: of its output, else of its inputs.
    json observerOfOperation(const std::string &op) const
    {
        const auto it = m_slots.find(op);
        if (it == m_slots.end()) return nullptr;
        Rows rows = it->second;
        if (roundsResults(op)) std::erase_if(rows, [](const json *row) { return text(*row, "role") != "output"; });
        return observerOf(rows);
    }
    bool roundsResults(const std::string &op) const
    {
        const auto it = m_slots.find(op);
        return it != m_slots.end() && std::any_of(it->second.begin(), it->second.end(),
                                                  [](const json *row) { return text(*row, "role") == "output"; });
    }
    /// To float goes what rounds the tensor: the operation, or else what reads it.
    json toFloatOf(const std::string &op, const std::string &variable) const
    {
        std::set<std::string> operations;
        for (const json *row : roundersOf(op, variable)) operations.insert(text(*row, "op"));
        return operations.empty() || operations.contains(op) ? toFloat(op)
                                                             : toFloat(api::remedy::readersToFloat, operations);
    }
    /// What can be done to all operations at once.
    json ofTheModel() const
    {
        json actions = json::array(), overrides = json::array();
        std::map<std::string, Rows> observed;
        for (const auto &[op, rows] : m_slots)
            for (const json *row : rows)
                if (isObserved(*row)) observed[text(*row, "role")].push_back(row);
        Rows all;
        for (const auto &[role, rows] : observed) all.insert(all.end(), rows.begin(), rows.end());
        const std::string other = otherObserver(all);
        for (const auto &[role, rows] : observed)
            overrides.push_back({{"match", {{"op", "*"}, {"role", role}}}, {"set", {{"observer", other}}}});
        // Nine real networks below poorSqnrDb: in six the biases gain most (0.5 to 6 dB), in two the observer (4 and
        // 13)
        if (m_hasBiases && !m_written.contains(PassAspect::BiasValues))
            actions.push_back(turnOn(api::remedy::correctBiases, passThatWrites(PassAspect::BiasValues)));
        if (std::any_of(all.begin(), all.end(), [&](const json *row) { return text(*row, "observer") != other; }))
            actions.push_back(action(api::remedy::allObservers, "overrides", overrides));
        if (!m_equalizable.empty()) actions.push_back(equalize());
        return actions;
    }

private:
    using Rows = std::vector<const json *>;

    static bool isShared(const json &row)
    {
        return row.value("channel_axis", json()).is_null() && numberOr(row, "exponent_bits", 0) == 0 &&
               numberOr(row, "bits", 32) <= 8;
    }
    /// Slots of the same group have one scale.
    static std::string groupOf(const json &row)
    {
        const auto root = row.find("root");
        const json &slot = root != row.end() && root->is_object() ? *root : row;
        return text(slot, "op") + "\n" + text(slot, "role") + "\n" + std::to_string(slot.value("index", 0));
    }
    /// Its own observer finds its scale.
    bool isObserved(const json &row) const
    {
        const std::string state = text(row, "state");
        if (m_isObserverFixed || row.value("dynamic", false) || numberOr(row, "exponent_bits", 0) > 0 ||
            state == "overlapped" || state == "passive")
            return false;
        const auto origins = row.find("set_by");
        return origins == row.end() || text(*origins, "scale").rfind("override", 0) != 0;
    }
    /// The slots that round a tensor: of op itself, else of what reads it.
    Rows roundersOf(const std::string &op, const std::string &variable) const
    {
        const auto it = m_rounding.find(variable);
        if (it == m_rounding.end()) return {};
        Rows own;
        for (const json *row : it->second)
            if (text(*row, "op") == op) own.push_back(row);
        return own.empty() ? it->second : own;
    }
    static std::string otherObserver(const Rows &rows)
    {
        const auto all = [&](const auto &is) { return std::all_of(rows.begin(), rows.end(), is); };
        const auto allHave = [&](const char *id) {
            return all([id](const json *row) { return text(*row, "observer") == id; });
        };
        // Only minmax tells channels apart; mse and kl take a bin of a histogram for each code, kl knows no zero point
        if (!all([](const json *row) { return row->value("channel_axis", json()).is_null(); })) return "minmax";
        if (!all([](const json *row) { return numberOr(*row, "bits", 8) <= 8; }))
            return allHave("percentile") ? "minmax" : "percentile";
        if (!allHave("mse")) return "mse";
        return all([](const json *row) { return row->value("symmetric", false); }) ? "kl" : "minmax";
    }
    json observerOf(const Rows &rows) const
    {
        std::set<const json *> seen;
        json overrides = json::array();
        const auto add = [&](const json *row) {
            if (!isObserved(*row) || text(*row, "observer") == otherObserver({row})) return false;
            if (!seen.insert(row).second) return true;
            json match = {{"op", globEscaped(text(*row, "op"))}, {"role", text(*row, "role")}};
            if (row->contains("index")) match["index"] = (*row)["index"];
            overrides.push_back({{"match", match}, {"set", {{"observer", otherObserver({row})}}}});
            return true;
        };
        for (const json *row : rows) {
            if (isObserved(*row)) {
                add(row);
                continue;
            }
            // Another slot rounds in its place: what is observed are the outputs that share the scale, or else its root
            const Rows &group = m_groups.at(groupOf(*row));
            bool isFound = false;
            for (const json *other : group)
                if (text(*other, "role") == "output") isFound |= add(other);
            for (const json *other : group)
                if (!isFound && !(*other).value("root", json()).is_object()) add(other);
        }
        if (overrides.empty()) return nullptr;
        return action(api::remedy::observer, "overrides", overrides);
    }

    std::map<std::string, Rows> m_rounding; ///< tensor to slots
    std::map<std::string, Rows> m_slots;    ///< operation to slots that are no parameters
    std::map<std::string, Rows> m_groups;
    std::set<std::pair<std::string, std::string>> m_sharedWeights;
    std::set<std::string> m_coarse, m_equalizable;
    std::set<PassAspect> m_written; ///< by the passes that are on
    bool m_isObserverFixed = false, m_hasBiases = false;
};

/// What helps an operation whose own error is large.
Remedies remediesOfCostly(const Possible &possible, const std::string &op)
{
    Remedies remedies;
    remedies.add("send it to FP32", toFloat(op));
    if (possible.isCoarse(op)) remedies.add("use per-channel weights", perChannel(op));
    if (possible.isEqualizable(op)) remedies.add("equalize it with its neighbour", equalize());
    remedies.add("try another observer", possible.observerOfOperation(op));
    return remedies;
}

/// How much of the accuracy is lost, where there are labels.
double lostAccuracy(const json &outputs)
{
    double lost = 0;
    for (const json &row : outputs)
        if (const json &metric = list(row, "metric"); metric.is_object())
            lost = std::max(lost, numberOr(metric, "fp32", 0) - numberOr(metric, "quantized", 0));
    return lost;
}

/// Of what looks odd inside: no warning where the result shows that it does little harm.
const char *severityOfOddities(const json &facts)
{
    const json &outputs = list(facts, "outputs");
    const bool isGood = !outputs.empty() && lostAccuracy(outputs) < costlyAccuracy &&
                        std::all_of(outputs.begin(), outputs.end(),
                                    [](const json &row) { return numberOr(row, "noise_ratio", 1) <= goodNoise; });
    return isGood ? "info" : "warning";
}

void addErrors(const json &facts, const Possible &possible, json &problems)
{
    const json &outputs = list(facts, "outputs");
    std::optional<double> worst;
    for (const json &row : outputs)
        if (const auto sqnr = number(row, "sqnr_db"); sqnr && (!worst || *sqnr < *worst)) worst = sqnr;
    const double lost = lostAccuracy(outputs);
    const bool isInaccurate = lost >= costlyAccuracy, isPoor = isInaccurate || (worst && *worst < poorSqnrDb);
    // By itself, or for the most part of what all make together
    const double least =
        isPoor && worst ? std::min(costlyNoise, dominantShare * std::pow(10, -*worst / 10)) : costlyNoise;
    Ranking costly;
    const json &layerwise = list(facts, "layerwise");
    for (const json &row : layerwise) {
        const double noise = numberOr(row, "noise_ratio", 0);
        if (noise <= least) continue;
        const std::string op = text(row, "op");
        const Remedies remedies = remediesOfCostly(possible, op);
        // What leaves its results in float errs by its inputs and weights: it is not about that tensor
        costly.add(noise, problem("warning", op, possible.roundsResults(op) ? text(row, "variable") : std::string(),
                                  "Quantized alone, it makes " + percent(noise) + " % noise at the output (" +
                                      report::decibelText(-10 * std::log10(noise)) + ").",
                                  remedies.sentence(), remedies.actions()));
    }
    const std::size_t before = problems.size();
    costly.appendTo(problems);
    if (problems.size() > before || layerwise.empty()) return;
    if (!isPoor) return;
    const std::string what = isInaccurate ? "The accuracy falls by " + percent(lost) + " points"
                                          : "The output has " + report::decibelText(*worst) + " only";
    const json actions = possible.ofTheModel();
    problems.push_back(
        problem("warning", "", "",
                what + ", though none of the " + std::to_string(layerwise.size()) +
                    " operations measured one by one costs much: the errors add up, or others make them.",
                actions.size() == 3
                    ? "Try bias correction, another observer, layerwise equalization, or a platform with more bits."
                    : "Try what changes all operations at once, or a platform with more bits.",
                actions));
}

/// Where channels of sizes (part of op: "weight", "output") differ too much for the one scale that they share.
void addUneven(Ranking &uneven, const char *severity, const std::string &op, const std::string &variable,
               const std::string &part, const std::vector<double> &sizes, const Remedies &remedies)
{
    const auto ratio = unevenness(sizes);
    if (!ratio || *ratio < unevenChannels) return;
    const std::string message = "The largest channel of its " + part + " is " + numberText(*ratio, 3) +
                                " times the median one, but all " + std::to_string(sizes.size()) + " share one scale.";
    uneven.add(*ratio, withValues(problem(severity, op, variable, message, remedies.sentence(), remedies.actions()),
                                  sizes, "largest |value| of each channel"));
}

void addWeights(const json &facts, const Possible &possible, json &problems)
{
    Ranking uneven;
    const char *severity = severityOfOddities(facts);
    for (const json &row : list(facts, "parameters")) {
        const std::string op = text(row, "op"), variable = text(row, "variable");
        if (!possible.isSharedWeight(op, variable)) continue;
        Remedies remedies;
        remedies.add("quantize the weight per channel", perChannel(op));
        if (possible.isEqualizable(op))
            remedies.add("turn on layerwise equalization", equalize());
        else
            remedies.say("send the operation to FP32");
        remedies.offer(toFloat(op));
        addUneven(uneven, severity, op, variable, "weight", channelSizes(row), remedies);
    }
    uneven.appendTo(problems);
}

/// What a row of "ranges" counted over: another analysis may see more or fewer samples, and another share.
std::string samplesOf(const json &row)
{
    const auto samples = std::int64_t(numberOr(row, "samples", 0));
    return std::to_string(samples) + (samples == 1 ? " sample" : " samples");
}

void addActivations(const json &ranges, const char *severity, const Possible &possible, json &problems)
{
    Ranking broken, clipped, uneven, joins, dead;
    double place = 0; // what is not finite spreads: the first ones, in execution order, are nearest to the cause
    for (const json &row : list(ranges, "tensors")) {
        const std::string op = text(row, "op"), variable = text(row, "variable");
        const double elements = std::max(1.0, numberOr(row, "elements", 0)), low = numberOr(row, "min", 0),
                     high = numberOr(row, "max", 0);
        const bool isInput = text(row, "role") == "input"; // of the model: no operation makes it
        if (const double bad = numberOr(row, "not_finite", 0); bad > 0)
            broken.add(place--, problem("error", op, variable,
                                        numberText(bad, 6) + " of " +
                                            (isInput ? "the " + numberText(elements, 6) +
                                                           " float values of its input '" + variable + "'"
                                                     : "its " + numberText(elements, 6) + " float values") +
                                            " are NaN or infinite.",
                                        "Look at the data and at what computes it; nothing behind it can be right."));
        const double outside = numberOr(row, "clipped", 0) / elements;
        if (const json &clip = list(row, "clip"); outside > muchClipped && clip.size() == 2) {
            const double from = clip[0].get<double>(), to = clip[1].get<double>();
            Remedies remedies;
            remedies.add("try another observer", possible.observerOfTensor(op, variable));
            remedies.say("set the limits of its range");
            remedies.offer(possible.toFloatOf(op, variable));
            clipped.add(outside,
                        withValues(problem(severity, op, variable,
                                           percent(outside) + " % of " +
                                               (isInput ? "the values of its input '" + variable + "'" : "its values") +
                                               " are clipped (" + samplesOf(row) + "): they reach from " +
                                               numberText(low, 3) + " to " + numberText(high, 3) + ", its scale from " +
                                               numberText(from, 3) + " to " + numberText(to, 3) + ".",
                                           remedies.sentence(), remedies.actions()),
                                   {high - low, to - from}, "range of the values, range of the scale"));
        }
        const std::vector<double> sizes = channelSizes(row);
        if (sizes.size() < 2) continue;
        const json &channels = row["channels"];
        std::size_t still = 0;
        for (std::size_t c = 0; c < sizes.size(); ++c) // null where not all values are finite: these do change
            still += channels["min"][c].is_number() && channels["min"][c] == channels["max"][c] ? 1 : 0;
        if (still > 0 && channels.value("learned", false))
            dead.add(double(still) / double(sizes.size()),
                     withValues(problem("info", op, variable,
                                        std::to_string(still) + " of its " + std::to_string(sizes.size()) +
                                            " channels never change on these samples.",
                                        "They carry nothing and could be pruned; more samples would tell whether they "
                                        "ever do."),
                                sizes, "largest |value| of each channel"));
        if (!possible.isSharedActivation(op, variable)) continue;
        Remedies remedies;
        if (possible.isEqualizable(op)) remedies.add("equalize it with its neighbours", equalize());
        remedies.add("try another observer", possible.observerOfTensor(op, variable));
        json toFloat = possible.toFloatOf(op, variable);
        const bool isItself = toFloat["id"] == "fp32";
        remedies.add(isItself ? "send it to FP32" : "send what reads it to FP32", std::move(toFloat));
        addUneven(uneven, severity, op, variable, "output", sizes, remedies);
    }
    for (const json &row : list(ranges, "joins")) {
        std::vector<double> sizes;
        const json &inputs = list(row, "inputs");
        for (const json &input : inputs)
            sizes.push_back(std::max(std::abs(numberOr(input, "min", 0)), std::abs(numberOr(input, "max", 0))));
        if (sizes.size() < 2) continue;
        const auto smallest = std::min_element(sizes.begin(), sizes.end());
        const double least = *smallest, most = *std::max_element(sizes.begin(), sizes.end());
        if (least <= 0 || most / least < unevenOperands || !row.value("one_scale", false)) continue;
        joins.add(
            most / least,
            withValues(
                problem(severity, text(row, "op"), text(inputs[std::size_t(smallest - sizes.begin())], "variable"),
                        "Its operands share one scale but reach " + numberText(most, 3) + " and " +
                            numberText(least, 3) + ": the smaller one has about " +
                            std::to_string(std::max(1, int(256 * least / most))) + " of 256 codes.",
                        "Let its operands keep scales of their own (a parameter of the pass Alignment), or send it to "
                        "FP32.",
                        json::array({toFloat(text(row, "op"))})),
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
    if (const auto ranges = facts.find("ranges"); ranges != facts.end())
        addActivations(*ranges, severityOfOddities(facts), possible, problems);
    return problems;
}

json diagnose(json facts, const QuantModel &model)
{
    if (!facts.contains("configs")) facts["configs"] = configRows(model);
    const Graph &graph = model.graph;
    facts["equalizable"] = json::array();
    for (const OpId op : equalizableOperations(graph)) facts["equalizable"].push_back(graph.operation(op).name);
    const std::vector<OpId> operations = graph.topological();
    facts["has_biases"] = std::any_of(operations.begin(), operations.end(), [&](OpId op) {
        if (!model.isQuantized(op) || !isLayer(graph.operation(op))) return false;
        const auto layer = layerWeights(graph, op);
        return layer && layer->bias != noVar;
    });
    return diagnose(facts);
}

} // namespace ql
