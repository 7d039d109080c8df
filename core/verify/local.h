#pragma once

#include "core/exec/executor.h"
#include "core/verify/aligned_tensor.h"

#include <functional>

namespace ql {

/// Values that the runtime computed for a compared tensor.
using RuntimeValues = std::function<at::Tensor(std::size_t batch, const AlignedTensor &tensor)>;

/// What local checks work on.
struct LocalContext
{
    const QuantModel &model;
    const Executor &executor; ///< over model.graph
    const BatchSource &data;
    const std::vector<AlignedTensor> &tensors;
    std::size_t usable; ///< the first so many of tensors have values of the runtime
    RuntimeValues values;
    const JobContext &job;
    bool scalesAside = false; ///< they are in another file than the model
    /// Of the file that was run: its tensors, and VerifyInput::changedParameters.
    const std::map<std::string, FileTensor> *file = nullptr;
    const std::map<std::string, Text> *changedParameters = nullptr;
};

/// One tensor, computed by the simulator from what the runtime computed upstream.
struct LocalValues
{
    at::Tensor runtime, simulator;
    at::Tensor raw; ///< the simulator's value before rounding; undefined if there is none
};

/// A tensor of a hypothesis, in place of the simulator's.
struct Replaced
{
    VarId variable = noVar;
    std::function<at::Tensor(std::size_t batch)> value; ///< not on a grid
};

/// Computes tensor number index of the context, batch by batch, from the runtime's values of the compared tensors
/// upstream.
class LocalProgram
{
public:
    /// withRaw: LocalValues::raw is wanted, which may switch off integer arithmetic, as replaced does.
    LocalProgram(const LocalContext &context, std::size_t index, bool withRaw, std::optional<Replaced> replaced = {});
    at::Tensor simulated(std::size_t batch) const;
    LocalValues run(std::size_t batch) const;
    const Segment &segment() const { return m_segment; }

private:
    void roundFeeds();
    at::Tensor feedValue(std::size_t batch, VarId id) const;

    const LocalContext &m_context;
    std::size_t m_index;
    std::optional<Replaced> m_replaced;
    QuantPlan m_plan;
    Segment m_segment;
    std::shared_ptr<at::Tensor> m_raw;
    std::optional<Program> m_program; ///< none for a graph input
};

/// How the tensor agrees when only its own segment counts. whole: by batch, what the simulator computes from its own
/// tensors upstream; elements at which the runtime agrees with that do not differ. Empty: not known
api::LocalAgreement localAgreement(const LocalContext &context, std::size_t index,
                                   const std::vector<at::Tensor> &whole = {});

/// Whether the differences of the tensor are explained by ties alone.
inline bool isExplainedByTies(const api::LocalAgreement &local)
{
    return local.differing == local.ties;
}

/// A value before rounding this close to the border of two codes, in steps, is a tie: float32 sums in another order
/// differ by as much.
inline constexpr double tieDistance = 1e-3;

/// Distance to the border of two codes, in steps; 0 on it, 0.5 on a code.
double borderDistance(double inSteps);

} // namespace ql
