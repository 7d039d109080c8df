// The steps of training one block under LibTorch's autograd.
#include "core/train/block_training.h"

#include "core/base/error.h"
#include "core/exec/arena.h"
#include "core/exec/trainable.h"
#include "core/ir/op_traits.h"
#include "core/quant/error_sums.h"
#include "core/train/adam.h"
#include "core/train/start_scales.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randperm.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <set>

namespace ql {

using Clock = std::chrono::steady_clock;

Text trainingText(const api::TrainingEvent &about)
{
    return QL_TEXT("training: block %1 of %2").with(about.block, about.blocks);
}

BatchErrors blockErrors(Loss loss, const Executor &executor, const QuantPlan &plan, const Block &block,
                        const CutTensors &inputs, const CutTensors &targets, const BatchSplit &split,
                        const JobContext &job)
{
    ProgramSpec spec;
    spec.plan = &plan;
    spec.feeds = block.inputs;
    spec.outputs = block.outputs;
    const Program program = executor.compile(spec);
    BatchErrors errors;
    for (const std::size_t batch : split.heldOut) {
        const at::Tensor error = lossOf(loss, program.run(inputs.tensors(batch), job), targets.tensors(batch));
        errors.push_back(error.defined() ? error.item().toDouble() : 0);
    }
    return errors;
}

class BlockTraining::Work
{
public:
    Work(const QuantModel &model, const Executor &executor, const Block &block, const TrainingInput &input,
         const TrainingOptions &options)
        : m_model(model), m_executor(executor), m_block(block), m_input(input), m_options(options),
          m_generator(at::detail::createCPUGenerator(options.seed))
    {}

    /// Collects what can be trained. @returns false if that is nothing
    bool prepare(const CutMaker &cuts)
    {
        const Graph &graph = m_model.graph;
        std::set<OpId> inside(m_block.ops.begin(), m_block.ops.end());
        for (const OpId id : m_block.ops) {
            if (!m_model.isQuantized(id)) continue;
            const std::size_t before = m_trained.size();
            if (const auto &weights = traitsOf(graph.operation(id)).weights) {
                const Slot weight = inputSlot(id, std::size_t(weights->weight));
                addWeight(weight, inside);
                if (weights->bias >= 0 && m_options.biasRate)
                    addParameter(inputSlot(id, std::size_t(weights->bias)), inside,
                                 *m_options.biasRate *
                                     (m_options.weightRate && !m_options.rounding ? gridFactor(weight) : 1));
            }
            for (const Slot slot : m_model.plan.slotsOf(id)) addScale(slot, inside, cuts);
            if (m_trained.size() > before) m_trainedOps.push_back(id);
        }
        return !m_trained.empty();
    }

    /// Leaves what is trained in its best state. @returns its number of steps; nothing if that is the first state
    std::optional<int> run(const CutTensors &inputs, const CutTensors &targets, const BatchSplit &split,
                           const JobContext &job, const api::TrainingEvent &about)
    {
        m_inputs = &inputs;
        m_targets = &targets;
        m_about = about;
        if (m_options.factors.empty()) reportUnreached();
        addDrops();
        show(false);
        ProgramSpec spec;
        spec.plan = &m_model.plan;
        spec.feeds = m_block.inputs;
        spec.outputs = m_block.outputs;
        spec.trainable = &m_trainable;
        spec.onDevice = true;
        const Program program = m_executor.compile(spec);

        return m_options.factors.empty() ? optimize(program, split, job) : search(program, split, job);
    }

    int write(QuantModel *model) const
    {
        for (const auto &trained : m_trained) trained->write(model, m_options.origin);
        return int(m_trained.size());
    }

private:
    bool isOwnParameter(Slot slot, const std::set<OpId> &inside) const
    {
        const Graph &graph = m_model.graph;
        const Operation &op = graph.operation(slot.op);
        if (!op.hasInput(std::size_t(slot.index))) return false;
        const Variable &variable = graph.variable(variableOf(graph, slot));
        if (!variable.isParameter() || variable.value.scalar_type() != at::kFloat) return false;
        const TensorQuantConfig *config = m_model.plan.find(slot);
        if (config && config->state == QuantState::Baked) return false;
        return std::all_of(variable.uses.begin(), variable.uses.end(),
                           [&](const Use &use) { return inside.contains(use.op); });
    }

