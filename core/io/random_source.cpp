#include "core/io/random_source.h"

#include "core/api/data_words.h"
#include "core/base/error.h"
#include "core/base/sha256.h"
#include "core/base/strings.h"
#include "core/ir/op_traits.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <random>
#include <set>

namespace ql {

namespace {

/// normal() is always closer to 0: the square root of -2 log(2^-53) is 8.57.
constexpr double farthestNormal = 8.6;
constexpr const char *randomForm = "random:32,seed=1,range=-1..1";

[[noreturn]] void badPart(const std::string &text, const std::string &part, const Text &why)
{
    throw Error(ErrorKind::BadConfig, QL_TEXT("random data \"%1\": '%2': %3").with(text, part, why))
        .withRemedy(QL_TEXT("The form is %1: the number of samples, seed=N, and the values: range=LOW..HIGH, or "
                            "normal=MEAN..DEVIATION; for one input only: NAME.range=LOW..HIGH.")
                        .with(randomForm));
}

template <class T>
std::optional<T> numberFrom(std::string_view text)
{
    T value{};
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    return code == std::errc() && end == text.data() + text.size() ? std::optional<T>(value) : std::nullopt;
}

/// @returns false if key does not name a distribution
bool readValues(const std::string &text, const std::string &part, std::string_view key, std::string_view value,
                RandomValues &values)
{
    if (key != "range" && key != "normal") return false;
    values.kind = key == "range" ? RandomValues::Kind::Range : RandomValues::Kind::Normal;
    if (value.empty() && key == "normal") return true;
    const std::size_t dots = value.find("..");
    const auto low = dots == value.npos ? std::nullopt : numberFrom<double>(value.substr(0, dots));
    const auto high = dots == value.npos ? std::nullopt : numberFrom<double>(value.substr(dots + 2));
    if (!low || !high || !std::isfinite(*low) || !std::isfinite(*high))
        badPart(text, part, QL_TEXT("expected two numbers such as -1..1"));
    if (key == "range" && *low > *high) badPart(text, part, QL_TEXT("the lowest value must not be above the highest"));
    if (key == "normal" && *high < 0) badPart(text, part, QL_TEXT("a standard deviation must not be negative"));
    const double largest =
        key == "normal" ? std::abs(*low) + farthestNormal * *high : std::max(std::abs(*low), std::abs(*high));
    if (largest > std::numeric_limits<float>::max()) badPart(text, part, QL_TEXT("the values do not fit into float32"));
    values.low = *low;
    values.high = *high;
    return true;
}

/// Uniform in [0, 1): the same on every machine, unlike the library's distributions.
double unit(std::mt19937_64 &random)
{
    return double(random() >> 11) * 0x1p-53;
}

double normal(std::mt19937_64 &random) // Box and Muller
{
    const double radius = std::sqrt(-2 * std::log(1 - unit(random)));
    return radius * std::cos(2 * std::numbers::pi * unit(random));
}

double valueOf(std::mt19937_64 &random, const RandomValues &values)
{
    if (values.kind == RandomValues::Kind::Normal) return values.low + values.high * normal(random);
    return values.low + (values.high - values.low) * unit(random);
}

class RandomSource final : public SampleSource
{
public:
    RandomSource(const std::string &text, const std::vector<DataInput> &inputs, std::size_t wanted)
        : m_text(text), m_data(RandomData::parse(text)), m_inputs(inputs), m_count(m_data.samples.value_or(wanted))
    {
        std::vector<std::string> names;
        for (const DataInput &input : inputs) names.push_back(input.name);
        for (const auto &[name, values] : m_data.valuesByName)
            if (std::find(names.begin(), names.end(), name) == names.end())
                throw Error(
                    ErrorKind::BadConfig,
                    Text::sentences({QL_TEXT("random data \"%1\": the model has no input '%2'.").with(text, name),
                                     suggestion(name, names)}))
                    .withRemedy(QL_TEXT("Inputs of the model: %1.").with(Text::list(names)));
        fixTypes();
        fixShapes();
        problems.push_back({.severity = api::Severity::Info,
                            .message = QL_TEXT("the data is random: ranges and errors show nothing about real data"),
                            .remedy = QL_TEXT("Use real samples before trusting any number.")});
    }

