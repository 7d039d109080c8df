#include "core/train/cut.h"

#include "core/base/error.h"

#include <algorithm>
#include <optional>

namespace ql {

std::vector<at::Tensor> CutTensors::tensors(std::size_t batch) const
{
    std::vector<at::Tensor> all;
    for (const TensorStore::Handle &item : batches[batch]) all.push_back(item->get());
    return all;
}

CutMaker::CutMaker(const Executor &executor, TensorStore &store)
    : m_executor(executor), m_store(store), m_order(executor.graph().topological()),
      m_position(std::size_t(executor.graph().operationIdBound())),
      m_isConstant(std::size_t(executor.graph().variableIdBound()))
{
    const Graph &graph = executor.graph();
    for (const VarId id : graph.variables()) m_isConstant[std::size_t(index(id))] = graph.isParameter(id);
    for (std::size_t i = 0; i < m_order.size(); ++i) {
        m_position[std::size_t(index(m_order[i]))] = i;
        const Operation &op = graph.operation(m_order[i]);
        const bool isConstant = std::all_of(op.inputs.begin(), op.inputs.end(), [&](VarId id) {
            return id == noVar || m_isConstant[std::size_t(index(id))];
        });
        for (const VarId id : op.outputs)
            if (id != noVar) m_isConstant[std::size_t(index(id))] = isConstant;
    }
}

CutTensors CutMaker::inputs(const BatchSource &source, std::size_t batches, const JobContext &job)
{
    const Graph &graph = m_executor.graph();
    CutTensors cut;
    cut.variables = graph.inputs();
    for (std::size_t i = 0; i < batches; ++i) {
        job.checkpoint(double(i) / double(batches), QL_TEXT("training: read data"));
        const Feed feed = source.batch(i);
        auto &row = cut.batches.emplace_back();
        for (const VarId id : cut.variables) {
            const auto it = feed.find(graph.variable(id).name);
            if (it == feed.end())
                throw Error(ErrorKind::BadData, QL_TEXT("the data has no array for this graph input"), {},
                            graph.variable(id).name);
            row.push_back(m_store.put(it->second));
        }
    }
    return cut;
}

std::vector<VarId> CutMaker::readFrom(std::size_t position) const
{
    const Graph &graph = m_executor.graph();
    std::vector<VarId> found;
    for (const VarId id : graph.variables()) {
        const Variable &variable = graph.variable(id);
        if (m_isConstant[std::size_t(index(id))]) continue;
        if (variable.producer != noOp && this->position(variable.producer) >= position) continue;
        const bool isRead = std::any_of(variable.uses.begin(), variable.uses.end(),
                                        [&](const Use &use) { return this->position(use.op) >= position; });
        if (isRead || graph.isGraphOutput(id)) found.push_back(id);
    }
    return found;
}

CutTensors CutMaker::compute(const CutTensors &from, const std::vector<VarId> &variables, const QuantPlan *plan,
                             const JobContext &job)
{
    CutTensors cut;
    cut.variables = variables;
    cut.batches.resize(from.batches.size());
    ProgramSpec spec;
    std::vector<std::ptrdiff_t> known; // the place in from, or -1
    for (const VarId id : variables) {
        const auto at = std::find(from.variables.begin(), from.variables.end(), id);
        known.push_back(at == from.variables.end() ? -1 : at - from.variables.begin());
        if (known.back() < 0) spec.outputs.push_back(id);
    }
    std::optional<Program> program;
    if (!spec.outputs.empty()) {
        spec.plan = plan;
        spec.feeds = from.variables;
        program = m_executor.compile(spec);
    }
    const auto computeBatch = [&](std::size_t batch) {
        std::vector<at::Tensor> computed;
        if (program) computed = program->run(from.tensors(batch), job);
        std::size_t next = 0;
        cut.batches[batch].reserve(known.size());
        for (const std::ptrdiff_t place : known)
            cut.batches[batch].push_back(place < 0 ? m_store.put(computed[next++])
                                                   : from.batches[batch][std::size_t(place)]);
    };
    Lanes lanes(m_executor, from.batches.size());
    if (program) lanes.prepare(*program);
    lanes.run(0, from.batches.size(), computeBatch);
    return cut;
}

void CutPair::start(const BatchSource &source, std::size_t batches, const JobContext &job)
{
    floating = quantized = cuts.inputs(source, batches, job);
}

void CutPair::moveTo(OpId op, const QuantPlan &plan, const JobContext &job)
{
    const std::vector<VarId> live = cuts.readFrom(cuts.position(op));
    quantized = cuts.compute(quantized, live, &plan, job);
    floating = cuts.compute(floating, live, nullptr, job);
}

} // namespace ql