    void addParameter(Slot slot, const std::set<OpId> &inside, double rate)
    {
        if (isOwnParameter(slot, inside) && m_parameters.insert(variableOf(m_model.graph, slot)).second)
            m_trained.push_back(trainedParameter(m_model, variableOf(m_model.graph, slot), rate));
    }

    /// The step of the weight's grid relative to one of 8 bits: a learning rate that moves weights by a part of the
    /// step has to grow with it.
    double gridFactor(Slot weight) const
    {
        const TensorQuantConfig *config = m_model.plan.simulated(weight);
        return config && !config->isFloating() ? std::exp2(std::max(0, 8 - config->bits)) : 1;
    }

    void addWeight(Slot slot, const std::set<OpId> &inside)
    {
        if (!m_options.weightRate || !isOwnParameter(slot, inside)) return;
        if (!m_options.rounding) return addParameter(slot, inside, *m_options.weightRate * gridFactor(slot));
        const TensorQuantConfig *config = m_model.plan.simulated(slot);
        const bool isOne = m_model.graph.variable(variableOf(m_model.graph, slot)).uses.size() == 1;
        if (!config || config->isFloating() || config->dynamic || !isOne) return;
        m_trained.push_back(
            trainedRounding(m_model, slot, *m_options.rounding, *m_options.weightRate, m_options.penalty));
    }

    /// The scale of slot, if it is its own, and nothing that is finished uses it.
    void addScale(Slot slot, const std::set<OpId> &inside, const CutMaker &cuts)
    {
        const QuantPlan &plan = m_model.plan;
        if (!hasFreeScale(plan, slot, m_input.fixedScales)) return;
        const TensorQuantConfig *config = plan.find(slot);
        const VarId variable = variableOf(m_model.graph, slot);
        const bool isParameter = m_model.graph.isParameter(variable);
        // The scale of a bias follows from others
        if (isParameter && (config->state != QuantState::Active || !isOwnParameter(slot, inside))) return;
        const auto &rate = isParameter ? m_options.weightScaleRate : m_options.activationScaleRate;
        if (!rate) return;
        const std::size_t start = cuts.position(m_block.start);
        for (const auto &[other, otherConfig] : plan.configs())
            if (otherConfig.parent && otherConfig.isApplied() && !inside.contains(other.op) &&
                cuts.position(other.op) < start && plan.root(other) == slot)
                return;
        m_trained.push_back(trainedScale(m_model, slot, *rate));
    }

    /// Leaves the values of activations in float at random.
    void addDrops()
    {
        if (m_options.dropRate <= 0) return;
        for (const OpId op : m_block.ops)
            for (const Slot slot : m_model.plan.slotsOf(op)) {
                const TensorQuantConfig *config = m_model.plan.simulated(slot);
                if (config && !m_model.graph.isParameter(variableOf(m_model.graph, slot))) m_drops.push_back(slot);
            }
    }

    at::Tensor dropped(Slot slot, const at::Tensor &x)
    {
        const QuantPlan &plan = m_model.plan;
        const auto scale = m_trainable.scales.find(plan.root(slot));
        const at::Tensor y =
            fakeQuantForTraining(x, scale == m_trainable.scales.end() ? scaleTensor(plan.scale(slot)) : scale->second,
                                 *plan.find(slot), plan.zeroPoint(slot));
        if (!m_isTraining) return y;
        const at::Tensor isDropped =
            at::rand(x.sizes(), m_generator, at::TensorOptions(at::kFloat)) < m_options.dropRate;
        return at::where(isDropped.to(x.device()), x, y);
    }

    void show(bool isFinal)
    {
        for (const auto &trained : m_trained) trained->show(&m_trainable, isFinal);
        m_isTraining = !isFinal;
        for (const Slot slot : m_drops)
            m_trainable.quantizers[slot] = [this, slot](const at::Tensor &x) { return dropped(slot, x); };
    }

    std::vector<at::Tensor> leaves() const
    {
        std::vector<at::Tensor> copies;
        for (const auto &trained : m_trained) copies.push_back(trained->leaf().detach().clone());
        return copies;
    }

