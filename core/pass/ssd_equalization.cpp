// Before: conv1 -> Relu -> conv2        After: conv1, output channel c times s[c] -> Relu -> conv2, input channel c by
// s[c]
//
// Equalization that measures: for each pair of layers, four rules for the factors s are tried, the two layers and the
// operations between them are calibrated and quantized on their own, as the platform will quantize them, and the rule
// with the smallest mean squared error of the pair's output is kept if that is below loss_threshold times the error
// without it. With f[c] and l[c] the largest |weight| of the channel in the first and the second layer, a[c] the mean
// over batches of the largest positive output, each at least channel_ratio times its maximum (in rules 1 to 3), and
// K = max f / f, N = max l / l, A = max a / max(a, 0.01):
//   rule 0: s = clamp(sqrt(l / f), 0.1, 10)                     the rule of layerwise_equalization
//   rule 1: s = min(K, A)                                       up to the range of the widest channel
//   rule 2: s = clamp(t / min t, 1, 2), t = min(K / N, A / N, 8)
//   rule 3: s = clamp(sqrt(A sqrt(K / N)), 1, 2)
// (PPQ 0.6.6, SSDEqualizationPass; rules 1 to 3 follow Meller et al., "Same, Same But Different: Recovering Neural
// Network Quantization Error Through Weight Factorization".) In contrast to PPQ, all observers with two phases get
// both.
//
// Conditions: those of layerwise_equalization at level 1, one layer before and one after, and both quantized. The pair
// sees the activations that the float network gives it, at most 200 samples and a gigabyte of them.
//
// Measured on PPL_DSP_INT8 with 8 samples, SQNR of the output: squeezenet1.1 28.86 dB, with this pass (one iteration)
// 28.21 dB, with layerwise_equalization 28.77 dB; mobilenetv2_backbone and yolox_nano have hardly any such pairs (Clip
// and SiLU are between their layers), and no pair of them passes the threshold.
#include "core/pass/calibration_data.h"
#include "core/pass/channel_groups.h"
#include "core/pass/observation.h"
#include "gpu/reduce.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace ql {

namespace {

constexpr std::size_t largestPairInputs = std::size_t{1} << 30;
constexpr std::size_t mostSamples = 200;
constexpr double tiny = 1e-8;

/// The input of a pair, for all batches.
class PairInputs final : public BatchSource
{
public:
    explicit PairInputs(std::string input) : m_input(std::move(input)) {}
    std::size_t size() const override { return m_batches.size(); }
    Feed batch(std::size_t index) const override { return {{m_input, m_batches.at(index)}}; }
    void add(at::Tensor value) { m_batches.push_back(std::move(value)); }

private:
    std::string m_input;
    std::vector<at::Tensor> m_batches;
};

/// The pair as a network of its own, with the ids that it has in the whole network. Nothing if it reads tensors other
/// than the input of its first layer.
std::optional<Graph> networkOf(const Graph &whole, const ChannelGroup &pair)
{
    Graph graph = whole;
    const VarId input = graph.operation(pair.up[0]).inputs[0];
    const Variable &tensor = graph.variable(input);
    if (tensor.isParameter()) return std::nullopt;
    if (const OpId producer = tensor.producer; producer != noOp) {
        const auto place = std::size_t(tensor.producerIndex);
        graph.setOutput(producer, place, graph.addVariable(graph.freshName(tensor.name)));
    }
    graph.setInputs({input});
    graph.setOutputs({graph.operation(pair.down[0]).outputs[0]});
    graph.removeUnreachable();
    if (graph.operationCount() != pair.relays.size() + 2) return std::nullopt;
    return graph;
}

/// Everything about a pair that does not change while rules are tried.
struct SsdPair
{
    OpId first, last;
    QuantModel model; ///< waits for calibration
    PairInputs inputs;
    std::vector<at::Tensor> targets; ///< float outputs
    std::vector<float> active;       ///< mean over batches of the largest positive output of first, by channel
};

std::vector<float> atLeast(std::vector<float> values, double part)
{
    const float floor = float(part * double(*std::max_element(values.begin(), values.end())));
    for (float &value : values) value = std::max(value, floor);
    return values;
}

} // namespace

class SsdEqualization final : public Pass
{
public:
    explicit SsdEqualization(const nlohmann::json &params)
        : m_iterations(params["iterations"]), m_channelRatio(params["channel_ratio"]),
          m_lossThreshold(params["loss_threshold"]), m_layerNorm(params["layer_norm"]),
          m_interested(params["interested_layers"].get<std::vector<std::string>>())
    {}

    std::string_view id() const override { return "ssd_equalization"; }

