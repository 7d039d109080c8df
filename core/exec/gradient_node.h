#pragma once

#include <ATen/core/Tensor.h>
#include <c10/util/intrusive_ptr.h>
#include <memory>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>
#include <type_traits>

namespace ql {

/// A new node, in the pointer by which LibTorch holds nodes: std::shared_ptr, in 2.15 c10::intrusive_ptr.
template <class Node>
auto newNode()
{
    if constexpr (std::is_same_v<decltype(torch::autograd::Edge::function), std::shared_ptr<torch::autograd::Node>>)
        // found by the type of its argument, since newer LibTorch has no deleteNode()
        return std::shared_ptr<Node>(new Node, [](Node *node) { deleteNode(node); });
    else
        return c10::make_intrusive<Node>();
}

/// A node of LibTorch's autograd graph whose gradients are those by the inputs, in order, to be given to set_history()
/// with the result. An input may be undefined.
template <class Node, class... Inputs>
auto nodeAfter(const Inputs &...inputs)
{
    auto node = newNode<Node>();
    node->set_next_edges(torch::autograd::collect_next_edges(inputs...));
    return node;
}

/// The same; nullptr if nobody needs a gradient of any input.
template <class Node, class... Inputs>
auto gradientNode(const Inputs &...inputs)
{
    using Pointer = decltype(newNode<Node>());
    return torch::autograd::compute_requires_grad(inputs...) ? nodeAfter<Node>(inputs...) : Pointer();
}

} // namespace ql
