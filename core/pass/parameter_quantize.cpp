// Before: weight (initial)        After: weight (active, with scale and zero point)
//
// Observes the value of every parameter whose config waits for calibration, directly from the graph; nothing is run.
// Observers with two phases (kl, mse) get both. Conditions: float32, at least one value; otherwise the config becomes
// Off with a problem. Biases that inherit their scale are not Initial and are skipped.
// With avoid_middle, unsigned 8-bit codes whose zero point would be 128 get 127 or 129, whichever needs the smaller
// scale: RKNN's toolkit takes such a weight for a symmetric one and rounds it again, to a scale that is larger by 128 /
// 127.
#include "core/base/error.h"
#include "core/pass/observation.h"
#include "core/pass/slots.h"

#include <algorithm>

namespace ql {

static const Origin parameterQuantizeOrigin = Origin::pass("parameter_quantize");

class ParameterQuantize final : public Pass
{
public:
    explicit ParameterQuantize(const nlohmann::json &params)
        : m_observer(params["observer"]), m_avoidMiddle(params["avoid_middle"])
    {}

    std::string_view id() const override { return "parameter_quantize"; }

    int run(QuantModel &model, const PassContext &context) const override
    {
        std::vector<Slot> slots;
        for (const auto &[slot, config] : model.plan.configs())
            if (config.state == QuantState::Initial && isParameterSlot(model.graph, slot) &&
                !context.fixedScales.contains(slot))
                slots.push_back(slot);
        int changed = 0;
        for (std::size_t i = 0; i < slots.size(); ++i) {
            const Slot slot = slots[i];
            context.job.checkpoint(double(i) / double(slots.size()), QL_TEXT("parameters"));
            TensorQuantConfig &config = *model.plan.find(slot);
            if (!m_observer.empty() && config.observer != m_observer) {
                config.observer = m_observer;
                model.plan.mark(config, ConfigField::Observer, parameterQuantizeOrigin);
            }
            const VarId id = variableOf(model.graph, slot);
            const at::Tensor &value = model.plan.parameterValue(model.graph, id);
            try {
                Observation observation(config, 1);
                observation.observe(value);
                for (int phase = 1; phase < observation.phases(); ++phase) {
                    observation.nextPhase();
                    observation.observe(value);
                }
                changed += observation.finish(model, slot, parameterQuantizeOrigin, context);
                if (m_avoidMiddle) moveZero(model, slot, value);
            } catch (Error &error) {
                error.op = model.graph.operation(slot.op).name;
                error.variable = model.graph.variable(id).name;
                throw;
            }
        }
        return changed;
    }

private:
    static void moveZero(QuantModel &model, Slot slot, const at::Tensor &value)
    {
        constexpr int middle = 128, highest = 255;
        const TensorQuantConfig &config = *model.plan.find(slot);
        if (config.symmetric || config.isFloating() || config.quantMin != 0 || config.quantMax != highest ||
            model.plan.zeroPoint(slot) != std::vector<std::int32_t>{middle})
            return;
        const float low = -value.min().item<float>(), high = value.max().item<float>();
        const auto needed = [&](int zero) { return std::max(low / float(zero), high / float(highest - zero)); };
        const int zero = needed(middle - 1) <= needed(middle + 1) ? middle - 1 : middle + 1;
        model.plan.setScale(slot, {needed(zero)}, {zero}, QuantState::Active, parameterQuantizeOrigin);
    }

    std::string m_observer;
    bool m_avoidMiddle;
};

static const PassRegistrar parameterQuantizeRegistrar{
    {.info = {.id = "parameter_quantize",
              .title = QL_TEXT("Parameter quantization"),
              .meaning = QL_TEXT("Before: weights have no scale. After: each has the scale that its observer derived."),
              .params = {{.name = "observer",
                          .type = "observer",
                          .fallback = "",
                          .meaning = QL_TEXT("Observer for all parameters; empty: the platform's choice for each.")},
                         {.name = "avoid_middle",
                          .type = "bool",
                          .fallback = false,
                          .meaning =
                              QL_TEXT("Codes 0 to 255 whose zero point would be 128 get 127 or 129: RKNN's toolkit "
                                      "rounds those with 128 again.")}}},
     .traits = {.kind = PassKind::Quant, .writes = {PassAspect::ParameterScales}},
     .make = makePassOf<ParameterQuantize>}};

} // namespace ql
