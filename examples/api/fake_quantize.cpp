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

    ql::TensorQuantConfig fp8; // E4M3
    fp8.exponentBits = 4;
    fp8.quantMin = -448;
    fp8.quantMax = 448;
    fp8.rounding = ql::Rounding::HalfEven; // the default; others: core/api/quant_words.h
    const at::Tensor z = ql::fakeQuant(at::tensor({19.0F}), fp8, {1.0F}, {0});
    std::printf("fake_quantize: 19 -> %g\n", z.item<double>());
}
