#include "core/platform/rule.h"

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/ir/op_traits.h"
#include "core/ir/subgraphs.h"

#include <algorithm>
#include <cmath>

namespace ql {

using api::AttributeTest;
using api::Granularity;
using api::RuleMatch;
using api::RuleSet;
using api::SlotRole;
using nlohmann::json;

namespace {

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

/// The value of an attribute, or the operator's default if it is absent; null if there is none.
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

/// Whether every group of a convolution reads one channel.
bool isDepthwise(const Graph &graph, const Operation &op)
{
    const OpTraits &traits = traitsOf(op);
    if (!traits.weights || !op.hasInput(std::size_t(traits.weights->weight))) return false;
    const auto &shape = graph.variable(op.inputs[std::size_t(traits.weights->weight)]).type.shape;
    const json group = attributeValue(graph, op, "group");
    if (!shape || shape->size() < 2 || !group.is_number_integer() || group.get<std::int64_t>() < 2) return false;
    // [output channels, input channels of a group, ...], for a deconvolution [input channels, ...]
    return traits.weights->isSpread ? (*shape)[0].size == group.get<std::int64_t>() : (*shape)[1].size == 1;
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

/// Largest finite value of a float with e exponent and m mantissa bits; E4M3 reserves its last code for NaN, which
/// leaves 448 (OCP 8-bit floating point specification, section 5).
std::int64_t largestFloat(int e, int m)
{
    if (e == 4 && m == 3) return 448;
    // A range has integer limits: rounded up, so that a format with few exponents keeps its last codes (2 and 5 bits
    // end at 7.875), which no larger range exceeds
    const double largest = e == 5 && m == 2 ? 57344 : std::ceil((2 - std::exp2(-m)) * std::exp2(std::exp2(e - 1)));
    return largest < 1e18 ? std::int64_t(largest) : std::int64_t(1e18);
}

void writeFields(const RuleSet &set, TensorQuantConfig &config)
{
    if (set.symmetric) config.symmetric = *set.symmetric;
    if (set.exponentBits) config.exponentBits = *set.exponentBits;
    if (set.codebook) config.codebook = *set.codebook;
    if (set.bits) {
        config.bits = *set.bits;
        if (!set.quantMin && !set.quantMax && *set.bits >= 2 && *set.bits <= 32) {
            const std::int64_t codes = std::int64_t{1} << config.bits;
            if (config.codebook != Codebook::None) {
                config.quantMin = -1;
                config.quantMax = 1;
            } else if (config.isFloating()) {
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
    if (set.scaleFormat) config.scaleFormat = *set.scaleFormat;
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

bool matchesOperation(const RuleMatch &match, const Operation &op, const OperationNames &names)
{
    return !isGivenAndLacks(match.types, op.type) && isCalled(match.op, op, names);
}

bool matchesInBodies(const RuleMatch &match, const Graph &graph)
{
    for (const auto &[path, names] : namesOfBodies(graph)) {
        const Graph &body = bodyAt(graph, path);
        for (const auto &[id, called] : names)
            if (matchesOperation(match, body.operation(id), names)) return true;
    }
    return false;
}

std::vector<std::string> knownNames(const Graph &graph)
{
    std::vector<std::string> known;
    for (const OpId id : graph.operations()) known.push_back(graph.operation(id).name);
    for (const auto &[path, names] : namesOfBodies(graph))
        for (const auto &[id, called] : names) known.insert(known.end(), called.begin(), called.end());
    return known;
}

bool matches(const RuleMatch &match, const Graph &graph, const Operation &op, Slot slot,
             const TensorQuantConfig &config, const OperationNames &names)
{
    const VarId id = variableOf(op, slot);
    if (!matchesOperation(match, op, names)) return false;
    if (!match.variable.empty() && (id == noVar || !globMatch(match.variable, graph.variable(id).name))) return false;
    if (!match.roles.empty() && std::none_of(match.roles.begin(), match.roles.end(),
                                             [&](SlotRole role) { return hasRole(role, graph, op, slot); }))
        return false;
    // An index alone means an input: output 0 needs role output.
    const bool wantsOutput = std::find(match.roles.begin(), match.roles.end(), SlotRole::Output) != match.roles.end();
    if ((match.index || match.indexFrom) && slot.output && !wantsOutput) return false;
    if (match.index && slot.index != *match.index) return false;
    if (match.indexFrom && slot.index < *match.indexFrom) return false;
    if (match.isParameter && *match.isParameter != (!slot.output && graph.isParameter(id))) return false;
    if (match.inputs && op.inputCount() != std::size_t(*match.inputs)) return false;
    if (match.inputsAtLeast && op.inputCount() < std::size_t(*match.inputsAtLeast)) return false;
    if (isGivenAndLacks(match.states, config.state)) return false;
    return std::all_of(match.attributes.begin(), match.attributes.end(), [&](const auto &entry) {
        if (entry.first == "group" && entry.second.value == "channels") return isDepthwise(graph, op);
        return passes(entry.second, attributeValue(graph, op, entry.first));
    });
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
                            "operations, not for %1 of %2")
                        .with((slot.output ? QL_TEXT("output %1") : QL_TEXT("input %1")).with(slot.index), op.type),
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

/// The axis of an activation that the product of op sums over, from the end if it is negative; nothing for other slots.
static std::optional<int> summedAxis(const Graph &graph, const Operation &op, Slot slot)
{
    if (slot.output) return std::nullopt;
    if (op.type == "BiasedMatMul" && slot.index == 0) return -1;
    if (!op.domain.empty()) return std::nullopt;
    if (op.type == "MatMul" && slot.index < 2)
        return slot.index == 0 || rankOf(graph, variableOf(op, slot)) == 1 ? -1 : -2;
    if (op.type == "Gemm" && slot.index < 2)
        return (attributeValue(graph, op, slot.index == 0 ? "transA" : "transB") == 1) == (slot.index == 0) ? -2 : -1;
    if (op.type == "Conv" && slot.index == 0 && attributeValue(graph, op, "group") == 1) return 1;
    return std::nullopt;
}

std::optional<int> inputChannelAxis(const Graph &graph, const Operation &op, Slot slot)
{
    const VarId id = variableOf(op, slot);
    const auto refuse = [&](const Text &message) {
        return Error(ErrorKind::BadConfig, message, op.name, id == noVar ? std::string() : graph.variable(id).name)
            .withRemedy(QL_TEXT("Let the rule match only weights, {\"role\": \"weight\", \"is_parameter\": true}, or "
                                "inputs of such products: {\"types\": [\"MatMul\"], \"role\": \"input\"}."));
    };
    const auto name = (slot.output ? QL_TEXT("output %1") : QL_TEXT("input %1")).with(slot.index);
    if (id != noVar && !graph.isParameter(id))
        if (const auto axis = summedAxis(graph, op, slot)) {
            const int rank = int(rankOf(graph, id));
            if (*axis >= 0 ? rank > *axis : rank >= -*axis) return *axis >= 0 ? *axis : rank + *axis;
            throw refuse(QL_TEXT("the shape of %1 of %2 must be known to divide it into groups").with(name, op.type));
        }
    if (!isWeight(op, slot) || !graph.isParameter(id))
        throw refuse(
            QL_TEXT("granularity 'group N' is defined for constant weights and for inputs of MatMul, Gemm, and "
                    "Conv without groups of channels, not for %1 of %2")
                .with(name, op.type));
    const auto rank = graph.variable(id).value.dim();
    if (rank < 2) return rank == 1 ? std::optional<int>(0) : std::nullopt; // a vector has one output channel
    const auto outputs = outputChannelAxis(graph, op, slot);
    if (!outputs) throw refuse(QL_TEXT("the input channels of this weight of %1 are unknown").with(op.type));
    // The channels are on two adjacent axes: [O, I, ...], [I, O, ...] or, of a MatMul with a batch, [..., I, O]
    return *outputs == 0 ? 1 : *outputs - 1;
}

/// What find() says about a slot. A weight that op captures for operations in its bodies is divided into channels as
/// the first of these that multiplies by it does.
static std::optional<int> channelAxis(std::optional<int> (*find)(const Graph &, const Operation &, Slot),
                                      const Graph &graph, const Operation &op, Slot slot)
{
    const VarId id = variableOf(op, slot);
    if (!slot.output && id != noVar && graph.isParameter(id))
        for (const BodyReader &reader : bodyReaders(op, std::size_t(slot.index))) {
            const Operation &product = reader.body->operation(reader.slot.op);
            if (!isWeight(product, reader.slot)) continue;
            Graph body = *reader.body;
            body.setValue(variableOf(product, reader.slot), graph.variable(id).value);
            return find(body, product, reader.slot);
        }
    return find(graph, op, slot);
}

void applyScheme(const RuleSet &set, const Graph &graph, const Operation &op, Slot slot, QuantPlan &plan,
                 TensorQuantConfig &config, const Origin &origin)
{
    if (set.granularity) {
        config.groupSize = 0;
        switch (set.granularity->kind) {
        case Granularity::Kind::Tensor: config.channelAxis.reset(); break;
        case Granularity::Kind::OutputChannel:
            config.channelAxis = channelAxis(outputChannelAxis, graph, op, slot);
            break;
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
        case Granularity::Kind::Group:
            config.channelAxis = channelAxis(inputChannelAxis, graph, op, slot);
            config.groupSize = set.granularity->size;
            break;
        }
        plan.mark(config, ConfigField::Granularity, origin);
    }
    const TensorQuantConfig before = config;
    writeFields(set, config);
    const auto markIf = [&](bool given, ConfigField field) {
        if (given) plan.mark(config, field, origin);
    };
    markIf(set.bits.has_value(), ConfigField::Bits);
    markIf(set.exponentBits || set.codebook, ConfigField::ExponentBits);
    markIf(set.quantMin || set.bits || before.quantMin != config.quantMin || before.quantMax != config.quantMax,
           ConfigField::Range);
    markIf(set.symmetric.has_value(), ConfigField::Symmetry);
    markIf(set.powerOfTwo || set.scaleFormat, ConfigField::PowerOfTwo);
    markIf(set.dynamic.has_value(), ConfigField::Dynamic);
    markIf(set.rounding.has_value(), ConfigField::Rounding);
    markIf(set.observer || set.percentile || set.percentileOver || set.minScale || set.histogramBins || set.isotoneAxis,
           ConfigField::Observer);
    markIf(set.state.has_value(), ConfigField::State);
    markIf(set.visibility.has_value(), ConfigField::Visibility);
}

void applyScheme(const RuleSet &set, TensorQuantConfig &config)
{
    writeFields(set, config);
    if (!set.granularity) return;
    config.channelAxis.reset();
    config.groupSize = set.granularity->size;
    if (set.granularity->kind != Granularity::Kind::Tensor) config.channelAxis = set.granularity->axis;
}

} // namespace ql
