#include "core/platform/dispatcher.h"

namespace ql {

/// By type only, regardless of the use of an operation.
static Dispatch runAllin(const GraphSearch &search, const DispatchRequest &request)
{
    Dispatch out;
    for (const OpId op : search.operations()) {
        const Operation &operation = search.graph().operation(op);
        if (request.isQuantizable(operation))
            out[op] = {request.platform,
                       QL_TEXT("type %1 is quantizable on %2").with(operation.type, request.platform)};
        else
            out[op] = {fp32Platform,
                       QL_TEXT("type %1 is not quantizable on %2").with(operation.type, request.platform)};
    }
    return out;
}

static const DispatcherRegistrar dispatchAllinRegistrar{
    "allin",
    {.info =
         {.id = "allin",
          .title = QL_TEXT("All in"),
          .meaning = QL_TEXT(
              "Quantizes every operation of a quantizable type anywhere in the graph, including shape arithmetic.")},
     .run = runAllin}};

} // namespace ql
