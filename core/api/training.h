#pragma once

#include "core/api/json_pair.h"

#include <optional>
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

/// What training has reached while it goes on: a step of a block, a test on the held-out data, or the end of the block.
struct TrainingEvent
{
    std::string pass;              ///< its id
    std::string first, last;       ///< names of the block's first and last operation
    int block = 0, blocks = 0;     ///< counted from 1
    int step = 0, steps = 0;       ///< of the block: done, planned
    std::optional<double> loss;    ///< of the step, on the samples that it was trained on
    std::optional<double> heldOut; ///< error after the step, on the samples that decide
    std::optional<TrainedBlock> done;

    friend bool operator==(const TrainingEvent &, const TrainingEvent &) = default;
};

QL_HAS_JSON(TrainedBlock)
QL_HAS_JSON(TrainingEvent)

} // namespace ql::api
