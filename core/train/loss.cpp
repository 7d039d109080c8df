#include "core/train/loss.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/clamp_min.h>
#include <ATen/ops/kl_div.h>
#include <ATen/ops/log.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/mse_loss.h>

namespace ql {

constexpr std::int64_t classAxis = 1;

bool isFloatTensor(const at::Tensor &t)
{
    return t.defined() && at::isFloatingType(t.scalar_type()) && t.numel() > 0;
}

bool hasClasses(const at::Tensor &t)
{
    return isFloatTensor(t) && t.dim() > classAxis && t.size(classAxis) > 1;
}

static bool areProbabilities(const at::Tensor &t)
{
    return t.min().item<float>() >= 0 && (t.sum(classAxis) - 1).abs().max().item<float>() < 1e-3f;
}

static at::Tensor divergence(const at::Tensor &output, const at::Tensor &target)
{
    const bool isProbability = areProbabilities(target);
    const auto logarithms = [&](const at::Tensor &t) {
        return isProbability ? at::log(at::clamp_min(t, 1e-7)) : at::log_softmax(t, classAxis);
    };
    const at::Tensor sum =
        at::kl_div(logarithms(output), logarithms(target).to(output.device()), at::Reduction::Sum, /*log_target=*/true);
    return sum / double(target.numel() / target.size(classAxis));
}

at::Tensor lossOf(Loss loss, const std::vector<at::Tensor> &outputs, const std::vector<at::Tensor> &targets)
{
    at::Tensor sum;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (!isFloatTensor(outputs[i]) || outputs[i].sizes() != targets[i].sizes()) continue;
        const at::Tensor output = outputs[i].to(at::kFloat), target = targets[i].to(at::kFloat); // from a Cast, too
        at::Tensor one;
        if (loss == Loss::Outputs)
            one = at::mse_loss(output, target.to(output.device()));
        else if (hasClasses(target))
            one = divergence(output, target);
        else
            continue;
        sum = sum.defined() ? sum + one : one;
    }
    return sum;
}

} // namespace ql
