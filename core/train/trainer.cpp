#include "core/train/trainer.h"

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/exec/threads.h"
#include "core/quant/error_sums.h"
#include "core/train/augmented_data.h"
#include "core/train/block_training.h"
#include "core/train/start_scales.h"

#include <ATen/TensorOperators.h>
#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

namespace ql {

namespace {

/// What a block reads and writes in the network.
Block wholeGraph(const Graph &graph)
{
    Block block;
    block.ops = graph.topological();
    block.start = block.ops.front();
    block.end = block.ops.back();
    block.inputs = graph.inputs();
    block.outputs = graph.outputs();
    return block;
}

/// Tensors of a block that others read, besides the outputs of its last operation.
void addSideOutputs(const Graph &graph, Block *block)
{
    const std::set<OpId> inside(block->ops.begin(), block->ops.end());
    for (const OpId op : block->ops)
        for (const VarId id : graph.operation(op).outputs) {
            if (id == noVar || std::count(block->outputs.begin(), block->outputs.end(), id)) continue;
            const auto &uses = graph.variable(id).uses;
            const bool isRead =
                std::any_of(uses.begin(), uses.end(), [&](const Use &use) { return !inside.contains(use.op); });
            if (isRead || graph.isGraphOutput(id)) block->outputs.push_back(id);
        }
}

/// Trains one block after the other.
class Trainer
{
public:
    Trainer(QuantModel &model, const TrainingInput &input, const TrainingOptions &options)
        : m_model(model), m_input(input), m_options(options), m_executor(model.graph, input.exec),
          m_store(input.memory), m_reached(m_executor, m_store), m_split(splitBatches(input.batches, options.heldOut)),
          m_witnesses(m_split.witnesses()),
          m_data(input.data, input.batches, m_split.training, options.augment, options.seed)
    {
        for (std::size_t variant = input.batches; variant < m_data.size(); ++variant)
            m_split.training.push_back(variant);
    }

    TrainingResult run()
    {
        std::vector<Block> blocks = chosenBlocks();
        TrainingResult result;
        if (blocks.empty()) return result;
        if (m_split.training != m_split.heldOut) result.heldOut = m_split.heldOut.size();
        const JobContext &job = m_input.job;
        m_reached.start(m_data, m_data.size(), job.part(0, 0.02));
        m_outputs = m_reached.cuts.compute(m_reached.floating, m_model.graph.outputs(), nullptr, job);
        requireClasses();
        m_first = heldOutErrors();
        addWitnesses(&m_first);
        NetworkErrors last = m_first;
        result.before = result.after = meanOf(m_first.heldOut);
        QuantPlan best = m_model.plan;
        TrainingResult ofBest = result;
        const bool endsWithClasses = m_options.loss == Loss::Classes;
        if (endsWithClasses && !m_options.wholeGraph) blocks.push_back(wholeGraph(m_model.graph));
        std::size_t first = 0;
        if (const TrainingState *start = m_input.start; start && start->next < blocks.size()) {
            first = start->next;
            job.checkpoint(0.02, QL_TEXT("training: blocks already trained by a run that was stopped: %1").with(first));
            m_model.plan = start->plan;
            best = start->best;
            result = start->result;
            ofBest = start->ofBest;
            if (result.changed > 0) last = heldOutErrors();
            showFinished(blocks, first, result.blocks);
        }
        for (std::size_t i = first; i < blocks.size(); ++i) {
            const double from = 0.02 + 0.98 * double(i) / double(blocks.size());
            const double to = 0.02 + 0.98 * double(i + 1) / double(blocks.size());
            api::TrainingEvent about;
            about.block = int(i) + 1;
            about.blocks = int(blocks.size());
            TrainingOptions options = m_options;
            if (endsWithClasses && i + 1 == blocks.size()) {
                m_reached.start(m_data, m_data.size(), job); // the block begins at the graph inputs
                if (options.classSteps > 0) options.steps = options.classSteps;
                options.batchSize = options.classBatchSize;
            } else {
                options.loss = Loss::Outputs;
            }
            if (const int changed = trainBlock(blocks[i], options, job.part(from, to), about, &result)) {
                result.changed += changed;
                last = heldOutErrors();
                result.after = meanOf(last.heldOut);
                if (result.after < ofBest.after && isBetter(last, Choice::OneOfSeveral)) {
                    ofBest = result;
                    best = m_model.plan;
                }
            }
            if (i + 1 < blocks.size()) m_input.keep({i + 1, m_model.plan, best, result, ofBest});
        }
        if (result.changed == 0 || isBetter(last, Choice::OnlyState)) return result;
        // The outputs did not clearly become better although each block did: back to where they were best
        m_model.plan = std::move(best);
        for (std::size_t i = ofBest.blocks.size(); i < result.blocks.size(); ++i) {
            api::TrainedBlock &block = result.blocks[i];
            result.undone += block.kept;
            block.kept = false;
            block.steps = 0;
            block.after = block.before;
        }
        result.changed = ofBest.changed;
        result.after = ofBest.after;
        return result;
    }

private:
    std::vector<Block> chosenBlocks() const
    {
        const Graph &graph = m_model.graph;
        std::vector<Block> blocks =
            m_options.wholeGraph ? std::vector<Block>{wholeGraph(graph)} : findBlocks(m_model, m_options.blockSize);
        const auto isInteresting = [&](OpId op) {
            return std::any_of(m_options.interested.begin(), m_options.interested.end(),
                               [&](const std::string &p) { return globMatch(p, graph.operation(op).name); });
        };
        std::erase_if(blocks, [&](const Block &block) {
            return block.inputs.empty() || // a constant
                   (!m_options.interested.empty() && std::none_of(block.ops.begin(), block.ops.end(), isInteresting));
        });
        for (Block &block : blocks) addSideOutputs(graph, &block);
        return blocks;
    }

