#pragma once

#include "core/session/diagnosis.h"
#include "core/session/remedies.h"

#include <string>
#include <vector>

namespace ql {

/// A tensor that depthwise convolutions read, whose channels differ too much for its one scale.
struct UnevenInput
{
    std::string op, variable; ///< the operation that computes it
    DepthwiseReaders readers;
    double ratio = 0;          ///< largest channel / median
    std::vector<double> sizes; ///< of the channels
};

/// One problem for all of them, at the worst one, with remedies for all: a depthwise convolution never adds up
/// channels, so the small ones stay as coarse as they are rounded. @pre there is one
api::Problem problemOfDepthwise(std::vector<UnevenInput> inputs, const Facts &facts, const AvailableRemedies &available,
                                api::Severity severity);

} // namespace ql
