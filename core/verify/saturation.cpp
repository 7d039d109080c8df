#include "core/verify/saturation.h"

#include "core/ir/op_traits.h"
#include "core/verify/explained.h"

namespace ql {

std::optional<api::FirstDivergence> saturatingSums(const LocalContext &context, std::size_t index)
{
    QuantModel model = context.model;
    bool isNew = false;
    const LocalProgram plain(context, index, false);
    for (const OpId id : plain.segment().operations) {
        TargetKernel kernel = model.plan.kernelOf(id);
        if (!isComputing(model.graph.operation(id)) || !model.isQuantized(id) ||
            kernel.sums == TargetKernel::Sums::SaturatingPairs)
            continue;
        kernel.sums = TargetKernel::Sums::SaturatingPairs;
        model.plan.kernels[id] = kernel;
        isNew = true;
    }
    if (!isNew) return {};
    const LocalContext other{model,          context.executor, context.data, context.tensors,
                             context.usable, context.values,   context.job};
    const Explained explained = explainedBy(context, index, LocalProgram(other, index, false));
    if (!explained.isProof()) return {};
    return api::FirstDivergence{
        {},
        {},
        api::cause::saturation,
        QL_TEXT("the runtime adds pairs of products of neighbouring channels in 16 bits, as processors without VNNI "
                "instructions do: with sums saturated this way, the simulator gives the runtime's codes at %1 of %2 "
                "differing elements")
            .with(explained.explained, explained.differing)};
}

} // namespace ql
