#include "core/exec/threads.h"

#include <ATen/Parallel.h>
#include <algorithm>
#include <cstdlib>
#include <omp.h>
#include <thread>

namespace ql {

int defaultThreads()
{
    const char *given = std::getenv("OMP_NUM_THREADS");
    const int number = given ? std::atoi(given) : 0;
    return number > 0 ? number : int(std::max(1u, std::thread::hardware_concurrency()));
}

void useThreads(int number)
{
    if (at::get_num_threads() == number) return;
    // at::set_num_threads() also starts a pool for backends that we do not use. Its threads spin for some time, and
    // once it was called, every new thread of the process starts such a pool again.
    omp_set_num_threads(number);
    if (at::get_num_threads() != number) at::set_num_threads(number); // another OpenMP than ours
}

} // namespace ql
