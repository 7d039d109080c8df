// Sequences and optionals. Source: ONNX SequenceAt-11 and its family, SplitToSequence-11, ConcatFromSequence-11,
// Optional-15, OptionalGetElement-18, OptionalHasElement-18.
#include "core/exec/kernel.h"
#include "core/exec/opaque.h"

#include <ATen/ops/full.h>
#include <ATen/ops/stack.h>

namespace ql {

namespace {

std::vector<at::Tensor> sequenceEmpty(const KernelContext &, Inputs)
{
    return {makeSequence({})};
}

std::vector<at::Tensor> sequenceConstruct(const KernelContext &context, Inputs inputs)
{
    std::vector<at::Tensor> items;
    for (std::size_t i = 0; i < inputs.size(); ++i) items.push_back(requiredInput(context, inputs, i));
    return {makeSequence(std::move(items))};
}

/// A position in [0, count), counted from the end if negative. @throws Error (Kernel) naming the op.
std::size_t positionIn(const KernelContext &context, const at::Tensor &position, std::size_t count)
{
    const std::int64_t given = toInts(position).at(0);
    const std::int64_t at = given < 0 ? given + std::int64_t(count) : given;
    if (at < 0 || at >= std::int64_t(count))
        throw Error(ErrorKind::Kernel,
                    QL_TEXT("%1: position %2 is outside a sequence of length %3").with(context.op.type, given, count),
                    context.op.name);
    return std::size_t(at);
}

std::vector<at::Tensor> sequenceAt(const KernelContext &context, Inputs inputs)
{
    const auto &items = sequenceOf(requiredInput(context, inputs, 0));
    return {items[positionIn(context, requiredInput(context, inputs, 1), items.size())]};
}

std::vector<at::Tensor> sequenceInsert(const KernelContext &context, Inputs inputs)
{
    std::vector<at::Tensor> items = sequenceOf(requiredInput(context, inputs, 0));
    const at::Tensor &item = requiredInput(context, inputs, 1);
    const at::Tensor position = inputOr(inputs, 2);
    std::size_t at = items.size();
    if (position.defined() && toInts(position).at(0) != std::int64_t(items.size()))
        at = positionIn(context, position, items.size());
    items.insert(items.begin() + std::ptrdiff_t(at), item);
    return {makeSequence(std::move(items))};
}

std::vector<at::Tensor> sequenceErase(const KernelContext &context, Inputs inputs)
{
    std::vector<at::Tensor> items = sequenceOf(requiredInput(context, inputs, 0));
    const at::Tensor position = inputOr(inputs, 1);
    if (items.empty()) throw Error(ErrorKind::Kernel, QL_TEXT("SequenceErase: the sequence is empty"), context.op.name);
    const std::size_t at = position.defined() ? positionIn(context, position, items.size()) : items.size() - 1;
    items.erase(items.begin() + std::ptrdiff_t(at));
    return {makeSequence(std::move(items))};
}

std::vector<at::Tensor> sequenceLength(const KernelContext &context, Inputs inputs)
{
    const auto count = std::int64_t(sequenceOf(requiredInput(context, inputs, 0)).size());
    return {at::full({}, count, at::TensorOptions(at::kLong))};
}

/// split: absent: parts of 1, with the axis dropped unless keepdims; a scalar: parts of that size, the last one
/// smaller; a list: these sizes.
std::vector<at::Tensor> splitToSequence(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const at::Tensor split = inputOr(inputs, 1);
    const std::int64_t axis = normalizeAxis(op.intAttribute("axis", 0), x.dim(), op);
    const std::int64_t size = x.size(axis);
    const bool drop = !split.defined() && op.intAttribute("keepdims", 1) == 0;
    std::vector<std::int64_t> parts;
    if (split.defined() && split.dim() > 0) {
        parts = toInts(split);
    } else {
        const std::int64_t part = split.defined() ? toInts(split).at(0) : 1;
        if (part < 1) throw Error(ErrorKind::Kernel, QL_TEXT("SplitToSequence: split must be positive"), op.name);
        for (std::int64_t start = 0; start < size; start += part) parts.push_back(std::min(part, size - start));
    }
    std::vector<at::Tensor> items;
    std::int64_t start = 0;
    for (const std::int64_t part : parts) {
        if (part < 0 || start + part > size)
            throw Error(ErrorKind::Kernel,
                        QL_TEXT("SplitToSequence: the parts do not match axis %1 of size %2").with(axis, size),
                        op.name);
        const at::Tensor item = x.narrow(axis, start, part);
        items.push_back(drop ? item.squeeze(axis) : item);
        start += part;
    }
    return {makeSequence(std::move(items))};
}

std::vector<at::Tensor> concatFromSequence(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const auto &items = sequenceOf(requiredInput(context, inputs, 0));
    if (items.empty()) throw Error(ErrorKind::Kernel, QL_TEXT("ConcatFromSequence: the sequence is empty"), op.name);
    const bool isNew = op.intAttribute("new_axis", 0) != 0;
    const std::int64_t axis = normalizeAxis(op.intAttribute("axis", 0), items[0].dim() + (isNew ? 1 : 0), op);
    return {joined(op, items, axis, isNew)};
}

std::vector<at::Tensor> optional(const KernelContext &, Inputs inputs)
{
    const at::Tensor x = inputOr(inputs, 0);
    return {x.defined() ? x : makeNone()};
}

std::vector<at::Tensor> optionalGetElement(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    if (isNone(x))
        throw Error(ErrorKind::Kernel, QL_TEXT("OptionalGetElement: the optional is empty"), context.op.name);
    return {x};
}

std::vector<at::Tensor> optionalHasElement(const KernelContext &, Inputs inputs)
{
    const at::Tensor x = inputOr(inputs, 0);
    return {at::full({}, x.defined() && !isNone(x), at::TensorOptions(at::kBool))};
}

KernelEntry sequenceEntry(KernelFunction run, std::int64_t minOpset)
{
    return {.run = std::move(run), .minOpset = minOpset, .family = "sequence", .takesShortFloats = true};
}

const KernelRegistrar empty{{"SequenceEmpty"}, sequenceEntry(sequenceEmpty, 11)};
const KernelRegistrar construct{{"SequenceConstruct"}, sequenceEntry(sequenceConstruct, 11)};
const KernelRegistrar at_{{"SequenceAt"}, sequenceEntry(sequenceAt, 11), {.shapes = {.dependsOnValues = true}}};
const KernelRegistrar insert{{"SequenceInsert"}, sequenceEntry(sequenceInsert, 11)};
const KernelRegistrar erase{{"SequenceErase"}, sequenceEntry(sequenceErase, 11)};
const KernelRegistrar length{{"SequenceLength"}, sequenceEntry(sequenceLength, 11)};
const KernelRegistrar split{{"SplitToSequence"},
                            sequenceEntry(splitToSequence, 11),
                            {.inputs = {{"input"}, {"split", SlotKind::ShapeOrIndex}}}};
const KernelRegistrar concat{{"ConcatFromSequence"}, sequenceEntry(concatFromSequence, 11)};
const KernelRegistrar optionalKernel{{"Optional"}, sequenceEntry(optional, 15)};
const KernelRegistrar getElement{{"OptionalGetElement"}, sequenceEntry(optionalGetElement, 15)};
const KernelRegistrar hasElement{{"OptionalHasElement"}, sequenceEntry(optionalHasElement, 15)};

} // namespace

} // namespace ql
