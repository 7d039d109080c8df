// Before: x (scale 0.0096) -> Transpose -> y (scale 0.0093)        After: x and y share the scale 0.0096
//
// Operations that only move values give equal values on both sides, which need one scale: a runtime merges the two
// QuantizeLinear/DequantizeLinear pairs around a Transpose into one, and takes one of the scales. Scales differ after
// alignment (a Concat after the Transpose gives its inputs another scale) and where a platform calibrates both
// sides (Slice). All tensors that are connected by such operations share the largest of their scales, or the one that
// the user fixed (several fixed ones stay as they are). Only slots with equal codes and one scale per tensor. Running
// it twice changes nothing.
#include "core/ir/op_traits.h"
#include "core/pass/slots.h"
#include "core/quant/integer_arithmetic.h"

namespace ql {

namespace {

const Origin movedScalesOrigin = Origin::pass("moved_scales");

class MovedScales final : public Pass
{
public:
    explicit MovedScales(const nlohmann::json &) {}

    std::string_view id() const override { return "moved_scales"; }

    int run(QuantModel &model, const PassContext &) const override
    {
        int changed = 0;
        for (const OpId id : model.graph.topological()) {
            const Operation &op = model.graph.operation(id);
            if (!movesValues(op) || !op.hasInput(0)) continue;
            const auto source =
                gridSource(model.graph, inputSlot(id, 0), [&](Slot slot) { return model.plan.simulated(slot); });
            if (!source) continue;
            for (std::size_t o = 0; o < op.outputs.size(); ++o) {
                if (op.outputs[o] == noVar) continue;
                changed += merge(model.plan, *source, outputSlot(id, o));
                for (const Use &use : model.graph.variable(op.outputs[o]).uses)
                    if (use.op != noOp) changed += merge(model.plan, *source, {use.op, false, use.index});
            }
        }
        return changed;
    }

private:
    static int merge(QuantPlan &plan, Slot source, Slot target)
    {
        if (!plan.simulated(target)) return 0;
        const Slot from = plan.root(source), to = plan.root(target);
        if (from == to) return 0;
        const TensorQuantConfig &a = *plan.find(from), &b = *plan.find(to);
        if (a.quantMin != b.quantMin || a.quantMax != b.quantMax || b.isPerChannel() || b.isFloating() || b.dynamic ||
            !plan.hasScale(to))
            return 0;
        const float first = plan.scale(from)[0], second = plan.scale(to)[0];
        const bool isFirstFixed = plan.origin(a, ConfigField::Scale).isOverride();
        const bool isSecondFixed = plan.origin(b, ConfigField::Scale).isOverride();
        const bool isSame = first == second && plan.zeroPoint(from) == plan.zeroPoint(to);
        if (isFirstFixed && isSecondFixed && !isSame) return 0;
        if (isSecondFixed && !isFirstFixed) return shareSlot(plan, from, to, movedScalesOrigin);
        if (!isFirstFixed && first < second)
            plan.setScale(from, plan.scale(to), plan.zeroPoint(to), a.state, movedScalesOrigin);
        return shareSlot(plan, to, from, movedScalesOrigin);
    }
};

const PassRegistrar movedScalesRegistrar{
    {.info = {.id = "moved_scales",
              .title = QL_TEXT("One scale for moved values"),
              .meaning =
                  QL_TEXT("Before: the input and the output of a Transpose, Reshape or Slice have two scales. After: "
                          "they share the larger one, because runtimes merge the two.")},
     .traits = {.kind = PassKind::Quant, .needs = {PassAspect::ActivationScales}, .writes = {PassAspect::SharedScales}},
     .make = makePassOf<MovedScales>}};

} // namespace
} // namespace ql
