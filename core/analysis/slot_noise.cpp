#include "core/analysis/slot_noise.h"

#include "core/analysis/error_measure.h"
#include "core/base/error.h"
#include "core/exec/gradient_node.h"
#include "core/ir/op_traits.h"
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

/// @throws Error, c10::Error if an operation has no gradient
std::map<Slot, double> noiseByGradients(const AnalysisContext &context, const std::vector<std::size_t> &batches)
{
    const c10::InferenceMode withGradients(false);
    const at::AutoGradMode grad(true);
    const QuantPlan &plan = context.model.plan;
    std::map<Slot, double> noise; // sum over the batches
    Trainable trainable;
    const Graph &graph = context.model.graph;
    const auto isParameter = [&](Slot slot) {
        return !slot.output && graph.isParameter(graph.operation(slot.op).inputs[std::size_t(slot.index)]);
    };
    for (const auto &[slot, config] : plan.configs()) {
        if (!plan.simulated(slot)) continue;
        // Of a parameter: from its float value, whatever the plan made of it
        const at::Tensor original = isParameter(slot)
                                        ? graph.variable(graph.operation(slot.op).inputs[std::size_t(slot.index)]).value
                                        : at::Tensor();
        trainable.quantizers[slot] = [&noise, &plan, slot = slot, original](const at::Tensor &x) {
            const at::Tensor given = x.detach();
            const at::Tensor value = original.defined() ? original.to(given.options()).reshape(given.sizes()) : given;
            const auto add = [&noise, &plan, slot, given, value,
                              isParameter = original.defined()](const at::Tensor &gradient) {
                const at::Tensor dense = given.is_non_overlapping_and_dense() ? given : given.contiguous();
                noise[slot] += channelNoise(gradient, fakeQuant(dense, plan, slot) - value, isParameter);
            };
            return observedBy(add, original.defined() ? at::Tensor() : x, value);
        };
    }
    const Executor executor(context.model.graph, context.exec);
    ProgramSpec spec;
    spec.plan = &plan;
    spec.outputs = outputsOf(context);
    spec.trainable = &trainable;
    const Program program = executor.compile(spec);

    std::mt19937_64 random(1);
    for (std::size_t k = 0; k < batches.size(); ++k) {
        context.job.checkpoint(double(k) / double(batches.size()), QL_TEXT("noise of each tensor"));
        const std::size_t i = batches[k];
        at::Tensor sum =
            weightedSum(program.run(context.data->batch(i), context.job, context.data->name(i), i), random);
        if (sum.defined()) sum.backward();
    }
    for (auto &[slot, value] : noise) value /= double(batches.size());
    return noise;
}

} // namespace

std::map<Slot, double> slotNoise(const AnalysisContext &context)
{
    std::vector<std::size_t> first(std::min(context.batches, context.data->size()));
    std::iota(first.begin(), first.end(), std::size_t(0));
    return slotNoise(context, first);
}

std::map<Slot, double> slotNoise(const AnalysisContext &context, const std::vector<std::size_t> &batches)
{
    try {
        return noiseByGradients(context, batches);
    } catch (const Error &) {
        return {};
    } catch (const c10::Error &) { // of LibTorch: the same
        return {};
    }
}

std::vector<std::size_t> noisiestBatches(const AnalysisContext &context, std::size_t count,
                                         std::vector<std::vector<at::Tensor>> *originals)
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
    for (std::size_t k = 0; k < tried; ++k) {
        context.job.checkpoint(double(k) / double(tried), QL_TEXT("noise of each sample"));
        const std::size_t i = k * all / tried;
        const Feed feed = context.data->batch(i);
        Tried batch{0, i, floating.run(feed, context.job, context.data->name(i))};
        const std::vector<at::Tensor> outputs = rounding.run(feed, context.job, context.data->name(i));
        for (std::size_t o = 0; o < outputs.size(); ++o) {
            const at::Tensor fp = numbersOf(batch.outputs[o]), q = numbersOf(outputs[o]);
            if (!fp.defined() || !q.defined()) continue;
            ErrorMeasure measure;
            measure.add(fp, q, rowsOf(fp, samplesPerBatch(feed)));
            if (const double ratio = measure.noiseRatio(); std::isfinite(ratio)) batch.noise += ratio;
        }
        if (!originals) batch.outputs.clear();
        const auto place = std::upper_bound(ranked.begin(), ranked.end(), batch,
                                            [](const Tried &a, const Tried &b) { return a.noise > b.noise; });
        ranked.insert(place, std::move(batch));
        if (ranked.size() > count) ranked.pop_back();
    }
    std::vector<std::size_t> noisiest;
    for (Tried &batch : ranked) {
        noisiest.push_back(batch.index);
        if (originals) originals->push_back(std::move(batch.outputs));
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

std::map<OpId, double> noiseOfOperations(const std::map<Slot, double> &noise)
{
    std::map<OpId, double> sums;
    for (const auto &[slot, value] : noise) sums[slot.op] += value;
    return sums;
}

} // namespace ql
