#include "core/export/onnx/side_files.h"

#include "core/base/error.h"
#include "core/export/onnx/open_shapes.h"
#include "core/export/onnx/operators.h"

namespace ql {

std::vector<api::ParamSpec> modelParams()
{
    return {uncalibratedParam(), fixedShapesParam(), foreignOperatorsParam()};
}

std::int64_t encodingOffset(const ExportedSlot &slot, std::size_t i)
{
    const TensorQuantConfig &config = *slot.config;
    return (config.quantMin < 0 ? -(std::int64_t(1) << (config.bits - 1)) : 0) - slot.zeroPoint[i];
}

ExportResult writeModelWith(const ExportRequest &request, const QuantModel &model,
                            const std::function<void(FileSet &)> &write)
{
    FileSet files(request.target);
    ExportResult result = writePlainOnnx(model, files.add(), request.params);
    write(files);
    result.files = files.commit();
    return result;
}

ExportResult writeModelWith(const ExportRequest &request, const std::function<void(FileSet &)> &write)
{
    return writeModelWith(request, request.model, write);
}

void requireOneScale(const ExportRequest &request, const ExportedSlot &slot, const char *format, const char *platform)
{
    if (!slot.isPerChannel()) return;
    const Graph &graph = request.model.graph;
    throw Error(ErrorKind::UnsupportedOp, QL_TEXT("export '%1': the format has one scale per tensor").with(format),
                graph.operation(slot.slot.op).name, graph.variable(slot.variable).name)
        .inFile(request.target.string())
        .withRemedy(QL_TEXT("Quantize for %1.").with(platform));
}

void requireWord(const ExportRequest &request, const std::string &name, Slot slot, const char *format)
{
    if (name.find_first_of(" \t\r\n") == std::string::npos) return;
    const Graph &graph = request.model.graph;
    throw Error(ErrorKind::UnsupportedOp,
                QL_TEXT("export '%1': its file separates words by spaces, so the name '%2' cannot be written")
                    .with(format, name),
                graph.operation(slot.op).name, graph.variable(variableOf(graph, slot)).name)
        .inFile(request.target.string())
        .withRemedy(QL_TEXT("Rename it in the model."));
}

void setEntry(nlohmann::ordered_json &entries, const std::string &name, const ExportedSlot &slot,
              nlohmann::ordered_json entry)
{
    if (slot.config->state != QuantState::Passive || !entries.contains(name)) entries[name] = std::move(entry);
}

} // namespace ql
