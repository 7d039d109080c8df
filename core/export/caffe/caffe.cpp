// Caffe: the float net with rounded parameters (.prototxt and .caffemodel), and PPQ's JSON of every config. Where the
// pass record_ranges ran, layers also have OpenPPL's quantize_param.
#include "core/base/file.h"
#include "core/export/exporter.h"
#include "core/export/file_set.h"
#include "core/export/ppq_config.h"
#include "core/io/caffe/write.h"
#include "core/quant/quantize.h"

#include <optional>

namespace ql {

/// The range of values that the scale of a slot represents; nothing without one scale for the tensor.
static std::optional<CaffeRange> scaleRange(const QuantPlan &plan, Slot slot, const char *type)
{
    const TensorQuantConfig *config = plan.find(slot);
    if (!config || config->state == QuantState::Off || config->isFloating() || plan.scale(slot).size() != 1) return {};
    const float scale = plan.scale(slot)[0], zero = float(plan.zeroPoint(slot)[0]);
    return CaffeRange{type, scale * (float(config->quantMin) - zero), scale * (float(config->quantMax) - zero)};
}

/// If the pass record_ranges ran: of inputs of the network, outputs, and channels of layers.
static CaffeRanges rangesOf(const QuantModel &model)
{
    const QuantPlan &plan = model.plan;
    CaffeRanges all;
    if (plan.recordedRanges.empty()) return all;
    for (const OpId id : model.graph.operations()) {
        std::vector<CaffeRange> ranges;
        for (std::size_t i = 0; i < model.graph.operation(id).inputs.size(); ++i) {
            if (!model.graph.isGraphInput(model.graph.operation(id).inputs[i])) continue;
            std::optional<CaffeRange> bottom = scaleRange(plan, inputSlot(id, i), "bottom");
            if (!bottom) continue;
            const auto seen = plan.recordedRanges.find(inputSlot(id, i));
            if (seen != plan.recordedRanges.end() && seen->second.min[0] >= 0) bottom->min = 0;
            ranges.push_back(*bottom);
        }
        for (std::size_t o = 0; o < model.graph.operation(id).outputs.size(); ++o)
            if (const auto top = scaleRange(plan, outputSlot(id, o), "top")) ranges.push_back(*top);
        if (const auto seen = plan.recordedRanges.find(outputSlot(id)); seen != plan.recordedRanges.end())
            for (std::size_t c = 0; c < seen->second.min.size(); ++c)
                ranges.push_back({"topperchannel", seen->second.min[c], seen->second.max[c]});
        if (!ranges.empty()) all[model.graph.operation(id).name] = std::move(ranges);
    }
    return all;
}

static ExportResult writeCaffeNet(const ExportRequest &request)
{
    const QuantModel &model = request.model;
    Graph graph = model.graph;
    for (const OpId id : model.graph.operations()) {
        const Operation &op = model.graph.operation(id);
        for (std::size_t i = 0; i < op.inputs.size(); ++i) {
            if (!model.graph.isParameter(op.inputs[i])) continue;
            const TensorQuantConfig *config = model.plan.find(inputSlot(id, i));
            if (config && config->visibility == Visibility::Internal) continue; // limits of a Clip: ReLU6 stays one
            const at::Tensor value = simulatedParameter(model.graph, model.plan, inputSlot(id, i));
            if (!value.is_same(model.graph.variable(op.inputs[i]).value))
                graph.setInput(id, i, graph.addParameter(graph.freshName(op.name + "_rounded"), value));
        }
    }
    graph.removeUnreachable();
    const CaffeNet net = writeCaffe(graph, rangesOf(model));
    FileSet files(request.target);
    writeFileAtomically(files.add(), net.definition);
    files.addText(".caffemodel", net.weights);
    files.addJson(".json", ppqConfig(model));
    ExportResult result;
    result.files = files.commit();
    result.notes = {
        QL_TEXT("Parameters are rounded to their grid; scales are in the JSON. The net has a batch size of 1 if the "
                "model leaves it open.")};
    return result;
}

static const ExporterRegistrar caffeNet{
    "caffe",
    {.info = {.id = "caffe",
              .title = QL_TEXT("Caffe net"),
              .meaning = QL_TEXT("A prototxt and a caffemodel with rounded parameters, and PPQ's JSON of every config, "
                                 "dispatch and scale."),
              .params = {uncalibratedParam()}},
     .extensions = {".prototxt"},
     .run = writeCaffeNet}};

} // namespace ql
