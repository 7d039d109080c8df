#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

// Inputs for the tests, the parity check and the benchmark of this room.
namespace ql::gpu {

/// @returns n floats: about three quarters normal(0, 1) * spread, the rest edge cases: ties of `spread`, zeros of both
/// signs, subnormals, huge numbers, infinities, and NaN if withNan. The same for the same arguments.
inline std::vector<float> awkwardFloats(std::int64_t n, float spread, bool withNan, unsigned seed = 1)
{
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0.f, spread);
    const float infinity = std::numeric_limits<float>::infinity();
    std::vector<float> values(static_cast<std::size_t>(n));
    for (float &v : values) {
        const unsigned kind = random() % 64;
        const float whole = float(int(random() % 601) - 300);
        switch (kind) {
        case 0: v = 0.f; break;
        case 1: v = -0.f; break;
        case 2: v = 1e-40f * whole; break;
        case 3: v = 1e30f * whole; break;
        case 4: v = random() % 8 ? whole : whole < 0 ? -infinity : infinity; break;
        case 5: v = withNan && random() % 2 ? std::numeric_limits<float>::quiet_NaN() : spread; break;
        default: v = kind < 16 ? (whole + 0.5f) * spread : normal(random); break;
        }
    }
    return values;
}

/// @returns true if a and b have the same bits.
template <class T>
bool sameBits(const T &a, const T &b)
{
    return std::memcmp(&a, &b, sizeof(T)) == 0; // NOLINT(bugprone-suspicious-memory-comparison): bits are meant
}

template <class T>
std::int64_t firstDifference(const std::vector<T> &a, const std::vector<T> &b)
{
    if (a.size() != b.size()) return 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!sameBits(a[i], b[i])) return std::int64_t(i);
    return -1;
}

} // namespace ql::gpu
