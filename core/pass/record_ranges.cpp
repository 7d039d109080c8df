// Before: scales        After: the same, and the ranges of values of layers in QuantPlan::recordedRanges
//
// For each quantized layer: the range of each channel (axis 1) of its output, or of the output of the Relu or Clip that
// is its only consumer, recorded for the layer; and the range of input 0 if that is an input of the network. Exporters
// for TI's DSPs write them. The calibration batches run through the quantized network; a tensor is recorded before it
// is rounded. (PPQ 0.6.6, PPLDSPTIReCalibrationPass.) Conditions: float32 tensors; an output without channels is left
// out. Without data (all scales are known), the files have scales only.
#include "core/ir/op_traits.h"
#include "core/pass/calibration_data.h"
#include "core/pass/observation.h"

#include <limits>

namespace ql {

class RecordRanges final : public Pass
{
public:
    std::string_view id() const override { return "record_ranges"; }

    int run(QuantModel &model, const PassContext &context) const override
    {
        std::map<Slot, RecordedRange> ranges;
        ProgramSpec spec;
        spec.plan = &model.plan;
        for (const OpId id : model.graph.operations()) addProbes(model, id, spec, ranges);
        if (spec.probes.empty()) return 0;
        requireCalibration(context, QL_TEXT("recording ranges"));
        const Program program = Executor(model.graph, context.exec).compile(spec);
        const std::size_t steps = std::min(context.calibrationSteps, context.calibration->size());
        for (std::size_t i = 0; i < steps; ++i) {
            context.job.checkpoint(double(i) / double(steps), QL_TEXT("recording ranges"));
            program.run(context.calibration->batch(i), context.job, context.calibration->name(i));
        }
        std::erase_if(ranges, [](const auto &range) { return range.second.min.empty(); });
        model.plan.recordedRanges = std::move(ranges);
        return int(model.plan.recordedRanges.size());
    }

private:
    static void addProbes(const QuantModel &model, OpId id, ProgramSpec &spec, std::map<Slot, RecordedRange> &ranges)
    {
        const Graph &graph = model.graph;
        if (!model.isQuantized(id) || !traitsOf(graph.operation(id)).weights) return;
        const auto add = [&](Slot observed, Slot owner, std::optional<int> axis) {
            spec.probes.push_back(
                {observed, ProbePoint::Raw,
                 [range = &ranges[owner], axis](const at::Tensor &t, auto) { widen(*range, t, axis); }});
        };
        if (graph.isGraphInput(graph.operation(id).inputs[0])) add(inputSlot(id, 0), inputSlot(id, 0), {});
        const OpId next = graph.soleConsumer(id);
        const bool isActivated = next != noOp && model.isQuantized(next) &&
                                 (graph.operation(next).type == "Relu" || graph.operation(next).type == "Clip");
        add(outputSlot(isActivated ? next : id), outputSlot(id), 1);
    }

    static void widen(RecordedRange &range, const at::Tensor &tensor, std::optional<int> axis)
    {
        if (tensor.scalar_type() != at::kFloat || tensor.numel() == 0 || (axis && tensor.dim() <= *axis)) return;
        at::Tensor copy;
        const TensorView view = viewOf(tensor, axis, &copy);
        if (range.min.empty()) {
            range.min.assign(std::size_t(view.channels), std::numeric_limits<float>::infinity());
            range.max.assign(std::size_t(view.channels), -std::numeric_limits<float>::infinity());
        }
        if (range.min.size() != std::size_t(view.channels))
            throw Error(ErrorKind::Numeric, QL_TEXT("the channel axis had %1 entries in one batch and %2 in another")
                                                .with(range.min.size(), view.channels));
        std::int64_t nanCount = 0;
        checkObserved(view.kernels->minMaxChannel(view.data, view.size, view.channels, view.channelStride,
                                                  range.min.data(), range.max.data(), &nanCount, view.stream));
    }
};

static const PassRegistrar recordRangesRegistrar{
    {.info = {.id = "record_ranges",
              .title = QL_TEXT("Record ranges"),
              .meaning =
                  QL_TEXT("Before: files have scales. After: they also have the range of each channel of each "
                          "layer's output in the calibration data, which TI's DSPs need. Scales do not change.")},
     .traits =
         {.kind = PassKind::Quant, .needsData = true, .isOptional = true, .needs = {PassAspect::ActivationScales}},
     .make = makePassOf<RecordRanges>}};

} // namespace ql
