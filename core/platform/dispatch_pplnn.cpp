#include "core/platform/dispatch_regions.h"

namespace ql {

/// Quantizes only stretches from one Conv to another whose operations all are quantable.
static Dispatch runPplnn(const GraphSearch &search, const DispatchRequest &request)
{
    const RegionFinder finder(search, request);
    const auto region = finder.marks(search.reachable(
        ofType("Conv"),
        [&](const Operation &a, const Operation &b) { return finder.carriesDown(a, b) && finder.isQuantable(b); },
        ofType("Conv"), Direction::Down));
    return finder.divide(region, [&](OpId op) -> std::string {
        const Operation &operation = search.graph().operation(op);
        if (!finder.isQuantable(operation))
            return "type " + operation.type + " is not quantable on " + request.platform;
        return "not on a stretch of quantable ops from one Conv to another";
    });
}

static const DispatcherRegistrar dispatchPplnnRegistrar{
    "pplnn",
    {{"pplnn",
      "PPLNN",
      "Quantizes stretches of quantable ops from one Conv to the next; heads, tails and stretches with another op in "
      "between stay in float32.",
      {}},
     runPplnn}};

} // namespace ql
