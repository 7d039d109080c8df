// Before: activations without a scale        After: they have the scales that overrides fix
//
// Takes the place of calibration in a recipe whose scales are all known, such as one made from a quantized model: it
// reads no data. The overrides are applied after every pass that writes scales; this one writes none itself, except
// that tensors whose scale is computed at run time become active.
#include "core/pass/dequantize_model.h"
#include "core/pass/slots.h"

namespace ql {

static const char *const fixedScalesId = "fixed_scales";

class FixedScales final : public Pass
{
public:
    std::string_view id() const override { return fixedScalesId; }

    int run(QuantModel &model, const PassContext &context) const override
    {
        int changed = int(context.fixedScales.size());
        for (const auto &[slot, config] : QuantPlan::Map(model.plan.configs())) {
            if (!config.dynamic || config.state != QuantState::Initial) continue;
            model.plan.setState(slot, QuantState::Active, Origin::pass(fixedScalesId));
            ++changed;
        }
        return changed;
    }
};

static const PassRegistrar fixedScalesRegistrar{
    {.info = {.id = "fixed_scales",
              .title = QL_TEXT("Fixed scales"),
              .meaning = QL_TEXT("Before: activations have no scale. After: those with a scale fixed by an override "
                                 "use it, without any data; others stay in float32.")},
     .traits = {.kind = PassKind::Quant, .writes = {PassAspect::ActivationScales}},
     .make = makePassOf<FixedScales>}};

std::string fixedScalesPassId()
{
    return fixedScalesId;
}

} // namespace ql
