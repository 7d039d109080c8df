#pragma once

#include "core/ir/op_traits.h"
#include "core/platform/dispatcher.h"

#include <string>
#include <vector>

namespace ql {

/// Shared by dispatchers: how values and shapes propagate through a graph, and texts for the reason of a decision.
/// Based on one GraphSearch; linear in the size of the graph.
class RegionFinder
{
public:
    RegionFinder(const GraphSearch &search, const DispatchRequest &request);

    /// Sets of operations as marks by operation id.
    class Marks
    {
    public:
        explicit Marks(std::size_t size) : m_marks(size, false) {}
        bool operator()(OpId op) const { return m_marks[std::size_t(index(op))]; }
        bool operator()(const Operation &op) const { return (*this)(op.id); }
        void set(OpId op, bool on = true) { m_marks[std::size_t(index(op))] = on; }

    private:
        std::vector<bool> m_marks;
    };
    Marks none() const { return Marks(std::size_t(m_graph.operationIdBound())); }
    Marks marks(const std::set<OpId> &ops) const;

    const GraphSearch &search() const { return m_search; }
    const Graph &graph() const { return m_graph; }
    const DispatchRequest &request() const { return m_request; }
    const std::vector<OpId> &topological() const { return m_order; }
    const Socket &socket(OpId op) const { return m_sockets[std::size_t(index(op))]; }

    /// Does a step from a producer to a consumer carry values (not sizes, axes or indices)? And the same upstream.
    bool carriesDown(const Operation &from, const Operation &to) const;
    bool carriesUp(const Operation &from, const Operation &to) const;
    /// Operations whose result is used as sizes, axes, indices or plain floats.
    const Marks &receivers() const { return m_receivers; }
    bool isBoundary(const Operation &op) const { return m_search.isBoundary(op.id); }
    bool isQuantizable(const Operation &op) const { return m_request.isQuantizable(op); }
    /// Shape, Size, NonMaxSuppression, ConstantOfShape, TopK: results that are sizes or indices.
    static bool isGenerator(const Operation &op);
    /// Shape, Size, TopK, NonMaxSuppression: read values, but do not pass them on.
    static bool isValueSink(const Operation &op);

    /// Compute operations and everything from them to the next operation that cannot be quantized (or the end), without
    /// types that are not quantizable.
    Marks conservativeRegion() const;
    /// Everything that values of compute operations reach.
    Marks computedRegion() const;
    /// Shape-or-index arithmetic around region, which it never contains.
    Marks shapeRegion(const Marks &region) const;

    /// Shared by conservative and pplnn: shapes outside of the computation -> SOI, region -> platform, otherwise FP32;
    /// then Shape, TopK, NonMaxSuppression, Relu and Clip follow the producer of their input 0.
    Dispatch divide(const Marks &region, const std::function<Text(OpId)> &floatReason) const;
    /// Why op, which is not in the conservative region, stays in float32.
    Text floatReason(OpId op) const;
    Text regionReason(OpId op) const;
    /// Why op counts as shape-or-index arithmetic; region as for shapeRegion.
    Text shapeReason(OpId op, const Marks &shapes) const;
    /// "Conv 'conv1'"
    std::string label(OpId op) const;
    /// Shape, TopK ... and Relu, Clip take the decision of the producer of input 0; fallback if there is none.
    void followProducers(Dispatch &dispatch, const DispatchEntry &fallback) const;

private:
    void explainFloats() const;
    OpId producerOf(const Operation &op, std::size_t input) const;
    /// Whether a value of producer flows through consumer.
    bool isLinked(const Operation &producer, const Operation &consumer) const;

    const GraphSearch &m_search;
    const Graph &m_graph;
    const DispatchRequest &m_request;
    std::vector<OpId> m_order;
    std::vector<Socket> m_sockets; // by operation id; created once, because wide operations have long ones
    Marks m_receivers;
    // filled at the first request for a reason
    mutable bool m_isExplained = false;
    mutable std::vector<OpId> m_lead;    // nearest compute operation upstream, noOp if there is none
    mutable std::vector<OpId> m_blocker; // upstream operation that is not quantizable
    mutable std::vector<bool> m_leadsToComputing;
};

} // namespace ql
