#include "core/exec/prefix.h"

#include "core/ir/op_traits.h"

#include <ATen/ops/equal.h>
#include <algorithm>
#include <map>
#include <set>

namespace ql {

/// 0 where the traced type leaves something open.
static std::size_t bytesOf(const TensorType &type)
{
    if (!type.isStatic() || type.dtype == at::ScalarType::Undefined) return 0;
    std::size_t bytes = c10::elementSize(type.dtype);
    for (const std::int64_t size : type.sizes()) bytes *= std::size_t(size);
    return bytes;
}

std::vector<Cut> cutsOf(const Graph &graph, std::size_t bytes)
{
    constexpr std::size_t most = 16;
    const std::vector<OpId> order = graph.topological();
    std::map<OpId, std::size_t> placeOf;
    for (std::size_t i = 0; i < order.size(); ++i) placeOf[order[i]] = i;
    const auto lastUse = [&](VarId id) {
        std::size_t last = 0;
        for (const Use &use : graph.variable(id).uses)
            if (use.op != noOp) last = std::max(last, placeOf.at(use.op));
        return last;
    };
    struct Best
    {
        Cut cut;
        std::size_t bytes = 0;
    };
    std::map<std::size_t, Best> windows; // the thinnest cut of each stretch of the graph
    std::set<VarId> alive(graph.inputs().begin(), graph.inputs().end());
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
        for (const VarId id : graph.operation(order[i]).outputs)
            if (id != noVar) alive.insert(id);
        std::erase_if(alive, [&](VarId id) { return lastUse(id) <= i; });
        std::size_t sum = 0;
        const bool isOpen = std::any_of(alive.begin(), alive.end(), [&](VarId id) {
            const Variable &variable = graph.variable(id);
            const std::size_t size = bytesOf(variable.type);
            sum += size;
            const bool isFused = variable.producer != noOp && variable.uses.size() == 1 &&
                                 isLinearActivation(graph.operation(variable.uses[0].op).type);
            return size == 0 || isFused;
        });
        if (isOpen || alive.empty()) continue;
        Best &best = windows[i * most / order.size()];
        if (best.bytes == 0 || sum <= best.bytes) best = {{i + 1, {alive.begin(), alive.end()}}, sum};
    }
    std::vector<Cut> cuts;
    for (auto &[window, best] : windows) {
        if (best.bytes > bytes) continue;
        bytes -= best.bytes;
        cuts.push_back(std::move(best.cut));
    }
    return cuts;
}

static bool sameConfig(const QuantPlan &a, const QuantPlan &b, Slot slot)
{
    const TensorQuantConfig *one = a.find(slot), *other = b.find(slot);
    if (!one || !other) return one == other;
    return one->sameScheme(*other) && one->state == other->state && one->observer == other->observer &&
           one->percentile == other->percentile && one->minScale == other->minScale &&
           one->histogramBins == other->histogramBins && one->isotoneAxis == other->isotoneAxis &&
           one->parent == other->parent && a.scale(slot) == b.scale(slot) && a.zeroPoint(slot) == b.zeroPoint(slot);
}

std::size_t commonPrefix(const Graph &graph, const QuantPlan &a, const QuantPlan &b)
{
    const auto isSame = [&](OpId id) {
        const Operation &op = graph.operation(id);
        if (a.integerOps.contains(id) != b.integerOps.contains(id)) return false;
        for (std::size_t i = 0; i < op.inputs.size(); ++i) {
            if (!sameConfig(a, b, inputSlot(id, i))) return false;
            if (!graph.isParameter(op.inputs[i])) continue;
            const at::Tensor &one = a.parameterValue(graph, op.inputs[i]),
                             &other = b.parameterValue(graph, op.inputs[i]);
            if (!one.is_same(other) && !at::equal(one, other)) return false;
        }
        for (std::size_t o = 0; o < op.outputs.size(); ++o)
            if (!sameConfig(a, b, outputSlot(id, o))) return false;
        return true;
    };
    const std::vector<OpId> order = graph.topological();
    const auto first = std::find_if_not(order.begin(), order.end(), isSame);
    return std::size_t(first - order.begin());
}

} // namespace ql
