#pragma once

#include <cstdint>

namespace ql::gpu {

/// Of one step of Adam (Kingma and Ba, "Adam: A Method for Stochastic Optimization", 2015, algorithm 1).
struct AdamParams
{
    float rate = 1e-3f;
    float beta1 = 0.9f, beta2 = 0.999f; ///< decay of the means of the gradient and of its square
    float epsilon = 1e-8f;
    float bias1 = 1.f, bias2 = 1.f; ///< 1 - beta1^t, 1 - beta2^t in step t = 1, 2 ...
};

/// m = beta1 m + (1 - beta1) dx, v = beta2 v + (1 - beta2) dx^2, x -= rate * (m / bias1) / (sqrt(v / bias2) + epsilon),
/// in float32. Arrays of n elements on the host that do not overlap.
void adamStepCpu(float *x, const float *dx, float *m, float *v, std::int64_t n, const AdamParams &p);

} // namespace ql::gpu
