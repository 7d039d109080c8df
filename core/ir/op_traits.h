#pragma once

#include "core/ir/graph.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace ql {

/// What may happen to a slot of an operation (reference: op sockets).
/// Quantable: may be quantized. Float: stays in float32. ShapeOrIndex: sizes, axes, indices; never quantized, on the
/// CPU.
enum class SlotKind { Quantable, Float, ShapeOrIndex };

/// The kinds of an operation's slots and the links along which values flow from inputs to outputs (links carry no
/// value for, say, Shape). Types that are not listed have quantable slots and every input linked to every output.
struct Socket
{
    std::vector<SlotKind> inputs;  ///< as long as op.inputs
    std::vector<SlotKind> outputs; ///< as long as op.outputs
    std::vector<std::pair<int, int>> links;
};
Socket socketOf(const Operation &op);
/// The kind of one slot, as socketOf() tells it.
SlotKind slotKind(const Operation &op, Slot slot);

/// Conv, ConvTranspose, Gemm, MatMul, Attention, BiasedMatMul: operations with weights, where quantization pays.
bool isComputing(std::string_view type);
/// Operations that move values without changing them, so that their output shares the input's scale.
bool isPassive(std::string_view type);
/// Relu and Clip.
bool isLinearActivation(std::string_view type);

/// The axis along which input number index of op, a weight of rank dimensions, has one entry per output channel.
/// Nothing for inputs that are no weight and for ranks that have no such axis (a vector as the weight of a MatMul).
std::optional<std::int64_t> weightChannelAxis(const Operation &op, std::int32_t index, std::int64_t rank);

} // namespace ql
