#pragma once

#include "core/base/text.h"
#include "core/quant/quant_plan.h"

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <string>
#include <vector>

namespace ql {

/// The forms that readers of QuantizeLinear and DequantizeLinear want.
struct QdqStyle
{
    enum Parameters : std::uint8_t {
        Integers, ///< codes followed by DequantizeLinear
        Rounded,  ///< floats
        Floats    ///< rounded floats followed by QuantizeLinear and DequantizeLinear
    };
    Parameters parameters = Integers;
    bool explicitAxis = false; ///< the attribute axis also for one scale per tensor
    bool int4 = false;         ///< parameters of 4 bits as INT4 and UINT4
    /// Signed activations of 8 bits as unsigned codes on the same grid, unless a Pad moves them. OpenVINO 2026.4 loses
    /// the scales of signed ones in models with a Concat (it rounds to multiples of 1), pads unsigned ones wrongly, and
    /// crashes if a Concat with unsigned codes is rounded again per channel.
    bool unsignedCodes = false;
    /// Weights of integer layers as unsigned codes around 128. On x86 processors without VNNI, ONNX Runtime adds pairs
    /// of products of unsigned and signed codes in 16 bits, which saturate; both unsigned, its sums are exact.
    bool unsignedWeights = false;
};

/// Scale, zero point, axis and codes: tensors with an equal grid share one Q/DQ pair.
struct Grid
{
    std::vector<float> scale; ///< empty if it is computed at run time
    std::vector<std::int32_t> zeroPoint;
    std::int64_t axis = -1;
    std::int64_t quantMin = 0, quantMax = 0;
    int exponentBits = 0;
    bool dynamic = false;
    std::int64_t groupSize = 0;                     ///< above 0: block_size along axis (opset 21)
    ScaleFormat scaleFormat = ScaleFormat::Float32; ///< of groups whose scales are computed at run time
    std::vector<std::int64_t> shape = {};           ///< of the scales of groups
    auto operator<=>(const Grid &) const = default;
};

/// The nodes of a file with QuantizeLinear and DequantizeLinear. Codes have the smallest type that holds them: 8 or 16
/// bits, INT4 and UINT4 for parameters (opset 21, if the style asks for it), FLOAT8E4M3FN and FLOAT8E5M2 (opset 19),
/// int32 for biases. Groups are blocks (opset 21). A grid that is narrower than its integer type (4 bits, -127..127)
/// gets a Clip before QuantizeLinear, because that operator saturates at the type's limits. A scale that is computed at
/// run time becomes DynamicQuantizeLinear, or nodes that compute it if the codes are symmetric; one for each group, in
/// integers or floats of up to 8 bits, becomes nodes that also round. Parameters in other
/// formats, such as FP4, FP6 and NF4, become codes that look up their values in a table. Source: ONNX
/// QuantizeLinear-13, -19, -21, DynamicQuantizeLinear-11.
class QdqNodes
{
protected:
    QdqNodes(const QuantModel &model, const QdqStyle &style);

    Grid gridOf(Slot slot, const TensorQuantConfig &config) const;
    /// A bias with more bits than QuantizeLinear writes.
    static bool isWideCode(const TensorQuantConfig &config);
    /// A float format that is no type of QuantizeLinear, or a codebook.
    static bool isForeignFormat(const TensorQuantConfig &config);

