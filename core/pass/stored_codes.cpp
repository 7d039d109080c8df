#include "core/pass/stored_codes.h"

#include "core/base/error.h"
#include "core/exec/quantized.h"
#include "core/ir/op_traits.h"
#include "core/pass/format_tools.h"
#include "core/quant/groups.h"

#include <ATen/ops/tensor.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ql {

static constexpr std::string_view contrib = "com.microsoft";

static const std::vector<LinearForm> &linearForms()
{
    const std::vector<CodeInput> one = {{0, 1, 2}}, two = {{0, 1, 2}, {3, 4, 5}};
    static const std::vector<LinearForm> forms = {
        {.type = "QLinearConv", .floatType = "Conv", .inputs = two, .outputScale = 6, .bias = 8},
        {.type = "QLinearMatMul", .floatType = "MatMul", .inputs = two, .outputScale = 6},
        {.type = "QGemm", .floatType = "Gemm", .domain = contrib, .inputs = two, .outputScale = 7, .bias = 6},
        {.type = "QLinearAdd", .floatType = "Add", .domain = contrib, .inputs = two, .outputScale = 6},
        {.type = "QLinearMul", .floatType = "Mul", .domain = contrib, .inputs = two, .outputScale = 6},
        {.type = "QLinearSigmoid", .floatType = "Sigmoid", .domain = contrib, .inputs = one, .outputScale = 3},
        {.type = "QLinearLeakyRelu", .floatType = "LeakyRelu", .domain = contrib, .inputs = one, .outputScale = 3},
        {.type = "QLinearSoftmax", .floatType = "Softmax", .domain = contrib, .inputs = one, .outputScale = 3},
        {.type = "QLinearAveragePool", .floatType = "AveragePool", .domain = contrib, .inputs = one, .outputScale = 3},
        {.type = "QLinearGlobalAveragePool",
         .floatType = "GlobalAveragePool",
         .domain = contrib,
         .inputs = one,
         .outputScale = 3},
        {.type = "QLinearReduceMean", .floatType = "ReduceMean", .domain = contrib, .inputs = one, .outputScale = 3},
        {.type = "QLinearConcat", .floatType = "Concat", .domain = contrib, .outputScale = 0, .isConcat = true}};
    return forms;
}

const LinearForm *linearFormOf(const Operation &op)
{
    const auto &forms = linearForms();
    const auto found = std::find_if(forms.begin(), forms.end(), [&](const LinearForm &form) {
        return form.type == op.type && form.domain == op.domain;
    });
    return found == forms.end() || op.intAttribute("channels_last", 0) != 0 ? nullptr : &*found;
}

std::vector<CodeInput> codeInputs(const LinearForm &form, const Operation &op)
{
    if (!form.isConcat) return form.inputs;
    std::vector<CodeInput> inputs;
    for (std::size_t i = 2; i + 2 < op.inputs.size(); i += 3) inputs.push_back({i, i + 1, i + 2});
    return inputs;
}

bool isQuantizeLinear(const Operation &op)
{
    return op.type == "QuantizeLinear" && (op.domain.empty() || op.domain == contrib);
}

bool isDequantizeLinear(const Operation &op)
{
    return op.type == "DequantizeLinear" && (op.domain.empty() || op.domain == contrib);
}

bool isCopy(const Graph &graph, const Operation &op)
{
    if (!op.domain.empty()) return false;
    if (op.type == "Sum") return op.inputs.size() == 1;
    if (op.type != "Max" || op.inputs.size() != 2) return false;
    const at::Tensor least = parameterOf(graph, op, 1);
    return least.defined() && least.numel() == 1 && least.scalar_type() == at::kFloat &&
           least.item().toFloat() == std::numeric_limits<float>::lowest();
}

bool movesCodes(const Operation &op)
{
    const bool repeats = op.type == "Resize" || op.type == "Upsample";
    return op.domain.empty() &&
           (traitsOf(op).keepsGrid || (repeats && op.stringAttribute("mode", "nearest") == "nearest"));
}

static StoredGrid gridWith(int bits, std::int64_t lowest, std::int64_t highest)
{
    StoredGrid grid;
    grid.bits = bits;
    grid.quantMin = lowest;
    grid.quantMax = highest;
    return grid;
}

