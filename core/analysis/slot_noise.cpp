#include "core/analysis/slot_noise.h"

#include "core/analysis/error_measure.h"
#include "core/base/error.h"
#include "core/exec/gradient_node.h"
#include "core/ir/op_traits.h"
#include "core/ir/subgraphs.h"
#include "core/quant/quantize.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/sum.h>
#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <utility>

namespace ql {

namespace {

/// 1 or -1 at random, the same on every machine.
at::Tensor randomSigns(const at::Tensor &like, std::mt19937_64 &random)
{
    at::Tensor signs = at::empty(like.sizes(), at::kFloat);
    float *const data = signs.data_ptr<float>();
    std::uint64_t bits = 0;
    for (std::int64_t i = 0; i < signs.numel(); ++i) {
        if (i % 64 == 0) bits = random();
        data[i] = (bits >> (i % 64)) & 1 ? 1.0f : -1.0f;
    }
    return signs;
}

double dot(const at::Tensor &a, const at::Tensor &b)
{
    return at::sum(a * b, at::kDouble).item().toDouble();
}

std::int64_t leadingSize(const at::Tensor &tensor, std::int64_t axes)
{
    std::int64_t size = 1;
    for (std::int64_t axis = 0; axis < axes; ++axis) size *= tensor.size(axis);
    return size;
}

/// Sum over the channels of (sum over a channel's elements of gradient x error) squared. Channels: entries of axis 0 of
/// a parameter; of axes 0 (samples) and 1 of an activation.
double channelNoise(const at::Tensor &gradient, const at::Tensor &error, bool isParameter)
{
    at::Tensor products = gradient * error;
    const std::int64_t kept = isParameter ? 1 : 2;
    if (products.numel() == 0) return 0;
    if (products.dim() > kept)
        products = at::sum(products.reshape({leadingSize(products, kept), -1}), at::IntArrayRef({1}));
    return dot(products, products);
}

/// Of the outputs, each in relation to its signal, with random signs. Undefined if none has a gradient.
at::Tensor weightedSum(const std::vector<at::Tensor> &outputs, std::mt19937_64 &random)
{
    at::Tensor sum;
    for (const at::Tensor &output : outputs) {
        const at::Tensor numbers = numbersOf(output);
        if (!numbers.defined() || !numbers.requires_grad()) continue;
        const double signal = dot(numbers.detach(), numbers.detach());
        if (!(signal > 0)) continue;
        const at::Tensor part = at::sum(numbers * randomSigns(numbers, random)) * (1 / std::sqrt(signal));
        sum = sum.defined() ? sum + part : part;
    }
    return sum;
}

/// Passes a tensor on as it is, and adds the noise of rounding it when its gradient arrives. Nothing else keeps that
/// gradient or the rounding error, so memory holds those of one tensor at a time.
struct NoiseNode final : torch::autograd::Node
{
    std::function<void(const at::Tensor &)> add; ///< takes the gradient

    torch::autograd::variable_list apply(torch::autograd::variable_list &&gradients) override
    {
        if (gradients[0].defined() && add) add(gradients[0]);
        return {task_should_compute_output(0) ? gradients[0] : at::Tensor()};
    }
    void release_variables() override { add = nullptr; }
};

/// value, whose gradient reaches add, and x if that has a gradient.
at::Tensor observedBy(std::function<void(const at::Tensor &)> add, const at::Tensor &x, const at::Tensor &value)
{
    const auto node = nodeAfter<NoiseNode>(x);
    node->add = std::move(add);
    at::Tensor same = value.detach();
    torch::autograd::set_history(same, node);
    return same;
}

/// Quantizers that round nothing, but add up the noise that rounding would cause.
class NoiseCounters
{
public:
    explicit NoiseCounters(const QuantModel &model)
    {
        for (const auto &[slot, config] : model.plan.configs())
            if (model.plan.simulated(slot)) trainable.quantizers[slot] = counter(model, slot, noise.slots[slot]);
        forEachQuantizedBody(model, [&](const BodyPath &path, const QuantModel &body) {
            for (const auto &[slot, config] : body.plan.configs()) {
                const BodySlot place{path, slot};
                if (body.plan.simulated(slot))
                    trainable.bodyQuantizers[place] = counter(body, slot, noise.inBodies[place]);
            }
        });
    }
    NoiseCounters(const NoiseCounters &) = delete;
    NoiseCounters &operator=(const NoiseCounters &) = delete;

