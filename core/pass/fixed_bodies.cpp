// Before: If(c, w) { Conv(x, w) }, with w rounded        After: the body computes as {Q -> Conv(x, w) -> Q}
//
// Takes the place of quantize_bodies in a recipe whose scales are all known, as fixed_scales takes that of calibration:
// tensors in bodies that no override gives a scale stay in float32. It reads no data.
#include "core/ir/subgraphs.h"
#include "core/pass/body_model.h"

namespace ql {

static const char *const fixedBodiesId = "fixed_bodies";

class FixedBodies final : public Pass
{
public:
    std::string_view id() const override { return fixedBodiesId; }

    int run(QuantModel &model, const PassContext &context) const override
    {
        int changed = 0;
        for (const OpId id : quantizedWithBodies(model))
            for (const auto &[name, value] : model.graph.operation(id).attributes) {
                const auto *body = std::get_if<std::shared_ptr<const Graph>>(&value);
                if (!body || !*body) continue;
                BodyModel inner = bodyModel(model, context.path, id, name, Origin::pass(fixedBodiesId));
                changed += quantizeBodyModel(model, id, name, std::move(inner), context);
            }
        return changed;
    }
};

static const PassRegistrar fixedBodiesRegistrar{
    {.info = {.id = "fixed_bodies",
              .title = QL_TEXT("Bodies with fixed scales"),
              .meaning = QL_TEXT("Before: only the weights of bodies of If, Loop and Scan are quantized. After: "
                                 "activations in them that have a scale fixed by an override use it, without any "
                                 "data.")},
     .traits = {.kind = PassKind::Quant, .needs = {PassAspect::ParameterScales}},
     .make = makePassOf<FixedBodies>}};

std::string fixedBodiesPassId()
{
    return fixedBodiesId;
}

} // namespace ql
