#include "core/session/matched_encodings.h"

#include "core/platform/rule.h"
#include "core/quant/groups.h"
#include "core/quant/quantize.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/tensor.h>
#include <c10/util/accumulate.h>

#include <algorithm>

namespace ql {

namespace {

/// A Sum of two tensors and an Add are the same.
bool isSameType(const std::string &a, const std::string &b)
{
    const auto plain = [](const std::string &type) { return type == "Sum" ? std::string("Add") : type; };
    return a.empty() || b.empty() || plain(a) == plain(b);
}

/// The slots of the model that an encoding describes.
std::vector<Slot> describedSlots(const Graph &graph, const StoredEncoding &stored)
{
    std::vector<Slot> slots;
    const OpId id = stored.op.empty() ? noOp : graph.findOperation(stored.op);
    if (id != noOp && isSameType(graph.operation(id).type, stored.type)) {
        if (stored.slot) {
            const Slot slot{id, stored.slot->output, stored.slot->index};
            if (variableOf(graph, slot) != noVar) slots.push_back(slot);
            return slots;
        }
        for (const Slot slot : slotsOf(graph.operation(id)))
            if (const VarId variable = variableOf(graph, slot);
                variable != noVar && graph.variable(variable).name == stored.variable)
                slots.push_back(slot);
        return slots;
    }
    const VarId variable = graph.findVariable(stored.variable);
    if (variable == noVar) return slots;
    const Variable &tensor = graph.variable(variable);
    const bool writes = !stored.slot || stored.slot->output, reads = !stored.slot || !stored.slot->output;
    if (writes && tensor.producer != noOp)
        slots.push_back(outputSlot(tensor.producer, std::size_t(tensor.producerIndex)));
    for (const Use &use : tensor.uses)
        if (reads && use.op != noOp) slots.push_back({use.op, false, use.index});
    return slots;
}

/// Of a matrix, row by row.
template <class T>
std::vector<T> transposed(const std::vector<T> &values, std::int64_t rows, std::int64_t columns)
{
    std::vector<T> result;
    for (std::int64_t column = 0; column < columns; ++column)
        for (std::int64_t row = 0; row < rows; ++row) result.push_back(values.at(std::size_t(row * columns + column)));
    return result;
}

/// Each value that many times.
template <class T>
std::vector<T> repeated(const std::vector<T> &values, std::size_t times)
{
    std::vector<T> result;
    for (const T value : values) result.insert(result.end(), times, value);
    return result;
}

/// Files other than models may not say which axis several scales belong to: the output channels, if there are as many.
/// Blocks are along the input channels then, and those of a matrix whose last axis is the output's come transposed.
void findAxis(const Graph &graph, const Operation &op, Slot slot, StoredGrid &grid)
{
    if (!hasOutputChannels(graph, op, slot)) return;
    grid.axis = outputChannelAxis(graph, op, slot);
    if (grid.groupSize == 0 || !grid.axis) return;
    const at::Tensor &value = graph.variable(variableOf(op, slot)).value;
    const bool isLast = value.defined() && *grid.axis == value.dim() - 1;
    if (*grid.axis != 0 && !isLast) { // ConvTranspose
        grid.axis.reset();
        return;
    }
    if (isLast) {
        const std::int64_t channels = value.size(-1), count = std::int64_t(grid.scale.size());
        if (count % channels != 0) return;
        grid.scale = transposed(grid.scale, channels, count / channels);
        grid.zeroPoint = transposed(grid.zeroPoint, channels, count / channels);
    }
    grid.axis = isLast ? *grid.axis - 1 : 1;
}

/// Whether a tensor of these sizes has the scales. Blocks that cover a whole kernel get a scale for each of its
/// entries.
bool fitsScales(at::IntArrayRef sizes, StoredGrid &grid)
{
    if (!grid.axis || *grid.axis < 0 || std::size_t(*grid.axis) >= sizes.size()) return false;
    if (grid.groupSize == 0) return sizes[std::size_t(*grid.axis)] == std::int64_t(grid.scale.size());
    const std::size_t count = groupCount(sizes, grid.config());
    const auto kernel = std::size_t(c10::multiply_integers(sizes.slice(std::min<std::size_t>(2, sizes.size()))));
    if (count != grid.scale.size() && count == grid.scale.size() * kernel) {
        grid.scale = repeated(grid.scale, kernel);
        grid.zeroPoint = repeated(grid.zeroPoint, kernel);
    }
    return count == grid.scale.size();
}

StoredGrid withAxis(const Graph &graph, Slot slot, StoredGrid grid)
{
    const Operation &op = graph.operation(slot.op);
    const Variable &variable = graph.variable(variableOf(op, slot));
    if (grid.axis && *grid.axis < 0 && variable.type.shape) *grid.axis += int(variable.type.shape->size());
    if (grid.scale.size() < 2) return grid;
    if (!grid.axis) findAxis(graph, op, slot, grid);
    if (variable.value.defined() ? fitsScales(variable.value.sizes(), grid) : grid.axis.has_value()) return grid;
    throw Error(
        ErrorKind::BadData,
        QL_TEXT("the file has %1 scales for a tensor with another number of output channels").with(grid.scale.size()),
        op.name, variable.name)
        .withRemedy(QL_TEXT("Use the model that the encodings were made for."));
}

/// A Gemm with transB of the model is a MatMul with the transposed weight in the file.
StoredEncoding inLayoutOf(const Graph &graph, Slot slot, StoredEncoding stored)
{
    const Operation &op = graph.operation(slot.op);
    const at::Tensor &value = graph.variable(variableOf(op, slot)).value;
    const bool isOther = op.type == "Gemm" && op.intAttribute("transB", 0) != 0 && stored.type == "MatMul";
    if (slot.output || slot.index != 1 || !isOther || !value.defined() || value.dim() != 2 || !stored.value.defined() ||
        stored.value.dim() != 2)
        return stored;
    if (stored.grid.groupSize > 0) { // a scale for each group along one axis and each entry of the other
        const std::vector<std::int64_t> shape = groupShape(stored.value.sizes(), stored.grid.config());
        stored.grid.scale = transposed(stored.grid.scale, shape[0], shape[1]);
        stored.grid.zeroPoint = transposed(stored.grid.zeroPoint, shape[0], shape[1]);
    }
    stored.value = stored.value.transpose(0, 1).contiguous();
    if (stored.grid.axis) stored.grid.axis = 1 - *stored.grid.axis;
    return stored;
}

/// Whether the model's value has the codes of the file, except where it is on the border of two, to within what the
/// scale may have lost: older files of exact sums have its product with that of the input.
bool haveCodes(const at::Tensor &value, const StoredEncoding &tensor, const at::Tensor &codes)
{
    // The file may have used fewer codes than its type holds
    const at::Tensor differs = at::clamp(codesOn(value, tensor.grid), codes.min(), codes.max()).ne(codes);
    if (!differs.any().item().toBool()) return true;
    if (tensor.grid.isFloating()) return false;
    constexpr double half = 0.5 + 1e-4;
    const at::Tensor step = scaleOfElements(at::tensor(tensor.grid.scale, at::TensorOptions(at::kFloat)), value.sizes(),
                                            tensor.grid.config());
    return ((value - tensor.value).abs() <= half * step).logical_or(differs.logical_not()).all().item().toBool();
}

} // namespace

at::Tensor codesOn(const at::Tensor &value, const StoredGrid &grid)
{
    if (grid.isFloating()) return fakeQuant(value.contiguous(), grid.config(), grid.scale, grid.zeroPoint);
    return quantizeToInteger(value, grid.config(), grid.scale, grid.zeroPoint);
}

Matches matchEncodings(const Graph &graph, const StoredEncodings &stored, const BodyNames &body)
{
    Matches matches;
    for (const StoredEncoding &inFile : stored.tensors) {
        if (inFile.body != body) continue;
        const std::vector<Slot> slots = describedSlots(graph, inFile);
        (slots.empty() ? matches.missing : matches.found).insert(inFile.variable);
        for (const Slot slot : slots) {
            const StoredEncoding tensor = inLayoutOf(graph, slot, inFile);
            try {
                matches.grids.emplace(slot, withAxis(graph, slot, tensor.grid));
            } catch (const Error &error) { // of another model, which is reported first
                if (!matches.unfit) matches.unfit = error;
            }
            const at::Tensor &value = graph.variable(variableOf(graph, slot)).value;
            if (tensor.value.defined()) matches.values.emplace(slot, tensor.value);
            if (!value.defined() || !tensor.value.defined() || tensor.grid.bits > 16 ||
                value.sizes() != tensor.value.sizes() || value.scalar_type() != at::kFloat)
                continue;
            const at::Tensor codes = codesOn(tensor.value, tensor.grid);
            if (codes.numel() == 0) continue;
            if (!haveCodes(value, tensor, codes))
                matches.different.push_back(graph.variable(variableOf(graph, slot)).name);
        }
    }
    return matches;
}

} // namespace ql
