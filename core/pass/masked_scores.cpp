// Before: scores (step 0.02) + mask (0 or -10,000: step 79) -> Softmax        After: the mask, the sum and the input of
//                                                                             Softmax are in float32
//
// The addends of an Add share one scale on most targets, and so does everything up to Softmax. A mask stretches it so
// far that almost all scores round to the same code. Models mask with different values: -100 (Swin), -10,000, -65,504,
// -1e9, the lowest float32. Condition: Softmax reads the result of an Add, Sub or Where, perhaps moved by
// Reshape or Transpose; the largest step of the addends and the sum is at least `step`, and `stretch` times the
// smallest step of an addend. The slots with such steps become float32; the scores keep their own scale. Fixed scales
// are left alone.
#include "core/ir/op_traits.h"
#include "core/pass/slots.h"

#include <algorithm>
#include <set>

namespace ql {

namespace {

const Origin maskedScoresOrigin = Origin::pass("masked_scores");
/// Two bits of the scores are lost.
constexpr double stretch = 4;

class MaskedScores final : public Pass
{
public:
    explicit MaskedScores(const nlohmann::json &params) : m_step(params["step"]) {}

    std::string_view id() const override { return "masked_scores"; }

    int run(QuantModel &model, const PassContext &context) const override
    {
        int changed = 0;
        for (const OpId id : model.graph.topological()) {
            const Operation &op = model.graph.operation(id);
            if (op.type != "Softmax" || !op.domain.empty()) continue;
            std::vector<Slot> slots;
            const OpId mask = maskOf(model.graph, id, &slots);
            if (mask != noOp) changed += release(model.plan, model.graph.operation(mask), std::move(slots), context);
        }
        return changed;
    }

private:
    /// The operation that adds a mask to the input of softmax, and the slots of the sum.
    static OpId maskOf(const Graph &graph, OpId softmax, std::vector<Slot> *slots)
    {
        static const std::set<std::string> adding{"Add", "Sub", "Where"};
        for (OpId id = softmax; graph.operation(id).hasInput(0);) {
            slots->push_back(inputSlot(id, 0));
            const Variable &read = graph.variable(graph.operation(id).inputs[0]);
            if (read.producer == noOp || read.producerIndex != 0) return noOp;
            id = read.producer;
            slots->push_back(outputSlot(id));
            const Operation &op = graph.operation(id);
            if (op.domain.empty() && adding.contains(op.type)) return id;
            if (!movesValues(op)) return noOp;
        }
        return noOp;
    }

    /// 0 if slot is not rounded with one scale.
    static double stepOf(const QuantPlan &plan, Slot slot)
    {
        if (!plan.find(slot)) return 0;
        const TensorQuantConfig *config = plan.simulated(plan.root(slot));
        if (!config || config->isFloating() || config->dynamic || plan.scale(slot).size() != 1) return 0;
        return plan.scale(slot)[0];
    }

    /// slots: those of the sum; those of the addends follow.
    int release(QuantPlan &plan, const Operation &mask, std::vector<Slot> slots, const PassContext &context) const
    {
        double least = 0;
        for (std::size_t i = mask.type == "Where"; i < mask.inputs.size(); ++i) {
            slots.push_back(inputSlot(mask.id, i));
            const double step = stepOf(plan, slots.back());
            if (step > 0 && (least == 0 || step < least)) least = step;
        }
        std::erase_if(slots, [&](Slot slot) { return stepOf(plan, slot) < std::max(m_step, stretch * least); });
        if (std::any_of(slots.begin(), slots.end(), [&](Slot slot) {
                return context.fixedScales.contains(slot) || context.fixedScales.contains(plan.root(slot));
            }))
            return 0;
        for (const Slot slot : slots) {
            plan.detach(slot);
            plan.setState(slot, QuantState::Off, maskedScoresOrigin);
            plan.find(slot)->scale.clear();
            plan.find(slot)->zeroPoint.clear();
        }
        return int(slots.size());
    }

    double m_step;
};

const PassRegistrar maskedScoresRegistrar{
    {.info = {.id = "masked_scores",
              .title = QL_TEXT("Masked scores in float32"),
              .meaning = QL_TEXT("Before: a mask of -10,000 gives the attention scores that it is added to next to no "
                                 "codes. After: the mask, the sum and the input of Softmax are in float32."),
              .params = {{.name = "step",
                          .type = "float",
                          .fallback = 0.25,
                          .meaning = QL_TEXT("Smallest step of the sum that counts as too coarse for Softmax."),
                          .min = 0}}},
     .traits = {.kind = PassKind::Quant, .needs = {PassAspect::ActivationScales}},
     .make = makePassOf<MaskedScores>}};

} // namespace
} // namespace ql
