#include "core/api/rule.h"

#include "core/api/word_check.h"
#include "core/base/error.h"
#include "core/base/strings.h"

#include <algorithm>

namespace ql::api {

using nlohmann::json;

// ---- words

static const std::vector<std::string> settableStates = {"initial", "passive", "fp32"};

std::string toString(const Granularity &granularity)
{
    switch (granularity.kind) {
    case Granularity::Kind::Tensor: return "tensor";
    case Granularity::Kind::OutputChannel: return "output_channel";
    case Granularity::Kind::Axis: return "axis " + std::to_string(granularity.axis);
    case Granularity::Kind::Group: return "group " + std::to_string(granularity.size);
    }
    return {};
}

std::optional<Granularity> granularityFromString(const std::string &text)
{
    if (text == "tensor") return Granularity{};
    if (text == "output_channel") return Granularity{Granularity::Kind::OutputChannel, 0};
    const std::vector<std::string> parts = split(text, ' ');
    if (parts.size() != 2 || parts[1].empty() || parts[1].size() > 5 ||
        parts[1].find_first_not_of("0123456789") != std::string::npos)
        return std::nullopt;
    const int number = std::stoi(parts[1]);
    if (parts[0] == "axis" && number < 100) return Granularity{Granularity::Kind::Axis, number};
    if (parts[0] == "group" && number >= 2) return Granularity{.kind = Granularity::Kind::Group, .size = number};
    return std::nullopt;
}

std::string labelOf(const RuleMatch &match)
{
    if (!match.op.empty()) return match.op;
    if (!match.variable.empty()) return match.variable;
    if (!match.types.empty()) return join(match.types, ", ");
    if (!match.roles.empty()) return toString(match.roles.front());
    return "*";
}

// ---- the fields of a set, once for everything that goes over them

/// Calls visit(field, key, member) for each, in the order of RuleField.
template <class Visit>
static void eachField(Visit &&visit)
{
    visit(RuleField::Bits, "bits", &RuleSet::bits);
    visit(RuleField::ExponentBits, "exponent_bits", &RuleSet::exponentBits);
    visit(RuleField::QuantMin, "quant_min", &RuleSet::quantMin);
    visit(RuleField::QuantMax, "quant_max", &RuleSet::quantMax);
    visit(RuleField::Symmetric, "symmetric", &RuleSet::symmetric);
    visit(RuleField::PowerOfTwo, "power_of_two", &RuleSet::powerOfTwo);
    visit(RuleField::Dynamic, "dynamic", &RuleSet::dynamic);
    visit(RuleField::Granularity, "granularity", &RuleSet::granularity);
    visit(RuleField::ScaleFormat, "scale_format", &RuleSet::scaleFormat);
    visit(RuleField::Codebook, "codebook", &RuleSet::codebook);
    visit(RuleField::Rounding, "rounding", &RuleSet::rounding);
    visit(RuleField::Observer, "observer", &RuleSet::observer);
    visit(RuleField::Percentile, "percentile", &RuleSet::percentile);
    visit(RuleField::PercentileOver, "percentile_over", &RuleSet::percentileOver);
    visit(RuleField::MinScale, "min_scale", &RuleSet::minScale);
    visit(RuleField::HistogramBins, "histogram_bins", &RuleSet::histogramBins);
    visit(RuleField::IsotoneAxis, "isotone_axis", &RuleSet::isotoneAxis);
    visit(RuleField::State, "state", &RuleSet::state);
    visit(RuleField::Visibility, "visibility", &RuleSet::visibility);
    visit(RuleField::Scale, "scale", &RuleSet::scale);
    visit(RuleField::ZeroPoint, "zero_point", &RuleSet::zeroPoint);
    visit(RuleField::Range, "range", &RuleSet::range);
}

static bool isOfOverrides(RuleField field)
{
    return field == RuleField::Scale || field == RuleField::ZeroPoint || field == RuleField::Range;
}

template <class T>
static bool isGiven(const std::optional<T> &value)
{
    return value.has_value();
}

template <class T>
static bool isGiven(const std::vector<T> &value)
{
    return !value.empty();
}

const char *toString(RuleField field)
{
    const char *word = "";
    eachField([&](RuleField other, const char *key, auto) {
        if (other == field) word = key;
    });
    return word;
}

std::optional<RuleField> ruleFieldFromString(const std::string &word)
{
    std::optional<RuleField> field;
    eachField([&](RuleField other, const char *key, auto) {
        if (word == key) field = other;
    });
    return field;
}

std::vector<RuleField> fieldsOf(const RuleSet &set)
{
    std::vector<RuleField> fields;
    eachField([&](RuleField field, const char *, auto member) {
        if (isGiven(set.*member)) fields.push_back(field);
    });
    return fields;
}

bool hasField(const RuleSet &set, RuleField field)
{
    const std::vector<RuleField> fields = fieldsOf(set);
    return std::find(fields.begin(), fields.end(), field) != fields.end();
}

void removeField(RuleSet &set, RuleField field)
{
    eachField([&](RuleField other, const char *, auto member) {
        if (other == field) set.*member = {};
    });
    set.params.erase(toString(field));
}

void update(RuleSet &set, const RuleSet &with)
{
    eachField([&](RuleField, const char *key, auto member) {
        if (!isGiven(with.*member)) return;
        set.*member = with.*member;
        set.params.erase(key);
    });
    for (const auto &[key, name] : with.params) set.params[key] = name;
}

bool RuleSet::setsScheme() const
{
    const std::vector<RuleField> fields = fieldsOf(*this);
    return std::any_of(fields.begin(), fields.end(), [](RuleField field) { return !isOfOverrides(field); });
}

// ---- files

const std::vector<std::string> &ruleKeys(RuleKind kind)
{
    static const std::vector<std::string> platform = {"name", "when", "match", "set"}, override = {"match", "set"},
                                          dispatch = {"op", "types", "platform"};
    return kind == RuleKind::Platform ? platform : kind == RuleKind::Override ? override : dispatch;
}

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
    const auto keysOf = [](bool isOverride) {
        std::vector<std::string> keys;
        eachField([&](RuleField field, const char *key, auto) {
            if (isOverride || !isOfOverrides(field)) keys.emplace_back(key);
        });
        return keys;
    };
    static const std::vector<std::string> platform = keysOf(false), override = keysOf(true);
    return kind == RuleKind::Platform ? platform : override;
}

