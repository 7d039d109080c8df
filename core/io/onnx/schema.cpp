#include "core/io/onnx/schema.h"

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/ir/input_names.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <string_view>

namespace ql::onnx_io {

namespace {

/// The specification of an operator from one opset on.
struct Schema
{
    std::string_view type;
    int since;
    bool deprecated;
    int minInputs, maxInputs, minOutputs, maxOutputs; ///< the largest int: any number
    std::string_view inputs, attributes;              ///< " name" each, " !name" if required
};

#include "onnx_schema_table.inc" // newestOpsetOfTable, and schemas by type and opset (schema_table/write.cpp)

/// A name of Schema::inputs or attributes.
struct Name
{
    std::string_view text;
    bool isRequired;
};

std::vector<Name> namesOf(std::string_view list)
{
    std::vector<Name> names;
    while (!list.empty()) {
        list.remove_prefix(1); // the blank
        const std::string_view word = list.substr(0, list.find(' '));
        list.remove_prefix(word.size());
        const bool isRequired = word.starts_with('!');
        names.push_back({word.substr(isRequired ? 1 : 0), isRequired});
    }
    return names;
}

const Text faultyRemedy = QL_TEXT("The file was written by a faulty tool; export the model again.");

/// Changed in opset 18 to 28 (ONNX, docs/Changelog.md): if the onnx library is older, its schemas do not reflect these
/// changes.
bool changedLately(std::string_view type)
{
    static const std::set<std::string_view> types = {"AveragePool",
                                                     "Cast",
                                                     "CastLike",
                                                     "Constant",
                                                     "ConstantOfShape",
                                                     "DFT",
                                                     "Equal",
                                                     "Flatten",
                                                     "GridSample",
                                                     "Identity",
                                                     "If",
                                                     "IsInf",
                                                     "IsNaN",
                                                     "Loop",
                                                     "LpPool",
                                                     "DequantizeLinear",
                                                     "OptionalGetElement",
                                                     "OptionalHasElement",
                                                     "Pad",
                                                     "QLinearMatMul",
                                                     "QuantizeLinear",
                                                     "Range",
                                                     "ReduceL1",
                                                     "ReduceL2",
                                                     "ReduceLogSum",
                                                     "ReduceLogSumExp",
                                                     "ReduceMax",
                                                     "ReduceMean",
                                                     "ReduceMin",
                                                     "ReduceProd",
                                                     "ReduceSumSquare",
                                                     "Reshape",
                                                     "Resize",
                                                     "Scan",
                                                     "ScatterElements",
                                                     "ScatterND",
                                                     "Shape",
                                                     "Size",
                                                     "SpaceToDepth",
                                                     "Split",
                                                     "Squeeze",
                                                     "Transpose",
                                                     "Unsqueeze"};
    return types.contains(type);
}

/// The latest schema of the type up to the opset.
const Schema *olderSchemaOf(const Operation &op)
{
    const auto after =
        std::upper_bound(std::begin(schemas), std::end(schemas), op, [](const Operation &wanted, const Schema &schema) {
            return wanted.type != schema.type ? wanted.type < schema.type : wanted.opset < schema.since;
        });
    if (after == std::begin(schemas)) return nullptr;
    const Schema &schema = *std::prev(after);
    return schema.type == op.type && !schema.deprecated ? &schema : nullptr;
}

const Schema *schemaOf(const Operation &op)
{
    const bool isNewer = op.opset > newestOpsetOfTable && changedLately(op.type);
    return op.domain.empty() && !isNewer ? olderSchemaOf(op) : nullptr;
}

void checkCount(const Operation &op, std::size_t count, int min, int max, bool isOutput)
{
    if (int(count) >= min && int(count) <= max) return;
    const Text range = max == std::numeric_limits<int>::max() ? QL_TEXT("%1 or more").with(min)
                       : min == max                           ? Text(min)
                                                              : QL_TEXT("%1 to %2").with(min, max);
    const Text one =
        isOutput ? QL_TEXT("%1 of opset %2 takes 1 output, not %4") : QL_TEXT("%1 of opset %2 takes 1 input, not %4");
    const Text more = isOutput ? QL_TEXT("%1 of opset %2 takes %3 outputs, not %4")
                               : QL_TEXT("%1 of opset %2 takes %3 inputs, not %4");
    throw Error(ErrorKind::InvalidModel, (max == 1 && min == 1 ? one : more).with(op.type, op.opset, range, count),
                op.name)
        .withRemedy(faultyRemedy);
}

/// The last input of an operator with any number of inputs (Concat) is numbered: "inputs 1", "inputs 2".
std::vector<std::string> inputNamesOf(const Operation &op)
{
    if (!op.domain.empty()) return {};
    const Schema *schema = olderSchemaOf(op);
    if (!schema) return {};
    std::vector<std::string> names;
    for (const Name &name : namesOf(schema->inputs)) names.emplace_back(name.text);
    const bool isOpen = schema->maxInputs > int(names.size());
    if (names.empty() || !isOpen) return names;
    const std::string last = names.back();
    const std::size_t before = names.size() - 1;
    names.pop_back();
    while (names.size() < op.inputs.size()) names.push_back(last + " " + std::to_string(names.size() - before + 1));
    return names;
}

const InputNamesRegistrar inputNamesRegistrar{"onnx", {inputNamesOf}};

} // namespace

std::vector<std::string> checkAgainstSchema(const Operation &op)
{
    const Schema *schema = schemaOf(op);
    if (!schema) return {};
    checkCount(op, op.inputs.size(), schema->minInputs, schema->maxInputs, false);
    checkCount(op, op.outputs.size(), schema->minOutputs, schema->maxOutputs, true);
    const std::vector<Name> inputs = namesOf(schema->inputs), attributes = namesOf(schema->attributes);
    for (std::size_t i = 0; i < std::min(op.inputs.size(), inputs.size()); ++i)
        if (op.inputs[i] == noVar && inputs[i].isRequired)
            throw Error(ErrorKind::InvalidModel,
                        QL_TEXT("input %1 is missing: %2 needs its '%3'").with(i, op.type, std::string(inputs[i].text)),
                        op.name)
                .withRemedy(faultyRemedy);
    for (const Name &attribute : attributes)
        if (attribute.isRequired && !op.attributes.contains(std::string(attribute.text)))
            throw Error(
                ErrorKind::InvalidModel,
                QL_TEXT("%1 needs the attribute '%2', which is missing").with(op.type, std::string(attribute.text)),
                op.name)
                .withRemedy(faultyRemedy);
    std::vector<std::string> unknown;
    for (const auto &[name, value] : op.attributes)
        if (std::none_of(attributes.begin(), attributes.end(),
                         [&name = name](const Name &known) { return known.text == name; }))
            unknown.push_back(name);
    return unknown;
}

} // namespace ql::onnx_io
