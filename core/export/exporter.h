#pragma once

#include "core/api/params.h"
#include "core/base/registry.h"
#include "core/quant/quant_plan.h"

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ql {

/// What an exporter writes from. The model is a quantized one; exporters work on copies.
struct ExportRequest
{
    const QuantModel &model;
    std::filesystem::path target; ///< file to write; side files go beside it
    nlohmann::json params;        ///< complete and checked against the exporter's specs
    std::function<void(api::Problem)> report = [](api::Problem) {};
};

struct ExportResult
{
    std::vector<std::filesystem::path> files;
    std::vector<Text> notes; ///< what the reader of the files must know, sentences
};

/// An exporter in the catalogue. Nothing is left under the target's name when it throws.
struct ExporterEntry
{
    static constexpr const char *kindName = "export format";
    api::CatalogueItem info;
    std::vector<std::string> extensions; ///< of the target file, the usual one first (".onnx")
    std::function<ExportResult(const ExportRequest &)> run;
};
using ExporterRegistrar = Registrar<ExporterEntry>;

/// The parameter of exporters whose files hold scales: whether they are written although tensors have none.
api::ParamSpec uncalibratedParam();

bool refusesUncalibrated(const ExporterEntry &entry); ///< has that parameter

/// For an export, as soon as the model is quantized. params: as in ExportRequest.
/// @throws Error (BadConfig) when tensors wait for a calibration that did not take place, and the format has
/// uncalibratedParam() and params do not set it.
void checkCalibrated(const std::string &format, const QuantModel &model, const nlohmann::json &params);

/// What can be told before anything is computed. @throws Error (Io) when target is a folder, or its folder is not
/// there.
void checkExportTarget(const std::filesystem::path &target);

/// Writes model in format to target. @throws Error (BadConfig) for an unknown format or parameter, (Io) when the target
/// cannot be written, (UnsupportedOp, BadConfig) when the format cannot express the model or it is not calibrated.
ExportResult exportModel(const std::string &format, const QuantModel &model, const std::filesystem::path &target,
                         const nlohmann::json &params, const std::function<void(api::Problem)> &report);

} // namespace ql
