// Activations whose scales are computed at run time, in the nodes of a file.
#include "core/base/error.h"
#include "core/export/onnx/qdq_nodes.h"
#include "core/quant/tensor_quant_config.h"

#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace ql {

// Numbers of ONNX's TensorProto.DataType
static constexpr int floatCode = 1, doubleCode = 11, codeOfE4M3 = 17, codeOfE5M2 = 19;

void QdqNodes::addDynamicPair(const Operation &op, const std::string &base, VarId from, VarId to,
                              const TensorQuantConfig &config)
{
    if (config.isGrouped()) return addDynamicGroups(op, base, from, to, config);
    const bool isUnsigned = !config.symmetric && config.quantMin == 0 && config.quantMax == 255;
    const bool isSigned = config.symmetric && config.quantMin >= -128 && config.quantMax <= 127 &&
                          (config.quantMin == -config.quantMax || config.quantMax == 127);
    if (config.isPerChannel() || config.powerOfTwo || (!isUnsigned && !isSigned))
        throw Error(ErrorKind::BadConfig,
                    QL_TEXT("ONNX computes a scale at run time only for unsigned 8-bit codes, or for symmetric ones, "
                            "and not per channel"),
                    op.name)
            .withRemedy(QL_TEXT("Use 8 bits with codes from 0 to 255, or symmetric ones, and one scale per tensor; or "
                                "set dynamic to false."));
    const auto scalar = [&](const char *name, at::ScalarType dtype) {
        return m_graph.addVariable(m_graph.freshName(base + name), TensorType{dtype, std::vector<Dim>()});
    };
    const auto constant = [&](const char *name, double value, at::ScalarType dtype) {
        return m_graph.addParameter(m_graph.freshName(base + name), at::full({}, value, at::TensorOptions(dtype)));
    };
    TensorType integers = m_graph.variable(from).type;
    integers.dtype = isUnsigned ? at::kByte : at::kChar;
    const VarId codes = m_graph.addVariable(m_graph.freshName(base + "_quantized"), integers);
    const VarId scale = scalar("_scale", at::kFloat);
    VarId zero = noVar;
    if (isUnsigned) {
        zero = scalar("_zero_point", at::kByte);
        const OpId quantize = addNode(base + "_DynamicQuantizeLinear", "DynamicQuantizeLinear", {from}, codes, -1);
        m_graph.setOutput(quantize, 1, scale);
        m_graph.setOutput(quantize, 2, zero);
    } else { // scale = 2 max |x| / (highest - lowest code), at least the smallest one of the simulator
        const VarId magnitude = m_graph.addVariable(m_graph.freshName(base + "_abs"), m_graph.variable(from).type);
        const VarId most = scalar("_largest", at::kFloat), step = scalar("_step", at::kFloat);
        addNode(base + "_Abs", "Abs", {from}, magnitude, -1);
        const OpId largest = addNode(base + "_ReduceMax", "ReduceMax", {magnitude}, most, -1);
        m_graph.edit(largest).attributes["keepdims"] = std::int64_t{0};
        const double range = double(config.quantMax - config.quantMin);
        addNode(base + "_Div", "Div", {most, constant("_half_range", range / 2, at::kFloat)}, step, -1);
        const VarId least = constant("_least_scale", config.minScale.value_or(1e-8), at::kFloat);
        addNode(base + "_Max", "Max", {step, least}, scale, -1);
        zero = constant("_zero_point", 0, at::kChar);
        addNode(base + "_QuantizeLinear", "QuantizeLinear", {from, scale, zero}, codes, -1);
    }
    addNode(base + "_DequantizeLinear", "DequantizeLinear", {codes, scale, zero}, to, -1);
}

VarId QdqNodes::added(const std::string &base, const char *type, std::vector<VarId> inputs, at::ScalarType dtype)
{
    const VarId result = m_graph.addVariable(m_graph.freshName(base + "_" + type), TensorType{dtype, {}});
    addNode(base + "_" + type + "_node", type, std::move(inputs), result, -1);
    return result;
}

VarId QdqNodes::constantOf(double value, at::ScalarType dtype)
{
    return sharedConstant("constant", at::full({}, value, at::TensorOptions(dtype)));
}

VarId QdqNodes::castTo(const std::string &base, VarId from, at::ScalarType dtype, int fileType)
{
    const VarId result = added(base, "Cast", {from}, dtype);
    m_graph.edit(m_graph.variable(result).producer).attributes["to"] = std::int64_t(fileType);
    if (fileType != floatCode && fileType != doubleCode) m_graph.edit(result).fileType = fileType;
    return result;
}

VarId QdqNodes::largestOf(const std::string &base, VarId groups, const char *reduction)
{
    constexpr std::int64_t opsetOfAttribute = 13; // from 18 on, axes are an input: raiseOpset()
    const VarId result = added(base, reduction, {groups});
    Operation &node = m_graph.edit(m_graph.variable(result).producer);
    node.attributes["axes"] = std::vector<std::int64_t>{-1};
    node.opset = opsetOfAttribute;
    return result;
}

