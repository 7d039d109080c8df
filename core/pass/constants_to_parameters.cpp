// Before: Constant -> Conv        After: Conv, whose input is a parameter
//
// The value of a Constant becomes the value of its output tensor; for all of ONNX's forms (value, value_float,
// value_floats, value_int, value_ints). String constants stay. Also applied to bodies of control flow.
#include "core/ir/subgraphs.h"
#include "core/pass/pass.h"

#include <ATen/ops/empty.h>
#include <algorithm>

namespace ql {

namespace {

template <class T>
at::Tensor tensorOf(const std::vector<T> &values, at::ScalarType type, bool isScalar)
{
    const std::vector<std::int64_t> shape =
        isScalar ? std::vector<std::int64_t>{} : std::vector<std::int64_t>{std::int64_t(values.size())};
    at::Tensor out = at::empty(shape, at::TensorOptions().dtype(type));
    std::copy(values.begin(), values.end(), out.data_ptr<T>());
    return out;
}

/// An undefined tensor if op has no numeric value.
at::Tensor constantValue(const Operation &op)
{
    for (const auto &[key, value] : op.attributes) {
        if (const auto *tensor = std::get_if<at::Tensor>(&value); tensor && key == "value") return *tensor;
        if (const auto *number = std::get_if<float>(&value); number && key == "value_float")
            return tensorOf(std::vector<float>{*number}, at::ScalarType::Float, true);
        if (const auto *number = std::get_if<std::int64_t>(&value); number && key == "value_int")
            return tensorOf(std::vector<std::int64_t>{*number}, at::ScalarType::Long, true);
        if (const auto *list = std::get_if<std::vector<float>>(&value); list && key == "value_floats")
            return tensorOf(*list, at::ScalarType::Float, false);
        if (const auto *list = std::get_if<std::vector<std::int64_t>>(&value); list && key == "value_ints")
            return tensorOf(*list, at::ScalarType::Long, false);
    }
    return {};
}

int convert(Graph &graph)
{
    int changed = 0;
    for (const OpId id : graph.operations()) {
        const Operation &op = graph.operation(id);
        if (op.type != "Constant" || !op.domain.empty() || op.outputs.size() != 1 || op.outputs[0] == noVar) continue;
        const at::Tensor value = constantValue(op);
        if (!value.defined()) continue;
        const VarId output = op.outputs[0];
        graph.removeOperation(id);
        graph.setValue(output, value);
        ++changed;
    }
    return changed;
}

class ConstantsToParameters final : public Pass
{
public:
    std::string_view id() const override { return "constants_to_parameters"; }
    int run(QuantModel &model, const PassContext &) const override { return editAllGraphs(model.graph, convert); }
};

const PassRegistrar constantsToParametersRegistrar{
    {.info = {.id = "constants_to_parameters",
              .title = QL_TEXT("Constants to parameters"),
              .meaning = QL_TEXT("Before: Constant feeds an operation. After: the operation reads a parameter.")},
     .traits = {.kind = PassKind::Format},
     .make = makePassOf<ConstantsToParameters>}};

} // namespace
} // namespace ql
