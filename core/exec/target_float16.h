#pragma once

#include "core/exec/kernel.h"
#include "core/quant/integer_arithmetic.h"

#include <ATen/core/Tensor.h>
#include <cstddef>
#include <memory>
#include <optional>

// Operations that are not quantized, in RKNN's toolkit (TargetKernel::Sums::Rknn).
namespace ql {

/// Whether op reads codes and all of its results become codes: the toolkit computes it in float32 then. applied: as in
/// a program of a plan, also of results that roundingByReaders() rounds
bool isBetweenCodes(const Graph &graph, const Operation &op, const AppliedConfig &applied);
/// Otherwise it computes it in float16. entry: of the registry
std::shared_ptr<PreparedKernel> inFloat16(const Graph &graph, const QuantPlan &plan, const Operation &op,
                                          const KernelEntry &entry);

/// A constant that op multiplies its other input by, or adds to it: of a Div the reciprocal, of a Sub the negative.
struct ConstantOperand
{
    std::size_t variable = 0; ///< the number of the other input
    bool isSum = false;
    at::Tensor value;
};
/// Empty if op has none, or if it is not finite or a factor of 0.
std::optional<ConstantOperand> constantOperand(const Graph &graph, const Operation &op);

} // namespace ql
