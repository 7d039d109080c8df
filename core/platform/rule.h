#pragma once

#include "core/api/json_text.h"
#include "core/ir/graph.h"
#include "core/quant/quant_plan.h"

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ql {

/// What a slot is to its operation. Input (or Activation, the same): an input without a constant value; Parameter: one
/// with. So it is in reports, too. Weight: input 1 of a computing operation, constant or not. Bias: its input 2 (not of
/// Attention). A slot can have several roles: a Conv's constant weight is Weight and Parameter.
enum class SlotRole { Input, Activation, Parameter, Weight, Bias, Output };
const char *toString(SlotRole role); ///< "input" ... as in files

/// One scale per tensor, per entry of a fixed axis, or per output channel: the axis that follows from the operation.
struct Granularity
{
    enum class Kind { Tensor, OutputChannel, Axis };
    Kind kind = Kind::Tensor;
    int axis = 0; ///< of Kind::Axis

    friend bool operator==(const Granularity &, const Granularity &) = default;
};

/// A test of one attribute: equal to a value (number, text, list), or a list whose entries all equal it. Attributes
/// that a Conv, ConvTranspose or Gemm leaves out count with their default; kernel_shape with the weight's.
struct AttributeTest
{
    nlohmann::json value;
    bool all = false;

    friend bool operator==(const AttributeTest &, const AttributeTest &) = default;
};

/// Which slots a rule or an override is about. Everything given must hold; empty matches every slot.
struct ConfigMatch
{
    std::string op;       ///< shell pattern on the operation's name (overrides only)
    std::string variable; ///< shell pattern on the tensor's name (overrides only)
    std::vector<std::string> types;
    std::vector<SlotRole> roles; ///< any of them
    std::optional<int> index;    ///< input number, or output number with role output
    std::optional<int> indexFrom;
    std::optional<bool> isParameter;
    std::optional<int> inputs;        ///< exactly so many inputs, omitted ones at the end not counted
    std::optional<int> inputsAtLeast; ///< so many or more
    std::map<std::string, AttributeTest> attributes;
    std::vector<QuantState> states; ///< any of them, before the rule

    bool empty() const { return *this == ConfigMatch{}; }
    friend bool operator==(const ConfigMatch &, const ConfigMatch &) = default;
};

/// What a rule or an override writes into a config; only what is given changes.
/// bits without quant_min and quant_max also sets the range: all codes of that many bits, signed when symmetric, else
/// from 0; for floats the largest finite value.
struct ConfigSet
{
    std::optional<int> bits, exponentBits;
    std::optional<std::int64_t> quantMin, quantMax;
    std::optional<bool> symmetric, powerOfTwo, dynamic;
    std::optional<Granularity> granularity;
    std::optional<Rounding> rounding;
    std::optional<std::string> observer;
    std::optional<double> percentile, minScale;
    std::optional<PercentileOver> percentileOver;
    std::optional<int> histogramBins, isotoneAxis;
    std::optional<QuantState> state; ///< Initial, Passive or Off
    std::optional<Visibility> visibility;
    // overrides only
    std::vector<float> scale;            ///< 1 entry or one per channel
    std::vector<std::int32_t> zeroPoint; ///< empty: zeros
    std::optional<std::pair<double, double>> range;

    bool fixesScale() const { return !scale.empty() || range.has_value(); }
    bool setsScheme() const; ///< anything but scale, zeroPoint, range
    friend bool operator==(const ConfigSet &, const ConfigSet &) = default;
};

/// Platform rules may not name operations and tensors nor fix scales; overrides may.
enum class RuleKind { Platform, Override };
/// Known keys, for the reader and for the test that keeps the JSON schema in step.
const std::vector<std::string> &matchKeys(RuleKind kind);
const std::vector<std::string> &setKeys(RuleKind kind);
/// @throws Error (BadConfig) with line and path of what is wrong.
ConfigMatch matchFromJson(const api::JsonNode &node, RuleKind kind);
ConfigSet setFromJson(const api::JsonNode &node, RuleKind kind);
nlohmann::json toJson(const ConfigMatch &match); ///< only what is given
nlohmann::json toJson(const ConfigSet &set);

/// @param config the slot's config so far (its state is tested).
bool matches(const ConfigMatch &match, const Graph &graph, const Operation &op, Slot slot,
             const TensorQuantConfig &config);
/// Writes everything but scale, zero point and range into config and marks what it wrote with origin.
/// @throws Error (BadConfig) naming op and tensor when the granularity has no meaning for the slot.
void applyScheme(const ConfigSet &set, const Graph &graph, const Operation &op, Slot slot, QuantPlan &plan,
                 TensorQuantConfig &config, const std::string &origin);
/// The same without a graph, for checks of a rule by itself: OutputChannel counts as axis 0.
void applyScheme(const ConfigSet &set, TensorQuantConfig &config);

/// Whether something says which axis of a slot's tensor is the one of output channels.
bool hasOutputChannels(const Graph &graph, const Operation &op, Slot slot);
/// The axis of output channels: of a weight (Conv 0, ConvTranspose 1, Gemm 0 with transB and 1 without, MatMul the
/// last), of a bias (its last), of an output (1; the last for MatMul). Unset when it has none: a tensor of rank 0, or
/// the vector operand of a MatMul. @throws Error (BadConfig) for a slot where nothing says which axis it is.
std::optional<int> outputChannelAxis(const Graph &graph, const Operation &op, Slot slot);

} // namespace ql
