// Before: x (scale 0.0096) -> Transpose -> y (scale 0.0093)        After: x and y share the scale 0.0096
//
// Operations that only move values give equal values on both sides, which need one scale: a runtime merges the two
// QuantizeLinear/DequantizeLinear pairs around a Transpose into one, and takes one of the scales. Scales differ after
// alignment (a Concat after the Transpose gives its inputs another scale) and where a platform calibrates both
// sides (Slice). All tensors that are connected by such operations share the largest of their scales (with zero points:
// one whose range contains all of theirs), or the one that the user fixed (several fixed ones stay as they are). The
// more_types (AveragePool, Resize) count as such operations; a target that gives these one scale has one scale per
// tensor, so what they read is connected, too. Only slots with equal codes and one scale per tensor. Running it twice
// changes nothing.
#include "core/ir/op_traits.h"
#include "core/pass/slots.h"
#include "core/quant/integer_arithmetic.h"

#include <algorithm>
#include <set>
#include <utility>

namespace ql {

namespace {

const Origin movedScalesOrigin = Origin::pass("moved_scales");

class MovedScales final : public Pass
{
public:
    explicit MovedScales(const nlohmann::json &params)
    {
        for (const std::string type : params["more_types"]) m_moreTypes.insert(type);
    }

    std::string_view id() const override { return "moved_scales"; }

    int run(QuantModel &model, const PassContext &) const override
    {
        int changed = 0;
        for (const OpId id : model.graph.topological()) {
            const Operation &op = model.graph.operation(id);
            const bool isListed = op.domain.empty() && m_moreTypes.contains(op.type);
            if (!(movesValues(op) || isListed) || !op.hasInput(0)) continue;
            const Slot read = inputSlot(id, 0);
            if (isListed) changed += mergeWithProducer(model, read);
            const auto source = model.plan.simulated(read) ? std::optional(read) : gridUpstream(model, read);
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
    static std::optional<Slot> gridUpstream(const QuantModel &model, Slot read)
    {
        return gridSource(model.graph, read, [&](Slot slot) { return model.plan.simulated(slot); });
    }

    /// What the operation reads is rounded only once, with the scale that it passes on.
    static int mergeWithProducer(QuantModel &model, Slot read)
    {
        const Variable &tensor = model.graph.variable(variableOf(model.graph, read));
        if (tensor.producer == noOp) return 0;
        return merge(model.plan, outputSlot(tensor.producer, std::size_t(tensor.producerIndex)), read);
    }

    /// Represents what either of two grids does: values below 0 that a Resize interpolates, and values up to the
    /// largest one after the Relu that follows it.
    static ScaleZero covering(const ScaleZero &first, const ScaleZero &second, const TensorQuantConfig &config)
    {
        if (first.zeroPoint == second.zeroPoint) return first.scale < second.scale ? second : first;
        const auto lowest = [&](const ScaleZero &grid) {
            return double(grid.scale) * (config.quantMin - grid.zeroPoint);
        };
        const auto highest = [&](const ScaleZero &grid) {
            return double(grid.scale) * (config.quantMax - grid.zeroPoint);
        };
        for (const auto &[outer, inner] : {std::pair(first, second), std::pair(second, first)})
            if (lowest(outer) <= lowest(inner) && highest(outer) >= highest(inner)) return outer;
        return solveRange(std::min(lowest(first), lowest(second)), std::max(highest(first), highest(second)), config);
    }

    static int merge(QuantPlan &plan, Slot source, Slot target)
    {
        if (!plan.simulated(source) || !plan.simulated(target)) return 0;
        const Slot from = plan.root(source), to = plan.root(target);
        if (from == to) return 0;
        const TensorQuantConfig &a = *plan.find(from), &b = *plan.find(to);
        if (a.quantMin != b.quantMin || a.quantMax != b.quantMax || a.isPerChannel() || b.isPerChannel() ||
            a.isFloating() || b.isFloating() || a.dynamic || b.dynamic || !plan.hasScale(from) || !plan.hasScale(to))
            return 0;
        const ScaleZero first{plan.scale(from)[0], plan.zeroPoint(from)[0]};
        const ScaleZero second{plan.scale(to)[0], plan.zeroPoint(to)[0]};
        const bool isFirstFixed = plan.origin(a, ConfigField::Scale).isOverride();
        const bool isSecondFixed = plan.origin(b, ConfigField::Scale).isOverride();
        const bool isSame = first.scale == second.scale && first.zeroPoint == second.zeroPoint;
        if (isFirstFixed && isSecondFixed && !isSame) return 0;
        if (isSecondFixed && !isFirstFixed) return shareSlot(plan, from, to, movedScalesOrigin);
        const ScaleZero both = covering(first, second, a);
        if (!isFirstFixed && (both.scale != first.scale || both.zeroPoint != first.zeroPoint))
            plan.setScale(from, {both.scale}, {both.zeroPoint}, a.state, movedScalesOrigin);
        return shareSlot(plan, to, from, movedScalesOrigin);
    }

    std::set<std::string> m_moreTypes;
};

const PassRegistrar movedScalesRegistrar{
    {.info = {.id = "moved_scales",
              .title = QL_TEXT("One scale for moved values"),
              .meaning =
                  QL_TEXT("Before: the input and the output of a Transpose, Reshape or Slice have two scales. After: "
                          "they share the larger one, because runtimes merge the two."),
              .params = {{.name = "more_types",
                          .type = "strings",
                          .fallback = nlohmann::json::array(),
                          .meaning = QL_TEXT("Other operations whose input and output the target gives one scale, such "
                                             "as AveragePool and Resize.")}}},
     .traits = {.kind = PassKind::Quant, .needs = {PassAspect::ActivationScales}, .writes = {PassAspect::SharedScales}},
     .make = makePassOf<MovedScales>}};

} // namespace
} // namespace ql
