#include "gpu/reduce.h"

#include <cmath>

namespace ql::gpu {

void Moments::merge(const Moments &other)
{
    skipped += other.skipped;
    if (other.count == 0) return;
    if (count == 0) {
        const std::int64_t left = skipped;
        *this = other;
        skipped = left;
        return;
    }
    const double a = double(count), b = double(other.count), n = a + b;
    const double d = other.mean - mean, d2 = d * d;
    m4 += other.m4 + d2 * d2 * a * b * (a * a - a * b + b * b) / (n * n * n) +
          6.0 * d2 * (a * a * other.m2 + b * b * m2) / (n * n) + 4.0 * d * (a * other.m3 - b * m3) / n;
    m3 += other.m3 + d2 * d * a * b * (a - b) / (n * n) + 3.0 * d * (a * other.m2 - b * m2) / n;
    m2 += other.m2 + d2 * a * b / n;
    mean += d * b / n;
    count += other.count;
}

double Moments::deviation() const
{
    return count < 2 ? std::nan("") : std::sqrt(m2 / double(count - 1));
}

double Moments::skewness() const
{
    const double s = deviation();
    return s > 0 ? m3 / double(count) / (s * s * s) : std::nan("");
}

double Moments::kurtosis() const
{
    const double s = deviation();
    return s > 0 ? m4 / double(count) / (s * s * s * s) - 3.0 : std::nan("");
}

} // namespace ql::gpu
