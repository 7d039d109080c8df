// Before: weight (active or passive)        After: weight (baked)
//
// Declares the rounded values of parameters final: their scales are frozen, exporters may write the integers. The
// float graph keeps its values; programs compute with the rounded ones before and after, so no number changes.
#include "core/pass/slots.h"

namespace ql {

static const Origin bakeOrigin = Origin::pass("bake");

class Bake final : public Pass
{
public:
    explicit Bake(const nlohmann::json &) {}

    std::string_view id() const override { return "bake"; }

    int run(QuantModel &model, const PassContext &) const override
    {
        std::vector<Slot> slots;
        for (const auto &[slot, config] : model.plan.configs())
            if (config.isApplied() && isParameterSlot(model.graph, slot) && !config.dynamic &&
                model.plan.hasScale(slot))
                slots.push_back(slot);
        for (const Slot slot : slots) model.plan.setState(slot, QuantState::Baked, bakeOrigin);
        return int(slots.size());
    }
};

static const PassRegistrar bakeRegistrar{
    {.info = {.id = "bake",
              .title = QL_TEXT("Baking"),
              .meaning =
                  QL_TEXT("Before: parameters are quantized whenever they are used. After: their rounded values are "
                          "final and their scales frozen.")},
     .traits = {.kind = PassKind::Quant,
                .needs = {PassAspect::ParameterScales},
                .finishes = {PassAspect::ParameterScales, PassAspect::DerivedScales, PassAspect::RoundedBiases,
                             PassAspect::BiasValues, PassAspect::TrainedValues}},
     .make = makePassOf<Bake>}};

} // namespace ql
