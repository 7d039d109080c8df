#include "core/platform/body_weights.h"

#include "core/ir/op_traits.h"

namespace ql {

bool isAnyWeight(const Operation &op, Slot slot)
{
    return isWeight(op, slot) || (isComputing(op) && !slot.output && slotName(op, slot) == "R");
}

std::map<std::size_t, BodyReader> bodyWeights(const Graph &graph, const Operation &op,
                                              const std::set<std::string, std::less<>> &types)
{
    std::map<std::size_t, BodyReader> weights;
    for (std::size_t i = formalInputCount(op); i < op.inputs.size(); ++i) {
        if (op.inputs[i] == noVar || !graph.isParameter(op.inputs[i]) ||
            graph.variable(op.inputs[i]).value.scalar_type() != at::kFloat)
            continue;
        for (const BodyReader &reader : bodyReaders(op, i)) {
            const Operation &inner = reader.body->operation(reader.slot.op);
            if (!isAnyWeight(inner, reader.slot) || !types.contains(inner.type)) continue;
            weights.emplace(i, reader);
            break;
        }
    }
    return weights;
}

} // namespace ql
