#pragma once

#include "core/base/registry.h"
#include "core/ir/graph.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ql {

/// What may be done with a slot of an operation. Quantizable: may be quantized. Float: stays in float32. ShapeOrIndex:
/// sizes, axes, counts; never quantized, on the CPU.
enum class SlotKind { Quantizable, Float, ShapeOrIndex };

/// One input or output of an operator.
struct SlotTraits
{
    std::string name = {}; ///< as in the operator's specification ("axes")
    SlotKind kind = SlotKind::Quantizable;
    bool isOnInputGrid =
        false;            ///< a constant in the value range of input 0, whose scale it shares (a bound, a fill value)
    bool isIndex = false; ///< of an output: numbers of entries, of which only equality has a meaning
};

/// The weights of an operator that multiplies its input 0 by them.
struct WeightTraits
{
    int weight = 1; ///< input number of the weights
    int bias = -1;  ///< input that is added to each output channel; -1: none
    /// The axis of the weight with one entry per output channel. rank: that of the weight, 0 if unknown. Nothing for a
    /// weight without such an axis.
    std::function<std::optional<std::int64_t>(const Operation &, std::int64_t rank)> axis = {};
    bool isAxisPerGroup = false; ///< axis counts the output channels of one group (attribute "group")
    bool isSpread = false;       ///< each value of input 0 is spread over output 0 (deconvolution), not gathered
    /// The axis of the output channels in output 0, from the end if negative; nothing: unknown.
    std::optional<std::int64_t> outputAxis = {};
    /// Passes may rewrite it channel by channel: the weight has the input and output channels on its first two axes, a
    /// bias can be added, and runtimes add it to the integer sums.
    bool isLayer = false;
    bool biasBroadcasts = false; ///< a bias of one value, or of shape [1, channels], is allowed; beta multiplies it
};

/// An element-wise function of one tensor. Linear: it only clips values, so that a producer on the grid of the result
/// gives the same codes (Relu, Clip).
enum class Activation { None, Linear, Other };

/// The parameter of the pass 'align' that controls the operator's scales.
enum class Alignment { None, Elementwise, Concat, Pooling, Resize };

/// The effect of the operator on the axis of feature channels.
/// Carries: leaves channels on their axis. Normalizes: scales each by constants (input 1, axis 1).
enum class ChannelUse { Unknown, Carries, Normalizes };

/// Where the values of the outputs come from; dispatchers grow regions along values. Inputs: from the inputs. Fill:
/// created from a shape. Selection: values and indices of input 0 (TopK). Indices: indices of some inputs. Shape:
/// sizes of input 0, whose values are not read.
enum class ValueSource { Inputs, Fill, Selection, Indices, Shape };

/// The number of dimensions of output 0.
/// Broadcast: the largest of all inputs. LargerOfTwo: that of inputs 0 and 1. FirstKnown: that of any input. Two: 2.
/// LengthOfInput1: the number of entries of input 1, a list. ExpandedToInput1: that, or the larger rank of input 0.
enum class RankRule { Unknown, OfInput0, Broadcast, LargerOfTwo, FirstKnown, Two, LengthOfInput1, ExpandedToInput1 };

/// The element type of output 0. NamedByTo: TensorProto.DataType number in the attribute "to".
enum class ElementTypeRule { Unknown, OfInput0, NamedByTo };

/// The sizes of output 0, from the sizes and element types of the inputs (undefined: omitted), whose values may be
/// zeros. Nothing: the kernel has to run. @throws Error like the kernel
using SizesRule =
    std::function<std::optional<std::vector<std::int64_t>>(const Operation &, std::span<const at::Tensor> inputs)>;

/// The specified default of an attribute; nothing: none. weight: the shape of the weights, nullptr if unknown.
using ImpliedAttribute = std::function<std::optional<Attribute>(std::string_view name, const std::vector<Dim> *weight)>;

/// The known shapes and element types of the outputs before values are known.
struct ShapeTraits
{
    /// This many leading inputs affect the shapes of the outputs only by their own shapes; the values of other inputs
    /// may, too.
    std::size_t inputs = 0;
    SizesRule sizes = {};
    RankRule rank = RankRule::Unknown;
    ElementTypeRule elementType = ElementTypeRule::Unknown;
    bool outputsAreAlike = false; ///< rank and element type hold for all outputs
    bool dependsOnValues = false; ///< shapes of outputs depend on data, for any input shapes
};
/// ShapeTraits::inputs of an operator all of whose inputs affect shapes only by their shapes.
inline constexpr std::size_t allInputs = 1000;

/// Everything the engine has to know about an operator type besides its kernel, to shape, dispatch, quantize, analyse
/// and export it. A type that is not registered has the defaults below: no weights, slots that may be quantized, every
/// input linked to every output. Written by name, next to the kernel (KernelRegistrar, core/exec/kernel.h): `{.inputs
/// = {{"data"}, {"shape", SlotKind::ShapeOrIndex}}, .isPassive = true}`
struct OpTraits
{
    static constexpr const char *kindName = "operator record";

