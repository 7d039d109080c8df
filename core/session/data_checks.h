#pragma once

#include "core/api/params.h"

#include <ATen/core/Tensor.h>
#include <cmath>
#include <string>
#include <vector>

namespace ql {

/// Smallest and largest finite value.
struct Range
{
    double min = INFINITY, max = -INFINITY;
};
/// x: float32, contiguous.
Range rangeOf(const at::Tensor &x);

/// "rgb; scale 1/255" as its steps.
std::vector<std::string> preprocessSteps(const std::string &text);

/// What the values of pictures that reach the model say about the preprocessing. samples: float32, contiguous.
std::vector<api::Problem> suspectRange(const std::vector<at::Tensor> &samples);
/// Means of the usual training sets fall from red to blue; a list that rises to the picture's red belongs to the other
/// order of channels.
std::vector<api::Problem> suspectChannelOrder(const std::vector<std::string> &steps);

} // namespace ql
