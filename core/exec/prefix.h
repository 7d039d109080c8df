#pragma once

#include "core/base/ids.h"
#include "core/exec/executor.h"
#include "core/ir/graph.h"
#include "core/quant/quant_plan.h"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace ql {

// After an edit of one operation, everything upstream of it computes the same as before. Work over batches
// (calibration, error analysis) caches the tensors at some cuts through the graph and restarts from the last one
// upstream of the edit.

/// A position in the topological order: tensors produced before it and consumed after it.
struct Cut
{
    std::size_t position = 0; ///< number of operations before it
    std::vector<VarId> alive; ///< including graph inputs; in order of their ids

    friend bool operator==(const Cut &, const Cut &) = default;
};

/// Bytes of activations that one kind of work keeps between runs.
inline constexpr std::size_t keptActivations = std::size_t(128) << 20;

/// Operations by their position in the topological order.
std::map<OpId, std::size_t> placesOf(const Graph &graph);

/// Whether a and b quantize a slot equally: same config, effective scale and, for a parameter, value.
bool isQuantizedAlike(const Graph &graph, const QuantPlan &a, const QuantPlan &b, Slot slot);
/// Number of operations at the start of the topological order that a and b quantize equally.
std::size_t commonPrefix(const Graph &graph, const QuantPlan &a, const QuantPlan &b);

/// The tensors at the cuts of a graph, for each batch of some data.
struct KeptCuts
{
    std::vector<Cut> cuts;
    std::vector<std::vector<std::vector<at::Tensor>>> values; ///< [cut][batch][variable of Cut::alive]
    std::size_t start = 0; ///< operations that need not be computed: the position of the cut to start from
    std::size_t known = 0; ///< cuts whose values are available
    std::size_t limit =
        0; ///< bytes of all values, which may turn out larger than the types of the first batch suggested

    KeptCuts() = default;
    /// A few thin cuts, spread over the graph, whose tensors for this many batches take at most `bytes`, by their
    /// types.
    KeptCuts(const Graph &graph, std::size_t batches, std::size_t bytes);
    /// Reuses the values of the last cut that has at most `same` operations before it, and of the cuts before it.
    void resume(const KeptCuts &last, std::size_t same);
    /// After the last batch.
    void finish();
};

/// A program that starts at a cut, or at the graph inputs, and stores the tensors at later cuts.
class ResumedProgram
{
public:
    /// spec: without feeds and outputs, probes after kept.start. keeps: whether kept stores the tensors of each batch.
    ResumedProgram(const Executor &executor, ProgramSpec spec, KeptCuts &kept, bool keeps);
    /// Each batch once, from several threads if needed. feed: called if the program starts at the graph inputs. name:
    /// of the batch, for errors. @returns the computed graph outputs, in order. @throws as Program::run
    std::vector<at::Tensor> run(std::size_t batch, const std::function<Feed()> &feed, const JobContext &job,
                                const std::string &name);
    const Program &program() const { return *m_program; }

private:
    const Graph &m_graph;
    KeptCuts &m_kept;
    bool m_keeps;
    std::mutex m_mutex;                      ///< of the stored tensors
    std::size_t m_bytes = 0;                 ///< stored so far
    std::vector<VarId> m_feeds;              ///< alive at the start
    std::size_t m_outputs = 0;               ///< graph outputs among the program's
    std::map<VarId, std::size_t> m_outputOf; ///< the program's output index of tensors at later cuts
    std::unique_ptr<Program> m_program;
};

} // namespace ql