    // Slots
    std::vector<SlotTraits> inputs = {};         ///< the leading ones; further ones are of kind otherSlots
    std::vector<SlotTraits> outputs = {};        ///< likewise
    SlotKind otherSlots = SlotKind::Quantizable; ///< of slots that are not listed
    bool valuesFlow = true; ///< values of inputs that may be quantized reach the outputs (not through Equal, NonZero)
    /// Dispatchers grow regions only through inputs that may be quantized. For other operators, through every input,
    /// as in PPQ.
    bool regionsFollowValues = false;
    ValueSource source = ValueSource::Inputs;

    // Arithmetic
    std::optional<WeightTraits> weights = {}; ///< set: a compute operation, for which quantization pays off
    Activation activation = Activation::None;
    Alignment alignment = Alignment::None;
    ChannelUse channels = ChannelUse::Unknown;
    bool isPassive = false;       ///< moves values without changing them: its output shares the scale of input 0
    bool keepsGrid = false;       ///< output 0 (Split: each) contains only values of input 0: it is on the same grid
    bool isHomogeneous = false;   ///< f(a x) = a f(x) for a positive factor per channel
    bool hasIntegerForm = false;  ///< whether the kernel has one (KernelEntry::integerForm), which sets this
    bool hasExactSums = false;    ///< likewise (KernelEntry::exactSums)
    bool normalizesCodes = false; ///< likewise (KernelEntry::normalizeCodes)
    /// Optional: whether output 0 is a linear function of input 0, such as a mean or an interpolation.
    bool (*isLinear)(const Operation &) = nullptr;
    bool handlesCodes = false; ///< its inputs or outputs are codes of an already quantized model

    ShapeTraits shapes = {};
    ImpliedAttribute implied = {}; ///< optional: for platform rules that test attributes
};

/// The record of op's type, by "Type" for ai.onnx or "domain:Type" for others; that of an unknown type if there is
/// none.
const OpTraits &traitsOf(const Operation &op);

/// Conv, Gemm, MatMul ...: operations with weights, for which quantization pays off.
inline bool isComputing(const Operation &op)
{
    return traitsOf(op).weights.has_value();
}
/// Operations that move values without changing them, so that their output shares the input's scale.
inline bool isPassive(const Operation &op)
{
    return traitsOf(op).isPassive;
}
/// Operations whose result has the values of input 0 and needs no grid of its own: passive ones, and those that keep
/// it.
inline bool movesValues(const Operation &op)
{
    return traitsOf(op).keepsGrid || isPassive(op);
}
/// Cast: the values of input 0 as another element type.
inline bool convertsTypes(const Operation &op)
{
    return traitsOf(op).shapes.elementType == ElementTypeRule::NamedByTo;
}
/// Relu and Clip.
inline bool isLinearActivation(const Operation &op)
{
    return traitsOf(op).activation == Activation::Linear;
}
/// Conv, ConvTranspose and Gemm: passes may rewrite weight and bias channel by channel.
inline bool isLayer(const Operation &op)
{
    const auto &weights = traitsOf(op).weights;
    return weights && weights->isLayer;
}
/// Shape and Size: only the shape of the input is read.
inline bool readsShapeOnly(const Operation &op)
{
    return traitsOf(op).source == ValueSource::Shape;
}
bool isWeight(const Operation &op, Slot slot);
bool isBias(const Operation &op, Slot slot);

/// The kinds of an operation's slots and the links along which values flow from inputs to outputs.
struct Socket
{
    std::vector<SlotKind> inputs;  ///< same length as op.inputs
    std::vector<SlotKind> outputs; ///< same length as op.outputs
    std::vector<bool> links;       ///< by input: whether its values flow to the outputs
};
Socket socketOf(const Operation &op);
/// The kind of one slot, as in socketOf().
SlotKind slotKind(const Operation &op, Slot slot);
/// The operator's own name of a slot; empty if there is none.
std::string slotName(const Operation &op, Slot slot);

/// The axis along which input number index of op, a weight of rank dimensions, has one entry per output channel.
/// Nothing for inputs that are not weights and for ranks without such an axis (a vector as the weight of a MatMul).
std::optional<std::int64_t> weightChannelAxis(const Operation &op, std::int32_t index, std::int64_t rank);
/// The number of output channels of op with weights of these sizes; 0 if the weight has no such axis.
std::int64_t outputChannelCount(const Operation &op, at::IntArrayRef weightSizes);
/// The number of input channels of a layer (isLayer()) with weights of these sizes; 0 if they do not match.
std::int64_t inputChannelCount(const Operation &op, at::IntArrayRef weightSizes);

// Facts shared by many records

/// One result with the type and sizes of input 0, for any values.
ShapeTraits sameAsInput0();
/// Likewise, but sizes are left to the kernel.
ShapeTraits typeOfInput0(std::size_t inputs = 1);
/// WeightTraits::axis: the last one; nothing for a vector.
std::optional<std::int64_t> lastWeightAxis(const Operation &, std::int64_t rank);

} // namespace ql
