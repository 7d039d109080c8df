#include "core/analysis/work_estimate.h"

#include "core/ir/op_traits.h"
#include "core/ir/subgraphs.h"

#include <algorithm>

namespace ql {

/// Open dimensions count as 1; 0 if the shape is unknown.
static double elementsOf(const Graph &graph, VarId id)
{
    if (id == noVar || !graph.variable(id).type.shape) return 0;
    double elements = 1;
    for (const Dim &dim : *graph.variable(id).type.shape) elements *= double(std::max<std::int64_t>(dim.size, 1));
    return elements;
}

static double writtenBy(const Graph &graph, const Operation &op)
{
    double written = 0;
    for (const VarId output : op.outputs) written += elementsOf(graph, output);
    return written;
}

/// A body runs at least once, and multiplies by each of its weights at least once.
static double productsOfBodies(const Graph &graph, const Operation &op)
{
    double products = 0;
    for (const std::size_t i : weightsOfBodies(graph, op))
        if (const at::Tensor &weight = graph.variable(op.inputs[i]).value; weight.dim() > 1)
            products += double(weight.numel());
    return products;
}

double productsOf(const Graph &graph, const Operation &op)
{
    if (!bodies(op).empty()) return productsOfBodies(graph, op);
    const auto &weights = traitsOf(op).weights;
    if (!weights || !op.hasInput(std::size_t(weights->weight))) return 0;
    const at::Tensor &weight = graph.variable(op.inputs[std::size_t(weights->weight)]).value;
    if (!weight.defined() || weight.dim() < 2) return 0;
    // A spread value meets all weights of its channel, the first axis; a gathered one those of its output channel
    const std::int64_t axis = weights->isSpread ? 0 : weightChannelAxis(op, weights->weight, weight.dim()).value_or(0);
    const double products = double(weight.numel()) / double(std::max<std::int64_t>(weight.size(axis), 1));
    return products * (weights->isSpread ? elementsOf(graph, op.inputs[0]) : writtenBy(graph, op));
}

double workOf(const Graph &graph, const Operation &op)
{
    constexpr double elementwise = 8; // such an operation is memory-bound
    return elementwise * writtenBy(graph, op) + productsOf(graph, op);
}

double workOf(const Graph &graph)
{
    double work = 0;
    for (const OpId id : graph.operations()) work += workOf(graph, graph.operation(id));
    return work;
}

double passesFrom(const Graph &graph, const std::set<OpId> &operations)
{
    const std::vector<OpId> order = graph.topological();
    double following = 0, sum = 0;
    for (auto id = order.rbegin(); id != order.rend(); ++id) {
        following += workOf(graph, graph.operation(*id));
        if (operations.contains(*id)) sum += following;
    }
    return following > 0 ? sum / following : double(operations.size());
}

} // namespace ql
