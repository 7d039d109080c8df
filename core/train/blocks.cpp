#include "core/train/blocks.h"

#include "core/ir/op_traits.h"
#include "core/ir/search.h"

#include <algorithm>
#include <map>
#include <set>

namespace ql {

namespace {

class BlockBuilder
{
public:
    explicit BlockBuilder(const QuantModel &model)
        : m_model(model), m_search(model.graph), m_order(model.graph.topological()), m_depth(std::size_t(bound())),
          m_position(std::size_t(bound()))
    {
        for (std::size_t i = 0; i < m_order.size(); ++i) {
            int depth = 0;
            for (const OpId producer : m_search.producers(m_order[i]))
                depth = std::max(depth, m_depth[at(producer)] + 1);
            m_depth[at(m_order[i])] = depth;
            m_position[at(m_order[i])] = i;
        }
    }

    Block build(OpId start, int limit) const
    {
        Block block;
        block.start = block.end = start;
        while (true) {
            const OpId next = following(block.end);
            if (next == noOp || m_depth[at(next)] - m_depth[at(start)] > limit) break;
            block.end = next;
        }
        collect(&block);
        return block;
    }

    /// Of the operation in execution order.
    std::size_t position(OpId op) const { return m_position[at(op)]; }

private:
    std::int32_t bound() const { return m_model.graph.operationIdBound(); }
    static std::size_t at(OpId op) { return std::size_t(index(op)); }

    /// Whether outputs can be compared: those of ArgMax cannot, nor can anything be trained by them.
    bool hasErrors(const Operation &op) const
    {
        return std::any_of(op.outputs.begin(), op.outputs.end(), [&](VarId id) {
            if (id == noVar) return false;
            const at::ScalarType type = m_model.graph.variable(id).type.dtype;
            return type == at::ScalarType::Undefined || at::isFloatingType(type);
        });
    }

    /// The operation that follows op in the block: its only consumer, or the one where all its branches join.
    OpId following(OpId op) const
    {
        const auto consumers = m_search.consumers(op);
        if (consumers.size() <= 1) {
            if (consumers.empty()) return noOp;
            const Operation &next = m_model.graph.operation(consumers[0]);
            int read = 0;
            for (const VarId id : next.inputs) read += id != noVar && !m_model.graph.isParameter(id);
            return read == 1 && m_search.producers(next.id).size() == 1 && hasErrors(next) ? next.id : noOp;
        }
        // Smallest depth first, first in first out within a depth.
        std::set<OpId> queued;
        std::vector<OpId> open;
        const auto enqueue = [&](OpId from) {
            for (const OpId next : m_search.consumers(from)) {
                if (!queued.insert(next).second) continue;
                const auto place = std::upper_bound(open.begin(), open.end(), next,
                                                    [this](OpId a, OpId b) { return m_depth[at(a)] < m_depth[at(b)]; });
                open.insert(place, next);
            }
        };
        enqueue(op);
        while (!open.empty()) {
            const OpId candidate = open.front();
            open.erase(open.begin());
            if (open.empty()) {
                const auto producers = m_search.producers(candidate);
                const bool joins = producers.size() > 1 && std::all_of(producers.begin(), producers.end(), [&](OpId p) {
                                       return p == op || queued.contains(p);
                                   });
                if (joins) return candidate;
            }
            enqueue(candidate);
        }
        return noOp;
    }

    void collect(Block *block) const
    {
        // Between start and end in execution order: reachable from start, and reaching end.
        std::set<OpId> below = {block->start};
        for (std::size_t i = m_position[at(block->start)]; i <= m_position[at(block->end)]; ++i)
            for (const OpId producer : m_search.producers(m_order[i]))
                if (below.contains(producer)) below.insert(m_order[i]);
        std::set<OpId> inside = {block->end};
        for (std::size_t i = m_position[at(block->end)] + 1; i-- > m_position[at(block->start)];)
            for (const OpId consumer : m_search.consumers(m_order[i]))
                if (inside.contains(consumer) && below.contains(m_order[i])) inside.insert(m_order[i]);
        for (std::size_t i = m_position[at(block->start)]; i <= m_position[at(block->end)]; ++i)
            if (inside.contains(m_order[i])) block->ops.push_back(m_order[i]);
        std::set<VarId> known;
        for (const OpId op : block->ops) {
            for (const VarId id : m_model.graph.operation(op).inputs)
                if (id != noVar && !m_model.graph.isParameter(id) && known.insert(id).second)
                    block->inputs.push_back(id);
            for (const VarId id : m_model.graph.operation(op).outputs) known.insert(id);
        }
        for (const VarId id : m_model.graph.operation(block->end).outputs)
            if (id != noVar) block->outputs.push_back(id);
    }

    const QuantModel &m_model;
    GraphSearch m_search;
    std::vector<OpId> m_order;
    std::vector<int> m_depth;
    std::vector<std::size_t> m_position;
};

} // namespace

std::vector<Block> findBlocks(const QuantModel &model, int limit)
{
    const BlockBuilder builder(model);
    std::vector<Block> blocks;
    std::set<OpId> covered;
    for (const OpId id : model.graph.operations()) {
        if (!model.isQuantized(id) || !isComputing(model.graph.operation(id)) || covered.contains(id)) continue;
        blocks.push_back(builder.build(id, limit));
        covered.insert(blocks.back().ops.begin(), blocks.back().ops.end());
    }
    std::stable_sort(blocks.begin(), blocks.end(), [&](const Block &a, const Block &b) {
        return builder.position(a.start) < builder.position(b.start);
    });
    return blocks;
}

} // namespace ql
