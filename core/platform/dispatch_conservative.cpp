#include "core/platform/dispatch_regions.h"

namespace ql {

/// The default. Quantizes compute operations and everything after them, up to an operation that the platform cannot
/// quantize; operations before the first compute operation gain nothing and stay in float32.
static Dispatch runConservative(const GraphSearch &search, const DispatchRequest &request)
{
    const RegionFinder finder(search, request);
    return finder.divide(finder.conservativeRegion(), [&](OpId op) { return finder.floatReason(op); });
}

static const DispatcherRegistrar dispatchConservativeRegistrar{
    "conservative",
    {.info =
         {.id = "conservative",
          .title = QL_TEXT("Conservative"),
          .meaning = QL_TEXT(
              "Quantizes compute operations and the quantizable operations after them, up to the next operation that "
              "the platform cannot quantize. Shape and index arithmetic is excluded.")},
     .run = runConservative}};

} // namespace ql
