#include "core/pass/look_up.h"

#include "core/quant/groups.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <cmath>

namespace ql {

std::vector<OpId> lookUpNodes(const Graph &graph, VarId values)
{
    const auto producer = [&](VarId id, const char *type) {
        const OpId found = id == noVar ? noOp : graph.variable(id).producer;
        const bool matches =
            found != noOp && graph.operation(found).domain.empty() && graph.operation(found).type == type;
        return matches ? found : noOp;
    };
    const OpId mul = producer(values, "Mul");
    const OpId gather = mul == noOp ? noOp : producer(graph.operation(mul).inputs[0], "Gather");
    if (gather == noOp || !graph.isParameter(graph.operation(gather).inputs[0])) return {};
    const OpId cast = producer(graph.operation(gather).inputs[1], "Cast");
    if (cast == noOp || !graph.isParameter(graph.operation(cast).inputs[0])) return {};
    std::vector<OpId> nodes{mul, gather, cast};
    const VarId scale = graph.operation(mul).inputs[1];
    if (graph.isParameter(scale)) return nodes;
    const OpId ofGroups = producer(scale, "Gather");
    if (ofGroups == noOp || !graph.isParameter(graph.operation(ofGroups).inputs[0]) ||
        !graph.isParameter(graph.operation(ofGroups).inputs[1]))
        return {};
    nodes.push_back(ofGroups);
    return nodes;
}

/// The format whose codes have these values.
static std::optional<StoredGrid> formatOf(const at::Tensor &table)
{
    const std::vector<float> values(table.data_ptr<float>(), table.data_ptr<float>() + table.numel());
    const float largest = *std::max_element(values.begin(), values.end());
    const auto matches = [&](const StoredGrid &grid) { return codeValues(grid.config()) == values; };
    StoredGrid grid;
    grid.quantMax = std::int64_t(std::ceil(largest)); // of E2M3, which ends at 7.5, 8
    grid.quantMin = -grid.quantMax;
    while (grid.bits > 0 && (std::size_t(1) << grid.bits) != values.size()) --grid.bits; // 8 at most
    grid.codebook = Codebook::Nf4;
    if (grid.bits == 4 && matches(grid)) return grid;
    grid.codebook = Codebook::None;
    for (grid.exponentBits = 1; grid.exponentBits < grid.bits; ++grid.exponentBits)
        if (matches(grid)) return grid;
    return std::nullopt;
}

/// Sets the axis of a grid with one scale per entry. scale: broadcasts to the parameter. @returns whether it has one
static bool findAxis(StoredGrid &grid, const at::Tensor &scale)
{
    if (scale.numel() == 1) return true;
    for (std::int64_t axis = 0; axis < scale.dim(); ++axis)
        if (scale.size(axis) == scale.numel()) grid.axis = int(axis);
    return grid.axis.has_value();
}

/// Sets axis and size of the groups. index: of the group of each entry along the axis.
static bool findGroups(StoredGrid &grid, const at::Tensor &index, std::int64_t axis, std::int64_t rank)
{
    if (index.dim() != 1) return false;
    const at::Tensor groups = index.to(at::kLong);
    const std::int64_t size = groups.eq(0).sum().item<std::int64_t>();
    grid.axis = int(axis < 0 ? axis + rank : axis);
    grid.groupSize = int(size);
    return size > 1 && at::equal(groups, at::arange(groups.numel()).floor_divide(size));
}

std::optional<LookedUp> lookedUp(const Graph &graph, const Operation &op)
{
    if (op.outputs.empty()) return std::nullopt;
    const std::vector<OpId> nodes = lookUpNodes(graph, op.outputs[0]);
    if (nodes.empty() || nodes[0] != op.id) return std::nullopt;
    const auto value = [&](OpId id, std::size_t i) {
        return graph.variable(graph.operation(id).inputs[i]).value.contiguous();
    };
    const at::Tensor table = value(nodes[1], 0), codes = value(nodes[2], 0);
    const bool isGrouped = nodes.size() > 3;
    const at::Tensor scale = isGrouped ? value(nodes[3], 0) : value(nodes[0], 1);
    if (table.scalar_type() != at::kFloat || table.dim() != 1 || table.numel() < 2 ||
        scale.scalar_type() != at::kFloat || graph.operation(nodes[1]).intAttribute("axis", 0) != 0 ||
        codes.numel() == 0 || codes.min().item<std::int64_t>() < 0 || codes.max().item<std::int64_t>() >= table.numel())
        return std::nullopt;
    std::optional<StoredGrid> grid = formatOf(table);
    if (!grid) return std::nullopt;
    const bool fits = isGrouped ? findGroups(*grid, value(nodes[3], 1),
                                             graph.operation(nodes[3]).intAttribute("axis", 0), codes.dim())
                                : findAxis(*grid, scale);
    const bool isPositive = scale.isfinite().all().item<bool>() && scale.min().item<float>() > 0;
    if (!fits || !isPositive || (grid->axis && *grid->axis >= codes.dim())) return std::nullopt;
    const at::Tensor flat = scale.reshape({-1});
    grid->scale.assign(flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel());
    grid->zeroPoint.assign(grid->scale.size(), 0);
    if (isGrouped && groupCount(codes.sizes(), grid->config()) != grid->scale.size()) return std::nullopt;
    if (!isGrouped && grid->axis && codes.size(*grid->axis) != flat.numel()) return std::nullopt;
    const at::Tensor values = table.index_select(0, codes.to(at::kLong).reshape({-1})).reshape(codes.sizes());
    return LookedUp{graph.operation(nodes[2]).inputs[0], *grid,
                    (values * scaleOfElements(flat, codes.sizes(), grid->config())).contiguous()};
}

} // namespace ql
