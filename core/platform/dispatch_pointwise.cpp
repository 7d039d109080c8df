#include "core/ir/op_traits.h"
#include "core/platform/dispatch_regions.h"

namespace ql {

/// Computing operations alone; what conservative would quantize around them stays in float32.
static Dispatch runPointwise(const GraphSearch &search, const DispatchRequest &request)
{
    Dispatch out = Registry<DispatcherEntry>::instance().at("conservative", "dispatcher").run(search, request);
    for (auto &[op, entry] : out) {
        const Operation &operation = search.graph().operation(op);
        if (isComputing(operation) && request.isQuantable(operation))
            entry = {request.platform, "computing op " + operation.type};
        else if (entry.platform == request.platform)
            entry = {fp32Platform, request.isQuantable(operation)
                                       ? "pointwise quantizes computing ops only"
                                       : "type " + operation.type + " is not quantable on " + request.platform};
    }
    return out;
}

static const DispatcherRegistrar dispatchPointwiseRegistrar{
    "pointwise",
    {{"pointwise",
      "Pointwise",
      "Quantizes every computing op of a quantable type and nothing else. Shape and index arithmetic is kept apart.",
      {}},
     runPointwise}};

} // namespace ql