/// One word or a list of words.
static std::vector<std::string> words(const JsonNode &node, const std::vector<std::string> &legal)
{
    std::vector<std::string> out;
    if (node.value().is_array())
        for (const JsonNode &element : node.elements()) out.push_back(element.choice(legal));
    else
        out.push_back(node.choice(legal));
    if (out.empty()) node.fail(QL_TEXT("must not be empty"));
    return out;
}

/// As words() reads it.
static json wordOrList(const json &list)
{
    return list.size() == 1 ? list[0] : list;
}

static std::vector<std::string> typeList(const JsonNode &node)
{
    const auto types = node.strings();
    if (types.empty())
        node.fail(QL_TEXT("must list at least one operator type"), QL_TEXT("Leave the key out to match every type."));
    return types;
}

static AttributeTest attributeTestFromJson(const JsonNode &node)
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

std::map<std::string, AttributeTest> attributesFromJson(const JsonNode &node)
{
    std::map<std::string, AttributeTest> attributes;
    for (const auto &[name, test] : node.members()) attributes[name] = attributeTestFromJson(test);
    return attributes;
}

json toJson(const std::map<std::string, AttributeTest> &attributes)
{
    json out = json::object();
    for (const auto &[name, test] : attributes) out[name] = test.all ? json{{"all", test.value}} : test.value;
    return out;
}

RuleMatch matchFromJson(const JsonNode &node, RuleKind kind)
{
    node.expectKeys(matchKeys(kind));
    RuleMatch match;
    if (const auto n = node.find("op")) match.op = n->string();
    if (const auto n = node.find("variable")) match.variable = n->string();
    if (const auto n = node.find("types")) match.types = typeList(*n);
    if (const auto n = node.find("role"))
        for (const std::string &word : words(*n, slotRoleWords())) match.roles.push_back(slotRoleFromString(word));
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
    if (const auto n = node.find("attributes")) match.attributes = attributesFromJson(*n);
    if (const auto n = node.find("state"))
        for (const std::string &word : words(*n, settableStates)) match.states.push_back(quantStateFromString(word));
    return match;
}

json toJson(const RuleMatch &match)
{
    json out = json::object();
    if (!match.op.empty()) out["op"] = match.op;
    if (!match.variable.empty()) out["variable"] = match.variable;
    if (!match.types.empty()) out["types"] = match.types;
    json roles = json::array(), states = json::array();
    for (const SlotRole role : match.roles) roles.push_back(toString(role));
    for (const QuantState state : match.states) states.push_back(toString(state));
    if (!roles.empty()) out["role"] = wordOrList(roles);
    if (match.index) out["index"] = *match.index;
    if (match.indexFrom) out["index_from"] = *match.indexFrom;
    if (match.isParameter) out["is_parameter"] = *match.isParameter;
    if (match.inputs) out["inputs"] = *match.inputs;
    if (match.inputsAtLeast) out["inputs"] = {{"at_least", *match.inputsAtLeast}};
    if (!match.attributes.empty()) out["attributes"] = toJson(match.attributes);
    if (!states.empty()) out["state"] = wordOrList(states);
    return out;
}

