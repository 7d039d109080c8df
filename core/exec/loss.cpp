// Losses that stay in graphs exported with their training head. Source: ONNX NegativeLogLikelihoodLoss-13,
// SoftmaxCrossEntropyLoss-13.
#include "core/exec/kernel.h"

#include <ATen/ops/gather.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

namespace ql {

namespace {

/// -weight[t] * x[n, t, ...] for each target t, 0 where t is ignore_index. x: [N, C, d...], target: [N, d...].
at::Tensor likelihoodLoss(const KernelContext &context, const at::Tensor &x, const at::Tensor &target,
                          const at::Tensor &weight)
{
    const Operation &op = context.op;
    const at::Tensor wide = target.to(at::kLong);
    at::Tensor counted = at::ones_like(wide, at::TensorOptions(at::kBool));
    if (op.hasAttribute("ignore_index")) counted = wide != op.intAttribute("ignore_index", 0);
    const at::Tensor index = at::where(counted, wide, at::zeros_like(wide));
    if (x.dim() < 2 || index.dim() != x.dim() - 1)
        throw Error(ErrorKind::Kernel, QL_TEXT("%1: the ranks of input and target do not match").with(op.type),
                    op.name);
    at::Tensor factor = at::ones_like(index, x.options());
    if (weight.defined()) factor = at::index_select(weight, 0, index.reshape({-1})).reshape(index.sizes());
    factor = factor * counted;
    const at::Tensor loss = -at::gather(x, 1, index.unsqueeze(1)).squeeze(1) * factor;
    const std::string reduction = op.stringAttribute("reduction", "mean");
    if (reduction == "none") return loss;
    if (reduction == "sum") return loss.sum();
    return loss.sum() / factor.sum();
}

std::vector<at::Tensor> negativeLogLikelihood(const KernelContext &context, Inputs inputs)
{
    return {likelihoodLoss(context, requiredInput(context, inputs, 0), requiredInput(context, inputs, 1),
                           inputOr(inputs, 2))};
}

std::vector<at::Tensor> softmaxCrossEntropy(const KernelContext &context, Inputs inputs)
{
    const at::Tensor logarithms = at::log_softmax(requiredInput(context, inputs, 0), 1);
    return {likelihoodLoss(context, logarithms, requiredInput(context, inputs, 1), inputOr(inputs, 2)), logarithms};
}

const RefusalFunction onlyLossReductions = acceptsOnly({{"reduction", {"none", "sum", "mean"}}});
const KernelRegistrar likelihood{
    {"NegativeLogLikelihoodLoss"},
    {.run = negativeLogLikelihood, .minOpset = 12, .family = "loss", .refusal = onlyLossReductions}};
const KernelRegistrar crossEntropy{
    {"SoftmaxCrossEntropyLoss"},
    {.run = softmaxCrossEntropy, .minOpset = 12, .family = "loss", .refusal = onlyLossReductions}};

} // namespace

} // namespace ql
