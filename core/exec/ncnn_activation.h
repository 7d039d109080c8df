#pragma once

#include <ATen/core/Tensor.h>

// Activations as ncnn computes them on x86 processors with FMA, bit for bit (ncnn: swish_x86.cpp, sigmoid_x86.cpp,
// avx512_mathfun.h; the wheel is compiled with -ffast-math, so that divisions of vectors become an approximate
// reciprocal and one Newton step). x: float32, the first axis is the batch.
namespace ql {

at::Tensor ncnnSwish(const at::Tensor &x);
at::Tensor ncnnSigmoid(const at::Tensor &x);

} // namespace ql
