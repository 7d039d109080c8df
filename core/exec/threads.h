#pragma once

namespace ql {

/// OMP_NUM_THREADS where it is set to a number, else as many as cores.
int defaultThreads();

/// How many threads kernels use that the calling thread starts: LibTorch's, oneDNN's and our own are OpenMP's. number >
/// 0.
void useThreads(int number);

} // namespace ql
