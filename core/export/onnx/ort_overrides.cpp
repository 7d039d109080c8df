// ONNX Runtime's TensorQuantOverrides: the scales that quantize_static() uses instead of calibrating, by tensor a
// list with one entry, or one per channel of axis. A script next to the JSON shows how to pass them on.
#include "core/export/exported_slots.h"
#include "core/export/onnx/side_files.h"

#include <set>

namespace ql {

static constexpr std::string_view loaderScript = R"py(#!/usr/bin/env python3
"""TensorQuantOverrides of the JSON file next to this script, for onnxruntime.quantization.quantize_static:

    quantize_static(model, output, reader, extra_options={"TensorQuantOverrides": load()})
"""
import json
from pathlib import Path

import numpy as np
from onnxruntime.quantization import QuantType


def load(path=Path(__file__).resolve().parent / "@STEM@.json"):
    overrides = json.loads(Path(path).read_text())
    for entries in overrides.values():
        for entry in entries:
            kind = QuantType.from_string(entry["quant_type"])
            integer = {"QInt8": np.int8, "QUInt8": np.uint8, "QInt16": np.int16, "QUInt16": np.uint16}[entry["quant_type"]]
            entry["quant_type"] = kind
            entry["scale"] = np.array(entry["scale"], np.float32)
            entry["zero_point"] = np.array(entry["zero_point"], integer)
    return overrides
)py";

/// Nothing for codes that ONNX Runtime has no type for.
static std::string ortType(const TensorQuantConfig &config)
{
    if (config.isFloating() || config.bits > 16) return {};
    return std::string(config.quantMin < 0 ? "QInt" : "QUInt") + (config.bits > 8 ? "16" : "8");
}

static nlohmann::ordered_json ortOverride(const ExportedSlot &slot, const std::string &type)
{
    nlohmann::ordered_json entries = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < slot.scale.size(); ++i) {
        nlohmann::ordered_json entry = {
            {"quant_type", type}, {"scale", slot.scale[i]}, {"zero_point", slot.zeroPoint[i]}};
        if (slot.config->channelAxis) entry.emplace("axis", *slot.config->channelAxis);
        entries.push_back(std::move(entry));
    }
    return entries;
}

static ExportResult writeOrtOverrides(const ExportRequest &request)
{
    const QuantModel &model = request.model;
    nlohmann::ordered_json overrides = nlohmann::ordered_json::object();
    std::set<VarId> written;
    for (const OpId id : model.graph.topological())
        for (const ExportedSlot &slot : exportedSlots(model, id, ListOverlapped::No)) {
            const std::string type = ortType(*slot.config);
            if (type.empty() || !written.insert(slot.variable).second) continue;
            overrides.emplace(model.graph.variable(slot.variable).name, ortOverride(slot, type));
        }
    return writeModelWith(request, [&](FileSet &files) {
        files.addJson(".json", overrides);
        files.addScript("_overrides.py", loaderScript);
    });
}

static const ExporterRegistrar ortOverrides{
    "ort_overrides",
    {.info = {.id = "ort_overrides",
              .title = QL_TEXT("ONNX Runtime overrides"),
              .meaning =
                  QL_TEXT("ONNX model with the TensorQuantOverrides that ONNX Runtime's quantize_static() takes."),
              .params = modelParams()},
     .extensions = {".onnx"},
     .beside = {".json", "_overrides.py"},
     .run = writeOrtOverrides}};

} // namespace ql
