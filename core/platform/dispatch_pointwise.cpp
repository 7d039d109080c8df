#include "core/ir/op_traits.h"
#include "core/platform/dispatch_regions.h"

namespace ql {

/// Compute operations only; others that conservative would quantize around them stay in float32.
static Dispatch runPointwise(const GraphSearch &search, const DispatchRequest &request)
{
    Dispatch out = Registry<DispatcherEntry>::instance().at("conservative", QL_TEXT("dispatcher")).run(search, request);
    for (auto &[op, entry] : out) {
        const Operation &operation = search.graph().operation(op);
        if (isComputing(operation) && request.isQuantizable(operation))
            entry = {request.platform, QL_TEXT("compute operation %1").with(operation.type)};
        else if (entry.platform == request.platform)
            entry = {fp32Platform,
                     request.isQuantizable(operation)
                         ? QL_TEXT("pointwise quantizes only compute operations")
                         : QL_TEXT("type %1 is not quantizable on %2").with(operation.type, request.platform)};
    }
    return out;
}

static const DispatcherRegistrar dispatchPointwiseRegistrar{
    "pointwise",
    {.info =
         {.id = "pointwise",
          .title = QL_TEXT("Pointwise"),
          .meaning = QL_TEXT(
              "Quantizes every compute operation of a quantizable type and nothing else. Shape and index arithmetic is "
              "excluded.")},
     .run = runPointwise}};

} // namespace ql
