#include "core/analysis/body_errors.h"

#include "core/quant/networks.h"

#include <ATen/Functions.h>

#include <algorithm>
#include <utility>

namespace ql {

BodyPairs::BodyPairs(std::vector<BodySlot> slots, std::size_t batches)
    : m_slots(std::move(slots)), m_floating(batches), m_quantized(batches)
{}

void BodyPairs::probe(ProgramSpec &floating, ProgramSpec &quantized)
{
    // A copy: the next run of the body may be computed in the same memory
    const auto into = [](std::vector<Tensors> &tensors, const BodySlot &place) {
        return [&tensors, place](const at::Tensor &t, std::size_t batch) {
            tensors[batch][place].push_back(at::isFloatingType(t.scalar_type()) ? t.clone() : at::Tensor());
        };
    };
    for (const BodySlot &place : m_slots) {
        floating.bodySlotProbes.push_back({place, into(m_floating, place)});
        quantized.bodySlotProbes.push_back({place, into(m_quantized, place)});
    }
}

void BodyPairs::take(std::size_t batch,
                     const std::function<void(const BodySlot &, const at::Tensor &, const at::Tensor &)> &visit)
{
    for (const BodySlot &place : m_slots) {
        const std::vector<at::Tensor> &floating = m_floating[batch][place], &quantized = m_quantized[batch][place];
        for (std::size_t k = 0; k < std::min(floating.size(), quantized.size()); ++k) {
            const at::Tensor &f = floating[k], &q = quantized[k];
            if (f.defined() && q.defined() && f.sizes() == q.sizes()) visit(place, f, q);
        }
    }
    m_floating[batch].clear();
    m_quantized[batch].clear();
}

std::vector<BodySlot> outputsInBodies(const QuantModel &model, const std::function<bool(OpId)> &isMeasured)
{
    std::vector<BodySlot> slots;
    forEachQuantizedBody(model, [&](const BodyPath &path, const QuantModel &body) {
        if (!isMeasured(path.front().first)) return;
        for (const OpId id : body.graph.topological()) {
            if (!body.isQuantized(id)) continue;
            const std::vector<VarId> &outputs = body.graph.operation(id).outputs;
            for (std::size_t o = 0; o < outputs.size(); ++o)
                if (outputs[o] != noVar) slots.push_back({path, outputSlot(id, o)});
        }
    });
    return slots;
}

std::vector<api::ErrorRow> bodyErrorRows(const QuantModel &model, const BodyMeasures &measures)
{
    std::vector<api::ErrorRow> rows;
    for (const Network &network : bodyNetworks(model))
        for (const OpId id : network.graph().topological()) {
            const Operation &op = network.graph().operation(id);
            for (std::size_t o = 0; o < op.outputs.size(); ++o) {
                const Slot slot = outputSlot(id, o);
                const auto measure = measures.find(network.place(slot));
                if (measure == measures.end() || measure->second.empty()) continue;
                api::ErrorRow &row = rows.emplace_back();
                row.op = network.nameOf(id);
                row.type = op.type;
                row.variable = network.graph().variable(variableOf(op, slot)).name;
                measure->second.fill(row);
            }
        }
    return rows;
}

} // namespace ql
