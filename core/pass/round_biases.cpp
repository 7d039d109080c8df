// Before: bias b in float32        After: the nearest multiple of input scale x weight scale, in the quantized model
// only
//
// Integer runtimes add the bias to sums of integer products, as an int32 in steps of input scale x weight scale. Given
// a float bias, a runtime rounds it to these steps (ONNX Runtime's optimizer does): about a thousandth of a step of
// the output, but codes that cross a boundary because of it multiply in the following layers. In integer arithmetic a
// channel without weights has a scale that leaves room for its bias (scalesWithRoomForBias). With the rounded value,
// the simulator, the exported float and the runtime's int32 are the same number. The bias keeps its state: it has no
// scale of its own.
//
// New values are the plan's own (QuantPlan::parameterValues). Conditions: Conv, ConvTranspose or Gemm without alpha
// and beta, input (one scale) and weight linear and quantized, a float32 bias without other consumers that is not
// quantized itself. Runs after everything that changes scales or biases; running it twice changes nothing.
#include "core/ir/op_traits.h"
#include "core/pass/format_tools.h"
#include "core/pass/layer_weights.h"
#include "core/pass/slots.h"
#include "core/quant/bias_grid.h"
#include "core/quant/integer_arithmetic.h"

#include <ATen/ops/equal.h>

namespace ql {

namespace {

class RoundBiases final : public Pass
{
public:
    explicit RoundBiases(const nlohmann::json &) {}

    std::string_view id() const override { return "round_biases"; }

    int run(QuantModel &model, const PassContext &context) const override
    {
        int changed = 0;
        for (const OpId id : model.graph.operations()) changed += round(model, id, context);
        return changed;
    }

private:
    /// A slot whose values are codes times its scale.
    static bool isOnGrid(const QuantPlan &plan, Slot slot)
    {
        const TensorQuantConfig *config = plan.find(slot);
        return config && config->state != QuantState::Off && !config->dynamic && !config->isFloating() &&
               plan.hasScale(slot);
    }

    static int round(QuantModel &model, OpId id, const PassContext &context)
    {
        const Graph &graph = model.graph;
        const QuantPlan &plan = model.plan;
        const Operation &op = graph.operation(id);
        const Slot input = inputSlot(id, 0), weight = inputSlot(id, 1), bias = inputSlot(id, 2);
        if (!model.isQuantized(id) || !isLayer(op) || !op.hasInput(2)) return 0;
        if (op.floatAttribute("alpha", 1) != 1 || op.floatAttribute("beta", 1) != 1) return 0;
        if (!isOnGrid(plan, input) || !isOnGrid(plan, weight) || plan.scale(input).size() != 1) return 0;
        if (const TensorQuantConfig *config = plan.find(bias); config && config->state != QuantState::Off) return 0;
        const VarId variable = op.inputs[2];
        if (!graph.isParameter(variable) || !isOwnedByOneSlot(graph, variable)) return 0;
        const at::Tensor before = plan.parameterValue(graph, variable);
        const std::vector<float> weightScale = targetWeightScale(graph, plan, id);
        if (before.scalar_type() != at::kFloat ||
            (weightScale.size() > 1 && std::int64_t(weightScale.size()) != before.numel()))
            return 0;
        const at::Tensor after = biasOnInt32Grid(before, plan.scale(input)[0], weightScale);
        if (!after.defined()) {
            reportSlot(context, graph, bias, api::Severity::Warning,
                       QL_TEXT("the bias exceeds the range of int32 in steps of input scale x weight scale: it is not "
                               "rounded, and an integer runtime cannot represent it"),
                       QL_TEXT("Give the input or the weight a larger scale, or dispatch the operation to FP32."));
            return 0;
        }
        if (at::equal(before, after)) return 0;
        model.plan.parameterValues[variable] = after;
        return 1;
    }
};

const PassRegistrar roundBiasesRegistrar{
    {.info = {.id = "round_biases",
              .title = QL_TEXT("Biases on the int32 grid"),
              .meaning = QL_TEXT(
                  "Before: float biases. After: each is the nearest multiple of input scale x weight scale, "
                  "which an integer runtime adds as int32; the simulator then computes what the runtime does.")},
     .traits = {.kind = PassKind::Quant,
                .needs = {PassAspect::ActivationScales, PassAspect::ParameterScales},
                .writes = {PassAspect::RoundedBiases},
                .finishes = {PassAspect::BiasValues, PassAspect::DerivedScales}},
     .make = makePassOf<RoundBiases>}};

} // namespace
} // namespace ql