namespace {

/// Reads the fields of a set: each by its type and its own limits.
class SetReader
{
public:
    SetReader(const JsonNode &node, RuleField field) : m_node(node), m_field(field) {}

    void operator()(std::optional<int> &value) const
    {
        const auto [min, max] = limits();
        value = int(m_node.integer(min, max));
    }
    void operator()(std::optional<std::int64_t> &value) const
    {
        const auto [min, max] = limits();
        value = m_node.integer(min, max);
    }
    void operator()(std::optional<bool> &value) const { value = m_node.boolean(); }
    void operator()(std::optional<double> &value) const
    {
        value = m_field == RuleField::Percentile ? m_node.number(0.5, 1) : m_node.number(0, 1e30);
    }
    void operator()(std::optional<std::string> &value) const
    {
        value = m_node.string();
        if (value->empty()) m_node.fail(QL_TEXT("must name an observer"));
        checkWord("observer", m_node);
    }
    void operator()(std::optional<Granularity> &value) const
    {
        if (m_node.value().is_number_integer()) { // of a platform's parameter: the size of groups, 0: no groups
            const int size = int(m_node.integer(0, 99999));
            value = size < 2 ? Granularity{Granularity::Kind::OutputChannel, 0}
                             : Granularity{.kind = Granularity::Kind::Group, .size = size};
            return;
        }
        const std::string text = m_node.string();
        value = granularityFromString(text);
        if (!value)
            m_node.fail(Text::sentences({QL_TEXT("unknown granularity '%1'.").with(text),
                                         suggestion(text, {"tensor", "output_channel", "axis 0", "group 32"})}),
                        QL_TEXT("Allowed: tensor, output_channel, axis N, group N."));
    }
    void operator()(std::optional<ScaleFormat> &value) const
    {
        value = scaleFormatFromString(m_node.choice(scaleFormatWords()));
    }
    void operator()(std::optional<Codebook> &value) const
    {
        value = codebookFromString(m_node.choice(codebookWords()));
    }
    void operator()(std::optional<Rounding> &value) const
    {
        value = roundingFromString(m_node.choice(roundingWords()));
    }
    void operator()(std::optional<PercentileOver> &value) const
    {
        value = percentileOverFromString(m_node.choice({"samples", "batches"}));
    }
    void operator()(std::optional<QuantState> &value) const
    {
        value = quantStateFromString(m_node.choice(settableStates));
    }
    void operator()(std::optional<Visibility> &value) const
    {
        value = visibilityFromString(m_node.choice({"when_active", "always", "internal"}));
    }
    void operator()(std::vector<double> &value) const
    {
        for (const JsonNode &element : oneOrMore()) {
            value.push_back(element.number(0, 3e38));
            if (!(float(value.back()) > 0)) element.fail(QL_TEXT("a scale must be above 0"));
        }
    }
    void operator()(std::vector<std::int32_t> &value) const
    {
        for (const JsonNode &element : oneOrMore())
            value.push_back(std::int32_t(element.integer(INT32_MIN, INT32_MAX)));
    }
    void operator()(std::optional<std::pair<double, double>> &value) const
    {
        const auto ends = m_node.elements();
        if (ends.size() != 2) m_node.fail(QL_TEXT("must be [lowest, highest] value"));
        value = {ends[0].number(-3e38, 3e38), ends[1].number(-3e38, 3e38)};
        if (!(value->first < value->second)) m_node.fail(QL_TEXT("the lowest value must be below the highest"));
    }

private:
    std::pair<std::int64_t, std::int64_t> limits() const
    {
        constexpr std::int64_t wide = std::int64_t{1} << 40;
        switch (m_field) {
        case RuleField::Bits: return {2, 32};
        case RuleField::ExponentBits: return {0, 8};
        case RuleField::HistogramBins: return {2, 1 << 24};
        case RuleField::IsotoneAxis: return {-16, 16};
        default: return {-wide, wide};
        }
    }
    std::vector<JsonNode> oneOrMore() const
    {
        return m_node.value().is_array() ? m_node.elements() : std::vector<JsonNode>{m_node};
    }

    const JsonNode &m_node;
    RuleField m_field;
};

json written(const Granularity &value)
{
    return toString(value);
}

json written(const std::pair<double, double> &value)
{
    return {value.first, value.second};
}

template <class T>
json written(const T &value)
{
    if constexpr (std::is_enum_v<T>)
        return toString(value);
    else
        return value;
}

} // namespace

