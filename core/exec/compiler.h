#pragma once

#include "core/exec/program.h"

#include <functional>
#include <set>
#include <unordered_map>

namespace ql {

/// Shared by programs over one graph; all of it outlives the compilation.
struct CompilerInput
{
    const Graph &graph;
    const std::vector<OpId> &order; ///< topological
    /// Parameters, and results of operations that depend only on parameters, in float, by variable.
    const std::unordered_map<std::int32_t, at::Tensor> &constants;
    const std::set<OpId> &folded;     ///< operations whose results are among the constants
    const std::set<VarId> &undefined; ///< tensors that may hold NaN although all data are finite
};

/// (op, its kernel, constant inputs (undefined if computed), epilogue) -> a kernel with these constants packed, or
/// null for the general one.
using PrepareKernel = std::function<std::shared_ptr<PreparedKernel>(const Operation &, const KernelEntry &,
                                                                    std::vector<at::Tensor>, const Epilogue &)>;

/// Changes the list of steps before it is decided after which step each value is released.
using PlaceSteps = std::function<void(Program::Impl &)>;

/// Creates the steps of one program. fuse: fuse activations into the kernels that feed them unless probed between.
/// @throws Error (UnsupportedOp) listing every operation without a kernel, (BadData) for a tensor without a value.
std::shared_ptr<Program::Impl> compileProgram(const CompilerInput &input, const ProgramSpec &spec,
                                              const PrepareKernel &prepare, bool fuse, const PlaceSteps &place);

} // namespace ql
