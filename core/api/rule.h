#pragma once

#include "core/api/json_text.h"
#include "core/api/quant_words.h"

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ql::api {

/// One scale per tensor, per entry of a fixed axis, per output channel (the axis that follows from the operation), or
/// per group: that many consecutive input channels of each output channel of a weight.
struct Granularity
{
    enum class Kind : std::int8_t { Tensor, OutputChannel, Axis, Group };
    Kind kind = Kind::Tensor;
    int axis = 0; ///< of Kind::Axis
    int size = 0; ///< of Kind::Group

    friend bool operator==(const Granularity &, const Granularity &) = default;
};
std::string toString(const Granularity &granularity); ///< "tensor", "output_channel", "axis 1", "group 32"
/// Unset for any other text.
std::optional<Granularity> granularityFromString(const std::string &text);

/// A test of one attribute: equal to a value (number, text, list), or a list whose entries all equal it. Attributes
/// that a Conv, ConvTranspose or Gemm leaves out count with their default; kernel_shape with the weight's.
struct AttributeTest
{
    nlohmann::json value;
    bool all = false;

    friend bool operator==(const AttributeTest &, const AttributeTest &) = default;
};

/// Which slots or operations a rule is about. Everything given must hold; empty matches all.
struct RuleMatch
{
    std::string op = {};       ///< shell pattern on the operation's name (not in platforms)
    std::string variable = {}; ///< shell pattern on the tensor's name (overrides only)
    std::vector<std::string> types = {};
    std::vector<SlotRole> roles = {}; ///< any of them
    std::optional<int> index = {};    ///< input number, or output number with role output
    std::optional<int> indexFrom = {};
    std::optional<bool> isParameter = {};
    std::optional<int> inputs = {};        ///< exactly so many inputs, omitted ones at the end not counted
    std::optional<int> inputsAtLeast = {}; ///< so many or more
    std::map<std::string, AttributeTest> attributes = {};
    std::vector<QuantState> states = {}; ///< any of them, before the rule

    bool empty() const { return *this == RuleMatch{}; }
    friend bool operator==(const RuleMatch &, const RuleMatch &) = default;
};

/// What a rule writes into a config; only what is given changes.
/// bits without quant_min and quant_max also sets the range: all codes of that many bits, signed when symmetric, else
/// from 0; for floats the largest finite value.
struct RuleSet
{
    std::optional<int> bits = {}, exponentBits = {};
    std::optional<std::int64_t> quantMin = {}, quantMax = {};
    std::optional<bool> symmetric = {}, powerOfTwo = {}, dynamic = {};
    std::optional<Granularity> granularity = {};
    std::optional<ScaleFormat> scaleFormat = {};
    std::optional<Codebook> codebook = {};
    std::optional<Rounding> rounding = {};
    std::optional<std::string> observer = {};
    std::optional<double> percentile = {}, minScale = {};
    std::optional<PercentileOver> percentileOver = {};
    std::optional<int> histogramBins = {}, isotoneAxis = {};
    std::optional<QuantState> state = {}; ///< Initial, Passive or Off
    std::optional<Visibility> visibility = {};
    // overrides only
    std::vector<double> scale = {};           ///< 1 entry or one per channel
    std::vector<std::int32_t> zeroPoint = {}; ///< empty: zeros
    std::optional<std::pair<double, double>> range = {};
    // dispatch only
    std::string platform = {}; ///< "FP32", "SOI" or the id of a platform
    // platforms only
    std::map<std::string, std::string> params = {}; ///< key of a field -> parameter with its value: {"bits": "$bits"}

    bool empty() const { return *this == RuleSet{}; }
    bool fixesScale() const { return !scale.empty() || range.has_value(); }
    bool setsScheme() const; ///< anything but scale, zeroPoint, range
    friend bool operator==(const RuleSet &, const RuleSet &) = default;
};

/// The fields of a config that a rule sets.
enum class RuleField : std::int8_t {
    Bits,
    ExponentBits,
    QuantMin,
    QuantMax,
    Symmetric,
    PowerOfTwo,
    Dynamic,
    Granularity,
    ScaleFormat,
    Codebook,
    Rounding,
    Observer,
    Percentile,
    PercentileOver,
    MinScale,
    HistogramBins,
    IsotoneAxis,
    State,
    Visibility,
    Scale,
    ZeroPoint,
    Range
};
const char *toString(RuleField field); ///< "exponent_bits" ... as in files
/// Unset for any other word.
std::optional<RuleField> ruleFieldFromString(const std::string &word);
std::vector<RuleField> fieldsOf(const RuleSet &set);
bool hasField(const RuleSet &set, RuleField field);
void removeField(RuleSet &set, RuleField field);
/// Writes every field of with into set.
void update(RuleSet &set, const RuleSet &with);
/// Writes the values of parameters into the fields that refer to them; a parameter without a value is ignored.
/// @throws Error (BadConfig) for a value that the field cannot have.
void bindParams(RuleSet &set, const nlohmann::json &values);

/// What is set where something matches: a rule of a platform, an override or a line of the dispatch table of a recipe.
/// In a list, later rules win.
struct Rule
{
    std::string name = {}; ///< a few words for users (platforms only)
    RuleMatch match = {};
    RuleSet set = {};
    std::map<std::string, nlohmann::json> when = {}; ///< parameters of the platform with the values that it needs

    /// Whether the parameters have the values of "when".
    bool appliesWith(const nlohmann::json &values) const;
    friend bool operator==(const Rule &, const Rule &) = default;
};

/// Where a rule is written, which decides what it may say. Platform: {"name", "when", "match", "set"}, neither naming
/// operations and tensors nor fixing scales. Override: {"match", "set"}. Dispatch: {"op", "types", "platform"}.
enum class RuleKind { Platform, Override, Dispatch };
/// Known keys, for the reader and for the test that keeps the JSON schemas in step.
const std::vector<std::string> &ruleKeys(RuleKind kind);
const std::vector<std::string> &matchKeys(RuleKind kind);
const std::vector<std::string> &setKeys(RuleKind kind);

/// @throws Error (BadConfig) with line and path of what is wrong: a key that is unknown or missing, with the nearest
/// known one, another type, a value out of range, a name that the engine does not know. platforms: ids of those that a
/// recipe carries, which its dispatch rules may name.
Rule ruleFromJson(const JsonNode &node, RuleKind kind, const std::vector<std::string> &platforms = {});
std::vector<Rule> rulesFromJson(const JsonNode &list, RuleKind kind, const std::vector<std::string> &platforms = {});
RuleMatch matchFromJson(const JsonNode &node, RuleKind kind);
RuleSet setFromJson(const JsonNode &node, RuleKind kind);
/// Only what is given. Reading it back gives an equal rule.
nlohmann::json toJson(const Rule &rule, RuleKind kind);
nlohmann::json toJson(const std::vector<Rule> &rules, RuleKind kind);
nlohmann::json toJson(const RuleMatch &match);
/// The tests of attributes by themselves, for an editor.
std::map<std::string, AttributeTest> attributesFromJson(const JsonNode &node);
nlohmann::json toJson(const std::map<std::string, AttributeTest> &attributes);
nlohmann::json toJson(const RuleSet &set);

/// "conv1*", "Conv, Gemm", "weight", "*": what messages call an override or a dispatch rule, and Origin::id of it.
std::string labelOf(const RuleMatch &match);

} // namespace ql::api
