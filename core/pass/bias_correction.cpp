// Before: bias b        After: bias b + mean over data of (float output - quantized output), in the quantized model
// only
//
// Rounding weights shifts the mean output of a layer; its bias can compensate. Block by block (4 levels deep by
// default), on the block's inputs as computed by the quantized network: the float block and the quantized block are
// run, and for each Conv, ConvTranspose and Gemm with a constant bias the mean difference of the output per channel,
// before its own quantization, is added to the bias; later operations of the block see the earlier corrections. If
// this moves the block's output further from the float network's (mean squared error), its biases are restored. (Nagel
// et al., "Data-Free Quantization through Weight Equalization and Bias Correction", section 4.2, with data.)
//
// New values are the plan's own (QuantPlan::parameterValues); the float graph keeps its biases. Conditions: the bias
// is a float32 parameter of one operation. Runs after calibration. Both networks are computed once, block by block
// (core/train/cut.h).
#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/ir/op_traits.h"
#include "core/pass/block_params.h"
#include "core/pass/calibration_data.h"
#include "core/pass/layer_weights.h"
#include "core/pass/slots.h"
#include "core/train/blocks.h"
#include "core/train/cut.h"
#include "gpu/reduce.h"

#include <algorithm>
#include <map>

namespace ql {

namespace {

/// Inputs of a block in the quantized network and its outputs in the float network.
struct BlockData
{
    CutTensors inputs, targets;
    std::size_t batches() const { return inputs.batches.size(); }
};

/// Sum over outputs of the mean over batches of the mean squared error.
double lossOf(const Program &program, const BlockData &data, const JobContext &job)
{
    double loss = 0;
    for (std::size_t i = 0; i < data.batches(); ++i) {
        const std::vector<at::Tensor> outputs = program.run(data.inputs.tensors(i), job),
                                      wanted = data.targets.tensors(i);
        for (std::size_t o = 0; o < outputs.size(); ++o) {
            const at::Tensor got = outputs[o].contiguous(), want = wanted[o].contiguous();
            if (got.scalar_type() != at::kFloat || got.numel() == 0) continue;
            const gpu::ErrorSums sums = gpu::errorSumsCpu(want.data_ptr<float>(), got.data_ptr<float>(), got.numel());
            loss += sums.squaredDiff / double(sums.count) / double(data.batches());
        }
    }
    return loss;
}

} // namespace

class BiasCorrection final : public Pass
{
public:
    explicit BiasCorrection(const nlohmann::json &params)
        : m_interested(params["interested_layers"].get<std::vector<std::string>>()), m_blockSize(params["block_size"]),
          m_steps(params["steps"])
    {}

    std::string_view id() const override { return "bias_correction"; }

    int run(QuantModel &model, const PassContext &context) const override
    {
        requireLayers(model.graph, m_interested);
        std::vector<Block> blocks = findBlocks(model, m_blockSize);
        std::erase_if(blocks, [&](const Block &block) {
            return block.inputs.empty() || correctable(model, block).empty(); // without inputs it is a constant
        });
        if (blocks.empty()) return 0;
        requireCalibration(context, QL_TEXT("bias correction"));
        const Executor executor(model.graph, context.exec);
        const std::size_t steps = std::min(m_steps > 0 ? std::size_t(m_steps) : context.calibrationSteps,
                                           context.calibration->size()); // repeating a batch would add nothing
        TensorStore store(context.memory);
        CutPair reached(executor, store);
        reached.start(*context.calibration, steps, context.job);
        int changed = 0;
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            const double from = double(i) / double(blocks.size()), to = double(i + 1) / double(blocks.size());
            changed += correct(model, blocks[i], executor, reached, context.job.part(from, to));
        }
        return changed;
    }

private:
    std::vector<OpId> correctable(const QuantModel &model, const Block &block) const
    {
        const auto matches = [&](OpId op) {
            const std::string &name = model.graph.operation(op).name;
            return std::any_of(m_interested.begin(), m_interested.end(),
                               [&](const std::string &pattern) { return globMatch(pattern, name); });
        };
        if (!m_interested.empty() && std::none_of(block.ops.begin(), block.ops.end(), matches)) return {};
        std::vector<OpId> ops;
        for (const OpId op : block.ops) {
            if (!model.isQuantized(op) || !isLayer(model.graph.operation(op))) continue;
            const auto layer = layerWeights(model.graph, op);
            if (layer && layer->bias != noVar) ops.push_back(op);
        }
        return ops;
    }

    static BlockData collect(const QuantModel &model, const Block &block, CutPair &reached, const JobContext &job)
    {
        reached.moveTo(block.start, model.plan, job);
        return {reached.cuts.compute(reached.quantized, block.inputs, &model.plan, job),
                reached.cuts.compute(reached.floating, block.outputs, nullptr, job)};
    }

