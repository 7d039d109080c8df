#include "core/analysis/divergence.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/sum.h>

namespace ql {

static at::Tensor sumOverClasses(const at::Tensor &values, std::int64_t axis)
{
    return at::sum(values, at::IntArrayRef({axis}), true);
}

static bool areProbabilities(const at::Tensor &values, std::int64_t axis)
{
    constexpr double rounding = 1e-3;
    return values.min().item().toDouble() >= 0 &&
           (sumOverClasses(values, axis) - 1).abs().max().item().toDouble() < rounding;
}

std::optional<double> divergenceOf(const at::Tensor &fp, const at::Tensor &q, std::int64_t axis)
{
    if (!fp.defined() || !q.defined() || fp.sizes() != q.sizes() || !at::isFloatingType(fp.scalar_type()) ||
        !at::isFloatingType(q.scalar_type()) || axis < 0 || axis >= fp.dim() || fp.size(axis) < 2 || fp.numel() == 0)
        return std::nullopt;
    const bool isNormal = areProbabilities(fp, axis);
    const auto logarithms = [&](const at::Tensor &values) {
        if (!isNormal) return at::log_softmax(values.to(at::kFloat), axis);
        constexpr double least = 1e-6; // rounding makes zeros of small probabilities
        const at::Tensor positive = values.to(at::kFloat).clamp_min(least);
        return (positive / sumOverClasses(positive, axis)).log();
    };
    const at::Tensor logP = logarithms(fp), logQ = logarithms(q);
    const double sum = at::sum(logP.exp() * (logP - logQ), at::kDouble).item().toDouble();
    return sum * double(fp.size(axis)) / double(fp.numel());
}

} // namespace ql
