// Before: producer -> Q -> Q -> consumer        After: producer -> Q -> consumer
//
// A consumer's input that waits for calibration and has the same grid as the producer's output would quantize the same
// tensor twice: it becomes Overlapped by the output. Condition: same platform, the output is not in float32. Applies
// to each slot that reads the tensor, even if one operation reads it twice.
//
// If every consumer reads the tensor with one scale per channel, a scale of the whole tensor before would undo what
// they are for: the output becomes Overlapped by the first consumer's input. Not that of an operation whose inputs and
// output share a scale (Concat, Add ...), which then would be one per channel, too.
#include "core/ir/op_traits.h"
#include "core/pass/slots.h"

#include <algorithm>

namespace ql {

static const Origin quantizeSimplifyOrigin = Origin::pass("quantize_simplify");

class QuantizeSimplify final : public Pass
{
public:
    explicit QuantizeSimplify(const nlohmann::json &) {}

    std::string_view id() const override { return "quantize_simplify"; }

    int run(QuantModel &model, const PassContext &) const override
    {
        int changed = 0;
        for (const OpId id : model.graph.topological()) changed += leaveToChannels(model, id);
        for (const OpId id : model.graph.operations()) {
            const Operation &op = model.graph.operation(id);
            for (std::size_t o = 0; o < op.outputs.size(); ++o) {
                const Slot output = outputSlot(id, o);
                if (op.outputs[o] == noVar) continue;
                for (const Use &use : model.graph.variable(op.outputs[o]).uses) {
                    const Slot input{use.op, false, use.index};
                    if (!roundsAgain(model.plan, input, output) || model.platformOf(use.op) != model.platformOf(id))
                        continue;
                    changed += overlapSlot(model.plan, input, output, quantizeSimplifyOrigin);
                }
            }
        }
        return changed;
    }

private:
    static int leaveToChannels(QuantModel &model, OpId id)
    {
        int changed = 0;
        const Operation &op = model.graph.operation(id);
        if (traitsOf(op).alignment != Alignment::None) return 0;
        for (std::size_t o = 0; o < op.outputs.size(); ++o) {
            const Slot output = outputSlot(id, o);
            const TensorQuantConfig *produced = model.plan.find(output);
            if (!produced || produced->state != QuantState::Initial || produced->isPerChannel() ||
                op.outputs[o] == noVar)
                continue;
            const std::vector<Use> &uses = model.graph.variable(op.outputs[o]).uses;
            const bool all = std::all_of(uses.begin(), uses.end(), [&](const Use &use) {
                const TensorQuantConfig *read =
                    use.op == noOp ? nullptr : model.plan.find(Slot{use.op, false, use.index});
                return read && read->state == QuantState::Initial && read->isPerChannel() &&
                       model.platformOf(use.op) == model.platformOf(id);
            });
            if (all && !uses.empty())
                changed +=
                    overlapSlot(model.plan, output, Slot{uses[0].op, false, uses[0].index}, quantizeSimplifyOrigin);
        }
        return changed;
    }
};

static const PassRegistrar quantizeSimplifyRegistrar{
    {.info = {.id = "quantize_simplify",
              .title = QL_TEXT("Simplification"),
              .meaning =
                  QL_TEXT("Before: a tensor is quantized by its producer and again by each consumer. After: "
                          "only by the producer, if both use the same grid; only by the consumers, if all of them "
                          "have a scale for each channel.")},
     .traits = {.kind = PassKind::Quant, .joins = {PassAspect::ActivationScales}},
     .make = makePassOf<QuantizeSimplify>}};

} // namespace ql