    int run(QuantModel &model, const PassContext &context) const override
    {
        LayerValues layers(model.graph);
        std::vector<ChannelGroup> pairs = findChannelGroups(model.graph, layers, 1, m_interested);
        QuantModel configured = model;
        context.configure(configured);
        std::erase_if(pairs, [&](const ChannelGroup &pair) {
            return pair.up.size() != 1 || pair.down.size() != 1 || pair.up == pair.down ||
                   !configured.isQuantized(pair.up[0]) || !configured.isQuantized(pair.down[0]);
        });
        if (pairs.empty()) return 0;
        requireCalibration(context, QL_TEXT("SSD equalization"));
        std::set<OpId> changed;
        if (m_layerNorm) {
            for (const ChannelGroup &pair : pairs)
                if (balance(pair, layers)) changed.insert({pair.up[0], pair.down[0]});
            layers.write(&model.graph);
        }
        const double all = double(pairs.size()) * m_iterations;
        double done = 0;
        for (int i = 0; i < m_iterations; ++i)
            for (const ChannelGroup &pair : pairs) {
                context.job.checkpoint(done++ / all, QL_TEXT("SSD equalization"));
                if (equalize(model.graph, configured.plan, pair, context)) changed.insert({pair.up[0], pair.down[0]});
            }
        return int(changed.size());
    }

private:
    /// One factor for all channels. @returns whether it changed them
    static bool balance(const ChannelGroup &pair, LayerValues &layers)
    {
        const std::vector<float> first = layers.largestOfOutputs(pair.up[0]),
                                 last = layers.largestOfInputs(pair.down[0]);
        const float factor =
            std::sqrt(*std::max_element(last.begin(), last.end()) / *std::max_element(first.begin(), first.end()));
        if (!std::isfinite(factor) || factor <= 0 || factor == 1) return false;
        scale(pair, layers, std::vector<float>(first.size(), factor));
        return true;
    }

    static void scale(const ChannelGroup &pair, LayerValues &layers, const std::vector<float> &factors)
    {
        layers.scaleOutputs(pair.up[0], factors);
        layers.scaleInputs(pair.down[0], factors);
    }

    bool equalize(Graph &graph, const QuantPlan &plan, const ChannelGroup &pair, const PassContext &context) const
    {
        const std::optional<SsdPair> known = prepare(graph, plan, pair, context);
        if (!known) return false;
        const double base = loss(*known, known->model.graph, context);
        double best = base * m_lossThreshold;
        std::vector<float> factors;
        for (int rule = 0; rule < 4; ++rule) {
            const std::vector<float> tried = factorsOf(rule, *known);
            Graph trial = known->model.graph;
            LayerValues layers(trial);
            scale(pair, layers, tried);
            layers.write(&trial);
            context.job.checkpoint();
            const double now = loss(*known, trial, context);
            if (!(now < best)) continue;
            best = now;
            factors = tried;
        }
        if (factors.empty()) return false;
        LayerValues layers(graph);
        scale(pair, layers, factors);
        layers.write(&graph);
        return true;
    }

    static std::optional<SsdPair> prepare(const Graph &graph, const QuantPlan &plan, const ChannelGroup &group,
                                          const PassContext &context)
    {
        std::optional<Graph> own = networkOf(graph, group);
        if (!own) return std::nullopt;
        const VarId input = own->inputs()[0];
        SsdPair pair{
            group.up[0], group.down[0], {std::move(*own), {}, plan}, PairInputs(graph.variable(input).name), {}, {}};
        QuantPlan &ownPlan = pair.model.plan;
        for (const OpId id : graph.operations())
            if (!pair.model.graph.contains(id)) {
                ownPlan.erase(id);
                ownPlan.integerOps.erase(id);
            }
        collectInputs(graph, input, &pair.inputs, context);

        const std::size_t batches = pair.inputs.size();
        LayerValues layers(pair.model.graph);
        const auto channels = std::size_t(layers.find(pair.first)->outputChannels);
        pair.active.assign(channels, 0.f);
        ProgramSpec spec;
        spec.probes.push_back({outputSlot(pair.first), ProbePoint::Raw, [&](const at::Tensor &t, std::size_t) {
                                   std::vector<float> least(channels, 0.f), most(channels, 0.f);
                                   if (t.dim() < 2 || std::size_t(t.size(1)) != channels) return;
                                   at::Tensor copy;
                                   const TensorView view = viewOf(t, 1, &copy);
                                   gpu::minMaxChannelCpu(view.data, view.size, view.channels, view.channelStride,
                                                         least.data(), most.data());
                                   for (std::size_t c = 0; c < channels; ++c)
                                       pair.active[c] += most[c] / float(batches);
                               }});
        const Executor executor(pair.model.graph, context.exec);
        const Program program = executor.compile(spec);
        for (std::size_t i = 0; i < batches; ++i)
            pair.targets.push_back(program.run(pair.inputs.batch(i), JobContext())[0].contiguous());
        return pair;
    }

    static void collectInputs(const Graph &graph, VarId input, PairInputs *to, const PassContext &context)
    {
        ProgramSpec spec;
        spec.outputs = {input};
        const Executor executor(graph, context.exec);
        const Program program = executor.compile(spec);
        std::size_t bytes = 0, samples = 0;
        const std::size_t steps = std::min(context.calibrationSteps, context.calibration->size());
        for (std::size_t i = 0; i < steps && samples < mostSamples && bytes < largestPairInputs; ++i) {
            const at::Tensor value =
                program.run(context.calibration->batch(i), context.job, context.calibration->name(i))[0];
            to->add(value.contiguous());
            bytes += value.nbytes();
            samples += value.dim() > 0 ? std::size_t(std::max<std::int64_t>(value.size(0), 1)) : 1;
        }
    }

