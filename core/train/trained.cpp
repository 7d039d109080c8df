#include "core/train/trained.h"

#include "core/exec/trainable.h"
#include "core/ir/graph.h"
#include "core/quant/groups.h"

#include <ATen/ops/clamp.h>
#include <ATen/ops/floor.h>
#include <ATen/ops/gt.h>
#include <ATen/ops/log.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/sigmoid.h>

#include <cmath>

namespace ql {

Trained::Trained(at::Tensor start, double rate) : m_leaf(std::move(start)), m_rate(rate)
{
    m_leaf.set_requires_grad(true);
}

at::Tensor Trained::penalty(double) const
{
    return {};
}

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

/// scale = start * leaf: one learning rate suits large and small scales.
class TrainedScale final : public Trained
{
public:
    TrainedScale(const QuantModel &model, Slot slot, double rate)
        : Trained(at::ones_like(scaleTensor(model.plan.scale(slot))), rate), m_slot(slot),
          m_start(scaleTensor(model.plan.scale(slot)))
    {}
    void show(Trainable *to, bool) const override { to->scales[m_slot] = scale(); }
    void write(QuantModel *model, const Origin &origin) const override
    {
        const at::Tensor now = scale().detach();
        const float *data = now.data_ptr<float>();
        model->plan.find(m_slot)->scale.assign(data, data + now.numel());
        model->plan.mark(*model->plan.find(m_slot), ConfigField::Scale, origin);
    }

private:
    at::Tensor scale() const { return m_start * at::clamp(m_leaf, 0.01); }

    const Slot m_slot;
    const at::Tensor m_start;
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
        m_lowest = float(config.quantMin) - zero;
        m_highest = float(config.quantMax) - zero;
    }
    void show(Trainable *to, bool isFinal) const override
    {
        to->quantizers[m_slot] = [this, isFinal](const at::Tensor &) { return rounded(isFinal); };
    }
    void write(QuantModel *model, const Origin &) const override
    {
        model->plan.parameterValues[m_parameter] = rounded(true).detach().clone();
    }
    at::Tensor penalty(double progress) const override
    {
        constexpr double start = 0.2; // of the steps: before it, the loss alone moves the roundings
        if (m_rule != RoundingRule::Soft || m_penalty <= 0 || progress < start) return {};
        const double sharpness = 2 + 9 * (1 + std::cos(3.14159265358979 * (progress - start) / (1 - start)));
        return m_penalty * (1 - (2 * share() - 1).abs().pow(sharpness)).sum();
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
    /// How much of a step is added to the lower neighbour.
    at::Tensor share() const { return at::clamp(at::sigmoid(m_leaf) * (zeta - gamma) + gamma, 0, 1); }
    at::Tensor rounded(bool isFinal) const
    {
        const bool isSoft = m_rule == RoundingRule::Soft;
        at::Tensor up = at::gt(m_leaf, isSoft ? 0.0 : 0.5).to(at::kFloat);
        if (!isFinal) up = isSoft ? share() : up + m_leaf - m_leaf.detach();
        const at::Tensor code = at::minimum(at::maximum(m_low + up, m_lowest), m_highest);
        return code * m_scale;
    }

    const Slot m_slot;
    const VarId m_parameter;
    const RoundingRule m_rule;
    const double m_penalty;
    at::Tensor m_scale, m_low, m_lowest, m_highest;
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
