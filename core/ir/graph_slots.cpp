#include "core/ir/graph.h"

namespace ql {

VarId variableOf(const Operation &op, Slot slot)
{
    const std::vector<VarId> &links = slot.output ? op.outputs : op.inputs;
    return slot.index >= 0 && std::size_t(slot.index) < links.size() ? links[std::size_t(slot.index)] : noVar;
}

VarId variableOf(const Graph &graph, Slot slot)
{
    return variableOf(graph.operation(slot.op), slot);
}

std::vector<Slot> slotsOf(const Operation &op)
{
    std::vector<Slot> slots;
    slots.reserve(op.inputs.size() + op.outputs.size());
    for (std::size_t i = 0; i < op.inputs.size(); ++i) slots.push_back(inputSlot(op.id, i));
    for (std::size_t o = 0; o < op.outputs.size(); ++o) slots.push_back(outputSlot(op.id, o));
    return slots;
}

} // namespace ql
