#pragma once

#include "core/exec/executor.h"
#include "core/exec/lanes.h"
#include "core/train/tensor_store.h"

#include <memory>
#include <vector>

namespace ql {

/// The values of some tensors of the network, for all batches: enough to compute everything downstream.
struct CutTensors
{
    std::vector<VarId> variables;
    std::vector<std::vector<TensorStore::Handle>> batches; ///< in the order of variables

    std::vector<at::Tensor> tensors(std::size_t batch) const;
};

/// Computes cuts one after the other along the topological order, so that each operation is computed once although
/// blocks change one after the other.
class CutMaker
{
public:
    /// All outlive it.
    CutMaker(const Executor &executor, TensorStore &store);

    /// The operations in topological order.
    const std::vector<OpId> &order() const { return m_order; }
    std::size_t position(OpId op) const { return m_position[std::size_t(index(op))]; }
    /// The graph inputs.
    CutTensors inputs(const BatchSource &source, std::size_t batches, const JobContext &job);
    /// The tensors that operations from `position` on, or the graph outputs, read from the earlier ones.
    std::vector<VarId> readFrom(std::size_t position) const;
    /// The tensors in the network with this plan (nullptr: float), computed from the values of an earlier cut.
    CutTensors compute(const CutTensors &from, const std::vector<VarId> &variables, const QuantPlan *plan,
                       const JobContext &job);

private:
    const Executor &m_executor;
    TensorStore &m_store;
    std::vector<OpId> m_order;
    std::vector<std::size_t> m_position; ///< by operation id
    std::vector<bool> m_isConstant;      ///< by variable id: depends on parameters only
};

/// The float and the quantized network at one place, which moves on while one block after the other gets its values.
struct CutPair
{
    CutPair(const Executor &executor, TensorStore &store) : cuts(executor, store) {}

    /// To the graph inputs.
    void start(const BatchSource &source, std::size_t batches, const JobContext &job);
    /// To what op and the operations after it read from the earlier ones, which must be as they will stay.
    void moveTo(OpId op, const QuantPlan &plan, const JobContext &job);

    CutMaker cuts;
    CutTensors floating, quantized;
};

} // namespace ql
