// The integer codes of a tensor, one scale per channel.
#include "examples.h"

#include <core/quant/quantize.h>

#include <ATen/ops/tensor.h>

#include <cstdio>

void toInteger()
{
    ql::TensorQuantConfig config;
    config.channelAxis = 0;
    const at::Tensor weight = at::tensor({0.5F, -1.0F, 0.02F, 0.01F}).reshape({2, 2});
    const at::Tensor codes = ql::quantizeToInteger(weight, config, {1.0F / 127, 0.02F / 127}, {0, 0});
    for (std::int64_t i = 0; i < codes.numel(); ++i)
        std::printf("to_integer: %d\n", codes.reshape({-1})[i].item<int>());
}
