#include "core/ir/op_traits.h"

#include <algorithm>

namespace ql {

const OpTraits &traitsOf(const Operation &op)
{
    static const OpTraits unknown;
    const Registry<OpTraits> &registry = Registry<OpTraits>::instance();
    const OpTraits *traits = registry.find(op.domain.empty() ? op.type : op.domain + ":" + op.type);
    return traits ? *traits : unknown;
}

bool isWeight(const Operation &op, Slot slot)
{
    const auto &weights = traitsOf(op).weights;
    return weights && !slot.output && slot.index == weights->weight;
}

bool isBias(const Operation &op, Slot slot)
{
    const auto &weights = traitsOf(op).weights;
    return weights && !slot.output && slot.index == weights->bias;
}

SlotKind slotKind(const Operation &op, Slot slot)
{
    const OpTraits &traits = traitsOf(op);
    const std::vector<SlotTraits> &slots = slot.output ? traits.outputs : traits.inputs;
    return std::size_t(slot.index) < slots.size() ? slots[std::size_t(slot.index)].kind : traits.otherSlots;
}

std::string slotName(const Operation &op, Slot slot)
{
    const OpTraits &traits = traitsOf(op);
    const std::vector<SlotTraits> &slots = slot.output ? traits.outputs : traits.inputs;
    return std::size_t(slot.index) < slots.size() ? slots[std::size_t(slot.index)].name : std::string();
}

Socket socketOf(const Operation &op)
{
    const OpTraits &traits = traitsOf(op);
    Socket socket;
    const auto kinds = [&](std::size_t count, const std::vector<SlotTraits> &slots) {
        std::vector<SlotKind> out(count, traits.otherSlots);
        for (std::size_t i = 0; i < std::min(count, slots.size()); ++i) out[i] = slots[i].kind;
        return out;
    };
    socket.inputs = kinds(op.inputs.size(), traits.inputs);
    socket.outputs = kinds(op.outputs.size(), traits.outputs);
    const bool flow = traits.valuesFlow && !op.outputs.empty();
    for (std::size_t i = 0; i < op.inputs.size(); ++i)
        socket.links.push_back(flow && (i >= traits.inputs.size() || traits.inputs[i].kind == SlotKind::Quantizable));
    return socket;
}

std::optional<std::int64_t> weightChannelAxis(const Operation &op, std::int32_t index, std::int64_t rank)
{
    const auto &weights = traitsOf(op).weights;
    if (!weights || index != weights->weight || rank < 2 || !weights->axis) return std::nullopt;
    return weights->axis(op, rank);
}

std::int64_t outputChannelCount(const Operation &op, at::IntArrayRef weightSizes)
{
    const auto &weights = traitsOf(op).weights;
    const auto rank = std::int64_t(weightSizes.size());
    const auto axis = weights ? weightChannelAxis(op, weights->weight, rank) : std::nullopt;
    if (!axis || *axis >= rank) return 0;
    return weightSizes[std::size_t(*axis)] * (weights->isAxisPerGroup ? op.intAttribute("group", 1) : 1);
}

std::int64_t inputChannelCount(const Operation &op, at::IntArrayRef weightSizes)
{
    if (!isLayer(op) || weightSizes.size() < 2) return 0;
    const WeightTraits &weights = *traitsOf(op).weights;
    const auto axis = weightChannelAxis(op, weights.weight, std::int64_t(weightSizes.size()));
    if (!axis || *axis > 1) return 0;
    return weightSizes[std::size_t(1 - *axis)] * (weights.isAxisPerGroup ? 1 : op.intAttribute("group", 1));
}

ShapeTraits sameAsInput0()
{
    ShapeTraits shapes = typeOfInput0();
    shapes.sizes = [](const Operation &, std::span<const at::Tensor> inputs) {
        return std::optional(inputs[0].sizes().vec());
    };
    return shapes;
}

ShapeTraits typeOfInput0(std::size_t inputs)
{
    return {.inputs = inputs, .rank = RankRule::OfInput0, .elementType = ElementTypeRule::OfInput0};
}

std::optional<std::int64_t> lastWeightAxis(const Operation &, std::int64_t rank)
{
    if (rank == 1) return std::nullopt;
    return rank == 0 ? 1 : rank - 1;
}

} // namespace ql