    Trainable trainable;
    SlotNoise noise; ///< sum over the batches

private:
    static Trainable::Quantizer counter(const QuantModel &model, Slot slot, double &sum)
    {
        // Of a parameter: from its float value, whatever the plan made of it
        const bool isParameter = roleOf(model.graph, slot) == api::SlotRole::Parameter;
        const at::Tensor original =
            isParameter ? model.graph.variable(variableOf(model.graph, slot)).value : at::Tensor();
        return [&sum, &plan = model.plan, slot, original, isParameter](const at::Tensor &x) {
            const at::Tensor given = x.detach();
            const at::Tensor value = isParameter ? original.to(given.options()).reshape(given.sizes()) : given;
            const auto add = [&sum, &plan, slot, given, value, isParameter](const at::Tensor &gradient) {
                const at::Tensor dense = given.is_non_overlapping_and_dense() ? given : given.contiguous();
                sum += channelNoise(gradient, fakeQuant(dense, plan, slot) - value, isParameter);
            };
            return observedBy(add, isParameter ? at::Tensor() : x, value);
        };
    }
};

/// @throws Error, c10::Error if an operation has no gradient
SlotNoise noiseByGradients(const AnalysisContext &context, const std::vector<std::size_t> &batches)
{
    const c10::InferenceMode withGradients(false);
    const at::AutoGradMode grad(true);
    NoiseCounters counters(context.model);
    const Executor executor(context.model.graph, context.exec);
    ProgramSpec spec;
    spec.plan = &context.model.plan;
    spec.outputs = outputsOf(context);
    spec.trainable = &counters.trainable;
    const Program program = executor.compile(spec);

    std::mt19937_64 random(1);
    for (std::size_t k = 0; k < batches.size(); ++k) {
        context.job.checkpoint(double(k) / double(batches.size()), QL_TEXT("noise of each tensor"));
        const std::size_t i = batches[k];
        at::Tensor sum =
            weightedSum(program.run(context.data->batch(i), context.job, context.data->name(i), i), random);
        if (sum.defined()) sum.backward();
    }
    for (auto &[slot, value] : counters.noise.slots) value /= double(batches.size());
    for (auto &[place, value] : counters.noise.inBodies) value /= double(batches.size());
    return std::move(counters.noise);
}

} // namespace

SlotNoise slotNoise(const AnalysisContext &context, const std::vector<std::size_t> &batches)
{
    try {
        return noiseByGradients(context, batches);
    } catch (const Error &) {
        return {};
    } catch (const c10::Error &) { // of LibTorch: the same
        return {};
    }
}

std::map<Slot, double> slotNoise(const AnalysisContext &context)
{
    std::vector<std::size_t> first(std::min(context.batches, context.data->size()));
    std::iota(first.begin(), first.end(), std::size_t(0));
    SlotNoise noise = slotNoise(context, first);
    for (const auto &[place, value] : noise.inBodies)
        for (const Slot slot : context.model.plan.slotsOf(place.path.front().first))
            if (const auto own = noise.slots.find(slot);
                own != noise.slots.end() && roleOf(context.model.graph, slot) == api::SlotRole::Parameter) {
                own->second += value;
                break;
            }
    return std::move(noise.slots);
}

/// Noise / signal of each output in one batch.
static std::vector<double> noiseOfOutputs(const std::vector<at::Tensor> &floating,
                                          const std::vector<at::Tensor> &rounded, std::int64_t samples)
{
    std::vector<double> noise(floating.size());
    for (std::size_t o = 0; o < floating.size(); ++o) {
        const at::Tensor fp = numbersOf(floating[o]), q = numbersOf(rounded[o]);
        if (!fp.defined() || !q.defined()) continue;
        ErrorMeasure measure;
        measure.add(fp, q, rowsOf(fp, samples));
        if (const double ratio = measure.noiseRatio(); std::isfinite(ratio)) noise[o] = ratio;
    }
    return noise;
}

NoisyBatches noisiestBatches(const AnalysisContext &context, std::size_t count)
{
    const std::size_t all = std::min(context.batches, context.data->size()), tried = std::min(all, 2 * count);
    const Executor executor(context.model.graph, context.exec);
    ProgramSpec spec;
    spec.outputs = outputsOf(context);
    const Program floating = executor.compile(spec);
    spec.plan = &context.model.plan;
    const Program rounding = executor.compile(spec);
    struct Tried
    {
        double noise = 0;
        std::size_t index = 0;
        std::vector<at::Tensor> outputs; ///< in float
    };
    std::vector<Tried> ranked; // most noise first
    std::vector<double> sums(spec.outputs.size());
    for (std::size_t k = 0; k < tried; ++k) {
        context.job.checkpoint(double(k) / double(tried), QL_TEXT("noise of each sample"));
        const std::size_t i = k * all / tried;
        const Feed feed = context.data->batch(i);
        Tried batch{0, i, floating.run(feed, context.job, context.data->name(i))};
        const std::vector<double> noise = noiseOfOutputs(
            batch.outputs, rounding.run(feed, context.job, context.data->name(i)), samplesPerBatch(feed));
        for (std::size_t o = 0; o < noise.size(); ++o) {
            batch.noise += noise[o];
            sums[o] += noise[o];
        }
        const auto place = std::upper_bound(ranked.begin(), ranked.end(), batch,
                                            [](const Tried &a, const Tried &b) { return a.noise > b.noise; });
        ranked.insert(place, std::move(batch));
        if (ranked.size() > count) ranked.pop_back();
    }
    NoisyBatches noisiest;
    double ofThese = 0;
    for (Tried &batch : ranked) {
        ofThese += batch.noise / double(ranked.size());
        noisiest.indices.push_back(batch.index);
        noisiest.originals.push_back(std::move(batch.outputs));
    }
    if (ofThese > 0) {
        const double perBatch = 1 / (ofThese * double(tried));
        noisiest.sumOfAll = std::accumulate(sums.begin(), sums.end(), 0.0) * perBatch;
        noisiest.worstOfAll = *std::max_element(sums.begin(), sums.end()) * perBatch;
    }
    return noisiest;
}

std::map<Slot, double> noiseOfScales(const QuantPlan &plan, const std::map<Slot, double> &noise)
{
    std::map<Slot, double> sums;
    for (const auto &[slot, value] : noise) sums[plan.root(slot)] += value;
    return sums;
}

double shareOfWeights(const Graph &graph, const std::map<Slot, double> &noise)
{
    double all = 0, ofWeights = 0;
    for (const auto &[slot, value] : noise) {
        all += value;
        if (isWeight(graph.operation(slot.op), slot)) ofWeights += value;
    }
    return all > 0 ? ofWeights / all : 0;
}

std::map<OpId, double> noiseOfOperations(const SlotNoise &noise)
{
    std::map<OpId, double> sums;
    for (const auto &[slot, value] : noise.slots) sums[slot.op] += value;
    for (const auto &[place, value] : noise.inBodies) sums[place.path.front().first] += value;
    return sums;
}

std::map<BodyOperation, double> noiseInBodies(const SlotNoise &noise)
{
    std::map<BodyOperation, double> sums;
    for (const auto &[place, value] : noise.inBodies) sums[{place.path, place.slot.op}] += value;
    return sums;
}

} // namespace ql
