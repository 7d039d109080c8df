#include "core/export/exporter.h"

#include "core/base/error.h"
#include "core/base/plugin.h"
#include "core/export/file_set.h"
#include "core/pass/pass.h"
#include "core/quant/networks.h"

#include <algorithm>
#include <set>
#include <unistd.h>

namespace ql {

std::vector<std::filesystem::path> exportedFiles(const std::string &format, const std::filesystem::path &target)
{
    const ExporterEntry &entry = Registry<ExporterEntry>::instance().at(format, QL_TEXT("export format"));
    std::vector<std::filesystem::path> files{target};
    for (const std::string &ending : entry.beside)
        files.push_back(target.parent_path() / (target.stem().string() + ending));
    return files;
}

void checkExportTarget(const std::filesystem::path &target)
{
    const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
    std::error_code code;
    if (!std::filesystem::is_directory(folder, code))
        throw Error(ErrorKind::Io, QL_TEXT("the export folder does not exist"))
            .inFile(target.string())
            .withRemedy(QL_TEXT("Create it or choose another."));
    if (::access(folder.c_str(), W_OK) != 0)
        throw Error(ErrorKind::Io, QL_TEXT("the export folder is not writable"))
            .inFile(target.string())
            .withRemedy(QL_TEXT("Choose another folder, or change its permissions."));
    if (std::filesystem::is_directory(target, code))
        throw Error(ErrorKind::Io, QL_TEXT("the export target is a folder"))
            .inFile(target.string())
            .withRemedy(QL_TEXT("Give a file name."));
}

api::ParamSpec uncalibratedParam()
{
    return {.name = "uncalibrated",
            .type = "bool",
            .fallback = false,
            .meaning = QL_TEXT("Write the file even if tensors are not calibrated; they stay in float32.")};
}

/// Files of other formats would leave these activations in float32.
static void refuseDynamicGroups(const std::string &format, const QuantModel &model)
{
    const ExporterEntry *entry = Registry<ExporterEntry>::instance().find(format);
    if (!entry || entry->keepsDynamicGroups) return;
    for (const Network &network : networksOf(model)) {
        const QuantPlan &plan = network.model->plan;
        for (const auto &[slot, config] : plan.configs()) {
            if (!config.isGrouped() || !config.dynamic || !plan.simulated(slot)) continue;
            const Graph &graph = network.graph();
            throw Error(ErrorKind::BadConfig,
                        QL_TEXT("export '%1': the format cannot express an activation with a scale per group that is "
                                "computed at run time")
                            .with(format),
                        graph.operation(slot.op).name, graph.variable(variableOf(graph, slot)).name)
                .withRemedy(QL_TEXT("Leave activations in float32 (state fp32; of WEIGHT_ONLY: activation_format "
                                    "float32), give them one scale per tensor, or export to 'onnx_qdq' or 'native'."));
        }
    }
}

void checkCalibrated(const std::string &format, const QuantModel &model, const nlohmann::json &params)
{
    refuseDynamicGroups(format, model);
    if (params.value(uncalibratedParam().name, true)) return;
    std::size_t slots = 0;
    std::set<OpId> operations;
    for (const auto &[slot, config] : model.plan.configs()) {
        if (config.state != QuantState::Initial || config.dynamic || variableOf(model.graph, slot) == noVar) continue;
        ++slots;
        operations.insert(slot.op);
    }
    if (slots == 0) return;
    const Operation &first = model.graph.operation(*operations.begin());
    throw Error(ErrorKind::BadConfig,
                QL_TEXT("export '%1': the model is not calibrated: %2 tensors of %3 operations have no scale")
                    .with(format, slots, operations.size()),
                first.name)
        .withRemedy(QL_TEXT("Give calibration data and the passes '%1' and '%2', or set the parameter 'uncalibrated' "
                            "of the export (%3).")
                        .with(passThatWrites(PassAspect::ParameterScales), passThatWrites(PassAspect::ActivationScales),
                              Text::option("--export-uncalibrated")));
}

/// @throws Error (Internal) if the exporter wrote nothing, or a file that it lists does not exist
static void checkWritten(const std::string &format, const ExportResult &result, const std::filesystem::path &target)
{
    const auto fail = [&](const Text &what, const std::filesystem::path &file) {
        Error error(ErrorKind::Internal, QL_TEXT("%1: %2").with(QL_TEXT("export '%1'").with(format), what));
        error.inFile(file.string());
        namePlugin(error, ExporterEntry::kindName, format);
        throw error;
    };
    if (result.files.empty()) fail(QL_TEXT("no file was written"), target);
    std::error_code code;
    for (const std::filesystem::path &file : result.files)
        if (!std::filesystem::exists(file, code)) fail(QL_TEXT("the file was not written"), file);
}

/// throwNamed(), where an error about a file that a FileSet writes names it as it would be called in the end.
[[noreturn]] static void throwWithFinalNames(const Text &what, const std::string &format)
{
    try {
        throwNamed<ExporterEntry>(what, format);
    } catch (Error &error) {
        error.file = finalName(error.file).string();
        throw;
    }
}

ExportResult exportModel(const std::string &format, const QuantModel &model, const std::filesystem::path &target,
                         const nlohmann::json &params, const std::function<void(api::Problem)> &report,
                         const api::Measures &errors)
{
    const ExporterEntry &entry = Registry<ExporterEntry>::instance().at(format, QL_TEXT("export format"));
    checkExportTarget(target);
    ExportRequest request{model, target,
                          api::completeParams(entry.info.params, params, QL_TEXT("export '%1'").with(format)), report,
                          errors};
    checkCalibrated(format, model, request.params);
    std::error_code code;
    const bool existed = std::filesystem::exists(target, code);
    ExportResult result;
    try {
        result = entry.run(request);
    } catch (...) {
        if (!existed) std::filesystem::remove(target, code); // half of it, by an exporter that writes in place
        throwWithFinalNames(QL_TEXT("export '%1'").with(format), format);
    }
    checkWritten(format, result, target);
    return result;
}

} // namespace ql
