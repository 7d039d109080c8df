// Kernels of a target that compute something else than exact sums and one rounding per quantized tensor, so that the
// simulator computes it, too. Exported files do not change: the runtime reads the same file.
//   addend  Before: Conv -> Q -> Add -> Q        After: the target runs Conv and Add in one kernel, which does not
//   round
//           the addend. Condition: the Conv has no other consumer. If both addends come from one, the first is meant.
//           Source: OpenVINO's CPU plug-in (graph optimizer: fusion of Convolution and Sum) keeps the clamp of a
//           FakeQuantize between them; RKNN's toolkit keeps nothing.
//   sums    integer: of products of codes, and tensors are rounded as OpenVINO's FakeQuantize does. saturating_pairs:
//           likewise on x86 processors without VNNI (core/exec/target_kernel.h). ncnn, mnn: bit for bit, with the
//           rounding of tensors; ncnn also has one weight scale per group of a Conv, and computes a Conv with one or
//           three spatial axes in float32. rknn: codes with a zero point in the middle on the scale that RKNN's toolkit
//           reads
#include "core/base/error.h"
#include "core/exec/mnn_resize.h"
#include "core/exec/openvino_activation.h"
#include "core/exec/openvino_kernels.h"
#include "core/exec/target_float16.h"
#include "core/exec/target_fusion.h"
#include "core/ir/op_traits.h"
#include "core/pass/slots.h"
#include "core/platform/dispatcher.h"

#include <algorithm>

namespace ql {

namespace {

const std::vector<std::string> addendWords = {"rounded", "clamped", "exact"};
const std::vector<std::string> sumWords = {"float", "integer", "saturating_pairs", "ncnn", "mnn", "rknn"};

std::ptrdiff_t numberOf(const nlohmann::json &word, const std::vector<std::string> &words)
{
    return std::find(words.begin(), words.end(), word.get<std::string>()) - words.begin();
}

class RuntimeKernels final : public Pass
{
public:
    explicit RuntimeKernels(const nlohmann::json &params)
        : m_sums(TargetKernel::Sums(numberOf(params["sums"], sumWords))),
          m_addend(TargetKernel::Result(numberOf(params["addend"], addendWords)))
    {}

    std::string_view id() const override { return "runtime_kernels"; }

    int run(QuantModel &model, const PassContext &) const override
    {
        int changed = m_sums == TargetKernel::Sums::Ncnn ? quantizeAsNcnn(model) : 0;
        for (const OpId id : model.graph.topological()) {
            const Operation &op = model.graph.operation(id);
            if (!model.isQuantized(id)) {
                if (hasOwnFormula(op)) model.plan.kernels[id].sums = m_sums;
                if (m_sums == TargetKernel::Sums::Rknn && isCombinedWithNext(model, op))
                    model.plan.kernels[id].result = TargetKernel::Result::Exact;
                continue;
            }
            if (m_sums != TargetKernel::Sums::Float) {
                model.plan.kernels[id].sums = m_sums;
                ++changed;
            }
            if (m_sums == TargetKernel::Sums::Rknn && isGateOfSilu(model, op))
                model.plan.kernels[id].result = TargetKernel::Result::Exact;
            if (m_addend == TargetKernel::Result::Rounded || op.type != "Add" || !op.domain.empty()) continue;
            const AppliedConfig applied = [&](Slot slot) { return model.plan.simulated(slot); };
            const bool isClamped = TargetKernel::isOfOpenVino(m_sums) && m_addend == TargetKernel::Result::Clamped;
            const OpId addend =
                isClamped ? addedWithoutRounding(model.graph, model.plan, op, applied) : fusedConvolution(model, op);
            if (addend == noOp || model.platformOf(addend) != model.platformOf(id)) continue;
            model.plan.kernels[addend].result = m_addend;
            ++changed;
        }
        return changed;
    }

private:
    static int quantizeAsNcnn(QuantModel &model)
    {
        int changed = 0;
        for (const OpId id : model.graph.operations()) {
            const Operation &op = model.graph.operation(id);
            if (op.type != "Conv" || !op.domain.empty() || !model.isQuantized(id)) continue;
            const Slot weight = inputSlot(id, 1);
            const at::Tensor &value = model.graph.variable(op.inputs[1]).value;
            if (!value.defined()) continue;
            if (value.dim() != 4) {
                model.plan.erase(id);
                model.dispatch[id] = {fp32Platform,
                                      QL_TEXT("ncnn computes it in float32 unless it has two spatial axes")};
                ++changed;
            } else if (model.plan.simulated(weight)) {
                changed += oneScalePerGroup(model.plan, model.plan.root(weight), op.intAttribute("group", 1));
            }
        }
        return changed;
    }

