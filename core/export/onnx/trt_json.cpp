// TensorRT's implicit quantization: a float model, the dynamic range of each activation, the weights, and a script that
// builds an engine from them. TensorRT derives weight scales from the weights, which are rounded to their grid here.
#include "core/base/file.h"
#include "core/export/exported_slots.h"
#include "core/export/onnx/side_files.h"
#include "core/quant/quantize.h"

#include <bit>
#include <map>
#include <ostream>
#include <set>

namespace ql {

static constexpr std::string_view engineScript = R"py(#!/usr/bin/env python3
"""Builds a TensorRT engine (version 8 to 10) from the ONNX model and the ranges next to this script.

usage: build_engine.py [--fp32] [--workspace GIB] [ENGINE]
"""
import argparse
import json
from pathlib import Path

import tensorrt as trt

STEM = "@STEM@"
HERE = Path(__file__).resolve().parent


def set_ranges(network, ranges):
    """Sets dynamic ranges; returns the names of ranges that no tensor of the network has."""
    missing = set(ranges)
    tensors = [network.get_input(i) for i in range(network.num_inputs)]
    for i in range(network.num_layers):
        layer = network.get_layer(i)
        tensors += [layer.get_output(k) for k in range(layer.num_outputs)]
    for tensor in tensors:
        if tensor.name in ranges:
            tensor.dynamic_range = (-abs(ranges[tensor.name]), abs(ranges[tensor.name]))
            missing.discard(tensor.name)
    return sorted(missing)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fp32", action="store_true", help="forbid FP16 for layers without INT8 kernels")
    parser.add_argument("--workspace", type=float, default=4, help="GiB")
    parser.add_argument("engine", nargs="?", default=str(HERE / (STEM + ".engine")))
    arguments = parser.parse_args()
    logger = trt.Logger(trt.Logger.WARNING)
    builder = trt.Builder(logger)
    network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.EXPLICIT_BATCH))
    onnx = trt.OnnxParser(network, logger)
    if not onnx.parse_from_file(str(HERE / (STEM + ".onnx"))):
        raise SystemExit("\n".join(str(onnx.get_error(i)) for i in range(onnx.num_errors)))
    config = builder.create_builder_config()
    config.set_memory_pool_limit(trt.MemoryPoolType.WORKSPACE, int(arguments.workspace * (1 << 30)))
    config.set_flag(trt.BuilderFlag.INT8)
    if not arguments.fp32:
        config.set_flag(trt.BuilderFlag.FP16)
    missing = set_ranges(network, json.loads((HERE / (STEM + ".json")).read_text())["act_quant_info"])
    if missing:
        print("no tensor of the network has these names:", ", ".join(missing))
    engine = builder.build_serialized_network(network, config)
    if engine is None:
        raise SystemExit("TensorRT could not build the engine")
    Path(arguments.engine).write_bytes(engine)
    print("wrote", arguments.engine)


if __name__ == "__main__":
    main()
)py";

/// TensorRT gives their outputs the range of the input.
static const std::set<std::string, std::less<>> rangeless{"Gather", "Unsqueeze", "Concat", "Reshape", "Squeeze"};

static bool isTensorRtGrid(const ExportedSlot &slot)
{
    const TensorQuantConfig &config = *slot.config;
    return !config.isFloating() && config.symmetric && !config.powerOfTwo && !slot.isPerChannel() && config.bits == 8 &&
           config.quantMin == -128 && config.quantMax == 127;
}

/// "name count hex hex ...": each value as the 8 digits of its big-endian float32.
static void writeWeight(std::ostream &out, const std::string &name, const at::Tensor &value)
{
    constexpr std::string_view digits = "0123456789abcdef";
    const at::Tensor flat = value.contiguous().reshape({-1});
    std::string text(std::size_t(flat.numel()) * 9, ' ');
    char *to = text.data();
    for (std::int64_t i = 0; i < flat.numel(); ++i) {
        const auto bits = std::bit_cast<std::uint32_t>(flat.data_ptr<float>()[i]);
        ++to; // the space
        for (int shift = 28; shift >= 0; shift -= 4) *to++ = digits[(bits >> shift) & 15];
    }
    out << name << ' ' << flat.numel() << text << '\n';
}

static void writeTrtWeights(std::ostream &out, const ExportRequest &request)
{
    const QuantModel &model = request.model;
    std::vector<Slot> slots;
    for (const OpId id : model.graph.topological()) {
        const Operation &op = model.graph.operation(id);
        if (op.type != "Conv" && op.type != "Gemm") continue; // those that the reader of this file knows
        for (std::size_t i = 1; i < op.inputs.size(); ++i) {
            const VarId input = op.inputs[i];
            if (model.graph.isParameter(input) && model.graph.variable(input).value.scalar_type() == at::kFloat)
                slots.push_back(inputSlot(id, i));
        }
    }
    out << slots.size() << '\n';
    for (const Slot slot : slots) {
        const std::string &name = model.graph.variable(variableOf(model.graph, slot)).name;
        requireWord(request, name, slot, "trt_json");
        writeWeight(out, name, simulatedParameter(model.graph, model.plan, slot));
    }
}

static ExportResult writeTrtJson(const ExportRequest &request)
{
    const QuantModel &model = request.model;
    nlohmann::ordered_json ranges = nlohmann::ordered_json::object();
    std::map<std::string, bool> isRounded; // tensors with a range
    std::set<std::string> skipped;
    for (const OpId id : model.graph.topological()) {
        const Operation &op = model.graph.operation(id);
        if (rangeless.contains(op.type)) continue;
        for (const ExportedSlot &slot : exportedSlots(model, id, ListOverlapped::Yes)) {
            if (slot.isParameter) continue;
            const std::string &name = model.graph.variable(slot.variable).name;
            if (!isTensorRtGrid(slot)) {
                skipped.insert(name);
                continue;
            }
            // Where a tensor is rounded counts more than where it is read; its producer is first
            const auto known = isRounded.find(name);
            if (known != isRounded.end() && (known->second || !slot.config->isApplied())) continue;
            isRounded[name] = slot.config->isApplied();
            ranges[name] = double(slot.scale.front()) * 127;
        }
    }
    for (const std::string &name : skipped)
        request.report(
            {.severity = api::Severity::Warning,
             .variable = name,
             .message = QL_TEXT("no range in the TensorRT file: it is not symmetric, 8 bits, -128 to 127, per tensor"),
             .remedy = QL_TEXT("Quantize for TRT_INT8, or remove the override of this tensor.")});
    return writeModelWith(request, [&](FileSet &files) {
        files.addJson(".json", {{"act_quant_info", ranges}});
        writeFileAtomically(files.add(request.target.stem().string() + ".wts"),
                            [&](std::ostream &out) { writeTrtWeights(out, request); });
        files.addScript("_build_engine.py", engineScript);
    });
}

static const ExporterRegistrar trtJson{
    "trt_json",
    {.info =
         {.id = "trt_json",
          .title = QL_TEXT("TensorRT ranges"),
          .meaning = QL_TEXT(
              "ONNX model with the dynamic range of each activation (JSON), the weights, and a script that builds an "
              "INT8 engine, for TensorRT 8 to 10."),
          .params = modelParams()},
     .extensions = {".onnx"},
     .beside = {".json", ".wts", "_build_engine.py"},
     .run = writeTrtJson}};

} // namespace ql
