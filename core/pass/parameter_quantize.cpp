// Before: weight (initial)        After: weight (active, with scale and zero point)
//
// Observes the value of every parameter whose config waits for calibration, directly from the graph; nothing is run.
// Observers with two phases (kl, mse) get both. Conditions: float32, at least one value; otherwise the config becomes
// Off with a problem. Biases that inherit their scale are not Initial and are skipped.
#include "core/base/error.h"
#include "core/pass/observation.h"
#include "core/pass/slots.h"

namespace ql {

static const Origin parameterQuantizeOrigin = Origin::pass("parameter_quantize");

class ParameterQuantize final : public Pass
{
public:
    explicit ParameterQuantize(const nlohmann::json &params) : m_observer(params["observer"]) {}

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
                observation.look(value);
                for (int phase = 1; phase < observation.phases(); ++phase) {
                    observation.nextPhase();
                    observation.look(value);
                }
                changed += observation.finish(model, slot, parameterQuantizeOrigin, context);
            } catch (Error &error) {
                error.op = model.graph.operation(slot.op).name;
                error.variable = model.graph.variable(id).name;
                throw;
            }
        }
        return changed;
    }

private:
    std::string m_observer;
};

static const PassRegistrar parameterQuantizeRegistrar{
    {.info = {.id = "parameter_quantize",
              .title = QL_TEXT("Parameter quantization"),
              .meaning = QL_TEXT("Before: weights have no scale. After: each has the scale that its observer derived."),
              .params = {{.name = "observer",
                          .type = "observer",
                          .fallback = "",
                          .meaning = QL_TEXT("Observer for all parameters; empty: the platform's choice for each.")}}},
     .traits = {.kind = PassKind::Quant, .writes = {PassAspect::ParameterScales}},
     .make = makePassOf<ParameterQuantize>}};

} // namespace ql
