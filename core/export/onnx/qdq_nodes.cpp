#include "core/export/onnx/qdq_nodes.h"

#include "core/base/error.h"
#include "core/exec/openvino_kernels.h"
#include "core/ir/op_traits.h"
#include "core/quant/groups.h"
#include "core/quant/quantize.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <utility>

namespace ql {

// Numbers of ONNX's TensorProto.DataType
static constexpr int uint16Code = 4, float8E4M3 = 17, float8E5M2 = 19, uint4Code = 21, int4Code = 22;
static constexpr std::int64_t opsetOfFloat8 = 19, opsetOfInt4 = 21, opsetOfBlocks = 21;

QdqNodes::QdqNodes(const QuantModel &model, const QdqStyle &style)
    : m_model(model), m_graph(model.graph), m_style(style), m_integers(!model.plan.integerOps.empty())
{}

Grid QdqNodes::gridOf(Slot slot, const TensorQuantConfig &config) const
{
    Grid grid;
    grid.quantMin = config.quantMin;
    grid.quantMax = config.quantMax;
    grid.exponentBits = config.exponentBits;
    grid.dynamic = config.dynamic;
    if (config.dynamic && config.isGrouped()) {
        grid.axis = *config.channelAxis;
        grid.groupSize = config.groupSize;
        grid.scaleFormat = config.scaleFormat;
    }
    if (config.dynamic) return grid;
    grid.scale = m_model.plan.scale(slot);
    grid.zeroPoint = m_model.plan.zeroPoint(slot);
    if (config.channelAxis) grid.axis = *config.channelAxis;
    if (config.isGrouped()) {
        grid.groupSize = config.groupSize;
        grid.shape = groupShape(m_model.graph.variable(variableOf(m_model.graph, slot)).value.sizes(), config);
    }
    return grid;
}

bool QdqNodes::isWideCode(const TensorQuantConfig &config)
{
    return !config.isFloating() && !config.dynamic && integerContainer(config) == at::kInt;
}

bool QdqNodes::isForeignFormat(const TensorQuantConfig &config)
{
    if (!config.isFloating()) return false;
    const std::int64_t largest = config.exponentBits == 4 ? 448 : config.exponentBits == 5 ? 57344 : 0;
    return config.bits != 8 || config.quantMax != largest || config.quantMin != -largest;
}

void QdqNodes::note(const Text &text)
{
    if (std::find(m_notes.begin(), m_notes.end(), text) == m_notes.end()) m_notes.push_back(text);
}

std::int64_t QdqNodes::irVersion() const
{
    return m_minOpset >= opsetOfInt4 ? 10 : m_minOpset >= opsetOfFloat8 ? 9 : 8;
}

QdqNodes::CodeType QdqNodes::codeTypeOf(const Operation &op, const TensorQuantConfig &config, bool isParameter)
{
    const auto needs = [&](std::int64_t opset) { m_minOpset = std::max(m_minOpset, opset); };
    if (config.isGrouped()) needs(opsetOfBlocks);
    if (isForeignFormat(config))
        throw Error(ErrorKind::BadConfig,
                    config.codebook != Codebook::None
                        ? QL_TEXT("QuantizeLinear has no codebooks such as %1").with(toString(config.codebook))
                        : QL_TEXT("QuantizeLinear has no float type with %1 bits, %2 of them for the exponent, up to "
                                  "%3")
                              .with(config.bits, config.exponentBits, config.quantMax),
                    op.name)
            .withRemedy(QL_TEXT("For activations, choose FP8 E4M3 (up to 448) or E5M2 (up to 57344), integer bits, or "
                                "the native format."));
    if (config.isFloating()) {
        needs(opsetOfFloat8);
        if (m_style.parameters == QdqStyle::Integers)
            note(QL_TEXT("ONNX Runtime loads FP8 only with the session option session.disable_quant_qdq set to 1, and "
                         "computes in float32."));
        return {at::kFloat, config.exponentBits == 4 ? float8E4M3 : float8E5M2, config.quantMin, config.quantMax};
    }
    if (isParameter && m_style.int4 && config.quantMax - config.quantMin <= 15) {
        if (config.quantMin >= 0 && config.quantMax <= 15) {
            needs(opsetOfInt4);
            return {at::kByte, uint4Code, 0, 15};
        }
        if (config.quantMin >= -8 && config.quantMax <= 7) {
            needs(opsetOfInt4);
            return {at::kChar, int4Code, -8, 7};
        }
    }
    switch (integerContainer(config)) {
    case at::kByte: return {at::kByte, 0, 0, 255};
    case at::kChar: return {at::kChar, 0, -128, 127};
    case at::kShort: needs(opsetOfInt4); return {at::kShort, 0, -32768, 32767};
    default: break;
    }
    if (config.quantMin >= 0 && config.quantMax <= 65535) {
        needs(opsetOfInt4);
        return {at::kInt, uint16Code, 0, 65535};
    }
    if (!isParameter)
        throw Error(ErrorKind::BadConfig,
                    QL_TEXT("QuantizeLinear cannot write activations of %1 bits").with(config.bits), op.name)
            .withRemedy(QL_TEXT("Use at most 16 bits for activations."));
    return {at::kInt, 0, config.quantMin, config.quantMax};
}

VarId QdqNodes::withFileType(VarId id, const CodeType &type)
{
    m_graph.edit(id).fileType = type.fileType;
    return id;
}

VarId QdqNodes::scaleParameter(const std::string &base, const Grid &grid)
{
    const at::Tensor value = at::tensor(grid.scale, at::TensorOptions(at::kFloat));
    return m_graph.addParameter(m_graph.freshName(base + "_scale"), inShapeOf(grid, value));
}

at::Tensor QdqNodes::inShapeOf(const Grid &grid, const at::Tensor &value)
{
    return grid.axis < 0 ? value.reshape({}) : grid.groupSize > 0 ? value.reshape(grid.shape) : value;
}

VarId QdqNodes::zeroParameter(const std::string &base, const Grid &grid, const CodeType &type)
{
    const std::vector<std::int64_t> wide(grid.zeroPoint.begin(), grid.zeroPoint.end());
    const at::Tensor value = at::tensor(wide, at::TensorOptions(at::kLong)).to(type.stored);
    return withFileType(m_graph.addParameter(m_graph.freshName(base + "_zero_point"), inShapeOf(grid, value)), type);
}

std::int64_t QdqNodes::axisOf(const Grid &grid) const
{
    return grid.axis < 0 && m_style.explicitAxis ? 0 : grid.axis;
}

OpId QdqNodes::addNode(const std::string &base, const char *type, std::vector<VarId> inputs, VarId result,
                       std::int64_t axis, std::int64_t blockSize)
{
    Operation node;
    node.name = m_graph.freshName(base);
    node.type = type;
    node.opset = m_minOpset;
    node.inputs = std::move(inputs);
    node.outputs = {result};
    if (axis >= 0) node.attributes["axis"] = axis;
    if (blockSize > 0) node.attributes["block_size"] = blockSize;
    return m_graph.addOperation(std::move(node));
}

VarId QdqNodes::clipped(const std::string &base, VarId from, const Grid &grid)
{
    const auto bound = [&](const char *name, std::int64_t code) {
        return m_graph.addParameter(
            m_graph.freshName(base + name),
            at::full({}, float(code - grid.zeroPoint[0]) * grid.scale[0], at::TensorOptions(at::kFloat)));
    };
    const VarId result = m_graph.addVariable(m_graph.freshName(base + "_clipped"), m_graph.variable(from).type);
    const VarId lowest = bound("_lowest", grid.quantMin);
    const VarId highest = bound("_highest", grid.quantMax);
    addNode(base + "_Clip", "Clip", {from, lowest, highest}, result, -1);
    return result;
}

void QdqNodes::addPair(const Operation &op, const std::string &base, VarId from, VarId to, Grid grid,
                       TensorQuantConfig config)
{
    if (config.rounding != Rounding::HalfEven)
        note(QL_TEXT("QuantizeLinear rounds half to even; the simulator rounds activations %1, so values exactly "
                     "between two steps may differ by one step at each operation, and by more downstream.")
                 .with(toString(config.rounding)));
    if (config.dynamic) return addDynamicPair(op, base, from, to, config);
    const VarId original = m_model.graph.findVariable(base);
    const bool wantsUnsigned =
        m_integers || (m_style.unsignedCodes && !hasSignedCodes(m_model.graph, m_model.plan, original));
    if (wantsUnsigned && !config.isFloating() && integerContainer(config) == at::kChar && grid.axis < 0) {
        // The same grid with unsigned codes: ONNX Runtime's integer kernels for x86 do not accept signed activations,
        // and its optimizer changes the type of only some tensors
        makeUnsigned(grid, config);
    }
    const CodeType type = codeTypeOf(op, config, false);
    if (config.quantMin != type.low || config.quantMax != type.high) {
        if (grid.axis >= 0)
            note(QL_TEXT("Activations of '%1' are quantized per channel to fewer codes than their type holds: "
                         "QuantizeLinear saturates later than the simulator.")
                     .with(base));
        else
            from = clipped(base, from, grid);
    }
    addQuantized(op, base, from, to, grid, config);
}

/// ONNX Runtime's optimizer joins Clip and Relu with the QuantizeLinear that follows, and fails if that has a float
/// type (version 1.31). A Sum of one tensor is the identity, and is not optimized away.
VarId QdqNodes::separatedFromClip(const std::string &base, VarId from)
{
    const OpId producer = m_graph.variable(from).producer;
    if (m_style.parameters == QdqStyle::Floats || producer == noOp) return from; // for other runtimes
    const std::string &type = m_graph.operation(producer).type;
    if (type != "Clip" && type != "Relu") return from;
    const VarId apart = m_graph.addVariable(m_graph.freshName(base + "_separate"), m_graph.variable(from).type);
    addNode(base + "_Sum", "Sum", {from}, apart, -1);
    return apart;
}

bool QdqNodes::isMovedOutput(VarId id) const
{
    if (!isForOnnxRuntime()) return false;
    for (OpId producer; (producer = m_graph.variable(id).producer) != noOp;) {
        const Operation &op = m_graph.operation(producer);
        if (!movesValues(op) || !op.hasInput(0)) return false;
        id = op.inputs[0];
        if (m_graph.isGraphOutput(id)) return true;
    }
    return false;
}

void QdqNodes::addQuantized(const Operation &op, const std::string &base, VarId from, VarId to, const Grid &grid,
                            const TensorQuantConfig &config)
{
    if (config.isFloating()) from = separatedFromClip(base, from);
    const CodeType type = codeTypeOf(op, config, m_graph.isParameter(from));
    TensorType integers = m_graph.variable(from).type;
    const VarId scale = scaleParameter(base, grid);
    const VarId zero = zeroParameter(base, grid, type);
    integers.dtype = type.stored;
    const VarId codes = withFileType(m_graph.addVariable(m_graph.freshName(base + "_quantized"), integers), type);
    addNode(base + "_QuantizeLinear", "QuantizeLinear", {from, scale, zero}, codes, axisOf(grid), grid.groupSize);
    addNode(base + "_DequantizeLinear", "DequantizeLinear", {codes, scale, zero}, to, axisOf(grid), grid.groupSize);
}

/// The values of a float format, counted in scales.
static at::Tensor smallFloatCodes(const at::Tensor &value, const TensorQuantConfig &config, const Grid &grid)
{
    const at::Tensor scale =
        scaleOfElements(at::tensor(grid.scale, at::TensorOptions(at::kFloat)), value.sizes(), config);
    return fakeQuant((value / scale).contiguous(), config, std::vector<float>(grid.scale.size(), 1.0F), grid.zeroPoint);
}

void QdqNodes::makeUnsigned(Grid &grid, TensorQuantConfig &config)
{
    for (std::int32_t &zero : grid.zeroPoint) zero += 128;
    for (std::int64_t *code : {&grid.quantMin, &grid.quantMax, &config.quantMin, &config.quantMax}) *code += 128;
}

bool QdqNodes::hasUnsignedWeights(const Operation &op) const
{
    return m_style.unsignedWeights && m_model.plan.integerOps.contains(op.id) && traitsOf(op).hasIntegerForm &&
           op.type != "ConvTranspose";
}

void QdqNodes::addIntegers(const Operation &op, const std::string &base, const at::Tensor &value, VarId to, Grid grid,
                           TensorQuantConfig config)
{
    const bool isWeight = op.hasInput(1) && m_model.graph.findVariable(base) == op.inputs[1];
    if (isWeight && hasUnsignedWeights(op) && !config.isFloating() && integerContainer(config) == at::kChar &&
        !(m_style.int4 && config.bits <= 4))
        makeUnsigned(grid, config);
    const CodeType type = codeTypeOf(op, config, true);
    const at::Tensor codes = config.isFloating() ? smallFloatCodes(value, config, grid)
                                                 : quantizeToInteger(value, config, grid.scale, grid.zeroPoint);
    const VarId integers = withFileType(m_graph.addParameter(m_graph.freshName(base + "_quantized"), codes), type);
    const VarId scale = scaleParameter(base, grid);
    const VarId zero = zeroParameter(base, grid, type);
    addNode(base + "_DequantizeLinear", "DequantizeLinear", {integers, scale, zero}, to, axisOf(grid), grid.groupSize);
}

VarId QdqNodes::productOfScales(const std::string &base, float input, const std::vector<float> &weight,
                                const at::Tensor &product)
{
    const auto constant = [&](const char *name, const at::Tensor &value) {
        return m_graph.addParameter(m_graph.freshName(base + name), value);
    };
    std::vector<float> each; // those of a ConvTranspose with groups are repeated
    for (std::size_t i = 0; i < std::size_t(product.numel()); ++i) each.push_back(weight.at(i % weight.size()));
    const at::Tensor factors = at::tensor(each).reshape(product.sizes());
    const at::Tensor scale = at::full({}, input, at::TensorOptions(at::kFloat));
    if (!at::equal(factors * scale, product)) return constant("_step", product);
    const VarId result = m_graph.addVariable(m_graph.freshName(base + "_step"), TensorType{at::kFloat, {}});
    const VarId first = constant("_input_scale", scale);
    addNode(base + "_step_Mul", "Mul", {first, constant("_weight_scale", factors)}, result, -1);
    return result;
}

VarId QdqNodes::sharedConstant(const char *name, const at::Tensor &value)
{
    for (const VarId id : m_shared) {
        const at::Tensor &known = m_graph.variable(id).value;
        if (known.scalar_type() == value.scalar_type() && at::equal(known, value)) return id;
    }
    m_shared.push_back(m_graph.addParameter(m_graph.freshName(name), value));
    return m_shared.back();
}

void QdqNodes::addLookUp(const std::string &base, const at::Tensor &value, VarId to, const Grid &grid,
                         const TensorQuantConfig &config)
{
    constexpr std::int64_t toInt32 = 6;
    const auto added = [&](const char *type, const char *name, std::vector<VarId> inputs, at::ScalarType dtype) {
        const VarId result = m_graph.addVariable(m_graph.freshName(base + name), TensorType{dtype, {}});
        return std::pair{addNode(base + "_" + type, type, std::move(inputs), result, -1), result};
    };
    const at::Tensor codes = codesOfValues(smallFloatCodes(value, config, grid), config);
    const VarId stored = m_graph.addParameter(m_graph.freshName(base + "_quantized"), codes);
    if (m_style.int4 && config.bits <= 4) {
        m_graph.edit(stored).fileType = uint4Code;
        m_minOpset = std::max(m_minOpset, opsetOfInt4);
    }
    const auto [cast, indices] = added("Cast", "_codes", {stored}, at::kInt);
    m_graph.edit(cast).attributes["to"] = toInt32;
    const VarId table =
        sharedConstant("values_of_codes", at::tensor(codeValues(config), at::TensorOptions(at::kFloat)));
    const VarId values = added("Gather", "_values", {table, indices}, at::kFloat).second;
    VarId scale = noVar;
    if (config.isGrouped()) {
        const at::Tensor groups =
            at::arange(value.size(grid.axis), at::TensorOptions(at::kInt)).floor_divide(grid.groupSize).to(at::kInt);
        const VarId index = sharedConstant("groups_of_entries", groups);
        const auto [gather, perEntry] =
            added("Gather", "_scale_of_entries", {scaleParameter(base, grid), index}, at::kFloat);
        m_graph.edit(gather).attributes["axis"] = grid.axis;
        scale = perEntry;
    } else {
        const at::Tensor scales = at::tensor(grid.scale, at::TensorOptions(at::kFloat));
        scale =
            m_graph.addParameter(m_graph.freshName(base + "_scale"), scaleOfElements(scales, value.sizes(), config));
    }
    addNode(base + "_Mul", "Mul", {values, scale}, to, -1);
}

} // namespace ql
