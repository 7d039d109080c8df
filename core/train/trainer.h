#pragma once

#include "core/api/training.h"
#include "core/base/job.h"
#include "core/base/text.h"
#include "core/exec/executor.h"
#include "core/quant/quant_plan.h"
#include "core/train/loss.h"
#include "core/train/trained.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ql {

/// What is trained, and how.
struct TrainingOptions
{
    Origin origin; ///< of the fields that training sets

    int blockSize = 4;                   ///< levels; see findBlocks()
    bool wholeGraph = false;             ///< one block
    Loss loss = Loss::Outputs;           ///< Classes: the whole graph is trained for it, after the blocks
    std::vector<std::string> interested; ///< only blocks with one of these operations (patterns); empty: all

    std::optional<double> weightRate, biasRate; ///< learning rates; unset: not trained
    /// Relative to the scale; unset: not trained.
    std::optional<double> weightScaleRate, activationScaleRate;
    bool refineScales = false; ///< each block starts with refineWeightScales(), if that reduces its held-out error
    std::optional<RoundingRule> rounding; ///< of weights, at weightRate, instead of their values
    double penalty = 0;                   ///< of RoundingRule::Soft
    double dropRate = 0; ///< probability that an activation's value is left in float in one step (QDrop)

    /// Set: scales are not trained by gradients, but multiplied by each of these; the best one stays.
    std::vector<double> factors;

    /// Of the whole graph (Loss::Classes): steps (0: as many as for a block) and batches per step.
    int classSteps = 0, classBatchSize = 1;

    int steps = 500;
    int batchSize = 1;     ///< batches of the calibration data per step; computed as one where axis 0 allows
    int augment = 0;       ///< variants of each batch that are trained on as well; see AugmentedData
    double heldOut = 0.25; ///< the share of the calibration data that decides which state is kept
    int patience = 0;      ///< stop after as many tests in a row without progress; 0: never
    std::uint64_t seed = 0;
};

struct TrainingResult
{
    int changed = 0;         ///< scales and parameters
    std::size_t heldOut = 0; ///< calibration samples that decided and were not trained on
    std::vector<api::TrainedBlock> blocks;
    std::size_t undone = 0; ///< blocks that went back although they were better, because the outputs were not
    /// On the held-out data at the graph outputs: the noise ratio, or Loss::Classes.
    double before = 0, after = 0;
};

/// Training between two blocks: from here it continues to the same result.
struct TrainingState
{
    std::size_t next = 0; ///< the block that follows
    QuantPlan plan, best; ///< now, and where the network's outputs were best
    TrainingResult result, ofBest;
};

/// What training reads besides the model.
struct TrainingInput
{
    const BatchSource &data;
    std::size_t batches = 0; ///< of data
    ExecOptions exec;
    std::size_t memory = 0;     ///< bytes for activations before they go to a file; 0: a quarter of what is free
    std::set<Slot> fixedScales; ///< not trained
    JobContext job;
    /// A block that cannot be trained (op: the operation that is the reason).
    std::function<void(OpId op, const Text &message)> report;
    std::function<void(const api::TrainingEvent &)> progress = [](const api::TrainingEvent &) {};
    const TrainingState *start = nullptr; ///< of the same model, data and options; nullptr: from the first block
    std::function<void(const TrainingState &)> keep = [](const TrainingState &) {}; ///< after each block but the last
};

/// Trains the blocks in topological order: their inputs are those of the network as quantized and trained so far,
/// their targets those of the float network. A block keeps the state with the smallest held-out error if that is
/// clearly smaller than that of its first one (isClearlyBetter()). With Loss::Classes the whole graph follows as one
/// more block. Unless the outputs became better (mayBeBetter(), isConfirmed()), the network goes back to the best of
/// the states after its blocks of which that is true, or to the first one. If the job is cancelled, the finished blocks
/// stay.
/// @throws Error (BadConfig) for Loss::Classes without an output that has classes; Cancelled
TrainingResult train(QuantModel &model, const TrainingInput &input, const TrainingOptions &options);

} // namespace ql
