// Rounds one tensor to the grid of a config, as the simulator does.
#include "examples.h"

#include <core/quant/quantize.h>

#include <ATen/ops/tensor.h>

#include <cstdio>

void fakeQuantize()
{
    ql::TensorQuantConfig config; // 8 bits, symmetric, per tensor
    config.bits = 4;
    config.quantMin = -8;
    config.quantMax = 7;
    const at::Tensor x = at::tensor({-3.0F, -0.26F, 0.25F, 0.4F, 9.0F});
    const ql::ScaleZero range = ql::solveRange(-4, 3.5, config);
    const at::Tensor y = ql::fakeQuant(x, config, {range.scale}, {range.zeroPoint});
    for (std::int64_t i = 0; i < y.numel(); ++i)
        std::printf("fake_quantize: %g -> %g\n", x[i].item<double>(), y[i].item<double>());
}
