#pragma once

namespace ql::gpu {

/// Instruction sets that the CPU kernels are compiled for. All give the same bits, except for those that follow ONNX
/// Runtime (core/exec/runtime_softmax.cpp).
enum class Isa : int { Baseline = 0, Avx2 = 1, Avx512 = 2 };

/// @returns the best set that this processor and this build have.
Isa bestIsa();

/// @returns the set in use: bestIsa() unless useIsa() was called.
Isa currentIsa();

/// Uses another set from now on, at most bestIsa(). For tests and benchmarks; not while kernels run.
void useIsa(Isa isa);

/// @returns "baseline", "avx2" or "avx512".
const char *toString(Isa isa);

} // namespace ql::gpu
