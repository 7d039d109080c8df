#include "core/export/onnx/opset.h"

#include "core/base/error.h"
#include "core/ir/subgraphs.h"

#include <ATen/ops/repeat_interleave.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <set>

namespace ql {

namespace {

VarId intsParameter(Graph &graph, const std::string &base, const std::vector<std::int64_t> &values)
{
    return graph.addParameter(graph.freshName(base), at::tensor(values, at::TensorOptions(at::kLong)));
}

/// attribute (list of ints) becomes input number index.
void attributeToInput(Graph &graph, OpId id, const char *attribute, std::size_t index)
{
    if (!graph.operation(id).hasAttribute(attribute)) return;
    const std::vector<std::int64_t> values = graph.operation(id).intsAttribute(attribute);
    graph.edit(id).attributes.erase(attribute);
    if (!graph.operation(id).hasInput(index))
        graph.setInput(id, index, intsParameter(graph, graph.operation(id).name + "_" + attribute, values));
}

/// Before opset 13 Softmax worked on the tensor flattened to a matrix at axis (default 1). On the last axis both
/// meanings agree; otherwise the tensor is flattened from axis on, and gets the shape of the input again.
void convertSoftmax(Graph &graph, OpId id)
{
    const Operation op = graph.operation(id);
    const std::int64_t axis = op.intAttribute("axis", 1);
    const Variable &input = graph.variable(op.inputs.at(0));
    const std::optional<std::int64_t> rank =
        input.type.shape ? std::optional<std::int64_t>(std::int64_t(input.type.shape->size())) : std::nullopt;
    if (axis == -1 || (rank && (axis == *rank - 1 || axis == -1))) {
        graph.edit(id).attributes["axis"] = std::int64_t{-1};
        return;
    }
    if (axis < 0 && !rank)
        throw Error(
            ErrorKind::UnsupportedOp,
            QL_TEXT("%1 over several axes of a tensor of unknown rank cannot be written in opset 13").with(op.type),
            op.name, input.name)
            .withRemedy(QL_TEXT("Fix the input shape with %1.").with(Text::option("--input-shape")));
    std::vector<std::int64_t> matrix(std::size_t(axis < 0 ? axis + *rank : axis), 0); // 0: as in the input
    matrix.push_back(-1);
    const VarId flat = graph.addVariable(graph.freshName(op.name + "_flat"));
    const VarId soft = graph.addVariable(graph.freshName(op.name + "_soft"));
    const VarId shape = graph.addVariable(graph.freshName(op.name + "_shape"));
    const auto add = [&](const char *type, const std::string &name, const std::vector<VarId> &inputs, VarId to) {
        Operation node;
        node.name = graph.freshName(name);
        node.type = type;
        node.opset = 13;
        node.inputs = inputs;
        node.outputs = {to};
        graph.addOperation(std::move(node));
    };
    add("Reshape", op.name + "_flatten", {op.inputs[0], intsParameter(graph, op.name + "_flatten_shape", matrix)},
        flat);
    graph.setInput(id, 0, flat);
    graph.setOutput(id, 0, soft);
    graph.edit(id).attributes["axis"] = std::int64_t{-1};
    add("Shape", op.name + "_shape", {op.inputs[0]}, shape);
    add("Reshape", op.name + "_restore", {soft, shape}, op.outputs[0]);
}

/// Version 18 of GroupNormalization scales each group, version 21 each channel.
void convertGroupNormalization(Graph &graph, OpId id)
{
    const Operation op = graph.operation(id);
    const std::int64_t groups = op.intAttribute("num_groups", 1);
    const auto &shape = graph.variable(op.inputs.at(0)).type.shape;
    const std::int64_t channels = shape && shape->size() > 1 ? (*shape)[1].size : -1;
    for (const std::size_t i : {1, 2}) {
        if (channels == groups) continue;
        if (channels < 0 || channels % groups != 0 || !graph.isParameter(op.inputs.at(i)))
            throw Error(ErrorKind::UnsupportedOp,
                        QL_TEXT("%1 with computed scales, or an unknown number of channels, cannot be written in opset "
                                "21")
                            .with(op.type),
                        op.name);
        const Variable &scale = graph.variable(op.inputs[i]);
        graph.setInput(id, i,
                       graph.addParameter(graph.freshName(scale.name + "_channels"),
                                          at::repeat_interleave(scale.value, channels / groups)));
    }
}

/// What changed in operators after version 13.
void convertNewer(Graph &graph, OpId id, std::int64_t target)
{
    const std::string type = graph.operation(id).type;
    const std::int64_t from = graph.operation(id).opset;
    auto &attributes = graph.edit(id).attributes;
    if (from < 18 && target >= 18) {
        static const std::set<std::string> reductions = {"ReduceMean",   "ReduceMax",       "ReduceMin",
                                                         "ReduceProd",   "ReduceL1",        "ReduceL2",
                                                         "ReduceLogSum", "ReduceLogSumExp", "ReduceSumSquare"};
        if (reductions.contains(type)) attributeToInput(graph, id, "axes", 1);
        if (type == "Split" && !graph.operation(id).hasInput(1))
            attributes["num_outputs"] = std::int64_t(graph.operation(id).outputs.size());
    }
    if (from < 20 && target >= 20) {
        if (type == "GridSample") {
            const std::string mode = graph.operation(id).stringAttribute("mode", "bilinear");
            attributes["mode"] = mode == "bilinear"  ? std::string("linear")
                                 : mode == "bicubic" ? std::string("cubic")
                                                     : mode;
        }
        if (type == "DFT" && !graph.operation(id).hasInput(2)) {
            const std::int64_t axis = graph.operation(id).intAttribute("axis", 1);
            attributes.erase("axis");
            const at::Tensor value = at::tensor(axis, at::TensorOptions(at::kLong)).reshape({});
            graph.setInput(id, 2, graph.addParameter(graph.freshName(graph.operation(id).name + "_axis"), value));
        }
    }
    if (from < 21 && target >= 21 && type == "GroupNormalization") convertGroupNormalization(graph, id);
}

void convert(Graph &graph, OpId id, std::int64_t target)
{
    const std::string type = graph.operation(id).type;
    const std::int64_t from = graph.operation(id).opset;
    auto &attributes = graph.edit(id).attributes;
    if (from < 13) {
        if (type == "Squeeze" || type == "Unsqueeze" || type == "ReduceSum") attributeToInput(graph, id, "axes", 1);
        if (type == "Split") attributeToInput(graph, id, "split", 1);
        if (type == "Softmax" || type == "LogSoftmax" || type == "Hardmax") convertSoftmax(graph, id);
        if (type == "BatchNormalization") attributes.erase("spatial");
        if (type == "Dropout") {
            attributes.erase("ratio");
            attributes.erase("is_test");
        }
        if (type == "TopK" && attributes.contains("k")) {
            const std::int64_t k = graph.operation(id).intAttribute("k", 1);
            attributes.erase("k");
            graph.setInput(id, 1, intsParameter(graph, graph.operation(id).name + "_k", {k}));
        }
        if (type == "Scatter") graph.edit(id).type = "ScatterElements"; // renamed in opset 11
        if (from < 7) {
            // What format_broadcast could not align
            if (type == "PRelu" || (attributes.contains("broadcast") && attributes.contains("axis")))
                throw Error(
                    ErrorKind::UnsupportedOp,
                    QL_TEXT("%1 with operands of unknown rank cannot be written in opset 7 or later").with(type),
                    graph.operation(id).name)
                    .withRemedy(QL_TEXT("Fix the input shape with %1.").with(Text::option("--input-shape")));
            for (const char *legacy : {"broadcast", "consumed_inputs"}) attributes.erase(legacy);
        }
    }
    convertNewer(graph, id, target);
    // What format_resize could not convert
    if (type == "Resize" && graph.operation(id).inputCount() < 3)
        throw Error(ErrorKind::UnsupportedOp,
                    QL_TEXT("a Resize of opset 10 whose scales are not known here, or that enlarges some axes and "
                            "shrinks others, cannot be written in opset %1")
                        .with(target),
                    graph.operation(id).name)
            .withRemedy(QL_TEXT("Export the model with opset 11 or newer."));
    if ((type == "Upsample") || (type == "Slice" && attributes.contains("starts")) ||
        (type == "Pad" && attributes.contains("pads")) ||
        (type == "Clip" && (attributes.contains("min") || attributes.contains("max"))))
        throw Error(ErrorKind::Internal,
                    QL_TEXT("%1 is still in its old form; run the formatting passes first").with(type),
                    graph.operation(id).name);
    if (type == "Resize" && from < 11) {
        attributes.try_emplace("coordinate_transformation_mode", std::string("asymmetric"));
        attributes.try_emplace("nearest_mode", std::string("floor"));
    }
}

/// Before opset 22, ONNX's shape inference counts a window that starts in the end padding, which ONNX Runtime does not
/// compute in any opset: the file would be refused. Without such windows, ceil_mode has no effect.
void dropCeilMode(Graph &graph, OpId id)
{
    const Operation &op = graph.operation(id);
    if ((op.type != "MaxPool" && op.type != "AveragePool") || op.intAttribute("ceil_mode", 0) == 0) return;
    const auto &read = graph.variable(op.inputs.at(0)).type.shape,
               &written = graph.variable(op.outputs.at(0)).type.shape;
    const std::vector<std::int64_t> kernel = op.intsAttribute("kernel_shape");
    const std::size_t axes = kernel.size();
    const auto strides = op.intsAttribute("strides", std::vector<std::int64_t>(axes, 1)),
               dilations = op.intsAttribute("dilations", std::vector<std::int64_t>(axes, 1));
    auto pads = op.intsAttribute("pads", std::vector<std::int64_t>(2 * axes, 0));
    const std::string autoPad = op.stringAttribute("auto_pad", "NOTSET");
    if (autoPad == "VALID") pads.assign(2 * axes, 0);
    if (!read || !written || read->size() != axes + 2 || written->size() != axes + 2 || pads.size() != 2 * axes ||
        strides.size() != axes || dilations.size() != axes || autoPad.starts_with("SAME"))
        return;
    for (std::size_t i = 0; i < axes; ++i) {
        const std::int64_t size = (*read)[i + 2].size, extent = dilations[i] * (kernel[i] - 1) + 1;
        if (size < 0 || (size + pads[i] + pads[axes + i] - extent) / strides[i] + 1 != (*written)[i + 2].size) return;
    }
    graph.edit(id).attributes.erase("ceil_mode");
}

/// The newest ai.onnx operation of graph and its bodies, at least version.
std::int64_t newestVersion(const Graph &graph, std::int64_t version)
{
    for (const OpId id : graph.operations()) {
        const Operation &op = graph.operation(id);
        if (op.domain.empty()) version = std::max(version, op.opset);
        for (const auto &body : bodies(op))
            if (body) version = newestVersion(*body, version);
    }
    return version;
}

int raise(Graph &graph, std::int64_t version)
{
    for (const OpId id : graph.operations()) {
        if (!graph.operation(id).domain.empty()) continue;
        convert(graph, id, version);
        dropCeilMode(graph, id);
        graph.edit(id).opset = version;
    }
    for (const OpId id : graph.operations()) // including those added by the conversion
        if (graph.operation(id).domain.empty()) graph.edit(id).opset = version;
    return 1;
}

} // namespace

std::int64_t raiseOpset(Graph &graph, std::int64_t target)
{
    const std::int64_t version = newestVersion(graph, target);
    editAllGraphs(graph, [version](Graph &each) { return raise(each, version); });
    graph.opsets[""] = version;
    return version;
}

} // namespace ql
