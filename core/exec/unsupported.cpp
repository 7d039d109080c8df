#include "core/exec/unsupported.h"

#include "core/base/error.h"
#include "core/exec/kernel.h"
#include "core/ir/subgraphs.h"

#include <utility>

namespace ql {

void collectUnsupported(const Operation &op, const std::string &prefix, std::vector<UnsupportedOp> &out)
{
    const KernelEntry *kernel = findKernel(op);
    if (!kernel)
        out.push_back({prefix + op.name, op.type, op.domain, op.opset,
                       op.domain == classicalDomain ? QL_TEXT("classical machine learning is out of scope")
                                                    : QL_TEXT("the operator is not implemented")});
    else if (op.opset > 0 && (op.opset > kernel->maxOpset || op.opset < kernel->minOpset))
        out.push_back({prefix + op.name, op.type, op.domain, op.opset,
                       QL_TEXT("implemented for opset %1 to %2").with(kernel->minOpset, kernel->maxOpset), true});
    else if (Text why = kernel->refuses(op); !why.isEmpty())
        out.push_back({prefix + op.name, op.type, op.domain, op.opset, std::move(why)});
    for (const auto &body : bodies(op))
        if (body)
            for (const OpId id : body->operations())
                collectUnsupported(body->operation(id), prefix + op.name + "/", out);
}

void requireKernels(const Graph &graph, const std::vector<OpId> &order, const std::set<OpId> &needed)
{
    std::vector<UnsupportedOp> found;
    for (const OpId id : order)
        if (needed.contains(id)) collectUnsupported(graph.operation(id), {}, found);
    std::vector<Text> missing;
    for (const UnsupportedOp &op : found)
        missing.push_back(
            QL_TEXT("'%1' (%2, %3)").with(op.op, (op.domain.empty() ? "" : op.domain + ".") + op.type, op.why));
    if (missing.empty()) return;
    throw Error(ErrorKind::UnsupportedOp, QL_TEXT("operations that cannot be executed: %1").with(Text::list(missing)),
                found.front().op)
        .withRemedy(QL_TEXT("Export the model with other operators, or cut these parts off."));
}

std::vector<UnsupportedOp> unsupportedOps(const Graph &graph)
{
    std::vector<UnsupportedOp> out;
    for (const OpId id : graph.operations()) collectUnsupported(graph.operation(id), {}, out);
    return out;
}

} // namespace ql
