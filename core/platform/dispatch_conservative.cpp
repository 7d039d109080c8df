#include "core/platform/dispatch_regions.h"

namespace ql {

/// The default. Quantized are computing operations and what follows them, until an operation that the platform cannot
/// quantize; what lies in front of the first computing operation gains nothing and stays in float32.
static Dispatch runConservative(const GraphSearch &search, const DispatchRequest &request)
{
    const RegionFinder finder(search, request);
    return finder.divide(finder.conservativeRegion(), [&](OpId op) { return finder.floatReason(op); });
}

static const DispatcherRegistrar dispatchConservativeRegistrar{
    "conservative",
    {{"conservative",
      QL_TEXT("Conservative"),
      QL_TEXT("Quantizes compute operations and the quantizable operations after them, up to the next operation that "
              "the platform cannot quantize. Shape and index arithmetic is excluded."),
      {}},
     runConservative}};

} // namespace ql