    /// Runs the batches and turns sums, which probes of program accumulate, into means over batches.
    static void averageOver(const BlockData &data, const Program &program,
                            const std::vector<std::vector<double> *> &sums, const JobContext &job)
    {
        for (std::size_t i = 0; i < data.batches(); ++i) program.run(data.inputs.tensors(i), job);
        for (std::vector<double> *means : sums)
            for (double &mean : *means) mean /= double(data.batches());
    }

    /// Adds the mean per channel of op's output to *means.
    static Probe meanProbe(OpId op, std::vector<double> *means)
    {
        return {outputSlot(op), ProbePoint::Raw, [means](const at::Tensor &t, std::size_t) {
                    const at::Tensor x = t.contiguous();
                    const std::int64_t channels = std::int64_t(means->size());
                    const std::int64_t inner = x.dim() > 2 ? x.numel() / (x.size(0) * x.size(1)) : 1;
                    const double share = double(channels) / double(x.numel());
                    const float *value = x.data_ptr<float>();
                    for (std::int64_t row = 0; row < x.numel() / inner; ++row) {
                        double sum = 0;
                        for (std::int64_t i = 0; i < inner; ++i) sum += double(*value++);
                        (*means)[std::size_t(row % channels)] += sum * share;
                    }
                }};
    }

    int correct(QuantModel &model, const Block &block, const Executor &executor, CutPair &reached,
                const JobContext &job) const
    {
        job.checkpoint(0, QL_TEXT("bias correction"));
        const BlockData data = collect(model, block, reached, job);
        const std::vector<OpId> ops = correctable(model, block);
        ProgramSpec plain;
        plain.plan = &model.plan;
        plain.feeds = block.inputs;
        plain.outputs = block.outputs;
        const double before = lossOf(executor.compile(plain), data, job);

        std::map<OpId, std::vector<double>> wanted;
        std::vector<std::vector<double> *> sums;
        ProgramSpec floating;
        floating.feeds = block.inputs;
        floating.outputs = block.outputs;
        for (const OpId op : ops) {
            auto &means = wanted[op];
            means.assign(std::size_t(layerWeights(model.graph, op)->outputChannels), 0.0);
            floating.probes.push_back(meanProbe(op, &means));
            sums.push_back(&means);
        }
        averageOver(data, executor.compile(floating), sums, job);

        const auto former = model.plan.parameterValues;
        for (std::size_t i = 0; i < ops.size(); ++i) {
            job.checkpoint(0.6 + 0.4 * double(i) / double(ops.size()), QL_TEXT("bias correction"));
            addShift(model, ops[i], block, executor, data, wanted[ops[i]], job);
        }
        const double after = lossOf(executor.compile(plain), data, job);
        if (after <= before) return int(ops.size());
        model.plan.parameterValues = former;
        return 0;
    }

    static void addShift(QuantModel &model, OpId op, const Block &block, const Executor &executor,
                         const BlockData &data, const std::vector<double> &wanted, const JobContext &job)
    {
        std::vector<double> means(wanted.size());
        ProgramSpec spec;
        spec.plan = &model.plan;
        spec.feeds = block.inputs;
        spec.outputs = model.graph.operation(op).outputs; // stops after op
        spec.probes = {meanProbe(op, &means)};
        averageOver(data, executor.compile(spec), {&means}, job);
        const VarId id = model.graph.operation(op).inputs[2];
        const double beta = model.graph.operation(op).floatAttribute("beta", 1); // of Gemm
        at::Tensor bias = model.plan.parameterValue(model.graph, id).contiguous().clone();
        if (beta != 0)
            for (std::size_t c = 0; c < means.size(); ++c)
                bias.data_ptr<float>()[c] += float((wanted[c] - means[c]) / beta);
        model.plan.parameterValues[id] = bias;
    }

    std::vector<std::string> m_interested;
    int m_blockSize;
    int m_steps;
};

static std::vector<api::ParamSpec> biasCorrectionParams()
{
    std::vector<api::ParamSpec> params = blockParams();
    params.push_back({.name = "steps",
                      .type = "int",
                      .fallback = 32,
                      .meaning = QL_TEXT("Number of batches to use; 0: as many as for calibration."),
                      .min = 0,
                      .max = 100000});
    return params;
}

static const PassRegistrar biasCorrectionRegistrar{
    {.info = {.id = "bias_correction",
              .title = QL_TEXT("Bias correction"),
              .meaning = QL_TEXT("Before: quantization shifts the mean output of a layer. After: its bias compensates "
                                 "for the shift if that brings the block's output closer to the float network's."),
              .params = biasCorrectionParams()},
     .traits = {.kind = PassKind::Quant,
                .needsData = true,
                .needs = {PassAspect::ActivationScales},
                .writes = {PassAspect::BiasValues}},
     .make = makePassOf<BiasCorrection>}};

} // namespace ql
