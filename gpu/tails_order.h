#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

// Which elements the two ends of tails.h are, among m > 0 sorted ascending; shared by the CPU and CUDA.
namespace ql::gpu {

inline std::int64_t lowIndex(std::int64_t m, double p)
{
    return std::clamp(std::int64_t(std::trunc(double(m) * (1 - p))), std::int64_t{0}, m - 1);
}

inline std::int64_t highIndex(std::int64_t m, double p)
{
    return std::min(std::int64_t(std::trunc(double(m) * p)), m - 1);
}

} // namespace ql::gpu
