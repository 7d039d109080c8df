#include "core/analysis/slot_noise.h"

#include "core/analysis/error_measure.h"
#include "core/base/error.h"
#include "core/quant/quantize.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

namespace ql {

namespace {

/// A tensor in one run: what is added to it, whose gradient is asked for, and its rounding error.
struct Rounded
{
    at::Tensor added, error;
};

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

/// @throws Error, c10::Error if an operation has no gradient
std::map<Slot, double> noiseByGradients(const AnalysisContext &context)
{
    const c10::InferenceMode withGradients(false);
    const at::AutoGradMode grad(true);
    const QuantPlan &plan = context.model.plan;
    std::map<Slot, Rounded> rounded; // of the batch in progress
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
        trainable.quantizers[slot] = [&rounded, &plan, slot = slot, original](const at::Tensor &x) {
            Rounded &here = rounded[slot];
            const at::Tensor given = x.detach().contiguous();
            const at::Tensor value = original.defined() ? original.to(given.options()).reshape(given.sizes()) : given;
            here.error = fakeQuant(given, plan, slot) - value;
            here.added = at::zeros_like(value).set_requires_grad(true);
            return (original.defined() ? value : x) + here.added;
        };
    }
    const Executor executor(context.model.graph, context.exec);
    ProgramSpec spec;
    spec.plan = &plan;
    spec.outputs = measuredOutputs(context.model.graph);
    spec.trainable = &trainable;
    const Program program = executor.compile(spec);

    std::map<Slot, double> noise;
    const std::size_t batches = std::min(context.batches, context.data->size());
    std::mt19937_64 random(1);
    for (std::size_t i = 0; i < batches; ++i) {
        context.job.checkpoint(double(i) / double(batches), QL_TEXT("noise of each tensor"));
        rounded.clear();
        const std::vector<at::Tensor> outputs =
            program.run(context.data->batch(i), context.job, context.data->name(i), i);
        at::Tensor sum;
        for (const at::Tensor &output : outputs) {
            const at::Tensor numbers = numbersOf(output);
            if (!numbers.defined() || !numbers.requires_grad()) continue;
            const double signal = dot(numbers.detach(), numbers.detach());
            if (!(signal > 0)) continue;
            const at::Tensor part = at::sum(numbers * randomSigns(numbers, random)) * (1 / std::sqrt(signal));
            sum = sum.defined() ? sum + part : part;
        }
        if (!sum.defined()) continue;
        sum.backward();
        for (const auto &[slot, here] : rounded)
            if (here.added.grad().defined())
                noise[slot] += channelNoise(here.added.grad(), here.error, isParameter(slot)) / double(batches);
    }
    return noise;
}

} // namespace

std::map<Slot, double> slotNoise(const AnalysisContext &context)
{
    try {
        return noiseByGradients(context);
    } catch (const Error &) {
        return {};
    } catch (const c10::Error &) { // of LibTorch: the same
        return {};
    }
}

std::map<Slot, double> noiseOfScales(const QuantPlan &plan, const std::map<Slot, double> &noise)
{
    std::map<Slot, double> sums;
    for (const auto &[slot, value] : noise) sums[plan.root(slot)] += value;
    return sums;
}

std::map<OpId, double> noiseOfOperations(const std::map<Slot, double> &noise)
{
    std::map<OpId, double> sums;
    for (const auto &[slot, value] : noise) sums[slot.op] += value;
    return sums;
}

} // namespace ql
