#pragma once

#include <ATen/core/Tensor.h>
#include <vector>

namespace ql {

/// Adam (Kingma and Ba, 2015) for leaves of autograd in float32 on the CPU, each with a rate of its own.
class Adam
{
public:
    /// leaf: dense and contiguous; a step changes it in place.
    void add(const at::Tensor &leaf, double rate);
    /// The same for positive numbers, with a rate relative to their first values; they stay above 1/100 of these.
    void addPositive(const at::Tensor &leaf, double rate);
    void forgetGradients();
    /// One step by the gradients collected since. factor: of all rates. Leaves without a gradient stay.
    void step(double factor);

private:
    struct State
    {
        at::Tensor leaf, mean, square;
        at::Tensor first; ///< defined: the rate is relative to it
        double rate;
        int steps = 0;
    };
    std::vector<State> m_states;
};

} // namespace ql
