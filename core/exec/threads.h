#pragma once

namespace ql {

/// OMP_NUM_THREADS where it is set to a number, else as many as cores.
int defaultThreads();

/// How many threads, at least 1, the kernels use that the calling thread starts: LibTorch's, oneDNN's and ours are
/// OpenMP's.
void useThreads(int number);

/// While it lives, the kernels that the calling thread starts use at most so many threads, whatever useThreads() asks
/// for.
class ThreadLimit
{
public:
    explicit ThreadLimit(int most);
    ~ThreadLimit();
    ThreadLimit(const ThreadLimit &) = delete;
    ThreadLimit &operator=(const ThreadLimit &) = delete;

private:
    int m_before, m_limitBefore;
};

} // namespace ql
