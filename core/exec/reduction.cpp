// Reductions. Axes are an attribute in old opsets and an input in new ones. Source: ONNX operator specifications.
#include "core/exec/kernel.h"
#include "core/exec/runtime_kernels.h"

#include <ATen/ops/abs.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/amin.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cumprod.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/full.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/log.h>
#include <ATen/ops/logsumexp.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/prod.h>
#include <ATen/ops/sqrt.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

namespace ql {

namespace {

using Reduce = at::Tensor (*)(const at::Tensor &, const std::vector<std::int64_t> &, bool keep);

std::vector<at::Tensor> reduced(Reduce function, const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    std::vector<std::int64_t> axes =
        inputOr(inputs, 1).defined() ? toInts(inputs[1]) : context.op.intsAttribute("axes");
    if (axes.empty()) {
        // No sum, but squares, logarithms and so on: the reduced axes have one element
        if (context.op.intAttribute("noop_with_empty_axes", 0) != 0)
            return {function(x.unsqueeze(-1), {x.dim()}, false).to(x.scalar_type())};
        axes.resize(std::size_t(x.dim()));
        std::iota(axes.begin(), axes.end(), std::int64_t{0});
    }
    for (std::int64_t &axis : axes) axis = normalizeAxis(axis, x.dim(), context.op);
    if (x.dim() == 0) return {function(x.reshape({1}), {0}, false).to(x.scalar_type())};
    return {function(x, axes, context.op.intAttribute("keepdims", 1) != 0).to(x.scalar_type())};
}

KernelEntry reduction(Reduce function, Reduce asRuntime = nullptr)
{
    const auto kernelOf = [](Reduce reduce) {
        return [reduce](const KernelContext &context, Inputs inputs) { return reduced(reduce, context, inputs); };
    };
    KernelEntry entry{
        .run = kernelOf(function), .family = "reduction", .onDevice = always, .openvinoRoundsResult = true};
    if (asRuntime) entry.asRuntime = kernelOf(asRuntime);
    return entry;
}
OpTraits reductionTraits(bool isLinear = false)
{
    return {.inputs = {{"data"}, {"axes", SlotKind::ShapeOrIndex}},
            .isLinear = isLinear ? always : nullptr,
            .shapes = {.inputs = 1, .elementType = ElementTypeRule::OfInput0}};
}

at::Tensor mean(const at::Tensor &x, const std::vector<std::int64_t> &axes, bool keep)
{
    // Integers are averaged in double and truncated back
    return at::isFloatingType(x.scalar_type()) ? at::mean(x, axes, keep) : at::mean(x.to(at::kDouble), axes, keep);
}
at::Tensor sum(const at::Tensor &x, const std::vector<std::int64_t> &axes, bool keep)
{
    return at::sum(x, axes, keep);
}
at::Tensor sumOfRuntime(const at::Tensor &x, const std::vector<std::int64_t> &axes, bool keep)
{
    if (x.scalar_type() != at::kFloat || x.numel() == 0) return sum(x, axes, keep);
    return runtimeSum(x, axes, keep);
}
at::Tensor meanOfRuntime(const at::Tensor &x, const std::vector<std::int64_t> &axes, bool keep)
{
    if (x.scalar_type() != at::kFloat || x.numel() == 0) return mean(x, axes, keep);
    const at::Tensor y = runtimeSum(x, axes, keep);
    return y / float(x.numel() / y.numel());
}
/// Over no values: the smallest value of the type for a maximum, the largest for a minimum; infinities for floats.
at::Tensor extremeOfNothing(const at::Tensor &x, const std::vector<std::int64_t> &axes, bool keep, bool isMaximum)
{
    std::vector<std::int64_t> shape;
    for (std::int64_t i = 0; i < x.dim(); ++i) {
        const bool isReduced = std::find(axes.begin(), axes.end(), i) != axes.end();
        if (!isReduced || keep) shape.push_back(isReduced ? 1 : x.size(i));
    }
    const double infinity = std::numeric_limits<double>::infinity();
    if (at::isFloatingType(x.scalar_type())) return at::full(shape, isMaximum ? -infinity : infinity, x.options());
    at::Scalar value;
    switch (x.scalar_type()) {
    case at::kBool: value = !isMaximum; break;
    case at::kByte: value = isMaximum ? 0 : 255; break;
    case at::kChar: value = isMaximum ? -128 : 127; break;
    case at::kShort: value = isMaximum ? -32768 : 32767; break;
    case at::kInt: value = isMaximum ? INT32_MIN : INT32_MAX; break;
    default: value = isMaximum ? INT64_MIN : INT64_MAX; break;
    }
    return at::full(shape, value, x.options());
}
at::Tensor max(const at::Tensor &x, const std::vector<std::int64_t> &axes, bool keep)
{
    return x.numel() == 0 ? extremeOfNothing(x, axes, keep, true) : at::amax(x, axes, keep);
}
at::Tensor min(const at::Tensor &x, const std::vector<std::int64_t> &axes, bool keep)
{
    return x.numel() == 0 ? extremeOfNothing(x, axes, keep, false) : at::amin(x, axes, keep);
}
at::Tensor l1(const at::Tensor &x, const std::vector<std::int64_t> &axes, bool keep)
{
    return at::sum(at::abs(x), axes, keep);
}
at::Tensor l2(const at::Tensor &x, const std::vector<std::int64_t> &axes, bool keep)
{
    return at::sqrt(at::sum(x * x, axes, keep));
}
at::Tensor l2OfRuntime(const at::Tensor &x, const std::vector<std::int64_t> &axes, bool keep)
{
    return x.scalar_type() != at::kFloat || x.numel() == 0 ? l2(x, axes, keep) : runtimeNorm(x, axes, keep);
}
at::Tensor sumSquare(const at::Tensor &x, const std::vector<std::int64_t> &axes, bool keep)
{
    return at::sum(x * x, axes, keep);
}
at::Tensor logSum(const at::Tensor &x, const std::vector<std::int64_t> &axes, bool keep)
{
    return at::log(at::sum(x, axes, keep));
}
at::Tensor logSumExp(const at::Tensor &x, const std::vector<std::int64_t> &axes, bool keep)
{
    return at::logsumexp(x, axes, keep);
}
at::Tensor prod(const at::Tensor &x, const std::vector<std::int64_t> &axes, bool keep)
{
    at::Tensor y = x;
    std::vector<std::int64_t> fromEnd = axes; // removing an axis shifts those after it
    std::sort(fromEnd.rbegin(), fromEnd.rend());
    for (const std::int64_t axis : fromEnd) y = at::prod(y, axis, keep);
    return y;
}

const KernelRegistrar reduceMean{{"ReduceMean"}, reduction(mean, meanOfRuntime), reductionTraits(true)};
const KernelRegistrar reduceSum{{"ReduceSum"}, reduction(sum, sumOfRuntime), reductionTraits(true)};
const KernelRegistrar reduceMax{{"ReduceMax"}, reduction(max), reductionTraits()};
const KernelRegistrar reduceMin{{"ReduceMin"}, reduction(min), reductionTraits()};
const KernelRegistrar reduceL1{{"ReduceL1"}, reduction(l1), reductionTraits()};
const KernelRegistrar reduceL2{{"ReduceL2"}, reduction(l2, l2OfRuntime), reductionTraits()};
const KernelRegistrar reduceSumSquare{{"ReduceSumSquare"}, reduction(sumSquare), reductionTraits()};
const KernelRegistrar reduceLogSum{{"ReduceLogSum"}, oftenUndefined(reduction(logSum)), reductionTraits()};
const KernelRegistrar reduceLogSumExp{{"ReduceLogSumExp"}, reduction(logSumExp), reductionTraits()};
const KernelRegistrar reduceProd{{"ReduceProd"}, reduction(prod), reductionTraits()};

/// Sums or products of the elements up to each one. neutral: of no elements.
KernelEntry cumulative(at::Tensor (*function)(const at::Tensor &, std::int64_t axis), int neutral,
                       std::int64_t minOpset)
{
    const auto run = [function, neutral](const KernelContext &context, Inputs inputs) {
        const at::Tensor x = requiredInput(context, inputs, 0);
        const std::int64_t axis = normalizeAxis(toInts(requiredInput(context, inputs, 1)).at(0), x.dim(), context.op);
        const bool reverse = context.op.intAttribute("reverse", 0) != 0;
        at::Tensor y = function(reverse ? x.flip({axis}) : x, axis).to(x.scalar_type());
        if (const std::int64_t size = x.size(axis); size > 0 && context.op.intAttribute("exclusive", 0) != 0)
            // Not y minus or divided by x, which loses small values
            y = at::cat({at::full_like(y.narrow(axis, 0, 1), neutral), y.narrow(axis, 0, size - 1)}, axis);
        return std::vector<at::Tensor>{reverse ? y.flip({axis}) : y};
    };
    return {.run = run, .minOpset = minOpset, .family = "reduction", .onDevice = always};
}
at::Tensor sumsAlong(const at::Tensor &x, std::int64_t axis)
{
    return at::cumsum(x, axis);
}
at::Tensor productsAlong(const at::Tensor &x, std::int64_t axis)
{
    return at::cumprod(x, axis);
}
const OpTraits cumulativeTraits{.inputs = {{"x"}, {"axis", SlotKind::ShapeOrIndex}}, .shapes = {.inputs = 1}};
const KernelRegistrar cumSum{{"CumSum"}, cumulative(sumsAlong, 0, 11), cumulativeTraits};
const KernelRegistrar cumProd{{"CumProd"}, cumulative(productsAlong, 1, 26), cumulativeTraits};

} // namespace

} // namespace ql