    void requireClasses() const
    {
        if (m_options.loss != Loss::Classes) return;
        const std::vector<at::Tensor> outputs = m_outputs.tensors(0);
        if (std::none_of(outputs.begin(), outputs.end(), hasClasses))
            throw Error(ErrorKind::BadConfig,
                        QL_TEXT("no output of the network has classes along axis 1; train with the loss 'outputs'"));
    }

    /// The blocks before first, as a run that was stopped has trained them.
    void showFinished(const std::vector<Block> &blocks, std::size_t first,
                      const std::vector<api::TrainedBlock> &rows) const
    {
        auto row = rows.begin();
        for (std::size_t i = 0; i < first && row != rows.end(); ++i) {
            if (m_model.graph.operation(blocks[i].start).name != row->first) continue; // it was not trained
            api::TrainingEvent about;
            about.first = row->first;
            about.last = row->last;
            about.block = int(i) + 1;
            about.blocks = int(blocks.size());
            about.done = *row++;
            m_input.progress(about);
        }
    }

    /// The noise ratio of each float output of a batch, or the loss for classes. Outputs of the float network that are
    /// not finite do not count; others of the quantized one are infinitely wrong.
    BatchErrors errorsOf(const std::vector<at::Tensor> &got, const std::vector<at::Tensor> &wanted) const
    {
        BatchErrors errors;
        if (m_options.loss == Loss::Classes) {
            const at::Tensor loss = lossOf(Loss::Classes, got, wanted);
            errors.push_back(loss.defined() ? loss.item().toDouble() : 0);
        } else {
            for (std::size_t i = 0; i < got.size(); ++i) {
                if (!isFloatTensor(got[i]) || got[i].sizes() != wanted[i].sizes()) continue;
                const gpu::ErrorSums sums = errorSums(wanted[i], got[i], 1).front();
                errors.push_back(sums.squaredA > 0 && std::isfinite(sums.squaredA) ? noiseRatio(sums) : 0);
            }
        }
        for (double &error : errors)
            if (std::isnan(error)) error = std::numeric_limits<double>::infinity();
        return errors;
    }

    /// For each batch, errorsOf() the network as it is now.
    std::vector<BatchErrors> outputErrors(const std::vector<std::size_t> &batches)
    {
        const CutTensors &from = m_reached.quantized;
        ProgramSpec spec;
        spec.plan = &m_model.plan;
        spec.feeds = from.variables;
        const Program program = m_executor.compile(spec);
        std::vector<BatchErrors> errors;
        for (const std::size_t batch : batches)
            errors.push_back(errorsOf(program.run(from.tensors(batch), m_input.job), m_outputs.tensors(batch)));
        return errors;
    }

    static BatchErrors sumsOf(const std::vector<BatchErrors> &ofBatches)
    {
        BatchErrors sums;
        for (const BatchErrors &errors : ofBatches) sums.push_back(std::accumulate(errors.begin(), errors.end(), 0.0));
        return sums;
    }

    /// For each output, its errors in all batches.
    static std::vector<BatchErrors> byOutput(const std::vector<BatchErrors> &ofBatches)
    {
        std::vector<BatchErrors> outputs(ofBatches.empty() ? 0 : ofBatches.front().size());
        for (const BatchErrors &ofOutputs : ofBatches)
            for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i].push_back(ofOutputs[i]);
        return outputs;
    }

