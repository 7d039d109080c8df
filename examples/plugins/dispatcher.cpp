// A dispatcher: like "allin", but the first and the last operations of the platform stay in float32.
#include <core/platform/dispatcher.h>

using namespace ql;

namespace {

Dispatch keepEnds(const GraphSearch &search, const DispatchRequest &request)
{
    const Graph &graph = search.graph();
    Dispatch out;
    for (const OpId id : search.operations()) {
        const Operation &op = graph.operation(id);
        bool isEnd = false;
        for (const VarId input : op.inputs) isEnd = isEnd || (input != noVar && graph.isGraphInput(input));
        for (const VarId output : op.outputs) isEnd = isEnd || graph.isGraphOutput(output);
        out[id] = {request.isQuantizable(op) && !isEnd ? request.platform : std::string(fp32Platform),
                   isEnd ? "first or last operation" : "by type"};
    }
    return out;
}

const DispatcherRegistrar dispatcherRegistrar{
    "example_keep_ends",
    {.info = {.id = "example_keep_ends",
              .title = "Keep ends",
              .meaning = "Quantizes all but the first and the last operations."},
     .run = keepEnds}};

} // namespace