/// The power of two with the exponent of the largest value, divided by that of the largest code. A logarithm may be the
/// next integer by its rounding, so that the power is compared with the value.
VarId QdqNodes::powerOfTwoScale(const std::string &base, VarId largest, const TensorQuantConfig &config)
{
    constexpr at::ScalarType type = at::kDouble;
    const auto twice = [&](VarId x) { return added(base, "Mul", {x, constantOf(2, type)}, type); };
    const auto half = [&](VarId x) { return added(base, "Mul", {x, constantOf(0.5, type)}, type); };
    const VarId wide = castTo(base, largest, type, doubleCode);
    const VarId logarithm =
        added(base, "Div", {added(base, "Log", {wide}, type), constantOf(std::log(2.0), type)}, type);
    VarId power = added(base, "Pow", {constantOf(2, type), added(base, "Floor", {logarithm}, type)}, type);
    power = added(base, "Where", {added(base, "Greater", {power, wide}, at::kBool), half(power), power}, type);
    const VarId next = twice(power);
    power = added(base, "Where", {added(base, "LessOrEqual", {next, wide}, at::kBool), next, power}, type);
    const VarId perCode = constantOf(double(solveRange(-1, 1, config).scale), type); // 1 has the exponent 0
    constexpr int least = -126, most = 127;                                          // as solveRange()
    const VarId limited = added(base, "Clip",
                                {added(base, "Mul", {power, perCode}, type), constantOf(std::exp2(least), type),
                                 constantOf(std::exp2(most), type)},
                                type);
    return castTo(base, limited, at::kFloat, floatCode);
}

VarId QdqNodes::scaleOfGroups(const std::string &base, VarId groups, const TensorQuantConfig &config)
{
    const VarId largest = largestOf(base, added(base, "Abs", {groups}), "ReduceMax");
    if (config.scaleFormat == ScaleFormat::E8M0) return powerOfTwoScale(base, largest, config);
    const double range = double(config.quantMax - config.quantMin);
    const VarId step = added(base, "Div", {largest, constantOf(range / 2)});
    const VarId scale = added(base, "Max", {step, constantOf(config.minScale.value_or(1e-8))});
    return config.scaleFormat == ScaleFormat::E4M3 ? floatScale(base, scale) : scale;
}

/// Scales of groups as multiples of one scale of the tensor, as roundScales() computes them.
VarId QdqNodes::floatScale(const std::string &base, VarId scale)
{
    constexpr double largest = 448, least = 0x1p-9; // of E4M3
    const VarId most = added(base, "ReduceMax", {scale});
    const VarId ofTensor = added(base, "Div", {most, constantOf(largest)});
    const VarId units = roundedToFloat8(base, added(base, "Div", {scale, ofTensor}), codeOfE4M3);
    return added(base, "Mul", {added(base, "Max", {units, constantOf(least)}), ofTensor});
}

VarId QdqNodes::roundedToFloat8(const std::string &base, VarId from, int fileType)
{
    constexpr std::int64_t opsetOfFloat8 = 19;
    m_minOpset = std::max(m_minOpset, opsetOfFloat8);
    return castTo(base, castTo(base, from, at::kFloat, fileType), at::kFloat, floatCode);
}

/// units: values in scales. The types of 8 bits by Cast; smaller ones, which have few exponents, by the step at each.
VarId QdqNodes::roundedFloats(const std::string &base, VarId units, const TensorQuantConfig &config)
{
    if (!isForeignFormat(config))
        return roundedToFloat8(base, units, config.exponentBits == 4 ? codeOfE4M3 : codeOfE5M2);
    const int least = 2 - (1 << (config.exponentBits - 1)), most = std::ilogb(double(config.quantMax));
    const auto stepAt = [&](int exponent) { return constantOf(std::exp2(exponent - config.mantissaBits())); };
    const VarId magnitude = added(base, "Abs", {units});
    VarId step = stepAt(least);
    for (int exponent = least + 1; exponent <= most; ++exponent) {
        const VarId reached = added(base, "GreaterOrEqual", {magnitude, constantOf(std::exp2(exponent))}, at::kBool);
        step = added(base, "Where", {reached, stepAt(exponent), step});
    }
    const VarId rounded = added(base, "Mul", {added(base, "Round", {added(base, "Div", {units, step})}), step});
    // 7.5 of E2M3 is no integer
    const double top = std::ldexp(2 - std::exp2(-config.mantissaBits()), 1 << (config.exponentBits - 1));
    return added(base, "Clip",
                 {rounded, constantOf(std::max(double(config.quantMin), -top)),
                  constantOf(std::min(double(config.quantMax), top))});
}

