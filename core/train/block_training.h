#pragma once

#include "core/train/blocks.h"
#include "core/train/cut.h"
#include "core/train/held_out.h"
#include "core/train/trainer.h"

#include <memory>
#include <optional>
#include <vector>

namespace ql {

/// "training: block 3 of 12".
Text trainingText(const api::TrainingEvent &about);

/// The held-out errors of the block in a program as it is used, not trained.
BatchErrors blockErrors(Loss loss, const Executor &executor, const QuantPlan &plan, const Block &block,
                        const CutTensors &inputs, const CutTensors &targets, const BatchSplit &split,
                        const JobContext &job);

/// Training of one block. What it is given outlives it.
class BlockTraining
{
public:
    BlockTraining(const QuantModel &model, const Executor &executor, const Block &block, const TrainingInput &input,
                  const TrainingOptions &options);
    ~BlockTraining();

    /// Collects what can be trained. @returns false if that is nothing
    bool prepare(const CutMaker &cuts);
    /// Leaves what is trained in its best state. @returns its number of steps; nothing if that is the first state
    /// about: the block, for reports of progress
    std::optional<int> run(const CutTensors &inputs, const CutTensors &targets, const BatchSplit &split,
                           const JobContext &job, const api::TrainingEvent &about);
    /// Writes what is trained. @returns how many things
    int write(QuantModel *model) const;

private:
    class Work;
    std::unique_ptr<Work> m_work;
};

} // namespace ql
