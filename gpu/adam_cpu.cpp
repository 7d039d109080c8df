#include "gpu/adam.h"

#include "gpu/isa_clones.h"
#include "gpu/parallel.h"

#include <cmath>

namespace ql::gpu {

namespace {

struct AdamStep
{
    static QL_INLINE void run(float *x, const float *dx, float *m, float *v, std::int64_t n, AdamParams p)
    {
        const float correction = 1.f / p.bias1;
        QL_IVDEP
        for (std::int64_t i = 0; i < n; ++i) {
            m[i] = p.beta1 * m[i] + (1.f - p.beta1) * dx[i];
            v[i] = p.beta2 * v[i] + (1.f - p.beta2) * dx[i] * dx[i];
            x[i] -= p.rate * (m[i] * correction) / (std::sqrt(v[i] / p.bias2) + p.epsilon);
        }
    }
};

} // namespace

void adamStepCpu(float *x, const float *dx, float *m, float *v, std::int64_t n, const AdamParams &p)
{
    forBlocks(n, kBlock, [&](std::int64_t begin, std::int64_t end) {
        dispatch<AdamStep>(x + begin, dx + begin, m + begin, v + begin, end - begin, p);
    });
}

} // namespace ql::gpu
