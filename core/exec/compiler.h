#pragma once

#include "core/exec/program.h"

#include <functional>
#include <set>
#include <unordered_map>

namespace ql {

/// What programs over one graph have in common; all of it outlives the compilation.
struct CompilerInput
{
    const Graph &graph;
    const std::vector<OpId> &order; ///< topological
    /// Parameters, and results of operations that depend on them alone, in float, by variable.
    const std::unordered_map<std::int32_t, at::Tensor> &constants;
    const std::set<OpId> &folded; ///< operations whose results are among the constants
};

/// (op, its kernel, constant inputs (undefined where computed), epilogue) -> a kernel with these constants packed, or
/// null for the general one.
using PrepareKernel = std::function<std::shared_ptr<PreparedKernel>(const Operation &, const KernelEntry &,
                                                                    std::vector<at::Tensor>, const Epilogue &)>;

/// Changes the list of steps before it is decided which values are released behind each.
using PlaceSteps = std::function<void(Program::Impl &)>;

/// Makes the steps of one program. fuse: activations run inside the kernels that feed them where nobody looks between.
/// @throws Error (UnsupportedOp) listing every operation without a kernel, (BadData) for a tensor without a value.
std::shared_ptr<Program::Impl> compileProgram(const CompilerInput &input, const ProgramSpec &spec,
                                              const PrepareKernel &prepare, bool fuse, const PlaceSteps &place);

} // namespace ql
