#include "core/ir/op_traits.h"
#include "core/pass/dequantize_model.h"
#include "core/pass/fold_constants.h"

#include <algorithm>
#include <numeric>

namespace ql {

/// The axis of the result of op, a Transpose or a change of shape, with the entries of that axis of its input.
static std::optional<int> axisAfter(const Operation &op, int axis, at::IntArrayRef before, at::IntArrayRef after)
{
    if (op.type == "Transpose") {
        std::vector<std::int64_t> order(before.size());
        std::iota(order.rbegin(), order.rend(), std::int64_t{0});
        order = op.intsAttribute("perm", order);
        return int(std::find(order.begin(), order.end(), axis) - order.begin());
    }
    if (c10::multiply_integers(before) != c10::multiply_integers(after)) return {};
    const std::int64_t outer = c10::multiply_integers(before.slice(0, std::size_t(axis)));
    for (std::size_t k = 0; k < after.size(); ++k)
        if (after[k] == before[std::size_t(axis)] && c10::multiply_integers(after.slice(0, k)) == outer) return int(k);
    return {};
}

void foldRoundedWeights(Graph &graph, std::map<Slot, StoredGrid> &grids)
{
    bool isChanged = false;
    for (const OpId id : operationsOfWeights(graph)) {
        const Operation op = graph.operation(id);
        const auto rounded = grids.find(inputSlot(id, 0));
        if (rounded == grids.end() || !movesValues(op) || op.outputs.size() != 1) continue;
        const at::Tensor before = graph.variable(op.inputs[0]).value;
        if (!before.defined()) continue; // computed by an operation that stays
        StoredGrid grid = rounded->second;
        const auto &result = graph.variable(op.outputs[0]).type;
        if (grid.axis) {
            if (!result.isStatic() || grid.groupSize > 0) continue;
            grid.axis = axisAfter(op, *grid.axis, before.sizes(), result.sizes());
            if (!grid.axis) continue;
        }
        if (foldOperations(graph, {id}, {}) == 0) continue;
        isChanged = true;
        grids.erase(rounded);
        for (const Use &use : graph.variable(op.outputs[0]).uses)
            if (use.op != noOp) grids.insert_or_assign(Slot{use.op, false, use.index}, grid);
    }
    if (isChanged) graph.removeUnreachable();
}

} // namespace ql