static StoredGrid floatGrid(int exponentBits, std::int64_t largest)
{
    StoredGrid grid = gridWith(8, -largest, largest);
    grid.exponentBits = exponentBits;
    return grid;
}

/// The codes of an element type, by its number in ONNX's TensorProto.DataType. Unset for types without a grid.
static std::optional<StoredGrid> gridOfType(int number)
{
    switch (number) {
    case 2: return gridWith(8, 0, 255);
    case 3: return gridWith(8, -128, 127);
    case 4: return gridWith(16, 0, 65535);
    case 5: return gridWith(16, -32768, 32767);
    case 6: return gridWith(32, -2147483648LL, 2147483647);
    case 17: return floatGrid(4, 448);   // E4M3
    case 19: return floatGrid(5, 57344); // E5M2
    case 21: return gridWith(4, 0, 15);
    case 22: return gridWith(4, -8, 7);
    default: return std::nullopt;
    }
}

static int typeNumber(const Variable &variable)
{
    if (variable.fileType != 0) return variable.fileType;
    const at::ScalarType type = variable.value.defined() ? variable.value.scalar_type() : variable.type.dtype;
    switch (type) {
    case at::kByte: return 2;
    case at::kChar: return 3;
    case at::kShort: return 5;
    case at::kInt: return 6;
    default: return 0; // float32 without a type in the file
    }
}

/// Bits and range of the codes that op writes or reads.
static std::optional<StoredGrid> gridOfCodes(const Graph &graph, const Operation &op, std::size_t zeroPoint,
                                             VarId codes)
{
    if (op.hasInput(zeroPoint)) return gridOfType(typeNumber(graph.variable(op.inputs[zeroPoint])));
    if (isQuantizeLinear(op)) return gridOfType(int(op.intAttribute("output_dtype", 2)));
    return gridOfType(typeNumber(graph.variable(codes)));
}

/// A parameter, or one that a QuantizeLinear rounds.
static bool isConstant(const Graph &graph, VarId id)
{
    const OpId producer = graph.variable(id).producer;
    if (producer == noOp || !isQuantizeLinear(graph.operation(producer))) return graph.isParameter(id);
    return graph.isParameter(graph.operation(producer).inputs[0]);
}

/// NNCF's scales of INT4 weights have a sign, which makes the larger magnitude of a group its lowest code.
static bool isSigned(const at::Tensor &scale)
{
    return scale.is_floating_point() && scale.numel() > 0 && scale.min().item().toDouble() < 0;
}

bool hasGrid(const Graph &graph, const Operation &op)
{
    if (!op.hasInput(1)) return false;
    const at::Tensor &scale = graph.variable(op.inputs[1]).value;
    if (op.intAttribute("block_size", 0) > 0) {
        if (!isConstant(graph, op.inputs[0]) || !scale.defined()) return false;
    } else if (scale.defined() && scale.dim() > 1) {
        return false;
    }
    if (isDequantizeLinear(op) && graph.isParameter(op.inputs[0]) && scale.defined() && isSigned(scale)) return false;
    return gridOfCodes(graph, op, 2, isQuantizeLinear(op) ? op.outputs[0] : op.inputs[0]).has_value();
}

