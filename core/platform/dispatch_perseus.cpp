#include "core/ir/op_traits.h"
#include "core/platform/dispatch_regions.h"

#include <deque>

namespace ql {

namespace {

/// Everything linked to one of the starts in either direction along links that carry values; for each operation the
/// start from which it was found, otherwise noOp.
std::vector<OpId> closure(const GraphSearch &search, const std::vector<std::vector<OpId>> &neighbours,
                          const std::vector<OpId> &starts)
{
    std::vector<OpId> from(std::size_t(search.graph().operationIdBound()), noOp);
    std::deque<OpId> queue;
    const auto visit = [&](OpId op, OpId start) {
        if (from[std::size_t(index(op))] != noOp) return;
        from[std::size_t(index(op))] = start;
        queue.push_back(op);
    };
    for (const OpId start : starts) visit(start, start);
    while (!queue.empty()) {
        const OpId op = queue.front();
        queue.pop_front();
        for (const OpId next : neighbours[std::size_t(index(op))]) visit(next, from[std::size_t(index(op))]);
    }
    return from;
}

/// Decides by links only: operations connected to a compute operation by values are quantized, those connected to a
/// shape or index are not, also before the first compute operation.
Dispatch runPerseus(const GraphSearch &search, const DispatchRequest &request)
{
    const Graph &graph = search.graph();
    const RegionFinder finder(search, request);
    std::vector<std::vector<OpId>> neighbours(std::size_t(graph.operationIdBound()));
    std::vector<OpId> computing, shaped;
    for (const OpId op : search.operations()) {
        const Operation &operation = graph.operation(op);
        if (isComputing(operation)) computing.push_back(op);
        if (finder.receivers()(op)) shaped.push_back(op);
        const Socket &socket = finder.socket(op);
        for (std::size_t i = 0; i < operation.inputs.size(); ++i) {
            if (!socket.links[i] || !operation.hasInput(i)) continue;
            const OpId producer = graph.variable(operation.inputs[i]).producer;
            if (producer == noOp) continue;
            neighbours[std::size_t(index(op))].push_back(producer);
            neighbours[std::size_t(index(producer))].push_back(op);
        }
        for (std::size_t o = 0; o < operation.outputs.size(); ++o) {
            if (operation.outputs[o] == noVar || socket.outputs[o] == SlotKind::Quantizable) continue;
            for (const Use &use : graph.variable(operation.outputs[o]).uses)
                if (finder.socket(use.op).inputs[std::size_t(use.index)] == SlotKind::Quantizable)
                    shaped.push_back(use.op);
        }
    }
    const std::vector<OpId> computed = closure(search, neighbours, computing);
    const std::vector<OpId> shapes = closure(search, neighbours, shaped);
    Dispatch out;
    for (const OpId op : search.operations()) {
        const OpId lead = computed[std::size_t(index(op))];
        const OpId shape = shapes[std::size_t(index(op))];
        if (lead != noOp && shape != noOp)
            out[op] = {fp32Platform,
                       QL_TEXT("its values are linked both to compute operation %1 and to shapes or indices at %2")
                           .with(finder.label(lead), finder.label(shape))};
        else if (lead == op)
            out[op] = {request.platform, QL_TEXT("compute operation %1").with(graph.operation(op).type)};
        else if (lead != noOp)
            out[op] = {request.platform, QL_TEXT("linked by values to compute operation %1").with(finder.label(lead))};
        else if (shape != noOp)
            out[op] = {soiPlatform, QL_TEXT("linked to shapes or indices at %1").with(finder.label(shape))};
        else
            out[op] = {fp32Platform, QL_TEXT("not linked to a compute operation")};
    }
    return out;
}

const DispatcherRegistrar dispatchPerseusRegistrar{
    "perseus",
    {.info = {.id = "perseus",
              .title = QL_TEXT("Perseus"),
              .meaning = QL_TEXT(
                  "Quantizes every operation connected to a compute operation by values, upstream and downstream; "
                  "operations also connected to shapes or indices stay in float32.")},
     .run = runPerseus}};

} // namespace

} // namespace ql
