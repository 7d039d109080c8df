#include "core/exec/type_tracer.h"

#include "core/ir/op_traits.h"

#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cstdint>

namespace ql {

namespace {

/// By variable, whether its values may affect a shape.
std::vector<bool> whatMatters(const Graph &graph)
{
    const auto index = [](VarId id) { return std::size_t(id); };
    std::vector<bool> matters;
    const auto mark = [&](VarId id) {
        if (index(id) >= matters.size()) matters.resize(index(id) + 1);
        matters[index(id)] = true;
    };
    const auto isMarked = [&](VarId id) { return id != noVar && index(id) < matters.size() && matters[index(id)]; };
    std::vector<OpId> order = graph.topological();
    std::reverse(order.begin(), order.end());
    for (const OpId id : order) {
        const Operation &op = graph.operation(id);
        std::size_t free = traitsOf(op).shapes.inputs;
        // Shape outputs affect shapes directly; the values of the tensor they describe do not
        if (!readsShapeOnly(op) && std::any_of(op.outputs.begin(), op.outputs.end(), isMarked)) free = 0;
        for (std::size_t i = free; i < op.inputs.size(); ++i)
            if (op.inputs[i] != noVar) mark(op.inputs[i]);
    }
    return matters;
}

} // namespace

TypeTracer::TypeTracer(const Graph &graph) : m_matters(whatMatters(graph)) {}

TensorType TypeTracer::typeOf(const at::Tensor &value)
{
    TensorType type;
    type.dtype = value.scalar_type();
    type.shape.emplace();
    for (const std::int64_t size : value.sizes()) type.shape->push_back({size, {}});
    return type;
}

std::optional<std::vector<at::Tensor>> TypeTracer::zerosFor(const Operation &op, Inputs inputs) const
{
    const SizesRule &sizes = traitsOf(op).shapes.sizes;
    if (!sizes || inputs.empty() || !inputs[0].defined() || inputs[0].scalar_type() != at::kFloat ||
        op.outputs.empty() || op.outputs[0] == noVar)
        return std::nullopt;
    const auto index = std::size_t(op.outputs[0]);
    if (index < m_matters.size() && m_matters[index]) return std::nullopt;
    const auto shape = sizes(op, inputs);
    if (!shape) return std::nullopt;
    checkElements(op, *shape);
    return std::vector<at::Tensor>{at::zeros({}, inputs[0].options()).expand(*shape)};
}

at::Tensor TypeTracer::dense(const at::Tensor &tensor)
{
    const bool isHollow =
        tensor.defined() && tensor.numel() > 1 &&
        std::all_of(tensor.strides().begin(), tensor.strides().end(), [](std::int64_t stride) { return stride == 0; });
    return isHollow ? tensor.contiguous() : tensor;
}

} // namespace ql
