#include "core/exec/type_tracer.h"

#include "core/exec/convolution.h"

#include <ATen/ExpandUtils.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

namespace ql {

namespace {

constexpr std::size_t all = 1000;

/// Operators of ai.onnx whose results have shapes that follow from the shapes of so many leading inputs and from the
/// values of those behind them; values flow on from all of them.
const std::unordered_map<std::string, std::size_t> &shapeOnlyInputs()
{
    static const std::unordered_map<std::string, std::size_t> table = [] {
        std::unordered_map<std::string, std::size_t> t;
        const auto add = [&](std::size_t inputs, std::initializer_list<const char *> types) {
            for (const char *type : types) t.emplace(type, inputs);
        };
        add(1, {"Abs",
                "AveragePool",
                "ArgMax",
                "ArgMin",
                "Cast",
                "Ceil",
                "Clip",
                "Cos",
                "CumSum",
                "DepthToSpace",
                "Dropout",
                "Elu",
                "Erf",
                "Exp",
                "Expand",
                "Flatten",
                "Floor",
                "Gather",
                "GatherElements",
                "GatherND",
                "Gelu",
                "GlobalAveragePool",
                "GlobalMaxPool",
                "HardSigmoid",
                "HardSwish",
                "Hardmax",
                "Identity",
                "LeakyRelu",
                "Log",
                "LogSoftmax",
                "LpNormalization",
                "LpPool",
                "LRN",
                "MaxPool",
                "Mish",
                "Neg",
                "Not",
                "Pad",
                "Reciprocal",
                "ReduceL1",
                "ReduceL2",
                "ReduceLogSum",
                "ReduceLogSumExp",
                "ReduceMax",
                "ReduceMean",
                "ReduceMin",
                "ReduceProd",
                "ReduceSum",
                "ReduceSumSquare",
                "Relu",
                "Reshape",
                "Resize",
                "Round",
                "Selu",
                "Sigmoid",
                "Sign",
                "Sin",
                "Slice",
                "Softmax",
                "Softplus",
                "Softsign",
                "SpaceToDepth",
                "Split",
                "Sqrt",
                "Squeeze",
                "Tanh",
                "ThresholdedRelu",
                "Tile",
                "TopK",
                "Transpose",
                "Trilu",
                "Unsqueeze",
                "Upsample"});
        add(4, {"GRU", "LSTM", "RNN"});
        add(all, {"Add",
                  "And",
                  "BatchNormalization",
                  "Concat",
                  "Conv",
                  "ConvTranspose",
                  "DequantizeLinear",
                  "Div",
                  "Einsum",
                  "Equal",
                  "Gemm",
                  "Greater",
                  "GreaterOrEqual",
                  "GroupNormalization",
                  "InstanceNormalization",
                  "LayerNormalization",
                  "Less",
                  "LessOrEqual",
                  "MatMul",
                  "Max",
                  "Mean",
                  "Min",
                  "Mul",
                  "Or",
                  "PRelu",
                  "Pow",
                  "QuantizeLinear",
                  "Sub",
                  "Sum",
                  "Where",
                  "Xor"});
        return t;
    }();
    return table;
}

/// By variable, whether its values may decide about a shape.
std::vector<bool> whatMatters(const Graph &graph)
{
    const auto &table = shapeOnlyInputs();
    const auto index = [](VarId id) { return std::size_t(id); };
    std::vector<bool> matters;
    const auto mark = [&](VarId id) {
        if (index(id) >= matters.size()) matters.resize(index(id) + 1);
        matters[index(id)] = true;
    };
    const auto isMarked = [&](VarId id) { return index(id) < matters.size() && matters[index(id)]; };
    std::vector<OpId> order = graph.topological();
    std::reverse(order.begin(), order.end());
    for (const OpId id : order) {
        const Operation &op = graph.operation(id);
        if (op.domain.empty() && (op.type == "Shape" || op.type == "Size")) continue;
        const auto known = op.domain.empty() ? table.find(op.type) : table.end();
        std::size_t free = known == table.end() ? 0 : known->second;
        for (const VarId output : op.outputs)
            if (output != noVar && isMarked(output)) free = 0;
        for (std::size_t i = free; i < op.inputs.size(); ++i)
            if (op.inputs[i] != noVar) mark(op.inputs[i]);
    }
    return matters;
}

/// One result of the type and shape of input 0.
bool keepsType(const std::string &type)
{
    static const std::set<std::string> types = {"Abs",     "Ceil",  "Clip",        "Cos",       "Elu",       "Erf",
                                                "Exp",     "Floor", "HardSigmoid", "HardSwish", "LeakyRelu", "Log",
                                                "Mish",    "Neg",   "Reciprocal",  "Relu",      "Round",     "Selu",
                                                "Sigmoid", "Sin",   "Softplus",    "Softsign",  "Sqrt",      "Tanh"};
    return types.contains(type);
}

std::optional<std::vector<std::int64_t>> shapeOfResult(const Operation &op, Inputs inputs)
{
    const at::Tensor &x = inputs[0];
    if (keepsType(op.type)) return x.sizes().vec();
    if (op.type == "BatchNormalization") {
        const bool perChannel = op.opset >= 9 || op.intAttribute("spatial", 1) != 0;
        const bool isPlain = op.intAttribute("training_mode", 0) == 0 && perChannel && op.outputs.size() == 1;
        const bool fits = x.dim() >= 2 && inputs.size() == 5 &&
                          std::all_of(inputs.begin() + 1, inputs.end(),
                                      [&](const at::Tensor &t) { return t.defined() && t.numel() == x.size(1); });
        if (isPlain && fits) return x.sizes().vec();
        return std::nullopt;
    }
    if (inputs.size() < 2 || !inputs[1].defined() || inputs[1].scalar_type() != at::kFloat) return std::nullopt;
    const at::Tensor &second = inputs[1];
    if (op.type == "Conv") {
        const bool fits = x.dim() >= 3 && x.dim() == second.dim();
        if (!fits || x.numel() == 0 || second.numel() == 0) return std::nullopt;
        if (const at::Tensor bias = inputOr(inputs, 2); bias.defined() && bias.numel() != second.size(0))
            return std::nullopt;
        return convOutputSizes(op, convGeometry(op, x.sizes(), second.sizes()), x.sizes(), second.sizes());
    }
    if (op.type == "Add" || op.type == "Sub" || op.type == "Mul" || op.type == "Div") {
        if (op.opset < 7) return std::nullopt; // other rules of broadcasting
        checkBroadcast(op, x, second);
        return at::infer_size(x.sizes(), second.sizes());
    }
    if (op.type == "MatMul" && x.dim() >= 2 && second.dim() >= 2 && x.size(-1) == second.size(-2)) {
        std::vector<std::int64_t> shape = at::infer_size(x.sizes().slice(0, std::size_t(x.dim() - 2)),
                                                         second.sizes().slice(0, std::size_t(second.dim() - 2)));
        shape.push_back(x.size(-2));
        shape.push_back(second.size(-1));
        return shape;
    }
    return std::nullopt;
}

} // namespace

TypeTracer::TypeTracer(const Graph &graph) : m_matters(whatMatters(graph)) {}

TensorType TypeTracer::typeOf(const at::Tensor &value)
{
    TensorType type;
    type.dtype = value.scalar_type();
    type.shape.emplace();
    for (const std::int64_t size : value.sizes()) type.shape->push_back({size, {}});
    return type;
}

std::optional<std::vector<at::Tensor>> TypeTracer::zerosFor(const Operation &op, Inputs inputs) const
{
    if (!op.domain.empty() || inputs.empty() || !inputs[0].defined() || inputs[0].scalar_type() != at::kFloat ||
        op.outputs.empty() || op.outputs[0] == noVar)
        return std::nullopt;
    const auto index = std::size_t(op.outputs[0]);
    if (index < m_matters.size() && m_matters[index]) return std::nullopt;
    const auto shape = shapeOfResult(op, inputs);
    if (!shape) return std::nullopt;
    checkElements(op, *shape);
    return std::vector<at::Tensor>{at::zeros({}, inputs[0].options()).expand(*shape)};
}

at::Tensor TypeTracer::dense(const at::Tensor &tensor)
{
    const bool isHollow =
        tensor.defined() && tensor.numel() > 1 &&
        std::all_of(tensor.strides().begin(), tensor.strides().end(), [](std::int64_t stride) { return stride == 0; });
    return isHollow ? tensor.contiguous() : tensor;
}

} // namespace ql
