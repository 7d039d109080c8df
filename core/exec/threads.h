#pragma once

#include <cstdint>

namespace ql {

/// OMP_NUM_THREADS if set to a number, otherwise one per core.
int defaultThreads();
/// The requested number; 0 requests defaultThreads().
inline int threadsFor(std::int64_t asked)
{
    return asked > 0 ? int(asked) : defaultThreads();
}

/// Number of threads, at least 1, of the kernels that the calling thread starts: those of LibTorch, oneDNN and ours
/// use OpenMP. For our own threads; a caller's thread gets its number restored by a ThreadScope.
void useThreads(int number);

/// While it lives, kernels of the calling thread use this many threads. 0: unchanged.
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

/// While it lives, kernels started by the calling thread use at most this many threads, regardless of useThreads() and
/// ThreadScope.
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
