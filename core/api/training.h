#pragma once

#include "core/api/json_pair.h"

#include <string>

namespace ql::api {

/// The result of training one block of operations. Errors are mean squared errors of the block's outputs against the
/// float network, on the held-out part of the calibration data; the block's inputs are those of the quantized network.
struct TrainedBlock
{
    std::string first, last; ///< names of its first and last operation
    int operations = 0;
    int steps = 0; ///< of the state with the smallest error
    double before = 0, after = 0;
    bool kept = false; ///< otherwise it is as before

    friend bool operator==(const TrainedBlock &, const TrainedBlock &) = default;
};
QL_HAS_JSON(TrainedBlock)

} // namespace ql::api
