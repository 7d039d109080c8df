#pragma once

namespace ql {

/// OMP_NUM_THREADS where it is set to a number, else as many as cores.
int defaultThreads();

/// How many threads, at least 1, the kernels use that the calling thread starts: LibTorch's, oneDNN's and ours are
/// OpenMP's.
void useThreads(int number);

} // namespace ql
