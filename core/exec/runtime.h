#pragma once

#include <cstdlib>

namespace ql {

/// Process-wide settings of the engine. A program creates one at the start of main() and keeps it; a library inside
/// another program changes nothing of its process unless that program creates one, too. Results on the CPU are the
/// same without it; only speed and memory differ.
///
/// It sets, and does not restore:
/// - glibc keeps large freed blocks in the heap instead of unmapping them, and all threads share one heap.
/// - CUDA computes in float32 instead of TensorFloat-32, with the same algorithm in each run. Without this, LibTorch's
///   own settings apply, and results on a GPU have fewer bits than those of the CPU.
/// Thread counts are not process-wide: programs of an Executor set them for the calling thread while they run
/// (ThreadScope). Signals belong to the programs (app/cli_interrupt.h).
class Runtime
{
public:
    Runtime();
    Runtime(const Runtime &) = delete;
    Runtime &operator=(const Runtime &) = delete;

    /// Settings that the OpenMP runtime reads once, when it is loaded: so they must be set before the engine's library
    /// is loaded. Its threads wait for each other by spinning for some milliseconds. On a busy machine this delays the
    /// very thread that is waited for: a forward pass of MobileNetV2 next to two compilers took 700 ms instead of 14.
    /// A short spin bridges the gaps between the layers of a network, and then frees the processor. User settings are
    /// kept.
    static void prepareEnvironment()
    {
        if (!std::getenv("OMP_WAIT_POLICY")) ::setenv("GOMP_SPINCOUNT", "3000", 0);
    }
};

} // namespace ql
