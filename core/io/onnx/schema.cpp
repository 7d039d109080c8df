#include "core/io/onnx/schema.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <onnx/defs/schema.h>

#include <limits>
#include <set>
#include <string_view>

namespace ql::onnx_io {

namespace {

const char *const faultyRemedy = "The file was written by a faulty tool; export the model again.";

/// Changed in opset 18 to 28 (ONNX, docs/Changelog.md): with an onnx library that ends before, their schema there says
/// nothing about these.
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

const onnx::OpSchema *schemaOf(const Operation &op)
{
    static const int newest = onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map().at("").second;
    if (!op.domain.empty() || op.opset > std::numeric_limits<int>::max()) return nullptr;
    if (op.opset > newest && changedLately(op.type)) return nullptr;
    const onnx::OpSchema *schema = onnx::OpSchemaRegistry::Schema(op.type, int(op.opset), "");
    return schema && !schema->deprecated() ? schema : nullptr;
}

/// what: "input" or "output".
void checkCount(const Operation &op, std::size_t count, int min, int max, const std::string &what)
{
    if (int(count) >= min && int(count) <= max) return;
    const bool isOpen = max == std::numeric_limits<int>::max();
    const std::string range = std::to_string(min) + (isOpen       ? " or more"
                                                     : min == max ? ""
                                                                  : " to " + std::to_string(max));
    throw Error(ErrorKind::InvalidModel,
                op.type + " of opset " + std::to_string(op.opset) + " takes " + range + " " + what +
                    (min == 1 && max == 1 ? "" : "s") + ", not " + std::to_string(count),
                op.name)
        .withRemedy(faultyRemedy);
}

} // namespace

void loadSchemas()
{
    onnx::OpSchemaRegistry::Schema("Identity");
}

std::vector<std::string> checkAgainstSchema(const Operation &op)
{
    const onnx::OpSchema *schema = schemaOf(op);
    if (!schema) return {};
    checkCount(op, op.inputs.size(), schema->min_input(), schema->max_input(), "input");
    checkCount(op, op.outputs.size(), schema->min_output(), schema->max_output(), "output");
    for (std::size_t i = 0; i < op.inputs.size() && i < schema->inputs().size(); ++i)
        if (op.inputs[i] == noVar && schema->inputs()[i].GetOption() == onnx::OpSchema::Single)
            throw Error(ErrorKind::InvalidModel,
                        "input " + std::to_string(i) + " is missing: " + op.type + " needs its '" +
                            schema->inputs()[i].GetName() + "'",
                        op.name)
                .withRemedy(faultyRemedy);
    std::vector<std::string> unknown;
    for (const auto &[name, attribute] : schema->attributes())
        if (attribute.required && !op.attributes.contains(name))
            throw Error(ErrorKind::InvalidModel, op.type + " needs the attribute '" + name + "', which is missing",
                        op.name)
                .withRemedy(faultyRemedy);
    for (const auto &[name, value] : op.attributes)
        if (!schema->attributes().count(name)) unknown.push_back(name);
    return unknown;
}

} // namespace ql::onnx_io