    /// Steps that were done, with the loss of the last one, or the error of a test.
    void report(int step, std::optional<double> loss, std::optional<double> heldOut)
    {
        m_about.step = step;
        m_about.loss = loss;
        m_about.heldOut = heldOut;
        m_input.progress(m_about);
    }

    std::optional<int> optimize(const Program &program, const BatchSplit &split, const JobContext &job)
    {
        Adam adam;
        for (const auto &trained : m_trained) trained->addTo(&adam);

        const int tests = std::clamp(m_options.steps / 20, 1, 10);
        m_stacks = m_options.batchSize > 1 && stacks(program, split, job);
        m_about.steps = m_options.steps;
        double best = heldOutError(program, split, job);
        report(0, {}, best);
        int bestStep = 0, withoutProgress = 0;
        std::vector<at::Tensor> kept = leaves();
        Clock::time_point reported{};
        for (int step = 0; step < m_options.steps; ++step) {
            const double progress = double(step) / double(m_options.steps);
            const double loss = trainStep(program, split, adam, progress, job);
            if (Clock::now() - reported > std::chrono::milliseconds(100)) {
                reported = Clock::now();
                report(step + 1, loss, {});
                job.checkpoint(progress, trainingText(m_about),
                               "step " + std::to_string(step + 1) + " of " + std::to_string(m_options.steps) +
                                   ", loss " + Text::number(loss).english());
            }
            if ((step + 1) * tests / m_options.steps == step * tests / m_options.steps) continue;
            const double error = heldOutError(program, split, job);
            report(step + 1, loss, error);
            if (error < best) {
                best = error;
                bestStep = step + 1;
                kept = leaves();
                withoutProgress = 0;
            } else if (++withoutProgress == m_options.patience) {
                break;
            }
        }
        if (bestStep == 0) return std::nullopt;
        const at::NoGradGuard noGradients;
        for (std::size_t i = 0; i < m_trained.size(); ++i) m_trained[i]->leaf().copy_(kept[i]);
        return bestStep;
    }

    /// Tries each factor on each scale, one scale after the other, and keeps the best by the training samples.
    std::optional<int> search(const Program &program, const BatchSplit &split, const JobContext &job)
    {
        m_about.steps = int(m_trained.size());
        const double first = heldOutError(program, split, job);
        report(0, {}, first);
        const std::vector<at::Tensor> start = leaves();
        const at::NoGradGuard noGradients;
        double best = errorOn(split.training, program, job);
        int tested = 0;
        for (std::size_t i = 0; i < m_trained.size(); ++i) {
            job.checkpoint(double(i) / double(m_trained.size()), trainingText(m_about));
            at::Tensor leaf = m_trained[i]->leaf();
            at::Tensor kept = leaf.clone();
            for (const double factor : m_options.factors) {
                leaf.copy_(start[i] * factor);
                ++tested;
                const double error = errorOn(split.training, program, job);
                if (error >= best) continue;
                best = error;
                kept = leaf.clone();
            }
            leaf.copy_(kept);
            report(int(i) + 1, best, {});
        }
        const double last = heldOutError(program, split, job);
        report(m_about.steps, best, last);
        if (last < first) return tested;
        return std::nullopt;
    }

    double heldOutError(const Program &program, const BatchSplit &split, const JobContext &job)
    {
        return errorOn(split.heldOut, program, job);
    }

    /// Of what write() would leave, on these batches.
    double errorOn(const std::vector<std::size_t> &batches, const Program &program, const JobContext &job)
    {
        const at::NoGradGuard noGradients;
        const ArenaScope memory;
        show(true);
        double sum = 0;
        for (const std::size_t batch : batches) {
            const at::Tensor error =
                lossOf(m_options.loss, program.run(m_inputs->tensors(batch), job), m_targets->tensors(batch));
            if (error.defined()) sum += error.item().toDouble();
        }
        return sum / double(batches.size());
    }

