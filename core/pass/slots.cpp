#include "core/pass/slots.h"

namespace ql {

std::string variableName(const Graph &graph, Slot slot)
{
    const VarId id = variableOf(graph, slot);
    return id == noVar ? std::string() : graph.variable(id).name;
}

bool isParameterSlot(const Graph &graph, Slot slot)
{
    return !slot.output && graph.isParameter(variableOf(graph, slot));
}

void reportSlot(const PassContext &context, const Graph &graph, Slot slot, api::Severity severity, const Text &message,
                const Text &remedy)
{
    context.report({severity, graph.operation(slot.op).name, variableName(graph, slot), message, remedy});
}

bool roundsAgain(const QuantPlan &plan, Slot input, Slot output)
{
    const TensorQuantConfig *produced = plan.find(output), *consumed = plan.find(input);
    return produced && produced->state != QuantState::Off && consumed && consumed->state == QuantState::Initial &&
           consumed->sameScheme(*produced);
}

int overlapSlot(QuantPlan &plan, Slot slot, Slot by, const Origin &origin)
{
    if (!plan.find(slot) || !plan.find(by)) return 0;
    const Slot top = plan.root(by);
    if (slot == top || plan.root(slot) == top) return 0;
    plan.overlap(slot, by, origin);
    return 1;
}

int shareSlot(QuantPlan &plan, Slot slot, Slot master, const Origin &origin)
{
    const TensorQuantConfig *config = plan.find(slot);
    if (!config || !plan.find(master) || slot == master) return 0;
    if (config->parent == master && config->state == QuantState::Passive) return 0;
    for (Slot above = master;;) {
        if (above == slot) return 0;
        const auto parent = plan.find(above)->parent;
        if (!parent) break;
        above = *parent;
    }
    plan.share(slot, master, origin);
    return 1;
}

} // namespace ql
