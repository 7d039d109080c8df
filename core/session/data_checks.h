#pragma once

#include "core/api/params.h"
#include "core/io/sample_picture.h"

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <string>
#include <vector>

namespace ql {

/// The steps of "rgb; scale 1/255".
std::vector<std::string> preprocessSteps(const std::string &text);

/// Checks the preprocessing by the values of samples that reach the model.
class RangeCheck
{
public:
    /// x: float32, contiguous; one or more samples along the leading axis.
    void add(const at::Tensor &x);
    std::vector<api::Problem> problems() const;

private:
    Range m_all;
    double m_sum = 0;
    std::int64_t m_count = 0;
    bool m_isImage = false;
};
/// Means of the usual training sets fall from red to blue; a list that rises towards red is for the other channel
/// order.
std::vector<api::Problem> suspectChannelOrder(const std::vector<std::string> &steps);

} // namespace ql
