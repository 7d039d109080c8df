#include "core/train/trained.h"

#include "core/exec/gradient_node.h"
#include "core/exec/trainable.h"
#include "core/ir/graph.h"
#include "core/quant/groups.h"
#include "gpu/rounding.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/floor.h>
#include <ATen/ops/gt.h>
#include <ATen/ops/log.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/sigmoid.h>

#include <cmath>

namespace ql {

Trained::Trained(at::Tensor start, double rate) : m_leaf(std::move(start)), m_rate(rate)
{
    m_leaf.set_requires_grad(true);
}

void Trained::addTo(Adam *optimizer) const
{
    optimizer->add(m_leaf, m_rate);
}

void Trained::advance(double, double) {}

namespace {

class TrainedParameter final : public Trained
{
public:
    TrainedParameter(const QuantModel &model, VarId parameter, double rate)
        : Trained(model.plan.parameterValue(model.graph, parameter).contiguous().clone(), rate), m_parameter(parameter)
    {}
    void show(Trainable *to, bool) const override { to->parameters[m_parameter] = m_leaf; }
    void write(QuantModel *model, const Origin &) const override
    {
        model->plan.parameterValues[m_parameter] = m_leaf.detach().clone();
    }

private:
    const VarId m_parameter;
};

class TrainedScale final : public Trained
{
public:
    TrainedScale(const QuantModel &model, Slot slot, double rate)
        : Trained(scaleTensor(model.plan.scale(slot)), rate), m_slot(slot)
    {}
    void addTo(Adam *optimizer) const override { optimizer->addPositive(m_leaf, m_rate); }
    void show(Trainable *to, bool) const override { to->scales[m_slot] = m_leaf; }
    void write(QuantModel *model, const Origin &origin) const override
    {
        const float *data = m_leaf.data_ptr<float>();
        model->plan.find(m_slot)->scale.assign(data, data + m_leaf.numel());
        model->plan.mark(*model->plan.find(m_slot), ConfigField::Scale, origin);
    }

private:
    const Slot m_slot;
};

/// Soft rounding with its gradient and that of the penalty (gpu/rounding.h).
struct SoftRoundingNode final : torch::autograd::Node
{
    at::Tensor sigmoid;
    gpu::SoftRounding grid;
    float penalty = 0;
    int sharpness = 2;

