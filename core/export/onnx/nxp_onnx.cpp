// NXP: a float model and, for each activation, its range as two scalars, "NAME_min" and "NAME_max", which are
// parameters and graph inputs that no operation reads. The range is that of signed codes: -scale * 2^(bits - 1) and one
// scale less than its opposite.
#include "core/export/exported_slots.h"
#include "core/export/onnx/side_files.h"
#include "core/io/onnx/write.h"

#include <ATen/ops/full.h>

#include <cmath>
#include <map>

namespace ql {

/// The slot that describes a tensor: that of the first consumer that has one, otherwise the producer's.
static const ExportedSlot *nxpSlot(const Variable &variable, const std::map<Slot, ExportedSlot> &slots)
{
    for (const Use &use : variable.uses)
        if (const auto found = slots.find(inputSlot(use.op, std::size_t(use.index))); found != slots.end())
            return &found->second;
    if (variable.producer == noOp) return nullptr;
    const auto found = slots.find(outputSlot(variable.producer, std::size_t(variable.producerIndex)));
    return found == slots.end() ? nullptr : &found->second;
}

static ExportResult writeNxpOnnx(const ExportRequest &request)
{
    const QuantModel &model = request.model;
    std::map<Slot, ExportedSlot> slots;
    for (const OpId id : model.graph.operations())
        for (ExportedSlot &slot : exportedSlots(model, id, ListOverlapped::No))
            slots.emplace(slot.slot, std::move(slot));
    ExportResult result;
    Graph graph = plainGraph(model, request.params, result);
    WriteOptions options;
    for (const VarId id : model.graph.variables()) {
        const Variable &variable = model.graph.variable(id);
        const ExportedSlot *slot = variable.isParameter() ? nullptr : nxpSlot(variable, slots);
        if (!slot) continue;
        if (slot->isPerChannel() || slot->config->isFloating() || !slot->config->symmetric) {
            request.report({.severity = api::Severity::Warning,
                            .variable = variable.name,
                            .message = QL_TEXT("no range in the NXP file: it is not symmetric, or has several scales"),
                            .remedy = QL_TEXT("Quantize for NXP_INT8, or remove the override of this tensor.")});
            continue;
        }
        const double scale = slot->scale.front(), range = std::ldexp(scale, slot->config->bits - 1);
        for (const auto &[ending, value] : {std::pair("_min", -range), {"_max", range - scale}}) {
            const std::string name = graph.freshName(variable.name + ending);
            graph.addParameter(name, at::full({}, value, at::TensorOptions(at::kFloat)));
            options.listedParameters.insert(name);
        }
    }
    result.files = writeOnnx(graph, request.target, options);
    return result;
}

static const ExporterRegistrar nxpOnnx{
    "nxp_onnx",
    {.info = {.id = "nxp_onnx",
              .title = QL_TEXT("NXP ONNX"),
              .meaning = QL_TEXT("ONNX model with rounded parameters and the range of each activation as two scalar "
                                 "inputs with values."),
              .params = modelParams()},
     .extensions = {".onnx"},
     .run = writeNxpOnnx}};

} // namespace ql
