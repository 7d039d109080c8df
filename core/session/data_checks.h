#pragma once

#include "core/api/params.h"

#include <ATen/core/Tensor.h>
#include <cmath>
#include <cstdint>
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

/// Where the channels of a sample [C, H, W] or [H, W, C] lie, -1 when it does not look like a picture.
std::int64_t pictureAxis(const at::Tensor &sample);

/// "rgb; scale 1/255" as its steps.
std::vector<std::string> preprocessSteps(const std::string &text);

/// What the values of pictures that reach the model say about the preprocessing. samples: float32, contiguous.
std::vector<api::Problem> suspectRange(const std::vector<at::Tensor> &samples);
/// Means of the usual training sets fall from red to blue; a list that rises to the picture's red belongs to the other
/// order of channels.
std::vector<api::Problem> suspectChannelOrder(const std::vector<std::string> &steps);

} // namespace ql