    std::vector<float> factorsOf(int rule, const SsdPair &pair) const
    {
        LayerValues layers(pair.model.graph);
        std::vector<float> first = layers.largestOfOutputs(pair.first), last = layers.largestOfInputs(pair.last);
        std::vector<float> factors(first.size());
        if (rule == 0) {
            for (std::size_t c = 0; c < factors.size(); ++c)
                factors[c] = float(std::clamp(std::sqrt(last[c] / (first[c] + tiny)), 0.1, 10.0));
            return factors;
        }
        first = atLeast(std::move(first), m_channelRatio);
        last = atLeast(std::move(last), m_channelRatio);
        const std::vector<float> active = atLeast(pair.active, m_channelRatio);
        const double mostFirst = *std::max_element(first.begin(), first.end());
        const double mostLast = *std::max_element(last.begin(), last.end());
        const double mostActive = *std::max_element(active.begin(), active.end());
        double least = std::numeric_limits<double>::infinity();
        std::vector<double> found;
        for (std::size_t c = 0; c < factors.size(); ++c) {
            const double k = mostFirst / (first[c] + tiny), n = mostLast / (last[c] + tiny);
            const double a = mostActive / (std::max(double(active[c]), 0.01) + tiny);
            found.push_back(rule == 1   ? std::min(k, a)
                            : rule == 2 ? std::min({k / n, a / n, 8.0})
                                        : std::sqrt(a * std::sqrt(k / n)));
            least = std::min(least, found.back());
        }
        for (std::size_t c = 0; c < factors.size(); ++c) {
            const double relative = rule == 2 ? found[c] / least : found[c];
            factors[c] = float(rule == 1 ? relative : std::clamp(relative, 1.0, 2.0));
            if (!std::isfinite(factors[c]) || factors[c] <= 0) factors[c] = 1;
        }
        return factors;
    }

    /// Mean squared error of the pair's output if graph, the pair with other weights, is calibrated and quantized.
    static double loss(const SsdPair &pair, const Graph &graph, const PassContext &context)
    {
        QuantModel model{graph, {}, pair.model.plan};
        PassContext own;
        own.exec = context.exec;
        own.calibration = &pair.inputs;
        own.calibrationSteps = pair.inputs.size();
        for (const char *pass : {"parameter_quantize", "calibrate", "passive_parameters"})
            makePass(pass, nlohmann::json::object())->run(model, own);
        const Executor executor(model.graph, context.exec);
        ProgramSpec spec;
        spec.plan = &model.plan;
        const Program program = executor.compile(spec);
        double sum = 0;
        for (std::size_t i = 0; i < pair.targets.size(); ++i) {
            const at::Tensor got = program.run(pair.inputs.batch(i), JobContext())[0].contiguous();
            const at::Tensor &want = pair.targets[i];
            const gpu::ErrorSums sums = gpu::errorSumsCpu(want.data_ptr<float>(), got.data_ptr<float>(), got.numel());
            sum += sums.squaredDiff / double(std::max<std::int64_t>(sums.count, 1));
        }
        return sum / double(pair.targets.size());
    }

    int m_iterations;
    double m_channelRatio, m_lossThreshold;
    bool m_layerNorm;
    std::vector<std::string> m_interested;
};

static std::vector<api::ParamSpec> ssdEqualizationParams()
{
    std::vector<api::ParamSpec> params = {
        {.name = "iterations",
         .type = "int",
         .fallback = 3,
         .meaning = QL_TEXT("Number of passes over all pairs; neighbouring pairs affect each other."),
         .min = 1,
         .max = 100},
        {.name = "channel_ratio",
         .type = "float",
         .fallback = 0.5,
         .meaning = QL_TEXT("Smaller channel ranges count as this fraction of the largest one."),
         .min = 0,
         .max = 1},
        {.name = "loss_threshold",
         .type = "float",
         .fallback = 0.8,
         .meaning = QL_TEXT("A pair is scaled only if its error falls below this fraction of its previous error."),
         .min = 0,
         .max = 1},
        {.name = "layer_norm",
         .type = "bool",
         .fallback = false,
         .meaning = QL_TEXT("First give both layers of each pair the same largest weight, by one factor.")}};
    for (const api::ParamSpec &spec : channelGroupParams())
        if (spec.name == "interested_layers") params.push_back(spec);
    return params;
}

static const PassRegistrar ssdEqualizationRegistrar{
    {.info = {.id = "ssd_equalization",
              .title = QL_TEXT("SSD equalization"),
              .meaning = QL_TEXT("Before: neighbouring layers whose channels have very different ranges. After: they "
                                 "are scaled by the rule that reduces the measured quantization error of the two most, "
                                 "if one does; the float result is the same."),
              .params = ssdEqualizationParams()},
     .traits = {.kind = PassKind::Float, .needsData = true},
     .make = makePassOf<SsdEqualization>}};

} // namespace ql
