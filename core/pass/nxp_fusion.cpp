// Before: Conv -> Q -> Relu -> Q, a -> Q -> Concat -> Q        After: Conv -> Relu -> Q, a -> Concat -> Q
//
// The fusion of NXP's own quantizer: the output of a Conv or Add is quantized as the output of the Relu that is its
// only consumer, and every operation directly before a Concat on the grid of the Concat's output. (PPQ 0.6.6,
// NxpQuantizeFusionPass, which none of its pipelines use; the platform's pipeline has quantize_fusion.) Conditions: the
// operations are quantized on the same platform, and a tensor before a Concat has no other consumer and is not a graph
// output.
#include "core/pass/slots.h"

namespace ql {

static const Origin nxpFusionOrigin = Origin::pass("nxp_fusion");

class NxpFusion final : public Pass
{
public:
    explicit NxpFusion(const nlohmann::json &) {}

    std::string_view id() const override { return "nxp_fusion"; }

    int run(QuantModel &model, const PassContext &) const override
    {
        const Graph &graph = model.graph;
        int changed = 0;
        const auto together = [&](OpId a, OpId b) {
            return model.isQuantized(a) && model.isQuantized(b) && model.platformOf(a) == model.platformOf(b);
        };
        for (const OpId id : graph.operations()) {
            const Operation &op = graph.operation(id);
            if (op.type == "Conv" || op.type == "Add") {
                const OpId next = graph.soleConsumer(id);
                if (next == noOp || graph.operation(next).type != "Relu" || !together(id, next)) continue;
                changed += overlapSlot(model.plan, outputSlot(id), outputSlot(next), nxpFusionOrigin);
                changed += overlapSlot(model.plan, inputSlot(next, 0), outputSlot(next), nxpFusionOrigin);
            } else if (op.type == "Concat") {
                for (std::size_t i = 0; i < op.inputs.size(); ++i) {
                    const Variable &read = graph.variable(op.inputs[i]);
                    if (read.producer == noOp || !together(read.producer, id)) continue;
                    if (read.uses.size() != 1 || graph.isGraphOutput(read.id)) continue;
                    const Slot written = outputSlot(read.producer, std::size_t(read.producerIndex));
                    changed += overlapSlot(model.plan, written, outputSlot(id), nxpFusionOrigin);
                    changed += overlapSlot(model.plan, inputSlot(id, i), outputSlot(id), nxpFusionOrigin);
                }
            }
        }
        return changed;
    }
};

static const PassRegistrar nxpFusionRegistrar{
    {.info = {.id = "nxp_fusion",
              .title = QL_TEXT("NXP fusion"),
              .meaning = QL_TEXT("Before: Conv or Add and its Relu, and the inputs of a Concat, are quantized each. "
                                 "After: only the output of Relu or Concat is quantized.")},
     .traits = {.kind = PassKind::Quant, .joins = {PassAspect::ActivationScales}},
     .make = makePassOf<NxpFusion>}};

} // namespace ql
