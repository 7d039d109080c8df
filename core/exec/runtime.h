#pragma once

#include <cstdlib>

namespace ql {

/// What the engine wants of a whole process. A program that is there to quantize makes one at the beginning of main()
/// and keeps it; a library inside of another program changes nothing of its process unless that program makes one, too.
/// Results on the CPU are the same without it; only speed and memory differ.
///
/// What it sets, and does not take back:
/// - glibc keeps large freed blocks in the heap instead of unmapping them, and all threads share one heap.
/// - CUDA computes in float32 instead of TensorFloat-32, by the same algorithm in each run. Without it LibTorch's own
///   settings hold, and results on a card have fewer bits than those of the CPU.
/// Thread counts are no matter of the process: programs of an Executor set them for the calling thread while they run
/// (ThreadScope). Signals belong to the programs (app/cli_interrupt.h).
class Runtime
{
public:
    Runtime();
    Runtime(const Runtime &) = delete;
    Runtime &operator=(const Runtime &) = delete;

    /// What the OpenMP runtime reads once, when it is loaded: so before the engine's library is. Its threads wait for
    /// each other by spinning for some milliseconds. On a machine that has other work that holds back the very thread
    /// waited for: a forward pass of MobileNetV2 next to two compilers took 700 ms instead of 14. A short spin bridges
    /// the gaps between the layers of a network, and leaves the processor to others after that. The user's own settings
    /// stay.
    static void prepareEnvironment()
    {
        if (!std::getenv("OMP_WAIT_POLICY")) ::setenv("GOMP_SPINCOUNT", "3000", 0);
    }
};

} // namespace ql
