#include "core/ir/op_traits.h"
#include "core/platform/dispatch_regions.h"

namespace ql {

/// Quantizes everything that values of compute operations reach, also downstream of operations that the platform cannot
/// quantize. Shape arithmetic takes precedence: an operation on the border of both counts as shape arithmetic.
static Dispatch runAggressive(const GraphSearch &search, const DispatchRequest &request)
{
    const RegionFinder finder(search, request);
    const auto down = [&](const Operation &a, const Operation &b) { return finder.carriesDown(a, b); };
    const auto up = [&](const Operation &a, const Operation &b) { return finder.carriesUp(a, b); };
    RegionFinder::Marks region = finder.computedRegion();
    for (const OpId op : search.operations())
        if (readsShapeOnly(search.graph().operation(op))) region.set(op, false);

    RegionFinder::Marks shapes = finder.receivers();
    RegionFinder::Marks generators = finder.none();
    const auto add = [&](const std::set<OpId> &found) {
        bool hasNew = false;
        for (const OpId op : found) {
            hasNew = hasNew || !shapes(op);
            shapes.set(op);
        }
        return hasNew;
    };
    add(search.reachable(
        RegionFinder::isGenerator, down,
        [&](const Operation &op) { return finder.receivers()(op) || region(op) || finder.isBoundary(op); },
        Direction::Down));
    for (const OpId op : search.operations())
        generators.set(op, shapes(op) || RegionFinder::isGenerator(search.graph().operation(op)));
    while (add(search.reachable(
        [&](const Operation &op) { return shapes(op) && !readsShapeOnly(op) && !region(op); }, up,
        [&](const Operation &op) { return generators(op) || region(op) || finder.isBoundary(op); }, Direction::Up))) {
    }

    Dispatch out;
    for (const OpId op : finder.topological()) {
        if (shapes(op))
            out[op] = {soiPlatform, finder.shapeReason(op, shapes)};
        else if (region(op))
            out[op] = {request.platform, QL_TEXT("values of a compute operation reach it")};
        else
            out[op] = {fp32Platform, QL_TEXT("no values of a compute operation reach it")};
    }
    finder.followProducers(out, {request.platform, QL_TEXT("reads the size of a graph input or parameter")});
    return out;
}

static const DispatcherRegistrar dispatchAggressiveRegistrar{
    "aggressive",
    {.info = {.id = "aggressive",
              .title = QL_TEXT("Aggressive"),
              .meaning = QL_TEXT("Quantizes every quantizable operation that values of a compute operation reach, "
                                 "including those downstream "
                                 "of operations that the platform cannot quantize. Operations adjacent to shape "
                                 "arithmetic are excluded.")},
     .run = runAggressive}};

} // namespace ql