    /// The tensors of several batches as one batch.
    static std::vector<at::Tensor> stacked(const CutTensors &cut, const std::vector<std::size_t> &batches)
    {
        if (batches.size() == 1) return cut.tensors(batches[0]);
        std::vector<std::vector<at::Tensor>> parts;
        for (const std::size_t batch : batches) {
            const std::vector<at::Tensor> tensors = cut.tensors(batch);
            parts.resize(tensors.size());
            for (std::size_t i = 0; i < tensors.size(); ++i) parts[i].push_back(tensors[i]);
        }
        std::vector<at::Tensor> all;
        for (const std::vector<at::Tensor> &part : parts) all.push_back(at::cat(part, 0));
        return all;
    }

    /// Whether the block computes the samples of two batches along axis 0 as it computes each alone: not if a shape is
    /// fixed in the graph, or axis 0 is no batch.
    bool stacks(const Program &program, const BatchSplit &split, const JobContext &job) const
    {
        if (split.training.size() < 2) return false;
        const at::NoGradGuard noGradients;
        try {
            const std::vector<std::size_t> two{split.training[0], split.training[1]};
            const std::vector<at::Tensor> got = program.run(stacked(*m_inputs, two), job);
            const std::vector<at::Tensor> first = program.run(m_inputs->tensors(two[0]), job);
            const std::vector<at::Tensor> second = program.run(m_inputs->tensors(two[1]), job);
            for (std::size_t i = 0; i < got.size(); ++i) {
                if (first[i].dim() == 0 || got[i].dim() == 0) return false;
                const at::Tensor wanted = at::cat({first[i], second[i]}, 0);
                if (wanted.sizes() != got[i].sizes()) return false;
                if (!isFloatTensor(wanted)) continue;
                if (!(noiseRatio(errorSums(wanted, got[i], 1).front()) <= 1e-4))
                    return false; // a value at a rounding edge may differ
            }
            return true;
        } catch (const std::exception &) {
            return false;
        }
    }

    /// The next batch, in a new random order for each round over the data.
    std::size_t next(const BatchSplit &split)
    {
        if (m_at == m_sequence.size()) {
            const at::Tensor order = at::randperm(std::int64_t(split.training.size()), m_generator);
            m_sequence.clear();
            for (std::int64_t i = 0; i < order.numel(); ++i)
                m_sequence.push_back(split.training[std::size_t(order.data_ptr<std::int64_t>()[i])]);
            m_at = 0;
        }
        return m_sequence[m_at++];
    }

    double trainStep(const Program &program, const BatchSplit &split, Adam &adam, double progress,
                     const JobContext &job)
    {
        const ArenaScope memory;
        adam.forgetGradients();
        double sum = 0;
        const int rounds = m_stacks ? 1 : m_options.batchSize;
        for (int i = 0; i < rounds; ++i) {
            std::vector<std::size_t> batches;
            for (int n = 0; n < m_options.batchSize / rounds; ++n) batches.push_back(next(split));
            for (const auto &trained : m_trained) trained->advance(progress, 1.0 / rounds);
            show(false); // a new graph for this backward()
            at::Tensor loss =
                lossOf(m_options.loss, program.run(stacked(*m_inputs, batches), job), stacked(*m_targets, batches));
            if (!loss.defined()) continue;
            if (!loss.requires_grad()) failWithoutGradient();
            loss = loss / rounds;
            sum += loss.item().toDouble();
            loss.backward();
        }
        adam.step(0.5 * (1 + std::cos(3.14159265358979 * progress))); // cosine decay
        return sum;
    }

    bool isFloat(VarId id) const
    {
        if (id == noVar || m_model.graph.isParameter(id)) return false;
        const at::ScalarType type = m_model.graph.variable(id).type.dtype;
        return type == at::ScalarType::Undefined || at::isFloatingType(type);
    }

    /// Whether op makes other numbers of floats, such as the places of the largest ones, or has a gradient that is 0
    /// everywhere.
    bool endsGradients(const Operation &op) const
    {
        constexpr std::array steps{"Ceil", "Floor", "Round", "Sign"};
        if (op.domain.empty() && std::find(steps.begin(), steps.end(), op.type) != steps.end()) return true;
        const auto isOne = [this](VarId id) { return isFloat(id); };
        return std::any_of(op.inputs.begin(), op.inputs.end(), isOne) &&
               std::none_of(op.outputs.begin(), op.outputs.end(), isOne);
    }

