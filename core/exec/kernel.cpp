#include "core/exec/kernel.h"

#include "core/base/memory.h"
#include "core/base/plugin.h"
#include "core/base/strings.h"
#include "core/exec/opaque.h"
#include "core/exec/text.h"
#include "core/ir/op_traits.h"
#include "core/ir/unwritten_tensors.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/clamp_min.h>
#include <ATen/ops/hardswish.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tanh.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <stdexcept>
#include <utility>

namespace ql {

const KernelEntry *findKernel(const Operation &op)
{
    const std::string key = op.domain.empty() ? op.type : op.domain + ":" + op.type;
    return Registry<KernelEntry>::instance().find(key);
}

RefusalFunction acceptsOnly(std::map<std::string, std::vector<std::string>> known)
{
    return [known = std::move(known)](const Operation &op) -> Text {
        for (const auto &[key, words] : known) {
            const auto it = op.attributes.find(key);
            if (it == op.attributes.end()) continue;
            std::vector<std::string> given;
            if (const auto *word = std::get_if<std::string>(&it->second)) given = {*word};
            if (const auto *list = std::get_if<std::vector<std::string>>(&it->second)) given = *list;
            for (const std::string &word : given)
                if (std::find(words.begin(), words.end(), word) == words.end())
                    return QL_TEXT("%1 is '%2'; implemented: %3").with(key, word, Text::list(words));
        }
        return {};
    };
}

Text KernelEntry::refuses(const Operation &op) const
{
    try {
        return refusal ? refusal(op) : Text();
    } catch (const Error &error) {
        if (error.kind == ErrorKind::Internal) throw; // of a plug-in
        return {};
    }
}

/// What runs do not compute, such as the shapes that files declare, comes from the rules.
static void checkRules(const Operation &op, Inputs inputs, const std::vector<at::Tensor> &outputs)
{
    if (inputs.empty() || !inputs[0].defined() || outputs.empty() || !outputs[0].defined()) return;
    const ShapeTraits &rules = traitsOf(op).shapes;
    const at::Tensor &from = inputs[0], &got = outputs[0];
    const auto fail = [&](const Text &message) {
        throw Error(ErrorKind::Internal, message, op.name)
            .withRemedy(QL_TEXT("Correct the kernel, or the rule that is registered with it."));
    };
    if (rules.elementType == ElementTypeRule::OfInput0 && got.scalar_type() != from.scalar_type())
        fail(QL_TEXT("%1 returned %2, its type rule says %3")
                 .with(op.type, dtypeName(got.scalar_type()), dtypeName(from.scalar_type())));
    if (rules.rank == RankRule::OfInput0 && got.dim() != from.dim())
        fail(QL_TEXT("%1 returned a result of rank %2, its rank rule says %3").with(op.type, got.dim(), from.dim()));
    const auto sizes = rules.sizes ? rules.sizes(op, inputs) : std::nullopt;
    if (sizes && got.sizes() != at::IntArrayRef(*sizes))
        fail(QL_TEXT("%1 returned a result of %2, its size rule says %3")
                 .with(op.type, sizesText(got.sizes()), sizesText(*sizes)));
}

KernelFunction checkedKernel(KernelFunction run)
{
    if (!isPluginLoading() || !run) return run;
    constexpr int checkedCalls = 16; // a kernel that is wrong is wrong from the first call on
    const auto left = std::make_shared<std::atomic<int>>(checkedCalls);
    return [run = std::move(run), left](const KernelContext &context, Inputs inputs) {
        UnwrittenTensors unwritten;
        const bool isChecked = left->load() > 0;
        if (isChecked) --*left;
        for (std::size_t i = 0; i < inputs.size() && isChecked; ++i)
            if (inputs[i].defined()) unwritten.add(context.graph.variable(context.op.inputs[i]).name, inputs[i]);
        std::vector<at::Tensor> outputs = run(context, inputs);
        if (const std::string written = unwritten.firstWritten(); !written.empty())
            throw Error(ErrorKind::Internal, QL_TEXT("%1 wrote into its input '%2'").with(context.op.type, written))
                .withRemedy(QL_TEXT("Others read the same tensor: a kernel has to return new ones."));
        if (isChecked) checkRules(context.op, inputs, outputs);
        return outputs;
    };
}

void nameOtherFunctions(const std::string &type, KernelEntry &entry, OpTraits &traits)
{
    const auto name = [&](auto &function) {
        function = namedFunction(std::move(function), QL_TEXT("operator '%1'").with(type), KernelEntry::kindName, type);
    };
    name(entry.prepare);
    name(entry.refusal);
    name(entry.epilogue);
    name(entry.canBeUndefined);
    name(entry.asRuntime);
    name(traits.implied);
    if (traits.weights) name(traits.weights->axis);
}

std::vector<at::Tensor> callKernel(const KernelEntry &kernel, const KernelContext &context, Inputs inputs)
{
    const bool usesPlaces = kernel.strings != StringOutputs::NotOnPlaces;
    if (usesPlaces && std::any_of(inputs.begin(), inputs.end(), isStrings)) return moveStrings(kernel, context, inputs);
    const auto isShort = [](const at::Tensor &t) {
        return t.defined() && t.is_cpu() && (t.scalar_type() == at::kHalf || t.scalar_type() == at::kBFloat16);
    };
    const auto first = std::find_if(inputs.begin(), inputs.end(), isShort);
    if (first == inputs.end() || kernel.takesShortFloats) return kernel.run(context, inputs);
    const at::ScalarType type = first->scalar_type();
    std::vector<at::Tensor> wide(inputs.begin(), inputs.end());
    for (at::Tensor &t : wide)
        if (isShort(t)) t = t.to(at::kFloat);
    std::vector<at::Tensor> outputs = kernel.run(context, wide);
    for (at::Tensor &t : outputs)
        if (t.defined() && t.scalar_type() == at::kFloat) t = t.to(type);
    return outputs;
}

std::optional<std::vector<at::Tensor>> constantOutputs(const KernelContext &context, Inputs inputs,
                                                       std::int64_t mostElements)
{
    const KernelEntry *kernel = findKernel(context.op);
    if (!kernel || kernel->isRandom) return std::nullopt;
    if (!kernel->refuses(context.op).isEmpty()) return std::nullopt;
    std::vector<at::Tensor> outputs;
    try {
        outputs = callKernel(*kernel, context, inputs);
    } catch (...) { // a plug-in may throw anything
        return std::nullopt;
    }
    const bool small = std::all_of(outputs.begin(), outputs.end(),
                                   [&](const at::Tensor &t) { return !t.defined() || t.numel() <= mostElements; });
    if (!small || outputs.size() < context.op.outputs.size()) return std::nullopt;
    return outputs;
}

std::vector<std::int64_t> toInts(const at::Tensor &tensor)
{
    if (!tensor.defined()) return {};
    const at::Tensor wide = tensor.to(at::kLong).contiguous();
    const std::int64_t *data = wide.data_ptr<std::int64_t>();
    return {data, data + wide.numel()};
}

std::int64_t normalizeAxis(std::int64_t axis, std::int64_t rank, const Operation &op)
{
    const std::int64_t bound = std::max<std::int64_t>(rank, 1);
    if (axis < -bound || axis >= bound)
        throw Error(ErrorKind::Kernel, QL_TEXT("%1: axis %2 is outside a tensor of rank %3").with(op.type, axis, rank),
                    op.name);
    return axis < 0 ? axis + bound : axis;
}

void checkElements(const Operation &op, at::IntArrayRef shape, std::size_t bytesPerElement)
{
    constexpr std::int64_t maxElements = std::int64_t{1} << 31;
    constexpr std::int64_t harmless = std::int64_t{1} << 28; // bytes: too small to ask the system
    std::int64_t count = 1;
    bool tooMany = false;
    for (const std::int64_t size : shape) {
        if (size < 0)
            throw Error(ErrorKind::Kernel, QL_TEXT("%1: a dimension of the result is %2").with(op.type, size), op.name);
        if (size == 0) return;
        tooMany = tooMany || count > maxElements / size;
        if (!tooMany) count *= size;
    }
    const std::string text = sizesText(shape);
    if (tooMany)
        throw Error(ErrorKind::OutOfMemory,
                    QL_TEXT("%1: the result %2 would have more than 2147483648 elements").with(op.type, text), op.name)
            .withRemedy(QL_TEXT("Use a smaller input or batch size."));
    const auto bytes = count * std::int64_t(bytesPerElement);
    if (bytes > harmless && bytes > availableMemory() / 4 * 3)
        throw Error(ErrorKind::OutOfMemory,
                    QL_TEXT("%1: the result %2 needs %3 MiB, but %4 MiB are available")
                        .with(op.type, text, bytes >> 20, availableMemory() >> 20),
                    op.name)
            .withRemedy(QL_TEXT("Use a smaller input or batch size."));
}

at::Tensor joined(const Operation &op, const std::vector<at::Tensor> &parts, std::int64_t axis, bool isNewAxis)
{
    std::vector<std::int64_t> shape = parts[0].sizes().vec();
    if (isNewAxis) {
        shape.insert(shape.begin() + axis, std::int64_t(parts.size()));
    } else {
        std::int64_t length = 0;
        for (const at::Tensor &part : parts)
            if (axis < part.dim()) length += part.size(axis);
        if (axis < std::int64_t(shape.size())) shape[std::size_t(axis)] = length;
    }
    checkElements(op, shape, parts[0].element_size());
    return isNewAxis ? at::stack(parts, axis) : at::cat(parts, axis);
}

void checkBroadcast(const Operation &op, const at::Tensor &a, const at::Tensor &b)
{
    if (a.sizes() == b.sizes()) return;
    std::vector<std::int64_t> shape;
    for (std::int64_t i = std::max(a.dim(), b.dim()); i > 0; --i) {
        const std::int64_t left = i <= a.dim() ? a.size(-i) : 1;
        const std::int64_t right = i <= b.dim() ? b.size(-i) : 1;
        if (left != right && left != 1 && right != 1)
            throw IncompatibleInputs(QL_TEXT("sizes %1 and %2 of axis %3 do not broadcast").with(left, right, -i));
        shape.push_back(left == 1 ? right : left);
    }
    checkElements(op, shape, std::max(a.element_size(), b.element_size()));
}

at::ScalarType typeOfOnnxCode(std::int64_t type, const Operation &op)
{
    if (const at::ScalarType same = dtypeOfOnnx(type); same != at::ScalarType::Undefined) return same;
    switch (type) {            // held wider
    case 4: return at::kInt;   // uint16
    case 12:                   // uint32
    case 13: return at::kLong; // uint64
    default:
        throw Error(ErrorKind::UnsupportedOp, QL_TEXT("%1: data type %2 is not implemented").with(op.type, type),
                    op.name);
    }
}

const at::Tensor &requiredInput(const KernelContext &context, Inputs inputs, std::size_t i)
{
    if (i < inputs.size() && inputs[i].defined()) return inputs[i];
    throw Error(ErrorKind::Kernel, QL_TEXT("%1: input %2 is missing").with(context.op.type, i), context.op.name);
}

std::optional<Epilogue> epilogueOf(const Operation &op, Inputs constants)
{
    const KernelEntry *kernel = findKernel(op);
    return kernel && kernel->epilogue ? kernel->epilogue(op, constants) : std::nullopt;
}

at::Tensor applyEpilogue(const at::Tensor &x, const Epilogue &e)
{
    switch (e.kind) {
    case Epilogue::Kind::None: return x;
    case Epilogue::Kind::Relu: return at::relu(x);
    case Epilogue::Kind::Clip: return at::clamp(x, e.alpha, e.beta);
    case Epilogue::Kind::LeakyRelu: return at::leaky_relu(x, e.alpha);
    case Epilogue::Kind::Sigmoid: return at::sigmoid(x);
    case Epilogue::Kind::Tanh: return at::tanh(x);
    case Epilogue::Kind::HardSwish: return at::hardswish(x);
    case Epilogue::Kind::Silu: return at::silu(x);
    }
    return x;
}

} // namespace ql
