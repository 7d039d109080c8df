#include "core/train/adam.h"

#include "gpu/adam.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/clamp_min.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>

namespace ql {

void Adam::add(const at::Tensor &leaf, double rate)
{
    const at::Tensor zeros = at::zeros_like(leaf.detach());
    m_states.push_back({leaf, zeros, zeros.clone(), {}, rate});
}

void Adam::addPositive(const at::Tensor &leaf, double rate)
{
    add(leaf, rate);
    m_states.back().first = leaf.detach().clone();
}

void Adam::forgetGradients()
{
    for (State &state : m_states) state.leaf.mutable_grad().reset();
}

void Adam::step(double factor)
{
    const at::NoGradGuard noGradients;
    for (State &state : m_states) {
        if (!state.leaf.grad().defined()) continue;
        at::Tensor gradient = state.leaf.grad().contiguous(), values = state.leaf.detach();
        if (state.first.defined()) { // in units of the first values
            gradient = gradient * state.first;
            values = values / state.first;
        }
        gpu::AdamParams p;
        p.rate = float(state.rate * factor);
        ++state.steps;
        p.bias1 = float(1 - std::pow(double(p.beta1), state.steps));
        p.bias2 = float(1 - std::pow(double(p.beta2), state.steps));
        gpu::adamStepCpu(values.data_ptr<float>(), gradient.data_ptr<float>(), state.mean.data_ptr<float>(),
                         state.square.data_ptr<float>(), values.numel(), p);
        if (state.first.defined()) state.leaf.detach().copy_(at::clamp_min(values, 0.01) * state.first);
    }
}

} // namespace ql
