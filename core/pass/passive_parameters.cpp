// Before: bias (passive, no scale), Clip limits (fp32)        After: bias scale = weight scale x input scale, limits on
//                                                                    the grid of the input
//
// Conv, ConvTranspose and Gemm with a passive bias: it is added to sums of integer products, so its scale is the
// product of their scales, per channel if the weight's is, its zero point 0. Clip limits and the value of Pad take the
// scale of input 0 and are not exported, even if they were in float32 (so limits snap to the grid). Conditions: input
// and weight are quantized with a scale, the bias is constant with one value per output channel; otherwise the bias
// stays in float32 with a problem. Running it twice changes nothing; run it again after scales have changed.
#include "core/base/error.h"
#include "core/ir/op_traits.h"
#include "core/pass/slots.h"

#include <algorithm>

namespace ql {

static const Origin passiveParametersOrigin = Origin::pass("passive_parameters");

static Visibility visibilityOf(const std::string &text)
{
    if (text == "always") return Visibility::Always;
    return text == "internal" ? Visibility::Internal : Visibility::WhenActive;
}

class PassiveParameters final : public Pass
{
public:
    explicit PassiveParameters(const nlohmann::json &params)
        : m_bias(params["bias"]), m_clip(params["clip"]), m_pad(params["pad"]),
          m_clipVisibility(visibilityOf(params["clip_visibility"])),
          m_padVisibility(visibilityOf(params["pad_visibility"]))
    {}

    std::string_view id() const override { return "passive_parameters"; }

    int run(QuantModel &model, const PassContext &context) const override
    {
        int changed = 0;
        for (const OpId id : model.graph.operations()) {
            if (!model.isQuantized(id)) continue;
            const Operation &op = model.graph.operation(id);
            if (m_bias && isLayer(op)) changed += scaleBias(model, op, context);
            const bool isBound = isLinearActivation(op); // of Clip; otherwise the value of Pad
            const std::vector<SlotTraits> &slots = traitsOf(op).inputs;
            for (std::size_t i = 0; i < std::min(slots.size(), op.inputs.size()); ++i)
                if (slots[i].isOnInputGrid && (isBound ? m_clip : m_pad))
                    changed += shareWithInput(model, inputSlot(id, i), isBound ? m_clipVisibility : m_padVisibility);
        }
        for (const auto &[slot, config] : model.plan.configs())
            if (config.state == QuantState::Passive && !config.dynamic && !model.plan.hasScale(slot))
                reportSlot(context, model.graph, slot, api::Severity::Warning,
                           QL_TEXT("should inherit its scale, but there is none to inherit: it stays in float32"),
                           QL_TEXT("Check why the tensor whose scale it should inherit was not calibrated."));
        return changed;
    }

private:
    static int scaleBias(QuantModel &model, const Operation &op, const PassContext &context)
    {
        QuantPlan &plan = model.plan;
        const Slot bias = inputSlot(op.id, 2), input = inputSlot(op.id, 0), weight = inputSlot(op.id, 1);
        const TensorQuantConfig *config = plan.find(bias);
        if (!config || config->state != QuantState::Passive || config->parent || !op.hasInput(2)) return 0;
        const auto refuse = [&](const Text &why, const Text &remedy) {
            plan.setState(bias, QuantState::Off, passiveParametersOrigin);
            reportSlot(context, model.graph, bias, api::Severity::Warning,
                       QL_TEXT("the bias stays in float32: %1").with(why), remedy);
            return 1;
        };
        for (const Slot factor : {input, weight}) {
            const TensorQuantConfig *of = plan.find(factor);
            if (!of || of->state == QuantState::Off || !plan.hasScale(factor) || of->dynamic)
                return refuse(factor == input ? QL_TEXT("the input has no scale") : QL_TEXT("the weight has no scale"),
                              QL_TEXT("Quantize input and weight, or configure the bias as fp32."));
        }
        if (!model.graph.isParameter(op.inputs[2]))
            return refuse(QL_TEXT("it is computed at run time"), QL_TEXT("Configure the bias as fp32."));
        const std::vector<float> &inputScale = plan.scale(input), &weightScale = plan.scale(weight);
        if (inputScale.size() != 1)
            return refuse(QL_TEXT("the input has one scale per channel"), QL_TEXT("Quantize the input per tensor."));
        const std::int64_t channels = model.graph.variable(op.inputs[2]).value.numel();
        if ((weightScale.size() > 1 && std::int64_t(weightScale.size()) != channels) || plan.find(weight)->isGrouped())
            return refuse(QL_TEXT("it has %1 values, the weight %2 scales").with(channels, weightScale.size()),
                          QL_TEXT("Quantize the weight along its output channels."));
        std::vector<float> scale;
        // A product of float32 numbers in float32, as in PPQ and integer runtimes.
        for (const float factor : weightScale) scale.push_back(factor * inputScale[0]);
        if (config->isPerChannel() && scale.size() == 1) scale.resize(std::size_t(channels), scale[0]);
        if (scale == config->scale) return 0;
        if (!config->isPerChannel() && scale.size() > 1) {
            TensorQuantConfig &edited = *plan.find(bias);
            edited.channelAxis = int(model.graph.variable(op.inputs[2]).value.dim()) - 1;
            plan.mark(edited, ConfigField::Granularity, passiveParametersOrigin);
        }
        plan.setScale(bias, scale, std::vector<std::int32_t>(scale.size(), 0), QuantState::Passive,
                      passiveParametersOrigin);
        return 1;
    }

