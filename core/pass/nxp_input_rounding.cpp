// Before: input rounded half to even        After: half down
//
// NXP's hardware rounds the inputs of its accelerated part half down: every quantized slot whose tensor no quantized
// operation produces (graph inputs, results of float operations) gets that rounding. By default this includes
// parameters, because the published scales and outputs were computed that way.
#include "core/pass/slots.h"

namespace ql {

static const Origin nxpInputRoundingOrigin = Origin::pass("nxp_input_rounding");

class NxpInputRounding final : public Pass
{
public:
    explicit NxpInputRounding(const nlohmann::json &params) : m_parameters(params["parameters"]) {}

    std::string_view id() const override { return "nxp_input_rounding"; }

    int run(QuantModel &model, const PassContext &) const override
    {
        std::vector<Slot> slots;
        for (const auto &[slot, config] : model.plan.configs()) {
            const VarId id = variableOf(model.graph, slot);
            if (slot.output || id == noVar || config.rounding == Rounding::HalfDown) continue;
            const Variable &variable = model.graph.variable(id);
            if (variable.producer != noOp && model.isQuantized(variable.producer)) continue;
            if (variable.isParameter() && !m_parameters) continue;
            slots.push_back(slot);
        }
        for (const Slot slot : slots) {
            TensorQuantConfig &config = *model.plan.find(slot);
            config.rounding = Rounding::HalfDown;
            model.plan.mark(config, ConfigField::Rounding, nxpInputRoundingOrigin);
        }
        return int(slots.size());
    }

private:
    bool m_parameters;
};

static const PassRegistrar nxpInputRoundingRegistrar{
    {.info = {.id = "nxp_input_rounding",
              .title = QL_TEXT("NXP input rounding"),
              .meaning =
                  QL_TEXT("Before: tensors that enter the quantized part are rounded half to even. After: half down."),
              .params = {{.name = "parameters",
                          .type = "bool",
                          .fallback = true,
                          .meaning = QL_TEXT("Also change the rounding of weights and other constants.")}}},
     .traits = {.kind = PassKind::Quant},
     .make = makePassOf<NxpInputRounding>}};

} // namespace ql
