#pragma once

#include <cstdint>

namespace ql {

/// OMP_NUM_THREADS where it is set to a number, else as many as cores.
int defaultThreads();
/// As many as were asked for; 0 asks for defaultThreads().
inline int threadsFor(std::int64_t asked)
{
    return asked > 0 ? int(asked) : defaultThreads();
}

/// How many threads, at least 1, the kernels use that the calling thread starts: LibTorch's, oneDNN's and ours are
/// OpenMP's. For threads of our own; a caller's thread gets its number back from a ThreadScope.
void useThreads(int number);

/// While it lives, kernels of the calling thread use so many threads. 0: as many as they do anyhow.
class ThreadScope
{
public:
    explicit ThreadScope(int number);
    ~ThreadScope();
    ThreadScope(const ThreadScope &) = delete;
    ThreadScope &operator=(const ThreadScope &) = delete;

private:
    int m_before = 0; ///< 0: nothing was changed
};

/// While it lives, the kernels that the calling thread starts use at most so many threads, whatever useThreads() and
/// ThreadScope ask for.
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