    static int shareWithInput(QuantModel &model, Slot slot, Visibility visibility)
    {
        QuantPlan &plan = model.plan;
        const Slot input = inputSlot(slot.op, 0);
        TensorQuantConfig *config = plan.find(slot);
        if (!config || config->state == QuantState::Baked || variableOf(model.graph, slot) == noVar) return 0;
        if (!plan.find(input) || plan.scale(input).size() != 1) return 0; // none, or one per channel
        int changed = shareSlot(plan, slot, input, passiveParametersOrigin);
        if (config->visibility != visibility) {
            config->visibility = visibility;
            changed = 1;
        }
        return changed;
    }

    bool m_bias, m_clip, m_pad;
    Visibility m_clipVisibility, m_padVisibility;
};

static const std::vector<std::string> visibilities = {"internal", "when_active", "always"};

static const PassRegistrar passiveParametersRegistrar{
    {.info =
         {.id = "passive_parameters",
          .title = QL_TEXT("Passive parameters"),
          .meaning = QL_TEXT(
              "Before: biases, Clip limits and Pad values have no scale. After: a bias has weight scale x input scale, "
              "the "
              "others have the scale of their operation's input."),
          .params = {{.name = "bias",
                      .type = "bool",
                      .fallback = true,
                      .meaning = QL_TEXT("Use the product of weight and input scale for biases.")},
                     {.name = "clip",
                      .type = "bool",
                      .fallback = true,
                      .meaning = QL_TEXT("Use the scale of Clip's input for its limits.")},
                     {.name = "pad",
                      .type = "bool",
                      .fallback = true,
                      .meaning = QL_TEXT("Use the scale of Pad's input for its value.")},
                     {.name = "clip_visibility",
                      .type = "enum",
                      .fallback = "internal",
                      .meaning = QL_TEXT("Whether exporters write the scales of Clip limits."),
                      .choices = visibilities},
                     {.name = "pad_visibility",
                      .type = "enum",
                      .fallback = "internal",
                      .meaning = QL_TEXT("Whether exporters write the scale of the Pad value."),
                      .choices = visibilities}}},
     .traits = {.kind = PassKind::Quant,
                .needs = {PassAspect::ActivationScales, PassAspect::ParameterScales},
                .writes = {PassAspect::DerivedScales},
                .finishes = {PassAspect::SharedScales, PassAspect::TrainedValues}},
     .make = makePassOf<PassiveParameters>}};

} // namespace ql