    /// from -> [Clip] -> Q -> DQ -> to, for an activation of op. base: of the names of new nodes and tensors.
    /// @throws Error (BadConfig) if the operators cannot express the config
    void addPair(const Operation &op, const std::string &base, VarId from, VarId to, Grid grid,
                 TensorQuantConfig config);
    /// from -> Q -> DQ -> to, without Clip.
    void addQuantized(const Operation &op, const std::string &base, VarId from, VarId to, const Grid &grid,
                      const TensorQuantConfig &config);
    /// codes of value -> DQ -> to, for a parameter of op. @throws as addPair
    void addIntegers(const Operation &op, const std::string &base, const at::Tensor &value, VarId to, Grid grid,
                     TensorQuantConfig config);
    /// codes of value -> Cast -> Gather (from the table of values) -> Mul (by the scales) -> to, for a parameter.
    /// Scales by group -> Gather (the group of each entry along the axis), which also serves a smaller last group.
    /// @pre isForeignFormat(config), 8 bits or fewer
    void addLookUp(const std::string &base, const at::Tensor &value, VarId to, const Grid &grid,
                   const TensorQuantConfig &config);
    /// Signed codes of 8 bits become the same grid's unsigned ones.
    static void makeUnsigned(Grid &grid, TensorQuantConfig &config);
    /// Whether weights of op are written with unsigned codes.
    bool hasUnsignedWeights(const Operation &op) const;
    OpId addNode(const std::string &base, const char *type, std::vector<VarId> inputs, VarId result, std::int64_t axis,
                 std::int64_t blockSize = 0);
    void note(const Text &text);
    /// Whether the file is written for ONNX Runtime's optimizer.
    bool isForOnnxRuntime() const { return m_style.parameters == QdqStyle::Integers && !m_style.explicitAxis; }
    /// Whether id has only been moved since it was a graph output: ONNX Runtime moves a QuantizeLinear of id upstream
    /// of these operations, and rounds the output.
    bool isMovedOutput(VarId id) const;
    /// Of a file with the opset that the nodes need.
    std::int64_t irVersion() const;
    /// What the sums of codes of a layer are multiplied by. A product of constants, so that the file has the scale of
    /// the weight, if that gives product exactly.
    VarId productOfScales(const std::string &base, float input, const std::vector<float> &weight,
                          const at::Tensor &product);

    const QuantModel &m_model;
    Graph m_graph;
    const QdqStyle m_style;
    std::int64_t m_minOpset = 13;
    std::vector<Text> m_notes; ///< each once

private:
    /// How codes are stored.
    struct CodeType
    {
        at::ScalarType stored;
        int fileType = 0; ///< Variable::fileType
        std::int64_t low = 0, high = 0;
    };
    CodeType codeTypeOf(const Operation &op, const TensorQuantConfig &config, bool isParameter);
    /// Per tensor: a scalar; per channel: [C]; by group: the shape of the tensor with its axis divided.
    VarId scaleParameter(const std::string &base, const Grid &grid);
    VarId zeroParameter(const std::string &base, const Grid &grid, const CodeType &type);
    /// A variable or parameter of this type.
    VarId withFileType(VarId id, const CodeType &type);
    std::int64_t axisOf(const Grid &grid) const;
    static at::Tensor inShapeOf(const Grid &grid, const at::Tensor &value);
    VarId separatedFromClip(const std::string &base, VarId from);
    VarId clipped(const std::string &base, VarId from, const Grid &grid);
    void addDynamicPair(const Operation &op, const std::string &base, VarId from, VarId to,
                        const TensorQuantConfig &config);
    void addDynamicGroups(const Operation &op, const std::string &base, VarId from, VarId to,
                          const TensorQuantConfig &config);
    // Of groups along the last axis of a float tensor
    VarId largestOf(const std::string &base, VarId groups, const char *reduction);
    VarId scaleOfGroups(const std::string &base, VarId groups, const TensorQuantConfig &config);
    VarId floatScale(const std::string &base, VarId scale);
    VarId powerOfTwoScale(const std::string &base, VarId largest, const TensorQuantConfig &config);
    VarId roundedGroups(const std::string &base, VarId groups, const TensorQuantConfig &config);
    VarId roundedAsymmetric(const std::string &base, VarId groups, const TensorQuantConfig &config);
    VarId roundedToFloat8(const std::string &base, VarId from, int fileType);
    VarId roundedFloats(const std::string &base, VarId units, const TensorQuantConfig &config);
    /// A new node of a float tensor, or of this type; base: of its name and that of its result.
    VarId added(const std::string &base, const char *type, std::vector<VarId> inputs,
                at::ScalarType dtype = at::kFloat);
    VarId constantOf(double value, at::ScalarType dtype = at::kFloat);
    VarId castTo(const std::string &base, VarId from, at::ScalarType dtype, int fileType);

    /// A new constant, or the one that has these values already.
    VarId sharedConstant(const char *name, const at::Tensor &value);

    std::vector<VarId> m_shared;
    bool m_integers; ///< some of it is computed in integer arithmetic
};

} // namespace ql
