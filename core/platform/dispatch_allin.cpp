#include "core/platform/dispatcher.h"

namespace ql {

/// By type alone, without a look at what an operation is used for.
static Dispatch runAllin(const GraphSearch &search, const DispatchRequest &request)
{
    Dispatch out;
    for (const OpId op : search.operations()) {
        const Operation &operation = search.graph().operation(op);
        if (request.isQuantable(operation))
            out[op] = {request.platform, "type " + operation.type + " is quantable on " + request.platform};
        else
            out[op] = {fp32Platform, "type " + operation.type + " is not quantable on " + request.platform};
    }
    return out;
}

static const DispatcherRegistrar dispatchAllinRegistrar{
    "allin",
    {{"allin", "All in", "Quantizes every op of a quantable type, wherever it stands, shape arithmetic included.", {}},
     runAllin}};

} // namespace ql
