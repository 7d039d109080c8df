#pragma once

#include "core/api/params.h"
#include "core/api/run_report.h"
#include "core/api/written_operation.h"
#include "core/base/registry.h"
#include "core/quant/quant_plan.h"

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace ql {

/// Input of an exporter. The model is quantized; exporters work on copies.
struct ExportRequest
{
    const QuantModel &model;
    std::filesystem::path target; ///< file to write; side files are written next to it
    nlohmann::json params;        ///< complete and checked against the exporter's specs
    std::function<void(api::Problem)> report = [](api::Problem) {};
    const api::Measures &errors; ///< measured on the model; for exporters with errorsFrom
};

struct ExportResult
{
    std::vector<std::filesystem::path> files;
    std::vector<Text> notes = {};                       ///< notes for readers of the files, sentences
    std::vector<api::WrittenOperation> operations = {}; ///< of the model in the file, if there is one
};

/// An exporter in the catalogue. If it throws, no file remains under the target's name.
struct ExporterEntry
{
    static constexpr const char *kindName = "export format";
    api::CatalogueItem info;
    std::vector<std::string> extensions;  ///< of the target file, the usual one first (".onnx")
    std::vector<std::string> beside = {}; ///< endings of the files next to it, after its stem (".json")
    bool isForAllPlatforms = false;       ///< read by people and tools that know no platform
    bool keepsDynamicGroups = false;      ///< writes activations with a scale per group computed at run time
    std::function<ExportResult(const ExportRequest &)> run;
    /// The analysis whose errors it writes, for its parameters; empty: none.
    std::function<std::string(const nlohmann::json &params)> errorsFrom = {};
};
using ExporterRegistrar = Registrar<ExporterEntry>;

/// Parameter of exporters whose files contain scales: whether to write tensors that have none.
api::ParamSpec uncalibratedParam();

/// Called for an export as soon as the model is quantized. params: as in ExportRequest.
/// @throws Error (BadConfig) if tensors wait for a calibration that did not run, and the format has uncalibratedParam()
/// but params do not set it, or the format cannot express activations with a scale per group.
void checkCalibrated(const std::string &format, const QuantModel &model, const nlohmann::json &params);

/// The files that an export writes: target, and those next to it. @throws Error (BadConfig) for an unknown format
std::vector<std::filesystem::path> exportedFiles(const std::string &format, const std::filesystem::path &target);

/// Checks that need no computation. @throws Error (Io) if target is a folder, or its folder does not exist.
void checkExportTarget(const std::filesystem::path &target);

/// Writes model in format to target. @throws Error (BadConfig) for an unknown format or parameter, (Io) if the target
/// cannot be written, (UnsupportedOp, BadConfig) if the format cannot express the model or the model is not calibrated.
ExportResult exportModel(const std::string &format, const QuantModel &model, const std::filesystem::path &target,
                         const nlohmann::json &params, const std::function<void(api::Problem)> &report,
                         const api::Measures &errors = {});

} // namespace ql