    torch::autograd::variable_list apply(torch::autograd::variable_list &&gradients) override
    {
        if (!gradients[0].defined()) return torch::autograd::variable_list(1);
        const at::Tensor dy = gradients[0].contiguous();
        const at::Tensor dv = at::empty_like(sigmoid);
        gpu::softRoundBackwardCpu(sigmoid.data_ptr<float>(), dy.data_ptr<float>(), dv.data_ptr<float>(), dv.numel(),
                                  grid, penalty, sharpness);
        return {dv};
    }
    void release_variables() override { sigmoid.reset(); }
};

class TrainedRounding final : public Trained
{
    // Rectified sigmoid, section 3.2 of the paper
    static constexpr double zeta = 1.1, gamma = -0.1;

public:
    TrainedRounding(const QuantModel &model, Slot slot, RoundingRule rule, double rate, double penalty)
        : Trained(startOf(model, slot, rule), rate), m_slot(slot), m_parameter(variableOf(model.graph, slot)),
          m_rule(rule), m_penalty(penalty)
    {
        const TensorQuantConfig &config = *model.plan.find(slot);
        const at::Tensor value = model.plan.parameterValue(model.graph, m_parameter).contiguous();
        m_scale = scaleOfElements(scaleTensor(model.plan.scale(slot)), value.sizes(), config);
        m_low = at::floor(value / m_scale);
        const std::vector<std::int32_t> &zeros = model.plan.zeroPoint(slot);
        const at::Tensor zero =
            scaleOfElements(scaleTensor(std::vector<float>(zeros.begin(), zeros.end())), value.sizes(), config);
        const auto perWeight = [&](const at::Tensor &number) { return number.expand(value.sizes()).contiguous(); };
        m_scale = perWeight(m_scale);
        m_lowest = perWeight(float(config.quantMin) - zero);
        m_highest = perWeight(float(config.quantMax) - zero);
    }
    void show(Trainable *to, bool isFinal) const override
    {
        to->quantizers[m_slot] = [this, isFinal](const at::Tensor &) { return rounded(isFinal); };
    }
    void write(QuantModel *model, const Origin &) const override
    {
        model->plan.parameterValues[m_parameter] = rounded(true).detach().clone();
    }
    void advance(double progress, double share) override
    {
        constexpr double start = 0.2; // of the steps: before it, the loss alone moves the roundings
        m_penaltyNow = progress < start ? 0.f : float(m_penalty * share);
        if (progress >= start)
            m_sharpness = int(std::lround(2 + 9 * (1 + std::cos(3.14159265358979 * (progress - start) / (1 - start)))));
    }

private:
    /// Such that the first rounded value is the value itself.
    static at::Tensor startOf(const QuantModel &model, Slot slot, RoundingRule rule)
    {
        const at::Tensor value = model.plan.parameterValue(model.graph, variableOf(model.graph, slot)).contiguous();
        const at::Tensor steps =
            value / scaleOfElements(scaleTensor(model.plan.scale(slot)), value.sizes(), *model.plan.find(slot));
        const at::Tensor rest = (steps - at::floor(steps)).clamp(0.001, 0.999);
        return rule == RoundingRule::Step ? rest : -at::log((zeta - gamma) / (rest - gamma) - 1);
    }
    at::Tensor softlyRounded() const
    {
        const gpu::SoftRounding grid{m_low.data_ptr<float>(), m_lowest.data_ptr<float>(), m_highest.data_ptr<float>(),
                                     m_scale.data_ptr<float>()};
        at::Tensor sigmoid, value;
        {
            const at::NoGradGuard noGradients;
            sigmoid = at::sigmoid(m_leaf);
            value = at::empty_like(sigmoid);
            gpu::softRoundCpu(sigmoid.data_ptr<float>(), value.data_ptr<float>(), value.numel(), grid);
        }
        const auto node = gradientNode<SoftRoundingNode>(m_leaf);
        if (!node) return value;
        node->sigmoid = sigmoid;
        node->grid = grid;
        node->penalty = m_penaltyNow;
        node->sharpness = m_sharpness;
        torch::autograd::set_history(value, node);
        return value;
    }
    at::Tensor rounded(bool isFinal) const
    {
        const bool isSoft = m_rule == RoundingRule::Soft;
        if (isSoft && !isFinal) return softlyRounded();
        at::Tensor up = at::gt(m_leaf, isSoft ? 0.0 : 0.5).to(at::kFloat);
        if (!isFinal) up = up + m_leaf - m_leaf.detach();
        const at::Tensor code = at::minimum(at::maximum(m_low + up, m_lowest), m_highest);
        return code * m_scale;
    }

    const Slot m_slot;
    const VarId m_parameter;
    const RoundingRule m_rule;
    const double m_penalty;
    at::Tensor m_scale, m_low, m_lowest, m_highest; ///< one entry per weight
    float m_penaltyNow = 0;
    int m_sharpness = 2;
};

} // namespace

std::unique_ptr<Trained> trainedParameter(const QuantModel &model, VarId parameter, double rate)
{
    return std::make_unique<TrainedParameter>(model, parameter, rate);
}

std::unique_ptr<Trained> trainedScale(const QuantModel &model, Slot slot, double rate)
{
    return std::make_unique<TrainedScale>(model, slot, rate);
}

std::unique_ptr<Trained> trainedRounding(const QuantModel &model, Slot weight, RoundingRule rule, double rate,
                                         double penalty)
{
    return std::make_unique<TrainedRounding>(model, weight, rule, rate, penalty);
}

} // namespace ql
