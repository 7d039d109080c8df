#pragma once

#include "core/export/exported_slots.h"
#include "core/export/exporter.h"
#include "core/export/file_set.h"

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

namespace ql {

/// The float graph with rounded parameters, in a form that can be written as ONNX; its notes and operations go to
/// result. params: of fixedShapesParam() and foreignOperatorsParam().
Graph plainGraph(const QuantModel &model, const nlohmann::json &params, ExportResult &result);

/// Writes the float graph with rounded parameters as ONNX (the format "onnx"). params: of fixedShapesParam() and
/// foreignOperatorsParam().
ExportResult writePlainOnnx(const QuantModel &model, const std::filesystem::path &file, const nlohmann::json &params);

/// The parameters of exporters that use writeModelWith().
std::vector<api::ParamSpec> modelParams();
/// Writes a plain ONNX file to the target and adds what write makes: for runtimes that read a float model and its
/// scales from separate files.
ExportResult writeModelWith(const ExportRequest &request, const std::function<void(FileSet &)> &write);
/// The same with a model that differs from the request's.
ExportResult writeModelWith(const ExportRequest &request, const QuantModel &model,
                            const std::function<void(FileSet &)> &write);

/// The offset in encodings of AIMET and QNN, whose codes are unsigned: value = scale * (code + offset), so that it is
/// the lowest code of the bit width minus the zero point of channel i.
std::int64_t encodingOffset(const ExportedSlot &slot, std::size_t i);

/// Refuses a slot with a scale per channel, for formats with one scale per tensor. platform: one that has no such
/// slots.
/// @throws Error (UnsupportedOp)
void requireOneScale(const ExportRequest &request, const ExportedSlot &slot, const char *format, const char *platform);

/// Refuses a name that contains a space, for formats whose words are separated by spaces.
/// @throws Error (UnsupportedOp) naming operation and tensor
void requireWord(const ExportRequest &request, const std::string &name, Slot slot, const char *format);

/// Sets the entry of the slot's tensor in a file with one entry per tensor: that of the last slot, but a passive slot
/// replaces no entry.
void setEntry(nlohmann::ordered_json &entries, const std::string &name, const ExportedSlot &slot,
              nlohmann::ordered_json entry);

} // namespace ql
