#pragma once

#include <ATen/core/Tensor.h>
#include <memory>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>

namespace ql {

/// A node of LibTorch's autograd graph whose gradients are those by the inputs, in order, to be given to set_history()
/// with the result. An input may be undefined.
template <class Node, class... Inputs>
std::shared_ptr<Node> nodeAfter(const Inputs &...inputs)
{
    std::shared_ptr<Node> node(new Node, torch::autograd::deleteNode);
    node->set_next_edges(torch::autograd::collect_next_edges(inputs...));
    return node;
}

/// The same; nullptr if nobody needs a gradient of any input.
template <class Node, class... Inputs>
std::shared_ptr<Node> gradientNode(const Inputs &...inputs)
{
    return torch::autograd::compute_requires_grad(inputs...) ? nodeAfter<Node>(inputs...) : nullptr;
}

} // namespace ql