    /// Operations of the block from which floats lead to its outputs, which gradients follow backwards.
    std::set<OpId> reachedByGradients() const
    {
        const Graph &graph = m_model.graph;
        std::set<VarId> open;
        for (const VarId id : m_block.outputs)
            if (isFloat(id)) open.insert(id);
        std::set<OpId> reached;
        for (auto it = m_block.ops.rbegin(); it != m_block.ops.rend(); ++it) {
            const Operation &op = graph.operation(*it);
            if (std::none_of(op.outputs.begin(), op.outputs.end(), [&](VarId id) { return open.contains(id); }))
                continue;
            reached.insert(*it);
            if (endsGradients(op)) continue;
            for (const VarId id : op.inputs)
                if (isFloat(id)) open.insert(id);
        }
        return reached;
    }

    /// Names the operations without a gradient because of which others of the block are not trained.
    /// @throws Error (UnsupportedOp) if nothing of it is
    void reportUnreached() const
    {
        const Graph &graph = m_model.graph;
        const std::set<OpId> reached = reachedByGradients();
        std::map<OpId, std::vector<std::string>> lost; // by the operation that ends their gradients
        for (const OpId id : m_trainedOps) {
            if (reached.contains(id)) continue;
            std::set<VarId> open(graph.operation(id).outputs.begin(), graph.operation(id).outputs.end());
            for (const OpId next : m_block.ops) {
                const Operation &op = graph.operation(next);
                if (std::none_of(op.inputs.begin(), op.inputs.end(), [&](VarId in) { return open.contains(in); }))
                    continue;
                if (endsGradients(op))
                    lost[next].push_back(graph.operation(id).name);
                else
                    open.insert(op.outputs.begin(), op.outputs.end());
            }
        }
        std::size_t count = 0;
        for (const OpId id : m_trainedOps) count += !reached.contains(id);
        if (count == m_trainedOps.size()) failWithoutGradient();
        for (const auto &[id, names] : lost)
            m_input.report(id, QL_TEXT("%1 has no gradient: upstream of it, this is not trained: %2")
                                   .with(graph.operation(id).type, Text::list(names)));
    }

    /// Names the last operation of the block whose results are numbers without a gradient.
    [[noreturn]] void failWithoutGradient() const
    {
        const Graph &graph = m_model.graph;
        const auto last = std::find_if(m_block.ops.rbegin(), m_block.ops.rend(),
                                       [&](OpId id) { return endsGradients(graph.operation(id)); });
        throwWithoutGradient(graph.operation(last == m_block.ops.rend() ? m_block.end : *last));
    }

    const QuantModel &m_model;
    const Executor &m_executor;
    const Block &m_block;
    const TrainingInput &m_input;
    const TrainingOptions &m_options;
    at::Generator m_generator;
    std::vector<std::unique_ptr<Trained>> m_trained;
    std::set<VarId> m_parameters;
    std::vector<OpId> m_trainedOps; ///< that something of m_trained belongs to
    std::vector<Slot> m_drops;
    Trainable m_trainable;
    bool m_isTraining = true;
    bool m_stacks = false; ///< several batches can be one
    const CutTensors *m_inputs = nullptr, *m_targets = nullptr;
    api::TrainingEvent m_about;
    std::vector<std::size_t> m_sequence;
    std::size_t m_at = 0;
};

BlockTraining::BlockTraining(const QuantModel &model, const Executor &executor, const Block &block,
                             const TrainingInput &input, const TrainingOptions &options)
    : m_work(std::make_unique<Work>(model, executor, block, input, options))
{}

BlockTraining::~BlockTraining() = default;

bool BlockTraining::prepare(const CutMaker &cuts)
{
    return m_work->prepare(cuts);
}

std::optional<int> BlockTraining::run(const CutTensors &inputs, const CutTensors &targets, const BatchSplit &split,
                                      const JobContext &job, const api::TrainingEvent &about)
{
    return m_work->run(inputs, targets, split, job, about);
}

int BlockTraining::write(QuantModel *model) const
{
    return m_work->write(model);
}

} // namespace ql
