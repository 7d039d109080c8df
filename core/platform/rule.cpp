#include "core/platform/rule.h"

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/ir/op_traits.h"
#include "core/platform/word_check.h"

#include <algorithm>
#include <cmath>

namespace ql {

using api::JsonNode;
using nlohmann::json;

namespace {

const std::vector<std::string> roleNames = {"input", "activation", "parameter", "weight", "bias", "output"};
const std::vector<std::string> visibilityNames = {"when_active", "always", "internal"};
const std::vector<std::string> settableStates = {"initial", "passive", "fp32"};

std::size_t rankOf(const Graph &graph, VarId id)
{
    if (id == noVar) return 0;
    const auto &shape = graph.variable(id).type.shape;
    return shape ? shape->size() : 0;
}

bool hasRole(SlotRole role, const Graph &graph, const Operation &op, Slot slot)
{
    switch (role) {
    case SlotRole::Input:
    case SlotRole::Activation: return !slot.output && !graph.isParameter(variableOf(op, slot));
    case SlotRole::Parameter: return !slot.output && graph.isParameter(variableOf(op, slot));
    case SlotRole::Weight: return isWeight(op, slot);
    case SlotRole::Bias: return isBias(op, slot);
    case SlotRole::Output: return slot.output;
    }
    return false;
}

/// An attribute as JSON; null for one that rules cannot test.
json asJson(const Attribute &attribute)
{
    return std::visit(
        [](const auto &value) -> json {
            using T = std::decay_t<decltype(value)>;
            if constexpr (std::is_same_v<T, std::int64_t> || std::is_same_v<T, float> ||
                          std::is_same_v<T, std::string> || std::is_same_v<T, std::vector<std::int64_t>> ||
                          std::is_same_v<T, std::vector<float>> || std::is_same_v<T, std::vector<std::string>>)
                return value;
            else
                return nullptr;
        },
        attribute);
}

/// The value of an attribute; that which the operator implies for an absent one; null if there is none.
json attributeValue(const Graph &graph, const Operation &op, const std::string &name)
{
    if (const auto it = op.attributes.find(name); it != op.attributes.end()) return asJson(it->second);
    const OpTraits &traits = traitsOf(op);
    if (!traits.implied) return nullptr;
    const auto input = std::size_t(traits.weights ? traits.weights->weight : 0);
    const auto *shape = traits.weights && op.hasInput(input) && graph.variable(op.inputs[input]).type.shape
                            ? &*graph.variable(op.inputs[input]).type.shape
                            : nullptr;
    const auto implied = traits.implied(name, shape);
    return implied ? asJson(*implied) : json();
}

/// Numbers to float32's precision: an attribute 0.1 is stored as a float.
bool isSame(const json &given, const json &wanted)
{
    if (!given.is_number() || !wanted.is_number()) return given == wanted;
    return given.get<float>() == wanted.get<float>();
}

bool passes(const AttributeTest &test, const json &value)
{
    if (test.all)
        return value.is_array() &&
               std::all_of(value.begin(), value.end(), [&](const json &v) { return isSame(v, test.value); });
    if (!value.is_array() || !test.value.is_array()) return !value.is_null() && isSame(value, test.value);
    return std::equal(value.begin(), value.end(), test.value.begin(), test.value.end(), isSame);
}

template <class T>
bool isGivenAndLacks(const std::vector<T> &list, const T &item)
{
    return !list.empty() && std::find(list.begin(), list.end(), item) == list.end();
}

/// Largest finite value of a float with e exponent and m mantissa bits; E4M3 keeps its last code for NaN, which leaves
/// 448 (OCP 8-bit floating point specification, section 5).
std::int64_t largestFloat(int e, int m)
{
    if (e == 4 && m == 3) return 448;
    // A range is whole numbers: rounded up, so that a format with few exponents keeps its last codes (2 and 5 bits end
    // at 7.875), which no larger range exceeds
    const double largest = e == 5 && m == 2 ? 57344 : std::ceil((2 - std::exp2(-m)) * std::exp2(std::exp2(e - 1)));
    return largest < 1e18 ? std::int64_t(largest) : std::int64_t(1e18);
}

void writeFields(const ConfigSet &set, TensorQuantConfig &config)
{
    if (set.symmetric) config.symmetric = *set.symmetric;
    if (set.exponentBits) config.exponentBits = *set.exponentBits;
    if (set.bits) {
        config.bits = *set.bits;
        if (!set.quantMin && !set.quantMax && *set.bits >= 2 && *set.bits <= 32) {
            const std::int64_t codes = std::int64_t{1} << config.bits;
            if (config.isFloating()) {
                config.quantMax = largestFloat(config.exponentBits, config.mantissaBits());
                config.quantMin = -config.quantMax;
            } else {
                config.quantMin = config.symmetric ? -codes / 2 : 0;
                config.quantMax = config.symmetric ? codes / 2 - 1 : codes - 1;
            }
        }
    }
    if (set.quantMin) config.quantMin = *set.quantMin;
    if (set.quantMax) config.quantMax = *set.quantMax;
    if (set.powerOfTwo) config.powerOfTwo = *set.powerOfTwo;
    if (set.dynamic) config.dynamic = *set.dynamic;
    if (set.rounding) config.rounding = *set.rounding;
    if (set.observer) config.observer = *set.observer;
    if (set.percentile) config.percentile = *set.percentile;
    if (set.percentileOver) config.percentileOver = *set.percentileOver;
    if (set.minScale) config.minScale = *set.minScale;
    if (set.histogramBins) config.histogramBins = *set.histogramBins;
    if (set.isotoneAxis) config.isotoneAxis = *set.isotoneAxis;
    if (set.state) config.state = *set.state;
    if (set.visibility) config.visibility = *set.visibility;
}

} // namespace

const char *toString(SlotRole role)
{
    return roleNames[std::size_t(role)].c_str();
}

bool ConfigSet::setsScheme() const
{
    ConfigSet rest = *this;
    rest.scale.clear();
    rest.zeroPoint.clear();
    rest.range.reset();
    return rest != ConfigSet{};
}

// ---- files

const std::vector<std::string> &matchKeys(RuleKind kind)
{
    static const std::vector<std::string> platform = {"types",        "role",   "index",      "index_from",
                                                      "is_parameter", "inputs", "attributes", "state"};
    static const std::vector<std::string> override = [] {
        std::vector<std::string> keys = platform;
        keys.insert(keys.end(), {"op", "variable"});
        return keys;
    }();
    return kind == RuleKind::Platform ? platform : override;
}

const std::vector<std::string> &setKeys(RuleKind kind)
{
    static const std::vector<std::string> platform = {
        "bits",      "exponent_bits",  "quant_min",    "quant_max", "symmetric",  "power_of_two",
        "dynamic",   "granularity",    "rounding",     "observer",  "percentile", "percentile_over",
        "min_scale", "histogram_bins", "isotone_axis", "state",     "visibility"};
    static const std::vector<std::string> override = [] {
        std::vector<std::string> keys = platform;
        keys.insert(keys.end(), {"scale", "zero_point", "range"});
        return keys;
    }();
    return kind == RuleKind::Platform ? platform : override;
}

namespace {

/// One word or a list of words.
std::vector<std::string> words(const JsonNode &node, const std::vector<std::string> &legal)
{
    std::vector<std::string> out;
    if (node.value().is_array())
        for (const JsonNode &element : node.elements()) out.push_back(element.choice(legal));
    else
        out.push_back(node.choice(legal));
    if (out.empty()) node.fail(QL_TEXT("must not be empty"));
    return out;
}

std::vector<std::string> typeList(const JsonNode &node)
{
    const auto types = node.strings();
    if (types.empty())
        node.fail(QL_TEXT("must list at least one operator type"), QL_TEXT("Leave the key out to match every type."));
    return types;
}

Granularity granularityFromJson(const JsonNode &node)
{
    const std::string text = node.string();
    if (text == "tensor") return {};
    if (text == "output_channel") return {Granularity::Kind::OutputChannel, 0};
    const std::vector<std::string> parts = split(text, ' ');
    if (parts.size() == 2 && parts[0] == "axis" && !parts[1].empty() && parts[1].size() <= 2 &&
        parts[1].find_first_not_of("0123456789") == std::string::npos)
        return {Granularity::Kind::Axis, std::stoi(parts[1])};
    node.fail(Text::sentences({QL_TEXT("unknown granularity '%1'.").with(text),
                               suggestion(text, {"tensor", "output_channel", "axis 0"})}),
              QL_TEXT("Legal: tensor, output_channel, axis N."));
}

std::string toText(const Granularity &granularity)
{
    switch (granularity.kind) {
    case Granularity::Kind::Tensor: return "tensor";
    case Granularity::Kind::OutputChannel: return "output_channel";
    case Granularity::Kind::Axis: return "axis " + std::to_string(granularity.axis);
    }
    return {};
}

AttributeTest attributeTestFromJson(const JsonNode &node)
{
    AttributeTest test;
    if (node.isObject()) {
        node.expectKeys({"all"});
        test.all = true;
        test.value = node.at("all").value();
        if (!test.value.is_number() && !test.value.is_string())
            node.at("all").fail(QL_TEXT("must be a number or text"));
        return test;
    }
    test.value = node.value();
    const bool isScalar = test.value.is_number() || test.value.is_string();
    const bool isList = test.value.is_array() && std::all_of(test.value.begin(), test.value.end(), [](const json &v) {
                            return v.is_number() || v.is_string();
                        });
    if (!isScalar && !isList) node.fail(QL_TEXT("must be a number, a string, a list of these, or {\"all\": value}"));
    return test;
}

} // namespace

ConfigMatch matchFromJson(const JsonNode &node, RuleKind kind)
{
    node.expectKeys(matchKeys(kind));
    ConfigMatch match;
    if (const auto n = node.find("op")) match.op = n->string();
    if (const auto n = node.find("variable")) match.variable = n->string();
    if (const auto n = node.find("types")) match.types = typeList(*n);
    if (const auto n = node.find("role"))
        for (const std::string &word : words(*n, roleNames))
            match.roles.push_back(SlotRole(std::find(roleNames.begin(), roleNames.end(), word) - roleNames.begin()));
    if (const auto n = node.find("index")) match.index = int(n->integer(0, 100000));
    if (const auto n = node.find("index_from")) match.indexFrom = int(n->integer(0, 100000));
    if (const auto n = node.find("is_parameter")) match.isParameter = n->boolean();
    if (const auto n = node.find("inputs")) {
        if (n->isObject()) {
            n->expectKeys({"at_least"});
            match.inputsAtLeast = int(n->at("at_least").integer(0, 100000));
        } else {
            match.inputs = int(n->integer(0, 100000));
        }
    }
    if (const auto n = node.find("attributes"))
        for (const auto &[name, test] : n->members()) match.attributes[name] = attributeTestFromJson(test);
    if (const auto n = node.find("state"))
        for (const std::string &word : words(*n, settableStates)) match.states.push_back(quantStateFromString(word));
    return match;
}

ConfigSet setFromJson(const JsonNode &node, RuleKind kind)
{
    node.expectKeys(setKeys(kind));
    ConfigSet set;
    constexpr std::int64_t wide = std::int64_t{1} << 40;
    if (const auto n = node.find("bits")) set.bits = int(n->integer(2, 32));
    if (const auto n = node.find("exponent_bits")) set.exponentBits = int(n->integer(0, 8));
    if (const auto n = node.find("quant_min")) set.quantMin = n->integer(-wide, wide);
    if (const auto n = node.find("quant_max")) set.quantMax = n->integer(-wide, wide);
    if (set.quantMin.has_value() != set.quantMax.has_value())
        node.fail(QL_TEXT("quant_min and quant_max must be given together"));
    if (const auto n = node.find("symmetric")) set.symmetric = n->boolean();
    if (const auto n = node.find("power_of_two")) set.powerOfTwo = n->boolean();
    if (const auto n = node.find("dynamic")) set.dynamic = n->boolean();
    if (const auto n = node.find("granularity")) set.granularity = granularityFromJson(*n);
    if (const auto n = node.find("rounding")) {
        std::vector<std::string> names;
        for (int i = 0; i <= int(Rounding::Down); ++i) names.emplace_back(toString(Rounding(i)));
        set.rounding = roundingFromString(n->choice(names));
    }
    if (const auto n = node.find("observer")) {
        set.observer = n->string();
        if (set.observer->empty()) n->fail(QL_TEXT("must name an observer"));
        checkWord("observer", *n);
    }
    if (const auto n = node.find("percentile")) set.percentile = n->number(0.5, 1);
    if (const auto n = node.find("percentile_over"))
        set.percentileOver = percentileOverFromString(n->choice({"samples", "batches"}));
    if (const auto n = node.find("min_scale")) set.minScale = n->number(0, 1e30);
    if (const auto n = node.find("histogram_bins")) set.histogramBins = int(n->integer(2, 1 << 24));
    if (const auto n = node.find("isotone_axis")) set.isotoneAxis = int(n->integer(-16, 16));
    if (const auto n = node.find("state")) set.state = quantStateFromString(n->choice(settableStates));
    if (const auto n = node.find("visibility"))
        set.visibility =
            Visibility(std::find(visibilityNames.begin(), visibilityNames.end(), n->choice(visibilityNames)) -
                       visibilityNames.begin());
    const auto list = [](const JsonNode &n) { return n.value().is_array() ? n.elements() : std::vector<JsonNode>{n}; };
    if (const auto n = node.find("scale"))
        for (const JsonNode &element : list(*n)) {
            const double scale = element.number(0, 3e38);
            if (!(float(scale) > 0)) element.fail(QL_TEXT("a scale must be above 0"));
            set.scale.push_back(float(scale));
        }
    if (const auto n = node.find("zero_point")) {
        for (const JsonNode &element : list(*n))
            set.zeroPoint.push_back(std::int32_t(element.integer(INT32_MIN, INT32_MAX)));
        if (set.scale.empty()) n->fail(QL_TEXT("zero_point requires a scale"));
        if (set.zeroPoint.size() != set.scale.size())
            n->fail(QL_TEXT("scale has %1 entries, zero_point %2").with(set.scale.size(), set.zeroPoint.size()));
    }
    if (const auto n = node.find("range")) {
        const auto ends = n->elements();
        if (ends.size() != 2) n->fail(QL_TEXT("must be [lowest, highest] value"));
        set.range = {ends[0].number(-3e38, 3e38), ends[1].number(-3e38, 3e38)};
        if (!(set.range->first < set.range->second)) n->fail(QL_TEXT("the lowest value must be below the highest"));
        if (!set.scale.empty()) n->fail(QL_TEXT("give either scale or range"));
    }
    return set;
}

json toJson(const ConfigMatch &match)
{
    json out = json::object();
    if (!match.op.empty()) out["op"] = match.op;
    if (!match.variable.empty()) out["variable"] = match.variable;
    if (!match.types.empty()) out["types"] = match.types;
    if (!match.roles.empty()) {
        json roles = json::array();
        for (const SlotRole role : match.roles) roles.push_back(toString(role));
        out["role"] = roles.size() == 1 ? roles[0] : roles;
    }
    if (match.index) out["index"] = *match.index;
    if (match.indexFrom) out["index_from"] = *match.indexFrom;
    if (match.isParameter) out["is_parameter"] = *match.isParameter;
    if (match.inputs) out["inputs"] = *match.inputs;
    if (match.inputsAtLeast) out["inputs"] = {{"at_least", *match.inputsAtLeast}};
    for (const auto &[name, test] : match.attributes)
        out["attributes"][name] = test.all ? json{{"all", test.value}} : test.value;
    if (!match.states.empty()) {
        json states = json::array();
        for (const QuantState state : match.states) states.push_back(toString(state));
        out["state"] = states.size() == 1 ? states[0] : states;
    }
    return out;
}

json toJson(const ConfigSet &set)
{
    json out = json::object();
    const auto put = [&](const char *key, const auto &value) {
        if (value) out[key] = *value;
    };
    put("bits", set.bits);
    put("exponent_bits", set.exponentBits);
    put("quant_min", set.quantMin);
    put("quant_max", set.quantMax);
    put("symmetric", set.symmetric);
    put("power_of_two", set.powerOfTwo);
    put("dynamic", set.dynamic);
    if (set.granularity) out["granularity"] = toText(*set.granularity);
    if (set.rounding) out["rounding"] = toString(*set.rounding);
    put("observer", set.observer);
    put("percentile", set.percentile);
    if (set.percentileOver) out["percentile_over"] = toString(*set.percentileOver);
    put("min_scale", set.minScale);
    put("histogram_bins", set.histogramBins);
    put("isotone_axis", set.isotoneAxis);
    if (set.state) out["state"] = toString(*set.state);
    if (set.visibility) out["visibility"] = visibilityNames[std::size_t(*set.visibility)];
    if (!set.scale.empty()) out["scale"] = set.scale;
    if (!set.zeroPoint.empty()) out["zero_point"] = set.zeroPoint;
    if (set.range) out["range"] = {set.range->first, set.range->second};
    return out;
}

// ---- use

bool matches(const ConfigMatch &match, const Graph &graph, const Operation &op, Slot slot,
             const TensorQuantConfig &config)
{
    const VarId id = variableOf(op, slot);
    if (isGivenAndLacks(match.types, op.type)) return false;
    if (!match.op.empty() && !globMatch(match.op, op.name)) return false;
    if (!match.variable.empty() && (id == noVar || !globMatch(match.variable, graph.variable(id).name))) return false;
    if (!match.roles.empty() && std::none_of(match.roles.begin(), match.roles.end(),
                                             [&](SlotRole role) { return hasRole(role, graph, op, slot); }))
        return false;
    // A number alone means an input: output 0 is asked for with role output.
    const bool wantsOutput = std::find(match.roles.begin(), match.roles.end(), SlotRole::Output) != match.roles.end();
    if ((match.index || match.indexFrom) && slot.output && !wantsOutput) return false;
    if (match.index && slot.index != *match.index) return false;
    if (match.indexFrom && slot.index < *match.indexFrom) return false;
    if (match.isParameter && *match.isParameter != (!slot.output && graph.isParameter(id))) return false;
    if (match.inputs && op.inputCount() != std::size_t(*match.inputs)) return false;
    if (match.inputsAtLeast && op.inputCount() < std::size_t(*match.inputsAtLeast)) return false;
    if (isGivenAndLacks(match.states, config.state)) return false;
    return std::all_of(match.attributes.begin(), match.attributes.end(),
                       [&](const auto &entry) { return passes(entry.second, attributeValue(graph, op, entry.first)); });
}

bool hasOutputChannels(const Graph &graph, const Operation &op, Slot slot)
{
    if (!slot.output) return isWeight(op, slot) || isBias(op, slot);
    const auto &weights = traitsOf(op).weights;
    return weights && slot.index == 0 &&
           (weights->outputAxis.value_or(1) < 0 || rankOf(graph, variableOf(op, slot)) != 1);
}

std::optional<int> outputChannelAxis(const Graph &graph, const Operation &op, Slot slot)
{
    const VarId id = variableOf(op, slot);
    const std::size_t rank = rankOf(graph, id);
    if (!hasOutputChannels(graph, op, slot))
        throw Error(ErrorKind::BadConfig,
                    QL_TEXT("granularity 'output_channel' is defined for weights, biases and outputs of compute "
                            "operations, not for %1%2 of %3")
                        .with(std::string(slot.output ? "output " : "input "), slot.index, op.type),
                    op.name, id == noVar ? std::string() : graph.variable(id).name)
            .withRemedy(QL_TEXT("Write 'axis N' instead."));
    const auto last = [&]() -> std::optional<int> {
        return rank == 0 ? std::nullopt : std::optional<int>(int(rank) - 1);
    };
    const WeightTraits &weights = *traitsOf(op).weights;
    if (isWeight(op, slot)) {
        const auto axis = weights.axis ? weights.axis(op, std::int64_t(rank)) : std::nullopt;
        return axis ? std::optional<int>(int(*axis)) : std::nullopt;
    }
    if (isBias(op, slot)) return id != noVar && graph.variable(id).type.shape ? last() : 0;
    return weights.outputAxis.value_or(1) < 0 ? last() : int(weights.outputAxis.value_or(1));
}

void applyScheme(const ConfigSet &set, const Graph &graph, const Operation &op, Slot slot, QuantPlan &plan,
                 TensorQuantConfig &config, const std::string &origin)
{
    if (set.granularity) {
        switch (set.granularity->kind) {
        case Granularity::Kind::Tensor: config.channelAxis.reset(); break;
        case Granularity::Kind::OutputChannel: config.channelAxis = outputChannelAxis(graph, op, slot); break;
        case Granularity::Kind::Axis: {
            const VarId id = variableOf(op, slot);
            const auto *shape =
                id == noVar || !graph.variable(id).type.shape ? nullptr : &*graph.variable(id).type.shape;
            if (shape && std::size_t(set.granularity->axis) >= shape->size())
                throw Error(ErrorKind::BadConfig,
                            QL_TEXT("granularity 'axis %1' but the tensor has %2 axes")
                                .with(set.granularity->axis, shape->size()),
                            op.name, graph.variable(id).name)
                    .withRemedy(
                        QL_TEXT("Count the axes from 0, or let the rule match only tensors that have this axis."));
            config.channelAxis = set.granularity->axis;
        } break;
        }
        plan.mark(config, ConfigField::Granularity, origin);
    }
    const TensorQuantConfig before = config;
    writeFields(set, config);
    const auto markIf = [&](bool given, ConfigField field) {
        if (given) plan.mark(config, field, origin);
    };
    markIf(set.bits.has_value(), ConfigField::Bits);
    markIf(set.exponentBits.has_value(), ConfigField::ExponentBits);
    markIf(set.quantMin || before.quantMin != config.quantMin || before.quantMax != config.quantMax,
           ConfigField::Range);
    markIf(set.symmetric.has_value(), ConfigField::Symmetry);
    markIf(set.powerOfTwo.has_value(), ConfigField::PowerOfTwo);
    markIf(set.dynamic.has_value(), ConfigField::Dynamic);
    markIf(set.rounding.has_value(), ConfigField::Rounding);
    markIf(set.observer || set.percentile || set.percentileOver || set.minScale || set.histogramBins || set.isotoneAxis,
           ConfigField::Observer);
    markIf(set.state.has_value(), ConfigField::State);
    markIf(set.visibility.has_value(), ConfigField::Visibility);
}

void applyScheme(const ConfigSet &set, TensorQuantConfig &config)
{
    writeFields(set, config);
    if (!set.granularity) return;
    config.channelAxis.reset();
    if (set.granularity->kind != Granularity::Kind::Tensor) config.channelAxis = set.granularity->axis;
}

} // namespace ql