    /// The largest scale of each group's channels.
    static int oneScalePerGroup(QuantPlan &plan, Slot weight, std::int64_t groups)
    {
        std::vector<float> scale = plan.scale(weight);
        if (groups <= 1 || scale.size() <= std::size_t(groups) || scale.size() % std::size_t(groups) != 0) return 0;
        const std::ptrdiff_t channels = std::ptrdiff_t(scale.size()) / groups;
        for (auto at = scale.begin(); at != scale.end(); at += channels)
            std::fill(at, at + channels, *std::max_element(at, at + channels));
        if (scale == plan.scale(weight)) return 0;
        plan.setScale(weight, scale, std::vector<std::int32_t>(plan.zeroPoint(weight)), plan.find(weight)->state,
                      Origin::pass("runtime_kernels"));
        return 1;
    }

    /// Whether the target computes op in another way although it stays in float32. A Mul may be x * sigmoid(x).
    bool hasOwnFormula(const Operation &op) const
    {
        const bool isMnn = m_sums == TargetKernel::Sums::Mnn;
        if (isMnn && isMnnCubicResize(op)) return true;
        if (m_sums == TargetKernel::Sums::Rknn) return isComputedInFloat(op);
        return op.domain.empty() &&
               ((TargetKernel::isOfOpenVino(m_sums) && openVinoActivation(op.type)) ||
                ((isMnn || m_sums == TargetKernel::Sums::Ncnn) && (op.type == "Sigmoid" || op.type == "Mul")));
    }

    /// Whether op is the Sigmoid of x * sigmoid(x): one operation for RKNN's toolkit, which rounds nothing in between.
    static bool isGateOfSilu(const QuantModel &model, const Operation &op)
    {
        if (op.type != "Sigmoid") return false;
        const auto &uses = model.graph.variable(op.outputs[0]).uses;
        return uses.size() == 1 && uses[0].op != noOp && model.platformOf(uses[0].op) == model.platformOf(op.id) &&
               gateOfSilu(model.graph, model.graph.operation(uses[0].op)) == std::size_t(uses[0].index);
    }

    /// Whether RKNN's toolkit makes one operation of op and its only reader: both multiply by constants, or add them.
    static bool isCombinedWithNext(const QuantModel &model, const Operation &op)
    {
        const auto own = constantOperand(model.graph, op);
        if (!own) return false;
        const auto &uses = model.graph.variable(op.outputs[0]).uses;
        if (uses.size() != 1 || uses[0].op == noOp || model.isQuantized(uses[0].op)) return false;
        const auto next = constantOperand(model.graph, model.graph.operation(uses[0].op));
        return next && next->isSum == own->isSum;
    }

    static bool isComputedInFloat(const Operation &op)
    {
        const auto isBody = [](const auto &entry) {
            return std::holds_alternative<std::shared_ptr<const Graph>>(entry.second);
        };
        return traitsOf(op).source == ValueSource::Inputs && !movesValues(op) &&
               std::none_of(op.attributes.begin(), op.attributes.end(), isBody);
    }

    /// The Conv that computes an addend of add and nothing else.
    static OpId fusedConvolution(const QuantModel &model, const Operation &add)
    {
        const Graph &graph = model.graph;
        for (const VarId addend : add.inputs) {
            if (addend == noVar || graph.variable(addend).producer == noOp) continue;
            const Operation &op = graph.operation(graph.variable(addend).producer);
            const auto &outputs = graph.outputs();
            if (op.type == "Conv" && op.domain.empty() && model.isQuantized(op.id) &&
                graph.variable(addend).uses.size() == 1 &&
                std::find(outputs.begin(), outputs.end(), addend) == outputs.end() &&
                model.platformOf(op.id) == model.platformOf(add.id))
                return op.id;
        }
        return noOp;
    }

    TargetKernel::Sums m_sums;
    TargetKernel::Result m_addend;
};

const PassRegistrar runtimeKernelsRegistrar{
    {.info = {.id = "runtime_kernels",
              .title = QL_TEXT("Kernels of the runtime"),
              .meaning =
                  QL_TEXT("Before: float32 sums of dequantized values; every quantized tensor is rounded. After: the "
                          "simulator adds and rounds as the runtime's kernels do. Exported files do not change."),
              .params = {{.name = "addend",
                          .type = "enum",
                          .fallback = "rounded",
                          .meaning =
                              QL_TEXT("The output of a Conv that only an Add reads, which the runtime computes "
                                      "in the kernel of the Conv: rounded, only clamped to its range, or exact."),
                          .choices = addendWords},
                         {.name = "sums",
                          .type = "enum",
                          .fallback = "float",
                          .meaning = QL_TEXT("Sums of products. integer: of codes, exact. saturating_pairs: likewise, "
                                             "but pairs of products are added in 16 bits with saturation, as on x86 "
                                             "processors without VNNI. ncnn, mnn: bit for bit as these runtimes. "
                                             "rknn: of values, with the scales that RKNN's toolkit reads, in the "
                                             "order of ONNX Runtime, which it calls."),
                          .choices = sumWords}}},
     .traits = {.kind = PassKind::Quant},
     .make = makePassOf<RuntimeKernels>}};

} // namespace
} // namespace ql