    std::size_t count() const override { return m_count; }
    at::Tensor load(std::size_t sample, std::size_t input) override
    {
        std::seed_seq seeds{m_data.seed & 0xffffffff, m_data.seed >> 32, std::uint64_t(sample), std::uint64_t(input)};
        std::mt19937_64 random(seeds);
        const DataInput &target = m_inputs[input];
        const RandomValues values = valuesFor(target);
        at::Tensor out = at::empty(m_shapes[input], at::kDouble);
        double *data = out.data_ptr<double>();
        const bool isFloat = c10::isFloatingType(target.type.dtype);
        for (std::int64_t i = 0; i < out.numel(); ++i) {
            if (isFloat)
                data[i] = valueOf(random, values);
            else if (values.kind == RandomValues::Kind::Normal)
                data[i] = std::round(valueOf(random, values));
            else
                data[i] = values.low + std::floor(unit(random) * (values.high - values.low + 1));
        }
        return out.to(target.type.dtype);
    }
    std::string name(std::size_t sample, std::size_t) const override
    {
        return "random[" + std::to_string(sample) + "]";
    }
    std::vector<std::filesystem::path> filesOf(const std::vector<std::size_t> &) const override { return {}; }
    bool isOneFile() const override { return true; }
    std::string content() const override
    {
        std::string all = m_text;
        for (std::size_t i = 0; i < m_inputs.size(); ++i) {
            const RandomValues values = valuesFor(m_inputs[i]);
            all += "\n" + m_inputs[i].name + " " + dtypeName(m_inputs[i].type.dtype) + " " + sizesText(m_shapes[i]) +
                   " " + numberText(values.low, 17) + " " + numberText(values.high, 17);
        }
        return sha256(all);
    }

private:
    RandomValues valuesFor(const DataInput &input) const
    {
        const auto own = m_data.valuesByName.find(input.name);
        const bool isOwn = own != m_data.valuesByName.end();
        RandomValues values = isOwn ? own->second : m_data.values;
        if (c10::isFloatingType(input.type.dtype)) {
            if (values.kind == RandomValues::Kind::Default) values.kind = RandomValues::Kind::Normal;
            return values;
        }
        // A range for the images is none for the token ids next to them
        if (values.kind == RandomValues::Kind::Default || (input.indices && !isOwn))
            return {RandomValues::Kind::Range, 0, double(input.indices.value_or(2) - 1)};
        if (values.kind == RandomValues::Kind::Range) {
            values.low = std::ceil(values.low);
            values.high = std::floor(values.high);
            if (values.low > values.high) badPart(m_text, input.name, QL_TEXT("the range holds no integer"));
        }
        return values;
    }

    /// Such as that of a tensor after an operation of unknown kind, at which the model is cut.
    void fixTypes()
    {
        for (DataInput &input : m_inputs) {
            if (input.type.dtype != at::ScalarType::Undefined || !input.type.shape) continue;
            input.type.dtype = at::kFloat;
            problems.push_back(
                {.severity = api::Severity::Info,
                 .variable = input.name,
                 .message = QL_TEXT("the element type of the input is not known: the random data is float32"),
                 .remedy = QL_TEXT("Give data in a file if it has another type.")});
        }
    }

    /// One entry of the batch axis, or the whole shape if the inputs have different leading axes.
    void fixShapes()
    {
        std::set<std::int64_t> leading;
        for (const DataInput &input : m_inputs) {
            if (!input.type.shape)
                throw Error(ErrorKind::BadData, QL_TEXT("random data needs inputs of known shape"), {}, input.name)
                    .withRemedy(QL_TEXT("Give it with %1, or data in a file.")
                                    .with(Text::option("--input-shape " + input.name + "=1x...")));
            const auto &shape = *input.type.shape;
            for (std::size_t i = 1; i < shape.size(); ++i)
                if (shape[i].size < 0)
                    throw Error(
                        ErrorKind::BadData,
                        QL_TEXT("random data needs inputs of known shape, this one is %1").with(toString(input.type)),
                        {}, input.name)
                        .withRemedy(QL_TEXT("Fix it with %1.").with(shapeOption(input)));
            if (!shape.empty()) leading.insert(std::max<std::int64_t>(shape[0].size, -1));
        }
        const bool isEntry = leading.size() <= 1;
        for (const DataInput &input : m_inputs) {
            std::vector<std::int64_t> sizes;
            for (const Dim &dim : *input.type.shape) sizes.push_back(std::max<std::int64_t>(dim.size, 1));
            if (isEntry && !sizes.empty()) sizes.erase(sizes.begin());
            for (const Dim &dim : *input.type.shape)
                if (dim.size == 0)
                    throw Error(ErrorKind::BadData, QL_TEXT("the input holds no values"), {}, input.name);
            m_shapes.push_back(std::move(sizes));
            valuesFor(input); // refused now, not at the first sample
        }
    }

