#include "core/analysis/body_errors.h"

#include <ATen/Functions.h>

#include <algorithm>

namespace ql {

BodyComparison::BodyComparison(const QuantModel &model, std::size_t batches,
                               const std::function<bool(OpId)> &isMeasured, BodyMeasures &measures)
    : m_measures(measures), m_floating(batches), m_quantized(batches)
{
    forEachQuantizedBody(model, [&](const BodyPath &path, const QuantModel &body) {
        if (!isMeasured(path.front().first)) return;
        for (const OpId id : body.graph.topological()) {
            if (!body.isQuantized(id)) continue;
            const std::vector<VarId> &outputs = body.graph.operation(id).outputs;
            for (std::size_t o = 0; o < outputs.size(); ++o)
                if (outputs[o] != noVar) m_slots.push_back({path, outputSlot(id, o)});
        }
    });
}

void BodyComparison::probe(ProgramSpec &floating, ProgramSpec &quantized)
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

void BodyComparison::add(std::size_t batch, std::int64_t samples)
{
    for (const BodySlot &place : m_slots) {
        const std::vector<at::Tensor> &floating = m_floating[batch][place], &quantized = m_quantized[batch][place];
        for (std::size_t k = 0; k < std::min(floating.size(), quantized.size()); ++k) {
            const at::Tensor &f = floating[k], &q = quantized[k];
            if (!f.defined() || !q.defined() || f.sizes() != q.sizes()) continue;
            m_measures[place].add(f, q, rowsOf(q, samples), samples);
        }
    }
    m_floating[batch].clear();
    m_quantized[batch].clear();
}

/// A row of one operation in a body, without a measure. slot: of one of its outputs.
static api::ErrorRow bodyErrorRow(const QuantModel &body, const std::string &name, Slot slot)
{
    const Operation &op = body.graph.operation(slot.op);
    api::ErrorRow row;
    row.op = name;
    row.type = op.type;
    row.variable = body.graph.variable(variableOf(op, slot)).name;
    return row;
}

std::vector<api::ErrorRow> bodyErrorRows(const QuantModel &model, const BodyMeasures &measures)
{
    std::vector<api::ErrorRow> rows;
    const auto names = namesInBodies(model.graph);
    forEachQuantizedBody(model, [&](const BodyPath &path, const QuantModel &body) {
        for (const OpId id : body.graph.topological())
            for (std::size_t o = 0; o < body.graph.operation(id).outputs.size(); ++o) {
                const auto measure = measures.find({path, outputSlot(id, o)});
                if (measure == measures.end() || measure->second.empty()) continue;
                rows.push_back(bodyErrorRow(body, names.at({path, id}), measure->first.slot));
                measure->second.fill(rows.back());
            }
    });
    return rows;
}

} // namespace ql