    NetworkErrors heldOutErrors()
    {
        const std::vector<BatchErrors> ofBatches = outputErrors(m_split.heldOut);
        return {.outputs = byOutput(ofBatches), .heldOut = sumsOf(ofBatches), .witnesses = {}};
    }

    void addWitnesses(NetworkErrors *errors)
    {
        const std::vector<BatchErrors> ofBatches = outputErrors(m_witnesses);
        errors->witnesses = sumsOf(ofBatches);
        errors->witnessOutputs = byOutput(ofBatches);
    }

    /// Whether the network as it is now, with these held-out errors, is better than at the start.
    bool isBetter(NetworkErrors &now, Choice choice)
    {
        if (!mayBeBetter(m_first, now, m_split)) return false;
        addWitnesses(&now);
        return isConfirmed(m_first, now, choice);
    }

    /// @returns how many things changed
    int trainBlock(const Block &block, const TrainingOptions &options, const JobContext &job, api::TrainingEvent about,
                   TrainingResult *result)
    {
        job.checkpoint(0, trainingText(about));
        // Everything before the block is as it will stay
        m_reached.moveTo(block.start, m_model.plan, job);
        CutMaker &cuts = m_reached.cuts;
        const CutTensors inputs = cuts.compute(m_reached.quantized, block.inputs, &m_model.plan, job);
        const CutTensors targets = cuts.compute(m_reached.floating, block.outputs, nullptr, job);
        const auto errors = [&](const QuantPlan &plan) {
            return blockErrors(options.loss, m_executor, plan, block, inputs, targets, m_split, job);
        };
        const Graph &graph = m_model.graph;
        api::TrainedBlock row{graph.operation(block.start).name, graph.operation(block.end).name,
                              int(block.ops.size())};
        const BatchErrors before = errors(m_model.plan);
        row.before = row.after = meanOf(before);
        about.first = row.first;
        about.last = row.last;
        QuantModel trained = m_model;
        int changed = 0;
        if (options.refineScales) {
            changed = refineWeightScales(trained, block, m_input.fixedScales, m_options.origin);
            if (changed > 0 && meanOf(errors(trained.plan)) >= row.before) {
                trained = m_model;
                changed = 0;
            }
        }
        BlockTraining training(trained, m_executor, block, m_input, options);
        if (!training.prepare(cuts)) return 0;
        std::optional<int> steps;
        try {
            steps = training.run(inputs, targets, m_split, job.part(0.1, 1), about);
        } catch (const Error &failed) {
            // Without gradients, the same kernels computed the block's error
            if (failed.kind != ErrorKind::UnsupportedOp && failed.kind != ErrorKind::Kernel) throw;
            const OpId op = graph.findOperation(failed.op);
            m_input.report(
                op,
                QL_TEXT("the block from '%1' to '%2' is not trained: %3").with(row.first, row.last, failed.message));
            return 0;
        } catch (const c10::Error &failed) { // a gradient that LibTorch does not have
            m_input.report(block.start, QL_TEXT("the block from '%1' to '%2' is not trained: %3")
                                            .with(row.first, row.last, failed.what_without_backtrace()));
            return 0;
        }
        if (steps) changed += training.write(&trained);
        if (changed > 0) {
            const BatchErrors after = errors(trained.plan);
            row.kept = isClearlyBetter(before, after, m_split);
            if (row.kept) {
                m_model.plan = std::move(trained.plan);
                row.after = meanOf(after);
                row.steps = steps.value_or(0);
            }
        }
        result->blocks.push_back(row);
        about.done = row;
        m_input.progress(about);
        return row.kept ? changed : 0;
    }

    QuantModel &m_model;
    const TrainingInput &m_input;
    const TrainingOptions &m_options;
    const Executor m_executor;
    TensorStore m_store;
    CutPair m_reached;
    BatchSplit m_split;
    const std::vector<std::size_t> m_witnesses;
    const AugmentedData m_data;
    NetworkErrors m_first; ///< of the network before training
    CutTensors m_outputs;  ///< of the float network
};

} // namespace

TrainingResult train(QuantModel &model, const TrainingInput &input, const TrainingOptions &options)
{
    const c10::InferenceMode withGradients(false);
    const ThreadScope threads(threadsFor(input.exec.threads));
    return Trainer(model, input, options).run();
}

} // namespace ql
