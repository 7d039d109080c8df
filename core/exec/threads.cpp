#include "core/exec/threads.h"

#include <ATen/Parallel.h>
#include <algorithm>
#include <cstdlib>
#include <limits>
#include <omp.h>
#include <thread>

namespace ql {

int defaultThreads()
{
    const char *given = std::getenv("OMP_NUM_THREADS");
    const int number = given ? std::atoi(given) : 0;
    return number > 0 ? number : int(std::max(1u, std::thread::hardware_concurrency()));
}

static thread_local int limit = std::numeric_limits<int>::max();

void useThreads(int number)
{
    number = std::min(number, limit);
    if (at::get_num_threads() == number) return;
    // at::set_num_threads() also starts a pool for backends that we do not use. Its threads spin for some time, and
    // after the first call, every new thread of the process starts such a pool again.
    omp_set_num_threads(number);
    if (at::get_num_threads() != number) at::set_num_threads(number); // another OpenMP than ours
}

ThreadScope::ThreadScope(int number)
{
    if (number <= 0) return;
    const int before = at::get_num_threads();
    useThreads(number);
    if (at::get_num_threads() != before) m_before = before;
}

ThreadScope::~ThreadScope()
{
    if (m_before > 0) useThreads(m_before);
}

ThreadLimit::ThreadLimit(int most) : m_before(at::get_num_threads()), m_limitBefore(limit)
{
    limit = std::min(limit, most);
    useThreads(m_before);
}

ThreadLimit::~ThreadLimit()
{
    limit = m_limitBefore;
    useThreads(m_before);
}

} // namespace ql
