#include "core/platform/dispatch_regions.h"

namespace ql {

/// Quantizes only stretches from one Conv to another whose operations all are quantizable.
static Dispatch runPplnn(const GraphSearch &search, const DispatchRequest &request)
{
    const RegionFinder finder(search, request);
    const auto region = finder.marks(search.reachable(
        ofType("Conv"),
        [&](const Operation &a, const Operation &b) { return finder.carriesDown(a, b) && finder.isQuantizable(b); },
        ofType("Conv"), Direction::Down));
    return finder.divide(region, [&](OpId op) -> Text {
        const Operation &operation = search.graph().operation(op);
        if (!finder.isQuantizable(operation))
            return QL_TEXT("type %1 is not quantizable on %2").with(operation.type, request.platform);
        return QL_TEXT("not in a chain of quantizable operations from one Conv to another");
    });
}

static const DispatcherRegistrar dispatchPplnnRegistrar{
    "pplnn",
    {.info = {.id = "pplnn",
              .title = QL_TEXT("PPLNN"),
              .meaning = QL_TEXT(
                  "Quantizes chains of quantizable operations from one Conv to the next; heads, tails and chains with "
                  "another operation in between stay in float32.")},
     .run = runPplnn}};

} // namespace ql
