#include "core/exec/target_float16.h"

#include "core/exec/runtime_kernels.h"
#include "core/ir/op_traits.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/full.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/ne.h>

#include <algorithm>
#include <cmath>

namespace ql {

namespace {

at::Tensor halfOf(const at::Tensor &x)
{
    return x.defined() && x.scalar_type() == at::kFloat ? x.to(at::kHalf).to(at::kFloat) : x;
}

// ---- averages

constexpr std::int64_t longestSide = 7; ///< of a window that the toolkit leaves a pool

using Sides = std::array<std::int64_t, 2>;

/// Whether op averages all of x, [N, C, H, W], per channel.
bool isGlobalAverage(const Operation &op, Inputs inputs)
{
    const at::Tensor &x = inputs[0];
    if (op.type == "GlobalAveragePool") return true;
    if (op.type == "AveragePool")
        return op.intsAttribute("kernel_shape", {}) == std::vector{x.size(2), x.size(3)} &&
               op.intsAttribute("pads", {0, 0, 0, 0}) == std::vector<std::int64_t>(4, 0);
    if (op.type != "ReduceMean") return false;
    std::vector<std::int64_t> axes = op.intsAttribute("axes", {});
    if (inputs.size() > 1 && inputs[1].defined())
        axes.assign(inputs[1].data_ptr<std::int64_t>(), inputs[1].data_ptr<std::int64_t>() + inputs[1].numel());
    for (std::int64_t &axis : axes) axis += axis < 0 ? x.dim() : 0;
    std::sort(axes.begin(), axes.end());
    return axes == std::vector<std::int64_t>{2, 3};
}

/// A depthwise Conv with one number as all weights.
at::Tensor sumOfWindows(const KernelContext &context, const at::Tensor &x, Sides kernel, double weight,
                        std::map<std::string, Attribute, std::less<>> geometry)
{
    Operation conv;
    conv.name = context.op.name;
    conv.type = "Conv";
    conv.opset = context.op.opset;
    conv.attributes = std::move(geometry);
    conv.attributes["group"] = x.size(1);
    const at::Tensor weights = at::full({x.size(1), 1, kernel[0], kernel[1]}, float(weight), x.options());
    const at::Tensor given[] = {x, halfOf(weights)};
    return halfOf(runtimeConvolution(conv)->run(KernelContext{conv, context.graph}, given).at(0));
}

/// The mean of each channel by Conv that sum windows of 7 x 7, with zeros around x so that they fit, until one element
/// is left. Each weights its sums with the n-th root of 1 / elements.
at::Tensor averageInSteps(const KernelContext &context, at::Tensor x)
{
    const double elements = double(x.size(2) * x.size(3));
    int steps = 0;
    for (std::int64_t side = std::max(x.size(2), x.size(3)); side > 1; ++steps)
        side = (side + longestSide - 1) / longestSide;
    const double weight = std::pow(1 / elements, 1. / std::max(steps, 1));
    while (x.size(2) > 1 || x.size(3) > 1) {
        const Sides kernel{std::min(x.size(2), longestSide), std::min(x.size(3), longestSide)};
        std::vector<std::int64_t> pads(4, 0);
        for (std::size_t axis = 0; axis < 2; ++axis) {
            const std::int64_t added = (kernel[axis] - x.size(std::int64_t(axis) + 2) % kernel[axis]) % kernel[axis];
            pads[axis] = added / 2;
            pads[axis + 2] = added - added / 2;
        }
        x = sumOfWindows(context, x, kernel, weight,
                         {{"pads", pads}, {"strides", std::vector<std::int64_t>(2, longestSide)}});
    }
    return x;
}

/// A mean as the toolkit computes it in float16; undefined if that is as usual. inputs: rounded to float16
at::Tensor averageInFloat16(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const at::Tensor x = inputs[0];
    if (!op.domain.empty() || !x.defined() || x.dim() != 4 || x.numel() == 0 || !x.device().is_cpu()) return {};
    if (isGlobalAverage(op, inputs)) {
        const at::Tensor mean = averageInSteps(context, x);
        const bool keepsAxes = op.type != "ReduceMean" || op.intAttribute("keepdims", 1) != 0;
        return keepsAxes ? mean : mean.reshape({x.size(0), x.size(1)});
    }
    const std::vector<std::int64_t> kernel = op.intsAttribute("kernel_shape", {});
    const std::vector<std::int64_t> pads = op.intsAttribute("pads", {0, 0, 0, 0}), noPads(4, 0);
    if (op.type != "AveragePool" || kernel.size() != 2 || std::max(kernel[0], kernel[1]) <= longestSide ||
        (pads != noPads && op.intAttribute("count_include_pad", 0) == 0) || op.intAttribute("ceil_mode", 0) != 0 ||
        op.stringAttribute("auto_pad", "NOTSET") != "NOTSET")
        return {};
    return sumOfWindows(context, x, {kernel[0], kernel[1]}, 1. / double(kernel[0] * kernel[1]),
                        {{"pads", pads},
                         {"strides", op.intsAttribute("strides", {1, 1})},
                         {"dilations", op.intsAttribute("dilations", {1, 1})}});
}

// ---- all operations

/// Whether an operation reads input in float32: inputs of the graph, biases, slopes of a PRelu, limits of a Clip,
/// parameters of a BatchNormalization.
bool isReadInFloat32(const Graph &graph, const Operation &op, std::size_t input)
{
    const auto &ofGraph = graph.inputs();
    if (std::find(ofGraph.begin(), ofGraph.end(), op.inputs[input]) != ofGraph.end()) return true;
    if (op.type == "PRelu" || op.type == "Clip" || op.type == "BatchNormalization") return input > 0;
    return input == 2 && isLayer(op);
}

/// Operations that multiply by constants, one after another, or add them, are one operation with one constant, which is
/// rounded. All but the last of them give their result in float32, from which the last one computes their input again.
class WithConstant final : public PreparedKernel
{
public:
    /// before: of the operations upstream, undefined if there are none
    WithConstant(ConstantOperand own, at::Tensor before, bool isLast)
        : m_own(std::move(own)), m_before(std::move(before)), m_isLast(isLast)
    {}
    std::vector<at::Tensor> run(const KernelContext &context, Inputs inputs) override
    {
        at::Tensor x = requiredInput(context, inputs, m_own.variable);
        at::Tensor constant = m_own.value.to(x.device());
        if (m_before.defined()) {
            const at::Tensor before = m_before.to(x.device());
            x = m_own.isSum ? x - before : x / before;
            constant = m_own.isSum ? constant + before : constant * before;
        }
        if (!isReadInFloat32(context.graph, context.op, m_own.variable)) x = halfOf(x);
        if (m_isLast) constant = halfOf(constant);
        const at::Tensor y = m_own.isSum ? x + constant : x * constant;
        return {m_isLast ? halfOf(y) : y};
    }
    Text hostReason() const override { return QL_TEXT("the runtime computes it in float16"); }

private:
    ConstantOperand m_own;
    at::Tensor m_before;
    bool m_isLast;
};

/// The constant of the operations upstream of input that are one operation with its reader.
at::Tensor constantUpstream(const Graph &graph, const QuantPlan &plan, VarId input)
{
    at::Tensor constant;
    while (input != noVar && graph.variable(input).producer != noOp) {
        const Operation &op = graph.operation(graph.variable(input).producer);
        if (plan.kernelOf(op.id).result != TargetKernel::Result::Exact || plan.isQuantized(op.id)) break;
        const auto its = constantOperand(graph, op);
        if (!its) break;
        constant = !constant.defined() ? its->value : its->isSum ? its->value + constant : its->value * constant;
        input = op.inputs[its->variable];
    }
    return constant;
}

/// Constants and inputs are rounded to float16, and so are the results. A mean over H and W becomes sums.
class InFloat16 final : public PreparedKernel
{
public:
    explicit InFloat16(const KernelEntry &entry) : m_entry(entry) {}
    std::vector<at::Tensor> run(const KernelContext &context, Inputs inputs) override
    {
        std::vector<at::Tensor> given(inputs.begin(), inputs.end());
        for (std::size_t i = 0; i < given.size(); ++i)
            if (!isReadInFloat32(context.graph, context.op, i)) given[i] = halfOf(given[i]);
        if (const at::Tensor mean = averageInFloat16(context, given); mean.defined()) return {mean};
        std::vector<at::Tensor> out = callKernel(m_entry, context, given);
        std::transform(out.begin(), out.end(), out.begin(), halfOf);
        return out;
    }
    Text hostReason() const override { return QL_TEXT("the runtime computes it in float16"); }

private:
    const KernelEntry &m_entry;
};

} // namespace

bool isBetweenCodes(const Graph &graph, const Operation &op, const AppliedConfig &applied)
{
    for (std::size_t i = 0; i < op.inputs.size(); ++i)
        if (op.inputs[i] != noVar && !graph.isParameter(op.inputs[i]) &&
            !gridSource(graph, inputSlot(op.id, i), applied))
            return false;
    for (std::size_t o = 0; o < op.outputs.size(); ++o)
        if (op.outputs[o] != noVar && !applied(outputSlot(op.id, o))) return false;
    return true;
}

std::optional<ConstantOperand> constantOperand(const Graph &graph, const Operation &op)
{
    const bool isSum = op.type == "Add" || op.type == "Sub", isFactor = op.type == "Mul" || op.type == "Div";
    if (!op.domain.empty() || (!isSum && !isFactor) || op.inputs.size() != 2) return {};
    const bool isFirst = graph.isParameter(op.inputs[0]), isSecond = graph.isParameter(op.inputs[1]);
    if (isFirst == isSecond || (isFirst && (op.type == "Sub" || op.type == "Div"))) return {};
    at::Tensor value = graph.variable(op.inputs[isFirst ? 0 : 1]).value;
    if (!value.defined() || value.scalar_type() != at::kFloat) return {};
    if (op.type == "Sub") value = value.neg();
    if (op.type == "Div") value = value.reciprocal();
    const bool isUsable = value.isfinite().all().item<bool>() && (isSum || value.ne(0).all().item<bool>());
    return isUsable ? std::optional(ConstantOperand{isFirst ? std::size_t(1) : 0, isSum, value}) : std::nullopt;
}

std::shared_ptr<PreparedKernel> inFloat16(const Graph &graph, const QuantPlan &plan, const Operation &op,
                                          const KernelEntry &entry)
{
    auto constant = constantOperand(graph, op);
    if (!constant) return std::make_shared<InFloat16>(entry);
    const at::Tensor before = constantUpstream(graph, plan, op.inputs[constant->variable]);
    const bool isLast = plan.kernelOf(op.id).result != TargetKernel::Result::Exact;
    return std::make_shared<WithConstant>(std::move(*constant), before, isLast);
}

} // namespace ql