RuleSet setFromJson(const JsonNode &node, RuleKind kind)
{
    node.expectKeys(setKeys(kind));
    RuleSet set;
    eachField([&](RuleField field, const char *key, auto member) {
        const auto n = node.find(key);
        if (!n) return;
        if (kind == RuleKind::Platform && n->value().is_string() && n->string().starts_with('$'))
            set.params[key] = n->string().substr(1);
        else
            SetReader(*n, field)(set.*member);
    });
    if (node.has("quant_min") != node.has("quant_max"))
        node.fail(QL_TEXT("quant_min and quant_max must be given together"));
    if (const auto n = node.find("zero_point")) {
        if (set.scale.empty()) n->fail(QL_TEXT("zero_point requires a scale"));
        if (set.zeroPoint.size() != set.scale.size())
            n->fail(QL_TEXT("scale has %1 entries, zero_point %2").with(set.scale.size(), set.zeroPoint.size()));
    }
    if (set.range && !set.scale.empty()) node.at("range").fail(QL_TEXT("give either scale or range"));
    return set;
}

void bindParams(RuleSet &set, const json &values)
{
    eachField([&](RuleField field, const char *key, auto member) {
        const auto name = set.params.find(key);
        if (name == set.params.end() || !values.contains(name->second)) return;
        const JsonText text = JsonText::wrap(values[name->second]);
        const JsonNode node(text);
        set.*member = {};
        SetReader(node, field)(set.*member);
    });
}

bool Rule::appliesWith(const json &values) const
{
    return std::all_of(when.begin(), when.end(), [&](const auto &entry) {
        const auto given = values.find(entry.first);
        return given != values.end() && *given == entry.second;
    });
}

json toJson(const RuleSet &set)
{
    json out = json::object();
    for (const auto &[key, name] : set.params) out[key] = "$" + name;
    eachField([&](RuleField, const char *key, auto member) {
        const auto &value = set.*member;
        if (!isGiven(value) || set.params.contains(key)) return;
        if constexpr (requires { *value; })
            out[key] = written(*value);
        else
            out[key] = value;
    });
    return out;
}

static Rule dispatchRuleFromJson(const JsonNode &node, const std::vector<std::string> &platforms)
{
    Rule rule;
    if (const auto n = node.find("op")) rule.match.op = n->string();
    if (const auto n = node.find("types")) rule.match.types = n->strings();
    if (rule.match.empty()) node.fail(QL_TEXT("needs op (a name or shell pattern) or types"));
    rule.set.platform = node.at("platform").string();
    if (rule.set.platform.empty()) node.at("platform").fail(QL_TEXT("must not be empty"));
    if (std::find(platforms.begin(), platforms.end(), rule.set.platform) == platforms.end())
        checkWord("platform", node.at("platform"));
    return rule;
}

Rule ruleFromJson(const JsonNode &node, RuleKind kind, const std::vector<std::string> &platforms)
{
    node.expectKeys(ruleKeys(kind));
    if (kind == RuleKind::Dispatch) return dispatchRuleFromJson(node, platforms);
    Rule rule;
    if (const auto n = node.find("name")) rule.name = n->string();
    if (const auto n = node.find("when"))
        for (const auto &[name, value] : n->members()) rule.when[name] = value.value();
    if (const auto n = node.find("match")) rule.match = matchFromJson(*n, kind);
    rule.set = setFromJson(node.at("set"), kind);
    if (rule.set.empty())
        node.at("set").fail(kind == RuleKind::Platform ? QL_TEXT("the rule sets nothing")
                                                       : QL_TEXT("the override sets nothing"));
    return rule;
}

std::vector<Rule> rulesFromJson(const JsonNode &list, RuleKind kind, const std::vector<std::string> &platforms)
{
    std::vector<Rule> rules;
    for (const JsonNode &element : list.elements()) rules.push_back(ruleFromJson(element, kind, platforms));
    return rules;
}

json toJson(const Rule &rule, RuleKind kind)
{
    if (kind == RuleKind::Dispatch) {
        json out = toJson(rule.match);
        out["platform"] = rule.set.platform;
        return out;
    }
    json out = {{"set", toJson(rule.set)}};
    if (!rule.name.empty()) out["name"] = rule.name;
    if (!rule.when.empty()) out["when"] = rule.when;
    if (!rule.match.empty() || kind == RuleKind::Override) out["match"] = toJson(rule.match);
    return out;
}

json toJson(const std::vector<Rule> &rules, RuleKind kind)
{
    json list = json::array();
    for (const Rule &rule : rules) list.push_back(toJson(rule, kind));
    return list;
}

} // namespace ql::api
