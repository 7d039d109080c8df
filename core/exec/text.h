#pragma once

#include "core/exec/kernel.h"

namespace ql {

/// Cast of strings (an opaque value) to numbers: "NaN", "INF", "+INF", "-INF" in any case, plain and scientific
/// notation. @throws Error (Kernel) naming the text that is not a number.
at::Tensor numbersFromText(const at::Tensor &strings, at::ScalarType type, const Operation &op);
/// Cast of numbers to strings: the shortest text that reads back to the same number.
at::Tensor textFromNumbers(const at::Tensor &numbers);

/// Runs a kernel, if its StringOutputs allow, on the ranks of the strings in the sorted list of all of them: ranks are
/// equal and ordered as the strings are. The fill value (Pad) is rank 0, the empty string.
std::vector<at::Tensor> moveStrings(const KernelEntry &kernel, const KernelContext &context, Inputs inputs);

} // namespace ql
