// Caffe: the float net with rounded parameters (.prototxt and .caffemodel), and PPQ's JSON of every config. ppl_dsp:
// with OpenPPL's quantize_param of weights, inputs of the network and outputs, as PPQ writes it for PPL_DSP_INT8. Where
// the pass record_ranges ran (PPL_DSP_TI_INT8), it has the ranges of the channels of layers instead of those of
// weights.
#include "core/base/file.h"
#include "core/export/exporter.h"
#include "core/export/file_set.h"
#include "core/export/ppq_config.h"
#include "core/io/caffe/write.h"
#include "core/ir/op_traits.h"
#include "core/quant/quantize.h"

#include <optional>

namespace ql {

namespace {

/// The ranges of values that the scales of a slot represent.
std::vector<CaffeRange> scaleRanges(const QuantPlan &plan, Slot slot, const char *type)
{
    const TensorQuantConfig *config = plan.find(slot);
    std::vector<CaffeRange> all;
    if (!config || config->state == QuantState::Off || config->isFloating() || config->isGrouped()) return all;
    const std::vector<float> &scale = plan.scale(slot);
    const std::vector<std::int32_t> &zeroPoint = plan.zeroPoint(slot);
    for (std::size_t c = 0; c < scale.size(); ++c) {
        const float zero = float(zeroPoint[c]);
        all.push_back({type, scale[c] * (float(config->quantMin) - zero), scale[c] * (float(config->quantMax) - zero)});
    }
    return all;
}

/// Nothing without one scale for the tensor.
std::optional<CaffeRange> scaleRange(const QuantPlan &plan, Slot slot, const char *type)
{
    const std::vector<CaffeRange> all = scaleRanges(plan, slot, type);
    return all.size() == 1 ? std::optional(all[0]) : std::nullopt;
}

/// Of the weights of an operation.
std::vector<CaffeRange> weightRanges(const QuantModel &model, OpId id)
{
    const Operation &op = model.graph.operation(id);
    const auto &weights = traitsOf(op).weights;
    if (op.type == "PRelu") return scaleRanges(model.plan, inputSlot(id, 1), "slope");
    if (!weights) return {};
    const Slot slot = inputSlot(id, std::size_t(weights->weight));
    const TensorQuantConfig *config = model.plan.find(slot);
    if (!config || config->bits > 8) return {};
    return scaleRanges(model.plan, slot, "filter");
}

/// Of weights or, where the pass record_ranges ran, of the channels of layers; of inputs of the network and outputs.
CaffeRanges rangesOf(const QuantModel &model)
{
    const QuantPlan &plan = model.plan;
    CaffeRanges all;
    for (const OpId id : model.graph.operations()) {
        if (!model.isQuantized(id)) continue;
        std::vector<CaffeRange> ranges;
        if (plan.recordedRanges.empty()) ranges = weightRanges(model, id);
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

ExportResult writeNet(const ExportRequest &request, const CaffeRanges &ranges)
{
    const QuantModel &model = request.model;
    Graph graph = model.graph;
    for (const OpId id : model.graph.operations()) {
        const Operation &op = model.graph.operation(id);
        if (op.type == "Clip") continue; // its limits are rounded with its result, and ReLU6 stays one
        for (std::size_t i = 0; i < op.inputs.size(); ++i) {
            if (!model.graph.isParameter(op.inputs[i])) continue;
            const at::Tensor value = simulatedParameter(model.graph, model.plan, inputSlot(id, i));
            if (!value.is_same(model.graph.variable(op.inputs[i]).value))
                graph.setInput(id, i, graph.addParameter(graph.freshName(op.name + "_rounded"), value));
        }
    }
    graph.removeUnreachable();
    const CaffeNet net = writeCaffe(graph, ranges);
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

/// OpenPPL's ranges only if they were recorded for them.
ExportResult writeCaffeNet(const ExportRequest &request)
{
    return writeNet(request, request.model.plan.recordedRanges.empty() ? CaffeRanges() : rangesOf(request.model));
}

ExportResult writePplDspNet(const ExportRequest &request)
{
    return writeNet(request, rangesOf(request.model));
}

const ExporterRegistrar caffeNet{
    "caffe",
    {.info = {.id = "caffe",
              .title = QL_TEXT("Caffe net"),
              .meaning = QL_TEXT("A prototxt and a caffemodel with rounded parameters, and PPQ's JSON of every config, "
                                 "dispatch and scale."),
              .params = {uncalibratedParam()}},
     .extensions = {".prototxt"},
     .beside = {".caffemodel", ".json"},
     .run = writeCaffeNet}};

const ExporterRegistrar pplDspNet{
    "ppl_dsp",
    {.info = {.id = "ppl_dsp",
              .title = QL_TEXT("OpenPPL net for DSPs"),
              .meaning = QL_TEXT("A Caffe net (prototxt and caffemodel) with rounded parameters whose layers have the "
                                 "ranges of weights, inputs and outputs, and PPQ's JSON."),
              .params = {uncalibratedParam()}},
     .extensions = {".prototxt"},
     .beside = {".caffemodel", ".json"},
     .run = writePplDspNet}};

} // namespace

} // namespace ql
