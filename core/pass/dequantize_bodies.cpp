// Before: If(c, codes) { DQ(codes) -> Conv }        After: If(c) { Conv(w) }
//
// Bodies of If, Loop and Scan of a quantized model become float graphs as the model does. Captured constants that they
// read as codes, scales or zero points are constants of the body from then on. A captured tensor of codes that the
// outer graph computes stays one.
#include "core/ir/subgraphs.h"
#include "core/pass/dequantize_model.h"
#include "core/pass/stored_codes.h"

#include <algorithm>
#include <memory>

namespace ql {

using SharedGraph = std::shared_ptr<const Graph>;

/// Gives captured constants their values, if an operation reads them as codes, scales or zero points.
static std::vector<VarId> takeConstants(const Graph &outer, const Operation &op, Graph &body)
{
    const std::vector<std::string> names = captureNames(op);
    const std::size_t first = formalInputCount(op);
    std::vector<VarId> taken;
    for (std::size_t k = 0; k < names.size(); ++k) {
        const VarId id = capturedTensor(body, names[k]), read = op.inputs[first + k];
        if (id == noVar || !outer.isParameter(read)) continue;
        const auto &uses = body.variable(id).uses;
        if (std::none_of(uses.begin(), uses.end(), [&](const Use &use) {
                if (use.op == noOp) return false;
                const Operation &reader = body.operation(use.op);
                return isQuantizeLinear(reader) || isDequantizeLinear(reader) || linearFormOf(reader);
            }))
            continue;
        body.setValue(id, outer.variable(read).value);
        taken.push_back(id);
    }
    return taken;
}

std::map<BodySlot, StoredGrid> dequantizeBodies(Graph &graph, const std::function<void(api::Problem)> &report)
{
    std::map<BodySlot, StoredGrid> grids;
    for (const OpId id : graph.operations()) {
        if (bodies(graph.operation(id)).empty()) continue;
        const auto attributes = graph.operation(id).attributes;
        for (const auto &[name, value] : attributes) {
            const SharedGraph *body = std::get_if<SharedGraph>(&value);
            if (!body || !*body) continue;
            auto inner = std::make_shared<Graph>(**body);
            inner->opsets = graph.opsets;
            inner->producerName = graph.producerName;
            const std::vector<VarId> constants = takeConstants(graph, graph.operation(id), *inner);
            const BodyPath path{{id, name}};
            std::map<BodySlot, StoredGrid> nested;
            for (auto &[slot, grid] : dequantizeGraph(*inner, report, &nested))
                grids.emplace(BodySlot{path, slot}, std::move(grid));
            for (const auto &[slot, grid] : nested) {
                BodyPath outer = path;
                outer.insert(outer.end(), slot.path.begin(), slot.path.end());
                grids.emplace(BodySlot{std::move(outer), slot.slot}, grid);
            }
            for (const VarId constant : constants)
                if (inner->contains(constant)) inner->edit(constant).value = at::Tensor(); // captured
            graph.edit(id).attributes[name] = SharedGraph(std::move(inner));
        }
        dropUnusedCaptures(graph, id);
    }
    return grids;
}

} // namespace ql
