#pragma once

#include "core/exec/kernel.h"
#include "core/quant/integer_arithmetic.h"

#include <memory>

// Operations that are not quantized, in RKNN's toolkit (TargetKernel::Sums::Rknn).
namespace ql {

/// Whether op reads codes and all of its results become codes: the toolkit computes it in float32 then. applied: as in
/// a program of a plan, also of results that roundingByReaders() rounds
bool isBetweenCodes(const Graph &graph, const Operation &op, const AppliedConfig &applied);
/// Otherwise it computes it in float16. entry: of the registry
std::shared_ptr<PreparedKernel> inFloat16(const KernelEntry &entry);

} // namespace ql
