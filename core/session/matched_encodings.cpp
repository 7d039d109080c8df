#include "core/session/matched_encodings.h"

#include "core/platform/rule.h"
#include "core/quant/groups.h"
#include "core/quant/quantize.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/tensor.h>

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

/// Files other than models do not say which axis several scales belong to: the output channels, if there are as many.
StoredGrid withAxis(const Graph &graph, Slot slot, StoredGrid grid)
{
    if (grid.scale.size() < 2 || grid.axis) return grid;
    const Operation &op = graph.operation(slot.op);
    const Variable &variable = graph.variable(variableOf(op, slot));
    if (hasOutputChannels(graph, op, slot)) grid.axis = outputChannelAxis(graph, op, slot);
    const std::int64_t count = std::int64_t(grid.scale.size());
    const bool fits = grid.axis && (!variable.value.defined() ||
                                    (*grid.axis < variable.value.dim() && variable.value.size(*grid.axis) == count));
    if (fits) return grid;
    throw Error(ErrorKind::BadData,
                QL_TEXT("the file has %1 scales for a tensor with another number of output channels").with(count),
                op.name, variable.name)
        .withRemedy(QL_TEXT("Use the model that the encodings were made for."));
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