    std::string m_text;
    RandomData m_data;
    std::vector<DataInput> m_inputs;
    std::size_t m_count;
    std::vector<std::vector<std::int64_t>> m_shapes;
};

} // namespace

RandomData RandomData::parse(const std::string &text)
{
    RandomData data;
    const std::size_t colon = text.find(':');
    std::set<std::string> seen;
    for (const std::string &raw : split(text.substr(colon == text.npos ? text.size() : colon + 1), ',')) {
        const std::string part(trim(raw));
        if (part.empty()) continue;
        const std::size_t equals = part.rfind('=');
        const std::string key = part.substr(0, equals), value = equals == part.npos ? "" : part.substr(equals + 1);
        const std::size_t dot = key.rfind('.');
        const auto samples = equals == part.npos ? numberFrom<std::size_t>(part) : std::nullopt;
        if (!seen.insert(samples ? "samples" : key).second) badPart(text, part, QL_TEXT("given twice"));
        for (const auto &[one, other] : {std::pair{"range", "normal"}, std::pair{"normal", "range"}})
            if (key.ends_with(one) && seen.contains(key.substr(0, key.size() - std::strlen(one)) + other))
                badPart(text, part, QL_TEXT("range and normal exclude each other"));
        if (samples) {
            constexpr std::size_t most = 1 << 24;
            if (*samples < 1 || *samples > most) badPart(text, part, QL_TEXT("must be from 1 to %1").with(most));
            data.samples = samples;
        } else if (key == "seed") {
            const auto seed = numberFrom<std::uint64_t>(value);
            if (!seed) badPart(text, part, QL_TEXT("expected an integer of at least 0"));
            data.seed = *seed;
        } else if (!readValues(text, part, key, value, data.values) &&
                   (dot == key.npos || dot == 0 ||
                    !readValues(text, part, key.substr(dot + 1), value, data.valuesByName[key.substr(0, dot)]))) {
            badPart(text, part, Text::sentences({QL_TEXT("unknown."), suggestion(key, {"seed", "range", "normal"})}));
        }
    }
    return data;
}

std::unique_ptr<SampleSource> openRandom(const std::string &text, const std::vector<DataInput> &inputs,
                                         std::size_t wanted)
{
    return std::make_unique<RandomSource>(text, inputs, std::max<std::size_t>(wanted, 1));
}

std::vector<DataInput> dataInputsOf(const Graph &graph)
{
    std::vector<DataInput> inputs;
    for (const VarId id : graph.inputs())
        inputs.push_back({graph.variable(id).name, graph.variable(id).type, indexedEntries(graph, id)});
    return inputs;
}

std::optional<std::int64_t> indexedEntries(const Graph &graph, VarId input)
{
    const at::ScalarType type = graph.variable(input).type.dtype;
    if (c10::isFloatingType(type) || type == at::kBool) return std::nullopt;
    std::optional<std::int64_t> entries;
    std::set<VarId> seen;
    std::vector<VarId> open{input};
    while (!open.empty()) {
        const VarId id = open.back();
        open.pop_back();
        if (!seen.insert(id).second) continue;
        for (const Use &use : graph.variable(id).uses) {
            const Operation &op = graph.operation(use.op);
            const bool selects =
                (op.type == "Gather" || op.type == "GatherElements") && use.index == 1 && op.hasInput(0);
            if (selects) {
                const auto &shape = graph.variable(op.inputs[0]).type.shape;
                if (!shape || shape->empty()) continue;
                std::int64_t axis = op.intAttribute("axis", 0);
                if (axis < 0) axis += std::int64_t(shape->size());
                const std::int64_t size =
                    axis >= 0 && axis < std::int64_t(shape->size()) ? (*shape)[std::size_t(axis)].size : -1;
                if (size > 0) entries = std::min(entries.value_or(size), size);
            } else if (use.index == 0 && (isPassive(op) || convertsTypes(op)) && !op.outputs.empty() &&
                       op.outputs[0] != noVar) {
                open.push_back(op.outputs[0]);
            }
        }
    }
    return entries;
}

} // namespace ql