StoredGrid storedGrid(const Graph &graph, const Operation &op, std::size_t scaleInput, std::size_t zeroInput,
                      VarId codes, std::int64_t axis)
{
    StoredGrid grid = gridOfCodes(graph, op, zeroInput, codes).value_or(StoredGrid{});
    const auto constant = [&](std::size_t i, const Text &what) {
        const Variable &variable = graph.variable(op.inputs[i]);
        if (!variable.value.defined())
            throw Error(ErrorKind::InvalidModel, QL_TEXT("%1 of %2 is computed at run time").with(what, op.type),
                        op.name, variable.name)
                .withRemedy(QL_TEXT("Scales and zero points must be constants."));
        return variable.value.contiguous().reshape({-1});
    };
    if (!op.hasInput(scaleInput))
        throw Error(ErrorKind::InvalidModel, QL_TEXT("%1 has no scale").with(op.type), op.name);
    const at::Tensor scale = constant(scaleInput, QL_TEXT("the scale")).to(at::kFloat);
    grid.scale.assign(scale.data_ptr<float>(), scale.data_ptr<float>() + scale.numel());
    for (const float value : grid.scale)
        if (!(value > 0) || !std::isfinite(value))
            throw Error(ErrorKind::InvalidModel,
                        QL_TEXT("a scale of %1 is %2, expected a positive number").with(op.type, numberText(value)),
                        op.name, graph.variable(op.inputs[scaleInput]).name)
                .withRemedy(QL_TEXT("The file is damaged, or its tool did not calibrate this tensor."));
    grid.zeroPoint.assign(grid.scale.size(), 0);
    if (op.hasInput(zeroInput)) {
        const at::Tensor zero = constant(zeroInput, QL_TEXT("the zero point")).to(at::kInt).contiguous();
        if (zero.numel() != 1 && std::size_t(zero.numel()) != grid.scale.size())
            throw Error(ErrorKind::InvalidModel,
                        QL_TEXT("%1 has %2 scales and %3 zero points").with(op.type, grid.scale.size(), zero.numel()),
                        op.name, graph.variable(op.inputs[zeroInput]).name);
        for (std::size_t i = 0; i < grid.zeroPoint.size(); ++i)
            grid.zeroPoint[i] = zero.data_ptr<std::int32_t>()[zero.numel() == 1 ? 0 : i];
    }
    const std::int64_t block = op.intAttribute("block_size", 0);
    if (grid.scale.size() == 1 && block == 0) return grid;
    const Variable &variable = graph.variable(codes);
    const at::Tensor &value = block > 0 && isQuantizeLinear(op) ? graph.variable(op.inputs[0]).value : variable.value;
    const std::int64_t rank = value.defined()       ? value.dim()
                              : variable.type.shape ? std::int64_t(variable.type.shape->size())
                                                    : -1;
    if (axis < 0) axis += rank;
    bool fits = axis >= 0 && (rank < 0 || axis < rank);
    if (fits && block > 0) {
        grid.axis = int(axis);
        grid.groupSize = int(block);
        fits = !value.defined() || groupCount(value.sizes(), grid.config()) == grid.scale.size();
    } else if (fits) {
        fits = !value.defined() || value.size(axis) == std::int64_t(grid.scale.size());
    }
    if (!fits)
        throw Error(ErrorKind::InvalidModel,
                    QL_TEXT("%1 has %2 scales, which do not fit its axis").with(op.type, grid.scale.size()), op.name,
                    variable.name);
    grid.axis = int(axis);
    return grid;
}

at::Tensor storedValues(const at::Tensor &codes, const StoredGrid &grid)
{
    const auto spread = [&](const at::Tensor &each) { return scaleOfElements(each, codes.sizes(), grid.config()); };
    const at::Tensor scale = spread(at::tensor(grid.scale, at::TensorOptions(at::kFloat)));
    if (grid.isFloating()) return (codes.to(at::kFloat) * scale).contiguous();
    return realValues(codes, scale, spread(at::tensor(grid.zeroPoint, at::TensorOptions(at::kInt)))).contiguous();
}

TensorQuantConfig StoredGrid::config() const
{
    TensorQuantConfig config;
    config.bits = bits;
    config.exponentBits = exponentBits;
    config.codebook = codebook;
    config.quantMin = quantMin;
    config.quantMax = quantMax;
    config.symmetric = isFloating();
    config.channelAxis = axis;
    config.groupSize = groupSize;
    return config;
}

void setCodeType(Graph &graph, VarId id, const StoredGrid &grid)
{
    const bool isSigned = grid.quantMin < 0;
    Variable &codes = graph.edit(id);
    if (grid.isFloating()) {
        codes.type.dtype = at::kFloat;
        codes.fileType = grid.exponentBits == 4 ? 17 : 19;
        if (codes.value.defined()) codes.value = codes.value.to(at::kFloat);
        return;
    }
    codes.type.dtype = grid.bits > 16  ? at::kInt
                       : grid.bits > 8 ? (isSigned ? at::kShort : at::kInt)
                       : isSigned      ? at::kChar
                                       : at::kByte;
    codes.fileType = grid.bits <= 4 ? (isSigned ? 22 : 21) : grid.bits == 16 && !isSigned ? 4 : 0;
    if (codes.value.defined()) codes.value = codes.value.to(codes.type.dtype);
}

} // namespace ql