/// Scales and zero points in double, as solveRange() computes them.
VarId QdqNodes::roundedAsymmetric(const std::string &base, VarId groups, const TensorQuantConfig &config)
{
    constexpr at::ScalarType type = at::kDouble;
    const VarId zero = constantOf(0);
    const auto bound = [&](const char *reduction, const char *limit) {
        return castTo(base, added(base, limit, {largestOf(base, groups, reduction), zero}), type, doubleCode);
    };
    const VarId low = bound("ReduceMin", "Min"), high = bound("ReduceMax", "Max");
    const VarId range = added(base, "Sub", {high, low}, type);
    const VarId step = added(base, "Div", {range, constantOf(double(config.quantMax - config.quantMin), type)}, type);
    const VarId scale = added(base, "Max", {step, constantOf(config.minScale.value_or(1e-8), type)}, type);
    const VarId offset =
        added(base, "Round", {added(base, "Div", {added(base, "Neg", {low}, type), scale}, type)}, type);
    const auto limited = [&](VarId codes, at::ScalarType dtype) {
        return added(base, "Clip",
                     {codes, constantOf(double(config.quantMin), dtype), constantOf(double(config.quantMax), dtype)},
                     dtype);
    };
    const VarId lowest = constantOf(double(config.quantMin), type);
    const VarId zeroPoint =
        castTo(base, limited(added(base, "Add", {offset, lowest}, type), type), at::kFloat, floatCode);
    const VarId scales = castTo(base, scale, at::kFloat, floatCode);
    const VarId counted = added(base, "Round", {added(base, "Div", {groups, scales})});
    const VarId codes = limited(added(base, "Add", {counted, zeroPoint}), at::kFloat);
    return added(base, "Mul", {added(base, "Sub", {codes, zeroPoint}), scales});
}

VarId QdqNodes::roundedGroups(const std::string &base, VarId groups, const TensorQuantConfig &config)
{
    if (!config.symmetric && !config.isFloating()) return roundedAsymmetric(base, groups, config);
    const VarId scale = scaleOfGroups(base, groups, config);
    const VarId units = added(base, "Div", {groups, scale});
    const VarId codes = config.isFloating() ? roundedFloats(base, units, config)
                                            : added(base, "Clip",
                                                    {added(base, "Round", {units}), constantOf(double(config.quantMin)),
                                                     constantOf(double(config.quantMax))});
    return added(base, "Mul", {codes, scale});
}

/// from, with the groups along its last axis -> [.., groups, group size] -> rounded -> to
void QdqNodes::addDynamicGroups(const Operation &op, const std::string &base, VarId from, VarId to,
                                const TensorQuantConfig &config)
{
    const std::optional<std::vector<Dim>> shape = m_graph.variable(from).type.shape;
    const auto axis = std::size_t(*config.channelAxis);
    const std::size_t rank = shape ? shape->size() : 0;
    const std::int64_t size = axis < rank ? (*shape)[axis].size : -1;
    const auto refuse = [&](const Text &why, const Text &remedy) {
        throw Error(ErrorKind::BadConfig, why, op.name, base).withRemedy(remedy);
    };
    if (config.codebook != Codebook::None || config.powerOfTwo || config.rounding != Rounding::HalfEven)
        refuse(QL_TEXT("groups of activations become ONNX nodes only if they are rounded half to even, without "
                       "power_of_two and codebook"),
               QL_TEXT("Choose such a format for activations, or export to 'native'."));
    if (size < 0)
        refuse(QL_TEXT("groups need an axis of known size"),
               QL_TEXT("Fix the input shape with %1.").with(Text::option("--input-shape")));
    const auto sizes = [&](const std::vector<std::int64_t> &values) {
        return sharedConstant("sizes", at::tensor(values, at::TensorOptions(at::kLong)));
    };
    std::vector<std::int64_t> order(rank);
    std::iota(order.begin(), order.end(), 0);
    std::swap(order[axis], order.back());
    const auto turned = [&](VarId x) {
        if (axis + 1 == rank) return x;
        const VarId result = added(base, "Transpose", {x});
        m_graph.edit(m_graph.variable(result).producer).attributes["perm"] = order;
        return result;
    };
    VarId rows = turned(from);
    const std::int64_t missing = (config.groupSize - size % config.groupSize) % config.groupSize;
    std::vector<std::int64_t> pads(2 * rank, 0);
    pads.back() = missing;
    if (missing > 0) rows = added(base, "Pad", {rows, sizes(pads)}); // with zeros, which are in every range
    std::vector<std::int64_t> joined(rank, 0);                       // 0: as in the input
    joined.back() = -1;
    std::vector<std::int64_t> split = joined;
    split.push_back(config.groupSize);
    const VarId groups = added(base, "Reshape", {rows, sizes(split)});
    rows = added(base, "Reshape", {roundedGroups(base, groups, config), sizes(joined)});
    if (missing > 0) rows = added(base, "Slice", {rows, sizes({0}), sizes({size}), sizes({std::int64_t(rank) - 1})});
    addNode(base + "_Identity", "Identity", {turned(rows)}, to, -1);
}

} // namespace ql
